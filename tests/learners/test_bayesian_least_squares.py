"""Bayesian linear regression: known numbers, oracles, laws, draws and coverage, edges and bad input."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from scipy import linalg, stats
from sklearn import linear_model

from glaswerk.base import Warned
from glaswerk.facts import Coefficients, Curve, Goodness, Numerics, Statement, Table
from glaswerk.learners import BayesianLinearRegression, LinearRegression, Ridge
from glaswerk.model import load, save

NO_HYPERPRIOR = {"alpha_1": 0, "alpha_2": 0, "lambda_1": 0, "lambda_2": 0, "tol": 1e-14, "max_iter": 20_000}


def noisy_table(n=60, d=4, q=0, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.5, 3, d) + rng.normal(size=d)
    w = rng.normal(size=(d, q) if q else d)
    return X, X @ w + noise * rng.normal(size=(n, q) if q else n)


def literal_posterior(phi, t, alpha, beta):
    """Script C as printed: S⁻¹ = α I + β Σ φ φᵀ, m = β S Σ φ t."""
    S = np.linalg.inv(alpha * np.eye(phi.shape[1]) + beta * phi.T @ phi)
    return beta * S @ phi.T @ t, S


# Known numbers


def test_one_weight_by_hand():
    """[BG-POST] Rows 1 and 2 with targets 1 and 3: S⁻¹ = 2 + 4·5 = 22, m = 4·7/22; [BG-S2] s²(3) = 1/4 + 9/22."""
    model = BayesianLinearRegression(2.0, 4.0, fit_intercept=False).fit([[1.0], [2.0]], [1.0, 3.0])
    assert model.coef_[0] == pytest.approx(28 / 22, rel=1e-15)
    assert model.covariance_[0, 0] == pytest.approx(1 / 22, rel=1e-15)
    mean, deviation = model.predict([[3.0]], return_std=True)
    assert mean[0] == pytest.approx(3 * 28 / 22, rel=1e-15)
    assert deviation[0] == pytest.approx(np.sqrt(1 / 4 + 9 / 22), rel=1e-15)


def test_the_evidence_is_the_density_of_the_targets():
    """[BG-EVID] [BG-PRIOR] t ~ N(0, I/β + ΦΦᵀ/α): the weights are integrated out."""
    X, t = noisy_table(12, 3)
    model = BayesianLinearRegression(0.7, 2.0, fit_intercept=False).fit(X, t)
    density = stats.multivariate_normal(np.zeros(12), np.eye(12) / 2.0 + X @ X.T / 0.7).logpdf(t)
    assert model.log_evidence_ == pytest.approx(density, rel=1e-13)
    own = BayesianLinearRegression(0.7, 2.0, penalise_intercept=True).fit(X, t)
    phi = np.column_stack([X, np.ones(12)])
    density = stats.multivariate_normal(np.zeros(12), np.eye(12) / 2.0 + phi @ phi.T / 0.7).logpdf(t)
    assert own.log_evidence_ == pytest.approx(density, rel=1e-13)


# Oracles


@pytest.mark.parametrize(("n", "d"), [(40, 3), (20, 50), (9000, 3), (90, 120)])
def test_script_c_taken_literally(n, d):
    """[BG-POST] [BG-MX] [BG-S2] The column of ones has the prior of the others."""
    X, t = noisy_table(n, d)
    model = BayesianLinearRegression(0.5, 3.0, penalise_intercept=True).fit(X, t)
    phi = np.column_stack([X, np.ones(n)])
    m, S = literal_posterior(phi, t, 0.5, 3.0)
    np.testing.assert_allclose([*model.coef_, model.intercept_], m, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.covariance_, S, atol=1e-9 * S.max())
    mean, deviation = model.predict(X[:5], return_std=True)
    np.testing.assert_allclose(mean, phi[:5] @ m, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(deviation**2, 1 / 3 + np.einsum("ij,jk,ik->i", phi[:5], S, phi[:5]), rtol=1e-8)


@pytest.mark.parametrize(("n", "d"), [(60, 4), (400, 12), (9000, 3)])
def test_the_evidence_is_greatest_where_bayesian_ridge_ends(n, d):
    X, t = noisy_table(n, d)
    ours = BayesianLinearRegression(fit_intercept=False).fit(X, t)
    theirs = linear_model.BayesianRidge(fit_intercept=False, compute_score=True, **NO_HYPERPRIOR).fit(X, t)
    np.testing.assert_allclose([ours.alpha_, ours.beta_], [theirs.lambda_, theirs.alpha_], rtol=1e-9)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    np.testing.assert_allclose(ours.covariance_, theirs.sigma_, rtol=1e-8, atol=1e-14)
    assert ours.log_evidence_ == pytest.approx(theirs.scores_[-1], rel=1e-12)
    mean, deviation = theirs.predict(X[:3], return_std=True)
    found = ours.predict(X[:3], return_std=True)
    np.testing.assert_allclose(found, (mean, deviation), rtol=1e-9)


def test_an_exempt_intercept_costs_a_row_as_the_rotation_that_takes_it_out_shows():
    X, t = noisy_table(30, 4)
    turn = linalg.helmert(30)
    ours = BayesianLinearRegression().fit(X, t)
    turned = BayesianLinearRegression(fit_intercept=False).fit(turn @ X, turn @ t)
    np.testing.assert_allclose(ours.coef_, turned.coef_, rtol=1e-10)
    np.testing.assert_allclose([ours.alpha_, ours.beta_], [turned.alpha_, turned.beta_], rtol=1e-10)
    assert ours.log_evidence_ == pytest.approx(turned.log_evidence_ - 0.5 * np.log(30), rel=1e-12)
    at_origin = np.sqrt(1 / (30 * ours.beta_) + X.mean(axis=0) @ ours.covariance_ @ X.mean(axis=0))
    assert ours.facts().of_kind(Coefficients)[0].rows[0].standard_error == pytest.approx(at_origin, rel=1e-10)


@mp.workdps(60)
def test_powers_up_to_the_twelfth_are_weighed_to_all_digits():
    """Directions of twenty decades, against 60 digits: doubles alone see eight of the twelve."""
    rng = np.random.default_rng(0)
    x = rng.uniform(12, 31, 40)
    X, t = np.column_stack([x**k for k in range(1, 13)]), 37 * x - 295 + 20 * rng.normal(size=40)
    alpha, beta = 1e-6, 1 / 400
    model = BayesianLinearRegression(alpha, beta).fit(X, t)
    phi = mp.matrix(X.tolist())
    means = [mp.fsum(phi[:, j]) / 40 for j in range(12)]
    level = mp.fsum(map(mp.mpf, t)) / 40
    for i in range(40):
        for j in range(12):
            phi[i, j] -= means[j]
    centred = mp.matrix([mp.mpf(v) - level for v in t])
    precision = alpha * mp.eye(12) + beta * (phi.T * phi)
    exact = mp.lu_solve(precision, beta * (phi.T * centred))
    np.testing.assert_allclose(model.coef_, [float(v) for v in exact], rtol=1e-9)
    energy = mp.fsum(v * v for v in centred - phi * exact) + mp.mpf(alpha) / beta * mp.fsum(v * v for v in exact)
    log = (12 * mp.log(alpha) + 39 * mp.log(beta) - mp.log(mp.det(precision)) - beta * energy) / 2
    log -= (39 * mp.log(2 * mp.pi) + mp.log(40)) / 2
    assert model.log_evidence_ == pytest.approx(float(log), rel=1e-10)


# Laws


def test_the_slope_of_the_evidence_is_zero_at_the_precisions_chosen():
    """[BG-EVID] By differences of the density itself, not by our formula."""
    X, t = noisy_table(25, 3)
    model = BayesianLinearRegression(fit_intercept=False).fit(X, t)

    def density(alpha, beta):
        return stats.multivariate_normal(np.zeros(25), np.eye(25) / beta + X @ X.T / alpha).logpdf(t)

    best = density(model.alpha_, model.beta_)
    for factor in (0.97, 1.03):
        assert density(factor * model.alpha_, model.beta_) < best
        assert density(model.alpha_, factor * model.beta_) < best
    step = 1e-4
    slopes = [
        density(model.alpha_ * (1 + step), model.beta_) - density(model.alpha_ * (1 - step), model.beta_),
        density(model.alpha_, model.beta_ * (1 + step)) - density(model.alpha_, model.beta_ * (1 - step)),
    ]
    np.testing.assert_allclose(np.array(slopes) / (2 * step), 0.0, atol=1e-5)
    gamma = model.effective_parameters_[0]
    assert model.alpha_ == pytest.approx(gamma / (model.coef_ @ model.coef_), rel=1e-10)
    assert model.sigma_[0] ** 2 == pytest.approx(((t - model.predict(X)) ** 2).sum() / (25 - gamma), rel=1e-10)


@pytest.mark.parametrize("given", [{"alpha": 0.3}, {"beta": 2.0}])
def test_with_one_precision_given_the_other_is_the_best_beside_it(given):
    X, t = noisy_table(40, 3)
    model = BayesianLinearRegression(**given).fit(X, t)
    best = {"alpha": model.alpha_, "beta": model.beta_}
    for factor in (0.99, 1.01):
        moved = {name: value * (1 if name in given else factor) for name, value in best.items()}
        assert BayesianLinearRegression(**moved).fit(X, t).log_evidence_ < model.log_evidence_


def test_the_highest_of_all_hills_is_found_where_the_rows_are_few():
    X, t = noisy_table(30, 60, noise=0.1)
    ours = BayesianLinearRegression(fit_intercept=False).fit(X, t)
    for alpha in np.geomspace(1e-4, 1e4, 13):
        for beta in np.geomspace(1e-4, 1e8, 19):
            fixed = BayesianLinearRegression(float(alpha), float(beta), fit_intercept=False)
            assert fixed.fit(X, t).log_evidence_ <= ours.log_evidence_ + 1e-9


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("n", [50, 9000])
def test_the_mean_is_the_ridge_solution_of_alpha_over_beta(own, n):
    """[BG-MAP] The prior's exponent needs its minus, which the script lost."""
    X, t = noisy_table(n, 3)
    model = BayesianLinearRegression(6.0, 2.0, penalise_intercept=own).fit(X, t)
    ridge = Ridge(3.0, penalise_intercept=own).fit(X, t)
    assert model.penalty_ == 3.0
    assert (model.coef_ == ridge.coef_).all()
    assert model.intercept_ == ridge.intercept_
    np.testing.assert_allclose(model.effective_parameters_, ridge.effective_parameters_, rtol=1e-10)


def test_a_vanishing_prior_gives_least_squares_and_its_errors():
    X, t = noisy_table(50, 3)
    line = LinearRegression().fit(X, t)
    model = BayesianLinearRegression(1e-12, float(line.sigma_[0] ** -2)).fit(X, t)
    np.testing.assert_allclose(model.coef_, line.coef_, rtol=1e-10)
    rows, known = (m.facts().of_kind(Coefficients)[0].rows for m in (model, line))
    ours, theirs = ([row.standard_error for row in found] for found in (rows, known))
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)


@settings(max_examples=20, deadline=None)
@given(cuts=st.lists(st.integers(1, 39), max_size=5, unique=True), seed=st.integers(0, 5), flat=st.booleans())
def test_the_posterior_becomes_the_prior_whatever_the_cut(cuts, seed, flat):
    """[BG-INCR] Equal to the batch answer to 1e-12, in any order."""
    X, t = noisy_table(40, 3, seed=seed)
    order = np.random.default_rng(seed).permutation(40)
    whole = BayesianLinearRegression(0.5, 2.0, penalise_intercept=flat).fit(X, t)
    model = BayesianLinearRegression(0.5, 2.0, penalise_intercept=flat)
    for rows in np.split(order, sorted(cuts)):
        model.partial_fit(X[rows], t[rows])
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(model.intercept_, whole.intercept_, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(model.covariance_, whole.covariance_, rtol=1e-12, atol=1e-15)
    assert model.log_evidence_ == pytest.approx(whole.log_evidence_, rel=1e-12)


def test_precisions_are_chosen_anew_from_the_sum_and_models_merge():
    X, t = noisy_table(80, 3)
    whole = BayesianLinearRegression().fit(X, t)
    parts = [BayesianLinearRegression().fit(X[rows], t[rows]) for rows in (slice(50), slice(50, None))]
    merged = parts[0].merge(parts[1])
    np.testing.assert_allclose([merged.alpha_, merged.beta_], [whole.alpha_, whole.beta_], rtol=1e-10)
    np.testing.assert_allclose(merged.coef_, whole.coef_, rtol=1e-10)


def test_single_rows_equal_bayes_rule_and_rank_one_updates():
    """[BG-INCR] Each step by Bayes' rule from the last posterior, and as Sherman and Morrison update a covariance."""
    X, t = noisy_table(30, 3)
    model = BayesianLinearRegression(0.8, 2.5, fit_intercept=False).fit(X, t)
    path = model.posterior_path(X, t)
    mean, S = np.zeros(3), np.eye(3) / 0.8
    for i, (x, target) in enumerate(zip(X, t, strict=True)):
        variance = 1 / 2.5 + x @ S @ x
        assert path.expected[i] == pytest.approx(x @ mean, rel=1e-9, abs=1e-12)
        assert path.deviations[i] == pytest.approx(np.sqrt(variance), rel=1e-10)
        mean = mean + S @ x * (target - x @ mean) / variance
        S = S - np.outer(S @ x, S @ x) / variance
        np.testing.assert_allclose(path.weights[i], mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.covariance_, S, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("options", [{}, {"penalise_intercept": True}, {"fit_intercept": False}])
def test_a_path_ends_at_the_fit_passes_every_prefix_and_sums_to_the_evidence(options):
    X, t = noisy_table(40, 3)
    X = X + 1e4 * (options == {})
    model = BayesianLinearRegression(0.8, 2.5, **options).fit(X, t)
    path = model.posterior_path(X, t)
    for n in (1, 2, 7, 40):
        prefix = BayesianLinearRegression(0.8, 2.5, **options).fit(X[:n], t[:n])
        np.testing.assert_allclose(path.weights[n - 1], prefix.coef_, rtol=1e-9, atol=1e-12)
        assert path.intercepts[n - 1] == pytest.approx(prefix.intercept_, rel=1e-9, abs=1e-9)
    assert path.log_densities.sum() == pytest.approx(model.log_evidence_, rel=1e-10)


def test_a_weight_of_two_is_the_row_twice_and_rows_moved_by_a_million_change_nothing():
    X, t = noisy_table(30, 3)
    counts = np.random.default_rng(2).integers(0, 4, 30)
    weighted = BayesianLinearRegression().fit(X, t, counts)
    repeated = BayesianLinearRegression().fit(np.repeat(X, counts, axis=0), np.repeat(t, counts))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-10)
    assert weighted.beta_ == pytest.approx(repeated.beta_, rel=1e-10)
    grid = np.round(X * 1024) / 1024
    moved, still = (BayesianLinearRegression().fit(grid + offset, t) for offset in (2.0**20, 0.0))
    np.testing.assert_allclose(moved.coef_, still.coef_, rtol=1e-12)


def test_targets_have_precisions_of_their_own():
    X, T = noisy_table(50, 3, q=3)
    T[:, 2] *= 10
    together = BayesianLinearRegression().fit(X, T)
    for k in range(3):
        alone = BayesianLinearRegression().fit(X, T[:, k])
        np.testing.assert_allclose(together.coef_[k], alone.coef_, rtol=1e-10)
        np.testing.assert_allclose(together.covariance_[k], alone.covariance_, rtol=1e-9)
        np.testing.assert_allclose(together.predict_interval(X)[:, :, k], alone.predict_interval(X), rtol=1e-9)
    assert together.sample_targets(X, 4).shape == (4, 50, 3)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_memory_order_and_files_change_no_bit(threads, tmp_path):
    polars = pytest.importorskip("polars")
    X, t = noisy_table(70_000, 3)
    model = BayesianLinearRegression(n_jobs=threads).fit(np.asfortranarray(X), t)
    assert (model.coef_ == BayesianLinearRegression(n_jobs=1).fit(X, t).coef_).all()
    polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "t": t}).write_parquet(tmp_path / "rows.parquet")
    read = BayesianLinearRegression().fit_source(tmp_path / "rows.parquet", target="t")
    assert (read.coef_ == model.coef_).all()
    assert read.beta_ == model.beta_


# Draws and coverage


@pytest.mark.parametrize(
    ("n", "options"), [(30, {}), (30, {"penalise_intercept": True}), (90, {"fit_intercept": False})]
)
def test_draws_of_weights_have_the_posteriors_mean_and_covariance(n, options):
    d = 4 if n == 30 else 120
    X, t = noisy_table(n, d)
    model = BayesianLinearRegression(2.0, 1.5, **options).fit(X, t)
    weights, intercepts = model.sample_weights(20_000)
    S = model.covariance_[:d, :d]
    np.testing.assert_allclose(weights.mean(axis=0), model.coef_, atol=5 * np.sqrt(S.max() / 20_000))
    np.testing.assert_allclose(np.cov(weights.T), S, atol=0.06 * S.max())
    assert abs(intercepts.mean() - model.intercept_) < 0.05
    if not options:
        error = model.facts().of_kind(Coefficients)[0].rows[0].standard_error
        assert intercepts.std() == pytest.approx(error, rel=0.03)


def test_draws_of_functions_and_targets_have_the_predictive_spread():
    """[BG-S2] The bundle holds what the weights leave open, the targets the noise besides."""
    X, t = noisy_table(20, 3)
    model = BayesianLinearRegression(1.0, 4.0).fit(X, t)
    mean, deviation = model.predict(X, return_std=True)
    functions, drawn = model.sample_functions(X, 20_000), model.sample_targets(X, 20_000)
    np.testing.assert_allclose(functions.mean(axis=0), mean, atol=0.03)
    np.testing.assert_allclose(functions.std(axis=0), np.sqrt(deviation**2 - 1 / 4), rtol=0.03)
    np.testing.assert_allclose(drawn.std(axis=0), deviation, rtol=0.03)
    assert (model.sample_targets(X, 3, random_state=5) == model.sample_targets(X, 3, random_state=5)).all()


def test_the_likelihood_at_its_maximum_can_be_drawn_from_and_shows_less_spread():
    """[BG-BETA] Least squares counts its weights as certain; the predictive distribution does not."""
    X, t = noisy_table(12, 4)
    line = LinearRegression().fit(X, t)
    drawn = line.sample_targets(X, 20_000)
    noise = np.sqrt(line.facts().of_kind(Goodness)[0].rss / 12)
    np.testing.assert_allclose(drawn.mean(axis=0), line.predict(X), atol=0.05)
    np.testing.assert_allclose(drawn.std(axis=0), noise, rtol=0.03)
    full = BayesianLinearRegression(1e-9, float(noise**-2)).fit(X, t)
    assert (full.predict(X, return_std=True)[1] > noise).all()


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_intervals_hold_as_often_as_they_say_when_worlds_are_drawn_from_the_prior(level):
    rng = np.random.default_rng(3)
    inside = np.zeros((400, 2))
    for k in range(400):
        X, new, w = rng.normal(size=(12, 3)), rng.normal(size=(1, 3)), rng.normal(size=3) / np.sqrt(0.5)
        model = BayesianLinearRegression(0.5, 4.0).fit(X, X @ w + 7 + rng.normal(size=12) / 2)
        truth = (new @ w)[0] + 7
        for j, (of, value) in enumerate([("mean", truth), ("observation", truth + rng.normal() / 2)]):
            low, high = model.predict_interval(new, level=level, of=of)[0]
            inside[k, j] = low <= value <= high
    np.testing.assert_allclose(inside.mean(axis=0), level, atol=3.5 * np.sqrt(level * (1 - level) / 400))


def test_intervals_with_chosen_precisions_hold_nearly_as_often_from_forty_rows():
    rng, inside = np.random.default_rng(4), 0
    for _ in range(400):
        X, new, w = rng.normal(size=(40, 4)), rng.normal(size=(1, 4)), rng.normal(size=4)
        low, high = BayesianLinearRegression().fit(X, X @ w + rng.normal(size=40)).predict_interval(new, 0.9)[0]
        inside += low <= (new @ w)[0] + rng.normal() <= high
    assert abs(inside / 400 - 0.9) < 0.05


# Facts and files


def test_facts_say_weights_precisions_evidence_fit_numerics_and_method():
    X, t = noisy_table(40, 2)
    facts = BayesianLinearRegression().fit(X, t).facts()
    assert [row.name for row in facts.of_kind(Coefficients)[0].rows] == ["intercept", "x0", "x1"]
    table = facts.of_kind(Table)[0]
    assert table.title == "Prior and noise"
    assert table.rows[0][3] == pytest.approx(table.rows[0][1] / table.rows[0][2])
    curve = facts.of_kind(Curve)[0]
    assert "evidence is greatest" in curve.says
    assert max(curve.lines[0].y) <= table.rows[0][7] + 1e-9
    assert facts.of_kind(Numerics)[0].digits > 15
    assert not facts.of_kind(Statement)
    assert not BayesianLinearRegression(1.0, 1.0).fit(X, t).facts().of_kind(Curve)


@pytest.mark.parametrize(("n", "d"), [(50, 3), (90, 120)])
def test_a_saved_model_predicts_the_same_and_goes_on_learning(tmp_path, n, d):
    X, t = noisy_table(n + 10, d)
    model = BayesianLinearRegression(1.0, 2.0).fit(X[:n], t[:n])
    save(model, tmp_path / "bayes.glaswerk")
    again = load(tmp_path / "bayes.glaswerk")
    for ours, theirs in zip(again.predict(X, return_std=True), model.predict(X, return_std=True), strict=True):
        assert (ours == theirs).all()
    assert str(again.facts()) == str(model.facts())
    whole = BayesianLinearRegression(1.0, 2.0).fit(X, t)
    np.testing.assert_allclose(again.partial_fit(X[n:], t[n:]).coef_, whole.coef_, rtol=1e-8, atol=1e-12)


# Edges and bad input


@pytest.mark.parametrize("n", [60, 20_000])
def test_a_perfect_fit_is_guarded_and_said(n):
    X, _ = noisy_table(n, 3)
    with pytest.warns(Warned, match="target 'y': the fit is perfect"):
        model = BayesianLinearRegression().fit(X, X @ [1.0, 2.0, 3.0])
    np.testing.assert_allclose(model.coef_, [1.0, 2.0, 3.0], rtol=1e-13)
    assert np.isfinite(model.beta_)
    assert model.beta_ > 1e24
    assert "lower bound" in str(model.facts().of_kind(Statement)[0].table())


def test_noise_far_below_the_digits_of_a_plain_sum_is_still_measured():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 3))
    model = BayesianLinearRegression().fit(X, X @ [1.0, 2.0, 3.0] + 1e-9 * rng.normal(size=20_000))
    assert model.sigma_[0] == pytest.approx(1e-9, rel=0.02)


@pytest.mark.parametrize(
    ("X", "t", "said"),
    [
        ([[1.0, 2.0]], [3.0], "one row cannot tell signal from noise"),
        (np.ones((5, 2)), np.arange(5.0), "no column varies"),
        (np.eye(6)[:, :3], np.full(6, 7.0), "the fit is perfect"),
        (np.eye(6)[:, :3], np.zeros(6), "the fit is perfect"),
        ([[1.0], [2.0]], [1.0, 3.0], "every prior equally probable"),
        ([[-1.0], [0.0], [1.0]] * 4, [1.0, 0.0, 1.0] * 4, "say nothing of this target"),
    ],
)
def test_what_the_evidence_cannot_settle_is_said_and_the_answer_stays_finite(X, t, said):
    with pytest.warns(Warned, match=said):
        model = BayesianLinearRegression().fit(X, t)
    mean, deviation = model.predict(X, return_std=True)
    assert np.isfinite([mean, deviation]).all()
    assert said in str(model.facts())


def test_repeated_and_constant_columns_keep_the_priors_spread_without_a_warning():
    X, t = noisy_table(40, 3)
    X = np.column_stack([X, X[:, 0], np.full(40, 1e6)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BayesianLinearRegression(0.25, 1.0).fit(X, t)
    assert model.coef_[0] == pytest.approx(model.coef_[3], rel=1e-12)
    assert model.covariance_[4, 4] == pytest.approx(4.0, rel=1e-12)
    difference = np.array([1.0, 0, 0, -1, 0])
    assert difference @ model.covariance_ @ difference == pytest.approx(2 / 0.25, rel=1e-10)


def test_a_prior_too_weak_for_repeated_columns_still_has_its_spread():
    X, t = noisy_table(40, 2)
    X = np.column_stack([X, X[:, 0]])
    model = BayesianLinearRegression(1e-40, 1.0).fit(X, t)
    assert model.covariance_[0, 0] > 1e12


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": 0.0}, "alpha must be 'evidence' or a finite number > 0, got 0.0"),
        ({"beta": np.inf}, "beta must be 'evidence' or a finite number > 0"),
        ({"alpha": "auto"}, "alpha must be 'evidence'"),
        ({"alpha": [1.0]}, "alpha must be"),
    ],
)
def test_what_is_no_precision_is_refused_by_name(change, message):
    X, t = noisy_table(20, 2)
    with pytest.raises(ValueError, match=message):
        BayesianLinearRegression(**change).fit(X, t)


def test_unusable_cells_levels_and_paths_are_named():
    X, t = noisy_table(20, 2)
    model = BayesianLinearRegression().fit(X, t)
    with pytest.raises(ValueError, match="level must be a number between 0 and 1, got 2"):
        model.predict_interval(X, level=2)
    with pytest.raises(ValueError, match="of must be 'observation' or 'mean', got 'row'"):
        model.predict_interval(X, of="row")
    with pytest.raises(ValueError, match="one target is needed"):
        model.posterior_path(X, np.column_stack([t, t]))
    t[4] = np.nan
    with pytest.raises(ValueError, match="the target y contains NaN: column 'y', row 4"):
        model.posterior_path(X, t)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="X contains NaN: column 'x1', row 3"):
        BayesianLinearRegression().fit(X, np.ones(20))
