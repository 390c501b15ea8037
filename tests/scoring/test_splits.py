"""Splitters: known splits, laws, edges, bad input."""

import doctest
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import model_selection as sk

import glaswerk.scoring as scoring
from glaswerk.scoring import splits

quick = settings(deadline=None, max_examples=60)
row_and_fold_counts = st.integers(2, 12).flatmap(lambda k: st.tuples(st.integers(k, 80), st.just(k)))
seeds = st.integers(0, 2**64)


def listed(rounds):
    return [(train.tolist(), test.tolist()) for train, test in rounds]


def assert_same_splits(ours, theirs):
    assert listed(ours) == listed(theirs)


def shuffled(kind, n_splits, seed):
    return kind(n_splits, shuffle=True, random_state=seed)


# ---- known splits, by hand


def test_k_fold_by_hand():
    assert listed(scoring.KFold(3).split(range(7))) == [
        ([3, 4, 5, 6], [0, 1, 2]),
        ([0, 1, 2, 5, 6], [3, 4]),
        ([0, 1, 2, 3, 4], [5, 6]),
    ]


def test_stratified_k_fold_by_hand():
    """Classes a b a a b a: cards a a a a b b are dealt 0 1 0 1 0 1, then sorted within each class."""
    numbers = scoring.StratifiedKFold(2).folds(range(6), list("abaaba"))
    assert numbers.tolist() == [0, 0, 0, 1, 1, 1]


def test_group_k_fold_by_hand():
    """Sizes z 3, y 2, x 2: z to fold 0, y to fold 1, then x to the lighter fold 1."""
    numbers = scoring.GroupKFold(2).folds(range(7), groups=list("xyzzzyx"))
    assert numbers.tolist() == [1, 1, 0, 0, 0, 1, 1]


def test_time_series_split_by_hand():
    assert listed(scoring.TimeSeriesSplit(2, test_size=2, gap=1, max_train_size=2).split(range(8))) == [
        ([1, 2], [4, 5]),
        ([3, 4], [6, 7]),
    ]


def test_a_thousand_errors_of_the_assignment():
    """Nan's assignment: ten folds, shuffled a hundred times, gives 1000 errors."""
    rounds = list(scoring.RepeatedKFold(n_splits=10, n_repeats=100).split(range(50)))
    assert len(rounds) == 1000
    assert {len(test) for _, test in rounds} == {5}


# ---- laws


def assert_partition(rounds, n_rows):
    tested = np.concatenate([test for _, test in rounds])
    assert sorted(tested.tolist()) == list(range(n_rows))
    for train, test in rounds:
        assert sorted([*train, *test]) == list(range(n_rows))


@pytest.mark.parametrize("kind", [scoring.KFold, scoring.StratifiedKFold])
@quick
@given(counts=row_and_fold_counts, seed=seeds)
def test_folds_partition_the_rows_in_equal_sizes(kind, counts, seed):
    n_rows, n_splits = counts
    rounds = list(shuffled(kind, n_splits, seed).split(range(n_rows), [0] * n_rows))
    assert_partition(rounds, n_rows)
    sizes = [len(test) for _, test in rounds]
    assert len(sizes) == n_splits and max(sizes) - min(sizes) <= 1


@quick
@given(labels=st.lists(st.sampled_from("aab"), min_size=4, max_size=60), n_splits=st.integers(2, 5), seed=seeds)
def test_strata_are_balanced_to_the_row(labels, n_splits, seed):
    if max(map(labels.count, labels)) < n_splits:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rounds = list(shuffled(scoring.StratifiedKFold, n_splits, seed).split(labels, labels))
    assert_partition(rounds, len(labels))
    for members in ({"a"}, {"b"}, {"a", "b"}):
        counts = [sum(labels[row] in members for row in test) for _, test in rounds]
        assert max(counts) - min(counts) <= 1


@quick
@given(labels=st.lists(st.sampled_from("abc"), min_size=12, max_size=40), seed=seeds)
def test_names_of_classes_do_not_matter(labels, seed):
    renamed = [{"a": 7, "b": 1, "c": 3}[label] for label in labels]
    splitter = shuffled(scoring.StratifiedKFold, 2, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert splitter.folds(labels, labels).tolist() == splitter.folds(labels, renamed).tolist()


@quick
@given(groups=st.lists(st.sampled_from("uvwxyz"), min_size=6, max_size=60))
def test_groups_are_never_cut(groups):
    if len(set(groups)) < 2:
        return
    rounds = list(scoring.GroupKFold(2).split(groups, groups=groups))
    assert_partition(rounds, len(groups))
    for train, test in rounds:
        assert not {groups[row] for row in train} & {groups[row] for row in test}
    sizes = [len(test) for _, test in rounds]
    assert max(sizes) - min(sizes) <= max(map(groups.count, groups))


@quick
@given(n_rows=st.integers(15, 60), n_splits=st.integers(2, 4), gap=st.integers(0, 2))
def test_training_is_always_before_testing(n_rows, n_splits, gap):
    last_test = -1
    for train, test in scoring.TimeSeriesSplit(n_splits, gap=gap).split(range(n_rows)):
        assert train.max() + gap + 1 == test.min() > last_test
        last_test = test.max()
    assert last_test == n_rows - 1


@pytest.mark.parametrize("kind", [scoring.KFold, scoring.StratifiedKFold])
@quick
@given(seed=seeds)
def test_equal_seeds_give_equal_folds_and_others_do_not(kind, seed):
    y = np.arange(60) % 3
    here = shuffled(kind, 5, seed).folds(y, y)
    assert (here == shuffled(kind, 5, seed).folds(y, y)).all()
    assert (here != shuffled(kind, 5, seed + 1).folds(y, y)).any()


@pytest.mark.parametrize("kind", [scoring.RepeatedKFold, scoring.RepeatedStratifiedKFold])
def test_repeats_differ_and_each_is_a_partition(kind):
    y = np.arange(40) % 2
    rounds = list(kind(n_splits=4, n_repeats=5, random_state=3).split(y, y))
    parts = [rounds[start : start + 4] for start in range(0, 20, 4)]
    for part in parts:
        assert_partition(part, 40)
    assert len({str(listed(part)) for part in parts}) == 5


@pytest.mark.parametrize("kind", [scoring.RepeatedKFold, scoring.RepeatedStratifiedKFold])
def test_more_repeats_continue_the_sequence(kind):
    y = np.arange(40) % 2
    few, many = (listed(kind(n_splits=4, n_repeats=n).split(y, y)) for n in (2, 6))
    assert many[:8] == few
    assert listed(kind(n_splits=4, n_repeats=2).split(y, y)) == few
    assert listed(kind(n_splits=4, n_repeats=2, random_state=1).split(y, y)) != few


def test_repeats_are_ordinary_partitions():
    splitter = scoring.RepeatedKFold(n_splits=2, n_repeats=3)
    by_repeat = [round_ for repeat in splitter.repeats() for round_ in listed(repeat.split(range(9)))]
    assert by_repeat == listed(splitter.split(range(9)))


# ---- fold numbers


@pytest.mark.parametrize(
    "splitter", [scoring.KFold(4), scoring.KFold(4, shuffle=True, random_state=2), scoring.GroupKFold(4)]
)
def test_fold_of_reads_the_fold_numbers(splitter):
    groups = np.arange(30) % 9
    assert scoring.fold_of(splitter, 30, groups=groups).tolist() == splitter.folds(range(30), groups=groups).tolist()


def test_fold_of_reads_scikit_learn_too():
    y = np.arange(30) % 2
    assert scoring.fold_of(sk.StratifiedKFold(3), 30, y).tolist() == scoring.StratifiedKFold(3).folds(y, y).tolist()


class LeavesOutNeighbours:
    def split(self, X, y=None, groups=None):
        yield np.array([3]), np.array([0, 1])
        yield np.array([0]), np.array([2, 3])

    def __repr__(self):
        return "LeavesOutNeighbours()"


@pytest.mark.parametrize(
    ("splitter", "message"),
    [
        (scoring.RepeatedKFold(n_splits=2, n_repeats=2), "must test each row once; RepeatedKFold.* tests row . again"),
        (scoring.TimeSeriesSplit(2), "must train on all rows it does not test; TimeSeriesSplit.* leaves out some"),
        (sk.PredefinedSplit([0, 0, -1, 1]), "must test each row once; PredefinedSplit.* never tests row 2"),
        (LeavesOutNeighbours(), "must train on all rows it does not test; LeavesOutNeighbours"),
    ],
)
def test_fold_of_refuses_what_does_not_partition(splitter, message):
    with pytest.raises(ValueError, match=message):
        scoring.fold_of(splitter, 4)


# ---- edges


def test_rare_class_warns():
    with pytest.warns(UserWarning, match=r"class b of y has 1 row\(s\), fewer than n_splits=3"):
        list(scoring.StratifiedKFold(3).split(range(6), list("aaaaab")))


# ---- bad input: the message names the parameter, what is allowed, what came


@pytest.mark.parametrize("kind", [scoring.KFold, scoring.StratifiedKFold, scoring.GroupKFold, scoring.TimeSeriesSplit])
@pytest.mark.parametrize("n_splits", [1, 0, -3, 2.0, "5", True, None])
def test_bad_n_splits(kind, n_splits):
    with pytest.raises(ValueError, match=f"n_splits must be a whole number of at least 2; came {n_splits!r}"):
        kind(n_splits)


@pytest.mark.parametrize("kind", [scoring.KFold, scoring.StratifiedKFold])
@pytest.mark.parametrize("seed", [None, -1, 1.5, np.random.RandomState(0)])
def test_shuffling_needs_a_seed(kind, seed):
    with pytest.raises(
        ValueError, match=r"random_state \(with shuffle=True\) must be a whole number of at least 0; came"
    ):
        kind(3, shuffle=True, random_state=seed)


@pytest.mark.parametrize("kind", [scoring.KFold, scoring.StratifiedKFold])
def test_a_seed_needs_shuffling(kind):
    with pytest.raises(
        ValueError, match="random_state must be None with shuffle=False, where it has no effect; came 1"
    ):
        kind(3, random_state=1)
    with pytest.raises(ValueError, match="shuffle must be one of True, False; came 'yes'"):
        kind(3, shuffle="yes", random_state=1)


@pytest.mark.parametrize("kind", [scoring.RepeatedKFold, scoring.RepeatedStratifiedKFold])
@pytest.mark.parametrize("options", [{"n_splits": 1}, {"n_repeats": 0}, {"random_state": None}, {"random_state": 0.5}])
def test_bad_options_of_repeated(kind, options):
    with pytest.raises(ValueError, match=f"{next(iter(options))} must be a whole number of at least .; came"):
        kind(**options)


@pytest.mark.parametrize("options", [{"gap": -1}, {"max_train_size": 0}, {"test_size": 0}, {"test_size": 0.2}])
def test_bad_options_of_time_series_split(options):
    with pytest.raises(ValueError, match=f"{next(iter(options))}.* must be a whole number of at least .; came"):
        scoring.TimeSeriesSplit(3, **options)


@pytest.mark.parametrize(
    ("splitter", "arguments", "message"),
    [
        (scoring.KFold(5), {"X": range(4)}, "n_splits must not exceed the number of rows, 4; came 5"),
        (scoring.KFold(2), {"X": []}, "must have at least one row; came none"),
        (scoring.KFold(2), {"X": range(4), "y": range(3)}, "X and y must have equally many rows; X has 4, y has 3"),
        (scoring.KFold(2), {"X": 7}, "X must be a table or a column of rows; came 7"),
        (scoring.StratifiedKFold(2), {"X": range(4)}, "y must be given to StratifiedKFold.split; came None"),
        (scoring.StratifiedKFold(2), {"X": range(4), "y": [1, 2, 1]}, "X has 4, y has 3"),
        (scoring.StratifiedKFold(2), {"X": range(2), "y": [0.5, 1]}, "y must hold class labels, text or whole numbers"),
        (scoring.StratifiedKFold(2), {"X": range(2), "y": [np.nan, 1]}, "y must not have missing labels; row 0"),
        (scoring.StratifiedKFold(2), {"X": range(2), "y": [[0, 1], [1, 0]]}, "y must have one dimension; came 2"),
        (
            scoring.StratifiedKFold(3),
            {"X": range(4), "y": [0, 0, 1, 1]},
            "n_splits must not exceed the number of rows of the largest class in y, 2; came 3",
        ),
        (scoring.GroupKFold(2), {"X": range(4)}, "groups must be given to GroupKFold.split; came None"),
        (scoring.GroupKFold(3), {"X": range(4), "groups": list("aabb")}, "number of groups, 2; came 3"),
        (
            scoring.TimeSeriesSplit(3, gap=2),
            {"X": range(5)},
            r"leave a row to train on; 5 rows do not hold 3 tests of 1 row\(s\) and a gap of 2",
        ),
        (
            scoring.TimeSeriesSplit(5),
            {"X": range(5)},
            "leave a row to train on; 5 rows do not hold 5 tests",
        ),
    ],
)
def test_bad_rows(splitter, arguments, message):
    with pytest.raises(ValueError, match=message):
        splitter.split(**arguments)


# ---- documentation


def test_examples_in_docstrings():
    result = doctest.testmod(splits)
    assert result.attempted > 0 and result.failed == 0
