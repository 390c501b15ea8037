"""Double-double loops of least squares: the Gram, and the gradient at given weights.

Rounding errors are computed, so nothing here may be reassociated; vector lanes run over independent rows instead.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.arithmetic import fused, two_product, two_sum
from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

ROWS = 256
LANES = 32


@numba.njit(error_model="numpy")
def _subtract_fit(tile, tile_low, w, w_low, rest, rest_low):
    """rest -= Σ_j w_j tile_j, all pairs, one vector of rows at a time."""
    for j in range(w.size):
        column, column_low = tile[j], tile_low[j]
        factor, factor_low = -w[j], -w_low[j]
        for i in range(ROWS):
            product, error = two_product(factor, column[i])
            error = fused(factor, column_low[i], fused(factor_low, column[i], error))
            total, lost = two_sum(rest[i], product)
            rest[i] = total
            rest_low[i] += lost + error
    for i in range(ROWS):
        rest[i], rest_low[i] = two_sum(rest[i], rest_low[i])


@numba.njit(error_model="numpy")
def _add_products(tile, tile_low, weighted, weighted_low, gradient, gradient_low):
    """gradient_j += Σ_i weighted_i tile_ji: each lane sums its own rows, then the lanes are added in order."""
    lanes, lanes_low = np.empty(LANES), np.empty(LANES)
    for j in range(tile.shape[0]):
        column, column_low = tile[j], tile_low[j]
        lanes[:] = 0.0
        lanes_low[:] = 0.0
        for first in range(0, ROWS, LANES):
            for lane in range(LANES):
                i = first + lane
                product, error = two_product(weighted[i], column[i])
                error = fused(weighted[i], column_low[i], fused(weighted_low[i], column[i], error))
                total, lost = two_sum(lanes[lane], product)
                lanes[lane] = total
                lanes_low[lane] += lost + error
        for lane in range(LANES):
            total, lost = two_sum(gradient[j], lanes[lane])
            gradient[j] = total
            gradient_low[j] += lost + lanes_low[lane]


@kernel(types.void(IN2, IN2, IN2, IN1, IN1, OUT2, OUT2))
def exact_gram(X, X_low, Y, weight, shift, gram, gram_low):
    """Add Σ w a aᵀ, a = [x, y, 1] - [shift, 0], to the lower triangle of the pair (gram, gram_low).

    In: X (n, d), X_low (n, d) or (0, 0) for none, Y (n, q), weight (n,) or (0,), shift (d + q,).
    In and out: gram, gram_low (d + q + 1, d + q + 1). The low part is left unnormalised.
    """
    n, d = X.shape
    q = Y.shape[1]
    size = d + q + 1
    a = np.empty(size)
    a_low = np.zeros(size)
    a[size - 1] = 1.0
    for i in range(n):
        for j in range(d):
            a[j], a_low[j] = two_sum(X[i, j], -shift[j])
        if X_low.size:
            for j in range(d):
                a[j], a_low[j] = two_sum(a[j], a_low[j] + X_low[i, j])
        for j in range(q):
            a[d + j], a_low[d + j] = two_sum(Y[i, j], -shift[d + j])
        w = weight[i] if weight.size else 1.0
        for j in range(size):
            left, left_low = two_product(a[j], w)
            left_low = fused(a_low[j], w, left_low)
            for k in range(j + 1):
                product, error = two_product(left, a[k])
                error = fused(left, a_low[k], fused(left_low, a[k], error))
                total, lost = two_sum(gram[j, k], product)
                gram[j, k] = total
                gram_low[j, k] += lost + error


@kernel(types.void(IN2, IN2, IN2, IN1, IN2, IN2, OUT2, OUT2))
def exact_gradient(X, X_low, Y, weight, coefficients, coefficients_low, gradient, gradient_low):
    """Add Σ w r [x, 1, r], r = y - [x, 1] · coefficients, to the pair (gradient, gradient_low).

    In: X (n, d), X_low (n, d) or (0, 0), Y (n, q), weight (n,) or (0,), coefficients as a pair (q, d + 1), intercept
    last. In and out: gradient as a pair (q, d + 2), the sum of squares last.
    """
    n, d = X.shape
    tile, tile_low = np.zeros((d + 2, ROWS)), np.zeros((d + 2, ROWS))
    rest, rest_low = tile[d + 1], tile_low[d + 1]
    weighted, weighted_low = np.zeros(ROWS), np.zeros(ROWS)
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        tile[d, :rows] = 1.0
        tile[d, rows:] = 0.0
        for i in range(rows):
            for j in range(d):
                tile[j, i] = X[start + i, j]
        if X_low.size:
            for i in range(rows):
                for j in range(d):
                    tile_low[j, i] = X_low[start + i, j]
        for target in range(Y.shape[1]):
            rest[:] = 0.0
            rest_low[:] = 0.0
            rest[:rows] = Y[start : start + rows, target]
            _subtract_fit(tile, tile_low, coefficients[target], coefficients_low[target], rest, rest_low)
            for i in range(rows):
                w = weight[start + i] if weight.size else 1.0
                weighted[i], error = two_product(rest[i], w)
                weighted_low[i] = fused(rest_low[i], w, error)
            weighted[rows:] = 0.0
            weighted_low[rows:] = 0.0
            _add_products(tile, tile_low, weighted, weighted_low, gradient[target], gradient_low[target])
