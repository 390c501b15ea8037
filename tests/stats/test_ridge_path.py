"""Fold errors of ridge from moments alone, against refitting every fold for every penalty."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from glaswerk.stats.moments import NOTHING, GroupedMoments, Moments, common_shift
from glaswerk.stats.ridge_path import fold_errors, path

PENALTIES = np.logspace(-4, 5, 7)


def table(n=400, d=6, q=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.5, 3, d) + 1e3
    return X, X @ rng.normal(size=(d, q)) + rng.normal(size=(n, q))


def folded(X, Y, fold, weight=NOTHING):
    return GroupedMoments.of(X, Y, fold, fold.max() + 1, weight, shift=common_shift(np.hstack([X, Y])[:64]))


@pytest.mark.parametrize("q", [1, 3])
def test_errors_equal_those_of_refitted_folds(q):
    X, Y = table(q=q)
    fold = np.random.default_rng(1).permutation(len(X)) % 5
    refitted = np.empty((5, len(PENALTIES), q))
    for k in range(5):
        train, test = fold != k, fold == k
        for j, penalty in enumerate(PENALTIES):
            model = Ridge(alpha=penalty, solver="svd").fit(X[train], Y[train])
            refitted[k, j] = ((Y[test] - model.predict(X[test]).reshape(-1, q)) ** 2).mean(axis=0)
    np.testing.assert_allclose(fold_errors(folded(X, Y, fold), PENALTIES), refitted, rtol=1e-12)


def test_weighted_errors_equal_those_of_repeated_rows():
    X, Y = table()
    fold = np.arange(len(X)) % 4
    weight = np.random.default_rng(2).integers(0, 3, len(X)).astype(float)
    times = weight.astype(int)
    repeated = folded(np.repeat(X, times, axis=0), np.repeat(Y, times, axis=0), np.repeat(fold, times))
    np.testing.assert_allclose(
        fold_errors(folded(X, Y, fold, weight), PENALTIES), fold_errors(repeated, PENALTIES), rtol=1e-11
    )


def test_script_b_penalised_weights_for_centred_data():
    """[TRE-PLS] w = (XᵀX + λI)⁻¹ Xᵀy, here with the intercept left free: compared with the formula itself."""
    X, y = np.array([[-0.2, -0.1996], [0.2, 0.1993], [1.0, 1.0017]]), np.array([[0.49], [0.64], [1.39]])
    moments = Moments.of(X, y, shift=np.zeros(3), exact=True)
    weights, intercepts = path(moments, np.array([0.02]))
    centred = X - X.mean(axis=0)
    direct = np.linalg.solve(centred.T @ centred + 0.02 * np.eye(2), centred.T @ (y - y.mean()))
    np.testing.assert_allclose(weights[0, 0], direct[:, 0], rtol=1e-10)
    np.testing.assert_allclose(intercepts[0, 0], (y.mean() - X.mean(axis=0) @ direct)[0], rtol=1e-10)


def test_moving_the_columns_by_a_million_changes_nothing():
    X, Y = table()
    fold = np.arange(len(X)) % 4
    np.testing.assert_allclose(
        fold_errors(folded(X + 1e6, Y, fold), PENALTIES), fold_errors(folded(X, Y, fold), PENALTIES), rtol=1e-8
    )
