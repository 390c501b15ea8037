"""Trees that give every value its own child, from counts alone: the road of ID3 where all columns hold categories."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.trees.gains import Gains, told_depth
from glaswerk.trees.grown import Grown
from glaswerk.trees.limits import Limits

FEATURE, PARENT, CODE, DEPTH, START, END, TIES, TIE, AWAY, FIELDS = range(10)
UNIT = 2.0**30  # of the table of c log₂ c
EQUAL = 64  # units: what rounding of the table may add up to
MOST_CODES = 65_535


def fits(levels: Sequence[int], classes: int) -> bool:
    """Whether all columns are categories of few enough levels, the one for missing cells included."""
    return min(levels) > 0 and max(levels) < MOST_CODES and classes < MOST_CODES


def grow_by_values(
    cells: Array, levels: Sequence[int], codes: NDArray[np.int64], classes: int, limits: Limits
) -> tuple[Grown, Gains]:
    """The tree of these rows and the gains of all columns in its upper nodes; NaN is a level after the others."""
    n, d = cells.shape
    missing = np.isnan(cells).any()
    sizes = np.array(levels, dtype=np.int64) + (1 if missing else 0)
    X = np.where(np.isnan(cells), sizes - 1, cells).astype(np.uint16) if missing else cells.astype(np.uint16)
    y, order = codes.astype(np.uint16), np.arange(n, dtype=np.uint32)
    deepest, first = told_depth(sizes), np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    room = min(2 * n + 1, 1024)
    least = int(limits.min_decrease * n * UNIT * (1 - 1e-12))
    whole = np.array(
        [classes, limits.max_depth, limits.min_split, least, EQUAL, deepest, limits.small, sizes.max()], dtype=np.int64
    )
    nodes, gains = np.empty((2 * n + 1, FIELDS), dtype=np.int32), np.empty(2 * n + 1, dtype=np.int64)
    told, told_node = np.zeros((room, d), dtype=np.int64), np.full(room, -1, dtype=np.int64)
    used = kernels.grow_values(
        order, np.ascontiguousarray(X), y, first, whole, entropy_table(n), nodes, gains, told, told_node
    )  # fmt: skip
    kept = told_node >= 0
    known = Gains(told_node[kept], told[kept] / UNIT)
    return as_grown(nodes[:used], gains[:used], y[order], classes, np.array(levels)), known


def entropy_table(n: int) -> NDArray[np.int64]:
    """c log₂ c for c = 0 … n as whole numbers of 2⁻³⁰: their sums are exact, in any order."""
    count = np.arange(n + 1, dtype=np.float64)
    count[1:] *= np.log2(count[1:])
    found: NDArray[np.int64] = np.rint(count * UNIT).astype(np.int64)
    return found


def as_grown(
    nodes: NDArray[np.int32], gains: NDArray[np.int64], y: NDArray[np.uint16], classes: int, levels: NDArray[np.int64]
) -> Grown:
    """Records in preorder as the arrays that every tree has."""
    m = len(nodes)
    feature, parent = nodes[:, FEATURE].copy(), nodes[:, PARENT].astype(np.int64)
    below = np.argsort(parent[1:], kind="stable") + 1
    sizes = np.bincount(parent[1:], minlength=m) if m > 1 else np.zeros(m, dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    part = (np.arange(m - 1) - np.repeat(start[:-1], sizes)).astype(np.int32)
    rows = (nodes[:, END] - nodes[:, START]).astype(np.int64)
    return Grown(
        feature, np.full(m, np.nan), start, below.astype(np.int32), nodes[:, AWAY].copy(), start,
        nodes[below, CODE].astype(np.int32), part, levels.astype(np.int32), rows, rows.astype(np.float64),
        np.zeros(m), _class_counts(nodes, y, classes), np.zeros(1, dtype=np.int64), gains / UNIT,
        nodes[:, TIES].copy(), nodes[:, TIE].copy(), np.full(m, np.nan), np.zeros(0, dtype=np.int64),
        np.zeros((0, 12), dtype=np.int64), np.zeros(0),
    )  # fmt: skip


def _class_counts(nodes: NDArray[np.int32], y: NDArray[np.uint16], classes: int) -> Array:
    """Rows of each class in each node; `y` in the order of the leaves, in which the rows of a node lie together."""
    counts = np.empty((len(nodes), classes))
    start, end = nodes[:, START], nodes[:, END]
    for k in range(classes):
        before = np.concatenate([[0], np.cumsum(y == k)])
        counts[:, k] = before[end] - before[start]
    return counts
