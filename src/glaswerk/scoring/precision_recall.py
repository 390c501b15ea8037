"""Precision, recall and F1: for a class that matters, how many alarms are right and how many cases are found.

With TP rows of the class predicted as such, FP rows of other classes predicted as it, FN rows of it that were missed:

    precision = TP / (TP + FP)      recall = TP / (TP + FN)      F1 = 2 TP / (2 TP + FP + FN)

`average` joins the classes: "binary" reports `pos_label` alone; "macro" is the plain mean over the classes, "weighted"
the mean weighted by class size; "micro" pools the counts first; None gives one value per class, in sorted order or in
that of `labels`.

Division by zero (a class never predicted has no precision, one that never occurs no recall) gives `zero_division`:
0.0, 1.0, or nan, which is left out of averages. The default "warn" gives 0.0 and says so.
"""

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glaswerk.scoring.classification import ClassCounts, class_counts
from glaswerk.scoring.inputs import Floats, UndefinedMetricWarning, check_choice, class_pair

AVERAGES = ("binary", "micro", "macro", "weighted", None)


def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: str | float = "warn",
) -> float | Floats:
    """TP / (TP + FP): of the rows predicted to be of the class, the share that is. When false alarms are dear.

    >>> precision_score([1, 1, 0, 0], [1, 0, 0, 0])
    1.0
    """
    counts = counts_to_average(y_true, y_pred, labels, pos_label, average, sample_weight)
    rates = divided(counts.right, counts.predicted, zero_division, "precision", "predicted rows")
    return averaged(rates, counts.actual, average)


def recall_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: str | float = "warn",
) -> float | Floats:
    """TP / (TP + FN): of the rows of the class, the share that is found. When a missed case is dear.

    >>> recall_score([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """
    counts = counts_to_average(y_true, y_pred, labels, pos_label, average, sample_weight)
    rates = divided(counts.right, counts.actual, zero_division, "recall", "true rows")
    return averaged(rates, counts.actual, average)


def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: str | float = "warn",
) -> float | Floats:
    """2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall: low when either is low.

    >>> f1_score([1, 1, 1, 0], [1, 0, 0, 0])
    0.5
    """
    counts = counts_to_average(y_true, y_pred, labels, pos_label, average, sample_weight)
    rates = divided(2 * counts.right, counts.predicted + counts.actual, zero_division, "F1", "true or predicted rows")
    return averaged(rates, counts.actual, average)


def counts_to_average(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    pos_label: Any,
    average: str | None,
    sample_weight: ArrayLike | None,
) -> ClassCounts:
    """The counts of every class that `average` takes into account, pooled for "micro"."""
    check_choice("average", average, AVERAGES)
    true, predicted, weights = class_pair(y_true, y_pred, sample_weight)
    if average == "binary":
        labels = binary_label(np.union1d(true, predicted).tolist(), labels, pos_label)
    elif pos_label not in (None, 1):
        raise ValueError(f"pos_label is used with average='binary' only; came {pos_label!r} with average={average!r}")
    counts = class_counts(true, predicted, weights, labels)
    return counts.pooled() if average == "micro" else counts


def binary_label(present: list[Any], labels: ArrayLike | None, pos_label: Any) -> list[Any]:
    """The positive class, as the only one to report of those present."""
    if len(present) > 2:
        allowed = "'micro', 'macro', 'weighted' or None"
        raise ValueError(f"average='binary' needs two classes, came {len(present)}: use average={allowed}")
    if labels is not None:
        raise ValueError(f"labels must be None with average='binary', which reports pos_label; came {labels!r}")
    # Two negatives only, coded 0: the positive class 1 is known but does not occur.
    absent = len(present) == 1 and isinstance(pos_label, str) == isinstance(present[0], str)
    if pos_label not in present and not absent:
        raise ValueError(f"pos_label must be one of the classes {present}; came {pos_label!r}")
    return [pos_label]


def divided(part: Floats, whole: Floats, zero_division: str | float, metric: str, lacking: str) -> Floats:
    """part / whole, and what `zero_division` says where there is no whole."""
    not_a_number = isinstance(zero_division, float) and math.isnan(zero_division)
    if not not_a_number:
        check_choice("zero_division", zero_division, ("warn", 0.0, 1.0, math.nan))
    undefined = whole == 0
    if zero_division == "warn" and undefined.any():
        message = f"{metric} is undefined for a class without {lacking}; returned is 0.0 (see zero_division)"
        warnings.warn(message, UndefinedMetricWarning, stacklevel=3)
    instead = 0.0 if zero_division == "warn" else float(zero_division)
    return np.divide(part, whole, out=np.full_like(part, instead), where=~undefined)


def averaged(rates: Floats, class_sizes: Floats, average: str | None) -> float | Floats:
    """One number for all classes, or all of them; classes that are nan do not take part in an average."""
    if average is None:
        return rates
    known = ~np.isnan(rates)
    if not known.any():
        return math.nan
    sizes = class_sizes[known]
    # No row of any class asked for: all sizes are zero, and the plain mean is all that is left.
    weighted = average == "weighted" and sizes.any()
    return float(np.average(rates[known], weights=sizes if weighted else None))
