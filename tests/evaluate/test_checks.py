"""Findings: each code on a table made to have it, none on a clean one, codes documented, real tables."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from glaswerk import DecisionTreeClassifier, LinearRegression, LogisticRegression
from glaswerk.evaluate import ArrayProblem, check, cross_validate
from glaswerk.evaluate.checks import TITLES
from tests.evaluate.conftest import line_with_noise, two_classes

PAGE = Path(__file__).parents[2] / "docs" / "evaluate" / "checks.md"


def columns_of(X):
    return {f"x{j}": X[:, j] for j in range(X.shape[1])}


def clean():
    X, y = line_with_noise(120, 3)
    return ArrayProblem(X, y), columns_of(X)


def codes(found):
    return [one.code for one in found]


def with_column(column, **options):
    problem, columns = clean()
    return check(problem, {**columns, "extra": column}, **options)


def test_a_clean_table_has_no_findings():
    problem, columns = clean()
    found = cross_validate({"line": LinearRegression()}, problem, repeats=1)
    assert check(problem, columns, comparison=found.comparison) == ()


def test_rows_twice():
    X, y = line_with_noise(120, 3)
    X, y = np.r_[X, X[:40]], np.r_[y, y[:40]]
    (found,) = check(ArrayProblem(X, y), columns_of(X))
    assert (found.code, found.severity) == ("GW001", "warning")
    assert "40 of 160 rows repeat an earlier row" in found.evidence


def test_one_copy_is_only_a_note():
    X, y = line_with_noise(120, 3)
    X[1], y[1] = X[0], y[0]
    assert [(f.code, f.severity) for f in check(ArrayProblem(X, y), columns_of(X))] == [("GW001", "note")]


def test_equal_inputs_with_other_targets_are_no_copies():
    X, y = line_with_noise(60, 3)
    assert check(ArrayProblem(np.r_[X, X], np.r_[y, y + 1]), columns_of(np.r_[X, X])) == ()


@pytest.mark.parametrize(
    ("column", "code", "said"),
    [
        (np.full(120, 3.0), "GW002", "'extra'"),
        (line_with_noise(120, 3)[0][:, 1].copy(), "GW003", "'extra' says the same as 'x1'"),
        (np.arange(120.0), "GW008", "'extra'"),
        (np.exp(line_with_noise(120, 3)[1]), "GW009", "'extra' alone"),
    ],
)
def test_a_column_to_look_at(column, code, said):
    (found,) = with_column(column)
    assert found.code == code and said in found.evidence and found.remedy


def test_columns_that_depend_on_others_come_from_a_fitted_model():
    X, y = line_with_noise(120, 3)
    X = np.c_[X, X[:, 0] - 2 * X[:, 2]]
    with pytest.warns(UserWarning, match="repeats"):
        model = LinearRegression().fit(X, y)
    repeated = model.facts()[2].repeated
    (found,) = check(ArrayProblem(X, y), columns_of(X), repeated=repeated)
    assert found.code == "GW004" and "'x3' repeats" in found.evidence


def test_no_better_than_the_baseline_is_an_error_where_all_are():
    X, _ = line_with_noise(120, 3)
    noise = np.random.default_rng(9).normal(size=120)
    lost = cross_validate({"line": LinearRegression()}, ArrayProblem(X, noise), repeats=1)
    (found,) = check(lost.problem, columns_of(X), comparison=lost.comparison)
    assert (found.code, found.severity) == ("GW005", "error")


def test_a_wrong_certainty_is_told_apart_from_knowing_nothing():
    """A tree grown to its end answers 0 or 1: its classes are right more often than not, its log loss is ruined."""
    X, y = line_with_noise(200, 2)
    y = np.where(y > np.median(y), "high", "low")
    sure = cross_validate(
        {"tree": DecisionTreeClassifier(), "logistic": LogisticRegression()}, ArrayProblem(X, y), repeats=1
    )
    (found,) = [f for f in check(sure.problem, columns_of(X), comparison=sure.comparison) if f.code == "GW005"]
    assert found.severity == "warning" and "'tree'" in found.evidence
    assert "given as certain" in found.evidence and "its classes may still be right" in found.remedy


def test_rare_classes_and_one_that_is_almost_everything():
    X, _ = line_with_noise(120, 3)
    y = np.array(["a"] * 112 + ["b"] * 8)
    found = check(ArrayProblem(X, y), columns_of(X), folds=10)
    assert codes(found) == ["GW006", "GW011"]
    assert "b (8)" in found[0].evidence and "93.3 %" in found[1].evidence


def test_few_rows():
    X, y = line_with_noise(40, 3)
    assert codes(check(ArrayProblem(X, y), columns_of(X))) == ["GW007"]
    X, y = line_with_noise(60, 8)
    (found,) = check(ArrayProblem(X, y), columns_of(X))
    assert found.severity == "note" and "60 rows for 8 columns" in found.evidence


def test_rows_without_a_target():
    problem, columns = clean()
    assert [(f.code, f.severity) for f in check(problem, columns, rows_without_target=1)] == [("GW010", "note")]
    (found,) = check(problem, columns, rows_without_target=30)
    assert found.severity == "warning" and "30 of 150 rows have no 'y'" in found.evidence


def test_a_separating_column_of_classes():
    X, y = two_classes(150)
    flag = np.where(y == "yes", "x", "z")
    found = check(ArrayProblem(X, y), {**columns_of(X), "flag": flag})
    assert codes(found) == ["GW009"] and "'flag' alone" in found[0].evidence


def test_almost_one_class_makes_no_column_a_giveaway():
    X, _ = line_with_noise(3000, 1)
    y = np.array(["a"] * 2999 + ["b"])
    level = np.random.default_rng(0).integers(0, 4, 3000)
    assert "GW009" not in codes(check(ArrayProblem(X, y), {"level": level}))


def test_the_gravest_comes_first_and_ignored_codes_do_not_come():
    column = np.full(120, 3.0)
    problem, columns = clean()
    both = check(problem, {**columns, "flat": column, "row": np.arange(120.0)})
    assert codes(both) == ["GW008", "GW002"]
    assert codes(check(problem, {**columns, "flat": column}, ignore=("GW002",))) == []
    with pytest.raises(ValueError, match="ignore must be one of 'GW001'"):
        check(problem, columns, ignore=("GW999",))


def test_a_column_of_another_length_is_refused():
    with pytest.raises(ValueError, match=r"column 'extra' must have one cell per row, 120; came \(3,\)"):
        with_column(np.ones(3))


def test_a_table_without_columns_has_nothing_to_look_at():
    assert check(clean()[0], {}) == ()


def test_long_lists_are_cut():
    problem, columns = clean()
    (found,) = check(problem, {**columns, **{f"flat{k}": np.ones(120) for k in range(9)}})
    assert "and 4 more" in found.evidence


def test_every_code_stands_in_the_docs_with_its_title():
    rows = dict(re.findall(r"\| `(GW\d+)` \| ([^|]+) \|", PAGE.read_text()))
    assert {code: title.strip() for code, title in rows.items()} == TITLES


@pytest.mark.proof
@pytest.mark.parametrize(("colour", "twice", "rows"), [("red", 240, 1599), ("white", 937, 4898)])
def test_the_known_duplicates_of_wine(shared_data, colour, twice, rows):
    table = pl.read_csv(shared_data / f"wine_quality_{colour}.csv", separator=";", infer_schema_length=None)
    table = table if table.width > 1 else pl.read_csv(shared_data / f"wine_quality_{colour}.csv")
    inputs = {name: table[name].cast(pl.Float64).to_numpy() for name in table.columns if name != "quality"}
    problem = ArrayProblem(np.column_stack(list(inputs.values())), table["quality"].to_numpy())
    found = next(f for f in check(problem, inputs) if f.code == "GW001")
    assert f"{twice:,} of {rows:,} rows" in found.evidence


@pytest.mark.proof
def test_adults_two_educations_say_the_same(shared_data):
    table = pl.read_parquet(shared_data / "adult.parquet")
    target = table.columns[-1]
    inputs = {
        name: table[name].cast(pl.Float64).to_numpy()
        if table[name].dtype.is_numeric()
        else table[name].cast(pl.String).to_numpy()
        for name in table.columns[:-1]
    }
    problem = ArrayProblem(np.zeros((len(table), 1)), table[target].cast(pl.String).to_numpy())
    found = next(f for f in check(problem, inputs) if f.code == "GW003")
    assert "education" in found.evidence
