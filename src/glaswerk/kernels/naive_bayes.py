"""Sums and scores of attributes that are taken one by one: numbers as normal, levels by counting; a missing cell is
skipped. In: whatever is read; out: the last arguments, which are added to unless the loop says otherwise.

Rows go in tiles. A tile whose cells are all there, and nearly all are, takes the loop without questions.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

WHOLE1 = types.Array(types.int64, 1, "C", readonly=True)
OUT1 = types.Array(types.float64, 1, "C")
TOLD = types.Array(types.int64, 1, "C")
ROWS = 128
SUMMED = 1024  # rows whose sums are taken by themselves
TOGETHER = 4  # classes whose scores stay in registers while a row's levels are walked
FUSED = {"error_model": "numpy", "fastmath": {"contract", "nsz"}}


@numba.njit(**FUSED)
def _whole_rows(X, code, weight, shift, total, first, second):
    """Σ w, Σ w a and Σ w a² of every class, all cells there; what the sums held before is overwritten."""
    total[:] = 0.0
    first[:] = 0.0
    second[:] = 0.0
    for i in range(code.size):
        k = code[i]
        w = weight[i]
        total[k] += w
        for j in range(shift.size):
            a = X[i, j] - shift[j]
            wa = w * a
            first[k, j] += wa
            second[k, j] += wa * a


@numba.njit(error_model="numpy")
def _rows_with_gaps(X, code, weight, shift, there, first, second):
    """The same of the cells that are there, and their weight."""
    there[:] = 0.0
    first[:] = 0.0
    second[:] = 0.0
    for i in range(code.size):
        k, w = code[i], weight[i]
        for j in range(shift.size):
            a = X[i, j] - shift[j]
            if a == a:
                there[k, j] += w
                first[k, j] += w * a
                second[k, j] += w * a * a


@kernel(types.void(IN2, WHOLE1, IN1, IN1, OUT1, OUT2, OUT2, OUT2))
def numeric_sums(X, code, weight, shift, total, present, sums, squares):
    """For the class of every row: Σ w of all rows (K,), then Σ w, Σ w (x - shift), Σ w (x - shift)² of the cells that
    are there, (K, d) each.

    In: X (n, d), code (n,), weight (n,) or (0,), shift (d,).
    """
    n, d = X.shape
    K = total.size
    ones, own = np.ones(SUMMED), np.empty(K)
    there, first, second = np.empty((K, d)), np.empty((K, d)), np.empty((K, d))
    for start in range(0, n, SUMMED):
        stop = min(n, start + SUMMED)
        rows, which = X[start:stop], code[start:stop]
        held = weight[start:stop] if weight.size else ones
        _whole_rows(rows, which, held, shift, own, first, second)
        mark = 0.0
        for k in range(K):
            for j in range(d):
                there[k, j] = own[k]
                mark += second[k, j] - second[k, j]
        if mark != 0.0:
            _rows_with_gaps(rows, which, held, shift, there, first, second)
        for k in range(K):
            total[k] += own[k]
            for j in range(d):
                present[k, j] += there[k, j]
                sums[k, j] += first[k, j]
                squares[k, j] += second[k, j]


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


@kernel(types.void(IN2, WHOLE1, types.int64, OUT2, TOLD))
def sound_counts(X, code, size, counts, told):
    """Rows of every level in every class (d · size, K), each column with `size` levels.

    told (1,): not zero if a cell is no whole number from 0 to size - 1; the counts are then of no use.
    """
    n, d = X.shape
    place = np.empty(ROWS * d, np.int32)
    for start in range(0, n, ROWS):
        stop = min(n, start + ROWS)
        cells = X[start:stop].reshape((stop - start) * d)
        strange = 0
        for c in range(cells.size):
            level = cells[c]
            inside = level >= 0.0 and level < size
            whole = np.int32(level if inside else 0.0)
            strange += not (inside and level == whole)
            place[c] = whole
        if strange:
            told[0] = 1
            return
        for i in range(stop - start):
            k = code[start + i]
            for j in range(d):
                counts[j * size + place[i * d + j], k] += 1.0


@numba.njit(**FUSED)
def _less_squares(tile, mean, half, total):
    """total -= Σ_j half (x - mean)² for every lane: four columns at a time."""
    d = mean.size
    j = 0
    while j + 4 <= d:
        x0, x1, x2, x3 = tile[j], tile[j + 1], tile[j + 2], tile[j + 3]
        m0, m1, m2, m3 = mean[j], mean[j + 1], mean[j + 2], mean[j + 3]
        h0, h1, h2, h3 = half[j], half[j + 1], half[j + 2], half[j + 3]
        for i in range(ROWS):
            a, b, c, e = x0[i] - m0, x1[i] - m1, x2[i] - m2, x3[i] - m3
            s = total[i] - h0 * a * a - h1 * b * b
            total[i] = s - h2 * c * c - h3 * e * e
        j += 4
    while j < d:
        x, m, h = tile[j], mean[j], half[j]
        for i in range(ROWS):
            a = x[i] - m
            total[i] -= h * a * a
        j += 1


@numba.njit(**FUSED)
def _fill_gaps(tile, mean, base, total, filled):
    """Missing cells lie at the mean of the class, and what their density would have been worth is taken back."""
    for j in range(mean.size):
        for i in range(ROWS):
            missing = tile[j, i] != tile[j, i]
            filled[j, i] = mean[j] if missing else tile[j, i]
            total[i] -= base[j] if missing else 0.0


@kernel(types.void(IN2, IN1, IN2, IN2, IN2, OUT2, TOLD))
def numeric_scores(X, shift, mean, half, base, scores, told):
    """scores (n, K) += Σ_j base - half (x - shift - mean)² over the cells that are there; mean, half, base (K, d).

    told (1,): not zero if a cell is NaN or infinite.
    """
    n, d = X.shape
    K = mean.shape[0]
    tile, filled, total = np.zeros((d, ROWS)), np.zeros((d, ROWS)), np.empty(ROWS)
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        for i in range(rows):
            for j in range(d):
                tile[j, i] = X[start + i, j] - shift[j]
        tile[:, rows:] = 0.0
        mark = 0.0
        for j in range(d):
            for i in range(0, ROWS, 4):
                near, far = tile[j, i] + tile[j, i + 1], tile[j, i + 2] + tile[j, i + 3]
                mark += (near - near) + (far - far)
        if mark != 0.0:
            told[0] = 1
        for k in range(K):
            total[:] = base[k].sum()
            if mark != 0.0:
                _fill_gaps(tile, mean[k], base[k], total, filled)
            _less_squares(filled if mark != 0.0 else tile, mean[k], half[k], total)
            for i in range(rows):
                scores[start + i, k] += total[i]


@kernel(types.void(IN2, WHOLE1, WHOLE1, IN2, OUT2, TOLD))
def level_scores(X, offset, size, logs, scores, told):
    """scores (n, K) += Σ_j logs[level] over the cells whose level is known.

    In: logs (levels of all columns + 1, K or more), its last row zero, its columns a multiple of TOGETHER.
    told (1,): not zero if a cell has no known level.
    """
    n, d = X.shape
    nothing, K = logs.shape[0] - 1, scores.shape[1]
    place = np.empty((ROWS, d), np.int64)
    for start in range(0, n, ROWS):
        rows = min(ROWS, n - start)
        unknown = 0
        for i in range(rows):
            for j in range(d):
                level = X[start + i, j]
                known = level >= 0.0 and level < size[j]
                place[i, j] = offset[j] + np.int64(np.int32(level if known else 0.0)) if known else nothing
                unknown += not known
        if unknown:
            told[0] = 1
        for k in range(0, logs.shape[1], TOGETHER):
            for i in range(rows):
                here = place[i]
                a, b, c, e = 0.0, 0.0, 0.0, 0.0
                for j in range(d):
                    row = here[j]
                    a += logs[row, k]
                    b += logs[row, k + 1]
                    c += logs[row, k + 2]
                    e += logs[row, k + 3]
                scores[start + i, k] += a
                if k + 1 < K:
                    scores[start + i, k + 1] += b
                if k + 2 < K:
                    scores[start + i, k + 2] += c
                if k + 3 < K:
                    scores[start + i, k + 3] += e


@kernel(types.void(IN2, TOLD))
def first_best(scores, best):
    """The column of the greatest score of every row (n,), of equal ones the first."""
    n, K = scores.shape
    for i in range(n):
        which, most = 0, scores[i, 0]
        for k in range(1, K):
            better = scores[i, k] > most
            which = k if better else which
            most = scores[i, k] if better else most
        best[i] = which
