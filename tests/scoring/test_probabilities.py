"""Log loss, Brier score, ROC: known numbers, scikit-learn as oracle, laws, edges, bad input."""

import doctest
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import glaswerk.scoring as scoring
from glaswerk.scoring import probabilities

quick = settings(deadline=None, max_examples=60)
score_rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 6).map(lambda step: step / 6), st.integers(1, 4)),
    min_size=2,
    max_size=30,
).filter(lambda rows: len({row[0] for row in rows}) == 2)


def metric(name):
    return getattr(scoring, name)


def table(seed, n_rows=60, classes=("cat", "dog", "owl")):
    random = np.random.default_rng(seed)
    true, other = random.choice(classes, n_rows), random.choice(classes, n_rows)
    return true, np.where(random.random(n_rows) < 0.6, true, other), random.integers(1, 5, n_rows)


def probability_rows(seed, n_rows=50, n_classes=3):
    random = np.random.default_rng(seed)
    return (
        random.integers(0, n_classes, n_rows),
        random.dirichlet(np.ones(n_classes), n_rows),
        random.uniform(0.1, 3, n_rows),
    )


def columns(rows):
    return tuple(np.array(column) for column in zip(*rows, strict=True))


# ---- known numbers, by hand


def test_probabilities_by_hand():
    assert scoring.log_loss([0, 1], [0.25, 0.5]) == pytest.approx(-(math.log(0.75) + math.log(0.5)) / 2, rel=1e-15)
    assert scoring.log_loss([0, 1], [0.25, 0.5], normalize=False) == pytest.approx(-math.log(0.375), rel=1e-15)
    assert scoring.brier_score_loss([0, 1], [0.25, 0.5]) == pytest.approx((1 / 16 + 1 / 4) / 2, rel=1e-15)
    assert scoring.brier_score_loss([0, 1], [0.25, 0.5], scale_by_half=False) == pytest.approx(5 / 16, rel=1e-15)


def test_certain_and_wrong_costs_much_but_not_infinitely():
    assert scoring.log_loss([0, 1], [1.0, 1.0]) == pytest.approx(-math.log(np.finfo(float).eps) / 2, rel=1e-12)


def test_area_counts_pairs_and_half_of_ties():
    """Four pairs: 0.8 beats both negatives, 0.4 beats 0.1 and ties with 0.4."""
    assert scoring.roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]) == 3.5 / 4
    assert scoring.roc_auc_score([0, 1], [7, 7]) == 0.5
    assert scoring.roc_auc_score(["no", "yes"], [1, 0]) == 0


def test_roc_curve_keeps_corners_only():
    full = scoring.roc_curve([1, 1, 1, 0, 0], [5, 4, 3, 2, 1], drop_intermediate=False)
    bent = scoring.roc_curve([1, 1, 1, 0, 0], [5, 4, 3, 2, 1])
    assert [len(full[0]), len(bent[0])] == [6, 4]
    assert bent[2].tolist() == [np.inf, 5, 3, 1]


# ---- the oracle: scikit-learn, relative tolerance 1e-12


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_probabilities_equal_scikit_learn(seed, n_classes, weighted):
    true, proba, weights = probability_rows(seed, n_classes=n_classes)
    given_weights = {"sample_weight": weights if weighted else None}
    for normalize in (True, False):
        options = {"normalize": normalize, **given_weights}
        assert scoring.log_loss(true, proba, **options) == pytest.approx(sk.log_loss(true, proba, **options), rel=1e-12)
    for scale_by_half in (True, False, "auto"):
        options = {"scale_by_half": scale_by_half, **given_weights}
        ours, theirs = (package.brier_score_loss(true, proba, **options) for package in (scoring, sk))
        assert ours == pytest.approx(theirs, rel=1e-12)


def test_classes_absent_from_the_truth_equal_scikit_learn():
    true, proba, _ = probability_rows(4, n_classes=3)
    true = np.minimum(true, 1)
    for name in ("log_loss", "brier_score_loss"):
        ours, theirs = (getattr(package, name)(true, proba, labels=[0, 1, 2]) for package in (scoring, sk))
        assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize(
    ("true", "pos_label"),
    [([0, 1, 1], None), ([-1, 1, 1], None), ([3, 5, 5], None), (["a", "b", "a"], "a"), ([0, 0, 0], None)],
)
def test_positive_class_equals_scikit_learn(true, pos_label):
    ours, theirs = (p.brier_score_loss(true, [0.2, 0.7, 0.4], pos_label=pos_label) for p in (scoring, sk))
    assert ours == pytest.approx(theirs, rel=1e-12)


def test_single_precision_clips_at_its_own_precision_as_scikit_learn():
    proba = np.array([1.0, 0.5], dtype=np.float32)
    assert scoring.log_loss([0, 1], proba) == pytest.approx(float(sk.log_loss([0, 1], proba)), rel=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("drop_intermediate", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_roc_equals_scikit_learn(seed, drop_intermediate, weighted):
    random = np.random.default_rng(seed)
    true, score = random.integers(0, 2, 80), random.normal(size=80).round(1)
    weights = random.integers(0, 4, 80) if weighted else None
    options = {"sample_weight": weights, "drop_intermediate": drop_intermediate}
    for ours, theirs in zip(
        scoring.roc_curve(true, score, **options), sk.roc_curve(true, score, **options), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    area = sk.roc_auc_score(true, score, sample_weight=weights)
    assert scoring.roc_auc_score(true, score, sample_weight=weights) == pytest.approx(area, rel=1e-12)


def test_roc_curve_of_one_class_against_the_rest_equals_scikit_learn():
    true, _, _ = table(5)
    score = np.random.default_rng(5).random(len(true))
    for ours, theirs in zip(*(p.roc_curve(true, score, pos_label="owl") for p in (scoring, sk)), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


# ---- laws


@pytest.mark.parametrize("name", ["log_loss", "brier_score_loss", "roc_auc_score"])
@quick
@given(rows=score_rows)
def test_weight_two_is_the_row_twice_for_scores(name, rows):
    true, score, repetitions = columns(rows)
    repeated = metric(name)(np.repeat(true, repetitions), np.repeat(score, repetitions))
    assert metric(name)(true, score, sample_weight=repetitions) == pytest.approx(repeated, rel=1e-12)


@quick
@given(rows=score_rows)
def test_weight_two_is_the_row_twice_for_the_curve(rows):
    true, score, repetitions = columns(rows)
    repeated = scoring.roc_curve(np.repeat(true, repetitions), np.repeat(score, repetitions))
    for ours, theirs in zip(scoring.roc_curve(true, score, sample_weight=repetitions), repeated, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@quick
@given(rows=score_rows, seed=st.integers(0, 99))
def test_order_of_rows_does_not_matter_for_scores(rows, seed):
    true, score, weights = columns(rows)
    order = np.random.default_rng(seed).permutation(len(true))
    for name in ("log_loss", "brier_score_loss", "roc_auc_score"):
        there = metric(name)(true[order], score[order], sample_weight=weights[order])
        assert metric(name)(true, score, sample_weight=weights) == pytest.approx(there, rel=1e-12)


@quick
@given(rows=score_rows)
def test_area_is_the_share_of_pairs_in_order(rows):
    true, score, weights = columns(rows)
    above = score[true == 1][:, None], score[true == 0][None, :]
    pairs = weights[true == 1][:, None] * weights[true == 0][None, :]
    won = (pairs * ((above[0] > above[1]) + 0.5 * (above[0] == above[1]))).sum()
    assert scoring.roc_auc_score(true, score, sample_weight=weights) == won / pairs.sum()


@quick
@given(rows=score_rows)
def test_turned_scores_turn_the_area(rows):
    true, score, _ = columns(rows)
    assert scoring.roc_auc_score(true, -score) == pytest.approx(1 - scoring.roc_auc_score(true, score), abs=1e-12)


# ---- edges


def test_area_of_one_class_is_nan_with_a_warning():
    with pytest.warns(scoring.UndefinedMetricWarning, match="needs both classes"):
        assert math.isnan(scoring.roc_auc_score([1, 1], [0.2, 0.4]))
    with pytest.warns(scoring.UndefinedMetricWarning, match="needs both classes"):
        assert math.isnan(scoring.roc_auc_score([0, 1], [0.2, 0.4], sample_weight=[0, 1]))
    with pytest.warns(scoring.UndefinedMetricWarning, match="no negative row"):
        assert np.isnan(scoring.roc_curve([1, 1], [0.2, 0.4])[0]).all()


# ---- bad input: the message names the parameter, what is allowed, what came


@pytest.mark.parametrize("name", ["log_loss", "brier_score_loss"])
@pytest.mark.parametrize(
    ("true", "proba", "labels", "message"),
    [
        ([0, 1], [0.2, 1.5], None, "y_proba must lie between 0 and 1; row 1 holds .*1.5"),
        ([0, 1], [[0.2, 0.8], [0.5, 0.6]], None, "y_proba must add up to 1 in each row; row 1 holds"),
        ([0, 1], [[0.2, 0.2, 0.6]] * 2, None, r"one column for each of the classes \[0, 1\]; came 3: name all classes"),
        ([0, 0], [[0.2, 0.8]] * 2, None, r"labels must name all classes where y_true holds fewer than two; came \[0\]"),
        ([0, 2], [[0.2, 0.8]] * 2, [0, 1], r"y_true must hold classes of labels \[0, 1\] only; row 1 holds 2"),
        ([0, 1], [0.2, np.nan], None, "y_proba must hold finite numbers only; row 1 holds nan"),
        ([0, 1, 0], [0.2, 0.3], None, "equally many rows; y_true has 3, y_proba has 2"),
    ],
)
def test_bad_probabilities(name, true, proba, labels, message):
    with pytest.raises(ValueError, match=message):
        metric(name)(true, proba, labels=labels)


def test_positive_class_must_be_clear():
    with pytest.raises(ValueError, match=r"pos_label must be named for text labels, one of \['a', 'b'\]; came None"):
        scoring.brier_score_loss(["a", "b"], [0.1, 0.2])
    with pytest.raises(ValueError, match="pos_label must be named for more than two classes"):
        scoring.roc_curve([0, 1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="pos_label must be one of the classes"):
        scoring.roc_curve(["a", "b"], [0.1, 0.2], pos_label=1)


@pytest.mark.parametrize(
    "options", [{"average": "micro"}, {"max_fpr": 0.5}, {"multi_class": "ovr"}, {"labels": [0, 1]}]
)
def test_area_refuses_what_it_does_not_do(options):
    with pytest.raises(ValueError, match=f"{next(iter(options))} must be one of"):
        scoring.roc_auc_score([0, 1], [0.1, 0.2], **options)


def test_area_needs_one_score_and_two_classes():
    with pytest.raises(ValueError, match="y_score must have one dimension, the score of the positive class; came 2"):
        scoring.roc_auc_score([0, 1], [[0.1, 0.9], [0.3, 0.7]])
    with pytest.raises(ValueError, match=r"y_true must hold two classes for roc_auc_score; came \[0, 1, 2\]"):
        scoring.roc_auc_score([0, 1, 2], [0.1, 0.2, 0.3])


# ---- documentation


def test_examples_in_docstrings():
    result = doctest.testmod(probabilities)
    assert result.attempted > 0 and result.failed == 0
