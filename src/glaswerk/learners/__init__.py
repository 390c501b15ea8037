"""The learners: one algorithm per file; file name = test name = docs page."""

from glaswerk.learners.best_subset import BestSubsetRegression
from glaswerk.learners.least_squares import LinearRegression
from glaswerk.learners.logistic import LogisticRegression
from glaswerk.learners.ridge import Ridge
from glaswerk.learners.ridge_cv import RidgeCV

__all__ = ["BestSubsetRegression", "LinearRegression", "LogisticRegression", "Ridge", "RidgeCV"]
