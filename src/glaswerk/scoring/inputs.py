"""The border of the scoring room: what came in leaves as clean arrays, or as an error that helps.

Every message names the parameter, says what is allowed and shows what came. Behind this file nothing is checked again.
"""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class UndefinedMetricWarning(UserWarning):
    """The number asked for does not exist for these rows; the message says what is returned instead."""


def check_choice(name: str, value: object, allowed: Sequence[object]) -> None:
    """Refuse a parameter value that is not implemented, naming those that are."""
    if not (value is None or np.isscalar(value)) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; came {value!r}")


def check_whole_number(name: str, value: object, at_least: int) -> None:
    """Refuse anything but an integer of sufficient size; True and 3.0 are no integers here."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        raise ValueError(f"{name} must be a whole number of at least {at_least}; came {value!r}")


def row_count(name: str, table: Any) -> int:
    """Rows of a list, an array, a sparse matrix or a data frame, none of which need be imported here."""
    shape = getattr(table, "shape", None)
    if shape == () or (shape is None and not hasattr(table, "__len__")):
        raise ValueError(f"{name} must be a table or a column of rows; came {table!r}")
    return int(shape[0]) if shape is not None else len(table)


def check_same_rows(**columns: Any) -> int:
    """The common number of rows of all columns that are not None."""
    counts = {name: row_count(name, column) for name, column in columns.items() if column is not None}
    if len(set(counts.values())) > 1:
        came = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise ValueError(f"{' and '.join(counts)} must have equally many rows; {came}")
    n_rows = next(iter(counts.values()), 0)
    if n_rows == 0:
        raise ValueError(f"{' and '.join(columns)} must have at least one row; came none")
    return n_rows


def refuse_rows(bad: NDArray[Any], rule: str, rows: NDArray[Any]) -> None:
    """Refuse if anything in a row is bad, saying the rule, the first such row and what it holds."""
    if bad.any():
        first = int(np.argmax(bad.reshape(len(bad), -1).any(axis=1)))
        raise ValueError(f"{rule}; row {first} holds {rows[first]}")


def number_table(name: str, values: ArrayLike) -> Floats:
    """Finite numbers as float64, one- or two-dimensional as they came."""
    array = np.asarray(values)
    if array.ndim not in (1, 2):
        raise ValueError(f"{name} must have one or two dimensions (rows, targets); came {array.ndim}")
    if array.dtype.kind not in "biufO":
        raise ValueError(f"{name} must hold real numbers; came dtype {array.dtype}")
    try:
        numbers = array.astype(np.float64, copy=False)
    except (TypeError, ValueError) as reason:
        raise ValueError(f"{name} must hold real numbers; {reason}") from None
    refuse_rows(~np.isfinite(numbers), f"{name} must hold finite numbers only", numbers)
    return numbers


def target_rows(name: str, values: ArrayLike) -> Floats:
    """Numbers with one *row per target*: sums then run along contiguous memory, where NumPy adds pairwise."""
    table = number_table(name, values)
    return np.ascontiguousarray(np.atleast_2d(table.T))


def row_weights(sample_weight: ArrayLike | None, n_rows: int) -> Floats:
    """Repetitions of each row; none given means once each."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = number_table("sample_weight", sample_weight)
    if weights.ndim != 1:
        raise ValueError(f"sample_weight must have one dimension; came {weights.ndim}")
    if len(weights) != n_rows:
        raise ValueError(f"sample_weight must have one weight per row, {n_rows}; came {len(weights)}")
    refuse_rows(weights < 0, "sample_weight must not be negative", weights)
    if not weights.any():
        raise ValueError("sample_weight must hold at least one positive weight; came all zeros")
    return weights


def label_column(name: str, values: ArrayLike) -> NDArray[Any]:
    """One column of labels: numbers or text that can be sorted, none missing."""
    labels = np.asarray(values)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"{name} must have one dimension; came {labels.ndim}")
    try:
        refuse_rows(np.array(labels != labels, dtype=bool), f"{name} must not have missing labels", labels)
        if labels.dtype.kind == "O":
            np.sort(labels)
    except TypeError:
        raise ValueError(f"{name} must hold labels of one kind, all numbers or all text, none missing") from None
    return labels


def class_column(name: str, values: ArrayLike) -> NDArray[Any]:
    """A column of class labels; fractions are refused, for they are probabilities or a numeric target."""
    labels = label_column(name, values)
    if labels.dtype.kind == "f":
        rule = f"{name} must hold class labels, text or whole numbers"
        refuse_rows(labels != np.floor(labels), rule, labels)
    return labels


def class_pair(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[NDArray[Any], NDArray[Any], Floats]:
    """True and predicted classes, of one kind, and weights, without the rows of weight zero."""
    true, predicted = class_column("y_true", y_true), class_column("y_pred", y_pred)
    weights = row_weights(sample_weight, check_same_rows(y_true=true, y_pred=predicted))
    check_same_kind("y_pred", predicted, "y_true", true)
    counted = weights > 0
    return true[counted], predicted[counted], weights[counted]


def check_same_kind(name: str, labels: NDArray[Any], other: str, others: NDArray[Any]) -> None:
    """Refuse text beside numbers: NumPy would compare 1 with "1" and find nothing equal."""
    if isinstance(labels[0], str) != isinstance(others[0], str):
        raise ValueError(
            f"{name} must hold labels of the same kind as {other}, text or numbers; came {labels[:1]} and {others[:1]}"
        )
