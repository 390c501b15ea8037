"""Sums and scores of single attributes against the same written in NumPy: whole tiles, gaps, unknown levels, ties."""

import numpy as np
import pytest

from glaswerk import kernels

NONE = np.zeros(0)


def table(n, d, K, gaps):
    rng = np.random.default_rng(n + d)
    X = rng.normal(size=(n, d)) + 3.0
    if gaps:
        X[rng.random((n, d)) < 0.001] = np.nan
    return X, rng.integers(0, K, n), rng.integers(0, 3, n).astype(np.float64)


@pytest.mark.parametrize(("n", "d", "gaps"), [(1, 1, False), (2_500, 6, False), (2_500, 7, True)])
def test_numeric_sums(n, d, gaps):
    X, code, weight = table(n, d, 3, gaps)
    shift = np.full(d, 2.5)
    for w in (NONE, weight):
        total, present, sums, squares = np.zeros(3), np.zeros((3, d)), np.zeros((3, d)), np.zeros((3, d))
        kernels.numeric_sums(X, code, w, shift, total, present, sums, squares)
        each = w if w.size else np.ones(n)
        for k in range(3):
            own, away = each[code == k][:, None], X[code == k] - shift
            there = own * ~np.isnan(away)
            away = np.nan_to_num(away)
            assert total[k] == own.sum()
            np.testing.assert_array_equal(present[k], there.sum(axis=0))
            np.testing.assert_allclose(sums[k], (there * away).sum(axis=0), rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(squares[k], (there * away**2).sum(axis=0), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("strange", [None, np.nan, -1.0, 0.5, 8.0, np.inf])
def test_counts_of_sound_levels(strange):
    rng = np.random.default_rng(0)
    X, code = rng.integers(0, 8, (300, 3)).astype(np.float64), rng.integers(0, 2, 300)
    if strange is not None:
        X[299, 2] = strange
    counts, told = np.zeros((24, 2)), np.zeros(1, dtype=np.int64)
    kernels.sound_counts(X, code, 8, counts, told)
    assert bool(told[0]) == (strange is not None)
    if strange is None:
        twin = [[[np.sum((X[:, j] == v) & (code == k)) for k in range(2)] for v in range(8)] for j in range(3)]
        np.testing.assert_array_equal(counts.reshape(3, 8, 2), twin)


@pytest.mark.parametrize(("n", "d", "gaps"), [(1, 1, False), (300, 6, False), (3_000, 7, True)])
def test_numeric_scores(n, d, gaps):
    X, _, _ = table(n, d, 3, gaps)
    rng = np.random.default_rng(1)
    shift, mean, half, base = np.full(d, 2.5), rng.normal(size=(3, d)), rng.random((3, d)), rng.normal(size=(3, d))
    scores, told = np.ones((n, 3)), np.zeros(1, dtype=np.int64)
    kernels.numeric_scores(X, shift, mean, half, base, scores, told)
    twin = 1.0 + np.nansum(base - half * (X[:, None, :] - shift - mean) ** 2, axis=2)
    np.testing.assert_allclose(scores, twin, rtol=1e-12, atol=1e-12)
    assert bool(told[0]) == gaps


@pytest.mark.parametrize("K", [2, 4, 7])
def test_level_scores_and_the_first_best(K):
    rng = np.random.default_rng(K)
    size = np.array([3, 5, 2])
    start = np.cumsum(size) - size
    X = rng.integers(-1, 6, (300, 3)).astype(np.float64)
    X[0, 0] = np.nan
    logs = np.zeros((11, -(-K // 4) * 4))
    logs[:10, :K] = np.round(rng.normal(size=(10, K)))
    scores, told, best = np.zeros((300, K)), np.zeros(1, dtype=np.int64), np.empty(300, dtype=np.int64)
    kernels.level_scores(X, start, size, logs, scores, told)
    twin = [
        sum(logs[start[j] + int(v), :K] if 0 <= v < size[j] else 0 * logs[0, :K] for j, v in enumerate(row))
        for row in X
    ]
    np.testing.assert_array_equal(scores, twin)
    assert told[0] == 1
    kernels.first_best(scores, best)
    np.testing.assert_array_equal(best, scores.argmax(axis=1))
