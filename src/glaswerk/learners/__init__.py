"""The learners: one algorithm per file; file name = test name = docs page."""

from glaswerk.learners.least_squares import LinearRegression

__all__ = ["LinearRegression"]
