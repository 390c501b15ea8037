"""An epoch of descent on the cross-entropy, a few rows at a time: every step needs the one before it."""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, inner, kernel

ORDER = types.Array(types.int64, 1, "C", readonly=True)


@inner
def _slopes(x, second, theta, slope):
    """y - t of a row for every score: of one score the sigmoid's, of several the softmax's. No power overflows."""
    q, d = theta.shape[0], theta.shape[1] - 1
    for k in range(q):
        score = theta[k, d]
        for j in range(d):
            score += theta[k, j] * x[j]
        slope[k] = score
    if q == 1:
        small = np.exp(-abs(slope[0]))
        share = 1.0 if slope[0] >= 0 else small
        slope[0] = share / (1.0 + small) - second
        return
    top = slope[0]
    for k in range(1, q):
        top = max(top, slope[k])
    total = 0.0
    for k in range(q):
        slope[k] = np.exp(slope[k] - top)
        total += slope[k]
    for k in range(q):
        slope[k] /= total
    slope[int(second)] -= 1.0


@kernel(types.void(IN2, IN1, IN1, ORDER, types.int64, types.float64, types.float64, types.boolean, OUT2),
        reassociate=True)  # fmt: skip
def class_epoch(X, codes, weight, order, size, rate, shrink, intercept, theta):
    """For every `size` rows in this order θ ← θ - rate (Σ w (y - t) [x, 1] + shrink Σ w [θ without w₀]).

    In: X (n, d), codes (n,), weight (n,) or (0,), order (n,) row numbers. In and out: theta (scores, d + 1), intercept
    last; one score for the codes 0 and 1.
    """
    n, q, d = order.size, theta.shape[0], theta.shape[1] - 1
    slope, gradient = np.zeros(q), np.zeros(theta.shape)
    for start in range(0, n, size):
        gradient[:] = 0.0
        total = 0.0
        for i in order[start : min(start + size, n)]:
            w = weight[i] if weight.size else 1.0
            total += w
            _slopes(X[i], codes[i], theta, slope)
            for k in range(q):
                pull = w * slope[k]
                for j in range(d):
                    gradient[k, j] += pull * X[i, j]
                gradient[k, d] += pull
        for k in range(q):
            for j in range(d):
                theta[k, j] -= rate * (gradient[k, j] + shrink * total * theta[k, j])
            if intercept:
                theta[k, d] -= rate * gradient[k, d]
