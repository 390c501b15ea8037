"""From a table to the analysis: complete, the same each time, and clear about input it cannot use."""

import json

import numpy as np
import pytest

import glaswerk.report
from glaswerk import DecisionTreeRegressor, LinearRegression, LogisticRegression, load_auto_mpg
from glaswerk.facts import Coefficients, Comparison, Curve, DataCard, OutOfFold, Statement, Table
from glaswerk.model import Model
from glaswerk.report import Analysis, Report, analyse, report
from glaswerk.report.families import built
from glaswerk.report.twin import canonical, results
from glaswerk.table import TableError, read_table

N = 80
RNG = np.random.default_rng(3)
SIZE = RNG.uniform(20, 120, N).round(1)
GARDEN = np.where(RNG.random(N) < 0.4, "yes", "no").tolist()
PRICE = (1.5 * SIZE + 20 * (np.array(GARDEN) == "yes") + RNG.normal(0, 5, N)).round(2)
HOMES = {"size": SIZE.tolist(), "garden": GARDEN, "note": [f"house {k}, by the river" for k in range(N)],
         "price": PRICE.tolist()}  # fmt: skip
QUICK = {"folds": 4, "repeats": 1, "budget": None}  # results do not depend on the clock
FEW = {**QUICK, "candidates": {"line": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=3)}}


@pytest.fixture(scope="module")
def homes():
    return analyse(HOMES, "price", **QUICK)


def test_the_report_has_its_sections_in_reading_order(homes):
    names = [section.name for section in homes.sections]
    assert names == ["verdict", "data", "comparison", "diagnosis", "inside", "tree", "residuals", "method"]
    kinds = {type(fact) for fact in homes.facts()}
    assert {Statement, DataCard, Comparison, Curve, OutOfFold} <= kinds


def test_the_winner_and_its_error_are_the_truth(homes):
    best = homes.section("comparison").facts[0].rows[0]
    assert best.verdict == "best" and best.gain_lower > 0
    assert 3.5 < best.score < 7  # the noise has deviation 5
    assert f"{best.score:.4g}" in homes.section("verdict").facts[0].sentences[0]


def test_columns_have_their_roles(homes):
    card = next(fact for fact in homes.section("data").facts if isinstance(fact, DataCard))
    assert {c.name: c.role for c in card.columns} == {
        "size": "input", "garden": "input", "note": "set aside", "price": "target",
    }  # fmt: skip
    assert any("set aside" in note for note in card.columns[2].notes)


def test_rows_are_numbered_as_in_the_table():
    gaps = {**HOMES, "price": [None, None, *HOMES["price"][2:]]}
    found = analyse(gaps, "price", **FEW)
    answers = found.section("residuals").facts[0]
    assert min(answers.row) == 3 and max(answers.row) == N
    assert dict(zip(answers.row, answers.observed, strict=True))[3] == HOMES["price"][2]
    said = " ".join(found.section("data").facts[0].sentences)
    assert "2 rows were left out: the target is missing" in said
    assert any(fact.code == "GW010" for fact in found.section("verdict").facts[1:])


def test_twice_the_same_table_gives_the_same_bytes(homes):
    again = analyse(read_table(HOMES), "price", **QUICK)
    assert canonical(results(again.sections)) == canonical(results(homes.sections))
    assert again.reproduction.result_hash == homes.reproduction.result_hash
    one, other = (analyse(HOMES, "price", seed=seed, **FEW).reproduction.result_hash for seed in (0, 1))
    assert one != other


def test_settings_and_reproduction_tell_what_was_asked(homes):
    assert dict(homes.settings)["folds"] == 4
    assert "--folds 4 --repeats 1 --budget none --seed 0" in homes.reproduction.command
    assert homes.reproduction.data_fingerprint == read_table(HOMES).fingerprint
    assert {name for name, _ in homes.times} >= {"reading", "validation", "learning curve", "final fit"}


def test_own_candidates_replace_the_families():
    mine = {"mine": Model(LinearRegression()), "bare": LinearRegression()}
    found = analyse(HOMES, "price", candidates=mine, **QUICK)
    assert {row.name for row in found.section("comparison").facts[0].rows} == {"mine", "bare", "baseline"}


def test_progress_is_told_to_the_end():
    heard = []
    analyse(HOMES, "price", progress=lambda *step: heard.append(step), **FEW)
    validation = [(done, planned) for step, done, planned in heard if step.startswith("validation: ")]
    assert validation[-1][0] == validation[-1][1] > 0
    assert validation == sorted(validation)
    assert {"reading", "validation", "final fit", "learning curve", "looking inside"} <= {step for step, *_ in heard}


def test_a_classification_is_reported_too():
    found = analyse(HOMES, "garden", positive="yes", **QUICK)
    assert found.task == "classification"
    assert found.section("residuals").title == "Mistakes"
    assert Report(found).html.startswith("<!DOCTYPE html>")


def test_hostile_names_go_through_the_whole_way():
    nasty = {"<script>alert(1)</script>": SIZE, "a\u202eb\x1b[31m": GARDEN, "{{7*7}}": PRICE}
    made = report(nasty, "{{7*7}}", **FEW)
    assert "<script>alert" not in made.html and "\x1b" not in made.html and "\u202e" not in made.html
    assert json.loads(made.json)["input"]["target"] == "{{7*7}}"


def test_the_package_is_its_function_whichever_came_first():
    assert glaswerk.report.report is report
    assert callable(glaswerk.report)
    assert isinstance(glaswerk.report(HOMES, "price", **FEW).analysis, Analysis)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        glaswerk.report.nothing  # noqa: B018


ONE = ["only"] * N


@pytest.mark.parametrize(
    ("table", "target", "words"),
    [
        (HOMES, "prise", "did you mean 'price'"),
        ({**HOMES, "price": [None] * N}, "price", "no value in any"),
        ({**HOMES, "garden": ONE}, "garden", "in every row"),
        (HOMES, "note", "cannot be predicted"),
        ({"note": HOMES["note"], "price": PRICE}, "price", "price"),
        ({"x": [], "y": []}, "y", "y"),
        ({"x": [1.0, 2.0], "y": [1.0, 3.0]}, "y", "y"),
    ],
    ids=["unknown column", "target missing", "single class", "free text", "no input left", "no rows", "two rows"],
)
def test_what_cannot_be_reported_is_said_in_one_message(table, target, words):
    with pytest.raises(ValueError, match=words) as caught:
        analyse(table, target, **QUICK)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [("folds", 1, "folds"), ("level", 1.5, "level"), ("task", "guess", "task"), ("weight", "note", "note"),
     ("positive", "maybe", "positive")],
)  # fmt: skip
def test_a_wrong_option_is_named(option, value, words):
    with pytest.raises((ValueError, TableError), match=words):
        analyse(HOMES, "price", **{**QUICK, option: value})


def test_a_file_that_is_no_table_is_named(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b"PK\x03\x04" + bytes(range(256)) * 4)
    with pytest.raises((TableError, OSError), match=r"x\.csv"):
        analyse(path, "y")
    with pytest.raises((TableError, OSError), match=r"gone\.csv': there is no such file"):
        analyse(tmp_path / "gone.csv", "y")


def test_auto_mpg_is_reported_as_it_is_known_to_be():
    made = report(load_auto_mpg(), "mpg", folds=5, repeats=1, budget=None)
    rows = {row["name"]: row for row in made.data["results"]["comparison"][0]["rows"]}
    assert list(rows)[-1] == "baseline" and 7.7 < rows["baseline"]["score"] < 7.9
    assert 3.2 < rows["linear regression"]["score"] < 3.5
    assert rows["quadratic regression"]["score"] < 3.1
    assert made.analysis.cut == () and made.data["cut"] == []
    assert len(made.html.encode()) < 3_000_000
    assert "glaswerk report" in made.data["reproduction"]["command"]


def test_two_classes_come_with_what_their_probabilities_are_worth():
    random = np.random.default_rng(0)
    size = random.normal(size=80)
    sold = np.where(size + random.logistic(size=80) > 0, "yes", "no").tolist()
    made = report(
        {"size": size.tolist(), "sold": sold},
        "sold",
        folds=5,
        repeats=1,
        candidates={"odds": Model(LogisticRegression())},
    )
    section = made.data["results"]["residuals"]
    titles = [fact.get("title", "") for fact in section]
    for start in ("Calibration of odds", "ROC of odds", "Precision and recall of odds", "Cost of odds"):
        assert any(title.startswith(start) for title in titles)
    assert any(title.startswith("Prediction sets") for title in titles)
    for anchor in ("calibration", "roc", "threshold-cost"):
        assert f'id="formula-{anchor}"' in made.html


def test_where_the_best_cannot_be_read_the_plain_model_stands_beside_it():
    random = np.random.default_rng(1)
    x, z = random.uniform(-3, 3, (2, 90))
    table = {"x": x.tolist(), "z": z.tolist(), "y": (x**2 + 0.5 * z + random.normal(0, 0.2, 90)).tolist()}
    both = built("linear regression", "nearest neighbours")
    found = analyse(table, "y", candidates=both, **QUICK)
    assert found.section("comparison").facts[0].rows[0].name == "nearest neighbours"
    inside = found.section("inside").facts
    beside = next(fact for fact in inside if isinstance(fact, Statement) and "plain model" in fact.heading)
    assert "linear regression" in beside.sentences[0] and "nearest neighbours" in beside.sentences[0]
    (coefficients,) = found.section("inside").of_kind(Coefficients)
    assert {row.name: row.inflation is not None for row in coefficients.rows} == {
        "intercept": False, "x": True, "z": True,
    }  # fmt: skip
    alone = analyse(table, "y", candidates=built("nearest neighbours"), **QUICK)
    assert not alone.section("inside").of_kind(Coefficients)


def test_what_the_best_chose_stands_fold_by_fold_with_both_scores():
    found = analyse(HOMES, "price", candidates=built("ridge regression"), **QUICK)
    (comparison,), tables = found.section("comparison").facts[:1], found.section("comparison").of_kind(Table)
    assert comparison.rows[0].inner_score == pytest.approx(comparison.rows[0].score, rel=0.3)
    assert tables[0].columns == ("repeat", "fold", "alpha", "inner RMSE", "outer RMSE") and len(tables[0].rows) == 4
