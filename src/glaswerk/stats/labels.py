"""Labels: a target of classes as codes 0 … K - 1, so that everything below the border works with numbers.

Labels are text, whole numbers or flags. Classes are in sorted order; a row of weight zero is absent, and so is a class
that only such rows have. Cost: n for whole numbers in a narrow range and for flags, n log K for text.
"""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, DataConversionWarning
from glaswerk.stats.moments import NOTHING

SHOWN = 10  # classes listed in a message


def labels_of(y: Any, n_rows: int, owner: str) -> NDArray:
    """The target as one column of labels: text, whole numbers or flags, none missing."""
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected: give y with one dimension",
            DataConversionWarning,
            stacklevel=2,
        )
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"{owner}: y must have one label per row and one dimension, got shape {values.shape}")
    if len(values) != n_rows:
        raise ValueError(f"{owner}: X has {n_rows} rows and y has {len(values)}: inconsistent numbers of samples")
    return _whole(values, owner) if values.dtype.kind == "f" else _one_kind(values, owner)


def _whole(values: NDArray, owner: str) -> NDArray:
    finite = np.isfinite(values)
    if not finite.all():
        row = int(np.argmin(finite))
        kind = "NaN" if np.isnan(values[row]) else "infinity"
        raise ValueError(f"{owner}: the target y contains {kind}: row {row}. Drop such rows first")
    fraction = values != np.rint(values)
    if fraction.any():
        row = int(np.argmax(fraction))
        raise ValueError(
            f"{owner}: Unknown label type: y is continuous ({values[row]!r} in row {row}), and a classifier needs "
            "classes: text or whole numbers. Cut y into classes, or use a regressor"
        )
    return values


def _one_kind(values: NDArray, owner: str) -> NDArray:
    if values.dtype.kind in "biuU":
        return values
    missing = np.array([v is None or v != v for v in values.tolist()], dtype=bool)
    if missing.any():
        raise ValueError(f"{owner}: the target y is missing in row {int(np.argmax(missing))}. Drop such rows first")
    kinds = {"text" if isinstance(v, str) else "number" for v in values.tolist()}
    if kinds == {"text"}:
        return values.astype(np.str_)
    if kinds == {"number"}:
        try:
            numbers = values.astype(np.float64)
        except (TypeError, ValueError):
            numbers = np.zeros(0)
        if numbers.size:
            whole = _whole(numbers, owner)
            return whole.astype(np.int64) if (np.abs(whole) < 2.0**53).all() else whole
    raise ValueError(f"{owner}: Unknown label type: y must hold labels of one kind, all text or all numbers")


def classes_of(labels: NDArray, weight: Array = NOTHING, owner: str = "a classifier") -> NDArray:
    """The distinct labels of the rows that count, sorted; at least two of them."""
    if weight.size:
        labels = labels[weight > 0]
    offset = _narrow(labels)
    if offset is None:
        classes = np.unique(labels)
    else:
        present = np.flatnonzero(np.bincount(offset))
        classes = (present + int(labels.min())).astype(labels.dtype)
    if len(classes) < 2:
        only = f"only 1 class, {classes.tolist()[0]!r}" if len(classes) else "no class"
        raise ValueError(f"{owner}: the target y holds {only}; two at least are needed to tell apart")
    return classes


def codes_of(labels: NDArray, classes: NDArray, weight: Array = NOTHING, owner: str = "a classifier") -> Array:
    """The number of each row's class, as float64; 0 for rows of weight zero whose class is unknown."""
    if (labels.dtype.kind == "U") != (classes.dtype.kind == "U"):
        raise ValueError(f"{owner}: y holds {labels.dtype} such as {labels[:1].tolist()}, {_known(classes)}")
    offset = _narrow(labels)
    if offset is not None:
        low = labels.min()
        table = low + np.arange(int(offset.max()) + 1)
        place = np.minimum(np.searchsorted(classes, table), len(classes) - 1)
        same, codes = classes[place] == table, place.astype(np.float64)[offset]
        if same.all():
            return codes
        known = same[offset]
    else:
        place = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
        known, codes = classes[place] == labels, place.astype(np.float64)
    if not known.all():
        strange = ~known & (weight > 0) if weight.size else ~known
        if strange.any():
            row = int(np.argmax(strange))
            raise ValueError(f"{owner}: the label {labels[row].item()!r} in row {row} is new; {_known(classes)}")
        codes[~known] = 0.0
    return codes


def _narrow(labels: NDArray) -> NDArray[np.int64] | None:
    """Labels as distances from the least, where whole numbers lie so close that counting beats sorting."""
    if labels.dtype.kind not in "biuf" or not len(labels):
        return None
    if labels.dtype.kind == "b":
        return labels.astype(np.int64) if labels.min() == np.False_ else None
    low, high = labels.min(), labels.max()
    if float(high) - float(low) > len(labels) + 1000 or max(abs(float(low)), abs(float(high))) > 2.0**53:
        return None
    return np.subtract(labels, low, dtype=np.int64, casting="unsafe")  # in int64: a distance may not fit their own type


def _known(classes: NDArray) -> str:
    more = f" and {len(classes) - SHOWN} more" if len(classes) > SHOWN else ""
    return f"the classes are {', '.join(map(repr, classes[:SHOWN].tolist()))}{more}"
