"""Steps that follow each other: descent on a bowl, epochs of mini-batches, epochs of the perceptron.

Every step needs the one before it, so no array operation can express them.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

OUT1 = types.Array(types.float64, 1, "C")
OUT3 = types.Array(types.float64, 3, "C")
INT1 = types.Array(types.int64, 1, "C")
STATE = types.Array(types.uint64, 1, "C")
IN_INT1 = types.Array(types.int64, 1, "C", readonly=True)
F8, I8, FLAG = types.float64, types.int64, types.boolean

FAST = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}


@kernel(types.void(IN2, IN1, OUT3, OUT1, OUT1), reassociate=True)
def roll_down(H, rates, trail, values, slopes):
    """Steps e ← e - η H e from trail[0]: where they lead, ½ eᵀHe there, and the squared length of the gradient.

    In: H (p, p) symmetric, rates (s,). In and out: trail (s + 1, q, p). Out: values (s,), slopes (s,).
    """
    steps, q, p = trail.shape[0] - 1, trail.shape[1], trail.shape[2]
    for s in range(steps):
        rate, value, slope = rates[s], 0.0, 0.0
        for t in range(q):
            e = trail[s, t]
            for i in range(p):
                row = H[i]
                g = 0.0
                for j in range(p):
                    g += row[j] * e[j]
                value += g * e[i]
                slope += g * g
                trail[s + 1, t, i] = e[i] - rate * g
        values[s] = 0.5 * value
        slopes[s] = slope


@kernel(types.float64(IN2, OUT1, F8, I8), reassociate=True)
def largest_eigenvalue(H, v, tolerance, most):
    """Power iteration: vᵀHv / vᵀv until it changes by less than `tolerance` of itself. In and out: v (p,)."""
    p = v.size
    image = np.empty(p)
    found = 0.0
    for _ in range(most):
        length, along = 0.0, 0.0
        for i in range(p):
            length += v[i] * v[i]
        if not length > 0.0:
            return 0.0
        scale = 1.0 / np.sqrt(length)
        for i in range(p):
            g = 0.0
            for j in range(p):
                g += H[i, j] * v[j]
            image[i] = g * scale
            along += image[i] * v[i] * scale
        v[:] = image
        before, found = found, along
        if abs(found - before) <= tolerance * found:
            break
    return found


@kernel(types.void(INT1, STATE))
def shuffle_order(order, state):
    """A random order of the row numbers: Fisher and Yates by SplitMix64. In and out: order (n,), state (1,)."""
    z = state[0]
    for k in range(order.size - 1, 0, -1):
        z += np.uint64(0x9E3779B97F4A7C15)
        mixed = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ (mixed >> np.uint64(31))
        other = np.int64(((mixed >> np.uint64(32)) * np.uint64(k + 1)) >> np.uint64(32))
        order[k], order[other] = order[other], order[k]
    state[0] = z


@numba.njit(**FAST)
def _row_by_row(X, Y, weight, order, factor, shrink, pull_last, last, theta):
    """θ ← (1 - w shrink) θ - factor · w (ŷ - y) [x, 1] for every row."""
    d, q = X.shape[1], theta.shape[0]
    weighted, shrinking = weight.size > 0, shrink != 0.0
    for i in order:
        w = weight[i] if weighted else 1.0
        for t in range(q):
            guess = theta[t, d]
            for j in range(d):
                guess += theta[t, j] * X[i, j]
            step = factor * w * (guess - Y[i, t])
            if shrinking:
                for j in range(d):
                    theta[t, j] -= w * shrink * theta[t, j]
                theta[t, d] -= pull_last * w * shrink * theta[t, d]
            for j in range(d):
                theta[t, j] -= step * X[i, j]
            theta[t, d] -= last * step


@numba.njit(**FAST)
def _one_batch(X, Y, weight, rows, factor, shrink, pull_last, last, averaged, theta, gradient):
    """θ ← (1 - shrink) θ - factor Σ w (ŷ - y) [x, 1], the sum divided by Σ w where it is `averaged`."""
    d = X.shape[1]
    gradient[:] = 0.0
    total = 0.0
    for i in rows:
        w = weight[i] if weight.size else 1.0
        total += w
        for t in range(theta.shape[0]):
            guess = theta[t, d]
            for j in range(d):
                guess += theta[t, j] * X[i, j]
            miss = w * (guess - Y[i, t])
            for j in range(d):
                gradient[t, j] += miss * X[i, j]
            gradient[t, d] += miss
    if total == 0.0:
        return
    step = factor / total if averaged else factor
    shrink = shrink if averaged else shrink * total
    for t in range(theta.shape[0]):
        for j in range(d):
            theta[t, j] -= step * gradient[t, j] + shrink * theta[t, j]
        theta[t, d] -= last * step * gradient[t, d] + pull_last * shrink * theta[t, d]


@kernel(types.void(IN2, IN2, IN1, IN_INT1, I8, F8, F8, FLAG, FLAG, FLAG, OUT2), reassociate=True)
def batch_epoch(X, Y, weight, order, size, factor, shrink, pull_intercept, intercept, averaged, theta):
    """One epoch: for every `size` rows in this order one step down their own gradient.

    In: X (n, d), Y (n, q), weight (n,) or (0,), order (n,) row numbers. In and out: theta (q, d + 1), intercept last.
    """
    n = order.size
    last, pull_last = 1.0 if intercept else 0.0, 1.0 if pull_intercept else 0.0
    if size == 1 and not (averaged and weight.size):
        _row_by_row(X, Y, weight, order, factor, shrink, pull_last, last, theta)
        return
    gradient = np.empty(theta.shape)
    for start in range(0, n, size):
        rows = order[start : min(start + size, n)]
        _one_batch(X, Y, weight, rows, factor, shrink, pull_last, last, averaged, theta, gradient)


@kernel(types.void(IN2, IN2, IN_INT1, F8, FLAG, OUT2, OUT1), reassociate=True)
def mistake_epoch(X, Y, order, rate, intercept, theta, mistakes):
    """One epoch of the perceptron: a row on the wrong side, or on the plane, pulls it by rate · y [x, 1].

    In: X (n, d), Y (n, q) of -1 and +1. In and out: theta (q, d + 1). Out: mistakes (q,), rows that pulled.
    """
    d = X.shape[1]
    mistakes[:] = 0.0
    for i in order:
        for t in range(theta.shape[0]):
            score = theta[t, d]
            for j in range(d):
                score += theta[t, j] * X[i, j]
            if score * Y[i, t] <= 0.0:
                mistakes[t] += 1.0
                step = rate * Y[i, t]
                for j in range(d):
                    theta[t, j] += step * X[i, j]
                if intercept:
                    theta[t, d] += step
