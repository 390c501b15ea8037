"""The compiled walk of two-class logistic regression against its NumPy twin."""

from itertools import product

import numpy as np
import pytest

from glaswerk import kernels
from glaswerk.losses import cross_entropy

SIZES = (0, 1, 2, 255, 256, 257, 513)  # the kernel works in tiles of 256 rows


def rows(n, d, weighted):
    rng = np.random.default_rng([n, d])
    X = 50 + rng.normal(size=(n, d)) * 10.0 ** np.arange(d)
    weight = rng.integers(0, 4, n) * 0.37 if weighted else np.zeros(0)
    theta = np.append(rng.normal(size=d) / 10.0 ** np.arange(d), 0.3)
    return X, rng.integers(0, 2, n).astype(float), weight, np.full(d, 50.25), theta


def twin(X, codes, weight, shift, theta, one):
    A = np.column_stack([X - shift, np.full(len(X), one)])
    loss = cross_entropy((A @ theta)[None, :], codes.astype(int))
    w = weight if weight.size else np.ones(len(X))
    slope, bend = loss.slope[0] * w, np.abs(loss.slope[0]) * loss.own * w
    classes = np.bincount(codes.astype(int), weights=w, minlength=2)
    sums = [(loss.value * w).sum(), loss.margin[w > 0].min(initial=np.inf), *classes]
    return slope @ A, np.tril(A.T @ (A * bend[:, None])), np.abs(A).max(axis=0, initial=0.0), sums


@pytest.mark.parametrize(("n", "d", "weighted", "one"), list(product(SIZES, (1, 2, 5), (False, True), (1.0, 0.0))))
def test_the_walk_is_the_sums_of_its_twin(n, d, weighted, one):
    given = rows(n, d, weighted)
    gradient, hessian, reach = np.zeros(d + 1), np.zeros((d + 1, d + 1)), np.zeros(d + 1)
    sums = np.array([0.0, np.inf, 0.0, 0.0])
    kernels.logistic_sums(*given, one, gradient, hessian, reach, sums)
    wanted = twin(*given, one)
    A = np.column_stack([np.abs(given[0] - given[3]), np.full(n, one)])
    np.testing.assert_allclose(gradient, wanted[0], rtol=1e-11, atol=1e-13 * A.sum(initial=1.0))
    np.testing.assert_allclose(hessian, wanted[1], rtol=1e-10, atol=1e-13 * np.max(A.T @ A, initial=1.0))
    np.testing.assert_array_equal(reach, wanted[2])
    np.testing.assert_allclose(sums, wanted[3], rtol=1e-12)


def test_what_is_not_asked_for_is_not_touched_and_sums_are_added_to():
    given = rows(300, 3, True)
    alone, twice = (np.zeros(4) for _ in range(2))
    sums = np.array([0.0, np.inf, 0.0, 0.0])
    kernels.logistic_sums(*given, 1.0, alone, np.zeros((0, 0)), np.zeros(0), sums)
    for _ in range(2):
        kernels.logistic_sums(*given, 1.0, twice, np.zeros((0, 0)), np.zeros(0), sums)
    np.testing.assert_allclose(twice, 2 * alone, rtol=1e-13)
    np.testing.assert_allclose(sums[0], 3 * twin(*given, 1.0)[3][0], rtol=1e-12)


def walk(d, dear, given=None, tol=1e-6, most=50):
    X, codes, weight, shift, _ = rows(800, d, True)
    X = X / 10.0 ** np.arange(d)
    shift = shift / 10.0 ** np.arange(d)
    theta, gradient, direction, trace = np.zeros(d + 1), np.zeros(d + 1), np.zeros(d + 1), np.zeros((most, 4))
    hessian = np.zeros((d + 1, d + 1)) if given is None else given.copy()
    n = kernels.logistic_walk(X, codes, weight, shift, 1.0, 2.0, tol, dear, theta, gradient, direction, hessian, trace)
    return n, (X, codes, weight, shift), theta, gradient, direction, hessian, trace


def test_the_rounds_are_those_of_newtons_method_in_numpy():
    n, given, theta, gradient, direction, hessian, trace = walk(4, False)
    at, pays = np.zeros(5), np.diag([2.0, 2.0, 2.0, 2.0, 0.0])
    for k in range(n):
        slope, lower, _, sums = twin(*given, at, 1.0)
        H, g = lower + np.tril(lower, -1).T + pays, slope + pays @ at
        np.testing.assert_allclose(trace[k, 0], sums[0] + at @ pays @ at / 2, rtol=1e-12)
        np.testing.assert_allclose(trace[k, 1:], [np.abs(g).max(), k > 0, k + 1], rtol=1e-6, atol=1e-9)
        last, at = at, at - np.linalg.solve(H, g)
    np.testing.assert_allclose(theta, last, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(theta + direction, at, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(gradient, g, atol=1e-6)
    np.testing.assert_allclose(hessian, lower, rtol=1e-7, atol=1e-7)


def test_spared_curvatures_end_at_the_same_place_with_fewer_of_them():
    n, _, theta, _, direction, hessian, trace = walk(4, True, tol=1e-8)
    _, _, wanted, _, step, _, plain = walk(4, False, tol=1e-8)
    np.testing.assert_allclose(theta + direction, wanted + step, rtol=1e-6)
    assert (np.diff(trace[:n, 0]) < 0).all()
    assert trace[n - 1, 3] >= n
    known, *_ = walk(4, True, hessian, tol=1e-8)
    assert 0 < known <= n
    assert plain[0, 0] == trace[0, 0]


def test_nothing_is_to_be_had_from_a_curvature_that_is_none():
    assert walk(4, True, -np.eye(5) + 2 * np.diag([1.0, 0, 0, 0, 0]))[0] == 0
    assert walk(4, False, most=2)[0] == 2
