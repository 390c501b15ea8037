"""Folds that keep groups whole and time in order: from the report's options to its sentences."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from glaswerk import LinearRegression
from glaswerk.cli import main
from glaswerk.facts import Comparison, DataCard, Statement
from glaswerk.report import analyse

RANDOM = np.random.default_rng(5)
PERSON = np.repeat(np.arange(30), 6)
LEVEL = RANDOM.normal(0, 5, 30)[PERSON]
VISITS = {
    "person": [f"p{k:02d}" for k in PERSON],
    "day": (np.arange(180) * 2.0).tolist(),
    "size": RANDOM.normal(size=180).tolist(),
    "y": (LEVEL + RANDOM.normal(size=180)).tolist(),
}
LINE = {"candidates": {"line": LinearRegression()}, "folds": 5, "repeats": 1}


def roles(found):
    card = next(fact for fact in found.section("data").facts if isinstance(fact, DataCard))
    return {column.name: column.role for column in card.columns}


def said(found, section):
    return " ".join(s for fact in found.section(section).facts if isinstance(fact, Statement) for s in fact.sentences)


def codes(found):
    return {fact.code for fact in found.section("verdict").facts[1:]}


def test_rows_of_one_person_stay_together():
    found = analyse(VISITS, "y", groups="person", **LINE)
    assert roles(found) == {"person": "groups", "day": "input", "size": "input", "y": "target"}
    plan = found.section("comparison").of_kind(Comparison)[0].plan
    assert plan.startswith("grouped 5-fold")
    assert "Rows of one person stay in one fold: there are 30 groups." in said(found, "data")
    assert "different person are independent" in said(found, "method")
    assert "GW016" in codes(analyse(VISITS, "y", **LINE)) and "GW016" not in codes(found)


def test_the_past_predicts_what_follows():
    found = analyse(VISITS, "y", time="day", **LINE)
    assert roles(found)["day"] == "time"
    assert "in order of time" in found.section("comparison").of_kind(Comparison)[0].plan
    assert "in the order of day" in said(found, "data")
    assert "GW015" not in codes(found)
    assert min(found.section("residuals").facts[0].row) > 25  # the first stretch is trained on only


def test_the_command_line_asks_the_same_and_says_how_to_ask_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = zip(*VISITS.values(), strict=True)
    (tmp_path / "visits.csv").write_text("\n".join([",".join(VISITS), *(",".join(map(str, row)) for row in lines)]))
    words = ["visits.csv", "--target", "y", "--model", "linear", "--folds", "4", "--repeats", "1"]
    made = CliRunner().invoke(main, ["report", *words, "--groups", "person", "--json-output", "r.json"])
    assert made.exit_code == 0, made.output
    twin = json.loads((tmp_path / "r.json").read_text())
    assert "--groups person" in twin["reproduction"]["command"]
    assert "groups='person'" in twin["reproduction"]["snippet"]
    judged = CliRunner().invoke(main, ["validate", *words, "--time", "day", "--fail-on", "never"])
    assert judged.exit_code == 0, judged.output
    assert "in order of time" in judged.output


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"groups": "nobody"}, "no column 'nobody'"),
        ({"time": "person"}, "must hold numbers or dates"),
        ({"groups": "y"}, "must be different columns"),
    ],
)
def test_a_column_that_cannot_say_so_is_refused(options, told):
    with pytest.raises(ValueError, match=told):
        analyse(VISITS, "y", **LINE, **options)
