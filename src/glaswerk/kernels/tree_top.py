"""The upper part of a large tree: nodes of many rows, cut by sums over buckets; smaller ones are left open.

Sums are made for the smaller child only; those of the larger one are what is left of its parent's.
"""

from collections import namedtuple

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, inner, kernel, loop
from glaswerk.kernels.tree_buckets import (
    BLOCK,
    ROWS,
    SUM,
    WEIGHT,
    Large,
    Node,
    Sorter,
    add_rows,
    best_between,
    best_within,
)
from glaswerk.kernels.tree_codes import GAP
from glaswerk.kernels.tree_levels import cut_by_mean
from glaswerk.kernels.tree_node import (
    AWAY,
    CUT,
    DEPTH,
    END,
    FEATURE,
    FIRST,
    GAIN,
    PARTS,
    START,
    TIE,
    TIE_CUT,
    TIES,
    middle,
    open_node,
)
from glaswerk.kernels.tree_scan import SQUARES, SUMS
from glaswerk.kernels.tree_sort import DIGIT

OPEN = -2  # in place of a leaf's column: a node that is to grow on
BYTES2 = types.Array(types.uint8, 2, "C", readonly=True)
INTS1 = types.Array(types.int64, 1, "C", readonly=True)
CHOSEN = types.Array(types.uint32, 1, "C")
NODES = types.Array(types.int32, 2, "C")
BUCKETS = 256
COLUMN, GAPS_LEFT, EQUAL, OTHER = range(4)
# What a search writes: found, see above; cut and tie: bucket and values beside; slot: parts of levels; the rest room.
Search = namedtuple("Search", "found cut mine other slot best_slot group left right total means by_mean groups")


@loop
def _levels(bins, j, node, levels, search):
    """Best cut of categories into two sets, in units of 1 / W; -1 if there is none."""
    L, group = 0, search.group
    for b in range(levels[j] + 1):
        if bins[j, b, ROWS] > 0.0:
            group[L, 0] = b
            for k in range(3):
                group[L, 1 + k] = bins[j, b, k]
            L += 1
    if L < 2:
        return -1.0
    search.total[0] = node.S
    rule = (node.min_leaf, node.least, SQUARES, 0.0, node.rows)
    gain = cut_by_mean(
        group, L, 0, search.total, node.W, SUMS, rule, search.groups, search.slot, search.left, search.right,
        search.means[:L], search.by_mean[:L], -1.0,
    )  # fmt: skip
    return gain * node.W if gain >= 0.0 else -1.0


@loop
def _take(j, away, search):
    """Write the cut of column j down as the best."""
    found, mine = search.found, search.mine
    found[COLUMN], found[GAPS_LEFT], found[EQUAL], found[OTHER] = j, away, int(mine[3]), j
    for k in range(mine.size):
        search.cut[k] = mine[k]
    for k in range(search.slot.size):
        search.best_slot[k] = search.slot[k]


@loop
def _tie(j, search):
    found, mine = search.found, search.mine
    if found[EQUAL] == 0:
        found[OTHER] = j
        for k in range(3):
            search.cut[4 + k] = mine[k]
    found[EQUAL] += 1 + int(mine[3])


@loop
def _search(large, bins, rows, start, end, node, levels, sorter, search):
    """Best cut of a node, times W; of equal ones that of the lowest column, then place."""
    bar, likely = -1.0, -1
    for j in range(levels.size):
        gain = best_between(bins, j, node) if levels[j] == 0 else -1.0
        if gain > bar:
            bar, likely = gain, j
    if likely >= 0:
        gain, _ = best_within(large, bins, likely, rows, start, end, node, bar, sorter, search.mine, search.other)
        bar = max(bar, gain)
    best = -1.0
    search.found[COLUMN] = -1
    for j in range(levels.size):
        away = 0
        search.mine[3] = 0.0
        if levels[j]:
            gain = _levels(bins, j, node, levels, search)
        else:
            gain, away = best_within(
                large, bins, j, rows, start, end, node, max(bar, best), sorter, search.mine, search.other
            )  # fmt: skip
        if gain > best:
            best = gain
            _take(j, away, search)
        elif gain == best and best >= 0.0:
            _tie(j, search)
    return best


@loop
def _middle_of(large, bins, j, rows, start, end, bucket, low, high):
    """The number half way between the values beside a cut; those beside one behind a bucket are looked for."""
    if low == low:
        return middle(low, high)
    following = int(bucket) + 1
    while following < GAP and bins[j, following, ROWS] == 0.0:
        following += 1
    low, high = -np.inf, np.inf
    for p in range(start, end):
        i = rows[p]
        c = large.codes[j, i]
        if c == bucket:
            low = max(low, large.X[i, j])
        elif c == following and c != GAP:
            high = min(high, large.X[i, j])
    return middle(low, high if following < GAP else np.nan)


@loop
def _record(nodes, reals, t, large, bins, rows, start, end, levels, search):
    """Write the cut found into its node."""
    found, cut = search.found, search.cut
    j, other = found[COLUMN], found[OTHER]
    nodes[t, FEATURE], nodes[t, PARTS], nodes[t, TIES] = j, 2, found[EQUAL]
    if levels[j] == 0:
        reals[t, CUT] = _middle_of(large, bins, j, rows, start, end, cut[0], cut[1], cut[2])
    if found[EQUAL]:
        nodes[t, TIE] = other
        if levels[other] == 0:
            reals[t, TIE_CUT] = _middle_of(large, bins, other, rows, start, end, cut[4], cut[5], cut[6])


@loop
def _part(large, rows, start, end, levels, search, spare):
    """The rows parted in place, in their order: how many go left."""
    j, cut = search.found[COLUMN], search.cut
    bucket, limit = int(cut[0]), cut[1] if cut[1] == cut[1] else np.inf
    left, right = start, 0
    for p in range(start, end):
        i = rows[p]
        c = large.codes[j, i]
        if levels[j]:
            goes = search.best_slot[c] == 0
        elif c == GAP:
            goes = search.found[GAPS_LEFT] == 1
        elif c == bucket:
            goes = large.X[i, j] <= limit
        else:
            goes = c < bucket
        rows[left] = i
        spare[right] = i
        left += goes
        right += 1 - goes
    for p in range(right):
        rows[left + p] = spare[p]
    return left - start


@loop
def _pure(large, rows, start, end):
    s, w = large.s, large.w
    first = rows[start]
    for p in range(start + 1, end):
        i = rows[p]
        if s[i] * (w[first] if w.size else 1.0) != s[first] * (w[i] if w.size else 1.0):
            return False
    return True


@loop
def _subtract(bins, others):
    for j in range(bins.shape[0]):
        for b in range(bins.shape[1]):
            for k in range(bins.shape[2]):
                bins[j, b, k] -= others[j, b, k]


@loop
def _clear(bins):
    for j in range(bins.shape[0]):
        for b in range(bins.shape[1]):
            for k in range(bins.shape[2]):
                bins[j, b, k] = 0.0


@loop
def _cut(large, bins, rows, t, nodes, reals, levels, rule, sorter, search, spare):
    """Find and make the cut of node t: how many rows go left, 0 if there is none."""
    min_leaf, least, min_gain = rule
    start, end = nodes[t, START], nodes[t, END]
    W, S = 0.0, 0.0
    for b in range(BUCKETS):
        W += bins[0, b, WEIGHT]
        S += bins[0, b, SUM]
    if 2.0 * least > W or _pure(large, rows, start, end):
        return 0
    node = Node(end - start, W, S, min_leaf, least)
    gain = _search(large, bins, rows, start, end, node, levels, sorter, search) / W
    if search.found[COLUMN] < 0 or (min_gain > 0.0 and gain < min_gain):
        return 0
    _record(nodes, reals, t, large, bins, rows, start, end, levels, search)
    reals[t, GAIN] = gain
    j = search.found[COLUMN]
    gaps = levels[j] == 0 and bins[j, GAP, ROWS] > 0.0
    lefts = _part(large, rows, start, end, levels, search, spare)
    larger = 0 if 2 * lefts >= end - start else 1
    nodes[t, AWAY] = larger if not gaps else 0 if search.found[GAPS_LEFT] else 1
    return lefts


@inner
def _room(n, most):
    words = np.empty(n + 1, np.uint64), np.empty(n + 1, np.uint64), np.empty(n + 1, np.uint64)
    sorter = Sorter(
        np.zeros(BUCKETS, np.uint8), np.empty(n + 1, np.uint32), np.empty(n + 1), words[0], words[1], words[2],
        np.empty(1 << DIGIT, np.uint32), np.empty(n + 1, np.uint32), np.empty(n + 1, np.uint32),
    )  # fmt: skip
    search = Search(
        np.empty(4, np.int64), np.empty(7), np.empty(7), np.empty(7), np.zeros(most + 2, np.int32),
        np.zeros(most + 2, np.int32), np.empty((most + 1, 4)), np.empty(1), np.empty(1), np.empty(1),
        np.empty(most + 1), np.empty(most + 1, np.int64), np.zeros(2, np.int64),
    )  # fmt: skip
    return sorter, search


@loop
def _children(large, rows, t, lefts, used, nodes, reals, rule, bins, own, stack, top):
    """Open the children of node t; sums of the large ones, which go on the stack: how many lie there."""
    max_depth, min_split, min_leaf, small = rule
    start, end, depth = nodes[t, START], nodes[t, END], nodes[t, DEPTH] + 1
    nodes[t, FIRST] = used
    open_node(nodes, reals, used, start, start + lefts, depth)
    open_node(nodes, reals, used + 1, start + lefts, end, depth)
    smaller = 0 if 2 * lefts < end - start else 1
    if depth < max_depth and max(lefts, end - start - lefts) > small:
        _clear(bins[own + 1])
        add_rows(large, rows, nodes[used + smaller, START], nodes[used + smaller, END], bins[own + 1])
        _subtract(bins[own], bins[own + 1])
    for c in (1 - smaller, smaller):
        size = nodes[used + c, END] - nodes[used + c, START]
        if depth >= max_depth or size < min_split or size < 2 * min_leaf:
            continue
        if size > small:
            stack[top, 0], stack[top, 1] = used + c, own + (1 if c == smaller else 0)
            top += 1
        else:
            nodes[used + c, FEATURE] = OPEN
    return top


@kernel(types.int64(IN2, BYTES2, BYTES2, IN1, IN1, IN1, CHOSEN, INTS1, INTS1, IN1, NODES, OUT2))
def grow_top(X, codes, mixed, s, q, w, rows, levels, whole, real, nodes, reals):
    """Grow the nodes of more than `small` rows; returns the number of nodes. Those to grow on have column -2.

    In: X (n, d); codes (d, n), mixed (d, 256) as `code_rows` makes them; s, q (n,): weighted targets around their mean
    and their squares in `unit`, rounded up; w (n,) or (0,); levels (d,); whole: first of the rows, depth, greatest
    depth, rows to split, leaf, small; real: weight of a leaf, gain, unit. In and out: rows, in the order of the nodes.
    Out: nodes, reals.
    """
    n, d, small = rows.size, codes.shape[0], whole[5]
    large = Large(X, codes, s, q, w, mixed, real[2], np.empty((BLOCK, 4)))
    sorter, search = _room(n, levels.max())
    deepest = 2  # a node in place k has at most n / 2ᵏ rows
    while n >> (deepest - 1) > small:
        deepest += 1
    bins, spare = np.zeros((deepest, d, BUCKETS, 4)), np.empty(n + 1, np.uint32)
    add_rows(large, rows, 0, n, bins[0])
    stack = np.zeros((deepest + 1, 2), np.int64)
    open_node(nodes, reals, 0, 0, n, whole[1])
    used, top = 1, 1
    while top:
        top -= 1
        t, own = stack[top]
        rule = whole[4], real[0], real[1]
        lefts = _cut(large, bins[own], rows, t, nodes, reals, levels, rule, sorter, search, spare)
        if lefts:
            limits = whole[2], whole[3], whole[4], small
            top = _children(large, rows, t, lefts, used, nodes, reals, limits, bins, own, stack, top)
            used += 2
    for t in range(used):
        nodes[t, START] += whole[0]
        nodes[t, END] += whole[0]
    return used
