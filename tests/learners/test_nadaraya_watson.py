"""Kernel regression: the printed formula, statsmodels, the certificate, leave-one-out, far queries, standard errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.nonparametric.kernel_regression import KernelReg

from glaswerk import load, save
from glaswerk.facts import Curve
from glaswerk.figures import figures_of
from glaswerk.learners import KernelRegression


def wave(n, d=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, d))
    return X, np.sin(6 * X[:, 0]) + 0.1 * rng.normal(size=n)


def plain(X, y, Q, h):
    """[BG-NW] [BG-DGAUSS] as printed, with the minus."""
    K = np.exp(-0.5 * (((Q[:, None] - X) / h) ** 2).sum(axis=2))
    return K @ y / K.sum(axis=1)


def test_two_rows_by_hand():
    model = KernelRegression(bandwidth=1.0).fit([[0.0], [1.0]], [0.0, 1.0])
    near = np.exp(-0.5)
    np.testing.assert_allclose(model.predict([[0.5], [0.0]]), [0.5, near / (1 + near)], rtol=1e-15)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_means_and_leave_one_out_are_statsmodels(d):
    X, y = wave(150, d)
    Q = wave(40, d, 1)[0]
    h = np.full(d, 0.15)
    theirs = KernelReg(y, X, "c" * d, reg_type="lc", bw=h)
    ours = KernelRegression(bandwidth=h).fit(X, y)
    np.testing.assert_allclose(ours.predict(Q), theirs.fit(Q)[0], rtol=1e-10)
    expected = theirs.cv_loo(h, theirs.est["lc"])
    assert np.mean(ours.residuals() ** 2) == pytest.approx(float(np.squeeze(expected)), rel=1e-9)


def test_the_chosen_bandwidth_has_the_least_leave_one_out_error_of_those_tried():  # [BG-NWLOO]
    X, y = wave(200)
    model = KernelRegression().fit(X, y)
    known = model.solution_
    for factor, error in zip(known.tried[:14], known.errors[:14], strict=True):
        h = factor * X.std(axis=0)
        K = np.exp(-0.5 * ((X - X.T) / h) ** 2)
        np.fill_diagonal(K, 0.0)
        assert np.mean((y - K @ y / K.sum(axis=1)) ** 2) == pytest.approx(error, rel=1e-7)
    assert model.bandwidth_[0] == pytest.approx(known.tried[known.errors.argmin()] * X.std())
    assert np.mean(model.residuals() ** 2) == pytest.approx(known.errors.min(), rel=1e-5)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3), st.sampled_from([0.005, 0.03, 0.2]), st.sampled_from([1e-3, 1e-6]))
def test_the_certificate_holds(seed, d, h, tol):
    X, y = wave(1500, d, seed)
    Q = np.random.default_rng(seed).uniform(-0.3, 1.3, (60, d))
    mean, bound = KernelRegression(bandwidth=h, tol=tol).fit(X, y).predict_certified(Q)
    exact = KernelRegression(bandwidth=h, tol=0.0).fit(X, y).predict(Q)
    assert (np.abs(mean - exact) <= bound + 1e-9).all()
    assert (bound <= 1.001 * tol * np.ptp(y)).all()


def test_far_from_all_rows_the_nearest_one_decides():
    X, y = wave(1000, 2)
    model = KernelRegression(bandwidth=0.01).fit(X, y)
    far = np.array([[50.0, 50.0], [-80.0, 0.3]])
    nearest = ((far[:, None] - X) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_allclose(model.predict(far), y[nearest], rtol=1e-6)


@pytest.mark.parametrize("h", [1e-3, 0.3, 50.0])
def test_beyond_what_squares_can_hold_the_nearest_row_decides(h):
    X, y = wave(700)
    at_right, at_left = y[X[:, 0].argmax()], y[X[:, 0].argmin()]
    model = KernelRegression(bandwidth=h).fit(X, y)
    np.testing.assert_allclose(model.predict([[1e300], [-1e300]]), [at_right, at_left], rtol=1e-9)
    mean, bound = model.predict_certified([[1e200]])
    assert mean[0] == pytest.approx(at_right)
    assert bound[0] <= 1e-5
    with pytest.raises(ValueError, match="bandwidth is too small beside the columns"):
        KernelRegression(bandwidth=1e-300).fit(X, y).predict(X[:2])


def test_threads_and_repetition_leave_no_trace():
    X, y = wave(3000, 2)
    one, two = (KernelRegression(bandwidth=0.05, n_jobs=k).fit(X, y).predict(X) for k in (1, 2))
    assert np.array_equal(one, two)
    weight = np.random.default_rng(0).integers(0, 4, 200)
    weighted = KernelRegression().fit(X[:200], y[:200], weight)
    repeated = KernelRegression().fit(np.repeat(X[:200], weight, axis=0), np.repeat(y[:200], weight))
    np.testing.assert_allclose(weighted.predict(X[:50]), repeated.predict(X[:50]), rtol=1e-9)


def test_the_standard_error_is_that_of_repeated_noise():  # [BG-NWSE]
    rng = np.random.default_rng(0)
    X = np.linspace(0, 1, 300)[:, None]
    Q = np.array([[0.3], [0.5], [0.8]])
    found, said = [], []
    for _ in range(200):
        mean, error = KernelRegression(bandwidth=0.05).fit(X, rng.normal(size=300)).predict(Q, return_std=True)
        found.append(mean)
        said.append(error)
    np.testing.assert_allclose(np.mean(said, axis=0), np.std(found, axis=0), rtol=0.15)


def test_edges():
    assert KernelRegression().fit([[1.0]], [5.0]).predict([[9.0]]) == [5.0]
    X, y = wave(50)
    with_constant = KernelRegression().fit(np.column_stack([X, np.full(50, 7.0)]), y)
    np.testing.assert_allclose(with_constant.predict(np.column_stack([X, np.full(50, 7.0)])),
                               KernelRegression().fit(X, y).predict(X), rtol=1e-9)  # fmt: skip
    both = KernelRegression(bandwidth=0.1).fit(X, np.column_stack([y, 2 * y])).predict(X)
    np.testing.assert_allclose(both[:, 1], 2 * both[:, 0], rtol=1e-10)
    huge = KernelRegression().fit(np.column_stack([X * 1e12, X]), y)
    assert np.isfinite(huge.predict(np.column_stack([X * 1e12, X]))).all()


def test_bad_input_is_named():
    X, y = wave(20)
    with pytest.raises(ValueError, match="X contains NaN: column 'x0', row 3"):
        KernelRegression().fit(np.where(np.arange(20)[:, None] == 3, np.nan, X), y)
    with pytest.raises(ValueError, match="bandwidth must be above 0, one number or 1"):
        KernelRegression(bandwidth=[1.0, 2.0]).fit(X, y)


def test_facts_figures_and_files(tmp_path):
    X, y = wave(100)
    model = KernelRegression().fit(X, y)
    curves = model.facts().of_kind(Curve)
    assert [curve.title for curve in curves] == ["Bandwidth by leave-one-out", "Fitted mean"]
    assert all(len(figures_of(curve)) == 1 for curve in curves)
    save(model, tmp_path / "m.glas")
    assert np.array_equal(load(tmp_path / "m.glas").predict(X), model.predict(X))
