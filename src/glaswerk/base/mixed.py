"""Tables of numbers and words at the border of learners that take categories as they are: words become codes.

A column of words becomes 0, 1, 2, … in the order of its levels (sorted at fit); NaN where missing, -1 where training
rows had no such level.
"""

import math
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base.matrices import UNSEEN, Array, ColumnLevels, Matrix

NOTHING = {"NoneType", "NAType", "NaTType"}
Columns = list[tuple[str, NDArray[Any], bool]]  # name, cells, whether its own type says that it is a category


def has_words(X: Any) -> bool:
    """Whether any column is more than numbers, so that scikit-learn's numeric check would refuse it."""
    if isinstance(X, Matrix):
        return X.levels is not None
    if hasattr(X, "columns") and hasattr(X, "__getitem__"):
        return any(declared or _is_words(cells) for _, cells, declared in columns_of(X))
    if type(X) is np.ndarray:
        return X.ndim == 2 and (X.dtype.kind in "US" or (X.dtype == object and _is_words(X.ravel())))
    if isinstance(X, list | tuple):
        rows = np.asarray(X, dtype=object)
        return rows.ndim == 2 and _is_words(rows.ravel())
    return False


def columns_of(X: Any) -> Columns:
    """The columns of a dataframe, of an array or of a list of rows."""
    if hasattr(X, "columns"):
        named = ((str(name), X[name]) for name in X.columns)
        return [(name, np.asarray(c), hasattr(getattr(c, "dtype", None), "categories")) for name, c in named]
    rows = np.asarray(X, dtype=object) if isinstance(X, list | tuple) else np.asarray(X)
    return [(f"x{j}", rows[:, j], False) for j in range(rows.shape[1])]


def learn_levels(columns: Columns, categories: Sequence[bool] | None = None) -> ColumnLevels:
    """The levels of every column of words (or named a category), in order; None for numbers."""
    chosen = categories or [False] * len(columns)
    found: list[tuple[str, ...] | None] = []
    for (_, cells, declared), asked in zip(columns, chosen, strict=True):
        words = asked or declared or _is_words(cells)
        found.append(tuple(map(level_name, sorted(_levels(cells), key=_order))) if words else None)
    return tuple(found)


def coded(columns: Columns, levels: ColumnLevels, owner: str) -> Array:
    """The cells as float64: numbers as they are, words as codes of their levels."""
    cells = np.empty((len(columns[0][1]), len(columns)))
    for j, ((name, column, _), words) in enumerate(zip(columns, levels, strict=True)):
        cells[:, j] = _numbers(column, name, owner) if words is None else _codes(column, words)
    return cells


def recoded(X: Matrix, levels: ColumnLevels) -> Array:
    """The cells of a matrix with the codes of these levels, whichever codes it came with."""
    cells = np.array(X, dtype=np.float64)
    for j, (here, known) in enumerate(zip(X.levels or levels, levels, strict=True)):
        if here is not None and known is not None and here != known:
            place = {word: float(k) for k, word in enumerate(known)}
            codes = np.array([*(place.get(word, UNSEEN) for word in here), UNSEEN])  # the last: -1 stays -1
            there = ~np.isnan(cells[:, j])
            cells[there, j] = codes[cells[there, j].astype(np.int64)]
    return cells


def level_name(value: Any) -> str:
    """A level as text; whole numbers without a decimal point."""
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_) and float(value).is_integer():
        return str(int(float(value)))
    return str(value)


def _is_words(cells: NDArray[Any]) -> bool:
    if cells.dtype.kind in "US":
        return True
    return cells.dtype == object and any(isinstance(cell, str | bytes) for cell in cells)


def _missing(cell: Any) -> bool:
    return type(cell).__name__ in NOTHING or (isinstance(cell, float) and math.isnan(cell))


def _levels(cells: NDArray[Any]) -> Iterable[Any]:
    distinct: dict[str, Any] = {}
    for cell in np.unique(cells) if cells.dtype.kind in "biufUS" else cells:
        if not _missing(cell):
            distinct.setdefault(level_name(cell), cell)
    return distinct.values()


def _order(cell: Any) -> tuple[bool, float, str]:
    """Numbers by size, before words by code point."""
    numeric = isinstance(cell, Real)
    return not numeric, float(cell) if numeric else 0.0, str(cell)


def _codes(cells: NDArray[Any], words: tuple[str, ...]) -> Array:
    place = {word: float(k) for k, word in enumerate(words)}
    if cells.dtype.kind in "biuf":
        distinct, where = np.unique(cells, return_inverse=True)
        return np.array([_place(cell, place) for cell in distinct.tolist()])[where.reshape(-1)]
    return np.array([_place(cell, place) for cell in cells.tolist()], dtype=np.float64)


def _place(cell: Any, place: dict[str, float]) -> float:
    if type(cell) is str:
        return place.get(cell, UNSEEN)
    return math.nan if _missing(cell) else place.get(level_name(cell), UNSEEN)


def _numbers(cells: NDArray[Any], name: str, owner: str) -> Array:
    if cells.dtype.kind in "biuf":
        return cells.astype(np.float64)
    found = np.empty(len(cells))
    for row, cell in enumerate(cells.tolist()):
        if isinstance(cell, dict | list | tuple | set):
            raise TypeError(
                f"{owner}: argument must be a string or a number, got {cell!r} in column {name!r}, row {row}"
            )
        try:
            found[row] = math.nan if _missing(cell) else float(cell)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{owner}: column {name!r} held numbers when fitted and holds text ({cell!r}) in row {row}"
            ) from error
    return found


def chosen_columns(asked: Any, names: Sequence[str], owner: str) -> list[bool]:
    """`categorical_features` as one yes or no for each column: from numbers, names, or a mask."""
    if asked is None or (isinstance(asked, str) and asked == "from_dtype"):
        return [False] * len(names)
    listed = np.asarray(asked)
    if listed.dtype == bool:
        if listed.shape != (len(names),):
            raise ValueError(
                f"{owner}: categorical_features as a mask needs one entry for each of {len(names)} columns"
            )
        return [bool(one) for one in listed]
    try:
        places = {list(names).index(c) if isinstance(c, str) else int(c) for c in listed.tolist()}
    except ValueError as error:
        raise ValueError(
            f"{owner}: categorical_features must name columns among {list(names)}, got {asked!r}"
        ) from error
    if places and not 0 <= min(places) <= max(places) < len(names):
        raise ValueError(f"{owner}: categorical_features must be column numbers below {len(names)}, got {asked!r}")
    return [j in places for j in range(len(names))]
