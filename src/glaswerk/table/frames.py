"""Dataframes as a source of logical blocks: pandas, Polars, PyArrow, DuckDB relations, through narwhals."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, ClassVar

import narwhals as nw
import numpy as np

from glaswerk.passes import BLOCK_ROWS, Block
from glaswerk.passes.blocks import even_cuts
from glaswerk.table import TableError, choose_columns
from glaswerk.table.decimals import decimal_numbers
from glaswerk.table.errors import LONGEST
from glaswerk.table.typed import TypedTable


@dataclass(frozen=True, eq=False)
class FrameSource:
    """Numeric columns of a dataframe, made into float64 matrices block by block."""

    frame: nw.DataFrame
    names: tuple[str, ...]
    targets: tuple[str, ...]
    weight_name: str | None
    start: int = 0  # of the frame's first row in the whole table
    carries_rows: ClassVar[bool] = True

    @property
    def n_rows(self) -> int:
        return self.start + len(self.frame)

    @property
    def n_targets(self) -> int:
        return len(self.targets)

    def within(self, first: int, last: int) -> "FrameSource":
        """The rows of these blocks alone: they travel to whoever walks them."""
        start, stop = first * BLOCK_ROWS, min(last * BLOCK_ROWS, self.n_rows)
        return replace(self, frame=self._rows(start, stop), start=start)

    def fingerprint(self) -> dict[str, str]:
        """Names, types, size, and a digest of the first and the last cells."""
        count = self.n_rows
        ends = [self._block(0, min(count, 1024)), self._block(max(0, count - 1024), count)]
        digest = sha256(b"".join(np.ascontiguousarray(part).tobytes() for b in ends for part in (b.X, b.Y, b.weight)))
        columns = ", ".join(f"{name} {kind}" for name, kind in self.frame.schema.items())
        return {"columns": columns, "rows": str(count), "cells": digest.hexdigest()[:16]}

    def head(self) -> Block:
        return self._block(0, min(BLOCK_ROWS, self.n_rows))

    def blocks(self, first: int, last: int) -> Iterator[Block]:
        for start in range(first * BLOCK_ROWS, min(last * BLOCK_ROWS, self.n_rows), BLOCK_ROWS):
            yield self._block(start, min(start + BLOCK_ROWS, self.n_rows))

    def cuts(self, parts: int) -> list[int]:
        return even_cuts(self.n_rows, parts)

    def _rows(self, start: int, stop: int) -> nw.DataFrame:
        found: nw.DataFrame = self.frame[start - self.start : stop - self.start]
        return found

    def _block(self, start: int, stop: int) -> Block:
        rows = self._rows(start, stop)
        weight = _matrix(rows, (self.weight_name,), start)[:, 0] if self.weight_name else np.zeros(0)
        X, Y = _matrix(rows, self.names, start), _matrix(rows, self.targets, start)
        return Block(start, X, Y, np.ascontiguousarray(weight))


def _matrix(rows: nw.DataFrame, names: tuple[str, ...], first: int) -> np.ndarray:
    matrix = np.empty((len(rows), len(names)))
    for j, name in enumerate(names):
        column = rows[name]
        missing = column.is_null()
        if missing.any():
            row = first + int(np.argmax(missing.to_numpy()))
            raise TableError(f"column {name!r} is empty in row {row}: drop such rows or fill the cells first")
        # NumPy rounds whole numbers beyond 2**53 as an array's are; Arrow's own cast refuses them.
        matrix[:, j] = decimal_numbers(column.to_arrow()) if column.dtype == nw.Decimal else column.to_numpy()
    return matrix


def open_rows(source: Any, targets: list[str], weight: str | None, columns: list[str] | None) -> FrameSource:
    """Wrap the dataframe; only the columns asked for are kept."""
    frame = nw.from_native(source.to_polars() if isinstance(source, TypedTable) else source, eager_only=True)
    needed = needed_columns(frame.schema, targets, weight, columns)
    eager = frame.select(needed)
    if not len(eager):
        raise TableError("the table has no rows")
    inputs = needed[: len(needed) - len(targets) - bool(weight)]
    return FrameSource(eager, tuple(inputs), tuple(targets), weight)


def needed_columns(schema: Any, targets: list[str], weight: str | None, columns: list[str] | None) -> list[str]:
    """Inputs, targets and weight of a table of this schema; refused where they are not there, or no numbers."""
    unnamed = [name for name in schema if not isinstance(name, str)]
    if unnamed:
        raise TableError(f"column {unnamed[0]!r} has no name: columns must be named by text")
    numeric = {name: kind.is_numeric() or kind == nw.Boolean for name, kind in schema.items()}
    kinds = {name: str(kind)[:LONGEST] for name, kind in schema.items()}
    return [*choose_columns(numeric, targets, weight, columns, kinds), *targets, *([weight] if weight else [])]
