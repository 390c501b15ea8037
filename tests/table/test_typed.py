"""Columns and tables: plain arrays at the edge, rows and columns to take, messages that help."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

from glaswerk.table import Column, Kind, TableError, TypedTable, read_table


@pytest.fixture
def table():
    return read_table(
        {
            "size": [1.5, None, 3.0],
            "colour": ["red", None, "blue"],
            "new": [True, None, False],
            "grade": ["low", "high", None],
            "day": [dt.date(1970, 1, 2), None, dt.datetime(1969, 12, 31, 12)],
            "note": ["a", "b", None],
        },
        levels={"grade": ["low", "middle", "high"]},
        kinds={"note": "text"},
    )


def test_numbers_of_every_kind(table):
    nan = np.nan
    np.testing.assert_array_equal(table["size"].numbers(), [1.5, nan, 3.0])
    np.testing.assert_array_equal(table["new"].numbers(), [1, nan, 0])
    np.testing.assert_array_equal(table["grade"].numbers(), [0, 2, nan])
    np.testing.assert_array_equal(table["day"].numbers(), [1.0, nan, -0.5])
    assert table["size"].numbers().dtype == np.float64


def test_codes_of_every_kind(table):
    assert table["colour"].codes().tolist() == [1, -1, 0] and table["colour"].levels == ("blue", "red")
    assert table["new"].codes().tolist() == [1, -1, 0] and table["new"].levels == ("false", "true")
    assert table["grade"].codes().tolist() == [0, 2, -1]
    assert table["note"].codes().tolist() == [0, 1, -1] and table["note"].distinct_levels() == ("a", "b")
    assert table["colour"].codes().dtype == np.int64


@pytest.mark.parametrize("name", ["colour", "note"])
def test_words_have_no_numbers(table, name):
    with pytest.raises(TableError, match=f"column '{name}' is read as .*kinds=.*'number'"):
        table[name].numbers()


@pytest.mark.parametrize("name", ["size", "day"])
def test_numbers_and_dates_have_no_levels(table, name):
    with pytest.raises(TableError, match=f"column '{name}' is read as .*no levels"):
        table[name].codes()


def test_missing(table):
    assert table["size"].missing().tolist() == [False, True, False]
    assert table["grade"].missing().tolist() == [False, False, True]


def test_arrays_are_the_callers_own(table):
    numbers = table["size"].numbers()
    numbers[0] = 99
    assert table["size"].numbers()[0] == 1.5


def test_rows_are_taken_in_order_and_levels_stay(table):
    taken = table.take(np.array([2, 0, 2]))
    assert len(taken) == 3 and taken["size"].numbers().tolist() == [3.0, 1.5, 3.0]
    assert taken["colour"].codes().tolist() == [0, 1, 0]
    assert table.take([0])["colour"].levels == ("blue", "red")
    assert len(table.take([])) == 0 and table.take([]).names == table.names


@pytest.mark.parametrize("rows", [[3], [-1], [0, 7]])
def test_rows_that_are_not_there(table, rows):
    with pytest.raises(TableError, match=r"row -?\d is asked for, and the table has rows 0 … 2"):
        table.take(rows)


def test_what_reading_lost_stays_with_the_whole_table(tmp_path):
    (tmp_path / "a.csv").write_text("x\n" + "1\n" * 20 + "a\nNA\n")
    column = read_table(tmp_path / "a.csv").take([20, 21])["x"]
    assert (column.failed, column.failed_examples, column.missing_tokens) == (0, (), ())


def test_columns_are_selected_and_dropped(table):
    assert table.select(["day", "size"]).names == ("day", "size")
    assert table.drop(["day", "size"]).names == ("colour", "new", "grade", "note")
    for action in (table.select, table.drop):
        with pytest.raises(TableError, match="no column 'Day': did you mean 'day'"):
            action(["Day"])


def test_a_table_is_a_container_of_columns(table):
    assert "day" in table and "Day" not in table
    assert [column.name for column in table] == list(table.names)
    assert len(TypedTable("empty", ())) == 0
    assert isinstance(table["day"], Column) and table["day"].kind is Kind.DATE and Kind.DATE == "date"


def test_to_polars_and_back(table):
    frame = table.to_polars()
    assert isinstance(frame, pl.DataFrame) and frame["grade"].dtype == pl.Enum(["low", "middle", "high"])
    again = read_table(frame, kinds={"note": "text"})
    assert again.fingerprint == table.fingerprint
    assert again["grade"].levels == table["grade"].levels


def test_unknown_names_far_from_any_are_answered_with_what_there_is(table):
    with pytest.raises(TableError, match="no column 'zzz': it has 'size', 'colour'"):
        table["zzz"]
