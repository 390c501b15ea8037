"""Labels of one or several outputs as class numbers, and weights of classes as weights of rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, number
from glaswerk.stats.labels import classes_of, codes_of, labels_of


def coded_labels(y: Any, n_rows: int, weight: Array, owner: str) -> tuple[Array, list[NDArray]]:
    """Class numbers (n, q) and the classes of every output, in sorted order."""
    cells = np.asarray(y)
    columns = list(cells.T) if cells.ndim == 2 and cells.shape[1] > 1 else [y]
    found = [labels_of(column, n_rows, owner) for column in columns]
    known = [classes_of(labels, weight, owner) for labels in found]
    codes = [codes_of(labels, names, weight, owner) for labels, names in zip(found, known, strict=True)]
    return np.ascontiguousarray(np.stack(codes, axis=1)), known


def with_class_weight(asked: Any, codes: Array, classes: list[NDArray], weight: Array, owner: str) -> Array:
    """Row weights times the weight of the row's class."""
    if asked is None:
        return weight
    if len(classes) > 1:
        raise ValueError(f"{owner}: class_weight goes with one output; give sample_weight instead")
    own, code = weight if weight.size else np.ones(len(codes)), codes[:, 0].astype(np.int64)
    if isinstance(asked, str):
        total = np.bincount(code, weights=own, minlength=len(classes[0]))
        factor = total.sum() / (len(total) * total)
    else:
        factor = _named(asked, classes[0].tolist(), owner)
    return own * factor[code]


def _named(asked: dict[Any, float], classes: list[Any], owner: str) -> Array:
    unknown = [key for key in asked if key not in classes]
    wrong = [key for key, value in asked.items() if not number(0, above=True).test(value)]
    if unknown or wrong:
        what = f"names {unknown[0]!r}" if unknown else f"gives {wrong[0]!r} {asked[wrong[0]]!r}"
        raise ValueError(f"{owner}: class_weight {what}; it must give a number > 0 to classes among {classes}")
    return np.array([float(asked.get(label, 1.0)) for label in classes])
