"""Fold errors of ridge from moments alone, against refitting every fold for every penalty."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from glaswerk.stats import ridge_path
from glaswerk.stats.moments import NOTHING, GroupedMoments, Moments, common_shift
from glaswerk.stats.ridge_path import LeaveOneOut, fold_errors, generalised, path, penalty_range
from glaswerk.stats.spectrum import spectrum

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


def test_one_fast_call_and_the_slow_way_agree():
    """Units far apart forbid the one call for all folds; the slow way then keeps the digits."""
    X, Y = table(q=2)
    fold = np.arange(len(X)) % 4
    units = np.array([1e7, 1.0, 1e-6, 1.0, 1.0, 10.0])
    others = folded(X, Y, fold).all_but_each()
    fast = ridge_path._paths(others, PENALTIES)
    assert fast is not None
    assert ridge_path._paths(folded(X * units, Y, fold).all_but_each(), PENALTIES) is None
    for k in range(4):
        weights, intercepts = path(others.part(k), PENALTIES)
        np.testing.assert_allclose(fast[0][k], weights, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(fast[1][k], intercepts, rtol=1e-9, atol=1e-12)
    wide = fold_errors(folded(X * units, Y, fold), PENALTIES)
    np.testing.assert_allclose(wide[:, :, 0], direct_errors(X * units, Y[:, :1], fold), rtol=1e-7)


def direct_errors(X, Y, fold):
    found = np.empty((fold.max() + 1, len(PENALTIES)))
    for k in range(len(found)):
        train, test = fold != k, fold == k
        for j, penalty in enumerate(PENALTIES):
            model = Ridge(alpha=penalty, solver="svd").fit(X[train], Y[train])
            found[k, j] = ((Y[test] - model.predict(X[test]).reshape(-1, 1)) ** 2).mean()
    return found


def test_without_an_intercept_the_folds_are_those_of_models_without():
    X, Y = table()
    fold = np.arange(len(X)) % 4
    sums = GroupedMoments.of(X, Y, fold, 4, shift=np.zeros(7))
    found = fold_errors(sums, PENALTIES, centred=False)
    model = Ridge(alpha=PENALTIES[2], solver="svd", fit_intercept=False).fit(X[fold != 1], Y[fold != 1])
    rest = Y[fold == 1] - model.predict(X[fold == 1]).reshape(-1, 1)
    np.testing.assert_allclose(found[1, 2, 0], (rest**2).mean(), rtol=1e-9)


@pytest.mark.parametrize("q", [1, 2])
def test_rows_left_out_in_any_cut_sum_to_the_same(q):
    X, Y = table(q=q)
    weight = np.random.default_rng(0).uniform(0.1, 3, len(X))
    seen = spectrum(Moments.of(X, Y, weight, shift=common_shift(np.hstack([X, Y])[:64])), True)
    whole = LeaveOneOut.of(X, Y, weight, seen, PENALTIES)
    parts = [LeaveOneOut.of(X[r], Y[r], weight[r], seen, PENALTIES) for r in np.split(np.arange(len(X)), [7, 300])]
    both = parts[0] + parts[1] + parts[2]
    for name in ("errors", "squares", "gains", "gain_squares", "weight"):
        np.testing.assert_allclose(getattr(both, name), getattr(whole, name), rtol=1e-10)
    np.testing.assert_allclose(whole.gain()[0], whole.mean()[:1] - whole.mean(), rtol=1e-6, atol=1e-12)
    assert (whole.standard_error() > 0).all()


def test_a_row_that_alone_decides_its_fit_has_no_error_to_tell():
    X, Y = table(20, 2)
    X[:, 1] = 0.0
    X[5, 1] = 1.0
    seen = spectrum(Moments.of(X, Y, shift=np.zeros(3), exact=True), True)
    found = LeaveOneOut.of(X, Y, NOTHING, seen, np.array([0.0, 1.0])).mean()[:, 0]
    assert np.isinf(found[0]) and np.isfinite(found[1])
    assert np.isinf(generalised(replace(seen, weight=3.0), np.array([0.0]))).all()


def test_the_range_of_penalties_is_that_of_the_shares():
    X, Y = table()
    seen = spectrum(Moments.of(X, Y, shift=np.zeros(7), exact=True), True)
    penalties = penalty_range(seen, 5)
    np.testing.assert_allclose(seen.shares(penalties).sum(axis=1)[[0, -1]] / 6, [0.99, 0.05], rtol=1e-9)
    nothing = spectrum(Moments.of(np.zeros((9, 2)), Y[:9], shift=np.zeros(3), exact=True), True)
    assert np.isfinite(penalty_range(nothing)).all()
