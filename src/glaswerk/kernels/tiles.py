"""Rows in tiles: 256 rows side by side, one feature after another, so that a vector lane is a row.

Everything that measures distances to few centres walks these tiles: no n × k matrix is ever written.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel
from glaswerk.kernels.vectors import LANES

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
def _two_squares(tile, a, b, first, second):
    """first += ‖x - a‖², second += ‖x - b‖² for every lane: for groups so far apart that the short form rounds off."""
    for j in range(tile.shape[0]):
        x, at, to = tile[j], a[j], b[j]
        for i in range(LANES):
            first[i] += (x[i] - at) * (x[i] - at)
            second[i] += (x[i] - to) * (x[i] - to)


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
