"""`read_table`: what a user can ask for, what is refused, and known tables."""

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from glaswerk.table import TableError, TypedTable, read_table

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "shirts.csv"
    file.write_text("id,size,price,sex,zip,sold\n" + "".join(
        f"{row},{'SML'[row % 3]},{row / 4},{'fm'[row % 2]},{10 + row % 5},2024-01-{row + 1:02}\n" for row in range(30)
    ))  # fmt: skip
    return file


def test_every_kind_is_found(path):
    table = read_table(path)
    found = {column.name: str(column.kind) for column in table}
    assert found == {
        "id": "identifier", "size": "category", "price": "number", "sex": "category", "zip": "number", "sold": "date"
    }  # fmt: skip
    assert table.name == "shirts.csv" and read_table(path, name="Shirts").name == "Shirts"
    assert read_table(str(path)).fingerprint == table.fingerprint


def test_every_kind_can_be_asked_for(path):
    wanted = {"id": "number", "size": "text", "price": "category", "sex": "flag", "zip": "category", "sold": "text"}
    table = read_table(path, kinds=wanted)
    assert {column.name: str(column.kind) for column in table} == wanted
    assert table["sex"].levels == ("f", "m") and table["sex"].numbers()[:2].tolist() == [0, 1]
    assert table["zip"].levels == ("10", "11", "12", "13", "14")
    assert table["id"].numbers()[2] == 2.0 and table["sold"].series[0] == "2024-01-01"
    assert read_table(path, kinds={"zip": "ordered"})["zip"].codes()[:3].tolist() == [0, 1, 2]


def test_declared_levels_make_an_ordered_column(path):
    size = read_table(path, levels={"size": ["S", "M", "L", "XL"]})["size"]
    assert size.kind == "ordered" and size.levels == ("S", "M", "L", "XL")
    assert size.numbers()[:3].tolist() == [0.0, 1.0, 2.0]
    category = read_table(path, levels={"size": ["L", "M", "S"]}, kinds={"size": "category"})["size"]
    assert category.kind == "category" and category.codes()[:3].tolist() == [2, 1, 0]


def test_a_declared_level_is_no_word_for_missing(tmp_path):
    (tmp_path / "a.csv").write_text("grade\nNA\ngood\n?\n")
    grade = read_table(tmp_path / "a.csv", levels={"grade": ["NA", "good"]})["grade"]
    assert grade.codes().tolist() == [0, 1, -1] and grade.missing_tokens == (("?", 1),)


def test_what_the_user_chose_needs_no_explanation(tmp_path):
    (tmp_path / "a.csv").write_text("code,mixed\n01,1\n02,x\n")
    for kinds in ({"code": "category", "mixed": "text"}, {"code": "number", "mixed": "number"}):
        table = read_table(tmp_path / "a.csv", kinds=kinds)
        assert table["code"].notes == table["mixed"].notes == ()


def test_a_cell_that_is_no_declared_level_is_counted(path):
    size = read_table(path, levels={"size": ["S", "M"]})["size"]
    assert size.failed == 10 and size.failed_examples[0] == (3, "L")
    with pytest.raises(TableError, match="column 'size', row 3: 'L' does not read as ordered"):
        read_table(path, levels={"size": ["S", "M"]}, strict=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": {"sice": "text"}}, "no column 'sice': did you mean 'size'"),
        ({"kinds": {"size": "factor"}}, "kinds: column 'size' can be number, category, .* got 'factor'"),
        ({"kinds": {"size": "number d/m/y"}}, "got 'number d/m/y'"),
        ({"kinds": {"size": "date y/d/m"}}, "date d/m/y, date m/d/y, got"),
        ({"kinds": {"zip": "flag"}}, "cannot be a flag: it has 5 different words"),
        ({"kinds": {"size": "ordered"}}, r"column 'size' is to be ordered: say how with levels=\{'size'"),
        ({"levels": {"size": ["S", "S"]}}, "must be a list of different words"),
        ({"levels": {"size": "SML"}}, "must be a list of different words"),
        ({"levels": {"size": ["S"]}, "kinds": {"size": "number"}}, "cannot have levels and be read as number"),
        ({"missing": "NA"}, r"missing must be a list of words, such as \['NA'\]"),
        ({"missing": {"size": "L"}}, "missing of 'size' must be a list of words"),
        ({"missing": {"nope": ["L"]}}, "no column 'nope'"),
        ({"decimal": "·"}, "decimal must be '.' or ','"),
        ({"separator": "::"}, "separator must be one character"),
    ],
)
def test_wishes_that_cannot_be_met_are_refused_by_name(path, options, message):
    with pytest.raises(TableError, match=message):
        read_table(path, **options)


def test_a_typed_table_is_given_back(path):
    table = read_table(path)
    assert read_table(table) is table


def test_places_without_a_table(tmp_path, monkeypatch):
    with pytest.raises(TableError, match="there is no such file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(TableError, match="is a folder: give the path of one file in it"):
        read_table(tmp_path)
    with pytest.raises(TableError, match="cannot be opened"):
        read_table("bad\x00name.csv")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TableError, match="is a pipe or a device"):
        read_table(tmp_path / "pipe")
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("glaswerk.table.recognising.io.FileIO", refuse)
    with pytest.raises(TableError, match="you have no permission"):
        read_table(secret)


@pytest.mark.parametrize("source", [3, None, [1, 2], {1, 2}, object()])
def test_what_is_no_source_is_refused(source):
    with pytest.raises(TableError, match="a table must be a path, a dataframe or a dictionary of lists, got"):
        read_table(source)


def test_parquet_keeps_its_types_under_any_name(tmp_path):
    frame = pl.DataFrame({"n": [1, 2, None], "word": ["007", "1", None], "yes": [True, None, False]})
    frame.write_parquet(tmp_path / "a.csv")
    table = read_table(tmp_path / "a.csv")
    assert [str(column.kind) for column in table] == ["number", "category", "flag"]
    assert table.fingerprint == read_table(frame).fingerprint and dict(table.reading)["format"] == "Parquet"
    whole = (tmp_path / "a.csv").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TableError, match="is not a whole Parquet file"):
        read_table(tmp_path / "b.parquet")


def test_five_thousand_columns(tmp_path):
    rows = np.arange(15_000).reshape(3, 5_000)
    text = "\n".join(",".join(map(str, row)) for row in [[f"v{j}" for j in range(5_000)], *rows.tolist()])
    (tmp_path / "wide.csv").write_text(text)
    table = read_table(tmp_path / "wide.csv")
    assert len(table.columns) == 5_000 and table["v4999"].numbers().tolist() == [4999, 9999, 14999]


def test_the_sources_of_polars_agree_on_a_clean_file(tmp_path):
    """Oracle: Polars with the types written out."""
    generator = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "whole": generator.integers(-(10**12), 10**12, 500),
            "real": generator.normal(size=500) * 10.0 ** generator.integers(-200, 200, 500),
            "word": [f"w{k}" for k in generator.integers(0, 9, 500)],
        }
    )
    frame.write_csv(tmp_path / "clean.csv")
    expected = pl.read_csv(tmp_path / "clean.csv", schema=frame.schema)
    assert read_table(tmp_path / "clean.csv").to_polars().equals(expected)


@pytest.mark.proof
def test_known_tables(shared_data):
    iris = read_table(shared_data / "iris.csv")
    assert len(iris) == 150 and [str(column.kind) for column in iris] == ["number"] * 4 + ["category"]
    mpg = read_table(shared_data / "auto_mpg.csv")
    assert len(mpg) == 398
    assert all(column.failed == 0 for table in (iris, mpg) for column in table)


def test_reading_changes_nothing_of_what_it_reads(path):
    before = path.read_bytes(), os.stat(path).st_mtime_ns
    assert isinstance(read_table(path), TypedTable)
    assert (path.read_bytes(), os.stat(path).st_mtime_ns) == before
