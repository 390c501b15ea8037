"""Growth: from cells and a target to a grown tree."""

import heapq

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.trees.cells import Cells
from glaswerk.trees.grown import Grown
from glaswerk.trees.limits import Limits
from glaswerk.trees.records import AWAY, CUT, DEPTH, END, FEATURE, GAIN, START, TIE, TIE_CUT, TIES, Growing, records
from glaswerk.trees.target import Target

NO_INTS = np.zeros(0, dtype=np.int64)
SHOWN = 1000  # nodes of which a histogram of the target is kept
BINS = 12


def grow(
    cells: Cells, target: Target, weight: Array, rows: NDArray[np.uint32], limits: Limits, seed: int, threads: int = 1
) -> Grown:
    """The tree of these rows (repeated rows count as often as they come); `rows` ends in the order of the leaves.

    It does not depend on the number of threads.
    """
    nodes, reals = records(Growing(cells, target, weight, rows, limits, seed), threads)
    grown = _ordered(nodes, reals, cells, target, weight, rows)
    return grown if limits.max_leaves is None else best_first(grown, limits.max_leaves)


def _ordered(
    found: NDArray[np.int32], numbers: Array, cells: Cells, target: Target, weight: Array, rows: NDArray[np.uint32]
) -> Grown:
    """Records in preorder, with the sums of their rows."""
    m = len(found)
    node, real = np.empty_like(found), np.empty_like(numbers)
    child_start, child = np.empty(m + 1, dtype=np.int64), np.empty(m - 1, dtype=np.int32)
    kernels.preorder(found, numbers, node, real, child_start, child)
    components = int(target.groups[-1]) if target.bounds.size and target.mode != 0 else target.y.shape[1]
    components = 2 if target.bounds.size and target.mode == 0 else components
    sums = np.zeros((m, 2 + components))
    kernels.node_sums(node, child_start, child, rows, target.y, weight, target.bounds, sums)
    level_start, pairs = _levels(node, child_start, child, rows, cells)
    shown, histogram, edges = _histograms(node, rows, target)
    return Grown(
        node[:, FEATURE].copy(), real[:, CUT].copy(), child_start, child, node[:, AWAY].copy(), level_start,
        pairs[:, 0].astype(np.int32), pairs[:, 1].astype(np.int32), cells.levels.astype(np.int32),
        (node[:, END] - node[:, START]).astype(np.int64), sums[:, 0].copy(), sums[:, 1].copy(), sums[:, 2:].copy(),
        target.bounds, real[:, GAIN] / target.unit, node[:, TIES].copy(), node[:, TIE].copy(), real[:, TIE_CUT].copy(),
        shown, histogram, edges,
    )  # fmt: skip


def _levels(
    node: NDArray[np.int32], child_start: NDArray[np.int64], child: NDArray[np.int32], rows: NDArray, cells: Cells
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every node that cuts categories the pairs of level and part."""
    start, feature = np.zeros(len(node) + 1, dtype=np.int64), node[:, FEATURE]
    if not cells.levels.any():
        return start, np.zeros((0, 2), dtype=np.int64)
    asks = (feature >= 0) & (cells.levels[feature] > 0)
    most = np.minimum(cells.levels[feature[asks]] + 1, (node[:, END] - node[:, START])[asks])
    pairs = np.empty((int(most.sum()), 2), dtype=np.int64)
    found = kernels.node_levels(node, child_start, child, rows, cells.level_codes, cells.levels, start, pairs)
    return start, pairs[:found]


def _histograms(
    node: NDArray[np.int32], rows: NDArray, target: Target
) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """How many rows of each of the upper nodes have their (first) target in each of twelve equal bins."""
    if target.bounds.size:
        return NO_INTS, np.zeros((0, BINS), dtype=np.int64), np.zeros(0)
    y = target.y[rows, 0]
    low, high = float(y.min()), float(y.max())
    edges = np.linspace(low, high if high > low else low + 1.0, BINS + 1)
    bins = np.minimum(((y - low) * (BINS / (edges[-1] - low))).astype(np.int64), BINS - 1)
    shown = _upper(node[:, DEPTH])
    marks = np.unique(np.concatenate([node[shown, START], node[shown, END]]))
    stretch = np.searchsorted(marks, np.arange(len(rows)), side="right") - 1
    counts = np.bincount(stretch * BINS + bins, minlength=len(marks) * BINS).reshape(-1, BINS)
    sums = np.concatenate([np.zeros((1, BINS), dtype=np.int64), np.cumsum(counts, axis=0)])
    first, last = np.searchsorted(marks, node[shown, START]), np.searchsorted(marks, node[shown, END])
    return shown, (sums[last] - sums[first]).astype(np.int64), edges


def _upper(depth: NDArray[np.int32]) -> NDArray[np.int64]:
    """The nodes of least depth, the first of equal ones."""
    if len(depth) <= SHOWN:
        return np.arange(len(depth))
    last = int(np.searchsorted(np.cumsum(np.bincount(depth)), SHOWN))
    above, at = np.flatnonzero(depth < last), np.flatnonzero(depth == last)
    return np.sort(np.append(above, at[: SHOWN - len(above)]))


def best_first(grown: Grown, most: int) -> Grown:
    """The tree with at most this many leaves, made by always taking the cut that gains most next."""
    collapse = grown.feature >= 0
    queue = [(-grown.gain[0], 0)] if collapse[0] else []
    leaves = 1
    while queue:
        _, t = heapq.heappop(queue)
        children = grown.child[grown.child_start[t] : grown.child_start[t + 1]].tolist()
        if leaves + len(children) - 1 > most:
            break
        collapse[t] = False
        leaves += len(children) - 1
        for c in children:
            if grown.feature[c] >= 0:
                heapq.heappush(queue, (-grown.gain[c], c))
    return grown.cut_back(collapse)
