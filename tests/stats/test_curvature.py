"""Curvature: value, gradient and Hessian of a point against the rows themselves, and the laws of a sum [BG-CE]."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.losses import cross_entropy, softmax_cross_entropy
from glaswerk.stats.curvature import Curvature, Order, Point

LOSS = {2: cross_entropy, 3: softmax_cross_entropy, 4: softmax_cross_entropy}


def problem(n=300, d=4, K=2, seed=0, order=Order.FULL, intercept=True, certify=True):
    rng = np.random.default_rng(seed)
    X = 5 + rng.normal(size=(n, d)) * 10.0 ** np.arange(d)
    weights = rng.normal(size=(1 if K == 2 else K, d + 1)) * 0.3 ** np.append(np.arange(d), 0)
    if not intercept:
        weights[:, -1] = 0.0
    shift = np.full(d, 5.25) if intercept else np.zeros(d)
    point = Point(LOSS[K], weights, shift, np.linspace(0.5, 2.0, K), intercept, order, certify)
    return X, rng.integers(0, K, n).astype(float), rng.integers(0, 4, n) * 0.37, point


def direct(X, codes, weight, point):
    """Value and gradient, row by row, and the Hessian as differences of gradients."""
    A = np.column_stack([X - point.shift, np.full(len(X), float(point.intercept))])
    t = codes.astype(int)
    w = weight * point.class_weight[t]

    def at(theta):
        loss = point.loss(theta @ A.T, t)
        return (loss.value * w).sum(), (loss.slope * w) @ A

    value, gradient = at(point.weights)
    columns = []
    for k in range(point.weights.size):
        step = np.zeros(point.weights.size)
        step[k] = 1e-5 / max(np.abs(A[:, k % A.shape[1]]).max(), 1.0)
        step = step.reshape(point.weights.shape)
        change = at(point.weights + step)[1] - at(point.weights - step)[1]
        columns.append(change.ravel() / (2 * step.sum()))
    return value, gradient, np.array(columns)


@pytest.mark.parametrize("K", [2, 3, 4])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_sums_are_those_of_the_rows(K, intercept):
    X, codes, weight, point = problem(K=K, intercept=intercept)
    found = Curvature.of(X, codes, weight, at=point)
    value, gradient, hessian = direct(X, codes, weight, point)
    np.testing.assert_allclose(found.value, value, rtol=1e-13)
    np.testing.assert_allclose(found.gradient, gradient, atol=1e-11 * np.abs(gradient).max())
    scale = np.sqrt(np.maximum(np.diagonal(found.hessian), 1e-300))
    np.testing.assert_allclose(found.hessian / scale / scale[:, None], hessian / scale / scale[:, None], atol=1e-6)
    assert found.count == np.count_nonzero(weight)
    counted = [weight[codes == k].sum() * point.class_weight[k] for k in range(K)]
    np.testing.assert_allclose(found.classes, counted, rtol=1e-13)
    away = np.abs(X - point.shift).max(axis=0)
    np.testing.assert_array_equal(found.reach, np.append(away, float(intercept)))


@pytest.mark.parametrize("d", [3, 70])
def test_the_compiled_loop_and_the_product_agree(d):
    X, codes, weight, point = problem(d=d)
    point = replace(point, weights=point.weights * 0, shift=np.zeros(d))
    w = weight * point.class_weight[codes.astype(int)]
    A = np.column_stack([X, np.ones(len(X))])
    wanted = A.T @ (A * (0.25 * w)[:, None])
    np.testing.assert_allclose(Curvature.of(X, codes, weight, at=point).hessian, wanted, rtol=1e-11)


def test_the_shared_curvature_is_that_of_equal_shares():
    X, codes, weight, point = problem(K=3, order=Order.SHARED)
    point = replace(point, weights=point.weights * 0)
    A = np.column_stack([X - point.shift, np.ones(len(X))])
    w = weight * point.class_weight[codes.astype(int)]
    wanted = A.T @ (A * w[:, None]) / 3
    np.testing.assert_allclose(Curvature.of(X, codes, weight, at=point).hessian, wanted, rtol=1e-12)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("order", list(Order))
def test_any_cut_of_the_rows_gives_the_same_sum(K, order):
    X, codes, weight, point = problem(K=K, order=order)
    whole = Curvature.of(X, codes, weight, at=point)
    parts = [Curvature.of(X[s], codes[s], weight[s], at=point) for s in (slice(7), slice(7, 7), slice(7, None))]
    total = parts[0] + parts[1] + parts[2]
    for name in ("classes", "value", "gradient", "hessian"):
        a, b = np.asarray(getattr(total, name)), np.asarray(getattr(whole, name))
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12 * np.abs(b).max(initial=1))
    assert (total.count, total.margin) == (whole.count, whole.margin)
    np.testing.assert_array_equal(total.reach, whole.reach)


@pytest.mark.parametrize("K", [2, 3])
def test_a_weight_of_two_is_the_row_twice(K):
    X, codes, _, point = problem(K=K)
    twice = Curvature.of(X, codes, np.full(len(X), 2.0), at=point)
    again = Curvature.of(np.repeat(X, 2, axis=0), np.repeat(codes, 2), at=point)
    np.testing.assert_allclose(twice.gradient, again.gradient, rtol=1e-9)
    np.testing.assert_allclose(twice.hessian, again.hessian, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(twice.value, again.value, rtol=1e-13)


def test_memory_order_leaves_no_trace():
    X, codes, weight, point = problem(K=3)
    a, b = Curvature.of(X, codes, weight, at=point), Curvature.of(np.asfortranarray(X), codes, weight, at=point)
    assert a.value == b.value
    np.testing.assert_array_equal(a.gradient, b.gradient)
    np.testing.assert_array_equal(a.hessian, b.hessian)


def test_the_margin_is_that_of_the_worst_row_that_counts():
    X, codes = np.array([[-2.0], [3.0], [-9.0]]), np.array([0.0, 1.0, 1.0])
    point = Point(cross_entropy, np.array([[1.0, 0.0]]), np.zeros(1), np.ones(2), certify=True)
    assert Curvature.of(X, codes, at=point).margin == -9.0
    assert Curvature.of(X, codes, np.array([1.0, 1.0, 0.0]), at=point).margin == 2.0


def test_a_cell_that_is_no_number_shows_in_the_sums():
    X, codes, weight, point = problem()
    X[3, 0] = np.nan
    assert not np.isfinite(Curvature.of(X, codes, weight, at=point).sums).all()


def test_a_curvature_of_unequal_parts_is_refused():
    sound = Curvature.empty(problem()[3])
    sound.check()
    with pytest.raises(ValueError, match="cannot be"):
        replace(sound, hessian=np.zeros((2, 3))).check()
    with pytest.raises(ValueError, match="class weights"):
        replace(sound, gradient=np.zeros(3)).check()
