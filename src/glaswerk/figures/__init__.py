"""Figures: facts become Vega dictionaries, and pictures. The door to vl-convert."""
