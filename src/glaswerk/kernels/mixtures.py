"""Rounds of EM over tiles of rows: who is responsible for a row (E), and the sums that the mixture follows from (M).

Responsibilities live for one tile. Numbers of components and features are padded to multiples of FOUR with zeros.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel
from glaswerk.kernels.exponential import exponential
from glaswerk.kernels.tiles import IN3, LABELS, OUT1, OUT3
from glaswerk.kernels.vectors import FOUR, GROUP, LANES, WIDTH, contract, contract_lower, products, products_lower

TOGETHER = 16  # rows whose totals are multiplied before a logarithm is taken: each is between 1 and k
MOST = 3 * LANES // 4  # rows of a tile up to which it pays to gather those that count
NEGLIGIBLE = 1e-16  # a responsibility below it changes no digit of a sum
FULL, TIED, DIAGONAL, SPHERICAL = 0, 1, 2, 3


@numba.njit(error_model="numpy")
def _padded(n):
    return -(-n // FOUR) * FOUR


@numba.njit(error_model="numpy", fastmath={"contract", "nsz"})
def _soften(scores, top, total):
    """Scores (k, LANES) become e^(score - highest); `top` the highest, `total` their sum."""
    top[:] = scores[0]
    total[:] = 0.0
    for k in range(1, scores.shape[0]):
        score = scores[k]
        for i in range(LANES):
            top[i] = max(top[i], score[i])
    for k in range(scores.shape[0]):
        score = scores[k]
        for i in range(LANES):
            e = exponential(score[i] - top[i])
            score[i] = e
            total[i] += e


@numba.njit(error_model="numpy")
def _density(held, weight, top, total):
    """Σ w ln p of a tile."""
    found = 0.0
    if weight.size:
        for i in range(held):
            found += weight[i] * (top[i] + np.log(total[i]))
        return found
    for start in range(0, held, TOGETHER):
        product = 1.0
        for i in range(start, min(start + TOGETHER, held)):
            product *= total[i]
            found += top[i]
        found += np.log(product)
    return found


@numba.njit(error_model="numpy")
def _share(scores, held, weight, total):
    """e^(score - highest) become w γ: nothing beyond the last row."""
    part = np.zeros(LANES)
    for i in range(held):
        part[i] = (weight[i] if weight.size else 1.0) / total[i]
    for k in range(scores.shape[0]):
        score = scores[k]
        for i in range(LANES):
            score[i] *= part[i]


@numba.njit(error_model="numpy")
def _lay_features(tile, square, kind, features):
    """Products x_i x_j for i >= j, or squares, or their sum, or nothing; then x, then 1."""
    d, at = tile.shape[0], 0
    if kind == FULL:
        for a in range(d):
            left = tile[a]
            for b in range(a + 1):
                right, made = tile[b], features[at]
                for i in range(LANES):
                    made[i] = left[i] * right[i]
                at += 1
    elif kind == DIAGONAL:
        for a in range(d):
            for i in range(LANES):
                features[a, i] = tile[a, i] * tile[a, i]
        at = d
    elif kind == SPHERICAL:
        features[0] = square
        at = 1
    for a in range(d):
        features[at + a] = tile[a]


@kernel(types.void(IN3, OUT2, types.int64, IN1, IN2, types.int64, OUT2, OUT1))
def natural_step(cells, squares, rows, weight, theta, kind, sums, told):
    """Σ w γ φ(x), φ the features in which ln π_k N_k(x) = θ_k φ(x) is linear.

    In: cells (tiles, d, LANES), squares (tiles, LANES), rows that count, weight (rows,) or (0,), theta (k, p) with k a
    multiple of FOUR, kind: which features. In and out: sums (k, p padded), told (1,): Σ w ln p.
    """
    k, p = theta.shape
    scores, features = np.empty((k, LANES)), np.zeros((_padded(p), LANES))
    features[p - 1], near = 1.0, np.empty((features.shape[0], GROUP))
    top, total, stop = np.empty(LANES), np.empty(LANES), np.full(1, LANES)
    for t in range(cells.shape[0]):
        start = t * LANES
        held = min(LANES, rows - start)
        of = weight[start : start + held] if weight.size else weight
        _lay_features(cells[t], squares[t], kind, features)
        products(features, theta, scores, near)
        _soften(scores, top, total)
        told[0] += _density(held, of, top, total)
        _share(scores, held, of, total)
        contract(scores, features, stop, sums)


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _whitened_scores(tile, means, turns, constant, away, turned, near, scores):
    """ln π_k N_k(x) = constant_k - ‖L_k⁻¹ (x - μ_k)‖² / 2 into scores (k padded, LANES)."""
    d = tile.shape[0]
    scores[means.shape[0] :] = -np.inf
    for k in range(means.shape[0]):
        for j in range(d):
            at, row, made = means[k, j], tile[j], away[j]
            for i in range(LANES):
                made[i] = row[i] - at
        products_lower(away, turns[k], turned, near)
        score = scores[k]
        score[:] = constant[k]
        for j in range(d):
            row = turned[j]
            for i in range(LANES):
                score[i] -= 0.5 * row[i] * row[i]


@numba.njit(error_model="numpy")
def _gather(tile, means, shares, away, stop, sums):
    """sums[k] += Σ w γ [z z', z, 1], z = x - μ_k, of the rows that component k has a share in: a lower triangle."""
    d = tile.shape[0]
    chosen, root = np.empty(LANES, np.int64), np.empty(LANES)
    for k in range(means.shape[0]):
        m = 0
        for i in range(LANES):
            chosen[m] = i
            m += shares[k, i] > NEGLIGIBLE
        if not m:
            continue
        if m > MOST:
            stop[0] = LANES
            for i in range(LANES):
                root[i] = np.sqrt(shares[k, i])
            for j in range(d):
                at, row, made = means[k, j], tile[j], away[j]
                for i in range(LANES):
                    made[i] = (row[i] - at) * root[i]
        else:
            stop[0] = -(-m // WIDTH) * WIDTH
            for i in range(m):
                root[i] = np.sqrt(shares[k, chosen[i]])
            root[m : stop[0]] = 0.0
            chosen[m : stop[0]] = 0
            for j in range(d):
                at, row, made = means[k, j], tile[j], away[j]
                for i in range(stop[0]):
                    made[i] = (row[chosen[i]] - at) * root[i]
        away[d] = root
        contract_lower(away, away, stop, sums[k])


@kernel(types.void(IN3, types.int64, IN1, IN2, IN3, IN1, OUT3, OUT1))
def whitened_step(cells, rows, weight, means, turns, constant, sums, told):
    """Σ w γ [z z', z, 1] about the old means, z = x - μ_k: no digit is lost where components are narrow.

    In: cells (tiles, d, LANES), rows that count, weight (rows,) or (0,), means (k, d), turns (k, d padded, d), the
    inverse roots L⁻¹, constant (k,): ln π_k - ln det L_k - d/2 ln 2π. In and out: sums (k, e, e), e = d + 1 padded,
    lower triangles; told (3,): Σ w ln p, the least ln p and the row that has it.
    """
    k = means.shape[0]
    scores, turned, away = (
        np.empty((_padded(k), LANES)),
        np.empty((turns.shape[1], LANES)),
        np.zeros((sums.shape[1], LANES)),
    )
    top, total, stop = np.empty(LANES), np.empty(LANES), np.empty(1, np.int64)
    near = np.empty((away.shape[0], GROUP))
    for t in range(cells.shape[0]):
        start = t * LANES
        held = min(LANES, rows - start)
        of = weight[start : start + held] if weight.size else weight
        _whitened_scores(cells[t], means, turns, constant, away, turned, near, scores)
        _soften(scores, top, total)
        for i in range(held):
            density = top[i] + np.log(total[i])
            told[0] += (of[i] if of.size else 1.0) * density
            if density < told[1]:
                told[1], told[2] = density, start + i
        _share(scores, held, of, total)
        away[:] = 0.0
        _gather(cells[t], means, scores, away, stop, sums)


@kernel(types.void(IN3, types.int64, IN2, IN3, IN1, OUT2, OUT1))
def whitened_shares(cells, rows, means, turns, constant, shares, density):
    """Responsibilities (rows, k) and ln p (rows,) of new rows. In: as `whitened_step`."""
    k, d = means.shape
    scores, turned, away = np.empty((_padded(k), LANES)), np.empty((turns.shape[1], LANES)), np.empty((d, LANES))
    top, total, near = np.empty(LANES), np.empty(LANES), np.empty((away.shape[0], GROUP))
    for t in range(cells.shape[0]):
        start = t * LANES
        _whitened_scores(cells[t], means, turns, constant, away, turned, near, scores)
        _soften(scores, top, total)
        for i in range(min(LANES, rows - start)):
            density[start + i] = top[i] + np.log(total[i])
            for c in range(k):
                shares[start + i, c] = scores[c, i] / total[i]


@kernel(types.void(IN3, types.int64, IN1, LABELS, IN2, OUT3))
def labelled_sums(cells, rows, weight, labels, means, sums):
    """As the sums of `whitened_step`, where every row belongs wholly to the component its label names."""
    shares, away, stop = np.empty((means.shape[0], LANES)), np.zeros((sums.shape[1], LANES)), np.empty(1, np.int64)
    for t in range(cells.shape[0]):
        start = t * LANES
        shares[:] = 0.0
        for i in range(min(LANES, rows - start)):
            shares[labels[start + i], i] = weight[start + i] if weight.size else 1.0
        _gather(cells[t], means, shares, away, stop, sums)
