"""Honest evaluation: how well a learner does on rows it has not seen, and how sure that is."""

from glaswerk.evaluate.baseline import BaselineClassifier, BaselineRegressor, baseline_for
from glaswerk.evaluate.bias_variance import bias_variance, bias_variance_of_table, decomposition_curve
from glaswerk.evaluate.bundle import posterior_bundle
from glaswerk.evaluate.checks import check
from glaswerk.evaluate.complexity_curve import complexity_curve
from glaswerk.evaluate.degree_search import DegreeSearch, search_degree
from glaswerk.evaluate.diagnosis import diagnose
from glaswerk.evaluate.estimator_theory import cramer_rao, estimator_experiment, fisher_information
from glaswerk.evaluate.extrapolation import Extent
from glaswerk.evaluate.grouping import HowMany, how_many
from glaswerk.evaluate.interpretation import interpret
from glaswerk.evaluate.intervals import ConformalClassifier, ConformalRegressor
from glaswerk.evaluate.learning_curve import learning_curve
from glaswerk.evaluate.margin_steps import margin_steps
from glaswerk.evaluate.planes import group_plane
from glaswerk.evaluate.problem import ArrayProblem, Problem
from glaswerk.evaluate.search import GridSearch, RandomSearch, Search
from glaswerk.evaluate.several import compare_on_tables
from glaswerk.evaluate.spaces import Linear, Log
from glaswerk.evaluate.validation import Validation, cross_validate
from glaswerk.evaluate.zooming import ZoomingSearch

__all__ = [
    "ArrayProblem",
    "BaselineClassifier",
    "BaselineRegressor",
    "ConformalClassifier",
    "ConformalRegressor",
    "DegreeSearch",
    "Extent",
    "GridSearch",
    "HowMany",
    "Linear",
    "Log",
    "Problem",
    "RandomSearch",
    "Search",
    "Validation",
    "ZoomingSearch",
    "baseline_for",
    "bias_variance",
    "bias_variance_of_table",
    "check",
    "compare_on_tables",
    "complexity_curve",
    "cramer_rao",
    "cross_validate",
    "decomposition_curve",
    "diagnose",
    "estimator_experiment",
    "fisher_information",
    "group_plane",
    "how_many",
    "interpret",
    "learning_curve",
    "margin_steps",
    "posterior_bundle",
    "search_degree",
]
