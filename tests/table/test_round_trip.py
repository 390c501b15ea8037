"""Two hundred random tables, written in random dialects, come back cell by cell."""

import csv
import datetime as dt
import gzip
import io
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glaswerk.table import describe_file, read_table

TOKENS = ["", "NA", "?", "n/a"]
LETTERS = "abcxyzäöüéß ,;|'\".-/\n12"


@dataclass(frozen=True)
class Written:
    """A column: its cells, None where missing, and how each of them is written."""

    name: str
    kind: str
    cells: list
    texts: list


@dataclass(frozen=True)
class Form:
    separator: str
    decimal: str
    quoting: int
    line_end: str
    encoding: str
    compressed: bool


@st.composite
def forms(draw):
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    return Form(
        separator,
        "." if separator == "," else draw(st.sampled_from([".", ","])),
        draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])),
        draw(st.sampled_from(["\n", "\r\n"])),
        draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])),
        draw(st.booleans()),
    )


def decimal_text(number, decimal, grouped):
    text = f"{number:,.2f}" if grouped else repr(number)
    return text.translate(str.maketrans(",.", ".,")) if decimal == "," else text


def numbers_and_texts(draw, kind, n_rows, form):
    """Cells of one of the kinds of numbers, and how they are written."""

    def listed(cells):
        return draw(st.lists(cells, min_size=n_rows, max_size=n_rows))

    if kind == "integer":
        return listed(st.integers(-(2**63), 2**63 - 1)), str
    if kind == "number":
        cells = [cell + 0.0 for cell in listed(st.floats(-1e300, 1e300, allow_subnormal=False))]
        return cells, lambda cell: decimal_text(cell, form.decimal, False)
    return [cents / 100 for cents in listed(st.integers(-(10**9), 10**9))], lambda cell: decimal_text(
        cell, form.decimal, True
    )


def words_and_texts(draw, kind, n_rows):
    """Cells of one of the other kinds, and how they are written."""
    if kind == "flag":
        words = draw(st.sampled_from([("no", "yes"), ("nein", "ja"), ("False", "True"), ("F", "T")]))
        return draw(st.permutations([True, False] * n_rows))[:n_rows], words.__getitem__
    if kind == "date":
        moments = st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1)).map(lambda t: t.replace(microsecond=0))
        written = draw(st.sampled_from(["%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S"]))
        # The last one decides which of day and month comes first.
        cells = [*draw(st.lists(moments, min_size=n_rows - 1, max_size=n_rows - 1)), dt.datetime(2020, 2, 29)]
        return cells, lambda cell: cell.strftime(written)
    texts = draw(st.lists(st.text(LETTERS, max_size=12), min_size=n_rows, max_size=n_rows))
    return ["w" + text.rstrip() for text in texts], str


@st.composite
def columns(draw, name, n_rows, form):
    kind = draw(st.sampled_from(["integer", "number", "money", "words", "flag", "date"]))
    gaps = st.booleans() if draw(st.booleans()) else st.just(False)
    if kind in {"integer", "number", "money"}:
        cells, write = numbers_and_texts(draw, kind, n_rows, form)
    else:
        cells, write = words_and_texts(draw, kind, n_rows)
    token = draw(st.sampled_from(TOKENS))
    cells = [None if place < n_rows - 1 and draw(gaps) else cell for place, cell in enumerate(cells)]
    if kind == "flag" and len({cell for cell in cells if cell is not None}) < 2:
        cells, kind, write = [None if cell is None else write(cell) for cell in cells], "words", str
    return Written(name, kind, cells, [token if cell is None else write(cell) for cell in cells])


@st.composite
def tables(draw):
    form = draw(forms())
    n_rows = draw(st.integers(3, 12))
    names = draw(st.lists(st.text("abcdefgü", min_size=2, max_size=6), min_size=1, max_size=5, unique=True))
    return form, [draw(columns(name, n_rows, form)) for name in names]


def write(folder, form, table):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=form.separator, quoting=form.quoting, lineterminator=form.line_end)
    writer.writerow([column.name for column in table])
    writer.writerows(zip(*(column.texts for column in table), strict=True))
    data = stream.getvalue().encode(form.encoding)
    path = folder / ("table.csv.gz" if form.compressed else "table.csv")
    path.write_bytes(gzip.compress(data, 1) if form.compressed else data)
    return path


def check(found, column):
    assert found.failed == 0
    if column.kind in {"integer", "number", "money"}:
        assert found.kind in {"number", "identifier"}
    elif column.kind in {"flag", "date"}:
        assert found.kind == column.kind
    assert found.series.to_list() == column.cells


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(tables())
def test_a_table_written_in_any_dialect_comes_back(tmp_path_factory, made):
    form, table = made
    path = write(tmp_path_factory.mktemp("made"), form, table)
    found = read_table(path, separator=form.separator if len(table) == 1 else None)
    assert found.names == tuple(column.name for column in table)
    for column in table:
        check(found[column.name], column)


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(tables())
def test_the_card_of_the_file_is_the_card_of_the_table(tmp_path_factory, made):
    form, table = made
    path = write(tmp_path_factory.mktemp("made"), form, table)
    assert describe_file(path) == read_table(path).card()
