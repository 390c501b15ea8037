"""Where a search begins: at zero, at the answer of a sample, or rounds later."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.optim.first_rounds import first_ask
from glaswerk.optim.likelihood import Ask, follow
from glaswerk.optim.newton import End
from glaswerk.stats.curvature import Order
from glaswerk.stats.separation import Verdict
from tests.optim.test_likelihood import NONE, rows, setting, walked

HEAD = 65_536


def begun(chosen, X, codes, weight=NONE, n_rows=None, class_weight=None):
    return first_ask(chosen, np.zeros(X.shape[1]), class_weight, X, codes, weight, n_rows or len(X))


def finished(ask, X, codes, weight=NONE):
    while isinstance(ask, Ask):
        ask = follow(ask.observe(X, codes, weight), ask)
    return ask


@pytest.mark.parametrize("d", [3, 20])
def test_all_rows_at_hand_leave_one_pass_and_a_whole_trace(d):
    X, codes = rows(2_000, d)
    asks, end = walked(setting(d=d), X, codes)
    assert [ask.point.order for ask in asks] == [Order.FULL]
    assert (end.verdict, end.settled, end.ended.why) == (Verdict.PENALISED, True, End.CONVERGED)
    assert [step.round for step in end.trace] == list(range(end.ended.walk.rounds + 1))
    np.testing.assert_allclose(end.trace[0].value, 2_000 * np.log(2.0), rtol=1e-13)
    assert end.passes >= len(end.trace)
    values = [step.value for step in end.trace]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("d", [3, 20])
@pytest.mark.parametrize("more", [{}, {"intercept": False}, {"penalty": 1e3}, {"penalty": 1e-6}])
def test_the_end_is_that_of_the_rounds_from_zero(d, more):
    X, codes = rows(3_000, d)
    chosen = setting(d=d, tol=1e-9, **more)
    weight = np.random.default_rng(1).integers(0, 3, 3_000).astype(float)
    ask = begun(chosen, X, codes, weight)
    nothing = replace(ask.walk, at=np.zeros((1, d + 1)), search=None, gradient=None, rounds=0, trace=())
    plain = replace(ask, walk=nothing, point=replace(ask.point, weights=nothing.at), begun=0)
    here, there = finished(ask, X, codes, weight), finished(plain, X, codes, weight)
    np.testing.assert_allclose(here.weights, there.weights, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(here.objective, there.objective, rtol=1e-13)


def test_a_limit_of_rounds_holds_before_the_first_pass_too():
    X, codes = rows(2_000, 20)
    for most in (1, 2, 3):
        _, end = walked(setting(d=20, most=most), X, codes)
        assert (end.ended.why, end.ended.walk.rounds, end.settled) == (End.LIMIT, most, False)


def test_more_rows_than_at_hand_begin_near_the_answer_of_a_sample():
    X, codes = rows(80_000, 5)
    ask = begun(setting(d=5), X[:HEAD], codes[:HEAD], n_rows=80_000)
    asks = [ask]
    while isinstance(ask := follow(ask.observe(X, codes, NONE), ask), Ask):
        asks.append(ask)
    assert asks[0].point.weights.any()
    assert np.abs(asks[0].point.weights - ask.weights).max() < 0.3
    assert len(asks) <= 4


def test_many_columns_see_gradients_between_the_curvature_of_a_sample_and_the_last():
    X, codes = rows(66_000, 50)
    ask = begun(setting(d=50, tol=1e-4), X[:HEAD], codes[:HEAD], n_rows=66_000)
    orders = []
    while isinstance(ask, Ask):
        orders.append(ask.point.order)
        ask = follow(ask.observe(X, codes, NONE), ask)
    assert orders == [Order.GRADIENT] * (len(orders) - 1) + [Order.FULL]
    assert 2 <= len(orders) <= 8
    assert ask.settled


@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_a_sample_without_one_of_the_classes_is_not_used(penalty):
    X, _ = rows(80_000, 5)
    sparse = np.zeros(80_000)
    sparse[1] = 1.0
    end = finished(begun(setting(d=5, penalty=1.0), X, sparse), X, sparse)
    assert end.settled
    if penalty == 0:
        assert not begun(setting(d=5, penalty=0.0), X, sparse).point.weights.any()


def test_a_sample_worse_than_nothing_is_given_up():
    """Rows in an order that every sample misreads: its rows say the opposite of all others."""
    X, codes = rows(40_000, 5)
    step = 40_000 // 2_500
    X, codes = X * 30, codes.copy()
    codes[::step] = 1 - codes[::step]
    _, end = walked(setting(d=5), X, codes)
    np.testing.assert_allclose(end.trace[0].value, 40_000 * np.log(2.0), rtol=1e-13)
    assert end.settled


def test_a_pass_that_finds_its_beginning_worse_than_nothing_goes_back_to_zero():
    X, codes = rows()
    ask = begun(setting(penalty=0.0), X, codes)
    far = np.full((1, 4), 50.0)
    ask = replace(ask, walk=replace(ask.walk, at=far), point=replace(ask.point, weights=far))
    again = follow(ask.observe(X, codes, NONE), ask)
    assert isinstance(again, Ask)
    assert not again.point.weights.any()


def test_cells_that_are_no_numbers_are_left_to_the_pass_that_names_them():
    X, codes = rows(500, 3)
    X[7, 1] = np.nan
    ask = begun(setting(), X, codes)
    assert not ask.point.weights.any()
    assert not np.isfinite(ask.observe(X, codes, NONE).sums).all()


def test_columns_that_repeat_are_no_obstacle_where_a_penalty_decides():
    X, codes = rows(2_000, 20)
    X[:, 5] = X[:, 4]
    _, end = walked(setting(d=20), X, codes)
    np.testing.assert_allclose(end.weights[0, 5], end.weights[0, 4], rtol=1e-6)
    assert end.settled
