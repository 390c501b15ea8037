"""Sums and scores of attributes that are taken one by one: numbers as normal, levels by counting; a missing cell is
skipped. In: whatever is read; out: the last arguments, which are added to.
"""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

WHOLE1 = types.Array(types.int64, 1, "C", readonly=True)
ROWS = 256


@kernel(types.void(IN2, WHOLE1, IN1, IN1, OUT2, OUT2, OUT2))
def numeric_sums(X, code, weight, shift, present, sums, squares):
    """For the class of every row: Σ w, Σ w (x - shift), Σ w (x - shift)² of each column, (K, d) each.

    In: X (n, d), code (n,), weight (n,) or (0,), shift (d,).
    """
    n, d = X.shape
    for i in range(n):
        k = code[i]
        w = weight[i] if weight.size else 1.0
        here, first, second = present[k], sums[k], squares[k]
        for j in range(d):
            away = X[i, j] - shift[j]
            there = w if away == away else 0.0
            away = away if away == away else 0.0
            here[j] += there
            first[j] += there * away
            second[j] += there * away * away


@kernel(types.void(IN2, WHOLE1, IN1, WHOLE1, WHOLE1, OUT2))
def level_counts(X, code, weight, offset, size, counts):
    """Weight of every level in every class, (levels of all columns, K); column j begins at offset[j].

    In: X (n, d) of codes 0, 1, …, size - 1; NaN and all other codes are skipped.
    """
    n, d = X.shape
    for i in range(n):
        k = code[i]
        w = weight[i] if weight.size else 1.0
        for j in range(d):
            level = X[i, j]
            if level >= 0.0 and level < size[j]:
                counts[offset[j] + int(level), k] += w


@kernel(types.void(IN2, IN2, IN2, IN2, OUT2))
def numeric_scores(X, mean, half, base, scores):
    """scores (n, K) += Σ_j base - half (x - mean)² over the cells that are there; mean, half, base (K, d)."""
    n, d = X.shape
    K = mean.shape[0]
    tile = np.empty((d, ROWS))
    total = np.empty(ROWS)
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        for i in range(rows):
            for j in range(d):
                tile[j, i] = X[start + i, j]
        tile[:, rows:] = 0.0
        for k in range(K):
            total[:] = 0.0
            for j in range(d):
                m, h, b = mean[k, j], half[k, j], base[k, j]
                for i in range(ROWS):
                    away = tile[j, i] - m
                    part = b - h * (away * away)
                    total[i] += part if part == part else 0.0
            for i in range(rows):
                scores[start + i, k] += total[i]


@kernel(types.void(IN2, WHOLE1, WHOLE1, IN2, OUT2))
def level_scores(X, offset, size, logs, scores):
    """scores (n, K) += Σ_j logs[level] over the cells whose level is known; logs (levels of all columns, K)."""
    n, d = X.shape
    K = logs.shape[1]
    for i in range(n):
        for j in range(d):
            level = X[i, j]
            if level >= 0.0 and level < size[j]:
                row = logs[offset[j] + int(level)]
                for k in range(K):
                    scores[i, k] += row[k]
