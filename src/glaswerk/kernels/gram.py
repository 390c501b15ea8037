"""Gram of few columns: twice to ten times a BLAS call below a dozen columns, where BLAS has no work to share."""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

ROWS = 512


@kernel(types.void(IN2, IN2, IN1, IN1, OUT2), reassociate=True)
def narrow_gram(X, Y, weight, shift, gram):
    """Add Σ w a aᵀ, a = [x, y, 1] - [shift, 0], to the lower triangle of `gram`.

    In: X (n, d), Y (n, q), weight (n,) or (0,) for none, shift (d + q,). In and out: gram (d + q + 1, d + q + 1).
    """
    n, d = X.shape
    q = Y.shape[1]
    size = d + q + 1
    tile = np.empty((size, ROWS))
    weighted = np.empty((size, ROWS)) if weight.size else tile
    tile[size - 1, :] = 1.0
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        for i in range(rows):
            for j in range(d):
                tile[j, i] = X[start + i, j] - shift[j]
        for j in range(q):
            for i in range(rows):
                tile[d + j, i] = Y[start + i, j] - shift[d + j]
        if weight.size:
            for j in range(size):
                for i in range(rows):
                    weighted[j, i] = tile[j, i] * weight[start + i]
        for j in range(size):
            left = weighted[j]
            for k in range(j + 1):
                right = tile[k]
                total = 0.0
                for i in range(rows):
                    total += left[i] * right[i]
                gram[j, k] += total
