"""One node of a tree in memory: which column cuts it best, and its rows parted, every column kept in its order.

Compiled into `grow_subtrees`; none is a kernel by itself.
"""

from collections import namedtuple

import numpy as np

from glaswerk.kernels.compiling import inner
from glaswerk.kernels.tree_levels import parent_part, scan_levels
from glaswerk.kernels.tree_scan import COUNTS, ENTROPY, MANY, SUMS, scan_counts, scan_many, scan_sums, search_plain

# The rows of a subtree, numbered from 0. s: weighted target; c: class; Y: weighted targets; w: weights; rank, order:
# per column; member: row order; side: the part a row goes to; Q: Σ w y² of the node at hand.
Rows = namedtuple("Rows", "s c Y w rank order member side spare")
Scratch = namedtuple("Scratch", "left right base group slot best_slot columns found cut")
# What never changes during growth. groups: bounds of each output's classes; columns: rank of a missing cell, levels.
Plan = namedtuple(
    "Plan", "mode criterion min_leaf max_features small multiway exact least tolerance groups columns plain"
)

FEATURE, LEFT, RIGHT, FIRST, PARTS, START, END, MISSING, DEPTH, TIES, TIE, TIE_LEFT, TIE_RIGHT, FIELDS = range(14)


@inner
def next_seed(seed, step):
    """Splitmix: the next of a sequence of well mixed numbers, from any number (Steele et al. 2014)."""
    z = seed + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(step) + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner
def totals(rows, start, end, mode, total):
    """Sums of a node into `total`: (weight, Σ w y², whether all targets are equal)."""
    for k in range(total.size):
        total[k] = 0.0
    W, Q, pure = 0.0, 0.0, True
    first = rows.member[start]
    for p in range(start, end):
        i = rows.member[p]
        W += rows.w[i]
        if mode == SUMS:
            total[0] += rows.s[i]
            Q += rows.s[i] * rows.s[i] / rows.w[i]
            pure &= rows.s[i] * rows.w[first] == rows.s[first] * rows.w[i]
        elif mode == COUNTS:
            total[rows.c[i]] += rows.w[i]
            pure &= rows.c[i] == rows.c[first]
        else:
            for k in range(total.size):
                total[k] += rows.Y[i, k]
                pure &= rows.Y[i, k] * rows.w[first] == rows.Y[first, k] * rows.w[i]
    return W, Q, pure


@inner
def _scan(rows, order, rank, plan, work, missing, n, total, W):
    """One walk along a column; `missing` rows at its end have been counted to the left in `work.base`."""
    u0 = 0.0
    s0 = 0.0
    size = total.size
    for k in range(size):
        work.base[k] = 0.0
    for p in range(n - missing, n):
        i = order[p]
        u0 += rows.w[i]
        if plan.mode == SUMS:
            s0 += rows.s[i]
        elif plan.mode == COUNTS:
            work.base[rows.c[i]] += rows.w[i]
        else:
            for k in range(size):
                work.base[k] += rows.Y[i, k]
    span = max(0, plan.min_leaf - 1 - missing), min(n - missing - 2, n - plan.min_leaf - 1 - missing)
    if span[1] < span[0]:
        return -np.inf, -1, 0, -1
    base, left, right = work.base[:size], work.left[:size], work.right[:size]
    if plan.mode == SUMS:
        return scan_sums(order, rank, rows.s, rows.w, s0, u0, span, total[0], W, plan.least)
    if plan.mode == COUNTS:
        gain, where, ties, second = scan_counts(
            order, rank, rows.c, rows.w, base, u0, span, total, W, plan.least, plan.criterion, plan.tolerance,
            left, right,
        )  # fmt: skip
    else:
        gain, where, ties, second = scan_many(
            order, rank, rows.Y, rows.w, base, u0, span, total, W, plan.least, plan.criterion, plan.tolerance,
            plan.groups, left, right,
        )  # fmt: skip
    return gain - parent_part(total, W, plan.mode, plan.criterion, plan.groups), where, ties, second


@inner
def _numeric(rows, j, start, end, plan, work, total, W, cut):
    """Best numeric cut of column j: gain; `cut` gets left rank, right rank, missing left, ties, and the first tie."""
    n = end - start
    order, rank = rows.order[j, start:end], rows.rank[j]
    missing = 0
    while missing < n and rank[order[n - 1 - missing]] == plan.columns[j, 0]:
        missing += 1
    best = -np.inf
    for towards_left in range(2 if 0 < missing < n - 1 else 1):
        away = missing if towards_left else 0
        gain, p, ties, second = _scan(rows, order, rank, plan, work, away, n, total, W)
        if p >= 0 and gain > best + plan.tolerance:
            best = gain
            cut[0], cut[1], cut[2], cut[3] = rank[order[p]], rank[order[p + 1]], towards_left, ties
            if ties:
                cut[4], cut[5] = rank[order[second]], rank[order[second + 1]]
    return best


@inner
def _levels(rows, j, start, end, plan, work, total, W, cut):
    """Best cut of the categories of column j: gain; `cut` gets the number of parts."""
    rule = (plan.min_leaf, plan.least, plan.criterion, plan.tolerance, end - start)
    gain, parts = scan_levels(
        rows.order[j, start:end], rows.rank[j], plan.mode, rows, rows.w, total, W, rule, plan.groups,
        (plan.multiway, plan.exact), work.group, work.slot,
    )  # fmt: skip
    cut[0], cut[1], cut[2], cut[3] = parts, 0, 0, 0
    return gain - parent_part(total, W, plan.mode, plan.criterion, plan.groups)


@inner
def perfect_gain(total, W, Q, plan):
    """The gain after which nothing is left to gain, with room for rounding."""
    if plan.mode == SUMS:
        most = Q - total[0] * total[0] / W
    elif plan.mode == MANY:
        return np.inf
    else:
        most = (0.0 if plan.criterion == ENTROPY else W) - parent_part(total, W, plan.mode, plan.criterion, plan.groups)
    return most * (1.0 - 1e-12) - 1e-300


@inner
def _draw(columns, q, seed):
    """Put a column drawn from those not yet looked at in place q; the next seed."""
    seed = next_seed(seed, q)
    other = q + np.int64(seed % np.uint64(columns.size - q))
    columns[q], columns[other] = columns[other], columns[q]
    return seed


@inner
def search(rows, start, end, plan, work, total, W, Q, seed):
    """Best cut of a node: gain; `work.found` gets column, left rank or parts, right rank, missing left, ties, a tie."""
    best, cut, found = -np.inf, work.cut, work.found
    for k in range(found.size):
        found[k] = -1
    d = work.columns.size
    drawing = plan.max_features < d
    enough = perfect_gain(total, W, Q, plan) if end - start <= plan.small else np.inf
    looked = 0
    if plan.plain and not drawing:
        best = search_plain(
            rows.order, rows.rank, rows.s, plan.columns, start, end, plan.min_leaf, total[0], enough, found
        )  # fmt: skip
        if best > -2.0 or best == -np.inf:
            return best
        best, found[0], found[4] = -np.inf, -1, 0
    for q in range(d):
        if drawing:
            seed = _draw(work.columns, q, seed)
        j = work.columns[q]
        if rows.rank[j, rows.order[j, start]] == rows.rank[j, rows.order[j, end - 1]]:
            continue
        kind = plan.columns[j, 1]
        if kind:
            gain = _levels(rows, j, start, end, plan, work, total, W, cut)
        else:
            gain = _numeric(rows, j, start, end, plan, work, total, W, cut)
        looked += 1
        if gain > best + plan.tolerance or (gain >= best - plan.tolerance and gain > -np.inf and j < found[0]):
            tied = gain <= best + plan.tolerance
            old = found[0], found[1], found[2], found[4]
            best = max(gain, best)
            found[0], found[1], found[2], found[3], found[4] = j, cut[0], cut[1], cut[2], cut[3]
            found[5], found[6], found[7] = j, cut[4], cut[5]
            if tied:
                found[4] += old[3] + 1
                found[5], found[6], found[7] = old[0], old[1], old[2]
            if kind:
                for k in range(work.slot.size):
                    work.best_slot[k] = work.slot[k]
        elif gain >= best - plan.tolerance and gain > -np.inf:
            if found[4] == 0:
                found[5], found[6], found[7] = j, cut[0], cut[1]
            found[4] += 1 + cut[3]
        if found[0] >= 0 and ((drawing and looked >= plan.max_features) or best >= enough):
            break
    return best
