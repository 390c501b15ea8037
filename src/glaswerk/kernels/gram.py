"""Gram of few columns: two to four times a BLAS call below a few dozen columns, where BLAS has no work to share.

Two kernels, for tables stored by rows and by columns: they fill the same tile, so their bits are the same.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

ROWS = 256


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _add_products(tile, weighted, gram):
    """gram += weighted tileᵀ, lower triangle. Two columns meet two at a time: four products for four numbers read.

    The row of the tile beyond the last is zero.
    """
    size = gram.shape[0]
    for j in range(0, size, 2):
        left, left_next = weighted[j], weighted[j + 1]
        for k in range(0, j + 1, 2):
            right, right_next = tile[k], tile[k + 1]
            here, across, below, corner = 0.0, 0.0, 0.0, 0.0
            for i in range(ROWS):
                here += left[i] * right[i]
                across += left[i] * right_next[i]
                below += left_next[i] * right[i]
                corner += left_next[i] * right_next[i]
            gram[j, k] += here
            if k < j:
                gram[j, k + 1] += across
            if j + 1 < size:
                gram[j + 1, k] += below
                gram[j + 1, k + 1] += corner


@numba.njit(error_model="numpy")
def _turn(X, start, rows, shift, tile):
    """Rows as columns: eight rows at a time, whose lines of memory stay near while every column is taken from them."""
    whole = rows - rows % 8
    for first in range(0, whole, 8):
        for j in range(X.shape[1]):
            for i in range(first, first + 8):
                tile[j, i] = X[start + i, j] - shift[j]
    for j in range(X.shape[1]):
        for i in range(whole, rows):
            tile[j, i] = X[start + i, j] - shift[j]


@numba.njit(error_model="numpy")
def _weigh(tile, weight, weighted):
    for j in range(tile.shape[0]):
        for i in range(weight.size):
            weighted[j, i] = tile[j, i] * weight[i]


@kernel(types.void(IN2, IN2, IN1, IN1, OUT2))
def narrow_gram(X, Y, weight, shift, gram):
    """Add Σ w a aᵀ, a = [x, y, 1] - [shift, 0], to the lower triangle of `gram`.

    In: X (n, d), Y (n, q), weight (n,) or (0,) for none, shift (d + q,). In and out: gram (d + q + 1, d + q + 1).
    """
    n, d = X.shape
    q = Y.shape[1]
    tile = np.zeros((d + q + 2, ROWS))
    weighted = np.zeros(tile.shape) if weight.size else tile
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        tile[:, rows:] = 0.0
        tile[d + q, :rows] = 1.0
        _turn(X, start, rows, shift[:d], tile[:d])
        _turn(Y, start, rows, shift[d:], tile[d:])
        if weight.size:
            _weigh(tile, weight[start : start + rows], weighted)
        _add_products(tile, weighted, gram)


@kernel(types.void(IN2, IN2, IN1, IN1, OUT2))
def narrow_gram_of_columns(X, Y, weight, shift, gram):
    """As `narrow_gram`, for X (d, n) and Y (q, n): a table stored column by column, as files hold it."""
    d, n = X.shape
    q = Y.shape[0]
    tile = np.zeros((d + q + 2, ROWS))
    weighted = np.zeros(tile.shape) if weight.size else tile
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        tile[:, rows:] = 0.0
        tile[d + q, :rows] = 1.0
        for j in range(d):
            for i in range(rows):
                tile[j, i] = X[j, start + i] - shift[j]
        for j in range(q):
            for i in range(rows):
                tile[d + j, i] = Y[j, start + i] - shift[d + j]
        if weight.size:
            _weigh(tile, weight[start : start + rows], weighted)
        _add_products(tile, weighted, gram)
