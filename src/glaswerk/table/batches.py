"""A file as frames of bounded size, as often as they are asked for: delimited text as text, Parquet with its types."""

import codecs
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, Protocol

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from glaswerk.table.delimited import Cells, read_cells, record_blocks, split_header
from glaswerk.table.encodings import PROBE, guess_encoding, known_encoding, to_utf8
from glaswerk.table.errors import TableError, shown
from glaswerk.table.naming import Naming, distinct_names
from glaswerk.table.native import plain_series
from glaswerk.table.recognising import PARQUET, open_plain, read_some
from glaswerk.table.sniff import SAMPLE, Dialect, complete_records, described, sniff

BATCH_BYTES = 2**24
BATCH_ROWS = 2**17


class Batches(Protocol):
    """Frames of the same columns, from the first row on at every call; at least one, which may be empty."""

    @property
    def naming(self) -> Naming: ...
    @property
    def reading(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def separator(self) -> str | None: ...
    def frames(self) -> Iterator[Cells]: ...


def open_batches(
    path: str | os.PathLike[str], separator: str | None, encoding: str | None, header: bool | None
) -> Batches:
    """The file at `path`, ready to be read in batches."""
    name = os.fspath(path)
    with open_plain(name) as stream:
        head = read_some(stream, SAMPLE, name)
    if head.startswith(PARQUET):
        return ParquetBatches.open(name)
    return TextBatches.open(name, head, separator, encoding, header)


@dataclass(frozen=True, eq=False)
class TextBatches:
    """Delimited text, decoded and cut at the ends of records."""

    path: str
    encoding: str
    dialect: Dialect
    naming: Naming
    reading: tuple[tuple[str, str], ...]

    @classmethod
    def open(
        cls, path: str, head: bytes, separator: str | None, encoding: str | None, header: bool | None
    ) -> "TextBatches":
        chosen = known_encoding(encoding) if encoding else guess_encoding(head[:PROBE], path) or _eight_bit(path)
        sample = codecs.getincrementaldecoder(chosen)("replace").decode(head)
        if not sample.strip():
            raise TableError(f"{shown(path)} is empty: there is neither a header nor a row")
        dialect = sniff(complete_records(sample, len(head) < SAMPLE), separator, header)
        names, _ = split_header(sample.replace("\r\n", "\n").encode(), dialect)
        reading = described(dialect, "utf-8 with byte-order mark" if chosen == "utf-8-sig" else chosen)
        return cls(path, chosen, dialect, distinct_names(names, dialect.header), reading)

    @property
    def separator(self) -> str:
        return self.dialect.separator

    def frames(self) -> Iterator[Cells]:
        names = self.naming.names
        yield Cells(pl.DataFrame(schema=dict.fromkeys(names, pl.String)))
        row = 0
        with open_plain(self.path) as stream:
            utf8 = _Utf8(stream, self.encoding, self.path)
            for place, block in enumerate(record_blocks(utf8, BATCH_BYTES, self.path, self.dialect.quote.encode())):
                rows = split_header(block, self.dialect)[1] if place == 0 else block
                cells = read_cells(rows, self.dialect, len(names)).after(row)
                self._refuse_long(cells)
                row += len(cells.frame)
                frame = cells.frame.rename(dict(zip(cells.frame.columns, names, strict=True)))
                yield replace(cells, frame=frame)

    def _refuse_long(self, cells: Cells) -> None:
        count, rows = cells.long
        if count:
            raise TableError(
                f"{shown(self.path)}: row {rows[0]} has more cells than the {len(self.naming.names)} of the "
                "header: read_table keeps them in columns of their own"
            )


class _Utf8:
    """A stream of UTF-8 with line feeds over a stream in another encoding; enough of a file for `record_blocks`."""

    def __init__(self, stream: IO[bytes], encoding: str, name: str) -> None:
        self._stream, self._name, self._encoding = stream, name, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._returns_only: bool | None = None

    def read(self, size: int) -> bytes:
        while data := read_some(self._stream, size, self._name):
            try:
                text = self._decoder.decode(data)
            except UnicodeDecodeError as error:
                raise TableError(
                    f"{shown(self._name)} is not in {self._encoding}: {error.reason}; see encoding="
                ) from error
            if self._returns_only is None:
                self._returns_only = "\r" in text and "\n" not in text
            if text:
                return (text.replace("\r", "\n") if self._returns_only else text).encode()
        return b""


def _eight_bit(path: str) -> str:
    """UTF-8 if all bytes of the file are, else what `read_table` takes an 8-bit file for."""
    decoder, others = codecs.getincrementaldecoder("utf-8")(), False
    with open_plain(path) as stream:
        while data := read_some(stream, BATCH_BYTES, path):
            try:
                decoder.decode(data)
            except UnicodeDecodeError:
                others = True
                break
    if not others:
        return "utf-8"
    with open_plain(path) as stream:
        while data := read_some(stream, BATCH_BYTES, path):
            if to_utf8(data, path, "latin-1") and any(data.find(byte) >= 0 for byte in b"\x81\x8d\x8f\x90\x9d"):
                return "latin-1"
    return "cp1252"


@dataclass(frozen=True, eq=False)
class ParquetBatches:
    """A Parquet file, a few rows of a row group at a time."""

    path: str
    naming: Naming
    reading: tuple[tuple[str, str], ...] = (("format", "Parquet"),)
    separator: str | None = None

    @classmethod
    def open(cls, path: str) -> "ParquetBatches":
        try:
            names = pq.read_schema(path).names
        except (pa.ArrowException, OSError) as error:
            raise TableError(f"{shown(path)} is not a whole Parquet file: {shown(error)}") from error
        return cls(path, Naming(tuple(names), ((),) * len(names)))

    def frames(self) -> Iterator[Cells]:
        try:
            with pq.ParquetFile(self.path, pre_buffer=False) as file:
                yield Cells(_typed(file.schema_arrow.empty_table()))
                for batch in file.iter_batches(BATCH_ROWS, use_threads=False):
                    yield Cells(_typed(pa.Table.from_batches([batch])))
        except (pa.ArrowException, OSError) as error:
            raise TableError(f"{shown(self.path)} cannot be read to its end: {shown(error)}") from error


def _typed(table: pa.Table) -> pl.DataFrame:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return pl.DataFrame([plain_series(column)[0] for column in frame.iter_columns()])
