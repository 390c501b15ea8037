"""Accuracy, confusion matrix, balanced accuracy: known numbers, scikit-learn as oracle, laws, edges, bad input."""

import doctest
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import glaswerk.scoring as scoring
from glaswerk.scoring import classification

RATES = ["precision_score", "recall_score", "f1_score"]
quick = settings(deadline=None, max_examples=60)
class_rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.integers(0, 4)), min_size=1, max_size=30
).filter(lambda rows: any(row[2] for row in rows))


def metric(name):
    return getattr(scoring, name)


def table(seed, n_rows=60, classes=("cat", "dog", "owl")):
    random = np.random.default_rng(seed)
    true, other = random.choice(classes, n_rows), random.choice(classes, n_rows)
    return true, np.where(random.random(n_rows) < 0.6, true, other), random.integers(1, 5, n_rows)


def columns(rows):
    return tuple(np.array(column) for column in zip(*rows, strict=True))


# ---- known numbers, by hand


TRUE = ["ill", "ill", "ill", "well", "well", "well", "well", "well"]
SAID = ["ill", "ill", "well", "ill", "well", "well", "well", "well"]


def test_counts_by_hand():
    """3 ill of 8: two found, one missed, one false alarm."""
    assert scoring.accuracy_score(TRUE, SAID) == 6 / 8
    assert scoring.accuracy_score(TRUE, SAID, normalize=False) == 6
    assert scoring.confusion_matrix(TRUE, SAID).tolist() == [[2, 1], [1, 4]]
    assert scoring.balanced_accuracy_score(TRUE, SAID) == pytest.approx((2 / 3 + 4 / 5) / 2, rel=1e-15)


def test_confusion_matrix_chooses_orders_and_normalises():
    assert scoring.confusion_matrix(TRUE, SAID, labels=["well", "ill"]).tolist() == [[4, 1], [1, 2]]
    assert scoring.confusion_matrix(TRUE, SAID, labels=["ill"]).tolist() == [[2]]
    assert scoring.confusion_matrix(TRUE, SAID, normalize="true")[1].tolist() == [1 / 5, 4 / 5]
    assert scoring.confusion_matrix(TRUE, SAID, normalize="all").sum() == 1
    assert scoring.confusion_matrix(TRUE, SAID, labels=["ill", "dead"], normalize="pred")[:, 1].tolist() == [0, 0]
    assert scoring.confusion_matrix(TRUE, SAID).dtype == np.int64
    assert scoring.confusion_matrix(TRUE, SAID, sample_weight=[0.5] * 8).tolist() == [[1, 0.5], [0.5, 2]]


# ---- the oracle: scikit-learn, relative tolerance 1e-12


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_counts_equal_scikit_learn(seed, weighted):
    true, said, weights = table(seed)
    given_weights = {"sample_weight": weights if weighted else None}
    close = {"rtol": 1e-12}
    for name in ("accuracy_score", "balanced_accuracy_score", "confusion_matrix"):
        np.testing.assert_allclose(
            metric(name)(true, said, **given_weights), getattr(sk, name)(true, said, **given_weights), **close
        )
    for normalize in ("true", "pred", "all"):
        options = {"normalize": normalize, "labels": ["owl", "cat"], **given_weights}
        np.testing.assert_allclose(
            scoring.confusion_matrix(true, said, **options), sk.confusion_matrix(true, said, **options), **close
        )
    ours = scoring.balanced_accuracy_score(true, said, adjusted=True, **given_weights)
    assert ours == pytest.approx(sk.balanced_accuracy_score(true, said, adjusted=True, **given_weights), rel=1e-12)


# ---- laws


@quick
@given(rows=class_rows)
def test_weight_two_is_the_row_twice(rows):
    true, said, repetitions = columns(rows)
    repeated = np.repeat(true, repetitions), np.repeat(said, repetitions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("accuracy_score", "balanced_accuracy_score", "confusion_matrix"):
            np.testing.assert_allclose(
                metric(name)(true, said, sample_weight=repetitions), metric(name)(*repeated), rtol=1e-12
            )
        for name in RATES:
            for average in ("micro", "macro", "weighted", None):
                weighted = metric(name)(true, said, sample_weight=repetitions, average=average)
                np.testing.assert_allclose(weighted, metric(name)(*repeated, average=average), rtol=1e-12)


@quick
@given(rows=class_rows, seed=st.integers(0, 99))
def test_order_of_rows_does_not_matter(rows, seed):
    true, said, weights = columns(rows)
    order = np.random.default_rng(seed).permutation(len(true))
    here = scoring.confusion_matrix(true, said, sample_weight=weights)
    assert (here == scoring.confusion_matrix(true[order], said[order], sample_weight=weights[order])).all()


@quick
@given(rows=class_rows)
def test_confusion_matrix_holds_every_row_once(rows):
    true, said, _ = columns(rows)
    matrix = scoring.confusion_matrix(true, said)
    assert matrix.sum() == len(true)
    assert scoring.accuracy_score(true, said) == pytest.approx(matrix.trace() / len(true), rel=1e-15)
    assert scoring.recall_score(true, said, average="micro") == pytest.approx(matrix.trace() / len(true), rel=1e-15)


# ---- edges


def test_balanced_accuracy_leaves_out_what_only_the_prediction_knows():
    with pytest.warns(UserWarning, match="classes that y_true does not"):
        assert scoring.balanced_accuracy_score(["a", "a"], ["a", "b"]) == 0.5
    with pytest.warns(scoring.UndefinedMetricWarning, match="nothing to guess"):
        assert math.isnan(scoring.balanced_accuracy_score(["a", "a"], ["a", "a"], adjusted=True))


def test_one_row():
    assert scoring.accuracy_score(["a"], ["a"]) == 1
    assert scoring.confusion_matrix(["a"], ["a"]).tolist() == [[1]]
    assert scoring.log_loss([1], [0.5], labels=[0, 1]) == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(["a", "b"]),
        pd.Series(["a", "b"], dtype="category"),
        np.array(["a", "b"], dtype=object),
        [["a"], ["b"]],
    ],
)
def test_labels_come_in_many_wrappings(labels):
    assert scoring.confusion_matrix(labels, ["a", "a"]).tolist() == [[1, 0], [1, 0]]


def test_truth_values_are_labels_too():
    assert scoring.f1_score([True, False], [True, True]) == pytest.approx(2 / 3)


# ---- bad input: the message names the parameter, what is allowed, what came


@pytest.mark.parametrize("name", ["accuracy_score", "confusion_matrix", "balanced_accuracy_score", *RATES])
@pytest.mark.parametrize(
    ("true", "said", "message"),
    [
        ([1, 0, 1], [1, 0], "y_true and y_pred must have equally many rows; y_true has 3, y_pred has 2"),
        ([], [], "must have at least one row; came none"),
        ([1, np.nan], [1, 0], "y_true must not have missing labels; row 1 holds nan"),
        ([1, 0], [0.3, 1], "y_pred must hold class labels, text or whole numbers; row 0 holds 0.3"),
        ([1, 0], ["1", "0"], "y_pred must hold labels of the same kind as y_true, text or numbers"),
        ([[1, 0], [0, 1]], [1, 0], "y_true must have one dimension; came 2"),
        (np.array(["a", 1], dtype=object), ["a", "b"], "y_true must hold labels of one kind"),
        (np.array(["a", None], dtype=object), ["a", "b"], "y_true must hold labels of one kind"),
    ],
)
def test_bad_labels(name, true, said, message):
    with pytest.raises(ValueError, match=message):
        metric(name)(true, said)


def test_confusion_matrix_needs_a_known_class():
    with pytest.raises(ValueError, match="labels must name at least one class of y_true; came"):
        scoring.confusion_matrix(TRUE, SAID, labels=["dead"])
    with pytest.raises(ValueError, match="normalize must be one of 'true', 'pred', 'all', None; came 'rows'"):
        scoring.confusion_matrix(TRUE, SAID, normalize="rows")


# ---- documentation


def test_examples_in_docstrings():
    result = doctest.testmod(classification)
    assert result.attempted > 0 and result.failed == 0
