"""Hard margin: known hulls, certificates checked from outside, hulls that touch, meet, or are one point."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.optim.dual import Dual
from glaswerk.optim.nearest_hulls import nearest_hulls
from glaswerk.stats.kernel_functions import KernelFunction

LINE = KernelFunction("linear")


def hulls(X, y, kernel=LINE):
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    return nearest_hulls(Dual(X, y, np.full(len(y), np.inf), kernel, pull=y), 10**6, 10)


def test_two_points_are_as_far_apart_as_they_are():
    """[SCH-HARD]"""
    found = hulls([[0, 0], [3, 4]], [-1, 1])
    assert found.separable
    assert found.distance == pytest.approx(5, rel=1e-12)
    assert found.gap == pytest.approx(5, rel=1e-12)
    np.testing.assert_allclose(found.beta, [-1, 1])


def test_the_nearest_points_may_lie_between_rows():
    found = hulls([[0, -1], [0, 1], [2, 0], [5, 0]], [-1, -1, 1, 1])
    assert found.distance == pytest.approx(2, rel=1e-6)
    np.testing.assert_allclose(found.beta, [-0.5, -0.5, 1, 0], atol=1e-6)
    assert "a plane verified on every row leaves a gap of 2 " in found.says()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(2, 40), st.floats(-1, 3))
def test_either_certificate_holds(seed, d, n, shift):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), np.where(np.arange(n) % 2, 1.0, -1.0)
    X[:, 0] += y * shift
    found = hulls(X, y)
    for sign in (1.0, -1.0):
        assert np.sum(found.beta[y == sign]) == pytest.approx(sign, abs=1e-9)
        assert (found.beta[y == sign] * sign >= 0).all()
    w = X.T @ found.beta
    assert np.linalg.norm(w) == pytest.approx(found.distance, rel=1e-6, abs=1e-7)
    if found.separable:
        scores = X @ w
        assert scores[y > 0].min() > scores[y < 0].max()
        assert found.gap <= found.distance * (1 + 1e-9)
    elif found.decided:
        assert np.linalg.norm(w) <= 1e-6 * found.spread


def test_rings_are_separable_by_a_polynomial_and_not_by_a_plane():
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    X, y = np.vstack([ring, 3 * ring]), np.repeat([-1.0, 1.0], 40)
    flat = hulls(X, y)
    assert not flat.separable
    assert flat.decided
    assert "not separable" in flat.says()
    bent = hulls(X, y, KernelFunction("poly", 1.0, 0.0, 2))
    assert bent.separable


def test_the_same_row_in_both_classes_cannot_be_separated():
    found = hulls([[1.0], [1.0]], [1, -1])
    assert not found.separable
    assert found.decided


def test_all_rows_zero():
    assert not hulls(np.zeros((4, 2)), [1, -1, 1, -1]).separable
