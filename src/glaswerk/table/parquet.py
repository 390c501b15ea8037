"""Parquet files as a source of logical blocks: row groups read one at a time, never more than a thread needs.

Logical blocks count rows from the start of the table, whatever the row groups are, so that a file and the same rows in
memory are cut alike. A thread whose run of blocks begins or ends inside a row group reads that group too.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from glaswerk.passes import BLOCK_ROWS, Block
from glaswerk.passes.blocks import Array
from glaswerk.table import TableError, choose_columns

LARGEST_GROUP = 256 * 2**20  # bytes of one row group beyond which it is read in smaller batches


@dataclass(frozen=True)
class Group:
    """One row group: its file, its number there, and the rows first … last - 1 of the whole table."""

    path: str
    number: int
    first: int
    last: int
    decoded_bytes: int


@dataclass(frozen=True, eq=False)
class ParquetSource:
    """Columns of one or several Parquet files, as [names, targets, weight] float64 blocks."""

    groups: tuple[Group, ...]
    names: tuple[str, ...]
    targets: tuple[str, ...]
    weight_name: str | None

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

    def head(self) -> Block:
        """The first rows of the first logical block, as `ArraySource` would cut it."""
        for block in self.blocks(0, 1):
            return block
        raise TableError("the table has no rows")

    def cuts(self, parts: int) -> list[int]:
        """Cuts at row-group borders as far as they go: only groups astride a cut are read twice."""
        total = -(-self.n_rows // BLOCK_ROWS)
        wanted = np.linspace(0, self.n_rows, parts + 1)[1:-1]
        borders = np.array([group.first for group in self.groups])
        nearest = borders[np.abs(borders[None, :] - wanted[:, None]).argmin(axis=1)]
        inner = {round(row / BLOCK_ROWS) for row in nearest.tolist()}
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
            try:
                with pq.ParquetFile(path, pre_buffer=False, memory_map=False) as file:
                    for group in wanted:
                        yield from self._group_runs(file, group, start, stop)
            except (pa.ArrowException, OSError) as error:
                raise TableError(f"{path} cannot be read to its end: {error}") from error

    def _group_runs(self, file: pq.ParquetFile, group: Group, start: int, stop: int) -> Iterator[list[NDArray]]:
        at, names = group.first, list(dict.fromkeys(self.needed))
        if group.decoded_bytes <= LARGEST_GROUP:
            parts = [file.read_row_group(group.number, columns=names, use_threads=False)]
        else:
            parts = file.iter_batches(BLOCK_ROWS, [group.number], columns=names, use_threads=False)
        for part in parts:
            low, high = max(start - at, 0), min(stop - at, part.num_rows)
            if low < high:
                yield [_numbers(part.column(name).slice(low, high - low), name, at + low) for name in self.needed]
            at += part.num_rows


def _numbers(column: pa.Array | pa.ChunkedArray, name: str, first: int) -> NDArray:
    if column.null_count:
        row = first + int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
        raise TableError(f"column {name!r} is empty in row {row}: drop such rows or fill the cells first")
    return column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy()


def open_rows(
    paths: list[str | os.PathLike[str]], targets: list[str], weight: str | None, columns: list[str] | None
) -> ParquetSource:
    """Read the footers: schema, row groups, and which columns may be used."""
    groups: list[Group] = []
    schema: pa.Schema | None = None
    for path in [os.fspath(path) for path in paths]:
        metadata, found = _footer(path)
        if schema is None:
            schema = found
        elif found.names != schema.names:
            raise TableError(f"{path}: its columns differ from those of {os.fspath(paths[0])}")
        for number in range(metadata.num_row_groups):
            part = metadata.row_group(number)
            first = groups[-1].last if groups else 0
            if part.num_rows:
                groups.append(Group(path, number, first, first + part.num_rows, part.total_byte_size))
    if schema is None or not groups:
        raise TableError(f"{os.fspath(paths[0]) if paths else 'the table'}: the table has no rows")
    numeric = {f.name: _is_number(f.type) for f in schema}
    kinds = {f.name: str(f.type) for f in schema}
    chosen = choose_columns(numeric, targets, weight, columns, kinds)
    return ParquetSource(tuple(groups), tuple(chosen), tuple(targets), weight)


def _footer(path: str) -> tuple[pq.FileMetaData, pa.Schema]:
    if Path(path).is_dir():
        raise TableError(f"{path} is a folder: give its Parquet files as a list")
    try:
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
