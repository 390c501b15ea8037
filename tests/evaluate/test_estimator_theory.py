"""Estimator theory: information against differences of the likelihood, the bound, and what repeated worlds show."""

import numpy as np
import pytest
from scipy import special

from glaswerk.evaluate.estimator_theory import cramer_rao, estimator_experiment, fisher_information
from glaswerk.facts import Coefficients, Curve, Facts, Statement, Table
from glaswerk.learners import BayesianLinearRegression, LinearRegression, LogisticRegression, Ridge


def table_of(n=40, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + [1.0, -2.0, 0.0][:d]
    return X, X @ np.arange(1.0, d + 1) + rng.normal(size=n)


class Silent(LinearRegression):
    """Claims nothing of its weights."""

    def facts(self, level=0.95):
        return Facts([self.card])


def curvature_by_differences(function, at, step=1e-4):
    p = len(at)
    moves = step * np.eye(p)
    return np.array(
        [
            [(function(at + a + b) - function(at + a - b) - function(at - a + b) + function(at - a - b)) for a in moves]
            for b in moves
        ]
    ) / (4 * step**2)


def test_information_of_a_line_is_minus_the_curvature_of_its_log_likelihood():
    """[BG-FISHER] I = β ΦᵀΦ, at the model's own noise."""
    X, y = table_of()
    model = LinearRegression().fit(X, y)
    phi, beta = np.column_stack([np.ones(40), X]), model.sigma_[0] ** -2
    at = np.append(model.intercept_, model.coef_)
    curvature = curvature_by_differences(lambda w: -0.5 * beta * ((y - phi @ w) ** 2).sum(), at)
    found = fisher_information(model, X)
    np.testing.assert_allclose(found.matrix, -curvature, rtol=1e-5)
    assert found.names == ("intercept", "x0", "x1", "x2")
    bayes = BayesianLinearRegression(1.0, 5.0).fit(X, y)
    np.testing.assert_allclose(fisher_information(bayes, X).matrix, 5.0 * phi.T @ phi, rtol=1e-12)


def test_information_without_an_intercept_leaves_the_ones_out():
    X, y = table_of()
    found = fisher_information(LinearRegression(fit_intercept=False).fit(X, y), X)
    assert found.matrix.shape == (3, 3)


@pytest.mark.parametrize("classes", [2, 3])
def test_information_of_classes_is_the_curvature_of_their_cross_entropy(classes):
    """[BG-FISHER] The first class is held, the others' weights are free."""
    X, y = table_of(200)
    label = np.digitize(y, np.quantile(y, np.linspace(0, 1, classes + 1)[1:-1]))
    model = LogisticRegression(C=1.0).fit(X, label)
    phi, P = np.column_stack([np.ones(200), X]), model.predict_proba(X)
    scores = np.log(P) - np.log(P[:, :1])

    def likelihood(move):
        moved = scores + np.column_stack([np.zeros(200), phi @ move.reshape(classes - 1, 4).T])
        expected = (P * moved).sum(axis=1)
        return (expected - special.logsumexp(moved, axis=1)).sum()

    found = fisher_information(model, X)
    curvature = curvature_by_differences(likelihood, np.zeros(4 * (classes - 1)), 1e-3)
    np.testing.assert_allclose(found.matrix, -curvature, rtol=1e-4, atol=1e-4)
    assert len(found.names) == len(found.bound) == 4 * (classes - 1)


def test_least_squares_claims_the_bound_and_ridge_less_for_a_bias():
    """[BG-CRB] The standard errors are the bound itself; a penalty goes below it."""
    X, y = table_of()
    table = cramer_rao(LinearRegression().fit(X, y), X)
    np.testing.assert_allclose([row[3] for row in table.rows], 1.0, rtol=1e-10)
    ridge = cramer_rao(Ridge(20.0).fit(X, y), X)
    assert all(row[3] > 1 for row in ridge.rows[1:])
    assert "bias" in ridge.notes[0]


def test_the_bound_is_the_inverse_of_the_information():
    X, y = table_of()
    information = fisher_information(LinearRegression().fit(X, y), X)
    np.testing.assert_allclose(information.bound, np.diagonal(np.linalg.inv(information.matrix)), rtol=1e-10)
    rows = information.table().rows
    assert all(row[1] >= row[2] for row in rows)


def test_repeated_worlds_show_least_squares_unbiased_and_efficient():
    """[BG-SE] [BG-CRB]"""
    X, _ = table_of()
    world = {"intercept": 5.0, "noise": 2.0, "repeats": 600, "random_state": 1}
    found = estimator_experiment(LinearRegression(), X, [1.0, 2.0, 3.0], **world)
    assert (abs(found.bias) < 4 * found.bias_error).all()
    assert (abs(found.variance - found.bound) < 4 * found.variance_error).all()
    np.testing.assert_allclose(found.variance_error, found.variance * np.sqrt(2 / 600), rtol=0.35)
    phi = np.column_stack([np.ones(40), X])
    np.testing.assert_allclose(found.bound, 4.0 * np.diagonal(np.linalg.inv(phi.T @ phi)), rtol=1e-10)
    facts = found.facts()
    assert sum("efficient" in text for text in facts.of_kind(Statement)[0].sentences) == 4
    assert facts.of_kind(Table)[0].rows[0][:2] == ("intercept", 5.0)
    curve = facts.of_kind(Curve)[0]
    normal, own = curve.lines[0], curve.lines[1]
    np.testing.assert_allclose(own.y, normal.y, atol=0.08)


def test_ridge_is_biased_below_the_bound_and_the_report_says_so():
    X, _ = table_of()
    found = estimator_experiment(Ridge(40.0), X, [1.0, 2.0, 3.0], noise=1.0, repeats=300)
    assert found.efficiency[3] > 1
    assert "is biased by" in found.facts().of_kind(Statement)[0].sentences[3]
    np.testing.assert_allclose(found.squared_error, found.bias**2 + found.variance, rtol=1e-2)


def test_throwing_half_of_the_rows_away_costs_half_of_the_efficiency():
    class Half(LinearRegression):
        def fit(self, X, y, sample_weight=None):
            return super().fit(X[::2], y[::2])

    X, _ = table_of(80)
    found = estimator_experiment(Half(), X, [1.0, 2.0, 3.0], repeats=500)
    assert 0.3 < found.efficiency.mean() < 0.75
    assert any("not efficient" in text for text in found.facts().of_kind(Statement)[0].sentences)


def test_the_same_seed_gives_the_same_worlds_and_other_noise_may_be_drawn():
    X, _ = table_of()
    once, again = (estimator_experiment(LinearRegression(), X, [1.0, 2, 3], repeats=20).estimates for _ in range(2))
    assert (once == again).all()
    flat = estimator_experiment(
        LinearRegression(fit_intercept=False), X, [1.0, 2, 3], repeats=300,
        draw=lambda random, n: random.uniform(-np.sqrt(3), np.sqrt(3), n),
    )  # fmt: skip
    assert flat.names == ("x0", "x1", "x2")
    assert (abs(flat.variance - flat.bound) < 4 * flat.variance_error).all()


def test_what_has_no_bound_or_no_sense_is_refused():
    X, y = table_of()
    with pytest.raises(ValueError, match="needs one weight per column"):
        estimator_experiment(LinearRegression(), X, [1.0])
    with pytest.raises(ValueError, match="noise > 0 and repeats >= 2"):
        estimator_experiment(LinearRegression(), X, [1.0, 2, 3], noise=0.0)
    repeated = np.column_stack([X[:, 0], X[:, 0]])
    with pytest.warns(UserWarning, match="determine only"):
        model = LinearRegression().fit(repeated, y)
    with pytest.raises(ValueError, match="there is no bound"):
        _ = fisher_information(model, repeated).bound
    with pytest.raises(ValueError, match="one target with noise above 0"):
        fisher_information(LinearRegression().fit(X, np.column_stack([y, y**2])), X)
    with pytest.raises(ValueError, match="one error for every weight"):
        cramer_rao(Silent().fit(X, y), X)


def test_facts_of_a_claim_name_the_columns():
    X, y = table_of()
    model = LinearRegression().fit(X, y)
    assert [row[0] for row in cramer_rao(model, X).rows] == [
        row.name for row in model.facts().of_kind(Coefficients)[0].rows
    ]
