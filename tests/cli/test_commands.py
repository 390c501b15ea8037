"""The command line as a user meets it: what it prints where, which files it leaves, and its exit codes."""

import contextlib
import json
import os
import pty
import subprocess
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from glaswerk import load
from glaswerk.cli import COMMANDS, main
from glaswerk.cli.showing import MOST_POINTS, thinned
from glaswerk.facts import Curve, Line

HOUSES = """size;garden;town;price
50,5;yes;Aachen;100
60;no;Bonn;110,5
70;yes;Aachen;?
80;no;Bonn;150
90;yes;Chemnitz;181
100;no;Aachen;190
110;yes;Bonn;222
120;no;Chemnitz;230
130;yes;Aachen;262
140;no;Bonn;270
150;yes;Chemnitz;302
160;no;Aachen;310
"""


@pytest.fixture
def houses(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "houses.csv").write_text(HOUSES, encoding="utf-8")
    return tmp_path


def glaswerk(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_help_lists_every_command_and_the_exit_codes():
    found = glaswerk("--help")
    assert found.exit_code == 0
    assert all(name in found.stdout for name in COMMANDS)
    assert "3 a problem with" in " ".join(found.stdout.split())


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_its_help(name):
    found = glaswerk(name, "--help")
    assert found.exit_code == 0, found.output
    assert "Usage:" in found.stdout


def test_help_loads_none_of_the_mathematics():
    heavy = ("numpy", "scipy", "sklearn", "polars", "pyarrow", "numba", "rich", "jinja2", "vl_convert")
    code = (
        "import sys, contextlib, io\nfrom glaswerk.__main__ import main\nsys.argv = ['glaswerk', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()\n"
        f"print(*(name for name in {heavy!r} if name in sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""


def test_without_the_extra_the_command_says_what_to_install(monkeypatch):
    code = "import sys; sys.modules['click'] = None\nfrom glaswerk.__main__ import main\nmain()"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "pip install 'glaswerk[report]'" in found.stderr
    assert "Traceback" not in found.stderr


# describe


def test_describe_shows_kinds_missing_cells_and_how_the_file_was_read(houses):
    found = glaswerk("describe", "houses.csv", "--target", "price")
    assert found.exit_code == 0, found.output
    assert "12 rows, 4 columns" in found.stdout
    assert "'?'" in found.stdout


def test_describe_as_json_is_one_object(houses):
    card = json.loads(glaswerk("describe", "houses.csv", "--json").stdout)
    kinds = {column["name"]: column["kind"] for column in card["columns"]}
    assert kinds == {"size": "number", "garden": "flag", "town": "category", "price": "number"}
    assert card["rows"] == 12


def test_reading_options_reach_the_reader(houses):
    card = json.loads(glaswerk("describe", "houses.csv", "--kind", "town=text", "--json").stdout)
    assert [column["kind"] for column in card["columns"] if column["name"] == "town"] == ["text"]
    ordered = json.loads(glaswerk("describe", "houses.csv", "--levels", "town=Bonn,Aachen,Chemnitz", "--json").stdout)
    assert [column["kind"] for column in ordered["columns"] if column["name"] == "town"] == ["ordered"]


# fit and predict


def test_fit_then_predict_gives_what_python_gives(houses):
    fitted = glaswerk("fit", "houses.csv", "--target", "price")
    assert fitted.exit_code == 0, fitted.output
    assert "houses.glaswerk" in fitted.stdout
    predicted = glaswerk(
        "predict", "houses.glaswerk", "houses.csv", "--interval", "0.9", "--keep", "town", "--output", "out.csv"
    )
    assert predicted.exit_code == 0, predicted.output
    frame = pl.read_csv("out.csv")
    assert frame.columns == ["town", "prediction", "lower", "upper"]
    expected = load("houses.glaswerk").predict("houses.csv")
    np.testing.assert_allclose(frame["prediction"].to_numpy(), expected, rtol=1e-12)
    assert (frame["lower"] < frame["prediction"]).all()


def test_predictions_go_to_standard_output_as_csv(houses):
    glaswerk("fit", "houses.csv", "--target", "price", "--output", "m.glaswerk")
    found = glaswerk("predict", "m.glaswerk", "houses.csv")
    assert found.exit_code == 0, found.output
    assert found.stdout.splitlines()[0] == "prediction"
    assert len(found.stdout.splitlines()) == 13


@pytest.mark.parametrize("way", ["cv+", "normalised", "jackknife+"])
def test_limits_that_need_no_theory(houses, way):
    assert glaswerk("fit", "houses.csv", "--target", "price", "--model", "nearest", "--intervals", way).exit_code == 0
    found = glaswerk("predict", "houses.glaswerk", "houses.csv", "--interval", "0.7", "--output", "out.csv")
    assert found.exit_code == 0, found.output
    limits = load("houses.glaswerk").predict_interval("houses.csv", 0.7)
    frame = pl.read_csv("out.csv")
    np.testing.assert_allclose(frame.select("lower", "upper").to_numpy(), limits, rtol=1e-12)
    assert np.isfinite(limits).all() and (limits[:, 0] < limits[:, 1]).all()


def test_without_a_way_a_family_without_theory_says_which_there_are(houses):
    assert glaswerk("fit", "houses.csv", "--target", "price", "--model", "nearest").exit_code == 0
    found = glaswerk("predict", "houses.glaswerk", "houses.csv", "--interval", "0.7")
    assert found.exit_code == 4 and "glaswerk fit --intervals cv+" in found.stderr


def test_sets_of_classes_hold_the_true_one_as_often_as_asked(houses):
    words = ("--target", "species", "--model", "naive", "--intervals", "cv+", "--output", "i.glaswerk")
    assert glaswerk("fit", "iris", *words).exit_code == 0
    found = glaswerk("predict", "i.glaswerk", "iris", "--set", "0.9", "--keep", "species", "--output", "sets.csv")
    assert found.exit_code == 0, found.output
    frame = pl.read_csv("sets.csv", null_values=[])
    held = [true in (told or "").split(" | ") for true, told in zip(frame["species"], frame["set"], strict=True)]
    assert 0.85 <= np.mean(held) <= 1.0
    assert glaswerk("fit", "iris", *words[:4], "--output", "j.glaswerk").exit_code == 0
    refused = glaswerk("predict", "j.glaswerk", "iris", "--set", "0.9")
    assert refused.exit_code == 4 and "--intervals cv+" in refused.stderr


def test_a_named_model_and_json(houses):
    found = glaswerk("fit", "houses.csv", "--target", "price", "--model", "linear", "--json")
    content = json.loads(found.stdout)
    assert content["family"] == "linear regression"
    assert {fact["fact"] for fact in content["facts"]} >= {"Coefficients", "MethodCard"}


@pytest.mark.parametrize(
    ("target", "model", "name"),
    [("price", "gradient-descent", "gradient descent"), ("garden", "gradient", "gradient descent for classes"),
     ("garden", "adaline", "ADALINE"), ("garden", "perceptron", "perceptron")],
)  # fmt: skip
def test_the_laboratory_is_reached_by_name_and_its_long_traces_are_thinned(houses, target, model, name):
    found = glaswerk("fit", "houses.csv", "--target", target, "--model", model)
    assert found.exit_code == 0, found.output
    assert f"The model ({name})" in found.stdout
    assert len(found.stdout.splitlines()) < 150
    again = glaswerk("predict", "houses.glaswerk", "houses.csv")
    assert again.exit_code == 0 and len(again.stdout.splitlines()) == 13


def test_a_long_curve_keeps_its_ends_on_a_terminal():
    x = tuple(map(float, range(500)))
    curve = Curve("t", "epoch", "loss", (Line("a", x, x), Line("b", x[:3], x[:3])))
    table = thinned(curve)
    kept = [row[1] for row in table.rows if row[0] == "a"]
    assert kept[:11] == list(x[:10]) + [10.0] and kept[-2:] == [498.0, 499.0]
    assert len(table.rows) <= MOST_POINTS and [row[1] for row in table.rows if row[0] == "b"] == [0.0, 1.0, 2.0]
    assert table.notes == (f"{503 - len(table.rows)} points between are left out; --json has all",)
    assert thinned(replace(curve, lines=curve.lines[1:])) == replace(curve, lines=curve.lines[1:]).table()


# report, validate


def test_report_writes_the_page_and_says_where(houses):
    found = glaswerk(
        "report", "houses.csv", "--target", "price", "--folds", 3, "--repeats", 1, "--json-output", "r.json"
    )
    assert found.exit_code == 0, found.output
    assert "houses-report.html" in found.stdout
    assert (houses / "houses-report.html").read_text().startswith("<!DOCTYPE html>")
    data = json.loads((houses / "r.json").read_text())
    assert "glaswerk report houses.csv --target price" in data["reproduction"]["command"]


def test_validate_prints_the_comparison_and_its_json_twin(houses):
    words = ("validate", "houses.csv", "--target", "price", "--folds", 3, "--repeats", 1)
    found = glaswerk(*words)
    assert found.exit_code == 0, found.output
    assert "Comparison by" in found.stdout
    assert "Comparison" in {fact["fact"] for fact in json.loads(glaswerk(*words, "--json").stdout)}


def test_validate_fails_where_no_model_is_better_than_the_baseline(houses):
    rng = np.random.default_rng(4)
    pl.DataFrame({"a": rng.normal(size=60), "noise": rng.normal(size=60)}).write_csv("noise.csv")
    found = glaswerk("validate", "noise.csv", "--target", "noise", "--folds", 3, "--repeats", 1)
    assert found.exit_code == 1, found.output
    assert "baseline" in found.stderr


# datasets, labs, warm, completion


def test_datasets_are_listed_and_written(houses):
    listed = glaswerk("datasets")
    assert listed.exit_code == 0
    assert "auto_mpg" in listed.stdout
    assert glaswerk("datasets", "iris", "--output", "iris.csv").exit_code == 0
    assert pl.read_csv("iris.csv").shape == (150, 5)


def test_a_data_set_stands_where_a_file_may(houses):
    found = glaswerk("describe", "iris", "--json")
    assert json.loads(found.stdout)["rows"] == 150


def test_completion_prints_what_the_shell_reads():
    found = glaswerk("completion", "bash")
    assert found.exit_code == 0
    assert "_GLASWERK_COMPLETE" in found.stdout


def test_labs_are_listed():
    found = glaswerk("lab", "list")
    assert found.exit_code == 0, found.output


# exit codes and messages

WRONG = {
    "no such file": (("describe", "nothing.csv"), 3, "nothing.csv"),
    "unknown column": (("fit", "houses.csv", "--target", "prize"), 3, "did you mean 'price'"),
    "no target": (("report", "houses.csv"), 2, "--target"),
    "unknown command": (("forecast", "houses.csv"), 2, "forecast"),
    "unknown model": (("fit", "houses.csv", "--target", "price", "--model", "magic"), 2, "linear-regression"),
    "kind without a column": (("describe", "houses.csv", "--kind", "number"), 2, "COLUMN=KIND"),
    "unknown kind": (("describe", "houses.csv", "--kind", "size=colour"), 3, "colour"),
    "a budget without a unit": (("report", "houses.csv", "--target", "price", "--budget", "soon"), 2, "60s, 2min"),
    "unknown column to drop": (("report", "houses.csv", "--cluster", "--drop", "prize"), 3, "'prize' to drop"),
    "not a model file": (("predict", "houses.csv", "houses.csv"), 4, "not a Glaswerk file"),
    "no such model": (("predict", "nothing.glaswerk", "houses.csv"), 3, "nothing.glaswerk"),
    "unknown data set": (("datasets", "titanic"), 2, "iris"),
    "unknown lab": (("lab", "run", "alchemy"), 2, "alchemy"),
    "unwritable output": (
        ("fit", "houses.csv", "--target", "price", "--output", "no/such/folder/m.glaswerk"),
        3,
        "no/such",
    ),
    "predictions of an unknown form": (("predict", "m", "houses.csv", "--output", "p.xlsx"), 2, ".parquet"),
}


@pytest.mark.parametrize("case", list(WRONG))
def test_a_problem_has_one_message_and_its_exit_code_and_leaves_nothing(houses, case):
    words, code, told = WRONG[case]
    before = {path.name for path in houses.iterdir()}
    found = glaswerk(*words)
    assert found.exit_code == code, (found.output, found.exception)
    assert told in " ".join(found.stderr.split())
    assert "Traceback" not in found.output
    assert {path.name for path in houses.iterdir()} == before


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("inf,1", "target 'y' must hold finite numbers: row 13 (counted from 1) holds inf"),
        ("1,-1", "weight 'w' must be finite and >= 0: row 13 (counted from 1) holds -1.0"),
    ],
)
def test_infinite_targets_and_negative_weights_are_problems_of_the_data(houses, lines, told):
    (houses / "wrong.csv").write_text("y,w\n" + "1,1\n2,1\n5,1\n" * 4 + lines + "\n", encoding="utf-8")
    found = glaswerk("fit", "wrong.csv", "--target", "y", "--weight", "w")
    assert found.exit_code == 3 and told in " ".join(found.stderr.split())


def test_a_report_of_columns_that_are_all_missing_says_so_and_breaks_nothing(houses):
    (houses / "bare.csv").write_text("a,b,y\n" + "".join(f",,{k % 7}.5\n" for k in range(40)), encoding="utf-8")
    found = glaswerk("report", "bare.csv", "--target", "y", "--budget", "20s", "--model", "linear-regression")
    assert found.exit_code == 0, (found.output, found.exception)


def test_asking_a_number_for_probabilities_is_a_problem_of_the_model(houses):
    assert glaswerk("fit", "houses.csv", "--target", "price", "--output", "m.glaswerk").exit_code == 0
    found = glaswerk("predict", "m.glaswerk", "houses.csv", "--probabilities")
    assert found.exit_code == 4 and "gives no probabilities" in found.stderr


def test_a_stop_before_anything_is_finished_has_a_code_of_its_own_and_leaves_nothing(houses, monkeypatch):
    def stopped(*_arguments, **_options):
        raise KeyboardInterrupt

    for name in ("report", "validate"):
        monkeypatch.setattr(f"glaswerk.cli.{name}.analyse", stopped)
        found = glaswerk(name, "houses.csv", "--target", "price")
        assert found.exit_code == 130 and "stopped by hand" in found.stderr
    assert {path.name for path in houses.iterdir()} == {"houses.csv"}


def test_describe_shows_dates_as_dates(houses):
    (houses / "days.csv").write_text("day,y\n2024-01-01,1\n2024-01-03,2\n2024-02-29,3\n", encoding="utf-8")
    found = glaswerk("describe", "days.csv")
    assert "2024-01-01" in found.stdout and "2024-02-29" in found.stdout and "19723" not in found.stdout


def test_hostile_names_and_cells_cannot_steer_the_terminal(houses):
    pl.DataFrame({"\x1b[31mred\u202e": ["\x1b]0;title\x07", "=1+1", "<b>"] * 5, "y": list(range(15))}).write_csv(
        "evil.csv"
    )
    for words in (("describe", "evil.csv"), ("describe", "evil.csv", "--json"), ("fit", "evil.csv", "--target", "z")):
        found = glaswerk(*words)
        assert not {"\x1b", "\x07", "\u202e"} & set(found.output)


def test_progress_is_silent_when_piped(houses):
    words = [
        sys.executable,
        "-m",
        "glaswerk",
        "validate",
        "houses.csv",
        "--target",
        "price",
        "--folds",
        "3",
        "--repeats",
        "1",
    ]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert "\r" not in found.stderr
    assert "%" not in found.stderr


# Cells that would steer a terminal, cells that are no numbers

STEERING, TURNING = "\x1b[31myes\x07", "a\u202eb"


def at_a_terminal(words, cwd):
    """What a terminal would be sent: the command run behind a pseudo-terminal."""
    theirs, ours = pty.openpty()
    code = f"import sys; sys.argv = {['glaswerk', *words]!r}; from glaswerk.__main__ import main; main()"
    with subprocess.Popen([sys.executable, "-c", code], stdout=ours, stderr=ours, cwd=cwd) as started:
        os.close(ours)
        pieces = []
        with contextlib.suppress(OSError):  # the other end is closed
            while piece := os.read(theirs, 65536):
                pieces.append(piece)
        os.close(theirs)
    return started.returncode, b"".join(pieces).decode()


def test_a_class_that_would_steer_a_terminal_only_shows_itself_there(houses):
    rows = "".join(f"{k},{STEERING if k % 3 else TURNING}\n" for k in range(40))
    (houses / "evil.csv").write_text(f"x,{STEERING}\n{rows}", encoding="utf-8")
    assert glaswerk("fit", "evil.csv", "--target", STEERING, "--output", "evil.glaswerk").exit_code == 0
    code, seen = at_a_terminal(["predict", "evil.glaswerk", "evil.csv", "--probabilities"], houses)
    assert code == 0, seen
    assert "probability of ⟨ESC⟩[31myes⟨BEL⟩" in seen
    assert not any(c in seen for c in "\x1b\x07\u202e")
    assert STEERING in glaswerk("predict", "evil.glaswerk", "evil.csv").stdout  # a program gets every byte


@pytest.mark.parametrize("model", ["linear regression", "regression tree"])
def test_infinity_in_an_input_is_a_problem_of_the_data_in_a_row_counted_from_1(houses, model):
    rows = "".join(f"{'inf' if k == 3 else k},{k % 7}\n" for k in range(40))
    (houses / "inf.csv").write_text(f"x,y\n{rows}", encoding="utf-8")
    for words in (["fit", "--model", model], ["validate", "--model", model], ["report"]):
        found = glaswerk(words[0], "inf.csv", "--target", "y", *words[1:])
        assert found.exit_code == 3, found.output
        assert "column 'x' must hold finite numbers: row 4 (counted from 1) holds inf" in found.stderr
    assert sorted(p.name for p in houses.iterdir()) == ["houses.csv", "inf.csv"]
