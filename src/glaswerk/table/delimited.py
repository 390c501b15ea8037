"""Delimited text as a frame of text cells: nothing is converted here, and no cell is lost.

Polars reads what is regular. Rows of other lengths, and quotes after blanks, are read record by record: shorter rows
lack their last cells, longer ones get columns of their own, and both are counted.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from glaswerk.table.errors import TableError, shown
from glaswerk.table.recognising import Readable, read_some
from glaswerk.table.sniff import SAMPLE, WHITESPACE, Dialect, split, tabs_for_blanks

UNUSED = "\x1f"  # the separator of text that has none
LARGEST_RECORD = 2**26  # bytes
MOST_EXTRA = 50  # columns that rows longer than the header may add
FEW = 5  # row numbers in a message
BLANK_LINE = re.compile(rb"\n[ \t]*\r?(?=\n)")
QUOTED_OR_BLANK_LINE = re.compile(rb'("(?:[^"]|"")*")|\n[ \t]*\r?(?=\n)')


@dataclass(frozen=True, eq=False)
class Cells:
    """Text cells in columns, null where nothing stands. short, long : rows with fewer or more cells than the header."""

    frame: pl.DataFrame
    short: tuple[int, tuple[int, ...]] = (0, ())
    long: tuple[int, tuple[int, ...]] = (0, ())
    stray_quotes: bool = False

    def after(self, row: int) -> "Cells":
        """The same cells, their rows counted on from `row`."""
        (n_short, short), (n_long, long) = self.short, self.long
        moved = (n_short, tuple(row + one for one in short)), (n_long, tuple(row + one for one in long))
        return Cells(self.frame, *moved, self.stray_quotes)

    def noted(self, other: "Cells") -> "Cells":
        """The first rows of other lengths of both, without their cells."""
        return Cells(
            self.frame.clear(),
            (self.short[0] + other.short[0], (self.short[1] + other.short[1])[:FEW]),
            (self.long[0] + other.long[0], (self.long[1] + other.long[1])[:FEW]),
            self.stray_quotes or other.stray_quotes,
        )


def ragged(cells: Cells) -> tuple[tuple[str, str], ...]:
    """What a person should know of rows of other lengths and of stray quotation marks."""
    found = []
    for (count, rows), what in ((cells.short, "rows with too few cells"), (cells.long, "rows with too many cells")):
        if count:
            found.append((what, f"{count} (rows {', '.join(map(str, rows))}{', …' if count > len(rows) else ''})"))
    if cells.stray_quotes:
        found.append(("quotation marks", "not all are closed: read as characters like others"))
    return tuple(found)


def unix_lines(data: bytes) -> bytes:
    """Lines that end with a line feed, where they end with a carriage return alone."""
    return data.replace(b"\r", b"\n") if b"\r" in data and b"\n" not in data else data


def split_header(data: bytes, dialect: Dialect) -> tuple[list[str], bytes]:
    """The names in the header, or as many empty ones as the first record has cells; and the bytes of the rows."""
    for _ in range(dialect.skipped):
        data = data[data.index(b"\n") + 1 :]
    data = data.lstrip(b"\r\n") if dialect.separator else data
    if not dialect.header:
        first = split(data[:SAMPLE].decode("utf-8", "ignore"), dialect.separator, 1, dialect.quote)
        return [""] * len(first[0] if first else []), data
    end = _end_of_record(data, dialect.quote.encode())
    records = split(data[:end].decode(), dialect.separator, 1, dialect.quote)
    names = records[0] if records else []
    if dialect.separator == "":
        names = [name.strip().strip('"') for name in names]
    return (["", *names] if dialect.row_names else names), data[end:]


def _end_of_record(data: bytes, quote: bytes) -> int:
    """Where the first record ends: at the first line feed outside of quotes."""
    end, open_quote = -1, False
    while True:
        start, end = end + 1, data.find(b"\n", end + 1)
        if end < 0:
            return len(data)
        open_quote ^= data.count(quote, start, end) % 2 == 1
        if not open_quote:
            return end + 1


def read_cells(data: bytes, dialect: Dialect, width: int) -> Cells:
    """The rows in UTF-8 `data`, which has no header any more, as `width` columns of text."""
    if width == 0 or data[:SAMPLE].isspace() or not data:
        return Cells(_frame([], width))
    if dialect.separator == WHITESPACE:
        data, dialect = tabs_for_blanks(data.decode()).encode(), replace(dialect, separator="\t")
    n_quotes = data.count(dialect.quote.encode())
    if n_quotes and dialect.separator == "," and b', "' in data:
        return _record_by_record(data, dialect, width)
    if n_quotes % 2:
        return _with_open_quote(data, dialect, width)
    frame = _regular(data, dialect, width, quoted=n_quotes > 0)
    if frame is not None and dialect.separator and _may_have_blank_lines(frame):
        data = _without_blank_lines(data)
        frame = _regular(data, dialect, width, quoted=n_quotes > 0)
    if frame is None or (width > 1 and _lacks_cells(data, frame, dialect.separator, n_quotes == 0)):
        return _record_by_record(data, dialect, width)
    return Cells(frame)


def _regular(data: bytes, dialect: Dialect, width: int, quoted: bool) -> pl.DataFrame | None:
    """The rows as Polars reads them, None where some have too many cells."""
    try:
        return pl.read_csv(
            data,
            has_header=False,
            schema={str(place): pl.String for place in range(width)},
            separator=dialect.separator or UNUSED,
            quote_char=dialect.quote if quoted else None,
        )
    except pl.exceptions.PolarsError:
        return None


def _with_open_quote(data: bytes, dialect: Dialect, width: int) -> Cells:
    """Quotation marks that do not pair are characters like others, if the rows then have the right number of cells."""
    frame = _regular(data, dialect, width, quoted=False)
    if frame is None or (width > 1 and _lacks_cells(data, frame, dialect.separator, plain=True)):
        raise TableError(
            f"a quotation mark ({dialect.quote}) is opened and never closed: their number is odd, and without them "
            f"the rows have not the {width} cells of the header"
        )
    return Cells(frame, stray_quotes=True)


def _may_have_blank_lines(frame: pl.DataFrame) -> bool:
    """An empty line is a row without any cell."""
    return frame.width > 1 and min(frame.null_count().row(0)) > 0


def _lacks_cells(data: bytes, frame: pl.DataFrame, separator: str, plain: bool) -> bool:
    """Whether some row has fewer separators than it should: all of them are counted, less those inside quotes."""
    total = int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(separator)))
    needed = (frame.width - 1) * frame.height
    if plain or total < needed:
        return total != needed
    matches = frame.select(pl.all().str.count_matches(separator, literal=True).sum())
    return total - sum(count or 0 for count in matches.row(0)) != needed


def _record_by_record(data: bytes, dialect: Dialect, width: int) -> Cells:
    separator = dialect.separator
    if separator == "":
        return Cells(_frame([[line] for line in data.decode().splitlines()], 1))
    stream = io.StringIO(data.decode(), newline="")
    try:
        reader = csv.reader(stream, delimiter=separator, quotechar=dialect.quote, skipinitialspace=separator == ",")
        records = [record for record in reader if len(record) > 1 or any(map(str.strip, record))]
    except csv.Error as error:
        raise TableError(f"the rows cannot be told apart (an open quotation mark?): {error}") from error
    records = [_without_empty_end(record, width) for record in records]
    short = [row for row, record in enumerate(records, 1) if len(record) < width]
    long = [row for row, record in enumerate(records, 1) if len(record) > width]
    widest = max(map(len, records), default=width)
    if widest > width + MOST_EXTRA:
        row = next(row for row, record in enumerate(records, 1) if len(record) == widest)
        raise TableError(
            f"row {row} has {widest} cells, the header {width}: is {separator!r} the separator? separator= names it"
        )
    return Cells(_frame(records, max(width, widest)), (len(short), tuple(short[:FEW])), (len(long), tuple(long[:FEW])))


def _without_empty_end(record: list[str], width: int) -> list[str]:
    """Empty cells beyond the header are separators at the end of a line."""
    while len(record) > width and record[-1].strip() == "":
        record = record[:-1]
    return record


def _frame(records: Sequence[Sequence[str]], width: int) -> pl.DataFrame:
    columns = {
        str(place): [record[place] if place < len(record) else None for record in records] for place in range(width)
    }
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def _without_blank_lines(data: bytes) -> bytes:
    data = data.lstrip(b"\r\n")
    if b'"' not in data:
        return BLANK_LINE.sub(b"", data)
    return QUOTED_OR_BLANK_LINE.sub(lambda found: found.group(1) or b"", data)


def _end_of_records(data: bytes, quote: bytes) -> int:
    """Where the last line feed stands that has every quotation mark before it closed, -1 if there is none."""
    end = data.rfind(b"\n")
    is_open = end >= 0 and data.count(quote, 0, end) % 2 == 1
    while end >= 0 and is_open:
        before = data.rfind(b"\n", 0, end)
        is_open ^= data.count(quote, max(before, 0), end) % 2 == 1
        end = before
    return end


def record_blocks(stream: Readable, size: int, name: str, quote: bytes) -> Iterator[bytes]:
    """Blocks of whole records of about `size` bytes, cut at line feeds with every quotation mark before them closed."""
    rest = b""
    while chunk := read_some(stream, size, name):
        rest += chunk
        end = _end_of_records(rest, quote)
        if end < 0 and len(rest) > LARGEST_RECORD:
            raise TableError(f"{shown(name)}: a quotation mark ({quote.decode()}) is opened and never closed")
        if end >= 0:
            yield rest[: end + 1]
            rest = rest[end + 1 :]
    if rest:
        yield rest
