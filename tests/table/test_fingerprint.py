"""One fingerprint for one content, whatever it came in; another for any other content."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

from glaswerk.table import read_table
from glaswerk.table.fingerprint import CellsPrint

BASE = {"n": [1, 2, 3], "x": [1.5, None, -0.0], "w": ["a", "b", None], "d": [dt.datetime(2020, 1, 1), None, None]}


def changed(**columns):
    return read_table(BASE | columns).fingerprint


def test_the_number_is_stable():
    """Stored with data sets: a change of format is a change of every one of them."""
    assert read_table(BASE).fingerprint == "88da203612a3fe34bc1d6058bcbc5de055e2d7f2f07d34f7ad2bb0bcf46ed115"


def test_library_dialect_and_number_type_do_not_matter(tmp_path):
    table = read_table(BASE)
    (tmp_path / "a.csv").write_text("n;x;w;d\n1;1,5;a;1.1.2020\n2;?;b;\n3;0;NA;\n")
    (tmp_path / "b.csv").write_bytes("n\tx\tw\td\n1.0\t1.50\ta\t2020-01-01\n2\t\tb\t\n3\t0\t\t\n".encode("utf-16"))
    assert read_table(tmp_path / "a.csv").fingerprint == table.fingerprint
    assert read_table(tmp_path / "b.csv").fingerprint == table.fingerprint
    assert changed(n=[1.0, 2.0, 3.0]) == table.fingerprint and changed(x=[1.5, np.nan, 0.0]) == table.fingerprint


@pytest.mark.parametrize(
    "columns",
    [
        {"n": [1, 2, 4]},
        {"n": [1, 2, None]},
        {"n": [True, False, True]},
        {"x": [1.5, 0.0, None]},
        {"x": [1.5, None, 5e-324]},
        {"w": ["a", None, "b"]},
        {"w": ["ab", "", None]},
        {"d": [dt.datetime(2020, 1, 1, 0, 0, 0, 1), None, None]},
        {"more": [1, 2, 3]},
    ],
)
def test_any_other_content_is_another(columns):
    assert changed(**columns) != read_table(BASE).fingerprint


def test_names_order_and_kinds_count():
    table = read_table(BASE)
    assert table.select(["x", "n", "w", "d"]).fingerprint != table.fingerprint
    assert (
        read_table({"N" if name == "n" else name: cells for name, cells in BASE.items()}).fingerprint
        != table.fingerprint
    )
    assert read_table(BASE, kinds={"w": "text"}).fingerprint != table.fingerprint
    up, down = (
        read_table({"s": ["a", "b"]}, levels={"s": levels}).fingerprint
        for levels in ("ab", "ba")
        for levels in [list(levels)]
    )
    assert up != down


def test_integers_beyond_the_doubles_are_told_apart():
    one, other = read_table({"n": [2**53 + 1, 1]}), read_table({"n": [2**53, 1]})
    assert one["n"].numbers()[0] == other["n"].numbers()[0] and one.fingerprint != other.fingerprint


@pytest.mark.parametrize("series", [
    pl.Series([1, None, 2**60, 4]), pl.Series(["a", None, "", "ü"]), pl.Series([True, None, False, True]),
    pl.Series([1.5, None, 2.5, -0.0]), pl.Series([dt.datetime(2020, 1, 1), None, None, dt.datetime(1900, 1, 1)]),
])  # fmt: skip
def test_any_cut_of_the_rows_gives_the_same_print(series):
    whole = CellsPrint()
    whole.add(series)
    for cut in range(len(series) + 1):
        parts = CellsPrint()
        parts.add(series[:cut])
        parts.add(series[cut:])
        assert parts.digest() == whole.digest()
