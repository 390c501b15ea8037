"""Trees grown in memory: every column sorted once per subtree, and its order parted with the rows ever after.

A node record holds the numbers named in `tree_node`; its children stand side by side from `FIRST` on. Rows end up in
the order of the leaves.
"""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, inner, kernel, loop, piece
from glaswerk.kernels.tree_node import (
    AWAY,
    COLUMN,
    CUT,
    DEPTH,
    END,
    EQUAL,
    FEATURE,
    FIRST,
    GAIN,
    GAPS_LEFT,
    OTHER,
    OTHER_PLACE,
    PARTS,
    PLACE,
    START,
    TIE,
    TIE_CUT,
    TIES,
    Plan,
    Rows,
    Scratch,
    middle,
    next_seed,
    open_node,
    perfect_gain,
    search,
    totals,
)
from glaswerk.kernels.tree_scan import COUNTS, MANY, SUMS
from glaswerk.kernels.tree_sort import DIGIT, MISSING, sort_column

ROWS = types.Array(types.uint32, 1, "C")
INTS1 = types.Array(types.int64, 1, "C", readonly=True)
INTS2 = types.Array(types.int64, 2, "C", readonly=True)
NODES = types.Array(types.int32, 2, "C")


@loop
def _load(target, weight, chosen, mode, rows):
    """The targets of a subtree side by side; centred, so that sums keep their digits."""
    centre = 0.0
    for i in range(chosen.size):
        r = chosen[i]
        rows.w[i] = weight[r] if weight.size else 1.0
        if mode == SUMS:
            centre += target[r, 0]
        elif mode == COUNTS:
            rows.c[i] = np.int32(target[r, 0])
        else:
            for k in range(target.shape[1]):
                rows.Y[i, k] = target[r, k]
    if mode == SUMS:
        centre = np.rint(centre / chosen.size)
        for i in range(chosen.size):
            rows.s[i] = rows.w[i] * (target[chosen[i], 0] - centre)


@inner
def _sort_columns(X, chosen, levels, rows):
    """Every column's rows in its order; a missing category is a level after the others."""
    n = chosen.size
    x, key, word, spare = np.empty(n), np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(n, np.uint64)
    count = np.empty(1 << DIGIT, np.uint32)
    for j in range(levels.size):
        for i in range(n):
            x[i] = X[chosen[i], j]
            if levels[j] and x[i] != x[i]:
                x[i] = levels[j]
        rows.told[j] = sort_column(x, n, key, word, spare, count, rows.order[j], rows.rank[j])
        if levels[j]:
            rows.told[j] = 1
            for i in range(n):
                rows.rank[j, i] = np.uint32(x[i])


@piece
def _mark(rows, start, end, j, numeric, found, slot):
    """Which of two sides every row goes to; how many go left."""
    order, rank, side, place = rows.order, rows.rank, rows.side, start + found[PLACE]
    lefts = 0
    if not numeric:
        for p in range(start, end):
            i = order[j, p]
            side[i] = slot[rank[j, i]]
            lefts += 1 - side[i]
        return lefts
    for p in range(start, place + 1):
        side[order[j, p]] = 0
    for p in range(place + 1, end):
        side[order[j, p]] = 1
    p = end
    while found[GAPS_LEFT] and rank[j, order[j, p - 1]] == MISSING:
        p -= 1
        side[order[j, p]] = 0
    return place + 1 - start + end - p


@piece
def _part_in_two(order, j, start, end, side, spare):
    left, right = start, 0
    for p in range(start, end):
        i = order[j, p]
        s = side[i]
        order[j, left] = i
        spare[right] = i
        left += 1 - s
        right += s
    for q in range(right):
        order[j, left + q] = spare[q]


@loop
def _part_in_many(order, j, start, end, level, slot, spare, sizes, parts):
    """One column's order parted by `slot` of every row's level; `sizes` of the parts are as before afterwards."""
    place = 0
    for q in range(parts):
        sizes[q], place = place, place + sizes[q]
    for p in range(start, end):
        i = order[j, p]
        q = slot[level[i]]
        spare[sizes[q]] = i
        sizes[q] += 1
    for p in range(start, end):
        order[j, p] = spare[p - start]
    for q in range(parts - 1, 0, -1):
        sizes[q] -= sizes[q - 1]


@piece
def _part(rows, start, end, parts, work, columns, numeric):
    """The orders of the first columns parted in place; that of a column cut as numbers is parted already."""
    cut = work.found[COLUMN]
    done = cut if numeric and work.found[GAPS_LEFT] == 0 else -1
    for j in range(columns):
        if parts > 2:
            _part_in_many(rows.order, j, start, end, rows.rank[cut], work.best_slot, rows.spare, work.sizes, parts)
        elif j != done:
            _part_in_two(rows.order, j, start, end, rows.side, rows.spare)


@loop
def _beside(X, chosen, order, j, p):
    """The number half way between the rows at p and p + 1 of a column's order."""
    return middle(X[chosen[order[j, p]], j], X[chosen[order[j, p + 1]], j])


@piece
def _record(node, real, X, rows, chosen, start, found, levels):
    """Write a cut into its node."""
    j, other = found[COLUMN], found[OTHER]
    node[FEATURE], node[PARTS], node[TIES] = j, 2, found[EQUAL]
    if levels[j]:
        node[PARTS] = found[PLACE]
    else:
        real[CUT] = _beside(X, chosen, rows.order, j, start + found[PLACE])
    if found[EQUAL]:
        node[TIE] = other
        if levels[other] == 0:
            real[TIE_CUT] = _beside(X, chosen, rows.order, other, start + found[OTHER_PLACE])


@piece
def _split(rows, node, plan, work, start, end):
    """Mark the rows of a node by the cut found, `work.sizes` of the parts; returns the size of the largest."""
    found, sizes = work.found, work.sizes
    j, parts = found[COLUMN], node[PARTS]
    numeric = plan.levels[j] == 0
    sees_gap = numeric and rows.rank[j, rows.order[j, end - 1]] == MISSING
    if parts == 2:
        sizes[0] = _mark(rows, start, end, j, numeric, found, work.best_slot)
        sizes[1] = end - start - sizes[0]
    else:
        for q in range(parts):
            sizes[q] = 0
        for p in range(start, end):
            sizes[work.best_slot[rows.rank[j, rows.order[j, p]]]] += 1
    largest = 0
    for q in range(parts):
        largest = q if sizes[q] > sizes[largest] else largest
    # Missing cells that training never saw here go to the larger part.
    node[AWAY] = largest if not sees_gap else 0 if found[GAPS_LEFT] else 1
    return sizes[largest]


@loop
def _grow_one(X, rows, chosen, root, begin, plan, limits, work, nodes, reals, used):
    """One subtree, depth first: the number of nodes in use afterwards. limits: depth, rows to split, gain."""
    max_depth, min_split, min_gain = limits
    stack, seeds, origin = work.stack, work.seeds, begin[0]
    open_node(nodes, reals, root, origin, begin[1], begin[2])
    stack[0], seeds[0] = root, np.uint64(begin[3])
    top = 1
    while top:
        top -= 1
        here, seed = stack[top], seeds[top]
        node = nodes[here]
        start, end, depth = node[START] - origin, node[END] - origin, node[DEPTH] + 1
        if depth > max_depth or end - start < min_split or end - start < 2 * plan.min_leaf:
            continue
        W, Q, pure = totals(rows, start, end, plan, work.total)
        if pure or 2.0 * plan.least > W:
            continue
        enough = perfect_gain(work.total, W, Q, plan) if end - start <= plan.small else np.inf
        gain = search(rows, start, end, plan, work, W, enough, seed)
        if work.found[COLUMN] < 0 or (min_gain > 0.0 and gain < min_gain):
            continue
        _record(node, reals[here], X, rows, chosen, start, work.found, plan.levels)
        longest = _split(rows, node, plan, work, start, end)
        node[FIRST], reals[here, GAIN] = used, gain
        grows = gain < enough and depth < max_depth and longest >= max(min_split, 2 * plan.min_leaf)
        numeric = plan.levels[node[FEATURE]] == 0
        _part(rows, start, end, node[PARTS], work, rows.order.shape[0] if grows else 1, numeric)
        place = origin + end
        for q in range(node[PARTS] - 1, -1, -1):
            size = work.sizes[q]
            place -= size
            open_node(nodes, reals, used + q, place, place + size, depth)
            if grows and size > 1:
                stack[top], seeds[top] = used + q, next_seed(seed, 1000 + q)
                top += 1
        used += node[PARTS]
    return used


@inner
def _space(whole, n, levels):
    """Room for the rows of the largest subtree, and for what a search writes down."""
    d, size, most = levels.size, whole[2], levels.max()
    rows = Rows(
        np.empty(n), np.empty(n, np.int32), np.empty((n if whole[0] == MANY else 0, size)), np.empty(n),
        np.empty((d, n), np.uint32), np.empty((d, n), np.uint32), np.empty(d, np.int64), np.empty(n, np.uint8),
        np.empty(n, np.uint32),
    )  # fmt: skip
    return rows, Scratch(
        np.empty(size), np.empty(size), np.empty(size), np.empty((most + 1, 3 + size)), np.zeros(most + 2, np.int32),
        np.zeros(most + 2, np.int32), np.empty(d, np.int64), np.empty(6, np.int64), np.empty(most + 3, np.int64),
        np.empty(size), np.empty(most + 2), np.empty(most + 2, np.int64), np.empty(n + 2, np.int64),
        np.empty(n + 2, np.uint64),
    )  # fmt: skip


@kernel(types.int64(IN2, IN2, IN1, ROWS, INTS2, INTS1, INTS1, INTS1, IN1, NODES, OUT2))
def grow_subtrees(X, target, weight, chosen, begin, levels, groups, whole, real, nodes, reals):
    """Grow a tree on each stretch of the rows `chosen`; returns the number of nodes, the roots of all first.

    In: X (n, d); target (n, S): y on a grid, class numbers, or weighted targets; weight (n,) or (0,); begin (B, 4):
    first and last row of each stretch, depth and seed of its root; levels (d,): of a column of categories, 0 for
    numbers; groups: bounds of the outputs' classes; whole: mode, criterion, components, depth, split, leaf, columns
    drawn, small, multiway, exact; real: weight of a leaf, gain, tolerance. In and out: chosen, in the order of the
    leaves. Out: nodes, reals.
    """
    longest = 0
    for b in range(begin.shape[0]):
        longest = max(longest, begin[b, 1] - begin[b, 0])
    rows, work = _space(whole, longest, levels)
    plain = whole[0] == SUMS and weight.size == 0 and real[0] == 0.0
    plan = Plan(
        whole[0], whole[1], whole[5], whole[6], whole[7], whole[8], whole[9], real[0], real[2], groups, levels, plain
    )
    limits = whole[3], whole[4], real[1]
    used = begin.shape[0]
    for b in range(begin.shape[0]):
        here = chosen[begin[b, 0] : begin[b, 1]]
        _load(target, weight, here, whole[0], rows)
        _sort_columns(X, here, levels, rows)
        for j in range(levels.size):
            work.columns[j] = j
        used = _grow_one(X, rows, here, b, begin[b], plan, limits, work, nodes, reals, used)
        for p in range(here.size):
            rows.spare[p] = here[rows.order[0, p]]
        for p in range(here.size):
            here[p] = rows.spare[p]
    return used
