"""Everything a round of two-class logistic regression asks of its rows, in one walk over few columns."""

from math import exp, log1p

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

ROWS = 256
OUT1 = types.Array(types.float64, 1, "C")


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _losses(score, codes, weight, slope, bend, sums):
    """Slope and curvature of every row of a tile from its score; loss, least lead and weights of classes to `sums`."""
    for i in range(codes.size):
        w = weight[i] if weight.size else 1.0
        is_second = codes[i] > 0.5
        u = -score[i] if is_second else score[i]
        small = exp(-abs(u))
        near = 1.0 / (1.0 + small)
        far = small * near
        wrong = near if u >= 0 else far
        sums[0] += w * (log1p(small) + max(u, 0.0))
        slope[i] = -w * wrong if is_second else w * wrong
        bend[i] = w * near * far
        if w > 0 and -u < sums[1]:
            sums[1] = -u
        sums[3 if is_second else 2] += w


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
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        if rows < ROWS:
            tile[:] = 0.0
            slope[:] = 0.0
            bend[:] = 0.0
        tile[d, :rows] = one
        score[:] = theta[d] * one
        for j in range(d):
            for i in range(rows):
                tile[j, i] = X[start + i, j] - shift[j]
            for i in range(ROWS):
                score[i] += theta[j] * tile[j, i]
        of = weight[start : start + rows] if weight.size else weight
        _losses(score, codes[start : start + rows], of, slope, bend, sums)
        for j in range(size):
            total = 0.0
            for i in range(ROWS):
                total += slope[i] * tile[j, i]
            gradient[j] += total
        if reach.size:
            for j in range(size):
                for i in range(rows):
                    reach[j] = max(reach[j], abs(tile[j, i]))
        if not hessian.size:
            continue
        for j in range(size):
            for i in range(ROWS):
                bent[j, i] = tile[j, i] * bend[i]
        _add_gram(bent, tile, hessian)
