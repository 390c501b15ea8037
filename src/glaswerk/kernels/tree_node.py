"""One node of a tree in memory: which column cuts it best.

Compiled into `grow_subtrees`; none is a kernel by itself.
"""

from collections import namedtuple

import numpy as np

from glaswerk.kernels.compiling import loop, piece
from glaswerk.kernels.tree_levels import parent_part, scan_levels
from glaswerk.kernels.tree_scan import COUNTS, ENTROPY, MANY, SUMS, scan_counts, scan_many, scan_plain, scan_sums
from glaswerk.kernels.tree_sort import MISSING

# The rows of a subtree, numbered from 0. s: weighted target; c: class; Y: weighted targets; w: weights; rank, order:
# per column; told: whether a column's values repeat (1), are missing (2); side: the part a row goes to.
Rows = namedtuple("Rows", "s c Y w rank order told side spare")
Scratch = namedtuple(
    "Scratch", "left right base group slot best_slot columns found sizes total means by_mean stack seeds"
)
# What never changes during growth. groups: bounds of each output's classes; levels: of each column, 0 for numbers.
Plan = namedtuple(
    "Plan", "mode criterion min_leaf max_features small multiway exact least tolerance groups levels plain"
)

# A node's record: whole numbers, and numbers. AWAY: the part for cells that training never saw here.
FEATURE, FIRST, PARTS, START, END, AWAY, DEPTH, TIES, TIE, FIELDS = range(10)
GAIN, CUT, TIE_CUT = range(3)
# What a search finds: column; place of the last row to the left, or number of parts; whether missing cells go left;
# other cuts as good; one of them, and its place.
COLUMN, PLACE, GAPS_LEFT, EQUAL, OTHER, OTHER_PLACE = range(6)


@piece
def open_node(nodes, reals, t, start, end, depth):
    """A leaf, until a cut is written into it."""
    for k in range(nodes.shape[1]):
        nodes[t, k] = 0
    nodes[t, FEATURE], nodes[t, TIE] = -1, -1
    nodes[t, START], nodes[t, END], nodes[t, DEPTH] = start, end, depth
    reals[t, GAIN], reals[t, CUT], reals[t, TIE_CUT] = 0.0, np.nan, np.nan


@piece
def middle(low, high):
    """The number half way, or the lower one where there is none between; infinite where missing cells lie behind."""
    if high != high:
        return np.inf
    half = low / 2 + high / 2
    return half if half < high else low + 0.0


@loop
def next_seed(seed, step):
    """Splitmix: the next of a sequence of well mixed numbers, from any number (Steele et al. 2014)."""
    z = seed + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(step) + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@piece
def _plain_totals(rows, start, end, total):
    S, Q = 0.0, 0.0
    first = rows.s[rows.order[0, start]]
    pure = True
    for p in range(start, end):
        y = rows.s[rows.order[0, p]]
        S += y
        Q += y * y
        pure &= y == first
    total[0] = S
    return float(end - start), Q, pure


@piece
def totals(rows, start, end, plan, total):
    """Sums of a node into `total`: (weight, Σ w y², whether all targets are equal)."""
    if plan.plain:
        return _plain_totals(rows, start, end, total)
    for k in range(total.size):
        total[k] = 0.0
    W, Q, pure = 0.0, 0.0, True
    first = rows.order[0, start]
    for p in range(start, end):
        i = rows.order[0, p]
        W += rows.w[i]
        if plan.mode == SUMS:
            total[0] += rows.s[i]
            Q += rows.s[i] * rows.s[i] / rows.w[i]
            pure &= rows.s[i] * rows.w[first] == rows.s[first] * rows.w[i]
        elif plan.mode == COUNTS:
            total[rows.c[i]] += rows.w[i]
            pure &= rows.c[i] == rows.c[first]
        else:
            for k in range(total.size):
                total[k] += rows.Y[i, k]
                pure &= rows.Y[i, k] * rows.w[first] == rows.Y[first, k] * rows.w[i]
    return W, Q, pure


@loop
def _scan(rows, order, rank, plan, work, missing, n, W):
    """One walk along a column; `missing` rows at its end are counted to the left."""
    u0 = 0.0
    s0 = 0.0
    total, base = work.total, work.base
    for k in range(base.size):
        base[k] = 0.0
    for p in range(n - missing, n):
        i = order[p]
        u0 += rows.w[i]
        if plan.mode == SUMS:
            s0 += rows.s[i]
        elif plan.mode == COUNTS:
            base[rows.c[i]] += rows.w[i]
        else:
            for k in range(base.size):
                base[k] += rows.Y[i, k]
    span = max(0, plan.min_leaf - 1 - missing), min(n - missing - 2, n - plan.min_leaf - 1 - missing)
    if span[1] < span[0]:
        return -np.inf, -1, 0, -1
    if plan.mode == SUMS:
        return scan_sums(order, rank, rows.s, rows.w, s0, u0, span, total[0], W, plan.least)
    if plan.mode == COUNTS:
        gain, where, ties, second = scan_counts(
            order, rank, rows.c, rows.w, base, u0, span, total, W, plan.least, plan.criterion, plan.tolerance,
            work.left, work.right,
        )  # fmt: skip
    else:
        gain, where, ties, second = scan_many(
            order, rank, rows.Y, rows.w, base, u0, span, total, W, plan.least, plan.criterion, plan.tolerance,
            plan.groups, work.left, work.right,
        )  # fmt: skip
    return gain - parent_part(total, W, plan.mode, plan.criterion, plan.groups), where, ties, second


@loop
def _numeric(rows, j, start, end, plan, work, W):
    """Best cut of numbers, missing cells to either side: gain, place, ties, place of the first, missing cells left."""
    n = end - start
    order, rank = rows.order[j, start:end], rows.rank[j]
    missing = 0
    while missing < n and rank[order[n - 1 - missing]] == MISSING:
        missing += 1
    best = (-np.inf, -1, 0, -1, 0)
    for towards_left in range(2 if 0 < missing < n - 1 else 1):
        gain, p, ties, second = _scan(rows, order, rank, plan, work, missing if towards_left else 0, n, W)
        if p >= 0 and gain > best[0] + plan.tolerance:
            best = (gain, p, ties, second, towards_left)
    return best


@loop
def _levels(rows, j, start, end, plan, work, W):
    """Best cut of categories: gain, number of parts."""
    rule = (plan.min_leaf, plan.least, plan.criterion, plan.tolerance, end - start)
    gain, parts = scan_levels(
        rows.order[j, start:end], rows.rank[j], plan.mode, rows, rows.w, work.total, W, rule, plan.groups,
        (plan.multiway, plan.exact), work.group, work.slot, work.left, work.right,
        work.means, work.by_mean,
    )  # fmt: skip
    return gain - parent_part(work.total, W, plan.mode, plan.criterion, plan.groups), parts, 0, -1, 0


@piece
def perfect_gain(total, W, Q, plan):
    """The gain after which nothing is left to gain, with room for rounding."""
    if plan.mode == SUMS:
        most = Q - total[0] * total[0] / W
    elif plan.mode == MANY:
        return np.inf
    else:
        most = (0.0 if plan.criterion == ENTROPY else W) - parent_part(total, W, plan.mode, plan.criterion, plan.groups)
    return most * (1.0 - 1e-12) - 1e-300


@loop
def _draw(columns, q, seed):
    """Put a column drawn from those not yet looked at in place q; the next seed."""
    seed = next_seed(seed, q)
    other = q + np.int64(seed % np.uint64(columns.size - q))
    columns[q], columns[other] = columns[other], columns[q]
    return seed


@piece
def _take(j, cut, found, tied):
    """Write the cut of column j down as the one found; `tied`: it is as good as the one before."""
    old, place, equal = found[COLUMN], found[PLACE], found[EQUAL]
    found[COLUMN], found[PLACE], found[GAPS_LEFT], found[EQUAL] = j, cut[1], cut[4], cut[2]
    found[OTHER], found[OTHER_PLACE] = j, cut[3]
    if tied:
        found[EQUAL] += equal + 1
        found[OTHER], found[OTHER_PLACE] = old, place


@piece
def search(rows, start, end, plan, work, W, enough, seed):
    """Best cut of a node, written to `work.found`: its gain. Of equal ones that of the lowest column, then place."""
    best, found, columns, d = -np.inf, work.found, work.columns, work.columns.size
    order, rank, s, told, levels = rows.order, rows.rank, rows.s, rows.told, plan.levels
    found[COLUMN] = -1
    drawing = plan.max_features < d
    looked, S = 0, work.total[0]
    for q in range(d):
        if drawing:
            seed = _draw(columns, q, seed)
        j = columns[q]
        if told[j] and rank[j, order[j, start]] == rank[j, order[j, end - 1]]:
            continue
        if levels[j]:
            cut = _levels(rows, j, start, end, plan, work, W)
        elif plan.plain and not told[j] & 2:
            cut = scan_plain(order, rank, s, j, told[j] & 1, start, end, plan.min_leaf, S, best)
        else:
            cut = _numeric(rows, j, start, end, plan, work, W)
        gain = cut[0]
        looked += 1
        if gain > -np.inf and gain >= best - plan.tolerance:
            higher = gain > best + plan.tolerance
            if higher or j < found[COLUMN]:
                _take(j, cut, found, not higher)
                best = max(gain, best)
                if levels[j]:
                    for k in range(work.slot.size):
                        work.best_slot[k] = work.slot[k]
            else:
                if found[EQUAL] == 0:
                    found[OTHER], found[OTHER_PLACE] = j, cut[1]
                found[EQUAL] += 1 + cut[2]
        if found[COLUMN] >= 0 and ((drawing and looked >= plan.max_features) or best >= enough):
            break
    return best
