"""The verdict says what the numbers say: no more when they are unsure, no less when they are not."""

import dataclasses

import numpy as np
import pytest

from glaswerk.facts import Candidate, Comparison, Confusion, OutOfFold
from glaswerk.report.verdict import kept, verdict


def candidate(name, score, verdict="worse", gain=(1.0, 0.5, 1.5), **more):
    gains = dict(zip(("gain", "gain_lower", "gain_upper"), gain, strict=True))
    return Candidate(
        name, score, score - 0.3, score + 0.3, score, 0.1, 0.0, 0.2, verdict, 30, (score,), **gains, **more
    )


def comparison(*rows, metric="RMSE", better="lower"):
    return Comparison(metric, better, "shuffled 10-fold cross-validation (seed 0)", 0.95, rows, "baseline")


BASE = candidate("baseline", 8.0, gain=(None, None, None))
ANSWERS = OutOfFold("mpg", "linear regression", 3, (0, 1, 2), (1.0, 2.0, 3.0), (1.0, 2.0, 4.0), (), ((0.9, 0.893),))
MISSES = np.array([0.0, 1.0, 2.0, 3.0, 10.0])


def sentences(*rows, answers=ANSWERS, misses=MISSES, **options):
    return verdict(comparison(*rows, **options), answers, misses).sentences


def test_a_clear_winner_is_named_with_its_error_interval_and_baseline():
    first = sentences(candidate("linear regression", 3.3, "best"), candidate("other", 3.9), BASE)[0]
    assert first == (
        "Linear regression predicts mpg best, with an RMSE of 3.3 (95 % interval 3 to 3.6). The baseline, which always "
        "answers the mean, has 8: 59 % of its error is gone."
    )


def test_the_typical_error_is_said_for_one_row():
    found = sentences(candidate("line", 3.3, "best"), BASE)
    assert "half of the predictions lie within ±2 of the true mpg, nine in ten within ±7.2" in found[1]
    assert "the worst of 5 is off by 10" in found[1]
    assert "90 % prediction intervals held 89.3 %" in found[2] and "keep what they promise" in found[2]


@pytest.mark.parametrize(
    ("held", "rows", "words"),
    [(0.8, 1000, "too much"), (0.9, 1000, "keep"), (0.97, 1000, "wider"), (0.8, 20, "keep"), (0.927, 50_000, "wider")],
)
def test_intervals_are_judged_by_what_they_held_and_by_chance(held, rows, words):
    assert words in kept(held, rows)


def test_a_gain_that_may_be_nothing_is_not_praised():
    first = sentences(candidate("line", 7.9, "best", gain=(0.1, -0.2, 0.4)), BASE)[0]
    assert "not shown to be better than the baseline" in first
    assert "do not rely on it" in first


def test_a_baseline_that_wins_is_said_to_win():
    first = sentences(dataclasses.replace(BASE, score=7.0, verdict="best"), candidate("line", 8.0))[0]
    assert first.startswith("No candidate does better than the baseline")
    assert "say nothing certain about mpg" in first


def test_rivals_are_sorted_into_equal_unclear_and_failed():
    found = sentences(
        candidate("a", 3.0, "best"), candidate("b", 3.1, "practically equal"), candidate("c", 3.1, "practically equal"),
        candidate("d", 3.2, "cannot tell"), candidate("e", 9.0, "failed"), BASE,
    )  # fmt: skip
    assert "Practically equal to it, so that the simplest may be taken: b and c." in found
    assert any("cannot tell whether d is worse" in s for s in found)
    assert any("Could not be fitted" in s and "e" in s for s in found)


def test_classes_are_told_against_always_naming_the_largest():
    answers = Confusion("species", "logistic regression", ("a", "b"), ((50.0, 0.0), (3.0, 27.0)))
    found = sentences(
        candidate("logistic regression", 0.13, "best"), dataclasses.replace(BASE, score=0.66),
        answers=answers, misses=np.zeros(0), metric="log loss",
    )  # fmt: skip
    assert "a log loss of 0.13" in found[0] and "80 % of its error is gone" in found[0]
    assert "96.2 % are given their true species; always naming a would be right for 62.5 %" in found[1]
    assert "b taken for a, 3 of 30 rows" in found[2]


def test_without_a_mistake_none_is_made_up():
    answers = Confusion("t", "m", ("a", "b"), ((5.0, 0.0), (0.0, 5.0)))
    found = sentences(candidate("m", 0.1, "best"), BASE, answers=answers, misses=np.zeros(0), metric="log loss")
    assert not any("mistake" in s for s in found)


def test_the_only_candidate_is_not_called_the_best():
    found = sentences(candidate("linear regression", 3.3, "best"), BASE)
    assert found[0].startswith("Linear regression predicts mpg with an RMSE of 3.3")
    assert "best of several" not in found[-1]


def test_the_plan_and_the_flattery_of_choosing_are_said():
    last = sentences(candidate("line", 3.3, "best"), candidate("curve", 3.9), BASE)[-1]
    assert "shuffled 10-fold cross-validation (seed 0), 90 fits in all" in last
    assert "looks a little better than it is" in last


def test_a_metric_where_higher_is_better_promises_no_share():
    first = sentences(
        candidate("m", 0.9, "best"), dataclasses.replace(BASE, score=0.5), metric="accuracy", better="higher"
    )[0]
    assert "an accuracy of 0.9" in first and "error is gone" not in first
