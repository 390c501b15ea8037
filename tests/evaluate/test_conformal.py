"""Conformal: known limits by the definition, sets, spreads, weights as repetitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.evaluate.conformal import Misses, Spreads, class_scores


def by_definition(misses, fold, centres, level):
    """CV+ as the paper writes it: an order statistic of n numbers on either side."""
    n = len(misses)
    rank = int(np.ceil(level * (n + 1) - 1e-9))
    upper = np.sort(centres[:, fold] + misses, axis=1)
    lower = np.sort(centres[:, fold] - misses, axis=1)
    return np.column_stack([lower[:, n - rank], upper[:, rank - 1]])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.5, 0.8, 0.9]), st.integers(1, 7))
def test_limits_are_the_order_statistics_of_the_definition(seed, level, folds):
    rng = np.random.default_rng(seed)
    misses, fold = rng.exponential(size=40), np.arange(40) % folds
    centres = rng.normal(size=(6, folds))
    found = Misses.of(misses, fold, folds, np.zeros(0)).limits(centres, level)
    assert np.allclose(found, by_definition(misses, fold, centres, level), rtol=1e-12, atol=1e-12)


def test_a_known_interval():
    known = Misses.of(np.arange(1.0, 10.0), np.zeros(9, dtype=np.int64), 1, np.zeros(0))
    assert known.limits(np.array([[100.0]]), 0.9) == pytest.approx(np.array([[91.0, 109.0]]))
    assert known.limits(np.array([[100.0]]), 0.5) == pytest.approx(np.array([[95.0, 105.0]]))


def test_too_few_rows_for_the_level_give_no_limit():
    known = Misses.of(np.arange(5.0), np.zeros(5, dtype=np.int64), 1, np.zeros(0))
    assert known.limits(np.zeros((1, 1)), 0.9).tolist() == [[-np.inf, np.inf]]


def test_a_weight_is_so_many_rows():
    rng = np.random.default_rng(0)
    misses, fold, times = rng.exponential(size=30), np.arange(30) % 3, rng.integers(0, 4, 30)
    centres = rng.normal(size=(5, 3))
    weighted = Misses.of(misses, fold, 3, times.astype(float)).limits(centres, 0.8)
    repeated = Misses.of(np.repeat(misses, times), np.repeat(fold, times), 3, np.zeros(0)).limits(centres, 0.8)
    assert np.allclose(weighted, repeated, rtol=1e-12)


def test_scores_of_classes():
    shares = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]])
    assert class_scores(shares, "simple") == pytest.approx(1 - shares)
    assert class_scores(shares, "adaptive") == pytest.approx(np.array([[0.25, 0.65, 0.9], [0.85, 0.4, 0.95]]))


def test_sets_hold_what_is_less_implausible_than_enough_true_classes():
    known = Misses.of(np.linspace(0.1, 0.9, 9), np.zeros(9, dtype=np.int64), 1, np.zeros(0))
    scores = np.array([[[0.05, 0.55, 0.95]]])
    assert known.sets(scores, 0.5).tolist() == [[True, False, False]]
    assert known.sets(scores, 0.6).tolist() == [[True, True, False]]
    assert known.sets(scores, 0.95).tolist() == [[True, True, True]]


def test_spreads_follow_the_size_of_predictions():
    predicted = np.linspace(0, 10, 400)
    spreads = Spreads.of(predicted, predicted / 5)
    assert spreads.at(np.array([2.0, 8.0])) == pytest.approx([0.4, 1.6], rel=0.02)
    assert spreads.at(np.array([-50.0, 50.0])) == pytest.approx([0.05, 1.95], rel=0.1)
