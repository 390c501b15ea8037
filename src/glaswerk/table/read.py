"""Any table as typed columns: files of delimited text or Parquet, dataframes of any library, dictionaries of lists.

Text is read as text and converted here, by rules that look at every cell of a column (docs/table/reading.md). What does
not convert is counted, shown, and refused with `strict=True`. Types that a file or dataframe brings along are kept.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from glaswerk.table.column import Column
from glaswerk.table.converting import convert, converted_column
from glaswerk.table.deciding import WORD_KINDS, Surroundings, Wish, decide
from glaswerk.table.delimited import Cells, ragged, read_cells, split_header, unix_lines
from glaswerk.table.encodings import to_utf8
from glaswerk.table.errors import TableError, shown
from glaswerk.table.evidence import Evidence, Plain, observe, plain_numbers
from glaswerk.table.naming import Naming, distinct_names, identifies, near_names
from glaswerk.table.native import in_frames, native_columns, typed_column, words_of
from glaswerk.table.recognising import PARQUET, open_plain, read_some
from glaswerk.table.sniff import SAMPLE, complete_records, described, sniff
from glaswerk.table.typed import TypedTable
from glaswerk.table.wishes import Wishes, surroundings


def read_table(
    source: Any,
    *,
    kinds: Mapping[str, str] | None = None,
    missing: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    strict: bool = False,
    levels: Mapping[str, Sequence[str]] | None = None,
    name: str | None = None,
) -> TypedTable:
    """The table in `source`, each column with its kind.

    Parameters
    ----------
    source : a path (delimited text or Parquet, compressed or not), a dataframe (pandas, Polars, PyArrow, DuckDB; lazy
        ones are collected), a dictionary of lists, or a TypedTable, which is given back.
    kinds : of columns that are to be read as another kind than found, such as {"zip": "category"}. "date d/m/y" and
        "date m/d/y" say which comes first.
    missing : the words for missing, of all columns or by column; () means that none is. Empty cells always are missing.
    separator, decimal, encoding, header : of a text file; None finds out. separator=" " means runs of blanks.
    strict : refuse a table in which a cell does not read as its column's kind, or a row has a cell too many or too few.
    levels : of ordered columns from low to high, such as {"size": ["S", "M", "L"]}; with kinds={"size": "category"}
        the levels of a category.
    name : what the table is called in reports; None takes it from the path.

    >>> table = read_table({"size": ["S", "L", "S"], "price": [1.5, 2.5, None]}, levels={"size": ["S", "M", "L"]})
    >>> str(table["size"].kind), table["size"].codes(), table["price"].missing()
    ('ordered', array([0, 2, 0]), array([False, False,  True]))
    """
    wishes = Wishes.of(kinds, missing, levels, decimal)
    if isinstance(source, TypedTable):
        return source
    if isinstance(source, str | os.PathLike):
        table = _read_file(source, wishes, TextOptions(separator, encoding, header, strict))
        table = replace(table, name=name or Path(source).name)
    else:
        table = _typed_frame(native_columns(source), wishes)
        table = replace(table, name=name or "table")
    wishes.refuse_unknown(table.names)
    if strict:
        _refuse_failed(table)
    return table


@dataclass(frozen=True)
class TextOptions:
    """What is known of a text file beforehand."""

    separator: str | None
    encoding: str | None
    header: bool | None
    strict: bool


def _read_file(path: str | os.PathLike[str], wishes: Wishes, options: TextOptions) -> TypedTable:
    name = os.fspath(path)
    with open_plain(path) as stream:
        data = read_some(stream, -1, name)
    if data.startswith(PARQUET):
        table = _typed_frame(native_columns(_parquet(data, name)), wishes)
        return replace(table, reading=(("format", "Parquet"),))
    data, encoding = to_utf8(data, name, options.encoding)
    if (data[:SAMPLE].isspace() and data.isspace()) or not data:
        raise TableError(f"{shown(name)} is empty: there is neither a header nor a row")
    data = unix_lines(data)
    sample = data[:SAMPLE].decode("utf-8", "ignore")
    dialect = sniff(complete_records(sample, len(data) <= SAMPLE), options.separator, options.header)
    header, rows = split_header(data, dialect)
    cells = read_cells(rows, dialect, len(header))
    if options.strict:
        _refuse_ragged(cells, len(header))
    naming = distinct_names([*header, *[""] * (cells.frame.width - len(header))], dialect.header)
    columns = _typed_text(cells.frame, naming, wishes, dialect.separator)
    if naming.trailing and columns[-1].series.null_count() == len(columns[-1]):
        columns.pop()
    return TypedTable(name, tuple(columns), described(dialect, encoding) + ragged(cells))


def _parquet(data: bytes, name: str) -> pl.DataFrame:
    try:
        return pl.read_parquet(data)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise TableError(f"{shown(name)} is not a whole Parquet file: {shown(error)}") from error


def _typed_text(frame: pl.DataFrame, naming: Naming, wishes: Wishes, separator: str) -> list[Column]:
    """Evidence of all columns first: some can only be read in the light of the others."""
    frame = frame.rename(dict(zip(frame.columns, naming.names, strict=True)))
    plain = plain_numbers(frame)
    seen = [observe_wished(column, plain.get(column.name), wishes, separator) for column in frame.iter_columns()]
    around = surroundings(seen, separator)
    near = near_names(naming.names)
    columns = []
    for cells, evidence, notes in zip(frame.iter_columns(), seen, naming.notes, strict=True):
        said = (*notes, *([near[cells.name]] if cells.name in near else ()))
        numbers = plain.get(cells.name)
        decision = decide(cells.name, evidence, wishes.column(cells.name), around, _tells_rows_apart(cells, numbers))
        columns.append(converted_column(convert(cells, decision, numbers), decision, said))
    return columns


def observe_wished(cells: pl.Series, plain: Plain | None, wishes: Wishes, separator: str) -> Evidence:
    """Evidence in a column, distinct cells counted where the user's wish asks for them."""
    wish = wishes.column(cells.name)
    return observe(cells, plain, commas=separator != ",", count_distinct=wish.kind in WORD_KINDS, missing=wish.missing)


def _tells_rows_apart(cells: pl.Series, plain: Plain | None) -> bool:
    """Whether the name promises that every row has its own integer, and it does."""
    if plain is None or plain.real is not None or not identifies(cells.name):
        return False
    return len(cells) > 1 and not cells.null_count() and plain.whole.n_unique() == len(cells)


def _typed_frame(columns: Sequence[tuple[pl.Series, tuple[str, ...]]], wishes: Wishes) -> TypedTable:
    near = near_names([series.name for series, _ in columns])
    found = []
    for series, notes in columns:
        said = (*notes, *([near[series.name]] if series.name in near else ()))
        wish = in_frames(series, wishes.column(series.name))
        found.append(typed_column(series, said, wish) or _typed_words(series, said, wish))
    return TypedTable("table", tuple(found))


def _typed_words(series: pl.Series, notes: tuple[str, ...], wish: Wish) -> Column:
    """A column of words of a dataframe; numbers written as words stay words unless the user wishes otherwise."""
    cells = words_of(series)
    seen = observe(cells, count_distinct=True, missing=wish.missing)
    decision = decide(series.name, seen, wish, Surroundings(numbers_in_text=False))
    return converted_column(convert(cells, decision), decision, notes)


def _refuse_ragged(cells: Cells, width: int) -> None:
    for (count, rows), what in ((cells.short, "fewer"), (cells.long, "more")):
        if count:
            raise TableError(f"row {rows[0]} has {what} cells than the {width} of the header ({count} such rows)")


def _refuse_failed(table: TypedTable) -> None:
    for column in table.columns:
        if column.failed:
            row, text = column.failed_examples[0]
            raise TableError(
                f"column {shown(column.name)}, row {row}: {shown(text)} does not read as {column.kind} "
                f"({column.failed} such cells)"
            )
