"""One epoch of a feed-forward network: forward, backward, step, for every slice of rows. BLAS multiplies, loops bend.

Every step needs the one before it; the arrays of a slice are views of two buffers, so that nothing is allocated.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import kernel

IDENTITY, TANH, LOGISTIC, RELU = range(4)
SQUARED, BINARY, SOFTMAX = range(3)
NOTHING, PLAIN, MOMENTUM, NESTEROV, ADAM = range(5)
RATE, DECAY, INERTIA, BETA_1, BETA_2, EPSILON, RIDGE = range(7)  # places in the array of settings

FAST = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}


@numba.njit(**FAST)
def _bend(Z, bias, kind):
    """Z ← activation of Z + bias."""
    for r in range(Z.shape[0]):
        row = Z[r]
        if kind == RELU:
            for j in range(row.size):
                row[j] = max(row[j] + bias[j], bias[j] * 0)
        elif kind == TANH:
            for j in range(row.size):
                row[j] = np.tanh(row[j] + bias[j])
        elif kind == LOGISTIC:
            for j in range(row.size):
                row[j] = 1 / (1 + np.exp(-(row[j] + bias[j])))
        else:
            for j in range(row.size):
                row[j] += bias[j]


@numba.njit(**FAST)
def _through(D, A, kind):
    """D ← D times the slope of the activation, which its value A gives."""
    for r in range(D.shape[0]):
        d, a = D[r], A[r]
        if kind == RELU:
            for j in range(d.size):
                d[j] = d[j] if a[j] > 0 else d[j] * 0
        elif kind == TANH:
            for j in range(d.size):
                d[j] *= 1 - a[j] * a[j]
        elif kind == LOGISTIC:
            for j in range(d.size):
                d[j] *= a[j] * (1 - a[j])


@numba.njit(**FAST)
def _judge(Z, Y, weight, rows, output, D):
    """D ← w (prediction - target), the slope of the loss by the last scores Z; the loss summed."""
    loss = 0.0
    for r in range(Z.shape[0]):
        z, y, d = Z[r], Y[rows[r]], D[r]
        w = weight[rows[r]] if weight.size else 1.0
        if output == SOFTMAX:
            top = z[0]
            for j in range(z.size):
                top = max(top, z[j])
            total = 0.0
            for j in range(z.size):
                d[j] = np.exp(z[j] - top)
                total += d[j]
            for j in range(z.size):
                if y[j] > 0:
                    loss -= w * y[j] * (z[j] - top - np.log(total))
                d[j] = w * (d[j] / total - y[j])
        elif output == BINARY:
            for j in range(z.size):
                share = 1 / (1 + np.exp(-abs(z[j])))  # of the sign that z has
                loss += w * (max(z[j], 0.0) - z[j] * y[j] - np.log(share))
                d[j] = w * ((share if z[j] > 0 else 1 - share) - y[j])
        else:
            for j in range(z.size):
                miss = z[j] - y[j]
                loss += 0.5 * w * miss * miss
                d[j] = w * miss
    return loss


@numba.njit(**FAST)
def _step(theta, gradient, first, second, kind, h, clock):
    """θ moves against the gradient, as the optimiser says; its memory is kept in first and second."""
    if kind == ADAM:
        one = 1 - h[BETA_1] ** clock
        rate = h[RATE] * np.sqrt(1 - h[BETA_2] ** clock) / one
        rate = theta.dtype.type(rate)
        for k in range(theta.size):
            g = gradient[k]
            first[k] = h[BETA_1] * first[k] + (1 - h[BETA_1]) * g
            second[k] = h[BETA_2] * second[k] + (1 - h[BETA_2]) * g * g
            theta[k] -= rate * first[k] / (np.sqrt(second[k]) + h[EPSILON])
    elif kind == PLAIN:
        for k in range(theta.size):
            theta[k] -= h[RATE] * gradient[k]
    else:
        for k in range(theta.size):
            first[k] = h[INERTIA] * first[k] - h[RATE] * gradient[k]
            theta[k] += first[k] if kind == MOMENTUM else h[INERTIA] * first[k] - h[RATE] * gradient[k]


def _epoch(
    X, Y, weight, order, size, widths, hidden, output, kind, h, clock, theta, gradient, first, second, act, slope
):  # fmt: skip
    """One step for every `size` rows in this order; the sum of their losses, the penalty included, before each step.

    In: X (n, d), Y (n, q), weight (n,) or (0,), order (n,), widths of the layers, kinds of activation, output and step,
    settings h, clock: steps taken before. In and out: theta, first, second (p,): each layer's W row by row, then its b.
    Out: gradient (p,) of the last slice. Work: act, slope (size · sum of widths,).
    """
    n, last, total = order.size, widths.size - 1, 0.0
    for start in range(0, n, size):
        rows = order[start : min(start + size, n)]
        m, a, t = rows.size, 0, 0
        whole = 0.0
        for r in range(m):
            act[r * widths[0] : (r + 1) * widths[0]] = X[rows[r]]
            whole += weight[rows[r]] if weight.size else 1.0
        if whole == 0.0:
            continue
        for l in range(last):  # noqa: E741
            wide, out = widths[l], widths[l + 1]
            b = a + m * wide
            Z = act[b : b + m * out].reshape(m, out)
            np.dot(act[a:b].reshape(m, wide), theta[t : t + wide * out].reshape(wide, out), Z)
            t += wide * out
            _bend(Z, theta[t : t + out], hidden if l < last - 1 else IDENTITY)
            a, t = b, t + out
        D = slope[a : a + m * widths[last]].reshape(m, widths[last])
        loss = _judge(act[a : a + m * widths[last]].reshape(m, widths[last]), Y, weight, rows, output, D)
        squares, share = 0.0, theta.dtype.type(1.0 / whole)
        for l in range(last - 1, -1, -1):  # noqa: E741
            wide, out = widths[l], widths[l + 1]
            t -= out
            G = gradient[t : t + out]
            G[:] = 0
            for r in range(m):
                for j in range(out):
                    G[j] += D[r, j]
            for j in range(out):
                G[j] *= share
            t -= wide * out
            W, V = theta[t : t + wide * out], gradient[t : t + wide * out]
            a -= m * wide
            A = act[a : a + m * wide].reshape(m, wide)
            np.dot(A.T, D, V.reshape(wide, out))
            for k in range(W.size):
                squares += W[k] * W[k]
                V[k] = (V[k] + h[RIDGE] * W[k]) * share
            if l > 0:
                back = slope[a : a + m * wide].reshape(m, wide)
                np.dot(D, W.reshape(wide, out).T, back)
                _through(back, A, hidden)
                D = back
        clock += 1
        _step(theta, gradient, first, second, kind, h, clock)
        total += loss + 0.5 * h[RIDGE] * squares
    return total


def _signature(number: types.Type) -> types.Type:
    rows, cells = types.Array(number, 2, "C", readonly=True), types.Array(number, 1, "C")
    known, places = types.Array(number, 1, "C", readonly=True), types.Array(types.int64, 1, "C", readonly=True)
    i8 = types.int64
    return types.float64(
        rows, rows, known, places, i8, places, i8, i8, i8, known, i8, cells, cells, cells, cells, cells, cells
    )


network_epoch = kernel(_signature(types.float64), reassociate=True)(_epoch)
network_epoch_single = kernel(_signature(types.float32), reassociate=True)(_epoch)
