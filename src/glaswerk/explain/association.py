"""Which columns move together: one number from 0 to 1 for every pair, and groups of those above a threshold.

    numbers        |Spearman's ρ|
    mixed          η: root of the share of a number's (ranked) variance that lies between levels
    levels         Cramér's V with the bias correction of Bergsma (Journal of the Korean Statistical Society 42, 2013)

Cost: one sort of each column, one table of counts for each pair. Rows where one of the two is missing are left out.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.scoring.inputs import Ints
from glaswerk.table import Kind, TypedTable

NUMERIC = {Kind.NUMBER, Kind.DATE}
TOGETHER = 0.8
LEAST = 20  # rows that both have


def groups_together(table: TypedTable, columns: tuple[str, ...], threshold: float = TOGETHER) -> list[tuple[str, ...]]:
    """Columns linked by associations of at least the threshold, in the table's order; groups of one are none."""
    cells = {name: ranked(table, name) for name in columns}
    leader = {name: name for name in columns}

    def root(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    for k, one in enumerate(columns):
        for other in columns[k + 1 :]:
            if root(one) != root(other) and association(cells[one], cells[other]) >= threshold:
                leader[root(other)] = root(one)
    found: dict[str, list[str]] = {}
    for name in columns:
        found.setdefault(root(name), []).append(name)
    return [tuple(names) for names in found.values() if len(names) > 1]


def ranked(table: TypedTable, name: str) -> Array | Ints:
    """Numbers as ranks (NaN: missing), levels as codes (-1: missing)."""
    column = table[name]
    if column.kind not in NUMERIC:
        return column.codes()
    numbers = column.numbers().astype(np.float64)
    known = np.isfinite(numbers)
    found = np.full(len(numbers), np.nan)
    _, place, count = np.unique(numbers[known], return_inverse=True, return_counts=True)
    middle = np.cumsum(count) - (count - 1) / 2.0
    found[known] = middle[place]
    return found


def association(one: Array | Ints, other: Array | Ints) -> float:
    """From 0, nothing in common, to 1."""
    numeric = one.dtype.kind == "f", other.dtype.kind == "f"
    known = np.logical_and(*(np.isfinite(c) if n else c >= 0 for c, n in zip((one, other), numeric, strict=True)))
    if known.sum() < LEAST:
        return 0.0
    a: NDArray[Any] = one[known]
    b: NDArray[Any] = other[known]
    if all(numeric):
        return abs(correlation(a, b))
    if not any(numeric):
        return cramer(a, b)
    return correlation_ratio(a, b) if numeric[1] else correlation_ratio(b, a)


def correlation(a: Array, b: Array) -> float:
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / scale if scale > 0 else 0.0


def correlation_ratio(codes: Ints, numbers: Array) -> float:
    """η, with the share that chance explains taken off."""
    _, level = np.unique(codes, return_inverse=True)
    n, k = len(numbers), int(level.max()) + 1
    total = float(((numbers - numbers.mean()) ** 2).sum())
    if total == 0 or k < 2 or n <= k:
        return 0.0
    means = np.bincount(level, numbers) / np.bincount(level)
    within = float(((numbers - means[level]) ** 2).sum()) / (n - k)
    return float(np.sqrt(max(0.0, 1.0 - within / (total / (n - 1)))))


def cramer(a: Ints, b: Ints) -> float:
    """Cramér's V, corrected for chance."""
    (_, x), (_, y) = np.unique(a, return_inverse=True), np.unique(b, return_inverse=True)
    r, c, n = int(x.max()) + 1, int(y.max()) + 1, len(a)
    if r < 2 or c < 2 or n < 2:
        return 0.0
    counts = np.bincount(x * c + y, minlength=r * c).reshape(r, c).astype(np.float64)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / n
    phi = max(0.0, float(((counts - expected) ** 2 / expected).sum()) / n - (r - 1) * (c - 1) / (n - 1))
    rows, columns = r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)
    return float(np.sqrt(phi / max(min(rows, columns) - 1, 1e-9))) if min(rows, columns) > 1 else 0.0
