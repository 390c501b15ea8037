"""The reproduction block: what it prints can be run, whatever the names are."""

import ast
import shlex
from pathlib import Path

import pytest

from glaswerk import __version__
from glaswerk.report.reproduction import Origin, command, snippet, versions


@pytest.mark.parametrize("target", ["mpg", "a b", "it's; rm -rf /", "$(x)", '"', "--target", "a\nb"])
def test_the_command_line_survives_any_name(target):
    parts = shlex.split(command(Origin("my cars.csv"), target, 3, {"folds": 5, "task": "regression"}))
    assert parts[:3] == ["glaswerk", "report", "my cars.csv"]
    assert parts[parts.index("--target") + 1] == target
    assert parts[parts.index("--seed") + 1] == "3"
    assert parts[parts.index("--folds") + 1] == "5"
    assert parts[-1] == "my cars-report.html"


@pytest.mark.parametrize("target", ["mpg", "it's", 'a"b', "a\nb\\"])
def test_the_snippet_is_python_that_asks_the_same(target):
    tree = ast.parse(snippet(Origin.of(Path("cars.csv")), target, 7, {"level": 0.9}))
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.keywords)
    assert {k.arg: ast.literal_eval(k.value) for k in call.keywords} == {"target": target, "level": 0.9, "seed": 7}
    assert ast.literal_eval(call.args[0]) == "cars.csv"


def test_a_table_from_memory_is_called_table():
    assert "gw.report(table, " in snippet(Origin.of({"a": [1]}), "a", 0, {})
    assert command(Origin.of({"a": [1]}), "a", 0, {}).startswith("glaswerk report TABLE.csv ")


@pytest.mark.parametrize(("source", "made"), [("x/cars.csv.gz", "cars-report.html"), (".csv", "table-report.html")])
def test_the_output_is_named_after_the_table(source, made):
    assert Origin(source).output == made


READING = {
    "kinds": {"zip": "category"}, "levels": {"size": ["S", "M"]}, "missing": ["?", ""], "separator": ";",
    "header": False, "strict": True,
}  # fmt: skip


def test_how_the_table_was_read_is_part_of_the_command():
    parts = shlex.split(command(Origin("c.csv", READING), "y", 0, {}, ("linear regression",)))
    for words in (
        ["--kind", "zip=category"], ["--levels", "size=S,M"], ["--missing", "?", "--missing", ""],
        ["--separator", ";"], ["--no-header", "--strict"], ["--model", "linear-regression"],
    ):  # fmt: skip
        assert any(parts[k : k + len(words)] == words for k in range(len(parts))), words


def test_how_the_table_was_read_is_part_of_the_snippet():
    text = snippet(Origin("c.csv", READING), "y", 0, {}, ("mine",))
    assert "# candidates: 'mine'" in text
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    reader = next(call for call in calls if getattr(call.func, "id", "") == "read_table")
    assert {k.arg: ast.literal_eval(k.value) for k in reader.keywords} == READING


def test_a_bundled_data_set_is_loaded_by_its_name():
    assert "gw.report(DATASETS['iris'].load(), target='species'" in snippet(Origin("iris"), "species", 0, {})
    assert command(Origin("iris"), "species", 0, {}).startswith("glaswerk report iris --target species ")


def test_versions_are_those_that_ran():
    found = dict(versions())
    assert found["glaswerk"] == __version__
    assert list(found)[:2] == ["glaswerk", "python"] and {"numpy", "scipy", "polars"} <= set(found)
