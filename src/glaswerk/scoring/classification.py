"""How often predicted classes are right: accuracy, the confusion matrix, balanced accuracy.

Labels are text or whole numbers, in one column. `sample_weight` means repetitions. Everything here is read off one
table of weights by (true class, predicted class). Cost: one sort of the labels.
"""

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glaswerk.scoring.inputs import (
    Floats,
    Ints,
    UndefinedMetricWarning,
    check_choice,
    check_same_kind,
    class_pair,
    label_column,
)


def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    """Share of rows whose class is predicted; the number of them with `normalize=False`.

    Misleads where one class is rare (predicting "healthy" for everybody scores 99 %): see `balanced_accuracy_score`.

    >>> accuracy_score(["yes", "no", "no", "no"], ["yes", "no", "yes", "no"])
    0.75
    """
    check_choice("normalize", normalize, (True, False))
    true, predicted, weights = class_pair(y_true, y_pred, sample_weight)
    right = float(weights[true == predicted].sum())
    return right / float(weights.sum()) if normalize else right


def cross_table(true: NDArray[Any], predicted: NDArray[Any], classes: NDArray[Any], weights: Floats) -> Floats:
    """Sum of weights by (true, predicted) class; `classes` is sorted and holds every label that occurs."""
    cell = np.searchsorted(classes, true) * len(classes) + np.searchsorted(classes, predicted)
    sums: Floats = np.bincount(cell, weights, minlength=len(classes) ** 2).astype(np.float64)
    return sums.reshape(len(classes), len(classes))


def asked_labels(labels: ArrayLike | None, present: NDArray[Any]) -> NDArray[Any]:
    """The labels to report, in the order asked for; all that occur, sorted, when none are."""
    if labels is None:
        return present
    asked = label_column("labels", labels)
    if len(asked) == 0 or len(np.unique(asked)) < len(asked):
        raise ValueError(f"labels must name at least one class, each once; came {asked.tolist()}")
    check_same_kind("labels", asked, "y_true", present)
    return asked


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: str | None = None,
) -> NDArray[Any]:
    """C[i, j] = rows of class i predicted as class j: what is mistaken for what.

    `labels` chooses and orders the classes; rows with another label are left out. `normalize` divides by the sum of
    the "true" row (the diagonal is then recall), of the "pred" column (precision), or of "all".

    >>> confusion_matrix(["yes", "no", "no", "no"], ["yes", "no", "yes", "no"]).tolist()
    [[2, 1], [0, 1]]
    """
    check_choice("normalize", normalize, ("true", "pred", "all", None))
    true, predicted, weights = class_pair(y_true, y_pred, sample_weight)
    present = np.union1d(true, predicted)
    asked = asked_labels(labels, present)
    if not np.isin(asked, true).any():
        raise ValueError(f"labels must name at least one class of y_true; came {asked.tolist()}")
    classes = np.union1d(present, asked)
    table = cross_table(true, predicted, classes, weights)
    position = np.searchsorted(classes, asked)
    chosen = table[np.ix_(position, position)]
    if normalize is not None:
        return shares(chosen, normalize)
    whole = sample_weight is None or np.asarray(sample_weight).dtype.kind in "biu"
    return chosen.astype(np.int64) if whole else chosen


def shares(table: Floats, of: str) -> Floats:
    """Each cell divided by the sum of its row, its column or all; 0 where there is nothing to share."""
    axis = {"true": 1, "pred": 0, "all": None}[of]
    total = table.sum(axis=axis, keepdims=True)
    shared: Floats = np.divide(table, total, out=np.zeros_like(table), where=total > 0)
    return shared


def balanced_accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, adjusted: bool = False
) -> float:
    """Mean over the classes of the share of the class that is recognised (its recall). For unequal class sizes.

    `adjusted` maps guessing to 0 and perfection to 1. A class that only `y_pred` knows has no recall: it is left out.

    >>> balanced_accuracy_score(["ill", "well", "well", "well"], ["well"] * 4)
    0.5
    """
    check_choice("adjusted", adjusted, (True, False))
    counts = class_counts(*class_pair(y_true, y_pred, sample_weight))
    occurs = counts.actual > 0
    if not occurs.all():
        warnings.warn("y_pred contains classes that y_true does not; they are left out", UserWarning, stacklevel=2)
    score = float((counts.right[occurs] / counts.actual[occurs]).mean())
    n_classes = int(occurs.sum())
    if not adjusted:
        return score
    if n_classes == 1:
        warnings.warn("one class leaves nothing to guess; returned is nan", UndefinedMetricWarning, stacklevel=2)
        return float("nan")
    return (score - 1 / n_classes) / (1 - 1 / n_classes)


class ClassCounts(NamedTuple):
    """Per class: rows predicted right, rows predicted to be of it, rows that are of it."""

    right: Floats
    predicted: Floats
    actual: Floats

    def pooled(self) -> "ClassCounts":
        return ClassCounts(*(np.atleast_1d(column.sum()) for column in self))


def class_counts(
    true: NDArray[Any], predicted: NDArray[Any], weights: Floats, labels: ArrayLike | None = None
) -> ClassCounts:
    """Counts for the labels asked for; rows of other classes still count against them when mistaken for them."""
    present = np.union1d(true, predicted)
    asked = asked_labels(labels, present)
    classes = np.union1d(present, asked)
    table = cross_table(true, predicted, classes, weights)
    position: Ints = np.searchsorted(classes, asked)
    return ClassCounts(table.diagonal()[position], table.sum(axis=0)[position], table.sum(axis=1)[position])
