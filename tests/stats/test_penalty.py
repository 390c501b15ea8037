"""The penalty as more rows: the same solution from moments, triangle and corrected steps, in every unit and shift."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.stats.ladder import first_ask
from glaswerk.stats.moments import NOTHING, Moments, common_shift
from glaswerk.stats.penalty import FROM_ROWS, Shrunk, better_shift, penalised, solve_penalised
from glaswerk.stats.rungs import Ask, Rung
from glaswerk.stats.triangle import Triangle


def table(n=80, d=4, q=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.1, 10, d) + rng.normal(size=d)
    return X, X @ rng.normal(size=(d, q)) + rng.normal(size=(n, q))


def direct(X, Y, penalty, centred=True):
    """Weights (q, d) and intercepts by the formula [TRE-PLS]."""
    mean, level = (X.mean(axis=0), Y.mean(axis=0)) if centred else (np.zeros(X.shape[1]), np.zeros(Y.shape[1]))
    A = (X - mean).T @ (X - mean) + penalty * np.eye(X.shape[1])
    w = np.linalg.solve(A, (X - mean).T @ (Y - level)).T
    return w, level - w @ mean


def asked(X, Y, centred=True, n=None):
    return first_ask(n, common_shift(np.hstack([X, Y])), Y.shape[1], centred)


def climbed(X, Y, ask, penalty):
    """All passes until the solution, as a learner walks them."""
    while True:
        step = solve_penalised(ask.observe(X, Y), ask, np.full(Y.shape[1], penalty))
        if isinstance(step, Shrunk):
            return step
        ask = step


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("penalty", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("kind", [{"exact": True}, {"exact": False}, {"exact": False, "what": "triangle"}])
def test_every_statistic_leads_to_the_formula(kind, penalty, centred):
    X, Y = table()
    found = climbed(X, Y, replace(asked(X, Y, centred), **kind), penalty)
    w, b = direct(X, Y, penalty, centred)
    np.testing.assert_allclose(found.coefficients, w, rtol=1e-10)
    np.testing.assert_allclose(found.intercept, b, rtol=1e-9, atol=1e-12)
    rest = Y - X @ found.coefficients.T - found.intercept
    np.testing.assert_allclose(found.residual, (rest**2).sum(axis=0), rtol=1e-9)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 30), penalty=st.sampled_from([1e-3, 1.0, 1e3]))
def test_penalised_sums_are_those_of_the_rows_and_the_penalty_rows(seed, n, penalty):
    X, Y = table(n, 3, 1, seed)
    rows, zeros = np.sqrt(penalty) * np.eye(3), np.zeros((3, 1))
    for build in (Moments.of, Triangle.of):
        shift = np.zeros(4)
        found, plain = (
            penalised(build(X, Y, shift=shift), penalty),
            build(np.vstack([X, rows]), np.vstack([Y, zeros]), shift=shift),
        )
        got, want = (s.moments().gram if isinstance(s, Triangle) else s.gram for s in (found, plain))
        # The penalty's rows have no part in the column of ones.
        np.testing.assert_allclose(got[:-1, :-1], want[:-1, :-1], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(got[-1, -1], n, rtol=1e-12)


def test_the_penalty_stays_in_the_users_units_wherever_the_shift_is():
    X, Y = table()
    near, far = (Moments.of(X, Y, shift=np.full(6, s), exact=True) for s in (0.0, 1e5))
    ask = asked(X, Y)
    found = [solve_penalised(m, replace(ask, shift=m.shift), np.full(2, 3.0), more=False) for m in (near, far)]
    np.testing.assert_allclose(found[0].coefficients, found[1].coefficients, rtol=1e-12)


def test_bad_condition_is_mended_from_the_rows():
    X, Y = table(20_000, 3, 1)
    X[:, 1] = X[:, 0] + 1e-5 * X[:, 1]
    found = climbed(X, Y, asked(X, Y, n=20_000), 1e-6)
    assert found.rung in (Rung.CORRECTED, Rung.TRIANGLE)
    exact = solve_penalised(
        Moments.of(X, Y, shift=common_shift(np.hstack([X, Y])), exact=True), asked(X, Y), np.array([1e-6]), more=False
    )
    np.testing.assert_allclose(found.coefficients, exact.coefficients, rtol=1e-12)


def test_few_rows_never_need_a_square_of_the_columns():
    X, Y = table(10, 40)
    ask = asked(X, Y, n=10)
    assert ask.what == "triangle" or ask.exact
    found = climbed(X, Y, replace(ask, what="triangle", exact=False), 2.0)
    assert found.rung == FROM_ROWS
    w, b = direct(X, Y, 2.0)
    np.testing.assert_allclose(found.coefficients, w, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(found.intercept, b, rtol=1e-9)


def test_each_target_its_own_penalty():
    X, Y = table(q=3)
    moments = Moments.of(X, Y, shift=common_shift(np.hstack([X, Y])), exact=True)
    found = solve_penalised(moments, asked(X, Y), np.array([5.0, 0.0, 5.0]))
    for k, penalty in enumerate([5.0, 0.0, 5.0]):
        w, b = direct(X, Y, penalty)
        np.testing.assert_allclose(found.coefficients[k], w[k], rtol=1e-11)
        np.testing.assert_allclose(found.intercept[k], b[k], rtol=1e-10)
    np.testing.assert_array_equal(found.penalties, [5.0, 0.0, 5.0])


def test_a_far_shift_is_seen_through_any_penalty():
    X, Y = table(500, 2, 1)
    ask = replace(asked(X, Y), exact=False, shift=np.full(3, 1e6))
    better = better_shift(ask.observe(X, Y), ask)
    assert isinstance(better, Ask)
    np.testing.assert_allclose(better.shift[:2], X.mean(axis=0), rtol=1e-6)
    assert better_shift(better.observe(X, Y), better) is None
    assert better_shift(ask.observe(X, Y, NOTHING), replace(ask, centred=False)) is None


def test_a_solution_whose_parts_do_not_fit_is_refused():
    X, Y = table()
    found = solve_penalised(Moments.of(X, Y, shift=np.zeros(6), exact=True), asked(X, Y), np.ones(2), more=False)
    found.check()
    for change in ({"mean": np.zeros(9)}, {"rung": "guess"}, {"penalties": np.array([1.0, -1.0])}):
        with pytest.raises(ValueError, match=r"penalties must|another shape"):
            replace(found, **change).check()
