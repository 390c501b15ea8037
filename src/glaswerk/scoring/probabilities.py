"""How good predicted probabilities and scores are: log loss, Brier score, the ROC curve and the area under it.

Probabilities are one column (of the positive class) or one column per class, in sorted order of the labels.
`sample_weight` means repetitions. Cost: one pass over the rows; the ROC curve sorts them once.
"""

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glaswerk.scoring.inputs import (
    Floats,
    UndefinedMetricWarning,
    check_choice,
    check_same_kind,
    check_same_rows,
    class_column,
    number_table,
    refuse_rows,
    row_weights,
)


def probability_table(y_proba: ArrayLike) -> Floats:
    """One column per class, each row adding to one; a single column p becomes (1 - p, p)."""
    table = number_table("y_proba", y_proba)
    table = table.reshape(len(table), -1)
    refuse_rows((table < 0) | (table > 1), "y_proba must lie between 0 and 1", table)
    if table.shape[1] == 1:
        return np.hstack([1 - table, table])
    slack = math.sqrt(precision_of(y_proba))
    refuse_rows(np.abs(table.sum(axis=1) - 1) > slack, "y_proba must add up to 1 in each row", table)
    return table


def precision_of(y_proba: ArrayLike) -> float:
    """Spacing of the numbers as they came: float32 probabilities are known to seven digits only."""
    kind = np.asarray(y_proba).dtype
    return float(np.finfo(kind if kind.kind == "f" else np.float64).eps)


def known_classes(true: NDArray[Any], labels: ArrayLike | None, n_columns: int) -> NDArray[Any]:
    """The sorted classes that the columns of `y_proba` stand for."""
    classes = np.unique(true if labels is None else class_column("labels", labels))
    check_same_kind("labels", classes, "y_true", true)
    if len(classes) < 2:
        raise ValueError(f"labels must name all classes where y_true holds fewer than two; came {classes.tolist()}")
    refuse_rows(~np.isin(true, classes), f"y_true must hold classes of labels {classes.tolist()} only", true)
    if len(classes) != n_columns:
        raise ValueError(
            f"y_proba must have one column for each of the classes {classes.tolist()}; came {n_columns}: "
            "name all classes in labels"
        )
    return classes


def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """-Σ log p(true class) / n, the negative log-likelihood per row: what logistic regression minimises.

    Punishes confident errors without bound, so probabilities are clipped to [eps, 1 - eps] of their number format.
    The sum instead of the mean with `normalize=False`.

    >>> round(log_loss([0, 1], [0.5, 0.5]), 4)
    0.6931
    """
    check_choice("normalize", normalize, (True, False))
    true, table = class_column("y_true", y_true), probability_table(y_proba)
    weights = row_weights(sample_weight, check_same_rows(y_true=true, y_proba=table))
    classes, eps = known_classes(true, labels, table.shape[1]), precision_of(y_proba)
    of_true_class = table[np.arange(len(true)), np.searchsorted(classes, true)]
    losses = -np.log(np.clip(of_true_class, eps, 1 - eps))
    total = float((weights * losses).sum())
    return total / float(weights.sum()) if normalize else total


def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    scale_by_half: str | bool = "auto",
) -> float:
    """Σ (1[y = class] - p)² / n: the mean squared error of probabilities. Bounded, so one bad row cannot rule it.

    Two classes: between 0 and 1. More classes: summed over them, between 0 and 2. `scale_by_half` overrules that.

    >>> brier_score_loss([0, 1, 1, 0], [0.5, 1.0, 0.5, 0.0])
    0.125
    """
    check_choice("scale_by_half", scale_by_half, (True, False, "auto"))
    true, table = class_column("y_true", y_true), probability_table(y_proba)
    weights = row_weights(sample_weight, check_same_rows(y_true=true, y_proba=table))
    if np.asarray(y_proba).reshape(len(table), -1).shape[1] == 1:
        positive = true == positive_class(true, pos_label)
        happened = np.column_stack([~positive, positive])
    else:
        happened = true[:, None] == known_classes(true, labels, table.shape[1])
    score = float((weights * ((happened - table) ** 2).sum(axis=1)).sum() / weights.sum())
    halve = table.shape[1] == 2 if scale_by_half == "auto" else scale_by_half
    return score / 2 if halve else score


def positive_class(true: NDArray[Any], pos_label: Any) -> Any:
    """The class whose probability a single column holds: the one named, 1 if that is a class, else the greater."""
    classes = np.unique(true)
    if pos_label is None:
        if len(classes) > 2:
            raise ValueError(f"pos_label must be named for more than two classes; came {classes.tolist()}")
        if isinstance(classes[0], str):
            raise ValueError(f"pos_label must be named for text labels, one of {classes.tolist()}; came None")
        return 1 if set(classes.tolist()) <= {-1, 1} or set(classes.tolist()) <= {0, 1} else classes[-1]
    if isinstance(pos_label, str) != isinstance(classes[0], str):
        raise ValueError(f"pos_label must be one of the classes {classes.tolist()}; came {pos_label!r}")
    return pos_label


def cumulated_counts(positive: NDArray[np.bool_], score: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """False and true positives at every threshold, the thresholds falling; rows of equal score pass together.

    Rows of weight zero are absent: they set no threshold.
    """
    order = np.argsort(-score, kind="stable")
    order = order[weights[order] > 0]
    score, gain = score[order], np.stack([~positive, positive])[:, order] * weights[order]
    last_of_equal = np.append(score[1:] != score[:-1], True)
    false_positives, true_positives = np.cumsum(gain, axis=1)[:, last_of_equal]
    return false_positives, true_positives, score[last_of_equal]


def scored_rows(
    y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[NDArray[Any], Floats, Floats]:
    """Classes, scores and weights, of equal length."""
    true, score = class_column("y_true", y_true), number_table("y_score", y_score)
    if score.ndim != 1:
        raise ValueError(f"y_score must have one dimension, the score of the positive class; came {score.ndim}")
    return true, score, row_weights(sample_weight, check_same_rows(y_true=true, y_score=score))


def corners(false_positives: Floats, true_positives: Floats) -> NDArray[np.bool_]:
    """Points where the curve bends; those between two others on a straight line change neither picture nor area."""
    bends = np.ones(len(false_positives), dtype=bool)
    if len(bends) > 2:
        bends[1:-1] = (np.diff(false_positives, 2) != 0) | (np.diff(true_positives, 2) != 0)
    return bends


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[Floats, Floats, Floats]:
    """False positive rate, true positive rate and threshold (score ≥ threshold means positive), thresholds falling.

    The curve starts at (0, 0) with threshold infinity. For choosing a threshold when the costs of the two errors are
    known later. A class that does not occur has no rate: nan, with a warning.

    >>> [column.tolist() for column in roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])]
    [[0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.1]]
    """
    check_choice("drop_intermediate", drop_intermediate, (True, False))
    true, score, weights = scored_rows(y_true, y_score, sample_weight)
    wanted = positive_class(true, pos_label)
    false_positives, true_positives, thresholds = cumulated_counts(true == wanted, score, weights)
    kept = corners(false_positives, true_positives) if drop_intermediate else slice(None)
    false_rate = rate_from_zero(false_positives[kept], "negative")
    true_rate = rate_from_zero(true_positives[kept], "positive")
    return false_rate, true_rate, np.append(np.inf, thresholds[kept])


def rate_from_zero(counts: Floats, which: str) -> Floats:
    """Cumulated counts as shares of their last, with the starting point 0 in front."""
    if counts[-1] == 0:
        warnings.warn(f"y_true has no {which} row; its rate is nan", UndefinedMetricWarning, stacklevel=3)
        return np.full(len(counts) + 1, np.nan)
    return np.append(0.0, counts / counts[-1])


def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: ArrayLike | None = None,
) -> float:
    """Area under the ROC curve: the chance that a positive row scores above a negative one, a tie counting one half.

    Judges the order of the scores only, neither threshold nor calibration. For two classes, the greater label being
    the positive one. With whole weights below 2^53 pairs the area is exact but for the last division.

    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    check_choice("average", average, ("macro",))
    check_choice("max_fpr", max_fpr, (None,))
    check_choice("multi_class", multi_class, ("raise",))
    check_choice("labels", labels, (None,))
    true, score, weights = scored_rows(y_true, y_score, sample_weight)
    classes = np.unique(true)
    if len(classes) > 2:
        raise ValueError(f"y_true must hold two classes for roc_auc_score; came {classes.tolist()}")
    false_positives, true_positives, _ = cumulated_counts(true == classes[-1], score, weights)
    if false_positives[-1] == 0 or true_positives[-1] == 0:
        warnings.warn("roc_auc_score needs both classes; returned is nan", UndefinedMetricWarning, stacklevel=2)
        return math.nan
    width = np.diff(false_positives, prepend=0.0)
    twice_height = true_positives + np.append(0.0, true_positives[:-1])
    return float((width * twice_height).sum() / (2 * false_positives[-1] * true_positives[-1]))
