"""The race: as cross-validation where nothing is cut; otherwise it says what was, and keeps what is finished."""

import time

import numpy as np
import pytest

from glaswerk import LinearRegression
from glaswerk.base import Regressor
from glaswerk.evaluate import ArrayProblem, cross_validate
from glaswerk.report import analyse
from glaswerk.report.clock import silent
from glaswerk.report.purse import Purse
from glaswerk.report.race import Runner, run_race
from glaswerk.report.verdict import cut_short

RNG = np.random.default_rng(0)
X = RNG.normal(size=(4_000, 3))
Y = X @ [1.0, 2.0, 0.0] + RNG.normal(size=4_000)
PROBLEM = ArrayProblem(X, Y)
TABLE = {"a": X[:, 0], "b": X[:, 1], "y": Y}


class Slow(Regressor):
    """Answers zero, in a time that goes with the rows."""

    def __init__(self, seconds=2e-5, stops=None):
        self.seconds, self.stops = seconds, stops

    def fit(self, X, y, sample_weight=None):
        time.sleep(self.seconds * len(y))
        Slow.fits += 1
        if self.stops is not None and Slow.fits >= self.stops:
            raise KeyboardInterrupt
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.zeros(len(X))


Slow.fits = 0


def race(*runners, seconds=None, folds=10, repeats=1):
    Slow.fits = 0
    purse = Purse(seconds)
    return run_race(
        runners, PROBLEM, folds=folds, repeats=repeats, seed=0, level=0.95, purse=purse, told=silent
    )  # fmt: skip


def test_without_a_budget_it_is_cross_validation():
    found = race(Runner("line", LinearRegression()), repeats=2)
    assert found.cut == () and not found.stopped
    assert found.validation.comparison == cross_validate({"line": LinearRegression()}, PROBLEM, repeats=2).comparison


def test_a_family_that_costs_too_much_gets_fewer_folds_and_a_sample():
    runners = Runner("line", LinearRegression()), Runner("slow", Slow(4e-5))  # 0.14 s for a fold of ten
    start = time.monotonic()
    found = race(*runners, seconds=0.75, repeats=3)
    assert time.monotonic() - start < 2.0
    assert found.validation.plan.n_folds == 5
    assert "5 folds and 1 repeat(s) instead of 10 and 3" in found.cut[0]
    (slow,) = [part for part in found.shares if part.name == "slow"]
    assert slow.cut and 500 <= slow.rows < 3_200
    notes = {row.name: row.notes for row in found.validation.comparison.rows}
    assert any(f"sample of {slow.rows:,} of the 3,200" in note for note in notes["slow"])
    assert not any("sample" in note for note in notes["line"])
    assert np.isfinite(found.validation.predictions("slow")).all()  # judged on every row all the same


def test_a_family_for_which_not_even_the_least_sample_fits_is_left_out_by_name():
    found = race(Runner("line", LinearRegression()), Runner("slow", Slow(2e-4)), seconds=0.9)
    row = next(row for row in found.validation.comparison.rows if row.name == "slow")
    assert row.verdict == "failed" and "not enough for 500 rows" in row.notes[0]
    assert found.validation.best == "line"


def test_rows_beyond_what_a_family_takes_are_a_sample_whatever_the_clock_says():
    found = race(Runner("line", LinearRegression(), most=1_024))
    assert found.cut == ()
    assert "sample of 1,024 of the 3,600" in found.validation.comparison.rows[0].notes[-1]
    again = race(Runner("line", LinearRegression(), most=1_024))
    assert again.validation.comparison == found.validation.comparison


def test_a_stop_by_hand_keeps_what_is_finished():
    found = race(Runner("line", LinearRegression()), Runner("slow", Slow(stops=6)), folds=5)
    rows = {row.name: row for row in found.validation.comparison.rows}
    assert found.stopped and rows["line"].verdict == "best"
    assert "stopped by hand after 2 of 5 fits" in rows["slow"].notes[0]
    assert any("stopped by hand" in sentence for sentence in found.cut)


def test_a_stop_before_anything_is_finished_is_a_stop():
    with pytest.raises(KeyboardInterrupt):
        race(Runner("slow", Slow(stops=4)))


def test_a_report_that_was_stopped_says_so_and_goes_without_what_is_left():
    Slow.fits = 0
    found = analyse(TABLE, "y", candidates={"line": LinearRegression(), "slow": Slow(stops=5)})
    assert any("stopped by hand" in sentence for sentence in found.cut)
    assert "cut short" in found.section("verdict").facts[0].sentences[-1]
    assert "learning curve" not in dict(found.times)
    assert "Not finished, with the reason in the comparison: slow." in found.section("verdict").facts[0].sentences


def test_a_report_on_a_short_budget_keeps_it_and_says_what_is_missing():
    start = time.monotonic()
    found = analyse(TABLE, "y", candidates={"line": LinearRegression(), "slow": Slow(1e-4)}, budget="2s")
    assert time.monotonic() - start < 4.0
    assert found.cut and dict(found.settings)["budget"] == "2s"
    assert "--budget 2s" in found.reproduction.command
    assert found.spending is not None and {row[0] for row in found.spending.rows} == {"line", "slow"}


def test_a_verdict_names_few_cuts_and_says_where_the_others_stand():
    assert cut_short(["a", "b"]).endswith("other results: a; b.")
    assert cut_short(list("abcde")).endswith("other results: a; b; c; and 2 more, all of them under Method.")
