"""scikit-learn as oracle (equal splits wherever nothing is drawn) and as host (every splitter works as cv=)."""

import copy
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import model_selection as sk
from sklearn.linear_model import LogisticRegression, Ridge

import glaswerk.scoring as scoring

quick = settings(deadline=None, max_examples=60)
row_and_fold_counts = st.integers(2, 12).flatmap(lambda k: st.tuples(st.integers(k, 80), st.just(k)))


def listed(rounds):
    return [(train.tolist(), test.tolist()) for train, test in rounds]


def assert_same_splits(ours, theirs):
    assert listed(ours) == listed(theirs)


# ---- the oracle: scikit-learn, equal splits wherever nothing is drawn


@quick
@given(counts=row_and_fold_counts)
def test_k_fold_equals_scikit_learn(counts):
    n_rows, n_splits = counts
    X = np.zeros((n_rows, 1))
    assert_same_splits(scoring.KFold(n_splits).split(X), sk.KFold(n_splits).split(X))


@quick
@given(labels=st.lists(st.sampled_from("cab"), min_size=6, max_size=60), n_splits=st.integers(2, 6))
def test_stratified_k_fold_equals_scikit_learn(labels, n_splits):
    if max(map(labels.count, labels)) < n_splits:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = scoring.StratifiedKFold(n_splits).split(labels, labels)
        assert_same_splits(ours, sk.StratifiedKFold(n_splits).split(labels, labels))


@quick
@given(groups=st.lists(st.integers(0, 9), min_size=5, max_size=60))
def test_group_k_fold_equals_scikit_learn(groups):
    n_splits = min(4, len(set(groups)))
    if n_splits < 2:
        return
    ours = scoring.GroupKFold(n_splits).split(groups, groups=groups)
    assert_same_splits(ours, sk.GroupKFold(n_splits).split(groups, groups=groups))


@pytest.mark.parametrize("n_splits", [2, 5])
@pytest.mark.parametrize("max_train_size", [None, 1, 7])
@pytest.mark.parametrize("test_size", [None, 1, 4])
@pytest.mark.parametrize("gap", [0, 3])
def test_time_series_split_equals_scikit_learn(n_splits, max_train_size, test_size, gap):
    options = {"max_train_size": max_train_size, "test_size": test_size, "gap": gap}
    X = np.zeros((41, 1))
    assert_same_splits(
        scoring.TimeSeriesSplit(n_splits, **options).split(X), sk.TimeSeriesSplit(n_splits, **options).split(X)
    )


# ---- scikit-learn as host: every splitter works as cv=


EVERY_SPLITTER = [
    scoring.KFold(3),
    scoring.KFold(3, shuffle=True, random_state=1),
    scoring.StratifiedKFold(3),
    scoring.StratifiedKFold(3, shuffle=True, random_state=1),
    scoring.GroupKFold(3),
    scoring.RepeatedKFold(n_splits=3, n_repeats=2),
    scoring.RepeatedStratifiedKFold(n_splits=3, n_repeats=2),
    scoring.TimeSeriesSplit(3),
    scoring.ShuffleSplit(3),
]


def classified_table():
    random = np.random.default_rng(0)
    X, groups = random.normal(size=(60, 3)), np.arange(60) % 7
    return X, (X[:, 0] + 0.3 * random.normal(size=60) > 0).astype(int), groups


@pytest.mark.parametrize("splitter", EVERY_SPLITTER, ids=repr)
def test_works_in_cross_val_score(splitter):
    X, y, groups = classified_table()
    scores = sk.cross_val_score(LogisticRegression(), X, y, groups=groups, cv=splitter)
    by_hand = [LogisticRegression().fit(X[a], y[a]).score(X[b], y[b]) for a, b in splitter.split(X, y, groups)]
    assert scores.tolist() == by_hand
    assert len(scores) == splitter.get_n_splits(X, y, groups)


@pytest.mark.parametrize("splitter", EVERY_SPLITTER, ids=repr)
def test_works_in_grid_search(splitter):
    X, y, groups = classified_table()
    search = sk.GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=splitter).fit(X, y, groups=groups)
    assert search.n_splits_ == splitter.get_n_splits()
    assert search.best_params_["alpha"] in (0.1, 1.0)


@pytest.mark.parametrize("splitter", EVERY_SPLITTER, ids=repr)
def test_says_how_to_build_it_and_copies_equal(splitter):
    assert eval(repr(splitter), vars(scoring)) == splitter == copy.deepcopy(splitter)


@pytest.mark.parametrize("splitter", EVERY_SPLITTER, ids=repr)
@pytest.mark.parametrize("kind", [list, pd.DataFrame, sparse.csr_array, np.asfortranarray])
def test_any_table_will_do(splitter, kind):
    X, y, groups = classified_table()
    assert_same_splits(splitter.split(kind(X), pd.Series(y), list(groups)), splitter.split(X, y, groups))


@pytest.mark.parametrize("splitter", EVERY_SPLITTER, ids=repr)
def test_row_numbers_are_integers_and_never_in_both_parts(splitter):
    for train, test in splitter.split(*classified_table()):
        assert train.dtype == test.dtype == np.int64
        assert len(np.intersect1d(train, test)) == 0


# ---- edges


def test_leave_one_out_is_as_many_folds_as_rows():
    assert_same_splits(scoring.KFold(6).split(range(6)), sk.LeaveOneOut().split(range(6)))
