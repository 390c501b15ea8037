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
