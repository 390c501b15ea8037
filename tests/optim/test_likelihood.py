"""The rounds of a maximum-likelihood fit: which pass comes next, and why it ends."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.optim.first_rounds import first_ask
from glaswerk.optim.likelihood import Ask, Outcome, Setting, follow
from glaswerk.optim.newton import End
from glaswerk.stats.curvature import Order
from glaswerk.stats.separation import Verdict

NONE = np.zeros(0)


def setting(K=2, d=3, penalty=1.0, **more):
    return Setting(K, d, penalty, **{"intercept": True, "tol": 1e-6, "most": 50, "errors": None, **more})


def rows(n=500, d=3, K=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X @ rng.normal(size=(d, K)) + rng.gumbel(size=(n, K))).argmax(axis=1).astype(float)


def walked(chosen, X, codes, class_weight=None):
    """Every ask of a fit, and its outcome."""
    ask = first_ask(chosen, np.zeros(X.shape[1]), class_weight, X, codes, NONE, len(X))
    asks = []
    while isinstance(ask, Ask):
        asks.append(ask)
        ask = follow(ask.observe(X, codes, NONE), ask)
    return asks, ask


def test_without_a_penalty_few_rows_take_newtons_rounds_from_zero():
    X, codes = rows()
    asks, end = walked(setting(penalty=0.0), X, codes)
    assert not asks[0].point.weights.any()
    assert {ask.point.order for ask in asks} == {Order.FULL}
    assert [ask.passes for ask in asks] == list(range(1, end.passes + 1))
    assert (end.verdict, end.settled, end.ended.why) == (Verdict.OVERLAP, True, End.CONVERGED)


def test_several_classes_and_many_rows_need_one_or_two_whole_curvatures():
    X, codes = rows(30_000, 6, 4)
    asks, end = walked(setting(4, 6), X, codes)
    orders = [ask.point.order for ask in asks]
    assert orders[-1] is Order.FULL
    assert orders.count(Order.FULL) <= 2 < orders.count(Order.GRADIENT)
    assert end.settled


def test_very_many_weights_see_one_shared_curvature_and_no_other():
    X, codes = rows(400, 60, 4)
    asks, end = walked(setting(4, 60, penalty=5.0), X, codes)
    assert [ask.point.order for ask in asks[:2]] == [Order.SHARED, Order.GRADIENT]
    assert Order.FULL not in {ask.point.order for ask in asks}
    asked, _ = walked(setting(4, 60, penalty=5.0, errors=True), X, codes)
    assert asked[-1].point.order is Order.FULL
    assert end.settled


def test_balanced_classes_are_counted_first():
    X, codes = rows(300, 3, 3)
    asks, _ = walked(setting(3), X, codes, "balanced")
    assert asks[0].point.order is Order.COUNT
    totals = np.bincount(codes.astype(int)) * asks[1].point.class_weight
    np.testing.assert_allclose(totals, 100.0)


def test_without_a_penalty_the_end_is_a_proof():
    X, codes = rows()
    asks, end = walked(setting(penalty=0.0), X, codes)
    assert all(ask.point.certify for ask in asks)
    assert end.verdict is Verdict.OVERLAP
    separated, end = walked(setting(penalty=0.0), X, (X[:, 0] > 0).astype(float))
    assert separated[-1].stage == "sides"
    assert (end.verdict, end.sides.least > 0) == (Verdict.COMPLETE, True)


def test_curvature_that_vanished_on_the_way_proves_nothing():
    X, codes = rows()
    flag = ((codes == 1) & (np.arange(500) % 4 == 0)).astype(float)
    for tol in (1e-4, 1e-8):
        _, end = walked(setting(d=4, penalty=0.0, tol=tol), np.column_stack([X, flag]), codes)
        assert end.verdict is Verdict.TOUCHING


@pytest.mark.parametrize("K", [2, 3])
def test_the_objective_told_is_that_of_the_weights_told(K):
    X, codes = rows(K=K)
    _, end = walked(setting(K, penalty=2.0), X, codes)
    assert isinstance(end, Outcome)
    at = replace(end.point, weights=end.weights)
    again = Ask(end.setting, at, end.ended.walk).observe(X, codes, NONE)
    np.testing.assert_allclose(end.objective, again.value + (end.weights[:, :-1] ** 2).sum(), rtol=1e-12)
