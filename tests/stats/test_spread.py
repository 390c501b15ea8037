"""Mean and variance that add."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.stats.spread import Spread


def table(n=90, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 3)) * [1, 20, 1e-3] + [1e6, 0, 5]


@settings(deadline=None, max_examples=40)
@given(cut=st.integers(0, 90), shift=st.floats(-10, 10))
def test_two_parts_with_different_shifts_are_the_whole(cut, shift):
    X = table()
    whole = Spread.of(X, shift=X[0])
    parts = Spread.of(X[:cut], shift=X[0]) + Spread.of(X[cut:], shift=X[0] + shift)
    np.testing.assert_allclose(parts.mean, whole.mean, rtol=1e-12)
    np.testing.assert_allclose(parts.variance, X.var(axis=0), rtol=1e-5)


def test_weights_are_repetitions():
    X = table()
    weight = np.arange(90) % 4
    weighted = Spread.of(X, weight.astype(float), shift=X[0])
    repeated = Spread.of(np.repeat(X, weight, axis=0), shift=X[0])
    np.testing.assert_allclose(weighted.mean, repeated.mean, rtol=1e-14)
    np.testing.assert_allclose(weighted.variance, repeated.variance, rtol=1e-11)
    assert weighted.weight == repeated.weight


def test_a_constant_column_has_variance_exactly_zero_and_scale_one():
    X = np.full((50, 1), 0.1)
    found = Spread.of(X, shift=np.zeros(1))
    assert found.variance[0] == 0.0
    assert found.scale[0] == 1.0
    assert (found + Spread.empty(np.zeros(1))).count == 50
