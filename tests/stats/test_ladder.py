"""The assembled ladder against exact rational arithmetic: the digits it reaches, and the digits it claims."""

import warnings

import numpy as np
import pytest

from glaswerk import LinearRegression
from glaswerk.stats.ladder import climb, first_ask
from glaswerk.stats.moments import common_shift
from glaswerk.stats.rungs import Ask, Rung
from tests.rational import correct_digits, exact_least_squares

FULL = 15.4  # within half a digit of what a double can hold


def dependent_columns(n, d, closeness, offset=0.0, noise=1.0, seed=0):
    """A table whose second column is the first plus a little: condition number about 1 / closeness."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + offset
    X[:, 1] = X[:, 0] + closeness * rng.normal(size=n)
    y = X @ np.linspace(1.0, 2.0, d) + noise * rng.normal(size=n)
    return X, y


def fitted(X, y):
    model = LinearRegression().fit(X, y)
    return model.solution_, np.append(model.coef_, model.intercept_)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
@pytest.mark.parametrize("closeness", [1.0, 1e-2, 1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize(("n", "d"), [(60, 3), (1500, 20), (9000, 4)])
def test_ill_conditioned_problems_keep_every_digit(n, d, closeness, offset):
    X, y = dependent_columns(n, d if n < 1000 else min(d, 6), closeness, offset)
    solution, found = fitted(X, y)
    digits = correct_digits(found, exact_least_squares(X, y))
    assert digits >= solution.digits - 0.5
    if solution.rung != Rung.GRAM:
        assert digits >= FULL


@pytest.mark.parametrize("closeness", [1e-9, 1e-10, 1e-11, 1e-12])
@pytest.mark.parametrize("n", [80, 8500])
def test_conditions_up_to_1e12_keep_every_digit(n, closeness):
    X, y = dependent_columns(n, 3, closeness)
    solution, found = fitted(X, y)
    assert correct_digits(found, exact_least_squares(X, y)) >= FULL
    assert solution.factor.condition > 1e8


def test_all_rungs_are_climbed_by_size_and_condition_alone():
    rungs = {
        (80, 3, 1.0): Rung.PAIRS,
        (9000, 3, 1.0): Rung.GRAM,
        (9000, 3, 1e-3): Rung.CORRECTED,
        (9000, 3, 1e-7): Rung.TRIANGLE,
    }
    for (n, d, closeness), rung in rungs.items():
        assert fitted(*dependent_columns(n, d, closeness))[0].rung == rung
    X, y = dependent_columns(9000, 3, 1.0)
    X[:, 2] = X[:, 0] - 2 * X[:, 1]
    with pytest.warns(UserWarning, match="determine only 2 of 3"):
        assert fitted(X, y)[0].rung == Rung.SHORTEST


def test_a_vandermonde_matrix_on_the_unit_interval():
    x = np.linspace(0, 1, 40)
    X = x[:, None] ** np.arange(1, 12)
    y = np.cos(3 * x)
    _, found = fitted(X, y)
    assert correct_digits(found, exact_least_squares(X, y)) >= FULL


def test_an_exact_fit_has_residual_zero_and_full_digits():
    X, _ = dependent_columns(9000, 4, 1.0)
    X = np.round(X, 3)
    y = X @ np.array([1.0, -2.0, 3.0, 0.5])
    solution, found = fitted(X, y)
    assert solution.rung == Rung.CORRECTED
    assert correct_digits(found[:-1], exact_least_squares(X, y)[:-1]) >= FULL
    assert solution.residual[0] <= 1e-24 * solution.total[0]


def test_several_targets_are_solved_together_as_well_as_alone():
    X, y = dependent_columns(9000, 4, 1e-5)
    Y = np.column_stack([y, np.sin(y), y**2])
    together = LinearRegression().fit(X, Y)
    for k in range(3):
        exact = exact_least_squares(X, Y[:, k])
        assert correct_digits(np.append(together.coef_[k], together.intercept_[k]), exact) >= FULL


def test_weights_on_a_refined_rung():
    X, y = dependent_columns(9000, 3, 1e-5)
    weight = np.random.default_rng(1).integers(0, 4, len(X)).astype(float)
    model = LinearRegression().fit(X, y, sample_weight=weight)
    exact = exact_least_squares(X, y, weight)
    assert correct_digits(np.append(model.coef_, model.intercept_), exact) >= FULL


def test_a_beginning_that_misleads_is_noticed_and_the_pass_repeated():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200_000, 2))
    y = X @ [1.0, 2.0] + rng.normal(size=len(X))
    X[0:65_536:1024, 0] += 1e7  # just the rows from which the shift is taken
    model = LinearRegression().fit(X, y)
    long = np.column_stack([X, y]).astype(np.longdouble)
    long -= long.mean(axis=0)
    (a, b), (_, c) = long[:, :2].T @ long[:, :2]
    u, v = long[:, :2].T @ long[:, 2]
    exact = np.array([c * u - b * v, a * v - b * u]) / (a * c - b * b)
    assert model.solution_.passes >= 2
    np.testing.assert_allclose(model.coef_, exact.astype(float), rtol=1e-12)


def test_where_rows_are_gone_the_answer_states_the_digits_it_lost():
    X, y = dependent_columns(9000, 3, 1e-4)
    ask = first_ask(len(X), common_shift(np.column_stack([X, y])[:64]), 1)
    moments = ask.observe(X, y[:, None])
    lost = climb(moments, ask, more=False)
    digits = correct_digits(np.append(lost.coefficients[0], lost.intercept[0]), exact_least_squares(X, y))
    assert lost.digits < 10
    assert digits >= lost.digits - 0.5
    assert isinstance(climb(moments, ask, more=True), Ask)


def test_a_hopeless_gram_without_rows_takes_the_shortest_solution_rather_than_noise():
    X, y = dependent_columns(9000, 3, 1e-10)
    ask = first_ask(len(X), common_shift(np.column_stack([X, y])[:64]), 1)
    solution = climb(ask.observe(X, y[:, None]), ask, more=False)
    assert solution.rung == Rung.SHORTEST
    assert np.abs(solution.coefficients).max() < 10


def test_a_tolerance_of_the_users_own_cuts_what_it_says():
    X, y = dependent_columns(60, 3, 1e-4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert LinearRegression(tol=1e-3).fit(X, y).rank_ == 2
    assert LinearRegression(tol=1e-6).fit(X, y).rank_ == 3
