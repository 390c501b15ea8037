"""Rows walked down a tree."""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, inner, kernel, loop

INTS32 = types.Array(types.int32, 1, "C", readonly=True)
INTS64 = types.Array(types.int64, 1, "C", readonly=True)
LEAVES_IN = types.Array(types.int64, 1, "C", readonly=True)
LEAVES = types.Array(types.int64, 1, "C")
WHOLE = types.Array(types.int32, 2, "C")
WHOLE_IN = types.Array(types.int32, 2, "C", readonly=True)
ABREAST = 32  # rows that walk together: while one waits for memory, others step
UNSEEN = 4  # steps between two looks whether all have arrived
LINK, ASKS = 2, 3  # places of whole numbers in a step's four; its first two hold the threshold


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


@kernel(types.void(INTS32, IN1, INTS64, INTS32, INTS32, OUT2, WHOLE, LEAVES))
def lay_steps(feature, threshold, child_start, child, away, number, whole, place):
    """A tree of numbers in two parts, level by level, siblings side by side; leaves lead to themselves.

    Out: number (m, 2) and whole (m, 4), the same memory: threshold, first child, 2 · column + side of a missing cell;
    place (m,): the node's own number.
    """
    place[0] = 0
    used = 1
    for k in range(feature.size):
        t = place[k]
        number[k, 0], whole[k, LINK], whole[k, ASKS] = np.inf, k, 0
        if feature[t] >= 0:
            number[k, 0], whole[k, LINK], whole[k, ASKS] = threshold[t], used, 2 * feature[t] + away[t]
            place[used], place[used + 1] = child[child_start[t]], child[child_start[t] + 1]
            used += 2


@loop
def _step(X, begin, number, whole, gaps, at, size):
    """One step of each of the rows that walk abreast. Whole numbers without a sign: no index is checked for one."""
    for k in range(size):
        t = at[k]
        asks = whole[t, ASKS]
        x = X[np.uint64(begin + k), np.uint64(asks >> 1)]
        further = x > number[t, 0]
        if gaps:
            further = further | ((x != x) & (asks & 1 == 1))
        at[k] = np.uint32(whole[t, LINK]) + np.uint32(further)


@kernel(types.void(IN2, IN2, WHOLE_IN, LEAVES_IN, types.boolean, LEAVES))
def walk_steps(X, number, whole, place, gaps, leaf):
    """The leaf of every row of numbers. In: X (n, d); number, whole, place as `lay_steps` makes them; gaps: whether
    cells are missing. Out: leaf (n,)."""
    at = np.empty(ABREAST, np.uint32)
    for begin in range(0, X.shape[0], ABREAST):
        size = min(ABREAST, X.shape[0] - begin)
        for k in range(size):
            at[k] = 0
        moving = True
        while moving:
            for _ in range(UNSEEN):
                _step(X, begin, number, whole, gaps, at, size)
            moving = False
            for k in range(size):
                moving |= whole[at[k], LINK] != at[k]
        for k in range(size):
            leaf[begin + k] = place[at[k]]


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


@kernel(types.void(LEAVES_IN, INTS64, LEAVES_IN, IN2, IN2, IN1, types.boolean, OUT2))
def path_errors(leaf, parent, first, value, y, weight, classes, sums):
    """Errors of these rows under every tree of a pruning sequence, as differences from one tree to the next.

    On the way from its leaf to the root a row is predicted by each node for a stretch of penalties: from number
    first[t] until the parent takes over. In: leaf (n,); per node: parent, first penalty, value (m, S): means, or per
    output the class predicted; y (n, S) numbers or class numbers; weight (n,) or (0,). In and out: sums (K + 1, 2):
    Σ w e, Σ w e².
    """
    last = sums.shape[0] - 1
    for i in range(leaf.size):
        t = leaf[i]
        begin = 0
        w = weight[i] if weight.size else 1.0
        while True:
            above = parent[t]
            end = first[above] if above >= 0 else last
            if end > begin:
                error = 0.0
                for k in range(y.shape[1]):
                    d = y[i, k] - value[t, k]
                    error += (1.0 if d != 0.0 else 0.0) if classes else d * d
                error /= y.shape[1]
                sums[begin, 0] += w * error
                sums[end, 0] -= w * error
                sums[begin, 1] += w * error * error
                sums[end, 1] -= w * error * error
                begin = end
            if above < 0:
                break
            t = above
