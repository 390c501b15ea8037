"""Dates: against the standard library, with the day first and the month first."""

import datetime as dt

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.table.dates import read_dates

MOMENTS = st.datetimes(dt.datetime(1000, 1, 1), dt.datetime(2999, 12, 31))


def read(*texts):
    return read_dates(pl.Series(texts))


@settings(deadline=None)
@given(st.lists(MOMENTS, min_size=1, max_size=20))
def test_what_the_standard_library_writes_is_read(moments):
    found = read_dates(pl.Series([moment.isoformat() for moment in moments]))
    assert found["day"].to_list() == found["month"].to_list() == moments
    days = [moment.date() for moment in moments]
    day_first = read_dates(pl.Series([f"{day.day}.{day.month}.{day.year}" for day in days]))
    month_first = read_dates(pl.Series([f"{day:%m/%d/%Y}" for day in days]))
    assert [moment.date() for moment in day_first["day"]] == days
    assert [moment.date() for moment in month_first["month"]] == days


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020-01-02", dt.datetime(2020, 1, 2)),
        ("2020/1/2 13:45", dt.datetime(2020, 1, 2, 13, 45)),
        ("2020.01.02", dt.datetime(2020, 1, 2)),
        ("2020-01-02T10:00:00.123456789", dt.datetime(2020, 1, 2, 10, 0, 0, 123456)),
        ("2020-01-02T10:00:00,5", dt.datetime(2020, 1, 2, 10, 0, 0, 500000)),
        ("2020-01-02T10:00:00Z", dt.datetime(2020, 1, 2, 10)),
        ("2020-01-02 10:00+02:00", dt.datetime(2020, 1, 2, 8)),
        ("2020-01-01T00:30:00-0545", dt.datetime(2020, 1, 1, 6, 15)),
        ("31.12.68", dt.datetime(2068, 12, 31)),
        ("31.12.69", dt.datetime(1969, 12, 31)),
        ("29-2-2020", dt.datetime(2020, 2, 29)),
        ("31/12/2020 12:05 AM", dt.datetime(2020, 12, 31, 0, 5)),
        ("31/12/2020 12:05 pm", dt.datetime(2020, 12, 31, 12, 5)),
        ("31/12/2020, 1:05 PM", dt.datetime(2020, 12, 31, 13, 5)),
    ],
)
def test_forms(text, expected):
    assert read(text)["day"].to_list() == [expected]


@pytest.mark.parametrize(
    "text",
    ["2020-02-30", "29.2.2021", "2020-13-01", "32.1.2020", "1/2-2020", "2020-01-02 24:00", "2020-01-02 10:61", "1.2.3",
     "0.0.2020", "2020-01-02 13:00 PM", "20200102", "1.2.2020x", ""],
)  # fmt: skip
def test_what_is_no_date(text):
    found = read(text)
    assert found["day"].to_list() == [None] and found["month"].to_list() == [None]


def test_how_they_are_written():
    found = read("1.2.20", "1/2/2020", "2020-01-02T10:00Z", "word", None)
    assert found["dotted"].to_list() == [True, False, False, False, False]
    assert found["short"].to_list() == [True, False, False, False, False]
    assert found["zoned"].to_list() == [False, False, True, False, False]
