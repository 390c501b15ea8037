"""The first rounds of two-class logistic regression where the rows lie in memory: a search in one compiled loop.

    θ ← θ - a B g,   B ≈ (H + Λ)⁻¹ from a curvature and the last changes of g                    [NAN-NEWTON] (L-BFGS)

Where columns are many a curvature costs as much as several gradients: it is taken anew where a round gained little.
"""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, inner, kernel
from glaswerk.kernels.logistic import OUT1, logistic_sums

MEMORY = 12  # changes of the gradient that are remembered
ENOUGH = 1e-4  # of the fall that the slope promises
SHORTEST = 1e-6  # a step cut to so little is given up
POOREST = 1e-12  # a pivot, relative to its diagonal, below which a curvature is no help
GAINED = 0.3  # of what the last round promised, still promised by the next: more asks for a new curvature


@inner
def _factorise(hessian, penalty, one, lower):
    """lower lowerᵀ = H + Λ from the lower triangle of H; False where it is not clearly positive."""
    size = len(hessian)
    for i in range(size):
        for j in range(i + 1):
            total = hessian[i, j]
            if i == j:
                total += penalty if i < size - 1 else 1.0 - one
            least = POOREST * total
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            if j < i:
                lower[i, j] = total / lower[j, j]
            elif total > least:
                lower[i, i] = np.sqrt(total)
            else:
                return False
    return True


@inner
def _solve(lower, right, found):
    """found ← (lower lowerᵀ)⁻¹ right."""
    size = len(right)
    for i in range(size):
        total = right[i]
        for k in range(i):
            total -= lower[i, k] * found[k]
        found[i] = total / lower[i, i]
    for i in range(size - 1, -1, -1):
        found[i] /= lower[i, i]
        for k in range(i):
            found[k] -= lower[i, k] * found[i]


@inner
def _dot(left, right):
    total = 0.0
    for j in range(len(left)):
        total += left[j] * right[j]
    return total


@inner
def _add(out, times, vector):
    for j in range(len(out)):
        out[j] += times * vector[j]


@inner
def _largest(vector):
    found = 0.0
    for j in range(len(vector)):
        found = max(found, abs(vector[j]))
    return found


@inner
def _downwards(lower, moved, turned, known, gradient, direction):
    """direction ← -B g by the two loops of L-BFGS over the last `known` changes, oldest overwritten first."""
    part, rest = np.zeros(MEMORY), np.zeros(len(gradient))
    _add(rest, -1.0, gradient)
    first = max(0, known - MEMORY)
    for k in range(known - 1, first - 1, -1):
        s, y = moved[k % MEMORY], turned[k % MEMORY]
        part[k % MEMORY] = _dot(s, rest) / _dot(s, y)
        _add(rest, -part[k % MEMORY], y)
    _solve(lower, rest, direction)
    if known:  # the old curvature is scaled to the size that the last change shows
        s, y = moved[(known - 1) % MEMORY], turned[(known - 1) % MEMORY]
        _solve(lower, y, rest)
        _add(direction, _dot(s, y) / _dot(y, rest) - 1.0, direction)
    for k in range(first, known):
        s, y = moved[k % MEMORY], turned[k % MEMORY]
        _add(direction, part[k % MEMORY] - _dot(y, direction) / _dot(s, y), s)


@inner
def _look(X, codes, weight, shift, one, penalty, theta, gradient, hessian, sums):
    """F, ∇F and the lower triangle of H at theta."""
    gradient[:], hessian[:], sums[:] = 0.0, 0.0, 0.0
    sums[1] = np.inf
    logistic_sums(X, codes, weight, shift, theta, one, gradient, hessian, np.zeros(0), sums)
    squares = 0.0
    for j in range(len(theta) - 1):
        gradient[j] += penalty * theta[j]
        squares += theta[j] * theta[j]
    return sums[0] + 0.5 * penalty * squares


@inner
def _remember(place, trial, before, after, moved, turned, known):
    """One change of place and gradient more; one that shows no upward curvature is left out."""
    s, y = moved[known % MEMORY], turned[known % MEMORY]
    for j in range(len(place)):
        s[j], y[j] = trial[j] - place[j], after[j] - before[j]
    return known + (_dot(s, y) > 1e-14 * np.sqrt(_dot(s, s) * _dot(y, y)))


@kernel(types.intp(IN2, IN1, IN1, IN1, types.float64, types.float64, types.float64, types.boolean,
                   OUT1, OUT1, OUT1, OUT2, OUT2))  # fmt: skip
def logistic_walk(X, codes, weight, shift, one, penalty, tol, dear, theta, gradient, direction, hessian, trace):
    """Go down from theta, and stop where the step after the next promises less than tol² of F.

    In: X (n, d), codes 0 or 1 (n,), weight (n,) or (0,), shift (d,), one: 1, or 0 for no intercept, penalty λ of
    ½ λ |w|²; dear: whether curvatures are spared. In and out: theta (d + 1,), the last place taken; hessian, the lower
    triangle of the curvature seen last, (d + 1)², zero at its first cell where none is known. Out: gradient there and
    the direction of the next step; trace (rounds, 4): F, the largest |∇F|, the length of the step there, walks over the
    rows so far. Returns the number of places taken, negative where the next step is not to be trusted, 0 for none.
    """
    size = len(theta)
    after, seen, none, sums = np.zeros(size), np.zeros((size, size)), np.zeros((0, 0)), np.zeros(4)
    moved, turned, lower = np.zeros((MEMORY, size)), np.zeros((MEMORY, size)), np.zeros((size, size))
    trial, known, taken, walks, length, promised = theta.copy(), 0, 0, 0, 0.0, np.inf
    given = hessian[0, 0] > 0
    if given and not _factorise(hessian, penalty, one, lower):
        return 0
    while taken < len(trace):
        whole = not given if taken == 0 else not dear
        value = _look(X, codes, weight, shift, one, penalty, trial, after, seen if whole else none, sums)
        walks += 1
        if taken and not value <= trace[taken - 1, 0] - ENOUGH * length * promised:
            length *= 0.25
            trial[:] = theta
            _add(trial, length, direction)
            if length < SHORTEST:
                return -taken
            continue
        if not np.isfinite(value):
            return 0
        if taken and not whole:
            known = _remember(theta, trial, gradient, after, moved, turned, known)
        theta[:], gradient[:] = trial, after
        trace[taken, 0], trace[taken, 1], trace[taken, 2] = value, _largest(after), length
        taken += 1
        if not whole:
            _downwards(lower, moved, turned, known, gradient, direction)
            whole = taken > 1 and -_dot(gradient, direction) > GAINED * promised
            if whole:
                _look(X, codes, weight, shift, one, penalty, theta, after, seen, sums)
                walks += 1
        if whole:
            if not _factorise(seen, penalty, one, lower):
                return 1 - taken
            hessian[:], known = seen, 0
            _downwards(lower, moved, turned, known, gradient, direction)
        last, promised = promised, -_dot(gradient, direction)
        trace[taken - 1, 3] = walks
        if promised * min(1.0, promised / last if taken > 1 else 1.0) <= 2 * tol * tol * abs(value):
            return taken
        length = 1.0
        trial[:] = theta
        _add(trial, 1.0, direction)
    return taken
