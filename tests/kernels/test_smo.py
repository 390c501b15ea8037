"""The compiled steps of two variables: their readable twin, cached rows, the vectorised exponential."""

import numpy as np
import pytest

from glaswerk import kernels
from glaswerk.kernels import smo
from glaswerk.optim.dual import _chain


def twin(K, y, low, high, tolerance, most):
    """Maximal violator, then the partner that promises most; both variables move as far as both bounds let them."""
    beta, g = np.zeros(len(y)), y.copy()
    for _ in range(most):
        up, down = np.where(beta < high, g, -np.inf), np.where(beta > low, g, np.inf)
        i = int(np.argmax(up))
        if not up[i] - down.min() >= tolerance:
            break
        curve = np.maximum(K[i, i] + np.diag(K) - 2 * K[i], 1e-12)
        gain = np.where((beta > low) & (g < up[i]), (up[i] - g) ** 2 / curve, 0.0)
        j = int(np.argmax(gain))
        length = min((g[i] - g[j]) / curve[j], high[i] - beta[i], beta[j] - low[j])
        beta[i] += length
        beta[j] -= length
        g -= length * (K[i] - K[j])
    return beta, g


def by_kernel(X, y, C, gamma, slots, tolerance=1e-6, most=100_000):
    n, d = X.shape
    width = 512
    rows = np.zeros((d, width), dtype=np.float32)
    rows[:, :n] = X.T
    side = np.zeros(width)
    side[:n] = y
    cache, where = np.empty((slots, width), dtype=np.float32), np.full(width, -1)
    held, chain, bits = np.full(slots, -1), _chain(slots), np.zeros(width, dtype=np.int32)
    beta, g, gap = np.zeros(width), side.copy(), np.zeros(1)
    steps = kernels.smo_steps(
        rows, (rows**2).sum(axis=0), smo.RBF, gamma, 0.0, 3, np.ones(width), np.minimum(0, C * side),
        np.maximum(0, C * side), side, False, tolerance, most, cache, where, held, chain, bits, bits.view(np.float32),
        beta, g, gap,
    )  # fmt: skip
    return beta[:n], g[:n], steps, gap[0]


def problem(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).astype(np.float32).astype(np.float64)
    return X, np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_the_steps_are_those_of_the_twin(C):
    X, y = problem(120)
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    beta, g, _, gap = by_kernel(X, y, C, 0.5, slots=120)
    expected, theirs = twin(K, y, np.minimum(0, C * y), np.maximum(0, C * y), 1e-6, 100_000)
    np.testing.assert_allclose(beta, expected, atol=3e-5 * C)
    np.testing.assert_allclose(g, theirs, atol=1e-4)
    assert gap < 1e-6
    assert abs(beta.sum()) < 1e-9 * C


def test_few_cached_rows_give_the_same_bits_as_many():
    X, y = problem(300)
    few, many = by_kernel(X, y, 1.0, 0.5, slots=2), by_kernel(X, y, 1.0, 0.5, slots=300)
    assert few[0].tobytes() == many[0].tobytes()
    assert few[2] == many[2]


def test_no_step_without_room():
    X, y = problem(50)
    beta, _, steps, gap = by_kernel(X, y, 1.0, 0.5, slots=50, most=0)
    assert (steps, gap) == (0, 2.0)
    assert not beta.any()


def test_the_exponential_has_the_digits_of_single_precision():
    v = np.linspace(-87, 0, 10_001).astype(np.float32)
    expected, bits = np.exp(v.astype(np.float64)), np.zeros(v.size, dtype=np.int32)
    smo._exponentials(v, bits, bits.view(np.float32))
    assert np.abs(v / expected - 1).max() < 5e-7
