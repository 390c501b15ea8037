"""Fold numbers: stored shuffles, fairness, hand-dealt cards."""

import numpy as np
import pytest

from glaswerk.scoring.folds import (
    codes_by_appearance,
    derived_seeds,
    each_fold,
    even_folds,
    row_order,
    shuffled_order,
    stratified_folds,
)

# ---- stored results

STORED_ORDER = [3, 2, 1, 8, 6, 0, 7, 4, 5, 9]
STORED_SEEDS = [15793235383387715774, 12390638538380655177]


def test_shuffles_are_stored():
    """The bits behind these numbers are promised by NumPy for PCG64: a change here changes everybody's folds."""
    assert shuffled_order(10, 0).tolist() == STORED_ORDER
    assert derived_seeds(0, 2) == STORED_SEEDS


# ---- laws


def test_shuffles_are_fair():
    """Truth, not shape: over many seeds each row is first, and before each other row, equally often (5 sigma)."""
    orders = np.array([shuffled_order(5, seed) for seed in range(4000)])
    first = np.bincount(orders[:, 0], minlength=5)
    assert np.abs(first - 800).max() < 5 * np.sqrt(4000 * 0.2 * 0.8)
    places = np.argsort(orders, axis=1)
    assert abs((places[:, 0] < places[:, 4]).sum() - 2000) < 5 * np.sqrt(1000)


# ---- fold numbers along an order


def test_even_folds_cut_the_order_not_the_rows():
    assert even_folds(np.array([4, 2, 0, 1, 3]), 2).tolist() == [0, 1, 0, 1, 0]


def test_cards_are_dealt_class_after_class():
    """Rows 3 1 0 (class a) then 4 2 (b) are dealt 0 1 0 1 0; sorted within each class 0 0 1 and 0 1."""
    labels, order = np.array(list("aabab")), np.array([4, 3, 2, 1, 0])
    assert stratified_folds(labels, order, 2).tolist() == [1, 0, 1, 0, 0]


def test_codes_follow_the_first_appearance():
    assert codes_by_appearance(np.array(list("cacb"))).tolist() == [0, 1, 0, 2]


def test_each_fold_is_tested_once():
    rounds = [(train.tolist(), test.tolist()) for train, test in each_fold(np.array([1, 0, 1]), 2)]
    assert rounds == [([0, 2], [1]), ([1], [0, 2])]


def test_no_seed_means_no_shuffling():
    assert row_order(4, None).tolist() == [0, 1, 2, 3]
    assert row_order(10, 0).tolist() == STORED_ORDER


@pytest.mark.parametrize("how_many", [1, 5, 1000])
def test_derived_seeds_differ_and_continue(how_many):
    seeds = derived_seeds(7, how_many)
    assert len(set(seeds)) == how_many
    assert seeds == derived_seeds(7, 1001)[:how_many]
