"""Growth: from ranks and a target to a grown tree."""

import heapq

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.trees.grown import Grown
from glaswerk.trees.limits import EXACT_LEVELS, Limits
from glaswerk.trees.ranked import Ranked
from glaswerk.trees.target import Target

NO_INTS = np.zeros(0, dtype=np.int64)
FEATURE, LEFT, RIGHT, FIRST, PARTS, START, END, MISSING, DEPTH, TIES, TIE, TIE_LEFT, TIE_RIGHT, FIELDS = range(14)
SHOWN = 1000  # nodes of which a histogram of the target is kept
BINS = 12


def grow(ranked: Ranked, target: Target, weight: Array, rows: NDArray[np.uint32], limits: Limits, seed: int) -> Grown:
    """The tree of these rows (repeated rows count as often as they come); `rows` ends in the order of the leaves."""
    total = float(weight[rows].sum()) if weight.size else float(len(rows))
    nodes, gains = _records(ranked, target, weight, rows, limits, seed, total)
    place, parent = np.empty(len(nodes), dtype=np.int64), np.empty(len(nodes), dtype=np.int64)
    kernels.preorder(nodes, place, parent)
    grown = _ordered(nodes, gains, place, parent, ranked, target, weight, rows)
    return grown if limits.max_leaves is None else best_first(grown, limits.max_leaves)


def _records(
    ranked: Ranked, target: Target, weight: Array, rows: NDArray[np.uint32], limits: Limits, seed: int, total: float
) -> tuple[NDArray[np.int32], Array]:
    whole = np.array(
        [target.mode, target.criterion, target.components, limits.max_depth, limits.min_split, limits.min_leaf,
         limits.max_features, limits.small, limits.multiway, EXACT_LEVELS]
    )  # fmt: skip
    capacity = 2 * len(rows) + 1
    nodes, gains = np.empty((capacity, FIELDS), dtype=np.int32), np.empty(capacity)
    begin = np.array([[0, seed]], dtype=np.int64)
    cuts, roots = np.array([0, len(rows)]), np.empty(1, dtype=np.int64)
    real = limits.real(target.unit, total, target.tolerance)
    used = kernels.grow_subtrees(
        ranked.rank, target.data, weight, rows, cuts, begin, ranked.columns, target.groups, whole, real, nodes, gains,
        roots,
    )  # fmt: skip
    return nodes[:used], gains[:used]


def _ordered(
    nodes: NDArray[np.int32], gains: Array, place: NDArray, parent: NDArray, ranked: Ranked, target: Target,
    weight: Array, rows: NDArray[np.uint32],
) -> Grown:  # fmt: skip
    """Records in preorder, with the sums of their rows."""
    m = len(nodes)
    components = int(target.groups[-1]) if target.bounds.size and target.mode != 0 else target.y.shape[1]
    components = 2 if target.bounds.size and target.mode == 0 else components
    sums = np.zeros((m, 2 + components))
    kernels.node_sums(nodes, rows, target.y, weight, target.bounds, sums)
    start, pairs = _levels(nodes, rows, ranked)
    order = np.empty(m, dtype=np.int64)
    order[place] = np.arange(m)
    node, sums = nodes[order], sums[order]
    parts = np.where(node[:, FEATURE] >= 0, node[:, PARTS], 0)
    child = np.empty(m - 1, dtype=np.int32)
    child_start = np.concatenate([[0], np.cumsum(parts)])
    below = np.flatnonzero(parent >= 0)
    child[child_start[place[parent[below]]] + below - nodes[parent[below], FIRST]] = place[below]
    sizes = np.diff(start)[order]
    level_start = np.concatenate([[0], np.cumsum(sizes)])
    moved = np.repeat(start[:-1][order] - level_start[:-1], sizes) + np.arange(len(pairs))
    feature, tied = node[:, FEATURE].copy(), np.where(node[:, TIES] > 0, node[:, TIE], -1).astype(np.int32)
    leaf = feature < 0
    shown, histogram, edges = _histograms(node, rows, target)
    return Grown(
        feature, ranked.threshold(feature, node[:, LEFT], node[:, RIGHT]), child_start, child,
        np.where(leaf, 0, node[:, MISSING]).astype(np.int32), level_start, pairs[moved, 0].astype(np.int32),
        pairs[moved, 1].astype(np.int32), ranked.levels.astype(np.int32),
        (node[:, END] - node[:, START]).astype(np.int64),
        sums[:, 0].copy(), sums[:, 1].copy(), sums[:, 2:].copy(), target.bounds, gains[order] / target.unit,
        np.where(leaf, 0, node[:, TIES]).astype(np.int32), np.where(leaf, -1, tied).astype(np.int32),
        ranked.threshold(np.where(leaf, -1, tied), node[:, TIE_LEFT], node[:, TIE_RIGHT]), shown, histogram, edges,
    )  # fmt: skip


def _levels(nodes: NDArray[np.int32], rows: NDArray, ranked: Ranked) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every node that cuts categories the pairs of level and part."""
    start = np.zeros(len(nodes) + 1, dtype=np.int64)
    levels = ranked.levels
    pairs = np.zeros((0, 2), dtype=np.int64)
    if levels.any():
        found = kernels.node_levels(nodes, rows, ranked.rank, levels, start, pairs)
        pairs = np.empty((found, 2), dtype=np.int64)
        kernels.node_levels(nodes, rows, ranked.rank, levels, start, pairs)
    return start, pairs


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
    shown = np.sort(np.argsort(node[:, DEPTH], kind="stable")[:SHOWN])
    marks = np.unique(np.concatenate([node[shown, START], node[shown, END]]))
    stretch = np.searchsorted(marks, np.arange(len(rows)), side="right") - 1
    counts = np.bincount(stretch * BINS + bins, minlength=len(marks) * BINS).reshape(-1, BINS)
    sums = np.concatenate([np.zeros((1, BINS), dtype=np.int64), np.cumsum(counts, axis=0)])
    first, last = np.searchsorted(marks, node[shown, START]), np.searchsorted(marks, node[shown, END])
    return shown, (sums[last] - sums[first]).astype(np.int64), edges


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
