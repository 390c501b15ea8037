"""Honest evaluation: how well a learner does on rows it has not seen, and how sure that is."""

from glaswerk.evaluate.baseline import BaselineClassifier, BaselineRegressor, baseline_for
from glaswerk.evaluate.checks import check
from glaswerk.evaluate.degree_search import DegreeSearch, search_degree
from glaswerk.evaluate.diagnosis import diagnose
from glaswerk.evaluate.learning_curve import learning_curve
from glaswerk.evaluate.problem import ArrayProblem, Problem
from glaswerk.evaluate.validation import Validation, cross_validate

__all__ = [
    "ArrayProblem",
    "BaselineClassifier",
    "BaselineRegressor",
    "DegreeSearch",
    "Problem",
    "Validation",
    "baseline_for",
    "check",
    "cross_validate",
    "diagnose",
    "learning_curve",
    "search_degree",
]
