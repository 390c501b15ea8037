"""The best cut of a large node from sums over buckets of rows, sorting only the rows that may hold it.

Between two buckets a cut's gain is known. Within a bucket of weight U, squares SS around its mean and gains g₀, g₁ at
its ends, the gain is convex along the chord, and Cauchy and Schwarz bound what leaves it:
    √gain ≤ √max(g₀, g₁) + W √(SS · min(U / ((u₀ + U)(v₁ + U)), U / (4 u₀ v₁))),
u₀ and v₁ the weights left and right of the bucket, gains in units of 1 / W. Buckets whose bound is below the best gain
are left alone (alive intervals: Alsabti, Ranka and Singh 1998); the others are sorted and walked. Hence the cut found
is the best of all, whatever the buckets.

Sums are of whole numbers, so that those of a child are its parent's less its sibling's, to the last bit.
"""

from collections import namedtuple

import numpy as np

from glaswerk.kernels.compiling import loop
from glaswerk.kernels.tree_codes import GAP
from glaswerk.kernels.tree_sort import sort_column

ROWS, WEIGHT, SUM, SQUARES = range(4)  # lanes of a bucket
BLOCK = 2048
ROUNDING = 1e-9  # room for it, in bounds
# s: targets around their mean; q: their squares, rounded up to whole numbers of `unit`; mixed: codes of several values.
Large = namedtuple("Large", "X codes s q w mixed unit lane")
# Room to sort rows in. alive: buckets that are walked.
Sorter = namedtuple("Sorter", "alive row x key word spare count order rank")
# What every cut of a node must keep to, and its totals.
Node = namedtuple("Node", "rows W S min_leaf least")


@loop
def add_rows(large, rows, start, end, bins):
    """The sums of these rows over the buckets of every column."""
    codes, s, q, w, lane = large.codes, large.s, large.q, large.w, large.lane
    for begin in range(start, end, BLOCK):
        size = min(BLOCK, end - begin)
        for p in range(size):
            i = rows[begin + p]
            lane[p, 0], lane[p, 1], lane[p, 2], lane[p, 3] = 1.0, w[i] if w.size else 1.0, s[i], q[i]
        for j in range(codes.shape[0]):
            for p in range(size):
                c = codes[j, rows[begin + p]]
                one, weight, total, square = lane[p, 0], lane[p, 1], lane[p, 2], lane[p, 3]
                a, b, e, f = bins[j, c, 0], bins[j, c, 1], bins[j, c, 2], bins[j, c, 3]
                bins[j, c, 0] = a + one
                bins[j, c, 1] = b + weight
                bins[j, c, 2] = e + total
                bins[j, c, 3] = f + square


@loop
def _gain(a, u, node):
    d = a * node.W - node.S * u
    return d * d / (u * (node.W - u))


@loop
def _allowed(c, u, node):
    v = node.W - u
    return c >= node.min_leaf and node.rows - c >= node.min_leaf and u >= node.least and v >= node.least and v > 0.0


@loop
def sides(bins, j, node):
    """How many ways there are for the missing cells of a column: two if there are some and enough others."""
    return 2 if 0.0 < bins[j, GAP, ROWS] < node.rows - 1 else 1


@loop
def _between(bins, j, away, node):
    """Largest gain between buckets; missing cells go left if `away`."""
    best = -1.0
    c = bins[j, GAP, ROWS] if away else 0.0
    u = bins[j, GAP, WEIGHT] if away else 0.0
    a = bins[j, GAP, SUM] if away else 0.0
    for b in range(GAP):
        if bins[j, b, ROWS] > 0.0:
            c += bins[j, b, ROWS]
            u += bins[j, b, WEIGHT]
            a += bins[j, b, SUM]
            if _allowed(c, u, node):
                best = max(best, _gain(a, u, node))
    return best


@loop
def best_between(bins, j, node):
    """Largest gain between buckets, missing cells on either side; -1 where there is no cut."""
    best = _between(bins, j, False, node)
    return max(best, _between(bins, j, True, node)) if sides(bins, j, node) == 2 else best


@loop
def _mark_alive(large, bins, j, away, node, bar, alive):
    """Mark the buckets that may hold a cut as good as `bar`; how many rows they have."""
    found = 0.0
    u = bins[j, GAP, WEIGHT] if away else 0.0
    a = bins[j, GAP, SUM] if away else 0.0
    before = _gain(a, u, node) if u > 0.0 and u < node.W else 0.0
    for b in range(GAP):
        if bins[j, b, ROWS] == 0.0:
            continue
        U, A = bins[j, b, WEIGHT], bins[j, b, SUM]
        v = node.W - u - U
        after = _gain(a + A, u + U, node) if v > 0.0 else 0.0
        if large.mixed[j, b] and bins[j, b, ROWS] > 1.0:
            square = bins[j, b, SQUARES] * large.unit
            inside = max(square - A * A / U, 0.0) + ROUNDING * square
            share = U / ((u + U) * (v + U))
            if u > 0.0 and v > 0.0:
                share = min(share, U / (4.0 * u * v))
            bound = np.sqrt(max(before, after)) + node.W * np.sqrt(inside * share)
            if bound * bound * (1.0 + ROUNDING) >= bar:
                alive[b] = 1
                found += bins[j, b, ROWS]
        before = after
        u += U
        a += A
    return found


@loop
def _gather(large, j, rows, start, end, sorter):
    """The rows of the buckets alive, in the order of column j."""
    codes, X, alive, row, x = large.codes, large.X, sorter.alive, sorter.row, sorter.x
    n = 0
    for p in range(start, end):
        i = rows[p]
        row[n] = i
        n += alive[codes[j, i]]
    for p in range(n):
        x[p] = X[row[p], j]
    sort_column(x, n, sorter.key, sorter.word, sorter.spare, sorter.count, sorter.order, sorter.rank)


@loop
def _walk(large, bins, j, away, node, sorter, cut):
    """Best cut of a column: its gain; `cut` gets bucket, low, high, ties, and the first tie's bucket, low, high.

    low and high are the values beside a cut within a bucket, NaN for one behind it. The rows of alive buckets lie
    sorted in `sorter`.
    """
    best, ties, at = -1.0, 0, 0
    s, w, x, row, order = large.s, large.w, sorter.x, sorter.row, sorter.order
    c = bins[j, GAP, ROWS] if away else 0.0
    u = bins[j, GAP, WEIGHT] if away else 0.0
    a = bins[j, GAP, SUM] if away else 0.0
    for b in range(GAP):
        size = bins[j, b, ROWS]
        if size == 0.0:
            continue
        after_c, after_u, after_a = c + size, u + bins[j, b, WEIGHT], a + bins[j, b, SUM]
        steps = int(size) if sorter.alive[b] else 1
        for step in range(steps):
            low, high = np.nan, np.nan
            if step == steps - 1:
                at += 1 if sorter.alive[b] else 0
                c, u, a = after_c, after_u, after_a
            else:
                i = row[order[at]]
                low, high = x[order[at]], x[order[at + 1]]
                at += 1
                c += 1.0
                u += w[i] if w.size else 1.0
                a += s[i]
                if low == high:
                    continue
            if not _allowed(c, u, node):
                continue
            gain = _gain(a, u, node)
            if gain > best:
                best, ties = gain, 0
                cut[0], cut[1], cut[2] = b, low, high
            elif gain == best:
                ties += 1
                if ties == 1:
                    cut[4], cut[5], cut[6] = b, low, high
    cut[3] = ties
    return best


@loop
def best_within(large, bins, j, rows, start, end, node, bar, sorter, cut, other):
    """Best cut of a column if it is as good as `bar`: gain, whether missing cells go left; `cut` filled by `_walk`."""
    alive = sorter.alive
    for b in range(alive.size):
        alive[b] = 0
    ways = sides(bins, j, node)
    waiting = 0.0
    for away in range(ways):
        waiting += _mark_alive(large, bins, j, away == 1, node, bar, alive)
    if waiting == 0.0 and best_between(bins, j, node) < bar:
        return -1.0, 0
    if waiting > 0.0:
        _gather(large, j, rows, start, end, sorter)
    best = _walk(large, bins, j, False, node, sorter, cut)
    if ways == 2:
        gain = _walk(large, bins, j, True, node, sorter, other)
        if gain > best:
            for k in range(cut.size):
                cut[k] = other[k]
            return gain, 1
    return best, 0
