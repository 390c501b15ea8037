"""Branch and bound over subsets of columns: every size's best, from one triangular factor.

A node is an ordered list of groups whose first `fixed` may not be dropped. Its prefixes are models read off the factor;
its children drop one free group each. A child's squares bound those of all models below it, so where they exceed the
best known of its smallest size, nothing below can win.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN2, kernel

OUT1 = types.Array(types.float64, 1, "C")
INT1 = types.Array(types.int64, 1, "C")
IN_INT1 = types.Array(types.int64, 1, "C", readonly=True)
MASK2 = types.Array(types.int8, 2, "C")
REORDER = 6  # free columns from which sorting them anew pays for itself
SAME = 1.0 - 1e-12  # a bound this close to the best known is a tie


FAST = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}


@numba.njit(**FAST)
def _triangular(R, first, last, rows, reach, shares):
    """Reflect columns first … last - 1 of R, which reach `reach` rows below the diagonal; the target is column `last`.

    shares (p + 1,) is room for each column's share in the direction reflected.
    """
    for j in range(first, last):
        end = min(j + reach + 1, rows)
        length = 0.0
        for i in range(j + 1, end):
            length += R[i, j] ** 2
        if length == 0.0:
            continue
        head = R[j, j]
        length = np.sqrt(length + head * head)
        pivot = -length if head > 0 else length
        lead = head - pivot
        scale = 1.0 / (pivot * lead)
        for k in range(j + 1, last + 1):
            shares[k] = lead * R[j, k]
        for i in range(j + 1, end):
            v = R[i, j]
            for k in range(j + 1, last + 1):
                shares[k] += v * R[i, k]
        R[j, j] = pivot
        for k in range(j + 1, last + 1):
            shares[k] *= scale
            R[j, k] += lead * shares[k]
        for i in range(j + 1, end):
            v = R[i, j]
            R[i, j] = 0.0
            for k in range(j + 1, last + 1):
                R[i, k] += v * shares[k]


@numba.njit(**FAST)
def _inverse_rows(R, first, last, inverse):
    """Rows first … last - 1 of R⁻¹ for the trailing block."""
    for i in range(last - 1, first - 1, -1):
        pivot = R[i, i]
        if abs(pivot) < 1e-100:
            pivot = 1e-100
        reciprocal = 1.0 / pivot
        inverse[i, i] = reciprocal
        for k in range(i + 1, last):
            inverse[i, k] = 0.0
        for j in range(i + 1, last):
            factor = -R[i, j] * reciprocal
            for k in range(j, last):
                inverse[i, k] += factor * inverse[j, k]


@numba.njit(error_model="numpy")
def _loss(R, inverse, start, width, last, V):
    """What dropping columns start … start + width - 1 adds to the squares: vᵀ (R⁻¹R⁻ᵀ)⁻¹ v over those columns."""
    for a in range(width):
        total = 0.0
        for k in range(start + a, last):
            total += inverse[start + a, k] * R[k, last]
        V[a, width] = total
        for b in range(a + 1):
            total = 0.0
            for k in range(start + a, last):
                total += inverse[start + a, k] * inverse[start + b, k]
            V[a, b] = total
    loss = 0.0
    for a in range(width):
        for b in range(a):
            for k in range(b):
                V[a, b] -= V[a, k] * V[b, k]
            V[a, b] /= V[b, b]
            V[a, a] -= V[a, b] ** 2
            V[a, width] -= V[a, b] * V[b, width]
        V[a, a] = np.sqrt(max(V[a, a], 1e-200))
        V[a, width] /= V[a, a]
        loss += V[a, width] ** 2
    return loss


@numba.njit(error_model="numpy")
def _record(size, squares, groups, n, without, best, cut, chosen):
    """Keep these groups, but for position `without`, if they beat the best of their size."""
    if size >= len(best) or squares >= best[size]:
        return
    best[size] = squares
    chosen[size, :] = 0
    for k in range(n):
        if k != without:
            chosen[size, groups[k]] = 1
    for larger in range(size, len(cut)):
        if cut[larger] <= squares:
            break
        cut[larger] = squares


@numba.njit(error_model="numpy")
def _sort_free(R, groups, starts, fixed, n, last, widths, losses, order, copy, shares):
    """Free groups by falling loss, and the factor made triangular again from the first that moves."""
    for k in range(fixed, n):
        group, loss, place = groups[k], losses[k], k
        while place > fixed and losses[place - 1] < loss:
            groups[place], losses[place] = groups[place - 1], losses[place - 1]
            order[place] = order[place - 1]
            place -= 1
        groups[place], losses[place], order[place] = group, loss, k
    top = starts[fixed]
    while fixed < n and order[fixed] == fixed:
        fixed += 1
    if fixed == n:
        return
    first = starts[fixed]
    for i in range(top, last):
        for k in range(first, last):
            copy[i, k] = R[i, k]
    column = first
    for k in range(fixed, n):
        for a in range(widths[groups[k]]):
            for i in range(top, last):
                R[i, column] = copy[i, starts[order[k]] + a]
            column += 1
    _triangular(R, first, last, last, last, shares)
    for k in range(fixed, n):
        starts[k + 1] = starts[k] + widths[groups[k]]


@numba.njit(error_model="numpy")
def _enter(R, groups, starts, losses, fixed, n, squares, widths, scratch, best, cut, chosen):
    """What dropping each free group costs, the free groups in that order, and all prefixes as models."""
    inverse, copy, V, shares, order = scratch
    starts[0] = 0
    for k in range(n):
        starts[k + 1] = starts[k] + widths[groups[k]]
    last = starts[n]
    _inverse_rows(R, starts[fixed], last, inverse)
    for k in range(fixed, n):
        losses[k] = _loss(R, inverse, starts[k], widths[groups[k]], last, V)
    if n - fixed >= REORDER:
        _sort_free(R, groups, starts, fixed, n, last, widths, losses, order, copy, shares)
    left = squares
    for k in range(n, fixed, -1):
        _record(starts[k], left, groups, k, -1, best, cut, chosen)
        for row in range(starts[k - 1], starts[k]):
            left += R[row, last] ** 2


@numba.njit(error_model="numpy")
def _drop(R, start, width, last, child, shares):
    """The factor without columns start … start + width - 1."""
    for row in range(last):
        for k in range(start):
            child[row, k] = R[row, k]
        for k in range(start + width, last + 1):
            child[row, k - width] = R[row, k]
    _triangular(child, start, last - width, last, width, shares)


@kernel(types.int64(IN2, types.float64, IN_INT1, types.int64, OUT1, OUT1, MASK2))
def best_subsets(factor, residual, widths, node_limit, best, open_bounds, chosen):
    """The least squares of every size, over whole groups of columns; returns the number of nodes looked at.

    In: upper triangular factor (p, p + 1) of [X, y], columns in the order of their groups, the squares that all of them
    leave, widths (g,) of the groups. In and out: best (sizes,), by number of columns, infinite but for best[0].
    Out: open_bounds (sizes,), what unseen nodes might still reach, filled with infinity; chosen (sizes, g), with zeros.
    """
    g, p, sizes = len(widths), factor.shape[0], len(best)
    stack, square = np.zeros((g + 1, p, p + 1)), (p, p)
    scratch = np.zeros(square), np.zeros(square), np.zeros((p, p + 1)), np.zeros(p + 1), np.zeros(g, np.int64)
    groups, losses, starts = np.zeros((g + 1, g), np.int64), np.zeros((g + 1, g)), np.zeros((g + 1, g + 1), np.int64)
    fixed, count, at = np.zeros(g + 1, np.int64), np.zeros(g + 1, np.int64), np.zeros(g + 1, np.int64)
    squares, cut, narrowest = np.zeros(g + 1), np.full(sizes, best[0]), widths.min()
    stack[0], groups[0], count[0], squares[0] = factor, np.arange(g), g, residual
    nodes, t, entered = 0, 0, True
    while t >= 0:
        R, n = stack[t], count[t]
        if entered:
            nodes += 1
            _enter(
                R, groups[t], starts[t], losses[t], fixed[t], n, squares[t], widths, scratch, best, cut, chosen
            )  # fmt: skip
            at[t], entered = n - 2, False
        i, last = at[t], starts[t, n]
        if i < fixed[t]:
            t -= 1
            continue
        at[t] -= 1
        bound, smallest, width = squares[t] + losses[t, i], starts[t, i] + narrowest, widths[groups[t, i]]
        if smallest >= sizes or bound >= cut[smallest] * SAME:
            continue
        if i == n - 2:  # one free group is left below: the child is the only new model
            _record(last - width, bound, groups[t], n, i, best, cut, chosen)
        elif nodes >= node_limit:
            for size in range(smallest, min(sizes, last - width + 1)):
                open_bounds[size] = min(open_bounds[size], bound)
        else:
            _drop(R, starts[t, i], width, last, stack[t + 1], scratch[3])
            groups[t + 1, :i] = groups[t, :i]
            groups[t + 1, i : n - 1] = groups[t, i + 1 : n]
            count[t + 1], fixed[t + 1], squares[t + 1] = n - 1, i, bound
            t, entered = t + 1, True
    return nodes
