"""Trees grown level by level from rows that pass by: sums per node, column and bin add up, and the best cut is in them.

A node of few rows is not cut from sums: its rows are kept from one pass, and the grower in memory goes on.
"""
