"""Dataframes of every library give the same table; what a library brings along is kept."""

import datetime as dt
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glaswerk.table import TableError, read_table

CELLS = {
    "id": [11, 12, 13, 14],
    "size": [1.5, None, 3.0, 2.0],
    "colour": ["red", "blue", None, "red"],
    "new": [True, None, False, True],
    "day": [dt.datetime(2020, 1, 2), None, dt.datetime(2021, 1, 2, 3, 4, 5), dt.datetime(1960, 1, 1)],
}


def as_pandas():
    return pd.DataFrame(CELLS)


def as_duckdb():
    frame = as_pandas()  # noqa: F841 (DuckDB finds it by its name)
    return duckdb.sql("select * from frame")


SOURCES = {
    "dictionary": lambda: CELLS,
    "arrays": lambda: {name: np.array(cells) if name in {"id", "size"} else cells for name, cells in CELLS.items()},
    "pandas": as_pandas,
    "pandas with Arrow types": lambda: as_pandas().convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda: pl.DataFrame(CELLS),
    "lazy polars": lambda: pl.LazyFrame(CELLS),
    "pyarrow": lambda: pa.table(CELLS),
    "duckdb": as_duckdb,
}


@pytest.mark.parametrize("library", list(SOURCES))
def test_every_library_gives_the_same_table(library):
    source = SOURCES[library]()
    if library == "arrays":
        source["size"] = np.array([1.5, np.nan, 3.0, 2.0])
    table = read_table(source)
    assert [str(column.kind) for column in table] == ["identifier", "number", "category", "flag", "date"]
    assert table.fingerprint == read_table(CELLS).fingerprint
    assert table["size"].series.null_count() == 1, "NaN is missing"
    assert table["colour"].missing_tokens == ()


def test_words_of_a_dataframe_stay_words():
    table = read_table({"hp": ["130", "?", "165"], "state": ["NA", "BY", None], "code": ["01", "02", ""]})
    assert [str(column.kind) for column in table] == ["category"] * 3
    assert table["state"].series.to_list() == ["NA", "BY", None]
    assert table["code"].missing_tokens == (("", 1),)
    table = read_table({"hp": ["130", "?", "165"]}, kinds={"hp": "number"}, missing=["?"])
    assert table["hp"].numbers()[0] == 130 and table["hp"].missing_tokens == (("?", 1),)


def test_a_dataframe_of_digits_says_how_to_make_them_numbers():
    column = read_table({"hp": ["130", "165"]})["hp"]
    assert column.kind == "category" and "kinds={'hp': 'number'}" in column.notes[0]


def test_words_that_are_flags_or_dates_are_found():
    table = read_table({"yes": ["ja", "nein", "ja"], "day": ["2020-01-02", "2020-01-03", None]})
    assert [str(column.kind) for column in table] == ["flag", "date"]


def test_zero_and_one_stay_numbers_with_a_note():
    card = read_table({"x": [0, 1, 1]}).card().columns[0]
    assert card.kind == "number" and "makes it a flag" in card.notes[0]
    assert read_table({"x": [0, 1, 1]}, kinds={"x": "flag"})["x"].series.to_list() == [False, True, True]
    assert read_table({"x": [True, False, None]}, kinds={"x": "number"})["x"].series.to_list() == [1, 0, None]


def test_ordered_and_unordered_categories_of_the_libraries():
    ordered = pd.Categorical(["low", "high", None], categories=["low", "middle", "high"], ordered=True)
    table = read_table(pd.DataFrame({"o": ordered, "c": pd.Categorical(["b", "a", "b"])}))
    assert table["o"].kind == "ordered" and table["o"].levels == ("low", "middle", "high")
    assert table["c"].kind == "category" and table["c"].levels == ("a", "b")
    many = [f"level {k}" for k in range(100)]
    assert read_table(pl.DataFrame({"c": pl.Series(many, dtype=pl.Categorical)}))["c"].kind == "category"
    assert read_table(pl.DataFrame({"e": pl.Series(["x"], dtype=pl.Enum(["y", "x"]))}))["e"].levels == ("y", "x")


def test_other_types_are_made_plain():
    frame = pl.DataFrame(
        {
            "decimal": [Decimal("1.25"), None],
            "small": pl.Series([1, 2], dtype=pl.UInt8),
            "huge": pl.Series([2**64 - 1, 1], dtype=pl.UInt64),
            "day": [dt.date(2020, 1, 2), None],
            "zoned": pl.Series([dt.datetime(2020, 1, 1, 12)] * 2).dt.replace_time_zone("Europe/Berlin"),
            "span": [dt.timedelta(minutes=1), None],
            "list": [[1, 2], None],
            "nothing": [None, None],
        }
    )
    table = read_table(frame)
    assert table["decimal"].numbers()[0] == 1.25
    cents = read_table(pl.DataFrame({"x": [Decimal(k) / 100 for k in range(10_000)]}))["x"].numbers()
    assert cents.tolist() == [float(f"{k / 100:.2f}") for k in range(10_000)]
    assert table["small"].series.dtype == pl.Int64 and table["huge"].numbers()[0] == 2.0**64
    assert "rounded" in table["huge"].notes[0]
    assert table["day"].kind == "date" and table["zoned"].series[0] == dt.datetime(2020, 1, 1, 11)
    assert table["span"].numbers()[0] == 60 and "seconds" in table["span"].notes[0]
    assert table["list"].series[0] == "[1, 2]" and "kept as their text" in table["list"].notes[0]
    assert table["nothing"].kind == "number" and table["nothing"].missing().all()


def test_numbers_and_dates_as_words():
    frame = {"k": [1.0, 2.5, None], "n": [3, 4, 3], "d": [dt.date(2020, 1, 2)] * 3}
    table = read_table(frame, kinds={"k": "category", "n": "category", "d": "text"})
    assert table["k"].levels == ("1", "2.5") and table["n"].levels == ("3", "4")
    assert table["d"].series[0] == "2020-01-02"


def test_a_kind_of_training_fits_a_dataframe_and_a_file(tmp_path):
    """Digits that were a category stay one, however they come."""
    (tmp_path / "a.csv").write_text("origin\n1\n2\n3\n")
    for source in ({"origin": [1, 2, 3]}, {"origin": [1.0, 2.0, 3.0]}, {"origin": ["1", "2", "3"]}, tmp_path / "a.csv"):
        table = read_table(source, kinds={"origin": "category"}, levels={"origin": ["1", "2", "3"]})
        assert table["origin"].codes().tolist() == [0, 1, 2]


def test_a_number_that_means_missing():
    table = read_table({"x": [1.0, -999.0, 2.5], "n": [1, -999, 3]}, missing=["-999", "?"])
    assert table["x"].missing().tolist() == [False, True, False] and table["n"].missing_tokens == (("-999", 1),)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"a": [1, 2], "b": [1]}, "same number of rows, got 'a': 2, 'b': 1"),
        ({"a": 3}, "column 'a' must be a list of cells, got int"),
        ({"a": "word"}, "column 'a' must be a list of cells, got str"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than once|unique"),
    ],
)
def test_what_is_no_table_is_refused(source, message):
    with pytest.raises(TableError, match=message):
        read_table(source)


def test_mixed_cells_become_words():
    table = read_table({"m": [1, "x", None], "f": [1, 2.5, None]})
    assert table["m"].series.to_list() == ["1", "x", None] and table["f"].numbers()[1] == 2.5
    assert read_table(pd.DataFrame({"m": [1, "x", None]}))["m"].series.to_list() == ["1", "x", None]


def test_names_that_are_no_words_become_words():
    assert read_table(pd.DataFrame({0: [1], 1: [2]})).names == ("0", "1")
