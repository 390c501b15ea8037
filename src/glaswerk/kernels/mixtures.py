"""What EM asks of tiled rows beyond matrix products: products of features, and who is responsible for a row."""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, OUT2, kernel
from glaswerk.kernels.exponential import exponential
from glaswerk.kernels.tiles import IN3, OUT1, OUT3
from glaswerk.kernels.vectors import LANES


@numba.njit(error_model="numpy", fastmath={"contract", "nsz"})
def _soften_tile(scores, top, total):
    """Scores (k, LANES) become e^(score - highest); `top` the highest, `total` their sum."""
    top[:] = scores[0]
    total[:] = 0.0
    for k in range(1, scores.shape[0]):
        score = scores[k]
        for i in range(LANES):
            top[i] = max(top[i], score[i])
    for k in range(scores.shape[0]):
        score = scores[k]
        for i in range(LANES):
            e = exponential(score[i] - top[i])
            score[i] = e
            total[i] += e


@kernel(types.void(OUT3, types.int64, IN1, OUT2, OUT1))
def soften(scores, rows, weight, density, told):
    """Log-densities of components become responsibilities times weights; the log-density of every row.

    In and out: scores (tiles, k, LANES): ln π_k + ln N_k(x); then w γ_k, 0 beyond the last row. told (1,): Σ w ln p.
    In: rows that count, weight (rows,) or (0,). Out: density (tiles, LANES).
    """
    top, total, share = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for t in range(scores.shape[0]):
        start = t * LANES
        held = max(0, min(LANES, rows - start))
        _soften_tile(scores[t], top, total)
        share[:] = 0.0
        for i in range(held):
            w = weight[start + i] if weight.size else 1.0
            density[t, i] = top[i] + np.log(total[i])
            told[0] += w * density[t, i]
            share[i] = w / total[i]
        for k in range(scores.shape[1]):
            score = scores[t, k]
            for i in range(LANES):
                score[i] *= share[i]


@kernel(types.void(IN3, OUT3))
def quadratic_features(cells, features):
    """x_i x_j for i >= j, then x, then 1.

    In: cells (tiles, d, LANES). Out: features (tiles, d (d + 3) / 2 + 1, LANES).
    """
    d = cells.shape[1]
    for t in range(cells.shape[0]):
        at = 0
        for a in range(d):
            left = cells[t, a]
            for b in range(a + 1):
                right, made = cells[t, b], features[t, at]
                for i in range(LANES):
                    made[i] = left[i] * right[i]
                at += 1
        for a in range(d):
            features[t, at + a] = cells[t, a]
        features[t, at + d] = 1.0
