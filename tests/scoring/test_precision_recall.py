"""Precision, recall and F1: known numbers, scikit-learn as oracle, division by zero, bad input."""

import doctest
import math
import warnings

import numpy as np
import pytest
from sklearn import metrics as sk

import glaswerk.scoring as scoring
from glaswerk.scoring import precision_recall

RATES = ["precision_score", "recall_score", "f1_score"]


def metric(name):
    return getattr(scoring, name)


def table(seed, n_rows=60, classes=("cat", "dog", "owl")):
    random = np.random.default_rng(seed)
    true, other = random.choice(classes, n_rows), random.choice(classes, n_rows)
    return true, np.where(random.random(n_rows) < 0.6, true, other), random.integers(1, 5, n_rows)


# ---- known numbers, by hand


TRUE = ["ill", "ill", "ill", "well", "well", "well", "well", "well"]
SAID = ["ill", "ill", "well", "ill", "well", "well", "well", "well"]


def test_precision_recall_f1_by_hand():
    assert scoring.precision_score(TRUE, SAID, pos_label="ill") == 2 / 3
    assert scoring.recall_score(TRUE, SAID, pos_label="ill") == 2 / 3
    assert scoring.f1_score(TRUE, SAID, pos_label="well") == pytest.approx(0.8, rel=1e-15)
    assert scoring.recall_score(TRUE, SAID, average="macro") == pytest.approx((2 / 3 + 4 / 5) / 2, rel=1e-15)
    assert scoring.recall_score(TRUE, SAID, average="weighted") == pytest.approx(6 / 8, rel=1e-15)
    assert scoring.precision_score(TRUE, SAID, average=None).tolist() == [2 / 3, 4 / 5]


# ---- the oracle: scikit-learn, relative tolerance 1e-12


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", None])
@pytest.mark.parametrize("labels", [None, ["owl", "cat"], ["cat", "emu", "dog"]])
@pytest.mark.parametrize("zero_division", [0.0, 1.0, np.nan])
def test_rates_equal_scikit_learn(name, average, labels, zero_division):
    true, said, weights = table(7)
    options = {"average": average, "labels": labels, "zero_division": zero_division, "sample_weight": weights}
    np.testing.assert_allclose(
        metric(name)(true, said, **options), getattr(sk, name)(true, said, **options), rtol=1e-12
    )


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("true", [[0, 1, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
@pytest.mark.parametrize("said", [[0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
def test_binary_rates_equal_scikit_learn(name, true, said):
    ours = metric(name)(true, said, zero_division=0.0)
    assert ours == pytest.approx(getattr(sk, name)(true, said, zero_division=0.0), rel=1e-12)


# ---- edges


@pytest.mark.parametrize("name", RATES)
def test_division_by_zero_warns_and_gives_zero(name):
    with pytest.warns(scoring.UndefinedMetricWarning, match="undefined for a class without"):
        assert metric(name)([0, 0], [0, 0]) == 0


def test_division_by_zero_as_asked():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert scoring.precision_score([1, 1], [0, 0], zero_division=1.0) == 1
        assert math.isnan(scoring.precision_score([1, 1], [0, 0], zero_division=np.nan))
        assert scoring.precision_score([1, 0], [0, 0], average="macro", zero_division=np.nan) == 0.5


# ---- bad input: the message names the parameter, what is allowed, what came


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"average": "samples"}, "average must be one of 'binary', 'micro', 'macro', 'weighted', None; came 'samples'"),
        ({"zero_division": 0.5, "average": None}, "zero_division must be one of 'warn', 0.0, 1.0, nan; came 0.5"),
        ({"pos_label": "dead"}, r"pos_label must be one of the classes \['ill', 'well'\]; came 'dead'"),
        ({"pos_label": "ill", "average": "macro"}, "pos_label is used with average='binary' only; came 'ill'"),
        ({"pos_label": "ill", "labels": ["ill"]}, "labels must be None with average='binary'"),
        (
            {"labels": ["ill", "ill"], "average": None},
            r"labels must name at least one class, each once; came \['ill', 'ill'\]",
        ),
        ({"labels": [], "average": None}, "labels must name at least one class"),
        ({"labels": [1], "average": None}, "labels must hold labels of the same kind as y_true"),
    ],
)
def test_bad_options_of_rates(options, message):
    with pytest.raises(ValueError, match=message):
        scoring.f1_score(TRUE, SAID, **options)


def test_binary_average_needs_two_classes():
    with pytest.raises(ValueError, match="needs two classes, came 3: use average='micro', 'macro', 'weighted' or None"):
        scoring.f1_score([0, 1, 2], [0, 1, 1])
    with pytest.raises(ValueError, match="pos_label must be one of the classes"):
        scoring.f1_score(["a"], ["a"])


# ---- documentation


def test_examples_in_docstrings():
    result = doctest.testmod(precision_recall)
    assert result.attempted > 0 and result.failed == 0
