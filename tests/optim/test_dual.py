"""The dual: optimality checked from outside, shrinking changes nothing, interior points as second opinion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.optim import dual as module
from glaswerk.optim.dual import Dual, moving, solve_dual
from glaswerk.optim.interior_point import interior_point
from glaswerk.stats.kernel_functions import KernelFunction


def problem(n, d=3, seed=0, kernel=None, C=1.0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] * X[:, -1] + noise * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return Dual(X, y, np.full(n, C), kernel or KernelFunction("rbf", 0.5), pull=y)


def gap_of(dual, beta):
    """[SCH-DUAL] Primal less dual at the best intercept, all in double precision."""
    product = dual.kernel.matrix(dual.X, dual.X) @ beta
    g = dual.side - product
    edges = np.unique(np.concatenate([g, [0.0]]))
    losses = [dual.upper @ np.maximum(0, 1 - dual.side * (product + b)) for b in edges]
    length = beta @ product
    return (0.5 * length + min(losses)) - (np.abs(beta).sum() - 0.5 * length)


@settings(max_examples=25, deadline=None)
@given(st.integers(4, 60), st.integers(0, 1000), st.sampled_from([0.1, 1.0, 30.0]), st.sampled_from(["rbf", "poly"]))
def test_primal_and_dual_meet(n, seed, C, kind):
    dual = problem(n, seed=seed, C=C, kernel=KernelFunction(kind, 0.5, 1.0, 2))
    end = solve_dual(dual, 1e-5, 10**6, 10)
    assert end.settled
    assert abs(end.beta.sum()) <= 1e-9 * C * n
    assert ((end.beta * dual.side >= 0) & (end.beta * dual.side <= C)).all()
    assert gap_of(dual, end.beta) <= 2e-5 * C * n


def test_shrinking_ends_at_the_same_optimum(monkeypatch):
    dual = problem(1500, C=3.0, noise=0.1)
    plain = solve_dual(dual, 1e-6, 10**6, 50)
    monkeypatch.setattr(module, "NO_SHRINKING_BELOW", 100)
    monkeypatch.setattr(module, "STEPS_BEFORE_SHRINKING", 1)
    sizes = []
    taken = Dual.take
    monkeypatch.setattr(Dual, "take", lambda self, rows: sizes.append(len(rows)) or taken(self, rows))
    shrunk = solve_dual(dual, 1e-6, 10**6, 50)
    assert sizes and min(sizes) < 1000
    np.testing.assert_allclose(shrunk.beta, plain.beta, atol=2e-4)
    np.testing.assert_allclose(shrunk.gradient, plain.gradient, atol=1e-5)


def test_a_given_matrix_and_a_kernel_agree():
    dual = problem(200)
    cells = dual.kernel.matrix(dual.X, dual.X).astype(np.float32)
    given = Dual(dual.X, dual.side, dual.upper, KernelFunction("linear"), cells, dual.side)
    one, two = solve_dual(dual, 1e-4, 10**6, 10), solve_dual(given, 1e-4, 10**6, 10)
    np.testing.assert_allclose(one.gradient, two.gradient, atol=1e-3)


def test_too_few_steps_are_said():
    end = solve_dual(problem(300), 1e-6, 10, 10)
    assert not end.settled
    assert end.steps == 10
    assert end.gap > 0.1


def test_what_rests_at_its_bound_is_left_out():
    dual = problem(4)
    side = dual.side
    beta, gradient = np.where(side > 0, 1.0, -1.0), np.where(side > 0, 5.0, -5.0)
    assert moving(dual, np.zeros(4), side).size == 4
    assert moving(dual, beta, gradient).size == 0


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_interior_points_and_steps_of_two_agree_on_planes(C):
    dual = problem(400, d=4, kernel=KernelFunction("linear"), C=C)
    end = interior_point(dual.X * dual.side[:, None], dual.side, dual.upper, 1e-10)
    assert end.gap < 1e-10
    assert gap_of(dual, dual.side * end.alpha) <= 1e-7 * (1 + C * 400)
    steps = solve_dual(dual, 1e-5, 10**7, 10)
    w = dual.X.T @ (dual.side * end.alpha)
    np.testing.assert_allclose(w, dual.X.T @ steps.beta, rtol=1e-3, atol=1e-4)


def test_interior_points_take_collinear_and_constant_columns():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    X = np.column_stack([x, 2 * x, np.zeros(300)])
    y = np.where(x + 0.5 * rng.normal(size=300) > 0, 1.0, -1.0)
    end = interior_point(X * y[:, None], y, np.ones(300), 1e-9)
    assert end.gap <= 1e-9
