"""A grown tree put in order: nodes numbered as a reader meets them, sums of the leaves carried up to the root."""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, inner, kernel
from glaswerk.kernels.tree_node import END, FEATURE, FIRST, PARTS, START

INT32_2 = types.Array(types.int32, 2, "C", readonly=True)
INT64_1 = types.Array(types.int64, 1, "C")
INT64_2 = types.Array(types.int64, 2, "C")
INT64_IN = types.Array(types.int64, 1, "C", readonly=True)
ROWS = types.Array(types.uint32, 1, "C", readonly=True)


@kernel(types.void(INT32_2, INT64_1, INT64_1))
def preorder(nodes, place, parent):
    """Numbers in preorder and the parents (in the old numbers; -1 for the root). Children come after their parents."""
    size = np.ones(nodes.shape[0], np.int64)
    parent[0] = -1
    for i in range(nodes.shape[0] - 1, -1, -1):
        if nodes[i, FEATURE] >= 0:
            for q in range(nodes[i, FIRST], nodes[i, FIRST] + nodes[i, PARTS]):
                size[i] += size[q]
                parent[q] = i
    place[0] = 0
    for i in range(nodes.shape[0]):
        if nodes[i, FEATURE] >= 0:
            after = place[i] + 1
            for q in range(nodes[i, FIRST], nodes[i, FIRST] + nodes[i, PARTS]):
                place[q] = after
                after += size[q]


@inner
def _leaf(rows, target, weight, bounds, node, sums):
    """Weight, means (or counts of classes) and squares around the means of one leaf: sums = [W, SS, v…]."""
    classes = bounds.size > 0
    q = target.shape[1]
    for p in range(node[START], node[END]):
        r = rows[p]
        w = weight[r] if weight.size else 1.0
        sums[0] += w
        for k in range(q):
            if classes:
                sums[2 + bounds[k] + int(target[r, k])] += w
            else:
                sums[2 + k] += w * target[r, k]
    if classes:
        return
    for k in range(q):
        sums[2 + k] /= sums[0]
    for p in range(node[START], node[END]):
        r = rows[p]
        w = weight[r] if weight.size else 1.0
        for k in range(q):
            d = target[r, k] - sums[2 + k]
            sums[1] += w * d * d


@kernel(types.void(INT32_2, ROWS, IN2, IN1, INT64_IN, OUT2))
def node_sums(nodes, rows, target, weight, bounds, sums):
    """Weight, squares around the mean, means or class counts of all nodes, from the rows of the leaves upwards.

    In: nodes; rows in the order of the leaves; target (n, q) numbers or class numbers; bounds: where each output's
    classes begin, (0,) for numbers. Out: sums (m, 2 + S), zero at first.
    """
    S = sums.shape[1] - 2
    for i in range(nodes.shape[0] - 1, -1, -1):
        node = nodes[i]
        here = sums[i]
        if node[FEATURE] < 0:
            _leaf(rows, target, weight, bounds, node, here)
            continue
        for c in range(node[FIRST], node[FIRST] + node[PARTS]):
            here[0] += sums[c, 0]
            here[1] += sums[c, 1]
            for k in range(S):
                here[2 + k] += sums[c, 2 + k] * (1.0 if bounds.size else sums[c, 0])
        if bounds.size:
            continue
        for k in range(S):
            here[2 + k] /= here[0]
        for c in range(node[FIRST], node[FIRST] + node[PARTS]):
            for k in range(S):
                d = sums[c, 2 + k] - here[2 + k]
                here[1] += sums[c, 0] * d * d


@kernel(types.int64(INT32_2, ROWS, types.Array(types.uint32, 2, "C", readonly=True), INT64_IN, INT64_1, INT64_2))
def node_levels(nodes, rows, rank, levels, start, pairs):
    """Which level goes to which part, for every node that cuts categories; how many pairs there are.

    In: levels (d,), 0 for numbers. Out: start (m + 1,), pairs (capacity, 2) [level, part] sorted by level; too small a
    capacity only counts.
    """
    stamp = np.full(levels.max() + 2, -1)
    part = np.zeros(levels.max() + 2, np.int64)
    used = 0
    for i in range(nodes.shape[0]):
        start[i] = used
        j = nodes[i, FEATURE]
        if j < 0 or levels[j] == 0:
            continue
        for q in range(nodes[i, PARTS]):
            child = nodes[nodes[i, FIRST] + q]
            for p in range(child[START], child[END]):
                level = rank[rows[p], j]
                stamp[level] = i
                part[level] = q
        for level in range(levels[j] + 1):
            if stamp[level] == i:
                if used < pairs.shape[0]:
                    pairs[used, 0], pairs[used, 1] = level, part[level]
                used += 1
    start[nodes.shape[0]] = used
    return used
