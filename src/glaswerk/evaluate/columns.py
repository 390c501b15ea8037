"""Columns looked at before any model: what repeats, what never varies, what gives the target away.

A column is a float array of numbers (NaN where missing), or levels: anything else, such as text, flags, or whole-number
codes (missing: None, "" or -1). Cost: one sort of each column.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.scoring.inputs import Ints

Columns = Mapping[str, NDArray]
FEW_ROWS_PER_LEVEL = 5
ENOUGH_ROWS = 20  # below that, all values differ by chance too often
ALMOST_ALL = 0.999


def is_numeric(column: NDArray) -> bool:
    return column.dtype.kind == "f"


def codes_by_first_row(column: NDArray) -> Ints:
    """0 for the value of the first row, 1 for the next new one, …: equal for columns that differ by names only."""
    values = column if column.dtype.kind != "O" else np.array(["" if v is None else str(v) for v in column.tolist()])
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    place = np.empty_like(first)
    place[np.argsort(first)] = np.arange(len(first))
    found: Ints = place[codes]
    return found


def repeated_rows(codes: Mapping[str, Ints]) -> int:
    """How many rows equal an earlier row in all columns."""
    key = np.zeros(len(next(iter(codes.values()))), dtype=np.int64)
    for code in codes.values():
        _, key = np.unique(key * (int(code.max()) + 1) + code, return_inverse=True)
    return len(key) - int(key.max()) - 1


def constant_columns(codes: Mapping[str, Ints]) -> list[str]:
    return [name for name, code in codes.items() if not code.any()]


def same_columns(columns: Columns, codes: Mapping[str, Ints]) -> list[tuple[str, str]]:
    """Pairs (column, earlier one) that say the same: equal numbers, or levels that correspond one to one."""
    seen: dict[bytes, list[str]] = {}
    pairs = []
    for name, code in codes.items():
        alike = seen.setdefault(what_twins_share(columns[name], code), [])
        twin = next((other for other in alike if correspond(columns[name], columns[other], code)), None)
        if twin is not None:
            pairs.append((name, twin))
        elif code.any():
            alike.append(name)
    return pairs


def what_twins_share(column: NDArray, code: Ints) -> bytes:
    """Equal for columns that may correspond; thousands of columns without repeated values are told apart by it."""
    if repeats_enough(code):
        return code.tobytes()
    return code.tobytes() + (column if is_numeric(column) else column.astype(str)).tobytes()


def repeats_enough(code: Ints) -> bool:
    """Whether values occur often enough that equal codes are no chance."""
    return len(code) >= FEW_ROWS_PER_LEVEL * (int(code.max()) + 1)


def correspond(column: NDArray, other: NDArray, code: Ints) -> bool:
    """Of columns with equal codes: whether values repeat enough to rule out chance, or else cells are equal."""
    if repeats_enough(code):
        return True
    return is_numeric(column) == is_numeric(other) and np.array_equal(column, other, equal_nan=is_numeric(column))


def identifier_like(columns: Columns, codes: Mapping[str, Ints]) -> list[str]:
    """Levels that are (almost) all different, and whole numbers that count the rows."""
    found = []
    for name, column in columns.items():
        n, distinct = len(column), int(codes[name].max()) + 1
        if n < ENOUGH_ROWS or distinct < ALMOST_ALL * n:
            continue
        if not is_numeric(column) or counts_rows(column):
            found.append(name)
    return found


def counts_rows(numbers: Array) -> bool:
    """Whole numbers, all different, rising or falling row by row, or without gaps once sorted."""
    if not np.isfinite(numbers).all() or (numbers != np.round(numbers)).any():
        return False
    steps = np.diff(numbers)
    gapless = np.ptp(numbers) == len(numbers) - 1
    return bool(gapless or (steps > 0).all() or (steps < 0).all())


def tells_number(column: NDArray, codes: Ints, target: Array) -> float:
    """How far one column alone gives a number away: |rank correlation|, or the share of variance between levels."""
    if not is_numeric(column):
        return variance_between(codes, target)
    known = np.isfinite(column)
    if known.sum() < ENOUGH_ROWS:
        return 0.0
    return abs(correlation(ranks(column[known]), ranks(target[known])))


def tells_class(column: NDArray, codes: Ints, target: Ints) -> float:
    """How far one column alone gives the class away: the least ROC area between neighbours, or purity of levels."""
    if not is_numeric(column):
        return purity(codes, target)
    known = np.isfinite(column)
    if known.sum() < ENOUGH_ROWS:
        return 0.0
    column, target = column[known], target[known]
    parts = sorted((column[target == k] for k in np.unique(target)), key=lambda part: float(np.median(part)))
    return min((area(low, high) for low, high in pairwise(parts)), default=0.0)


def ranks(values: Array) -> Array:
    """Ranks, equal values sharing their mean rank."""
    _, codes, sizes = np.unique(values, return_inverse=True, return_counts=True)
    found: Array = (np.cumsum(sizes) - (sizes - 1) / 2)[codes]
    return found


def correlation(x: Array, y: Array) -> float:
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 0 else 0.0


def area(low: Array, high: Array) -> float:
    """The chance that a number of `high` exceeds one of `low`, ties counting half."""
    joint = ranks(np.concatenate([low, high]))
    n = len(high)
    return float((joint[len(low) :].sum() - n * (n + 1) / 2) / (n * len(low)))


def variance_between(codes: Ints, target: Array) -> float:
    """Share of the target's variance that lies between the levels; 0 where levels have too few rows to tell."""
    size = np.bincount(codes)
    if len(codes) < FEW_ROWS_PER_LEVEL * len(size) or np.ptp(target) == 0:
        return 0.0
    centred = target - target.mean()
    sums = np.bincount(codes, centred)
    return float((sums**2 / size).sum() / (centred @ centred))


def purity(codes: Ints, target: Ints) -> float:
    """Share of rows in the most frequent class of their level; 0 where levels have too few rows to tell."""
    n_levels = int(codes.max()) + 1
    if len(codes) < FEW_ROWS_PER_LEVEL * n_levels:
        return 0.0
    k = int(target.max()) + 1
    counts = np.bincount(codes * k + target, minlength=n_levels * k).reshape(n_levels, k)
    return float(counts.max(axis=1).sum() / len(codes))
