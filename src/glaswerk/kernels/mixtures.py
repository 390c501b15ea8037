"""What EM asks of tiled rows beyond matrix products: products of features, and who is responsible for a row."""

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from glaswerk.kernels.compiling import IN1, OUT2, kernel
from glaswerk.kernels.tiles import IN3, LANES, OUT1, OUT3

MAGIC = 6755399441055744.0  # 1.5 · 2^52: adding it leaves the nearest whole number in the low bits
LOG2E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
ONE = np.int64(1023) << np.int64(52)
LEAST = -708.0  # below it e^x is not a normal number: 0 is returned


@intrinsic
def _bits(typing_context, number):  # noqa: ARG001 - numba prescribes the arguments
    """The 64 bits of a double."""

    def build(context, builder: ir.IRBuilder, signature, arguments):  # noqa: ARG001
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), build


@intrinsic
def _double(typing_context, bits):  # noqa: ARG001 - numba prescribes the arguments
    """The double with these bits."""

    def build(context, builder: ir.IRBuilder, signature, arguments):  # noqa: ARG001
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), build


@numba.njit(inline="always", error_model="numpy")
def _exponential(x):
    """e^x for x <= 0 by x = n ln 2 + r and thirteen terms: within two last digits, and without a branch."""
    held = max(x, LEAST)
    shifted = held * LOG2E + MAGIC
    n = shifted - MAGIC
    r = (held - n * LN2_HIGH) - n * LN2_LOW
    p = 1.0 / 6227020800.0
    p = p * r + 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    power = _double((_bits(shifted) << np.int64(52)) + ONE)
    return p * power if x >= LEAST else 0.0


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
            e = _exponential(score[i] - top[i])
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
