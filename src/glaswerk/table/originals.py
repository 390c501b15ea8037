"""Published data in whatever dress: columns of known names and kinds out of text or Parquet.

Mirrors of one data set differ in separator, header, column of row numbers, quotes, spaces, missing words and trailing
dots. What is left once all that is taken off is the same; everything else is refused with what was found.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence

import polars as pl

from glaswerk.table.column import Column, Kind
from glaswerk.table.errors import TableError, shown

MISSING = ("", "?")
COMMENT = "|"  # the line that the census test file begins with
PARQUET = b"PAR1"


def original_columns(data: bytes, names: Sequence[str], filled: Mapping[str, str]) -> dict[str, pl.Series]:
    """The columns `names` as text, or as Parquet types them; one that the file lacks holds its word of `filled`."""
    columns = _parquet_columns(data) if data.startswith(PARQUET) else _text_columns(data, names, filled)
    rows = len(next(iter(columns.values()), ()))
    found: dict[str, pl.Series] = {}
    for name in names:
        if _plain(name) in columns:
            found[name] = columns[_plain(name)].alias(name)
        elif name in filled:
            found[name] = pl.Series(name, [filled[name]] * rows, pl.String)
        else:
            raise TableError(f"it has no column {shown(name)}")
    return found


def _plain(name: str) -> str:
    """A column's name as far as mirrors agree on it: `pH`, `fixed acidity`, `education-num`."""
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _parquet_columns(data: bytes) -> dict[str, pl.Series]:
    try:
        frame = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise TableError(f"it is not a whole Parquet file: {error}") from error
    return {_plain(series.name): series for series in frame}


def _text_columns(data: bytes, names: Sequence[str], filled: Mapping[str, str]) -> dict[str, pl.Series]:
    rows = _text_rows(data)
    wanted = [_plain(name) for name in names]
    header = [_plain(cell) for cell in rows[0]]
    if set(header) & set(wanted):
        rows = rows[1:]
        if rows and len(rows[0]) == len(header) + 1:  # row numbers without a name, as R writes them
            header = ["", *header]
    else:
        header = [name for name in wanted if name not in {_plain(other) for other in filled}]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise TableError(f"its row {number} has {len(row)} cell(s), expected {len(header)}")
    cells = zip(*rows, strict=True) if rows else [()] * len(header)
    return {name: pl.Series(name, list(column), pl.String) for name, column in zip(header, cells, strict=True)}


def _text_rows(data: bytes) -> list[list[str]]:
    """Cells by the first separator that the first line has, or by spaces."""
    try:
        lines = [line for line in data.decode("utf-8-sig").splitlines() if line.strip() and line[0] != COMMENT]
    except UnicodeDecodeError as error:
        raise TableError(f"it is no text in UTF-8: {error.reason} at byte {error.start}") from error
    if not lines:
        raise TableError("it is empty")
    separator = next((mark for mark in ";\t," if mark in lines[0]), None)
    if separator is None:
        return [line.split() for line in lines]
    try:
        return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator, skipinitialspace=True)]
    except csv.Error as error:
        raise TableError(f"it is no table of cells: {error}") from error


def typed_column(series: pl.Series, kind: Kind, levels: tuple[str, ...] = ()) -> Column:
    """The column as `kind`: no cell may fail, since it is known what the cells are."""
    tokens: tuple[tuple[str, int], ...] = ()
    if series.dtype == pl.String:
        tokens = tuple((word, count) for word in MISSING if (count := int((series == word).sum())))
        series = series.set(series.is_in(MISSING), None) if tokens else series
    if kind == Kind.NUMBER:
        return Column(series.name, kind, _numbers(series), missing_tokens=tokens)
    if kind == Kind.FLAG:
        return Column(series.name, kind, _flags(series, levels), levels, tokens)
    words = series.cast(pl.String)
    if kind in {Kind.CATEGORY, Kind.ORDERED}:
        words = words.str.strip_suffix(".")  # the census test file ends its labels so
        levels = levels or tuple(sorted(words.drop_nulls().unique()))
        _refuse_others(words, levels)
    return Column(series.name, kind, words, levels, tokens)


def _numbers(series: pl.Series) -> pl.Series:
    """Whole numbers as Int64 and others as Float64, whether a mirror writes 6 or 6.0."""
    numbers = series.cast(pl.Float64, strict=False)
    failed = numbers.is_null() & series.is_not_null()
    if failed.any():
        raise TableError(f"its column {shown(series.name)} holds {shown(series.filter(failed)[0])}, expected a number")
    return numbers.cast(pl.Int64) if bool((numbers.drop_nulls() % 1 == 0).all()) else numbers


def _flags(series: pl.Series, levels: tuple[str, ...]) -> pl.Series:
    if series.dtype == pl.Boolean:
        return series
    _refuse_others(series, levels)
    return series == levels[1]


def _refuse_others(words: pl.Series, levels: tuple[str, ...]) -> None:
    others = words.filter(~words.is_in(levels) & words.is_not_null())
    if len(others):
        wanted = ", ".join(map(shown, levels))
        raise TableError(f"its column {shown(words.name)} holds {shown(others[0])}, expected one of {wanted}")
