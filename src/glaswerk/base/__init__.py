"""The estimator contract, and the door to scikit-learn: parameters, tags, names and the checks at the border.

scikit-learn gives the contract (clone, get_params, tags, feature names, callbacks), never an algorithm.
"""

from typing import Self

from sklearn.base import ClassifierMixin, OneToOneFeatureMixin, clone
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.pipeline import Pipeline

from glaswerk.base.border import Warned, check_weights, find_unusable, targets, weights
from glaswerk.base.estimator import Classifier, Clusterer, Density, Estimator, Regressor, Transformer
from glaswerk.base.matrices import UNSEEN, Array, ColumnLevels, Matrix, Target
from glaswerk.base.parameters import (
    Allowed,
    Parametric,
    flag,
    integer,
    none,
    number,
    one_of,
    only,
    thread_count,
)

__all__ = [
    "UNSEEN",
    "Allowed",
    "Array",
    "CallbackSupportMixin",
    "Classifier",
    "ClassifierMixin",
    "Clusterer",
    "ColumnLevels",
    "DataConversionWarning",
    "Density",
    "Estimator",
    "Matrix",
    "NotFittedError",
    "OneToOneFeatureMixin",
    "Parametric",
    "Pipeline",
    "Regressor",
    "Self",
    "Target",
    "Transformer",
    "Warned",
    "check_weights",
    "clone",
    "find_unusable",
    "flag",
    "integer",
    "none",
    "number",
    "one_of",
    "only",
    "targets",
    "thread_count",
    "weights",
    "with_callbacks",
]
