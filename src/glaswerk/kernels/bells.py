"""Sums of rows weighted by a bell around each query, K = exp(-½ |x - q|²), through the tree of boxes.       [BG-DGAUSS]

A box is left out when no row in it can weigh more than `share` of what has been summed so far: what it could weigh at
most is added up, so that the answer comes with its bound. Every query walks by itself: no grouping changes its bits.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel
from glaswerk.kernels.exponential import exponential
from glaswerk.kernels.neighbours import IN3, LEAF, WHOLE1

OUT1 = types.Array(types.float64, 1, "C")
FAST = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}
MORE = 2.0  # times as much mass known, before the reach is worked out anew


@numba.njit(error_model="numpy")
def _to_box(query, low, high, node):
    total = 0.0
    for j in range(query.size):
        away = max(low[node, j] - query[j], query[j] - high[node, j], 0.0)
        total += away * away
    return total


@numba.njit(**FAST)
def _exponents(query, tiles, leaf, away, found):
    """away ← x - q (d, LEAF), found ← -½ |x - q|²; the greatest of these."""
    for i in range(LEAF):
        found[i] = 0.0
    for j in range(query.size):
        q = query[j]
        for i in range(LEAF):
            a = tiles[leaf, j, i] - q
            away[j, i] = a
            found[i] -= 0.5 * a * a
    best = found[0]
    for i in range(1, LEAF):
        best = max(best, found[i])
    return best


@numba.njit(error_model="numpy", fastmath={"contract", "nsz"})
def _bells(found, top, weight, leaf, bell, heavy):
    """bell ← K in units of the greatest, heavy ← w K."""
    for i in range(LEAF):
        bell[i] = exponential(found[i] - top)
        heavy[i] = weight[leaf, i] * bell[i]


@numba.njit(**FAST)
def _add_mean(bell, heavy, sides, leaf, sums, at):
    """Σ wK, Σ wK² and Σ wK side for every side."""
    total, squares = 0.0, 0.0
    for i in range(LEAF):
        total += heavy[i]
        squares += heavy[i] * bell[i]
    sums[at, 0] += total
    sums[at, 1] += squares
    for k in range(sides.shape[1]):
        total = 0.0
        for i in range(LEAF):
            total += heavy[i] * sides[leaf, k, i]
        sums[at, 2 + k] += total


@numba.njit(**FAST)
def _add_line(bell, heavy, away, sides, leaf, sums, at):
    """Σ wK, Σ wK side; then by column j of u = x - q: Σ wK u_j, Σ wK u_j side, Σ wK u_j u_l for l <= j."""
    total = 0.0
    for i in range(LEAF):
        total += heavy[i]
    sums[at, 0] += total
    cell = 1
    for k in range(sides.shape[1]):
        total = 0.0
        for i in range(LEAF):
            total += heavy[i] * sides[leaf, k, i]
        sums[at, cell] += total
        cell += 1
    for j in range(away.shape[0]):
        total = 0.0
        for i in range(LEAF):
            bell[i] = heavy[i] * away[j, i]  # not needed any more
            total += bell[i]
        sums[at, cell] += total
        cell += 1
        for k in range(sides.shape[1]):
            total = 0.0
            for i in range(LEAF):
                total += bell[i] * sides[leaf, k, i]
            sums[at, cell] += total
            cell += 1
        for other in range(j + 1):
            total = 0.0
            for i in range(LEAF):
                total += bell[i] * away[other, i]
            sums[at, cell] += total
            cell += 1


@numba.njit(error_model="numpy")
def _shrink(sums, at, lines, factor):
    """Sums in units of a greater bell than before; squares shrink twice."""
    for cell in range(sums.shape[1]):
        sums[at, cell] *= factor
    if not lines:
        sums[at, 1] *= factor


@kernel(
    types.void(IN3, IN2, IN3, IN2, IN2, IN1, IN2, WHOLE1, types.float64, types.boolean, OUT2, OUT1, OUT1),
)
def bell_sums(tiles, weight, sides, low, high, mass, queries, turn, share, lines, sums, top, dropped):
    """Sums of every query, in the order `turn`, in units of its greatest bell e^top.

    In: tiles (leaves, d, LEAF), weight (leaves, LEAF) with 0 where there is no row, sides (leaves, q, LEAF), low, high
    (nodes, d) and mass (nodes,) of every box; `share` of the weight that one row left out may have, over all mass.
    Out: sums (m, 2 + q) as `_add_mean`, or with `lines` (m, ·) as `_add_line` says; top (m,); dropped (m,), in units of
    e^top.
    """
    leaves, d = tiles.shape[0], tiles.shape[1]
    found, bell, heavy, away = np.empty(LEAF), np.empty(LEAF), np.empty(LEAF), np.empty((d, LEAF))
    waiting, far = np.empty(128, np.int64), np.empty(128)
    for place in range(turn.size):
        i = turn[place]
        query = queries[i]
        sums[i, :] = 0.0
        best, left_out, known, reach = -np.inf, 0.0, 0.0, np.inf
        waiting[0], far[0] = 0, 0.0
        depth = 1
        while depth:
            depth -= 1
            node, gap = waiting[depth], far[depth]
            while node < leaves - 1 and gap <= reach:
                left = 2 * node + 1
                a, b = _to_box(query, low, high, left), _to_box(query, low, high, left + 1)
                nearer = left + 1 if b < a else left
                waiting[depth], far[depth] = 2 * left + 1 - nearer, max(a, b)
                node, gap = nearer, min(a, b)
                depth += 1
            if gap > reach:
                left_out += mass[node] * np.exp(-0.5 * gap - best)
                continue
            leaf = node - leaves + 1
            highest = _exponents(query, tiles, leaf, away, found)
            if highest > best:
                factor = np.exp(best - highest)
                _shrink(sums, i, lines, factor)
                left_out, known, best = left_out * factor, known * factor, highest
            _bells(found, best, weight, leaf, bell, heavy)
            if lines:
                _add_line(bell, heavy, away, sides, leaf, sums, i)
            else:
                _add_mean(bell, heavy, sides, leaf, sums, i)
            if sums[i, 0] > MORE * known:
                known = sums[i, 0]
                reach = -2.0 * (best + np.log(share * known))
        top[i], dropped[i] = best, left_out
