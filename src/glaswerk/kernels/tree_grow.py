"""Trees grown in memory: every column sorted once per subtree, and its order parted with the rows ever after.

A node record holds the numbers named in `tree_node`; its children stand side by side from `FIRST` on. Rows end up in
the order of the leaves.
"""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, inner, kernel
from glaswerk.kernels.ranking import sort_by_digits
from glaswerk.kernels.tree_node import (
    DEPTH,
    END,
    FEATURE,
    FIRST,
    LEFT,
    MISSING,
    PARTS,
    RIGHT,
    START,
    TIE,
    TIE_LEFT,
    TIE_RIGHT,
    TIES,
    Plan,
    Rows,
    Scratch,
    next_seed,
    search,
    totals,
)
from glaswerk.kernels.tree_scan import COUNTS, MANY, SUMS

RANKS = types.Array(types.uint32, 2, "C", readonly=True)
ROWS = types.Array(types.uint32, 1, "C")
INTS1 = types.Array(types.int64, 1, "C", readonly=True)
INTS2 = types.Array(types.int64, 2, "C", readonly=True)
NODES = types.Array(types.int32, 2, "C")
GAINS = types.Array(types.float64, 1, "C")
ROOTS = types.Array(types.int64, 1, "C")


@inner
def _load(rank, target, weight, chosen, mode, rows):
    """The rows of a subtree side by side; targets centred, so that sums keep their digits."""
    centre = 0.0
    for i in range(chosen.size):
        rows.member[i] = i
        r = chosen[i]
        rows.w[i] = weight[r] if weight.size else 1.0
        for j in range(rank.shape[1]):
            rows.rank[j, i] = rank[r, j]
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
def _sort_columns(rows, n):
    """Every column's rows in its order."""
    key = np.empty(n, np.uint64)
    for j in range(rows.rank.shape[0]):
        high = np.uint32(0)
        for i in range(n):
            key[i] = rows.rank[j, i]
            high = max(high, rows.rank[j, i])
            rows.order[j, i] = i
        width = 0
        while high >> width:
            width += 1
        sort_by_digits(key, rows.order[j, :n], rows.spare[:n], 0, width)


@inner
def _mark(rows, start, end, j, numeric, limit, missing, missing_left, slot):
    """Every row's part; how many rows each of the first two has."""
    lefts = 0
    rank = rows.rank[j]
    for p in range(start, end):
        i = rows.member[p]
        r = rank[i]
        if numeric:
            left = r <= limit or (missing_left and r == missing)
            rows.side[i] = 0 if left else 1
            lefts += left
        else:
            rows.side[i] = slot[r]
            lefts += slot[r] == 0
    return lefts


@inner
def _columns_in_two(order, d, start, end, side, spare):
    """The first d rows of `order` between start and end, parted in place."""
    for j in range(d):
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


@inner
def _members_in_two(member, start, end, side, spare):
    left, right = start, 0
    for p in range(start, end):
        i = member[p]
        s = side[i]
        member[left] = i
        spare[right] = i
        left += 1 - s
        right += s
    for q in range(right):
        member[left + q] = spare[q]


@inner
def _part_in_many(order, side, spare, place):
    """`place` holds where each part begins."""
    for p in range(order.size):
        i = order[p]
        spare[place[side[i]]] = i
        place[side[i]] += 1
    for p in range(order.size):
        order[p] = spare[p]


@inner
def _part(rows, start, end, parts, sizes, columns_too):
    """Members, and the orders of all columns where a child will be searched, parted in place."""
    d = rows.order.shape[0] if columns_too else 0
    spare = rows.spare
    if parts == 2:
        _members_in_two(rows.member, start, end, rows.side, spare)
        _columns_in_two(rows.order, d, start, end, rows.side, spare)
        return
    place = np.empty(parts, np.int64)
    for j in range(-1, d):
        place[0] = 0
        for q in range(1, parts):
            place[q] = place[q - 1] + sizes[q - 1]
        _part_in_many(rows.member[start:end] if j < 0 else rows.order[j, start:end], rows.side, spare, place)


@inner
def _record(node, found, numeric, parts, first, sizes):
    """Write a cut into its node. Missing cells that training never saw here go to the larger part."""
    node[FEATURE], node[LEFT], node[RIGHT] = found[0], found[1] if numeric else -1, found[2] if numeric else -1
    node[FIRST], node[PARTS] = first, parts
    node[TIES], node[TIE], node[TIE_LEFT], node[TIE_RIGHT] = found[4], found[5], found[6], found[7]
    largest = 0
    for q in range(parts):
        largest = q if sizes[q] > sizes[largest] else largest
    node[MISSING] = largest


@inner
def _open(node, start, end, depth):
    for k in range(node.size):
        node[k] = 0
    node[FEATURE] = -1
    node[START], node[END], node[DEPTH] = start, end, depth


@inner
def _split(rows, node, plan, work, found, start, end):
    """Part the rows of a node by the cut found: sizes of the parts."""
    j = found[0]
    numeric = plan.columns[j, 1] == 0
    parts = 2 if numeric else found[1]
    missing = plan.columns[j, 0]
    lefts = _mark(rows, start, end, j, numeric, found[1], missing, found[3] == 1, work.best_slot)
    sizes = np.zeros(parts, np.int64)
    if parts == 2:
        sizes[0], sizes[1] = lefts, end - start - lefts
    else:
        for p in range(start, end):
            sizes[rows.side[rows.member[p]]] += 1
    _record(node, found, numeric, parts, 0, sizes)
    order = rows.order[j]
    if numeric and rows.rank[j, order[end - 1]] == missing:
        node[MISSING] = 0 if found[3] == 1 else 1
    return sizes


@inner
def _grow_one(rows, n, origin, begin, plan, limits, work, nodes, gains, used):
    """One subtree, depth first: the number of nodes in use afterwards. limits: depth, rows to split, gain, W share."""
    max_depth, min_split, min_gain = limits
    total = np.zeros(work.left.size)
    stack, seeds = np.empty((n + 2, 1), np.int64), np.empty(n + 2, np.uint64)
    _open(nodes[used], 0, n, begin[0])
    stack[0, 0], seeds[0] = used, np.uint64(begin[1])
    used += 1
    top = 1
    while top:
        top -= 1
        here, seed = stack[top, 0], seeds[top]
        node = nodes[here]
        start, end, depth = node[START], node[END], node[DEPTH]
        node[START], node[END] = start + origin, end + origin
        gains[here] = 0.0
        if depth >= max_depth or end - start < min_split or end - start < 2 * plan.min_leaf:
            continue
        W, Q, pure = totals(rows, start, end, plan.mode, total)
        if pure or 2.0 * plan.least > W:
            continue
        gain = search(rows, start, end, plan, work, total, W, Q, seed)
        if work.found[0] < 0 or (min_gain > 0.0 and gain < min_gain):
            continue
        sizes = _split(rows, node, plan, work, work.found, start, end)
        node[FIRST] = used
        gains[here] = gain
        longest = sizes[node[MISSING] if sizes.size > 2 else int(sizes[1] > sizes[0])]
        grows = depth + 1 < max_depth and longest >= max(min_split, 2 * plan.min_leaf)
        _part(rows, start, end, sizes.size, sizes, grows)
        for q in range(sizes.size):
            _open(nodes[used + q], start, start + sizes[q], depth + 1)
            start += sizes[q]
        for q in range(sizes.size - 1, -1, -1):
            stack[top, 0], seeds[top] = used + q, next_seed(seed, 1000 + q)
            top += 1
        used += sizes.size
    return used


@kernel(
    types.int64(RANKS, IN2, IN1, ROWS, INTS1, INTS2, INTS2, INTS1, INTS1, IN1, NODES, GAINS, ROOTS)
)  # fmt: skip
def grow_subtrees(rank, target, weight, chosen, cuts, begin, columns, groups, whole, real, nodes, gains, roots):
    """Grow a tree on each stretch `cuts` of the rows `chosen`; returns the number of nodes.

    In: rank (n, d); target (n, S): y on a grid, class numbers, or weighted targets; weight (n,) or (0,); cuts (B + 1,);
    begin (B, 2): depth and seed; columns (d, 2): rank of a missing cell, number of levels or 0; groups: bounds of the
    outputs' classes; whole: mode, criterion, components, depth, split, leaf, columns drawn, small, multiway, exact;
    real: weight of a leaf, gain, tolerance. In and out: chosen, in the order of the leaves. Out: nodes, gains, roots
    (B,).
    """
    d, size = rank.shape[1], whole[2]
    longest = 0
    for b in range(cuts.size - 1):
        longest = max(longest, cuts[b + 1] - cuts[b])
    levels = 0
    for j in range(d):
        levels = max(levels, columns[j, 1])
    rows = Rows(
        np.empty(longest), np.empty(longest, np.int32), np.empty((longest if whole[0] == MANY else 0, size)),
        np.empty(longest), np.empty((d, longest), np.uint32), np.empty((d, longest), np.uint32),
        np.empty(longest, np.uint32), np.empty(longest, np.int32), np.empty(longest, np.uint32),
    )  # fmt: skip
    work = Scratch(
        np.empty(size), np.empty(size), np.empty(size), np.empty((levels + 1 if levels else 0, 3 + size)),
        np.zeros(levels + 2, np.int32), np.zeros(levels + 2, np.int32),
        np.empty(d, np.int64), np.empty(8, np.int64), np.zeros(6, np.int64),
    )  # fmt: skip
    plain = whole[0] == SUMS and weight.size == 0 and levels == 0 and real[0] == 0.0
    plan = Plan(
        whole[0], whole[1], whole[5], whole[6], whole[7], whole[8], whole[9], real[0], real[2], groups, columns, plain
    )
    spare = np.empty(longest, np.uint32)
    used = 0
    for b in range(cuts.size - 1):
        first, last = cuts[b], cuts[b + 1]
        n = last - first
        _load(rank, target, weight, chosen[first:last], whole[0], rows)
        _sort_columns(rows, n)
        for j in range(d):
            work.columns[j] = j
        roots[b] = used
        used = _grow_one(rows, n, first, begin[b], plan, (whole[3], whole[4], real[1]), work, nodes, gains, used)
        for p in range(n):
            spare[p] = chosen[first + rows.member[p]]
        for p in range(n):
            chosen[first + p] = spare[p]
    return used
