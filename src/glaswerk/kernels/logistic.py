"""Everything a round of two-class logistic regression asks of its rows, in one walk over few columns."""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

ROWS = 256
LOG2_E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
FARTHEST = 708.0  # beyond it e^-u is not a normal number any more
MAGIC = 6755399441055744.0  # 1.5 · 2^52
OUT1 = types.Array(types.float64, 1, "C")


@numba.njit(error_model="numpy", fastmath={"contract", "nsz"})
def _exp_of_minus(size, whole, bits):
    """size ← e^-size for size >= 0 (0 beyond e^-708): 2^k e^r, |r| <= ½ ln 2, without a branch, so that it vectorises.

    A call of the library's exp and log1p for every row costs more than all else that a gradient asks of it.
    """
    for i in range(ROWS):
        u = -min(size[i], FARTHEST)
        k = np.floor(u * LOG2_E + 0.5)
        r = (u - k * LN2_HIGH) - k * LN2_LOW
        p = 1.0 / 479001600.0
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
        size[i] = p * r + 1.0
        whole[i] = k + (MAGIC + 1023.0)  # the last bits of the sum are those of the integer k + 1023
    for i in range(ROWS):
        bits[i] = bits[i] << 52
    for i in range(ROWS):
        size[i] *= whole[i]


@numba.njit(error_model="numpy", fastmath={"contract", "nsz"})
def _log1p_of(small, out):
    """out ← ln(1 + s) = 2 artanh t, t = s / (2 + s), for 0 <= s <= 1: t² <= 1/9, and eighteen terms are all digits."""
    for i in range(ROWS):
        t = small[i] / (2.0 + small[i])
        v = t * t
        p = 1.0 / 35.0
        p = p * v + 1.0 / 33.0
        p = p * v + 1.0 / 31.0
        p = p * v + 1.0 / 29.0
        p = p * v + 1.0 / 27.0
        p = p * v + 1.0 / 25.0
        p = p * v + 1.0 / 23.0
        p = p * v + 1.0 / 21.0
        p = p * v + 1.0 / 19.0
        p = p * v + 1.0 / 17.0
        p = p * v + 1.0 / 15.0
        p = p * v + 1.0 / 13.0
        p = p * v + 1.0 / 11.0
        p = p * v + 1.0 / 9.0
        p = p * v + 1.0 / 7.0
        p = p * v + 1.0 / 5.0
        p = p * v + 1.0 / 3.0
        p = p * v + 1.0
        out[i] = 2.0 * t * p


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _losses(score, second, weight, slope, bend, work, sums):
    """Slope and curvature of every row of a tile from its score; loss, least lead and weights of classes to `sums`.

    second: 1 for rows of the second class, else 0. work (2, ROWS) is scratch.
    """
    small, whole = work[0], work[1]
    for i in range(ROWS):
        small[i] = abs(score[i])
    _exp_of_minus(small, whole, whole.view(np.int64))
    _log1p_of(small, whole)
    loss, least, ones, twos = 0.0, np.inf, 0.0, 0.0
    for i in range(ROWS):
        w, one = weight[i], second[i]
        u = (1.0 - 2.0 * one) * score[i]
        near = 1.0 / (1.0 + small[i])
        far = small[i] * near
        wrong = near if u >= 0 else far
        loss += w * (whole[i] + max(u, 0.0))
        slope[i] = (1.0 - 2.0 * one) * w * wrong
        bend[i] = w * near * far
        whole[i] = u if w > 0 else -np.inf
        ones += w * (1.0 - one)
        twos += w * one
    for i in range(ROWS):
        least = min(least, -whole[i])
    sums[0] += loss
    sums[1] = min(sums[1], least)
    sums[2] += ones
    sums[3] += twos


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _add_gram(bent, tile, hessian):
    """Lower triangle of Σ bent tileᵀ: two columns meet two at a time, as in `narrow_gram`."""
    size = hessian.shape[0]
    for j in range(0, size, 2):
        left, left_next = bent[j], bent[j + 1]
        for k in range(0, j + 1, 2):
            right, right_next = tile[k], tile[k + 1]
            here, across, below, corner = 0.0, 0.0, 0.0, 0.0
            for i in range(ROWS):
                here += left[i] * right[i]
                across += left[i] * right_next[i]
                below += left_next[i] * right[i]
                corner += left_next[i] * right_next[i]
            hessian[j, k] += here
            if k < j:
                hessian[j, k + 1] += across
            if j + 1 < size:
                hessian[j + 1, k] += below
                hessian[j + 1, k + 1] += corner


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _scores_of_rows(X, start, rows, shift, theta, one, score):
    """θᵀ [x - shift, one] of every row, along the rows as they lie."""
    d = X.shape[1]
    for i in range(rows):
        x = X[start + i]
        total = theta[d] * one
        for j in range(d):
            total += theta[j] * (x[j] - shift[j])
        score[i] = total


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _add_rows(X, start, rows, shift, one, slope, gradient, reach):
    """Σ slope [x - shift, one] added to `gradient`, and the largest cells to `reach`, along the rows as they lie."""
    d = X.shape[1]
    total = 0.0
    for i in range(rows):
        x, s = X[start + i], slope[i]
        for j in range(d):
            gradient[j] += s * (x[j] - shift[j])
        total += s
    gradient[d] += one * total
    if reach.size:
        for i in range(rows):
            x = X[start + i]
            for j in range(d):
                reach[j] = max(reach[j], abs(x[j] - shift[j]))
        reach[d] = max(reach[d], abs(one))


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _fill_tile(X, start, rows, shift, one, tile):
    """The columns of [x - shift, one] one beside the other; zero for rows that are not there."""
    d = X.shape[1]
    if rows < ROWS:
        tile[:] = 0.0
    tile[d, :rows] = one
    whole = rows - rows % 8
    for first in range(0, whole, 8):  # lines of memory stay near while every column is taken from them
        for j in range(d):
            for i in range(first, first + 8):
                tile[j, i] = X[start + i, j] - shift[j]
    for j in range(d):
        for i in range(whole, rows):
            tile[j, i] = X[start + i, j] - shift[j]


@kernel(types.void(IN2, IN1, IN1, IN1, IN1, types.float64, OUT1, OUT2, OUT1, OUT1), reassociate=True)
def logistic_sums(X, codes, weight, shift, theta, one, gradient, hessian, reach, sums):
    """Add Σ w (y - t) a to `gradient`, the lower triangle of Σ w y (1 - y) a aᵀ to `hessian`, a = [x - shift, one].

    In: X (n, d), codes 0 or 1 (n,), weight (n,) or (0,), shift (d,), theta (d + 1,), one: 1, or 0 for no intercept.
    In and out: gradient (d + 1,), hessian (d + 1, d + 1) or (0, 0), reach (d + 1,) or (0,): the largest |a|,
    sums (4,): Σ w E, the least lead of a row of some weight, the weight of each class.
    The tile's row beyond the last is zero.
    """
    n, d = X.shape
    size = d + 1
    tile, bent = np.zeros((size + 1, ROWS)), np.zeros((size + 1, ROWS))
    score, slope, bend = np.zeros(ROWS), np.zeros(ROWS), np.zeros(ROWS)
    times, second, work = np.ones(ROWS), np.zeros(ROWS), np.empty((2, ROWS))
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        times[rows:] = 0.0  # rows that are not there have no weight
        for i in range(rows):
            second[i] = 1.0 if codes[start + i] > 0.5 else 0.0
        if weight.size:
            times[:rows] = weight[start : start + rows]
        _scores_of_rows(X, start, rows, shift, theta, one, score)
        _losses(score, second, times, slope, bend, work, sums)
        _add_rows(X, start, rows, shift, one, slope, gradient, reach)
        if not hessian.size:
            continue
        _fill_tile(X, start, rows, shift, one, tile)
        for j in range(size):
            for i in range(ROWS):
                bent[j, i] = tile[j, i] * bend[i]
        _add_gram(bent, tile, hessian)
