"""Sums fold by fold and repeat by repeat: those of grouping each repeat by itself, and laws of adding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.stats.folded import Folded
from glaswerk.stats.moments import NOTHING, GroupedMoments, Moments

SHIFT = np.array([0.5, -1.0, 2.0])


def table(n=50, seed=0):
    rng = np.random.default_rng(seed)
    folds = np.stack([rng.permutation(n) % 4 for _ in range(3)]).astype(np.int16)
    return rng.normal(size=(n, 2)), rng.normal(size=(n, 1)), rng.integers(0, 3, n).astype(float), folds


def folded(X, Y, weight, folds):
    whole = Moments.of(X, Y, weight, shift=SHIFT)
    return Folded.of(whole, X, Y, weight, shift=SHIFT, folds=folds, n_folds=4)


@pytest.mark.parametrize("weighted", [True, False])
def test_every_repeat_is_grouped_as_by_itself(weighted):
    X, Y, weight, folds = table()
    weight = weight if weighted else NOTHING
    found = folded(X, Y, weight, folds)
    assert len(found.repeats) == 3
    for fold, repeat in zip(folds, found.repeats, strict=True):
        alone = GroupedMoments.of(X, Y, fold.astype(np.int64), 4, weight, shift=SHIFT)
        np.testing.assert_allclose(repeat.gram, alone.gram, rtol=1e-12, atol=1e-13)
        np.testing.assert_array_equal(repeat.count, alone.count)
        np.testing.assert_allclose(repeat.total().gram, found.whole.gram, rtol=1e-12, atol=1e-12)


@settings(deadline=None, max_examples=20)
@given(cut=st.integers(0, 50), seed=st.integers(0, 1000))
def test_any_cut_of_the_rows_gives_the_same_sums(cut, seed):
    X, Y, weight, folds = table(seed=seed)
    rows = slice(0, cut), slice(cut, None)
    first, second = (folded(X[r], Y[r], weight[r], folds[:, r]) for r in rows)
    both, whole = first + second, folded(X, Y, weight, folds)
    for a, b in zip(both.repeats, whole.repeats, strict=True):
        np.testing.assert_allclose(a.gram, b.gram, rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(a.count, b.count)
    np.testing.assert_allclose(both.sums, whole.sums, rtol=1e-12, atol=1e-12)
