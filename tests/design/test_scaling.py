"""Scaling, against scikit-learn and under the laws of a statistic that adds."""

import numpy as np
import pytest
from sklearn import preprocessing

from glaswerk import StandardScaler


def table():
    return np.random.default_rng(0).normal(size=(80, 3)) * [1, 100, 0] + [5, 1e6, 3]


@pytest.mark.parametrize("with_mean", [True, False])
@pytest.mark.parametrize("with_std", [True, False])
def test_it_equals_scikit_learns(with_mean, with_std):
    options = {"with_mean": with_mean, "with_std": with_std}
    X = table()
    ours, theirs = StandardScaler(**options).fit(X), preprocessing.StandardScaler(**options).fit(X)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(X)), X, rtol=1e-12)


def test_weights_and_batches_equal_the_whole():
    X = table()
    weight = np.arange(80) % 3
    weighted = StandardScaler().fit(X, sample_weight=weight)
    repeated = StandardScaler().fit(np.repeat(X, weight, axis=0))
    np.testing.assert_allclose(weighted.mean_, repeated.mean_, rtol=1e-14)
    np.testing.assert_allclose(weighted.scale_, repeated.scale_, rtol=1e-10)
    batches = StandardScaler().partial_fit(X[:30]).partial_fit(X[30:])
    np.testing.assert_allclose(batches.scale_, StandardScaler().fit(X).scale_, rtol=1e-10)
    assert batches.n_samples_seen_ == 80


@pytest.mark.parametrize("weight", [None, np.arange(80) % 3 + 0.5])
def test_memory_order_does_not_change_a_bit(weight):
    one, other = (StandardScaler().fit(X, sample_weight=weight) for X in (table(), np.asfortranarray(table())))
    np.testing.assert_array_equal(one.mean_, other.mean_)
    np.testing.assert_array_equal(one.scale_, other.scale_)


def test_a_constant_column_is_only_centred():
    scaled = StandardScaler().fit_transform(table())
    np.testing.assert_array_equal(scaled[:, 2], np.zeros(80))


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="with_mean must be True or False, got 1"):
        StandardScaler(with_mean=1).fit(table())
    with pytest.raises(ValueError, match="expected 3 columns"):
        StandardScaler().fit(table()).inverse_transform(np.ones((2, 2)))
