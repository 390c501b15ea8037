"""Vector quantisation one row at a time: a loop whose every step depends on the one before."""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN2, OUT2, kernel

ORDER = types.Array(types.int64, 1, "C", readonly=True)


@kernel(types.void(IN2, ORDER, types.float64, types.float64, types.float64, OUT2), reassociate=True)
def quantise_epoch(X, order, rate, decay, epochs, centres):
    """w_c ← w_c + ε (x - w_c) for the nearest w_c of every row in turn, ε = rate / (1 + decay · epochs done).

    In: X (n, d), order (n,), epochs: those done before this one. In and out: centres (d, k).
    """
    d, k = centres.shape
    squares = np.empty(k)
    for step in range(order.size):
        x = X[order[step]]
        squares[:] = 0.0
        for j in range(d):
            at, value = centres[j], x[j]
            for c in range(k):
                squares[c] += (value - at[c]) * (value - at[c])
        best = 0
        for c in range(1, k):
            if squares[c] < squares[best]:
                best = c
        pull = rate / (1.0 + decay * (epochs + step / order.size))
        for j in range(d):
            centres[j, best] += pull * (x[j] - centres[j, best])
