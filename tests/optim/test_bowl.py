"""The bowl of a linear model: the same losses, gradients and bottoms as the rows give, and its largest curvature."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glaswerk.optim.bowl import OBJECTIVES, Objective, bowl_of, roll, scaling_of
from glaswerk.optim.descent import Rule, Stop
from glaswerk.optim.diagnosis import Diagnosis, condition_of_bowl
from glaswerk.stats.moments import Moments, common_shift


def rows(n=40, d=3, q=2, seed=0, weighted=False):
    rng = np.random.default_rng([seed, n, d])
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1) + 3
    Y = X @ rng.normal(size=(d, q)) + 1 + rng.normal(size=(n, q))
    return X, Y, rng.integers(0, 4, n) * 0.5 if weighted else np.zeros(0)


def sums(X, Y, weight, exact=False, intercept=True):
    shift = common_shift(np.column_stack([X, Y])) if intercept else np.zeros(X.shape[1] + Y.shape[1])
    return Moments.of(X, Y, weight, shift=shift, exact=exact)


def loss(theta, X, Y, weight, objective):
    """J written out: theta (q, p)."""
    A = np.column_stack([X, np.ones(len(X))]) if objective.intercept else X
    w = weight if weight.size else np.ones(len(X))
    squares = float(w @ ((Y - A @ theta.T) ** 2).sum(axis=1))
    paying = theta if objective.intercept_pays or not objective.intercept else theta[:, :-1]
    return objective.share(w.sum()) * squares + objective.alpha * float((paying**2).sum())


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize(("alpha", "intercept", "pays"), [
    (0.0, True, False), (0.3, True, False), (0.3, True, True), (0.3, False, False),
])  # fmt: skip
@pytest.mark.parametrize(("weighted", "exact"), [(False, False), (True, False), (False, True)])
def test_the_bowl_is_the_loss(name, alpha, intercept, pays, weighted, exact):
    X, Y, weight = rows(weighted=weighted)
    objective = Objective(name, alpha, intercept, pays)
    bowl = bowl_of(sums(X, Y, weight, exact, intercept), objective)
    theta = np.random.default_rng(1).normal(size=bowl.bottom.shape)
    wanted = loss(theta, X, Y, weight, objective)
    np.testing.assert_allclose(bowl.values(theta[None])[0], wanted, rtol=1e-11)
    spot = bowl.look((theta - bowl.bottom).ravel())
    np.testing.assert_allclose(spot.value, wanted, rtol=1e-11)
    for k in range(theta.size):
        up, down = theta.copy().ravel(), theta.copy().ravel()
        up[k] += 1e-5
        down[k] -= 1e-5
        both = [loss(t.reshape(theta.shape), X, Y, weight, objective) for t in (up, down)]
        np.testing.assert_allclose(spot.gradient[k], (both[0] - both[1]) / 2e-5, rtol=1e-5, atol=1e-6 * wanted)
    assert bowl.lowest <= wanted
    np.testing.assert_allclose(bowl.lowest, loss(bowl.bottom, X, Y, weight, objective), rtol=1e-10)


def test_the_step_that_script_e_names_is_one_over_the_largest_eigenvalue():  # [NAN-SIGMA]
    X, Y, none = rows()
    A = np.column_stack([X, np.ones(len(X))])
    largest = np.linalg.eigvalsh(A.T @ A)[-1]
    expected = {"half_rss": largest, "rss": 2 * largest, "mse": 2 * largest / 40, "half_mse": largest / 40}
    for name, sigma in expected.items():
        np.testing.assert_allclose(bowl_of(sums(X, Y, none), Objective(name)).largest(), sigma, rtol=1e-9)


@settings(max_examples=30, deadline=None)
@example(1, 6, 7920, "mse")  # a bottom at zero, where rounding goes up and down
@given(st.integers(1, 30), st.integers(1, 6), st.integers(0, 10_000), st.sampled_from(OBJECTIVES))
def test_one_over_the_largest_eigenvalue_never_goes_up(n, d, seed, name):
    X, Y, none = rows(n, d, 1, seed)
    bowl = bowl_of(sums(X, Y, none), Objective(name))
    start = np.zeros_like(bowl.bottom)
    path = roll(bowl, start, 1 / bowl.largest(), 0.0, 300, Rule(highest=bowl.highest(start)))
    assert path.ended != Stop.DIVERGED
    assert (np.diff(path.values) <= 1e-12 * path.values[0]).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 30), st.integers(0, 10_000), st.floats(1.05, 50))
def test_more_than_two_over_the_largest_eigenvalue_diverges_and_is_seen(n, seed, share):
    X, Y, none = rows(n, 2, 1, seed)
    bowl = bowl_of(sums(X, Y, none), Objective())
    start = np.ones_like(bowl.bottom)
    path = roll(bowl, start, share * 2 / bowl.largest(), 0.0, 5000, Rule(highest=bowl.highest(start)))
    assert path.ended == Stop.DIVERGED


def test_newton_reaches_the_bottom_in_one_step_even_of_a_valley():
    X, Y, none = rows()
    for table in (X, np.column_stack([X, X[:, 0]])):
        bowl = bowl_of(sums(table, Y, none), Objective())
        away = np.ones(bowl.bottom.size)
        there = bowl.look(away - bowl.newton(bowl.look(away).gradient))
        np.testing.assert_allclose(there.value, bowl.lowest, rtol=1e-12)


def test_standardised_columns_have_the_same_bottom():
    X, Y, none = rows()
    raw = sums(X, Y, none)
    for intercept in (True, False):
        known = raw if intercept else sums(X, Y, none, intercept=False)
        scaling = scaling_of(known, intercept)
        if intercept:
            np.testing.assert_allclose(scaling.mean, X.mean(axis=0), rtol=1e-13)
            np.testing.assert_allclose(scaling.scale, X.std(axis=0), rtol=1e-12)
        plain, placed = bowl_of(known, Objective("rss", intercept=intercept)), scaling.moments(known)
        bowl = bowl_of(placed, Objective("rss", intercept=intercept))
        np.testing.assert_allclose(scaling.raw(bowl.bottom, intercept), plain.bottom, rtol=1e-10)
        np.testing.assert_allclose(bowl.lowest, plain.lowest, rtol=1e-10)


def test_a_constant_column_is_not_blown_up():
    X, Y, none = rows()
    X[:, 1] = 0.1
    scaling = scaling_of(sums(X, Y, none), True)
    assert scaling.scale[1] == 1


def test_long_descents_and_short_chunks_are_the_same_path(monkeypatch):
    X, Y, none = rows()
    bowl = bowl_of(sums(X, Y, none), Objective())
    start, rule = np.zeros_like(bowl.bottom), Rule(1e-9, 4)
    whole = roll(bowl, start, 0.01, 0.01, 700, rule)
    monkeypatch.setattr("glaswerk.optim.bowl.CHUNK", 7)
    cut = roll(bowl, start, 0.01, 0.01, 700, rule)
    assert whole.ended == cut.ended
    assert np.array_equal(whole.values, cut.values)
    assert np.array_equal(whole.rates, cut.rates)
    assert np.array_equal(whole.places, cut.places)
    np.testing.assert_allclose(whole.rates[:3], [0.01, 0.01 / 1.01, 0.01 / 1.02])


# Diagnosis


def test_the_diagnosis_names_bound_factor_condition_and_the_way_out():
    X, Y, none = rows(q=1)
    bowl = bowl_of(sums(X, Y, none), Objective())
    values = np.linalg.eigvalsh(bowl.curvature)[::-1]
    standardised = condition_of_bowl(bowl_of(scaling_of(sums(X, Y, none), True).moments(sums(X, Y, none)), Objective()))
    names = ("a", "b", "c", "intercept")

    def told(rate, batch=0):
        return " ".join(Diagnosis(bowl, names, rate, batch, standardised).sentences())

    assert f"2/σ_max = {2 / values[0]:.4g}" in told(1 / values[0])
    assert "overshoots nowhere" in told(1 / values[0])
    assert "oscillates and still converges" in told(1.7 / values[0])
    assert f"{1 - 1.7:.4g}" in told(1.7 / values[0])
    assert "diverges" in told(3 / values[0])
    assert f"κ = {values[0] / values[-1]:.4g}" in told(0.1)
    assert "Standardised columns have" in told(0.1)
    assert "settle only to a cloud" in told(0.1, 4)
    assert "length of its own" in told(None)


def test_the_steps_asked_for_are_the_steps_it_takes():
    X, Y, none = rows(n=200, q=1)
    bowl = bowl_of(sums(X, Y, none), Objective())
    seen = Diagnosis(bowl, ("a", "b", "c", "intercept"), None)
    start = bowl.bottom + np.linalg.eigh(bowl.curvature)[1][:, 0]  # away along the flattest direction
    path = roll(bowl, start, 1 / seen.largest, 0.0, int(np.ceil(seen.steps_needed)), Rule())
    assert 0.05e-6 < (path.values[-1] - bowl.lowest) / (path.values[0] - bowl.lowest) < 1.1e-6


def test_the_directions_are_a_table_of_the_steepest_and_the_flattest():
    X, Y, none = rows(n=80, d=20, q=1)
    bowl = bowl_of(sums(X, Y, none), Objective())
    seen = Diagnosis(bowl, tuple(map(str, range(21))), 1 / bowl.largest())
    table = seen.directions()
    assert len(table.rows) == 8
    assert "13 between" in table.notes[0]
    assert abs(table.rows[0][2]) < 1e-6
    assert table.rows[0][3] == 1
    assert all(row[3] > 1 for row in table.rows[1:])


def test_a_bowl_that_does_not_curve_says_so():
    Y = np.ones((5, 1))
    bowl = bowl_of(sums(np.zeros((5, 2)), Y, np.zeros(0), intercept=False), Objective(intercept=False))
    assert Diagnosis(bowl, ("a", "b"), 0.1).sentences() == ("No direction curves: there is nothing to descend.",)
    assert bowl.largest() == 0
