"""Local lines: the printed solution, statsmodels, and the special cases of the unified model."""

import numpy as np
import pytest
from statsmodels.nonparametric.kernel_regression import KernelReg

from glaswerk import load, save
from glaswerk.learners import LinearRegression, LocallyWeightedRegression, RBFNetwork, Ridge, UnifiedLocalModel


def wave(n=150, d=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, d))
    return X, np.sin(6 * X[:, 0]) + X[:, -1] + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize("d", [1, 3])
def test_one_line_per_query_is_the_printed_solution_and_statsmodels(d):  # [BG-DLS]
    X, y = wave(d=d)
    Q = wave(20, d, 1)[0]
    found = LocallyWeightedRegression(0.2).fit(X, y).predict(Q)
    theirs = KernelReg(y, X, "c" * d, reg_type="ll", bw=np.full(d, 0.2)).fit(Q)[0]
    np.testing.assert_allclose(found, theirs, rtol=1e-8)
    Z = np.column_stack([X, np.ones(len(X))])
    D = np.exp(-0.5 * ((X - Q[0]) ** 2).sum(axis=1) / 0.04)
    a = np.linalg.solve(Z.T @ (D[:, None] * Z), Z.T @ (D * y))
    assert found[0] == pytest.approx(a @ [*Q[0], 1.0], rel=1e-9)


def test_truncation_and_threads_change_nothing_seen():
    X, y = wave(3000, 2)
    all_rows = LocallyWeightedRegression(0.05, tol=0.0).fit(X, y).predict(X[:300])
    one, two = (LocallyWeightedRegression(0.05, n_jobs=k).fit(X, y).predict(X[:300]) for k in (1, 2))
    np.testing.assert_allclose(one, all_rows, atol=1e-6)
    assert np.array_equal(one, two)


def test_a_plane_is_found_exactly_and_far_away_nothing_breaks():
    X = wave(100, 2)[0]
    y = 3.0 + X @ [2.0, -1.0]
    model = LocallyWeightedRegression(0.3).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-9)
    assert np.isfinite(LocallyWeightedRegression(0.001).fit(X, y).predict([[50.0, -3.0]])).all()
    assert LocallyWeightedRegression(1.0).fit([[2.0]], [7.0]).predict([[5.0]]) == [7.0]


@pytest.mark.filterwarnings("error")
def test_beyond_what_squares_can_hold_nothing_breaks():
    X, y = wave(700, 2)
    far = [[1e300, 0.0], [0.0, -1e300]]
    for model in (LocallyWeightedRegression(0.1), LocallyWeightedRegression(50.0), RBFNetwork(5)):
        assert np.isfinite(model.fit(X, y).predict(far)).all()
    assert np.isfinite(UnifiedLocalModel(5, slopes=False).fit(X, y).predict(far)).all()
    with pytest.raises(ValueError, match="bandwidth is too small beside the columns"):
        LocallyWeightedRegression(1e-300).fit(X, y).predict(X[:2])


def test_special_case_linear_regression():  # [BG-UNIFIED]
    X, y = wave(d=2)
    for how in ("joint", "each"):
        model = UnifiedLocalModel(centres=[[0.5, 0.5]], bandwidth=1e8, fit_lines=how, normalise=False, alpha=0.0)
        np.testing.assert_allclose(model.fit(X, y).predict(X), LinearRegression().fit(X, y).predict(X), rtol=1e-8)


def test_special_case_network_of_radial_basis_functions():
    X, y = wave()
    centres = np.linspace(0, 1, 6)[:, None]
    model = UnifiedLocalModel(centres=centres, bandwidth=0.2, slopes=False, normalise=False, alpha=1e-3).fit(X, y)
    bumps = np.exp(-0.5 * ((X - centres.T) / 0.2) ** 2)
    expected = Ridge(1e-3, fit_intercept=False).fit(bumps, y).predict(bumps)
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-9)


def test_special_cases_gaussian_weighted_and_superposed_lines():  # [BG-LWR]
    X, y = wave()
    Z = np.column_stack([X, np.ones(len(X))])
    centres = np.array([[0.2], [0.5], [0.8]])
    bells = np.exp(-0.5 * ((X - centres.T) / 0.15) ** 2)
    each = [np.linalg.solve(Z.T @ (D[:, None] * Z), Z.T @ (D * y)) for D in bells.T]
    printed = sum(D * (Z @ a) for D, a in zip(bells.T, each, strict=True))
    model = UnifiedLocalModel(centres=centres, bandwidth=0.15, fit_lines="each", normalise=False, alpha=0.0).fit(X, y)
    np.testing.assert_allclose(model.predict(X), printed, rtol=1e-8, atol=1e-10)
    slopes, heights = model.lines()
    np.testing.assert_allclose(np.column_stack([slopes[:, 0, 0], heights[:, 0]]), each, rtol=1e-8)
    at_centres = LocallyWeightedRegression(0.15).fit(X, y).predict(centres)
    np.testing.assert_allclose(model.solution_.heights[:, 0], at_centres, rtol=1e-7)


def test_lines_follow_a_wave_and_more_centres_than_rows_are_borne():
    X, y = wave(300)
    for how in ("joint", "each"):
        assert UnifiedLocalModel(8, bandwidth=0.07, fit_lines=how).fit(X, y).score(X, y) > 0.95
    assert len(UnifiedLocalModel(50).fit(X[:4], y[:4]).solution_.centres) == 4


def test_many_targets_files_and_bad_input(tmp_path):
    X, y = wave(60, 2)
    for model in (LocallyWeightedRegression(0.3), UnifiedLocalModel(5, bandwidth=0.3)):
        both = model.fit(X, np.column_stack([y, -y])).predict(X)
        np.testing.assert_allclose(both[:, 0], -both[:, 1], atol=1e-8)
        save(model, tmp_path / "m.glas")
        assert np.array_equal(load(tmp_path / "m.glas").predict(X), both)
        with pytest.raises(ValueError, match="bandwidth must be above 0, one number or 2"):
            model.set_params(bandwidth=[1.0]).fit(X, y)
