"""Two reports beside each other: nothing where nothing changed; data, findings, candidates, verdicts where it did."""

import copy
import json

import numpy as np
import pytest
from click.testing import CliRunner

from glaswerk import LinearRegression
from glaswerk.cli import main
from glaswerk.report import report
from glaswerk.report.changes import changes, is_worse, moved, read_twin

RNG = np.random.default_rng(0)
N = 120
SIZE = RNG.uniform(20, 120, N).round(1)
TABLE = {"size": SIZE.tolist(), "price": (1.5 * SIZE + RNG.normal(0, 10, N)).round(2).tolist()}
QUICK = {"folds": 5, "repeats": 1, "candidates": {"line": LinearRegression()}}


@pytest.fixture(scope="module")
def twins():
    noisy = {**TABLE, "price": (1.5 * SIZE + RNG.normal(0, 40, N)).round(2).tolist(), "one": [1.0] * N}
    return report(TABLE, "price", **QUICK).data, report(noisy, "price", **QUICK).data


def cells(found, title):
    (table,) = [fact for fact in found[1:] if fact.title.startswith(title)]
    return {row[0]: row for row in table.rows}


def test_the_same_report_twice_changed_nothing(twins):
    found = changes(twins[0], copy.deepcopy(twins[0]))
    assert len(found) == 1 and found[0].sentences == ("Nothing: both say the same, number by number.",)
    assert not is_worse(twins[0], twins[0])


def test_other_data_are_told_column_by_column(twins):
    found = changes(*twins)
    assert found[0].sentences[0] == "The data are not the same."
    assert "The best model got worse: line with RMSE" in found[0].sentences[1]
    assert cells(found, "Columns")["one"][2:] == (None, "there")
    assert cells(found, "Findings")["GW002"][2] is None
    assert cells(found, "Candidates by RMSE")["line"][3] == "worse"
    assert is_worse(*twins) and not is_worse(twins[1], twins[0])


def test_a_change_within_the_intervals_is_none():
    row = {"score": 3.0, "lower": 2.5, "upper": 3.5}
    assert moved(row, {"score": 3.4, "lower": 3.0, "upper": 3.8}, "lower") == ""
    assert moved(row, {"score": 4.4, "lower": 4.0, "upper": 4.8}, "lower") == "worse"
    assert moved(row, {"score": 4.4, "lower": 4.0, "upper": 4.8}, "higher") == "better"
    assert moved(row, {"score": 4.4, "lower": None, "upper": None}, "lower") == ""


def test_settings_that_differ_are_told(twins):
    other = report(TABLE, "price", **{**QUICK, "folds": 4}).data
    found = changes(twins[0], other)
    assert cells(found, "Question")["folds"][1:] == (5, 4)
    assert found[0].sentences[0] == "The data are the same."


def test_the_command_reads_two_files_and_fails_where_asked(twins, tmp_path):
    paths = []
    for name, twin in zip("ab", twins, strict=True):
        paths.append(str(tmp_path / f"{name}.json"))
        (tmp_path / f"{name}.json").write_text(json.dumps(twin))
    found = CliRunner().invoke(main, ["compare", *paths])
    assert found.exit_code == 0 and "What changed" in found.stdout and "got worse" in found.stdout
    assert CliRunner().invoke(main, ["compare", *paths, "--fail-if-worse"]).exit_code == 1
    assert CliRunner().invoke(main, ["compare", *reversed(paths), "--fail-if-worse"]).exit_code == 0
    assert json.loads(CliRunner().invoke(main, ["compare", *paths, "--json"]).stdout)[0]["fact"] == "Statement"


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"schema": 9, "input": 1, "results": 1, "reproduction": 1}'])
def test_what_is_no_report_is_refused_by_name(text, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"x\.json"):
        read_twin(path)
