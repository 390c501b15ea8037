"""Folds for a learner's own validation: numbers, splitters and lists alike."""

import numpy as np
import pytest
from sklearn.model_selection import KFold as TheirKFold

from glaswerk.scoring import GroupKFold, KFold, RepeatedKFold
from glaswerk.scoring.drawing import draw_folds, how_drawn, splitting


def test_a_number_without_a_seed_cuts_stretches_and_with_one_repeats_shuffled_folds():
    assert draw_folds(3, 7, 1, None).tolist() == [[0, 0, 0, 1, 1, 2, 2]]
    found = draw_folds(3, 50, 4, 5)
    plan = RepeatedKFold(n_splits=3, n_repeats=4, random_state=5).repeats()
    np.testing.assert_array_equal(found, [part.folds(np.empty(50)) for part in plan])
    assert found.dtype == np.int16
    np.testing.assert_array_equal(found[:2], draw_folds(3, 50, 2, 5))


def test_splitters_and_their_lists_give_the_same_folds():
    splitter = TheirKFold(4, shuffle=True, random_state=1)
    listed = list(splitter.split(np.empty(20)))
    np.testing.assert_array_equal(draw_folds(splitter, 20, 1, 0), draw_folds(listed, 20, 1, 0))
    groups = np.repeat(np.arange(5), 4)
    by_group = draw_folds(list(GroupKFold(5).split(np.empty(20), None, groups)), 20, 1, 0)[0]
    assert all(len(set(by_group[groups == g])) == 1 for g in range(5))


def test_splits_that_are_no_partition_are_refused():
    with pytest.raises(ValueError, match="must train on all rows it does not test"):
        draw_folds([([0], [1, 2]), ([1, 2], [0, 3])], 4, 1, 0)
    with pytest.raises(ValueError, match="cv names row 9, but there are 4 rows"):
        draw_folds([([0, 1], [2, 9]), ([2, 3], [1, 0])], 4, 1, 0)
    with pytest.raises(ValueError, match="must test each row once"):
        draw_folds([([0, 1], [2, 3]), ([2, 3], [1, 0]), ([2, 3], [0, 1])], 4, 1, 0)


def test_what_is_allowed_and_how_it_is_said():
    allowed = splitting()
    assert all(allowed.test(v) for v in (2, KFold(3), [([0], [1]), ([1], [0])]))
    assert not any(allowed.test(v) for v in (1, "loo", None, [], 2.5))
    assert how_drawn(10) == "10-fold cross-validation"
    assert how_drawn(10, 100) == "10-fold cross-validation, repeated 100 times"
    assert how_drawn(KFold(3)) == "the splits of a KFold"
