"""One split into two or three parts: known parts, laws, types kept, edges, bad input."""

import doctest
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import model_selection as sk

import glaswerk.scoring as scoring
from glaswerk.scoring import holdout
from glaswerk.scoring.holdout import draw, rank_among_equals, whole_shares

quick = settings(deadline=None, max_examples=80)


# ---- known parts, by hand


def test_a_quarter_is_for_the_test():
    train, test = scoring.train_test_split(list(range(10)), shuffle=False)
    assert (train, test) == ([0, 1, 2, 3, 4, 5, 6], [7, 8, 9])


def test_parts_of_every_array_hold_the_same_rows():
    X = np.arange(20)
    X_train, X_test, y_train, y_test = scoring.train_test_split(X, X * 10)
    assert (y_train == X_train * 10).all() and (y_test == X_test * 10).all()


def test_three_parts_by_hand():
    parts = scoring.train_validation_test_split(list(range(10)), list(range(10)))
    assert [len(part) for part in parts] == [6, 2, 2, 6, 2, 2]
    assert parts[:3] == parts[3:]
    assert sorted(row for part in parts[:3] for row in part) == list(range(10))


def test_drawing_class_by_class():
    """Classes 0 1 0 0 1 0, three of six rows: two of class 0, one of class 1, the first of each along the order."""
    order, codes = np.array([5, 4, 3, 2, 1, 0]), np.array([0, 1, 0, 0, 1, 0])
    drawn, rest = draw(order, 3, codes)
    assert drawn.tolist() == [5, 4, 3] and rest.tolist() == [2, 1, 0]
    assert rank_among_equals(codes[order]).tolist() == [0, 0, 1, 2, 1, 3]


def test_whole_shares_give_the_rest_to_the_largest_remainders():
    assert whole_shares(np.array([4.2, 1.4, 1.4]), 7).tolist() == [4, 2, 1]
    assert whole_shares(np.array([0.29, 0.71]) * 100, 100).tolist() == [29, 71]


def test_binary_fractions_do_not_cost_a_row():
    """0.07 * 100 is 7.000000000000001 and rounds up to 8 if nobody looks."""
    assert [len(part) for part in scoring.train_test_split(range_list(100), test_size=0.07)] == [93, 7]
    assert [len(part) for part in scoring.train_test_split(range_list(100), train_size=0.29)] == [29, 71]


def range_list(n_rows):
    return list(range(n_rows))


# ---- the oracle: scikit-learn's sizes


@pytest.mark.parametrize("n_rows", [2, 7, 10, 101])
@pytest.mark.parametrize("test_size", [None, 0.1, 0.5, 1])
@pytest.mark.parametrize("train_size", [None, 0.5, 1])
def test_sizes_equal_scikit_learn(n_rows, test_size, train_size):
    options = {"test_size": test_size, "train_size": train_size, "shuffle": False}
    try:
        theirs = sk.train_test_split(range_list(n_rows), **options)
    except ValueError:
        with pytest.raises(ValueError):
            scoring.train_test_split(range_list(n_rows), **options)
        return
    assert scoring.train_test_split(range_list(n_rows), **options) == theirs


# ---- laws


@quick
@given(n_rows=st.integers(4, 60), share=st.floats(0.05, 0.95), seed=st.integers(0, 2**64))
def test_every_row_is_in_one_part_and_the_seed_decides(n_rows, share, seed):
    try:
        parts = scoring.train_test_split(range_list(n_rows), train_size=share, random_state=seed)
    except ValueError:
        assert share * n_rows < 1
        return
    assert sorted(parts[0] + parts[1]) == range_list(n_rows)
    assert parts == scoring.train_test_split(range_list(n_rows), train_size=share, random_state=seed)


def test_another_seed_gives_another_split_and_the_default_is_fixed():
    rows = range_list(40)
    assert scoring.train_test_split(rows) == scoring.train_test_split(rows, random_state=0)
    assert scoring.train_test_split(rows) != scoring.train_test_split(rows, random_state=1)
    three = scoring.train_validation_test_split(rows)
    assert three == scoring.train_validation_test_split(rows, random_state=0)
    assert three != scoring.train_validation_test_split(rows, random_state=1)


labels_of_two_classes = st.lists(st.sampled_from("aaab"), min_size=12, max_size=80).filter(
    lambda labels: min(labels.count("a"), labels.count("b")) >= 3
)


@quick
@given(labels=labels_of_two_classes, share=st.sampled_from([0.2, 0.3, 0.5]), seed=st.integers(0, 99))
def test_both_parts_have_their_share_of_every_class(labels, share, seed):
    train, test = scoring.train_test_split(labels, test_size=share, random_state=seed, stratify=labels)
    assert sorted(train + test) == sorted(labels)
    for part in (train, test):
        for name, count in Counter(labels).items():
            assert abs(part.count(name) - count * len(part) / len(labels)) < 1


@quick
@given(labels=labels_of_two_classes, seed=st.integers(0, 99))
def test_three_parts_have_their_share_of_every_class(labels, seed):
    parts = scoring.train_validation_test_split(labels, random_state=seed, stratify=labels)
    plain = scoring.train_validation_test_split(labels, random_state=seed)
    assert [len(part) for part in parts] == [len(part) for part in plain]
    for part in parts:
        for name, count in Counter(labels).items():
            assert abs(part.count(name) - count * len(part) / len(labels)) < 2


def test_stratified_without_shuffling_takes_the_first_of_each_class():
    train, test = scoring.train_test_split([1, 2, 3, 4, 5, 6], test_size=2, shuffle=False, stratify=list("aabbab"))
    assert (train, test) == ([1, 2, 3, 4], [5, 6])


def test_less_than_all_rows():
    train, test = scoring.train_test_split(range_list(20), train_size=4, test_size=6, stratify=[0, 1] * 10)
    assert len(train) == 4 and len(test) == 6 and not set(train) & set(test)
    assert sum(row % 2 for row in train) == 2 and sum(row % 2 for row in test) == 3


# ---- types are kept


@pytest.mark.parametrize(
    "table",
    [
        [10, 11, 12, 13],
        (10, 11, 12, 13),
        np.array([[10.0], [11], [12], [13]]),
        pd.DataFrame({"a": [10, 11, 12, 13]}, index=list("wxyz")),
        pd.Series([10, 11, 12, 13], index=[7, 7, 8, 8]),
        pl.DataFrame({"a": [10, 11, 12, 13]}),
        pl.Series([10, 11, 12, 13]),
        sparse.csr_array(np.diag([10, 11, 12, 13])),
    ],
    ids=lambda table: f"{type(table).__module__.split('.')[0]}-{type(table).__name__}",
)
def test_each_part_is_of_the_type_that_came(table):
    parts = scoring.train_test_split(table, [0, 1, 2, 3])
    assert type(parts[0]) is type(parts[1]) is type(table)
    assert [parts[0].shape[0] if hasattr(table, "shape") else len(parts[0])] == [3]
    dense = [part.sum(axis=1).tolist() if sparse.issparse(part) else np.ravel(part).tolist() for part in parts[:2]]
    assert dense == [[10 + row for row in rows] for rows in parts[2:]]


def test_pandas_keeps_its_index():
    train, _ = scoring.train_test_split(pd.DataFrame({"a": [1, 2, 3, 4]}, index=list("wxyz")), shuffle=False)
    assert train.index.tolist() == ["w", "x", "y"]


# ---- ShuffleSplit


def test_shuffle_split_draws_independent_rounds():
    rounds = list(scoring.ShuffleSplit(20, test_size=3, train_size=0.5).split(range(10)))
    assert all(len(train) == 5 and len(test) == 3 and not set(train) & set(test) for train, test in rounds)
    assert len({tuple(test) for _, test in rounds}) > 15
    assert len(list(scoring.ShuffleSplit().split(range(10)))) == scoring.ShuffleSplit().get_n_splits() == 10


def test_shuffle_split_is_deterministic_and_continues():
    def tests(**options):
        return [test.tolist() for _, test in scoring.ShuffleSplit(**options).split(range(30))]

    assert tests(n_splits=3) == tests(n_splits=3, random_state=0) == tests(n_splits=6)[:3]
    assert tests(n_splits=3) != tests(n_splits=3, random_state=1)


def test_shuffle_split_is_no_partition():
    with pytest.raises(ValueError, match="splitter must "):
        scoring.fold_of(scoring.ShuffleSplit(3), 10)


# ---- bad input: the message names the parameter, what is allowed, what came


@pytest.mark.parametrize("size", [0, 10, -1, 0.0, 1.0, 1.5, -0.1, "half", True, float("nan")])
@pytest.mark.parametrize("name", ["test_size", "train_size"])
def test_bad_sizes(name, size):
    message = f"{name} must be a fraction between 0 and 1 or, with 10 rows, a whole number from 1 to 9; came {size!r}"
    with pytest.raises(ValueError, match=message):
        scoring.train_test_split(range_list(10), **{name: size})
    with pytest.raises(ValueError, match=message):
        scoring.ShuffleSplit(**{name: size}).split(range(10))


@pytest.mark.parametrize(
    ("n_rows", "options", "message"),
    [
        (10, {"test_size": 0.5, "train_size": 0.6}, "share 10 rows; came 0.5 and 0.6, which is 5 and 6 rows"),
        (1, {}, "leave at least one row to each and share 1 rows; came 0.25 and None, which is 1 and 0 rows"),
        (10, {"train_size": 0.05}, "leave at least one row to each"),
        (10, {"random_state": None}, "random_state must be a whole number of at least 0; came None"),
        (10, {"shuffle": None}, "shuffle must be one of True, False; came None"),
        (10, {"stratify": [0] * 9 + [1]}, "at least 2 rows of each class, one per part; class 1 has 1"),
        (10, {"stratify": [0, 1, 2, 3, 4] * 2}, "more classes than the smallest part has rows, 3; came 5"),
        (10, {"stratify": [0, 1]}, "arrays and stratify must have equally many rows; arrays has 10, stratify has 2"),
    ],
)
def test_bad_splits(n_rows, options, message):
    with pytest.raises(ValueError, match=message):
        scoring.train_test_split(range_list(n_rows), **options)


@pytest.mark.parametrize("sizes", [(0.5, 0.5), (0.5, 0.5, 0.5), (0.5, 0.5, 0), (1.2, -0.1, -0.1), (6, 2, 2)])
def test_bad_sizes_of_three_parts(sizes):
    with pytest.raises(ValueError, match="sizes must be three positive fractions that add up to 1; came"):
        scoring.train_validation_test_split(range_list(10), sizes=sizes)


def test_bad_arrays():
    with pytest.raises(ValueError, match="array 0 has 3, array 1 has 2"):
        scoring.train_test_split([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="arrays must hold at least one table or column; came none"):
        scoring.train_test_split()
    with pytest.raises(ValueError, match=r"at least one row to each part; 2 row\(s\) come out as \[1, 1, 0\]"):
        scoring.train_validation_test_split([1, 2])
    with pytest.raises(ValueError, match="at least 3 rows of each class, one per part; class b has 2"):
        scoring.train_validation_test_split(range_list(10), stratify=list("aaaaaaaabb"))


# ---- documentation


def test_examples_in_docstrings():
    result = doctest.testmod(holdout)
    assert result.attempted > 0 and result.failed == 0
