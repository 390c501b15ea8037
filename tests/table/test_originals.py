"""One content in many dresses: every mirror is recognised, and what differs is said."""

import polars as pl
import pytest

from glaswerk.table import DataSet, TableError
from tests.table.toy import FRAME, LINES, as_parquet, in_parts, text, toy

NUMBERED = [(str(k), *line) for k, line in enumerate(LINES, 1)]
DRESSES = {
    "commas": text(),
    "semicolons and quotes": text(separator=";", header=('"a b"', '"pH"', '"colour"', '"train"')),
    "tabs and row numbers": text(NUMBERED, "\t", ("", "a b", "pH", "colour", "train")),
    "row numbers without a head": text(NUMBERED, "\t"),
    "row names": text(NUMBERED, ",", ("rownames", "a.b", "ph", "Colour", "Train")),
    "spaces of any width": text(NUMBERED, "    ", ("row_names", "a_b", "pH", "colour", "train")),
    "no header": text(header=None),
    "a space after every comma": text(separator=", ", header=None),
    "BOM and Windows line ends": b"\xef\xbb\xbf" + text(end="\r\n"),
    "blank lines and a comment": b"|1x3 Cross validator\n\n" + text(header=None) + b"\n\n",
    "empty for missing": text([[cell.replace("?", "") for cell in line] for line in LINES]),
    "whole numbers as 6.0": text([(f"{a}.0", *line) for a, *line in LINES]),
    "dots after words": text([(a, b, f"{colour}.", train) for a, b, colour, train in LINES]),
    "columns in another order": text([line[::-1] for line in LINES], header=("train", "colour", "pH", "a b")),
    "a column too many": text([(*line, "9") for line in LINES], header=("a b", "pH", "colour", "train", "extra")),
    "Parquet": as_parquet(FRAME),
    "Parquet with flags": as_parquet(
        FRAME.with_columns(train=pl.col("train") == "T", a_b=pl.col("a_b").cast(pl.Float32))
    ),
}


@pytest.mark.parametrize("data", DRESSES.values(), ids=DRESSES.keys())
def test_every_dress_of_one_content_is_recognised(tmp_path, data):
    path = tmp_path / "mirror"
    path.write_bytes(data)
    table = toy().load(path)
    assert [c.series.to_list() for c in table] == [
        [1, 2, 30], [6.5, None, 0.25], ["red", "blue", "red"], [True, False, False],
    ]  # fmt: skip
    assert [c.series.dtype for c in table] == [pl.Int64, pl.Float64, pl.String, pl.Boolean]


CONTENTS = {
    "other rows": (text(LINES[:2]), "it has 2 rows, expected 3"),
    "other cells": (
        text([("1", "6.5", "red", "T"), *LINES[:2]]),
        "other cells stand in column(s) 'a b', 'pH', 'colour', 't",
    ),
    "one other cell": (text([*LINES[:2], ("30", "0.26", "red", "F")]), "other cells stand in column(s) 'pH'"),
    "no such column": (text(header=("a b", "pH", "colour", "test")), "it has no column 'train'"),
    "too few columns": (text([line[:3] for line in LINES], header=None), "its row 1 has 3 cell(s), expected 4"),
    "a ragged row": (text([*LINES[:2], ("30",)]), "its row 3 has 1 cell(s), expected 4"),
    "spoilt by a spreadsheet": (
        text([("1", "6.May", "red", "T"), *LINES[1:]]),
        "its column 'pH' holds '6.May', expected a n",
    ),
    "another word": (
        text([("1", "6", "red", "yes"), *LINES[1:]]),
        "its column 'train' holds 'yes', expected one of 'F', 'T'",
    ),
    "a page of HTML": (b"<!doctype html>\n<html>\nGone</html>", "its row 1 has "),
    "nothing": (b"", "it is empty"),
    "only blank lines": (b"\n \n", "it is empty"),
    "a header alone": (text([]), "it has 0 rows, expected 3"),
    "bytes": (b"\xff\xfe\x00\x01", "it is no text in UTF-8"),
    "half a Parquet file": (as_parquet(FRAME)[:-20], "it is not a whole Parquet file"),
    "an endless cell": (b'a b,pH,colour,train\n"' + b"x" * 200_000, "it is no table of cells"),
}


@pytest.mark.parametrize(("data", "said"), CONTENTS.values(), ids=CONTENTS.keys())
def test_another_content_is_refused_with_what_differs(tmp_path, data, said):
    path = tmp_path / "mirror.csv"
    path.write_bytes(data)
    with pytest.raises(TableError) as error:
        toy().load(path)
    assert str(error.value).startswith(f"{path} is not the data set 'toy': {said}")


def test_many_other_columns_are_counted():
    names = tuple("abcdefgh")
    entry = DataSet("wide", 1, names, "a", "-", "-", "-", "", urls=("-",), marks=("",) * 8)
    with pytest.raises(TableError, match=r"column\(s\) 'a', 'b', 'c', 'd', 'e' and 3 more$"):
        entry.verified([text([["1"] * 8], header=names)], "here")


def test_a_set_of_several_files_is_read_from_a_folder_from_paths_or_from_one_file(tmp_path):
    head = ("a b", "pH", "colour")
    (tmp_path / "toy.data").write_bytes(text([line[:3] for line in LINES[:1]], header=None))
    (tmp_path / "toy.test").write_bytes(text([line[:3] for line in LINES[1:]], header=head))
    (tmp_path / "whole.csv").write_bytes(text())
    for path in (tmp_path, str(tmp_path), [tmp_path / "toy.data", tmp_path / "toy.test"], tmp_path / "whole.csv"):
        assert in_parts().load(path).fingerprint == toy().fingerprint
    with pytest.raises(TableError, match="other cells stand in column"):
        in_parts().load([tmp_path / "toy.test", tmp_path / "toy.data"])


def test_a_path_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(TableError, match=r"toy: .*none.csv cannot be read: No such file"):
        toy().load(tmp_path / "none.csv")
    with pytest.raises(TableError, match=r"toy: .*toy.csv cannot be read: No such file"):
        toy().load(tmp_path)  # a folder without the file
    with pytest.raises(TableError, match="toy: give a path or a url, not both"):
        toy().load(tmp_path, "https://example.org")
