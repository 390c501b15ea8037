"""Rows in tiles: 256 rows side by side, one feature after another, so that a vector lane is a row.

Everything that measures distances to few centres walks these tiles: no n × k matrix is ever written.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

LANES = 256
STRETCH = 32  # rows looked at together for a change of centre
IN3 = types.Array(types.float64, 3, "C", readonly=True)
OUT3 = types.Array(types.float64, 3, "C")
OUT1 = types.Array(types.float64, 1, "C")
LABELS = types.Array(types.int32, 1, "C")
FUSED = {"error_model": "numpy", "fastmath": {"contract", "nsz"}}


@kernel(types.void(IN2, IN1, OUT3, OUT2, OUT2), reassociate=True)
def lay_out(X, shift, cells, squares, sums):
    """x - shift into tiles, its squared length, and the sums of the columns.

    In: X (n, d), shift (d,). Out: cells (tiles, d, LANES), squares (tiles, LANES), zero beyond the last row.
    In and out: sums (2, d): Σ (x - shift), Σ (x - shift)².
    """
    n, d = X.shape
    for t in range(cells.shape[0]):
        start = t * LANES
        rows = min(LANES, n - start)
        length = squares[t]
        length[:] = 0.0
        for j in range(d):
            cell = cells[t, j]
            cell[rows:] = 0.0
            for i in range(rows):
                cell[i] = X[start + i, j] - shift[j]
            total, square = 0.0, 0.0
            for i in range(LANES):
                total += cell[i]
                square += cell[i] * cell[i]
                length[i] += cell[i] * cell[i]
            sums[0, j] += total
            sums[1, j] += square


@numba.njit(**FUSED)
def _two_scores(tile, a, b, first, second):
    """first += a · x, second += b · x for every lane: sixteen features meet two centres while they are at hand."""
    d = tile.shape[0]
    j = 0
    while j + 8 <= d:
        x0, x1, x2, x3 = tile[j], tile[j + 1], tile[j + 2], tile[j + 3]
        x4, x5, x6, x7 = tile[j + 4], tile[j + 5], tile[j + 6], tile[j + 7]
        a0, a1, a2, a3, a4, a5, a6, a7 = a[j], a[j + 1], a[j + 2], a[j + 3], a[j + 4], a[j + 5], a[j + 6], a[j + 7]
        b0, b1, b2, b3, b4, b5, b6, b7 = b[j], b[j + 1], b[j + 2], b[j + 3], b[j + 4], b[j + 5], b[j + 6], b[j + 7]
        for i in range(LANES):
            s = first[i] + a0 * x0[i] + a1 * x1[i] + a2 * x2[i] + a3 * x3[i]
            first[i] = s + a4 * x4[i] + a5 * x5[i] + a6 * x6[i] + a7 * x7[i]
            s = second[i] + b0 * x0[i] + b1 * x1[i] + b2 * x2[i] + b3 * x3[i]
            second[i] = s + b4 * x4[i] + b5 * x5[i] + b6 * x6[i] + b7 * x7[i]
        j += 8
    while j + 2 <= d:
        x0, x1, a0, a1, b0, b1 = tile[j], tile[j + 1], a[j], a[j + 1], b[j], b[j + 1]
        for i in range(LANES):
            first[i] = first[i] + a0 * x0[i] + a1 * x1[i]
            second[i] = second[i] + b0 * x0[i] + b1 * x1[i]
        j += 2
    if j < d:
        x0, a0, b0 = tile[j], a[j], b[j]
        for i in range(LANES):
            first[i] += a0 * x0[i]
            second[i] += b0 * x0[i]


@numba.njit(**FUSED)
def _two_squares(tile, a, b, first, second):
    """first += ‖x - a‖², second += ‖x - b‖² for every lane: for groups so far apart that the short form rounds off."""
    for j in range(tile.shape[0]):
        x, at, to = tile[j], a[j], b[j]
        for i in range(LANES):
            first[i] += (x[i] - at) * (x[i] - at)
            second[i] += (x[i] - to) * (x[i] - to)


@numba.njit(**FUSED)
def take_nearer(score, k, best, which):
    """Lanes for which centre k is nearer than any before it: on a tie the centre before it stays."""
    for i in range(LANES):
        better = score[i] < best[i]
        best[i] = score[i] if better else best[i]
        which[i] = k if better else which[i]


@numba.njit(**FUSED)
def nearest_in_tile(tile, centres, norms, direct, first, second, best, which):
    """The least score and its centre for every lane. The number of centres is even: one of infinite norm may pad."""
    best[:] = np.inf
    which[:] = 0.0
    for k in range(0, centres.shape[0], 2):
        first[:] = norms[k]
        second[:] = norms[k + 1]
        if direct:
            _two_squares(tile, centres[k], centres[k + 1], first, second)
        else:
            _two_scores(tile, centres[k], centres[k + 1], first, second)
        take_nearer(first, float(k), best, which)
        take_nearer(second, float(k + 1), best, which)


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _error(rows, weight, best, squares):
    total = 0.0
    if weight.size:
        for i in range(rows):
            total += weight[i] * (best[i] + squares[i])
    else:
        for i in range(rows):
            total += best[i] + squares[i]
    return total


@numba.njit(**FUSED)
def settle(tile, rows, weight, which, labels, sums, count):
    """Rows that changed their centre leave the sums of the old and enter those of the new; how many did."""
    changed, d = 0, tile.shape[0]
    row = np.empty(d)
    for start in range(0, rows, STRETCH):
        stop, differ = min(start + STRETCH, rows), 0
        for i in range(start, stop):
            differ += which[i] != np.float64(labels[i])
        if not differ:
            continue
        changed += differ
        for i in range(start, stop):
            now, before = np.int32(which[i]), labels[i]
            if now == before:
                continue
            w = weight[i] if weight.size else 1.0
            labels[i] = now
            for j in range(d):
                row[j] = w * tile[j, i]
            count[now] += w
            for j in range(d):
                sums[now, j] += row[j]
            if before >= 0:
                count[before] -= w
                for j in range(d):
                    sums[before, j] -= row[j]
    return changed


@kernel(types.void(IN3, OUT2, types.int64, IN1, IN2, IN1, types.boolean, LABELS, OUT2, OUT1, OUT1))
def assign_rows(cells, squares, rows, weight, centres, norms, direct, labels, sums, count, told):
    """The nearest centre of every row, and what the rows that changed theirs say to the sums.

    In: cells (tiles, d, LANES), squares (tiles, LANES), rows: how many of the lanes count, weight (rows,) or (0,),
    centres (k, d): -2 c with norms ‖c‖², or with `direct` c itself with norms 0; k even, norm infinite for padding.
    In and out: labels (tiles · LANES,), -1 for none yet, sums (k, d), count (k,), told (2,): Σ w ‖x - c‖², changed.
    """
    first, second, best, which = np.empty(LANES), np.empty(LANES), np.empty(LANES), np.empty(LANES)
    nothing = np.zeros(LANES)
    for t in range(cells.shape[0]):
        start = t * LANES
        held = min(LANES, rows - start)
        of = weight[start : start + held] if weight.size else weight
        nearest_in_tile(cells[t], centres, norms, direct, first, second, best, which)
        told[0] += _error(held, of, best, nothing if direct else squares[t])
        told[1] += settle(cells[t], held, of, which, labels[start : start + held], sums, count)


@kernel(types.void(IN3, IN3, OUT2, types.int64, IN1, IN1, LABELS, OUT2, OUT1, OUT1))
def assign_scored(scores, cells, squares, rows, weight, norms, labels, sums, count, told):
    """As `assign_rows`, where a matrix product has made the scores (tiles, k, LANES): for many features."""
    best, which, score = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for t in range(cells.shape[0]):
        start = t * LANES
        held = min(LANES, rows - start)
        of = weight[start : start + held] if weight.size else weight
        best[:] = np.inf
        which[:] = 0.0
        for k in range(scores.shape[1]):
            norm, found = norms[k], scores[t, k]
            for i in range(LANES):
                score[i] = found[i] + norm
            take_nearer(score, float(k), best, which)
        told[0] += _error(held, of, best, squares[t])
        told[1] += settle(cells[t], held, of, which, labels[start : start + held], sums, count)


@kernel(types.void(IN3, types.int64, IN1, OUT2, OUT2, OUT1), reassociate=True)
def try_seeds(cells, rows, weight, closest, seeds, potential):
    """Σ w min(closest, ‖x - seed‖²) for every seed. In and out: potential (seeds,); all else is read."""
    far, near = np.empty(LANES), np.empty(LANES)
    for t in range(cells.shape[0]):
        start = t * LANES
        held = min(LANES, rows - start)
        so_far = closest[t]
        for s in range(0, seeds.shape[0], 2):
            far[:] = 0.0
            near[:] = 0.0
            after = min(s + 1, seeds.shape[0] - 1)
            _two_squares(cells[t], seeds[s], seeds[after], far, near)
            total, other = 0.0, 0.0
            if weight.size:
                for i in range(held):
                    total += weight[start + i] * min(far[i], so_far[i])
                    other += weight[start + i] * min(near[i], so_far[i])
            else:
                for i in range(held):
                    total += min(far[i], so_far[i])
                    other += min(near[i], so_far[i])
            potential[s] += total
            if after > s:
                potential[after] += other


@kernel(types.void(IN3, types.int64, IN1, OUT2, IN1, OUT1), reassociate=True)
def take_seed(cells, rows, weight, closest, seed, tile_sums):
    """closest = min(closest, ‖x - seed‖²), and Σ w closest of every tile (tiles,)."""
    far = np.empty(LANES)
    for t in range(cells.shape[0]):
        start = t * LANES
        held = min(LANES, rows - start)
        so_far = closest[t]
        far[:] = 0.0
        for j in range(cells.shape[1]):
            x, at = cells[t, j], seed[j]
            for i in range(LANES):
                far[i] += (x[i] - at) * (x[i] - at)
        total = 0.0
        for i in range(LANES):
            so_far[i] = min(so_far[i], far[i])
        if weight.size:
            for i in range(held):
                total += weight[start + i] * so_far[i]
        else:
            for i in range(held):
                total += so_far[i]
        tile_sums[t] = total


@kernel(types.void(IN3, types.int64, IN1, IN2, LABELS, OUT1))
def errors_by_centre(cells, rows, weight, centres, labels, errors):
    """Add Σ w ‖x - c‖² of the rows of each centre to `errors` (k,), tile by tile so that rounding stays small."""
    part = np.empty(errors.size)
    for t in range(cells.shape[0]):
        start = t * LANES
        part[:] = 0.0
        for i in range(min(LANES, rows - start)):
            k = labels[start + i]
            total = 0.0
            for j in range(cells.shape[1]):
                away = cells[t, j, i] - centres[k, j]
                total += away * away
            part[k] += (weight[start + i] if weight.size else 1.0) * total
        errors += part
