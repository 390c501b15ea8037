"""Scoring: how good predictions are, and on which rows to ask.

Metrics: `metrics` (errors of numbers), `determination` (R²), `classification` and `precision_recall` (classes),
`probabilities` (log loss, Brier, ROC). Splits: `splits` (cross-validation), `holdout` (one split), both from `folds`.
"""

from glaswerk.scoring.classification import accuracy_score, balanced_accuracy_score, confusion_matrix
from glaswerk.scoring.determination import explain_r2, r2_score
from glaswerk.scoring.holdout import ShuffleSplit, train_test_split, train_validation_test_split
from glaswerk.scoring.inputs import UndefinedMetricWarning
from glaswerk.scoring.metrics import (
    half_squared_error,
    max_error,
    mean_absolute_error,
    mean_squared_error,
    median_absolute_error,
    residual_sum_of_squares,
    root_mean_squared_error,
    total_sum_of_squares,
)
from glaswerk.scoring.precision_recall import f1_score, precision_score, recall_score
from glaswerk.scoring.probabilities import brier_score_loss, log_loss, roc_auc_score, roc_curve
from glaswerk.scoring.splits import (
    GroupKFold,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    fold_of,
)

__all__ = [
    "GroupKFold",
    "KFold",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "ShuffleSplit",
    "StratifiedKFold",
    "TimeSeriesSplit",
    "UndefinedMetricWarning",
    "accuracy_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "confusion_matrix",
    "explain_r2",
    "f1_score",
    "fold_of",
    "half_squared_error",
    "log_loss",
    "max_error",
    "mean_absolute_error",
    "mean_squared_error",
    "median_absolute_error",
    "precision_score",
    "r2_score",
    "recall_score",
    "residual_sum_of_squares",
    "roc_auc_score",
    "roc_curve",
    "root_mean_squared_error",
    "total_sum_of_squares",
    "train_test_split",
    "train_validation_test_split",
]
