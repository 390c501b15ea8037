"""The findings on relations, dealings and verdicts: each on a table made to have it, none where it is not."""

from pathlib import Path

import numpy as np
import pytest

from glaswerk import LinearRegression, Ridge, RidgeCV, load_auto_mpg, load_diamonds
from glaswerk.evaluate import ArrayProblem, GridSearch, Log, check, cross_validate
from glaswerk.evaluate.findings import TITLES
from glaswerk.evaluate.metrics import metric_named
from glaswerk.evaluate.relations import correlations, odd_nines, odd_zero, variance_inflation
from glaswerk.evaluate.verdicts import Answered
from glaswerk.facts import Curve, Facts, Line, Statement
from glaswerk.learners import LogisticRegression
from glaswerk.report.self_told import self_told

RNG = np.random.default_rng(5)
N = 300
X = RNG.uniform(3.0, 9.0, size=(N, 2))
Y = X @ [1.0, 2.0] + RNG.normal(size=N)


def found(columns=None, y=Y, **options):
    columns = {"a": X[:, 0], "b": X[:, 1]} if columns is None else columns
    return {one.code: one for one in check(ArrayProblem(X[: len(y)], y), columns, **options)}


def test_the_plain_table_has_none_of_them():
    assert found() == {}


# GW013


def test_a_zero_among_lengths_stands_in():
    a = X[:, 0].copy()
    a[:7] = 0.0
    one = found({"a": a})["GW013"]
    assert one.severity == "warning" and "'a': 7 row(s) hold 0, all others lie between 3" in one.evidence


@pytest.mark.parametrize("value", [-1.0, 99.0, 999.0, -9999.0])
def test_nines_and_minus_one_stand_in(value):
    a = X[:, 0].copy()
    a[[3, 50]] = value
    assert f"2 row(s) hold {value:g}" in found({"a": a})["GW013"].evidence


def test_a_lone_value_far_away_is_a_note_and_tails_are_none():
    a = X[:, 0].copy()
    a[5] = 580.0
    assert found({"a": a})["GW013"].severity == "note"
    assert "GW013" not in found({"a": RNG.exponential(size=N)})
    assert odd_zero(RNG.poisson(3.0, N).astype(float)) == [] and odd_nines(np.arange(100.0)) == []


def test_diamonds_of_no_length_are_found():
    table = load_diamonds()
    columns = {name: table[name].numbers() for name in ("carat", "depth", "table", "x", "y", "z")}
    price = table["price"].numbers()
    one = {f.code: f for f in check(ArrayProblem(np.ones((len(price), 1)), price), columns)}["GW013"]
    assert "'x': 8 row(s) hold 0" in one.evidence and "'z': 20 row(s) hold 0" in one.evidence


# GW014


def test_gaps_that_tell_the_target_are_after_the_fact():
    a = X[:, 0].copy()
    a[np.median(Y) > Y] = np.nan
    one = found({"a": a})["GW014"]
    assert (
        one.severity == "warning" and "whether 'a' is missing nearly gives the target away (1.000 of 1)" in one.evidence
    )
    by_chance = X[:, 0].copy()
    by_chance[RNG.random(N) < 0.5] = np.nan
    assert "GW014" not in found({"a": by_chance})


def test_columns_that_add_up_to_the_target_are_after_the_fact():
    y = X @ [1.0, 2.0]
    problem = ArrayProblem(X, y)
    comparison = cross_validate({"line": LinearRegression()}, problem, folds=5, repeats=1).comparison
    codes = {one.code: one for one in check(problem, {"a": X[:, 0], "b": X[:, 1]}, comparison=comparison)}
    assert "a formula rather than a forecast" in codes["GW014"].evidence


# GW015, GW016


def test_dates_and_likeness_of_neighbours_are_told():
    walk = np.cumsum(RNG.normal(size=N))
    one = found(y=walk)["GW015"]
    assert one.severity == "note" and "rows next to each other are alike" in one.evidence
    days = {"day": np.arange(N) + 10_000.5, "a": X[:, 0]}
    assert found(days, dates=["day"])["GW015"].severity == "warning"
    assert "GW015" not in found(y=np.sort(Y))  # sorted by the target, not by time


def test_rows_of_one_person_belong_together():
    person = np.repeat(np.arange(75), 4)
    y = RNG.normal(size=75)[person] * 3 + RNG.normal(size=N)
    one = found(y=y, aside={"person": person})["GW016"]
    assert "'person', which no model looks at" in one.evidence
    assert "GW016" not in found(aside={"person": person})
    assert "GW016" not in found({"a": X[:, 0], "sort": person % 3}, y=y)


def test_the_names_of_cars_are_groups():
    table = load_auto_mpg()
    known = np.flatnonzero(~table["mpg"].missing())
    problem = ArrayProblem(np.ones((len(known), 1)), table["mpg"].numbers()[known])
    codes = {f.code for f in check(problem, {}, aside={"name": table["name"].codes()[known]})}
    assert "GW016" in codes


# GW017


def test_collinear_columns_are_named_with_their_companions():
    columns = {"a": X[:, 0], "b": X[:, 1], "sum": X[:, 0] + X[:, 1] + 0.05 * RNG.normal(size=N)}
    one = found(columns)["GW017"]
    assert "'sum' (VIF" in one.evidence and "moves with 'a' and 'b'" in one.evidence.replace(
        "'b' and 'a'", "'a' and 'b'"
    )


def test_variance_inflation_is_one_over_the_share_left():
    cells = np.column_stack([X, X[:, 0] * 0.8 + X[:, 1] * 0.1 + RNG.normal(size=N)])
    vif = variance_inflation(correlations(cells))
    design = np.column_stack([np.ones(N), cells[:, :2]])
    rest = cells[:, 2] - design @ np.linalg.lstsq(design, cells[:, 2])[0]
    assert vif[2] == pytest.approx(cells[:, 2].var() / rest.var(), rel=1e-9)
    assert variance_inflation(correlations(np.column_stack([X, X[:, 0]]))) is None


# GW018 to GW021


def test_a_separating_plane_is_told_with_its_columns():
    labels = np.where(X[:, 0] > 6, "up", "down")
    known = LogisticRegression(C=np.inf).fit(X, labels).facts()
    told = self_told(known)
    assert "a plane separates the classes" in told["GW018"][0]
    assert found(told=told)["GW018"].severity == "warning"
    overlapping = LogisticRegression(C=np.inf).fit(X, np.where(RNG.random(N) < 0.5, "a", "b"))
    assert self_told(overlapping.facts())["GW018"] == ()


def test_a_search_that_ends_at_its_edge_is_told():
    told = self_told(RidgeCV(alphas=[1e3, 1e4, 1e5]).fit(X, Y).facts())
    assert "alpha 1000 was taken, the least of those tried" in told["GW020"][0]
    assert "GW020" in found(told=told)
    assert len(told["GW020"]) == 1  # though error and path both show it
    inside = Curve("t", "x", "y", (Line("l", (1.0, 2.0, 3.0), (3.0, 1.0, 2.0)),), marks=((2.0, "chosen"),))
    assert self_told(Facts([inside]))["GW020"] == ()


def test_an_edge_of_a_grid_is_told_once_and_a_choice_inside_it_is_not():
    edge = GridSearch(Ridge(), {"alpha": Log(1e3, 1e6)}, points=4).fit(X, Y)
    assert self_told(edge.facts())["GW020"] == edge.search_.edges and len(edge.search_.edges) == 1
    inside = GridSearch(Ridge(), {"alpha": [1e-9, 1.0, 1e9]}).fit(X, Y)
    assert inside.best_params_ == {"alpha": 1.0} and self_told(inside.facts())["GW020"] == ()


def test_every_code_has_its_row_in_the_docs():
    listed = (Path(__file__).parents[2] / "docs/evaluate/checks.md").read_text("utf-8")
    assert [code for code in TITLES if f"`{code}`" not in listed and code not in listed] == []


def test_ties_are_told():
    known = Facts([Statement("Splits", ("the root is a tie between 'a' and 'b'", "cities tied by road"))])
    assert len(self_told(known)["GW021"]) == 2
    assert (
        self_told(Facts([Curve("t", "x", "y", (Line("l", (1.0,), (1.0,)),), notes=("no such thing",))]))["GW021"] == ()
    )


def answered(columns, losses=None):
    fold = np.arange(N) % 5
    return Answered(fold, np.ones(N) if losses is None else losses, metric_named("RMSE"))


def test_rows_beyond_the_training_rows_are_counted_and_their_error_told():
    a = X[:, 0].copy()
    a[[0, 5, 10, 15, 20]] = [100.0, 101.0, 102.0, 103.0, 104.0]  # all in the first fold
    losses = np.where(a > 50, 400.0, 1.0)
    one = found({"a": a}, answered=answered(None, losses))["GW019"]
    assert "rows lie outside what their training rows had seen: 'a' (" in one.evidence
    assert "RMSE 1" in one.evidence and one.evidence.endswith("there, 1 elsewhere")
    assert one.severity == "warning"
    assert found({"a": X[:, 0]}, answered=answered(None))["GW019"].severity == "note"


def test_copies_apart_are_counted_with_their_error():
    twice = {"a": np.r_[X[: N - 60, 0], X[:60, 0]], "b": np.r_[X[: N - 60, 1], X[:60, 1]]}
    y = np.r_[Y[: N - 60], Y[:60]]
    fold = np.r_[np.zeros(N - 60), np.ones(60)].astype(int)
    losses = np.where(np.arange(N) % (N - 60) < 60, 0.01, 1.0)
    one = found(twice, y, answered=Answered(fold, losses, metric_named("RMSE")))["GW001"]
    assert "60 of 300 rows repeat" in one.evidence
    assert (
        "120 rows are tested by a model that was fitted to a copy of them; RMSE 0.1 there, 1 elsewhere" in one.evidence
    )
