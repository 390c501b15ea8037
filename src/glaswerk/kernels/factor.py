"""Cholesky factor of a Gram held as pairs, and the two triangular solves: 32 digits where a double has 16."""

import numba
from numba import types

from glaswerk.kernels.arithmetic import pair_add, pair_divide, pair_multiply, pair_root
from glaswerk.kernels.compiling import IN2, OUT2, kernel


@numba.njit(error_model="numpy")
def _exchange(lower, a, b):
    """Exchange rows and columns a < b of a symmetric matrix of which only the lower triangle is stored."""
    for k in range(a):
        lower[a, k], lower[b, k] = lower[b, k], lower[a, k]
    for k in range(a + 1, b):
        lower[k, a], lower[b, k] = lower[b, k], lower[k, a]
    for k in range(b + 1, lower.shape[0]):
        lower[k, a], lower[k, b] = lower[k, b], lower[k, a]
    lower[a, a], lower[b, b] = lower[b, b], lower[a, a]


@kernel(types.int64(OUT2, OUT2, types.float64, types.int64[::1]))
def pair_cholesky(gram, gram_low, smallest, order):
    """Factor P G Pᵀ = L Lᵀ in place, largest remaining pivot first; returns the rank.

    In and out: gram as a pair (d, d), lower triangle; on return the columns of L, rows in pivot order. Out: order (d,).
    A pivot at or below `smallest` ends the work: the columns left are combinations of those taken.
    """
    d = gram.shape[0]
    for j in range(d):
        order[j] = j
    for k in range(d):
        pivot = k
        for j in range(k + 1, d):
            if gram[j, j] > gram[pivot, pivot]:
                pivot = j
        if not gram[pivot, pivot] > smallest:
            return k
        if pivot != k:
            _exchange(gram, k, pivot)
            _exchange(gram_low, k, pivot)
            order[k], order[pivot] = order[pivot], order[k]
        root, root_low = pair_root(gram[k, k], gram_low[k, k])
        gram[k, k], gram_low[k, k] = root, root_low
        for i in range(k + 1, d):
            gram[i, k], gram_low[i, k] = pair_divide(gram[i, k], gram_low[i, k], root, root_low)
        for i in range(k + 1, d):
            left, left_low = -gram[i, k], -gram_low[i, k]
            for j in range(k + 1, i + 1):
                high, low = pair_multiply(left, left_low, gram[j, k], gram_low[j, k])
                gram[i, j], gram_low[i, j] = pair_add(gram[i, j], gram_low[i, j], high, low)
    return d


@kernel(types.void(IN2, IN2, OUT2, OUT2))
def pair_solve(factor, factor_low, right, right_low):
    """Solve L Lᵀ u = right in place for every row of the pair `right` (q, d); L (d, d) lower, as a pair."""
    d = factor.shape[0]
    for target in range(right.shape[0]):
        u, u_low = right[target], right_low[target]
        for i in range(d):
            high, low = u[i], u_low[i]
            for k in range(i):
                product, product_low = pair_multiply(-factor[i, k], -factor_low[i, k], u[k], u_low[k])
                high, low = pair_add(high, low, product, product_low)
            u[i], u_low[i] = pair_divide(high, low, factor[i, i], factor_low[i, i])
        for i in range(d - 1, -1, -1):
            high, low = u[i], u_low[i]
            for k in range(i + 1, d):
                product, product_low = pair_multiply(-factor[k, i], -factor_low[k, i], u[k], u_low[k])
                high, low = pair_add(high, low, product, product_low)
            u[i], u_low[i] = pair_divide(high, low, factor[i, i], factor_low[i, i])
