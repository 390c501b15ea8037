"""Parquet files as a source of logical blocks: row groups read one at a time, never more than a thread needs.

Logical blocks count rows from the start of the table, whatever the row groups are, so that a file and the same rows in
memory are cut alike. A thread whose run of blocks begins or ends inside a row group reads that group too.
"""

import os
import stat
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from glaswerk.passes import BLOCK_ROWS, Block
from glaswerk.passes.blocks import Array
from glaswerk.table import TableError, choose_columns
from glaswerk.table.decimals import decimal_numbers
from glaswerk.table.errors import LONGEST

LARGEST_GROUP = 256 * 2**20  # bytes, once decoded, beyond which a row group is read in smaller batches
BYTES_OF_A_CELL = 8
STREAMED = 2**20  # bytes of a column chunk read at a time where memory is small


@dataclass(frozen=True)
class Group:
    """One row group: its file, its number there, and the rows first … last - 1 of the whole table."""

    path: str
    number: int
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class ParquetSource:
    """Columns of one or several Parquet files, as [names, targets, weight] float64 blocks."""

    groups: tuple[Group, ...]
    names: tuple[str, ...]
    targets: tuple[str, ...]
    weight_name: str | None
    called: str = ""  # what these files were made from, where they are not the user's own
    kept_in: Any = None  # what removes files that are not the user's own, when nobody walks them any more
    in_batches: bool = False  # however small a row group is: what a small memory asks for

    @property
    def n_rows(self) -> int:
        return self.groups[-1].last if self.groups else 0

    @property
    def n_targets(self) -> int:
        return len(self.targets)

    @property
    def needed(self) -> tuple[str, ...]:
        """Every column to read: inputs, targets, weight."""
        return (*self.names, *self.targets, *((self.weight_name,) if self.weight_name else ()))

    def _bytes(self, rows: int) -> int:
        return rows * len(set(self.needed)) * BYTES_OF_A_CELL

    def bounded(self, memory: int, threads: int) -> tuple["ParquetSource", int]:
        """So read by so many threads that blocks and decoded row groups stay within `memory`, in bytes."""
        block = 2 * self._bytes(BLOCK_ROWS)
        group = 2 * min(max(self._bytes(group.last - group.first) for group in self.groups), LARGEST_GROUP)
        if group + block <= memory:
            return self, min(threads, memory // (group + block))
        return replace(self, in_batches=True), max(1, min(threads, memory // (2 * block)))

    def head(self) -> Block:
        """The first rows of the first logical block, as `ArraySource` would cut it."""
        for block in self.blocks(0, 1):
            return block
        raise TableError("the table has no rows")

    def within(self, first: int, last: int) -> "ParquetSource":
        """With the row groups of these blocks alone."""
        start, stop = first * BLOCK_ROWS, last * BLOCK_ROWS
        return replace(self, groups=tuple(group for group in self.groups if group.last > start and group.first < stop))

    def place(self, row: int) -> str:
        """The file and row group in which a row of the table lies."""
        group = self.groups[bisect_right(self.groups, row, key=lambda group: group.first) - 1]
        return self.called or f"row group {group.number} of {group.path}"

    def fingerprint(self) -> dict[str, str]:
        """Of every file its size and footer, which tells of all its row groups; and the columns."""
        found = {"columns": ", ".join(self.needed), "rows": str(self.n_rows)}
        for number, path in enumerate(dict.fromkeys(group.path for group in self.groups)):
            found[f"file {number + 1}, {os.path.basename(path)}"] = footer_print(path)
        return found

    def cuts(self, parts: int) -> list[int]:
        """Cuts at row-group borders as far as they go: only groups astride a cut are read twice."""
        total = -(-self.n_rows // BLOCK_ROWS)
        wanted = np.linspace(0, self.n_rows, parts + 1)[1:-1]
        borders = np.array([group.first for group in self.groups])
        inner = {round(row / BLOCK_ROWS) for row in nearest_of(borders, wanted).tolist()}
        return [0, *sorted(block for block in inner if 0 < block < total), total]

    def blocks(self, first: int, last: int) -> Iterator[Block]:
        at, stop = first * BLOCK_ROWS, min(last * BLOCK_ROWS, self.n_rows)
        columns, filled = self._room(at, stop), 0
        for rows in self._runs(at, stop):
            taken = 0
            while taken < len(rows[0]):
                size = min(columns.shape[1] - filled, len(rows[0]) - taken)
                for cells, column in zip(columns, rows, strict=True):
                    cells[filled : filled + size] = column[taken : taken + size]
                taken, filled = taken + size, filled + size
                if filled == columns.shape[1]:
                    yield self._block(at, columns)
                    at += filled
                    columns, filled = self._room(at, stop), 0

    def _room(self, at: int, stop: int) -> Array:
        """One row of numbers per column: the layout in which files store them. Small enough that malloc reuses it."""
        return np.empty((len(self.needed), min(BLOCK_ROWS, stop - at)))

    def _block(self, first: int, columns: Array) -> Block:
        d, q = len(self.names), len(self.targets)
        weight = columns[d + q] if self.weight_name else np.zeros(0)
        return Block(first, columns[:d].T, columns[d : d + q].T, weight)

    def _runs(self, start: int, stop: int) -> Iterator[list[NDArray]]:
        """Rows start … stop - 1 of the whole table, run by run: the needed columns, as the file holds them."""
        for path, groups in groupby(self.groups, key=lambda group: group.path):
            wanted = [group for group in groups if group.last > start and group.first < stop]
            if not wanted:
                continue
            reached, buffer = wanted[0].number, STREAMED if self.in_batches else 0
            try:
                with pq.ParquetFile(path, pre_buffer=False, memory_map=False, buffer_size=buffer) as file:
                    for group in wanted:
                        reached = group.number
                        _refuse_changed(file.metadata, group)
                        yield from self._group_runs(file, group, start, stop)
            except (pa.ArrowException, OSError) as error:
                raise TableError(f"{path} cannot be read to its end: row group {reached}: {error}") from error

    def _group_runs(self, file: pq.ParquetFile, group: Group, start: int, stop: int) -> Iterator[list[NDArray]]:
        at, names = group.first, list(dict.fromkeys(self.needed))
        whole = self._bytes(group.last - group.first) <= LARGEST_GROUP and not self.in_batches
        if whole:
            parts = [file.read_row_group(group.number, columns=names, use_threads=False)]
        else:
            parts = file.iter_batches(BLOCK_ROWS, [group.number], columns=names, use_threads=False)
        for part in parts:
            low, high = max(start - at, 0), min(stop - at, part.num_rows)
            if low < high:
                taken = {name: part.column(name).slice(low, high - low) for name in names}
                yield [_numbers(taken[name], name, at + low, self.place(group.first)) for name in self.needed]
            at += part.num_rows


def nearest_of(borders: NDArray, wanted: NDArray) -> NDArray:
    """For every row wanted the nearest border; borders ascend, and the lower of two equally near is taken."""
    above = np.searchsorted(borders, wanted).clip(0, len(borders) - 1)
    below = np.maximum(above - 1, 0)
    found: NDArray = borders[np.where(np.abs(wanted - borders[below]) <= np.abs(borders[above] - wanted), below, above)]
    return found


def _refuse_changed(metadata: pq.FileMetaData, group: Group) -> None:
    """A file that was replaced since its footer was read would give other rows, or fewer, without a word."""
    known = metadata.num_row_groups > group.number
    if not known or metadata.row_group(group.number).num_rows != group.last - group.first:
        raise TableError(f"{group.path} was changed while it was being read")


def _numbers(column: pa.Array | pa.ChunkedArray, name: str, first: int, place: str) -> NDArray:
    if column.null_count:
        row = first + int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
        raise TableError(f"column {name!r} is empty in row {row}: drop such rows or fill the cells first ({place})")
    if pa.types.is_decimal(column.type):
        return decimal_numbers(column)
    return column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy()


def footer_print(path: str) -> str:
    """What tells a Parquet file from another: its size, and a digest of its footer."""
    try:
        with open(path, "rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(size - 8, 0))
            length = int.from_bytes(stream.read(4), "little")
            stream.seek(max(size - 8 - length, 0))
            digest = sha256(stream.read(length)).hexdigest()[:16]
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error
    return f"{size} bytes, footer {digest}"


def open_rows(
    paths: Sequence[str | os.PathLike[str]], targets: list[str], weight: str | None, columns: list[str] | None,
    called: str = "",
) -> ParquetSource:  # fmt: skip
    """Read the footers: schema, row groups, and which columns may be used."""
    groups: list[Group] = []
    schemas: dict[str, pa.Schema] = {}
    for path in [os.path.abspath(path) for path in paths]:  # the same for workers, wherever they were started
        metadata, schemas[path] = _footer(path)
        for number in range(metadata.num_row_groups):
            first, rows = groups[-1].last if groups else 0, metadata.row_group(number).num_rows
            if rows:
                groups.append(Group(path, number, first, first + rows))
    numeric, kinds = _kinds_in_all(schemas)
    chosen = choose_columns(numeric, targets, weight, columns, kinds)
    if not groups:
        raise TableError(f"{called or next(iter(schemas))}: the table has no rows")
    return ParquetSource(tuple(groups), tuple(chosen), tuple(targets), weight, called)


def _kinds_in_all(schemas: dict[str, pa.Schema]) -> tuple[dict[str, bool], dict[str, str]]:
    """For each column: whether it holds numbers in every file, and what it holds where it does not."""
    first_path, first = next(iter(schemas.items()))
    numeric, kinds = dict.fromkeys(first.names, True), {field.name: str(field.type) for field in first}
    for path, schema in schemas.items():
        odd = sorted(set(schema.names) ^ set(first.names))
        if odd:
            raise TableError(f"{path}: its columns differ from those of {first_path}: only one of them has {odd[0]!r}")
        name, times = max(Counter(schema.names).items(), key=lambda item: item[1], default=("", 0))
        if times > 1:
            raise TableError(f"{path}: {times} of its columns are called {name!r}")
        for field in schema:
            if not _is_number(field.type):
                numeric[field.name], kinds[field.name] = False, f"{str(field.type)[:LONGEST]} in {path}"
    return numeric, kinds


def _footer(path: str) -> tuple[pq.FileMetaData, pa.Schema]:
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise TableError(f"{path} is a folder: give its Parquet files as a list")
        if not stat.S_ISREG(mode):
            raise TableError(f"{path} is a device or a pipe, and Parquet is read from its end: give the path of a file")
        with pq.ParquetFile(path, pre_buffer=False) as file:
            return file.metadata, file.schema_arrow
    except FileNotFoundError as error:
        raise TableError(f"{path}: there is no such file") from error
    except PermissionError as error:
        raise TableError(f"{path}: you have no permission to read it") from error
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{path} is not a whole Parquet file: {error}") from error


def _is_number(kind: pa.DataType) -> bool:
    return (
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_decimal(kind)
    )
