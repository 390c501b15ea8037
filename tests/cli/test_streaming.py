"""Files that are walked and never held, from the command line: fit and predict."""

import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from glaswerk import RidgeCV, load
from glaswerk.cli import main


def glaswerk(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def sales(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    X = rng.normal(size=(900, 2))
    frame = pl.DataFrame({"day": X[:, 0], "price": X[:, 1], "y": X @ [1.0, 2.0] + rng.normal(size=900) / 9})
    frame = frame.with_columns(shop=pl.lit("a"), bought=(pl.col("y") > 0).cast(pl.Int8))
    (tmp_path / "sales").mkdir()
    frame[:500].write_parquet(tmp_path / "sales" / "1.parquet")
    frame[500:].write_parquet(tmp_path / "sales" / "2.parquet")
    return frame


ASKED = ("--target", "y", "--input", "day", "--input", "price")


@pytest.mark.parametrize("engine", [(), ("--engine", "serial"), ("--engine", "threads", "--memory", "500MB")])
def test_a_pattern_of_files_is_fitted_and_predicted_without_holding_them(sales, engine, tmp_path):
    found = glaswerk("fit", "sales/*.parquet", *ASKED, "--model", "ridge", *engine, "--checkpoint", "run.ckpt",
                     "--output", "m.glaswerk")  # fmt: skip
    assert found.exit_code == 0, found.output
    assert "The model (ridge regression): m.glaswerk" in found.stdout
    assert not (tmp_path / "run.ckpt").exists()
    wanted = RidgeCV(**load("m.glaswerk").get_params()).fit(sales.select("day", "price"), sales["y"])
    assert load("m.glaswerk").coef_.tobytes() == wanted.coef_.tobytes()
    said = glaswerk("predict", "m.glaswerk", "sales/*.parquet", "--output", "out.parquet", "--keep", "day")
    assert (said.exit_code, said.stderr) == (0, "900 predictions: out.parquet\n")
    out = pl.read_parquet("out.parquet")
    assert out["day"].equals(sales["day"])
    np.testing.assert_allclose(out["prediction"], wanted.predict(sales.select("day", "price")), atol=1e-12)


def test_facts_as_json_and_a_classifier(sales):
    words = ("--target", "bought", "--input", "day", "--model", "logistic regression", "--engine", "threads", "--json")
    found = glaswerk("fit", "sales/*.parquet", *words)
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["family"] == "logistic regression"


REFUSED = {
    "words": (("sales/*.parquet", "--target", "y"), 3, "column 'shop' holds large_string"),
    "no such pattern": (("none/*.parquet", "--target", "y"), 3, "no file has a name like this"),
    "no such engine": (
        ("sales/*.parquet", *ASKED, "--engine", "spark"),
        4,
        "engine must be 'serial', 'threads'",
    ),
    "no sums": (("sales/*.parquet", *ASKED, "--model", "kernel"), 4, "its statistic does not add over rows"),
    "reading": (("sales/1.parquet", *ASKED, "--decimal", ","), 2, "takes no options on reading"),
    "memory": (("sales/1.parquet", *ASKED, "--memory", "much"), 4, "memory must be a number of bytes"),
}


@pytest.mark.parametrize(("words", "code", "told"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_walked_is_told_in_one_message(sales, words, code, told):
    found = glaswerk("fit", *words)
    assert found.exit_code == code, found.output
    assert told in " ".join(found.stderr.split())


def test_predictions_of_a_file_that_is_not_held_go_to_parquet(sales):
    assert glaswerk("fit", "sales/*.parquet", *ASKED, "--output", "m.glaswerk").exit_code == 0
    found = glaswerk("predict", "m.glaswerk", "sales/1.parquet")
    assert found.exit_code == 2
    assert "must be a .parquet file" in found.stderr


def test_a_report_on_a_sample_says_so_on_the_page_and_beside_it(sales):
    sales.select("day", "price", "y").write_csv("all.csv")
    words = ("--target", "y", "--model", "linear-regression", "--sample", 120, "--json-output", "r.json")
    found = glaswerk("report", "all.csv", *words)
    assert found.exit_code == 0, found.output
    said = "120 of 900, those of smallest hash (seed 0); kinds are those of all rows"
    assert f"Note: everything is from a sample of rows: {said}" in found.stderr
    with open("all-report.html", encoding="utf-8") as page, open("r.json", encoding="utf-8") as numbers:
        assert said in page.read()
        assert said in numbers.read()


def test_a_sample_reads_the_file_by_itself(sales):
    found = glaswerk("report", "sales/1.parquet", "--target", "y", "--sample", 9, "--decimal", ",")
    assert found.exit_code == 2
    assert "leave out decimal" in found.stderr
