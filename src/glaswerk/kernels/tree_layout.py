"""A grown tree put in order: nodes numbered as a reader meets them, sums of the leaves carried up to the root."""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, inner, kernel, loop
from glaswerk.kernels.tree_node import END, FEATURE, FIRST, PARTS, START

INT32_2 = types.Array(types.int32, 2, "C", readonly=True)
OUT32_2 = types.Array(types.int32, 2, "C")
OUT32_1 = types.Array(types.int32, 1, "C")
IN32_1 = types.Array(types.int32, 1, "C", readonly=True)
INT64_1 = types.Array(types.int64, 1, "C")
INT64_2 = types.Array(types.int64, 2, "C")
INT64_IN = types.Array(types.int64, 1, "C", readonly=True)
ROWS = types.Array(types.uint32, 1, "C", readonly=True)
LEVELS = types.Array(types.uint32, 2, "C", readonly=True)


@inner
def _places(nodes):
    """Numbers in preorder, where children come after their parents but in any order."""
    size, place = np.ones(nodes.shape[0], np.int64), np.zeros(nodes.shape[0], np.int64)
    for i in range(nodes.shape[0] - 1, -1, -1):
        if nodes[i, FEATURE] >= 0:
            for q in range(nodes[i, FIRST], nodes[i, FIRST] + nodes[i, PARTS]):
                size[i] += size[q]
    for i in range(nodes.shape[0]):
        if nodes[i, FEATURE] >= 0:
            after = place[i] + 1
            for q in range(nodes[i, FIRST], nodes[i, FIRST] + nodes[i, PARTS]):
                place[q] = after
                after += size[q]
    return place


@kernel(types.void(INT32_2, IN2, OUT32_2, OUT2, INT64_1, OUT32_1))
def preorder(nodes, reals, ordered, ordered_reals, child_start, child):
    """The records in preorder, and each node's children in their new numbers.

    In: nodes, reals. Out: ordered, ordered_reals, child_start (m + 1,), child (m - 1,).
    """
    place = _places(nodes)
    for i in range(nodes.shape[0]):
        t = place[i]
        for k in range(nodes.shape[1]):
            ordered[t, k] = nodes[i, k]
        for k in range(reals.shape[1]):
            ordered_reals[t, k] = reals[i, k]
    used = 0
    for t in range(nodes.shape[0]):
        child_start[t] = used
        if ordered[t, FEATURE] >= 0:
            for q in range(ordered[t, PARTS]):
                child[used] = place[ordered[t, FIRST] + q]
                used += 1
    child_start[nodes.shape[0]] = used


@loop
def _leaf(rows, target, weight, bounds, start, end, sums, t):
    """Weight, means (or counts of classes) and squares around the means of one leaf: sums = [W, SS, v…]."""
    q = target.shape[1]
    for p in range(start, end):
        r = rows[p]
        w = weight[r] if weight.size else 1.0
        sums[t, 0] += w
        for k in range(q):
            if bounds.size:
                sums[t, 2 + bounds[k] + int(target[r, k])] += w
            else:
                sums[t, 2 + k] += w * target[r, k]
    if bounds.size:
        return
    for k in range(q):
        sums[t, 2 + k] /= sums[t, 0]
    for p in range(start, end):
        r = rows[p]
        w = weight[r] if weight.size else 1.0
        for k in range(q):
            d = target[r, k] - sums[t, 2 + k]
            sums[t, 1] += w * d * d


@loop
def _from_children(child, first, last, numbers, sums, t):
    """Sums of a node's children put together; means and squares around them for numbers."""
    S = sums.shape[1] - 2
    for q in range(first, last):
        c = child[q]
        sums[t, 0] += sums[c, 0]
        sums[t, 1] += sums[c, 1]
        for k in range(S):
            sums[t, 2 + k] += sums[c, 2 + k] * (sums[c, 0] if numbers else 1.0)
    if not numbers:
        return
    for k in range(S):
        sums[t, 2 + k] /= sums[t, 0]
    for q in range(first, last):
        c = child[q]
        for k in range(S):
            d = sums[c, 2 + k] - sums[t, 2 + k]
            sums[t, 1] += sums[c, 0] * d * d


@kernel(types.void(INT32_2, INT64_IN, IN32_1, ROWS, IN2, IN1, INT64_IN, OUT2))
def node_sums(nodes, child_start, child, rows, target, weight, bounds, sums):
    """Weight, squares around the mean, means or class counts of all nodes, from the rows of the leaves upwards.

    In: nodes in preorder and their children; rows in the order of the leaves; target (n, q) numbers or class numbers;
    bounds: where each output's classes begin, (0,) for numbers. Out: sums (m, 2 + S), zero at first.
    """
    for t in range(nodes.shape[0] - 1, -1, -1):
        if nodes[t, FEATURE] < 0:
            _leaf(rows, target, weight, bounds, nodes[t, START], nodes[t, END], sums, t)
        else:
            _from_children(child, child_start[t], child_start[t + 1], bounds.size == 0, sums, t)


@loop
def _stamp(rows, first, last, code, j, t, q, stamp, part):
    """Note part q of node t at the levels of a child's rows."""
    for p in range(first, last):
        level = code[j, rows[p]]
        stamp[level] = t
        part[level] = q


@kernel(types.int64(INT32_2, INT64_IN, IN32_1, ROWS, LEVELS, INT64_IN, INT64_1, INT64_2))
def node_levels(nodes, child_start, child, rows, code, levels, start, pairs):
    """Which level goes to which part, for every node that cuts categories; how many pairs there are.

    In: nodes in preorder and their children; code (d, n) of each cell's level; levels (d,), 0 for numbers. Out:
    start (m + 1,), pairs (capacity, 2) [level, part] sorted by level.
    """
    stamp = np.full(levels.max() + 2, -1)
    part = np.zeros(levels.max() + 2, np.int64)
    used = 0
    for t in range(nodes.shape[0]):
        start[t] = used
        j = nodes[t, FEATURE]
        if j < 0 or levels[j] == 0:
            continue
        for q in range(child_start[t], child_start[t + 1]):
            _stamp(rows, nodes[child[q], START], nodes[child[q], END], code, j, t, q - child_start[t], stamp, part)
        for level in range(levels[j] + 1):
            if stamp[level] == t:
                pairs[used, 0], pairs[used, 1] = level, part[level]
                used += 1
    start[nodes.shape[0]] = used
    return used
