"""Rows walked down a tree."""

from numba import types

from glaswerk.kernels.compiling import IN1, IN2, inner, kernel

INTS32 = types.Array(types.int32, 1, "C", readonly=True)
INTS64 = types.Array(types.int64, 1, "C", readonly=True)
LEAVES = types.Array(types.int64, 1, "C")


@inner
def part_of_level(level_code, level_part, first, last, level, otherwise):
    """The part of a level among a node's pairs, sorted by level."""
    low, high = first, last
    while low < high:
        middle = (low + high) // 2
        if level_code[middle] < level:
            low = middle + 1
        else:
            high = middle
    return level_part[low] if low < last and level_code[low] == level else otherwise


@kernel(
    types.void(IN2, INTS32, IN1, INTS64, INTS32, INTS32, INTS64, INTS32, INTS32, INTS32, LEAVES)
)  # fmt: skip
def walk(X, feature, threshold, child_start, child, away, level_start, level_code, level_part, levels, leaf):
    """The leaf of every row. A missing cell, and a level that the node has not seen, goes to the part `away`.

    In: X (n, d); per node: feature (-1 leaf), threshold, children, away, pairs of level and part; levels (d,): number
    of levels of a column, 0 for numbers (a missing cell of a category is level number `levels`). Out: leaf (n,).
    """
    for i in range(X.shape[0]):
        t = 0
        while feature[t] >= 0:
            j = feature[t]
            x = X[i, j]
            if levels[j] == 0:
                part = away[t] if x != x else int(not x <= threshold[t])
            else:
                level = levels[j] if x != x else int(x)
                part = part_of_level(level_code, level_part, level_start[t], level_start[t + 1], level, away[t])
            t = child[child_start[t] + part]
        leaf[i] = t


@kernel(types.void(INTS32, INTS64, INTS32, LEAVES, LEAVES))
def shape(feature, child_start, child, depth, leaves):
    """Depth of every node and the number of leaves below it; nodes are in preorder."""
    for t in range(feature.size):
        for q in range(child_start[t], child_start[t + 1]):
            depth[child[q]] = depth[t] + 1
    for t in range(feature.size - 1, -1, -1):
        if feature[t] < 0:
            leaves[t] = 1
        for q in range(child_start[t], child_start[t + 1]):
            leaves[t] += leaves[child[q]]
