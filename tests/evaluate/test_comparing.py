"""Verdicts from folds made by hand: ranks, margin, words."""

import numpy as np
import pytest

from glaswerk.evaluate.comparing import Field, against_baseline, verdict
from glaswerk.evaluate.corrected import Interval
from glaswerk.evaluate.metrics import metric_named
from glaswerk.evaluate.trial import Trial


def trial(name, values, failure=""):
    nothing = np.zeros(0)
    values = np.asarray(values, dtype=np.float64)
    return Trial(name, values, values / 2, nothing, nothing, nothing, nothing, len(values), failure)


def field(*trials, metric="MAE", stratified=False):
    return Field(metric_named(metric), trials, np.ones(4), 1 / 3, 0.95, stratified)


BASE = trial("baseline", [10.0, 10.0, 10.0, 10.0])


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (-0.5, 0.5, "practically equal"),
        (0.1, 0.9, "practically equal"),
        (0.1, 1.1, "worse"),
        (-0.1, 3.0, "cannot tell"),
        (-2.0, 0.5, "cannot tell"),
        (None, None, "cannot tell"),
    ],
)
def test_words_for_a_difference_with_margin_one(lower, upper, words):
    assert verdict(Interval(0.3, lower, upper), 1.0) == words


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (Interval(2.0, 1.0, 3.0), "better than the baseline by 2 (95 % interval 1 to 3)"),
        (Interval(-2.0, -3.0, -1.0), "not better than the baseline: worse by 2 (gain: 95 % interval -3 to -1)"),
        (Interval(1.0, -1.0, 3.0), "not shown to be better than the baseline: gain 1 (95 % interval -1 to 3)"),
        (Interval(1.0, None, None), "better than the baseline, by 1; how sure that is is not known"),
    ],
)
def test_words_for_a_gain(gain, words):
    assert against_baseline(gain, 0.95) == words


def test_best_first_equals_by_name_failed_last():
    rows = field(
        BASE, trial("b", [1.0, 2, 3, 4]), trial("a", [1.0, 2, 3, 4]), trial("z", np.full(4, np.nan), "failed: why")
    ).rows()
    assert [row.name for row in rows] == ["a", "b", "baseline", "z"]
    assert [row.verdict for row in rows] == ["best", "practically equal", "worse", "failed"]
    assert np.isnan(rows[-1].score) and rows[-1].notes == ("failed: why",)


def test_higher_is_better_where_the_metric_says_so():
    low, high = trial("low", [0.5, 0.6, 0.5, 0.6]), trial("high", [0.9, 0.8, 0.9, 0.8])
    rows = field(trial("baseline", [0.5] * 4), low, high, metric="accuracy").rows()
    assert [row.name for row in rows] == ["high", "low", "baseline"]
    assert rows[1].difference == pytest.approx(0.3)
    assert rows[0].gain == pytest.approx(0.35)


def test_the_margin_is_a_hundredth_of_the_baselines_error():
    assert field(BASE).margin == pytest.approx(0.1)
    assert field(trial("baseline", [0.75] * 4), metric="accuracy").margin == pytest.approx(0.0025)


def test_training_scores_come_along():
    best = field(BASE, trial("a", [1.0, 2, 3, 4])).rows()[0]
    assert (best.score, best.train_score, best.fold_scores) == (2.5, 1.25, (1.0, 2.0, 3.0, 4.0))
