"""The loops of descent against their twins of a few lines in NumPy."""

import numpy as np
import pytest

from glaswerk import kernels

NONE = np.zeros(0)


def some_bowl(p, seed=0):
    A = np.random.default_rng(seed).normal(size=(p + 3, p))
    return A.T @ A


@pytest.mark.parametrize(("p", "q"), [(1, 1), (4, 1), (7, 3)])
def test_roll_down_is_the_step_times_the_gradient(p, q):
    H, rates = some_bowl(p), np.linspace(1e-3, 1e-2, 6)
    trail, values, slopes = np.empty((7, q, p)), np.empty(6), np.empty(6)
    trail[0] = np.random.default_rng(1).normal(size=(q, p))
    kernels.roll_down(H, rates, trail, values, slopes)
    e = trail[0].copy()
    for s, rate in enumerate(rates):
        np.testing.assert_allclose(trail[s], e, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(values[s], 0.5 * np.sum(e * (e @ H)), rtol=1e-12)
        np.testing.assert_allclose(slopes[s], np.sum((e @ H) ** 2), rtol=1e-12)
        e = e - rate * (e @ H)
    np.testing.assert_allclose(trail[6], e, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("p", [1, 2, 5, 40])
def test_power_iteration_finds_the_largest_eigenvalue(p):
    H = some_bowl(p, p)
    found = kernels.largest_eigenvalue(H, np.random.default_rng(0).normal(size=p), 1e-13, 100_000)
    np.testing.assert_allclose(found, np.linalg.eigvalsh(H)[-1], rtol=1e-9)


def test_power_iteration_on_nothing_is_zero():
    assert kernels.largest_eigenvalue(np.zeros((3, 3)), np.ones(3), 1e-10, 100) == 0
    assert kernels.largest_eigenvalue(np.eye(2), np.zeros(2), 1e-10, 100) == 0


def rows(n=23, d=3, q=2, weighted=False):
    rng = np.random.default_rng([n, d, q])
    return rng.normal(size=(n, d)), rng.normal(size=(n, q)), rng.integers(0, 4, n) * 0.5 if weighted else NONE


def epoch(X, Y, weight, order, size, factor, shrink, pull, intercept, averaged, theta):
    """One epoch, written out."""
    A = np.column_stack([X, np.ones(len(X))])
    w = weight if weight.size else np.ones(len(X))
    step = np.append(np.ones(X.shape[1]), float(intercept))
    paid = np.append(np.ones(X.shape[1]), float(pull))
    for start in range(0, len(order), size):
        batch = order[start : start + size]
        total = w[batch].sum()
        if total == 0:
            continue
        gradient = (w[batch][:, None] * (A[batch] @ theta.T - Y[batch])).T @ A[batch]
        share, whole = (factor / total, shrink) if averaged else (factor, shrink * total)
        theta = theta - share * gradient * step - whole * theta * paid
    return theta


@pytest.mark.parametrize("size", [1, 4, 23])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("averaged", "intercept", "pull", "shrink"), [
    (False, True, False, 0.0), (True, True, False, 0.01), (False, True, True, 0.01), (True, False, False, 0.0),
])  # fmt: skip
def test_an_epoch_of_batches_is_one_gradient_after_another(size, weighted, averaged, intercept, pull, shrink):
    X, Y, weight = rows(weighted=weighted)
    order = np.random.default_rng(3).permutation(len(X))
    theta = np.random.default_rng(4).normal(size=(2, 4)) * np.append(np.ones(3), float(intercept))
    expected = epoch(X, Y, weight, order, size, 0.05, shrink, pull, intercept, averaged, theta)
    kernels.batch_epoch(X, Y, weight, order, size, 0.05, shrink, pull, intercept, averaged, theta)
    np.testing.assert_allclose(theta, expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("intercept", [True, False])
def test_the_perceptron_is_moved_by_rows_on_the_wrong_side(intercept):
    X, Y, _ = rows()
    Y, order = np.sign(Y), np.random.default_rng(5).permutation(len(X))
    theta, mistakes = np.zeros((2, 4)), np.full(2, 9.0)
    kernels.mistake_epoch(X, Y, order, 0.5, intercept, theta, mistakes)
    expected, made = np.zeros((2, 4)), np.zeros(2)
    for i in order:
        a = np.append(X[i], float(intercept))
        for t in range(2):
            if Y[i, t] * (expected[t] @ a) <= 0:
                expected[t] += 0.5 * Y[i, t] * a
                made[t] += 1
    np.testing.assert_allclose(theta, expected, rtol=1e-12, atol=1e-14)
    assert np.array_equal(mistakes, made)


def test_shuffling_gives_every_order_alike_and_goes_on_from_its_state():
    state, seen = np.array([7], dtype=np.uint64), {}
    for _ in range(6000):
        order = np.arange(3)
        kernels.shuffle_order(order, state)
        seen[tuple(order)] = seen.get(tuple(order), 0) + 1
    assert len(seen) == 6
    assert all(abs(count - 1000) < 150 for count in seen.values())  # five deviations
    again, first = np.array([7], dtype=np.uint64), np.arange(50)
    kernels.shuffle_order(first, again)
    assert sorted(first) == list(range(50))


def test_nothing_and_one_row_stay_as_they_are():
    for n in (0, 1):
        order, state = np.arange(n), np.array([1], dtype=np.uint64)
        kernels.shuffle_order(order, state)
        assert order.tolist() == list(range(n))
