"""One number for what a table says, whatever file or library it came from."""

import hashlib
from collections.abc import Iterable
from typing import Protocol

import numpy as np
import polars as pl

LARGEST_EXACT = 2**53  # beyond it not every integer is a double
LEAST = -(2**63)
FORMAT = b"glaswerk table 1"


class Cells(Protocol):
    """What a fingerprint needs of a column."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def series(self) -> pl.Series: ...
    @property
    def levels(self) -> tuple[str, ...]: ...


class CellsPrint:
    """The cells of one column, hashed block by block: any cut of the rows gives the same digest."""

    def __init__(self) -> None:
        self._fixed, self._more = hashlib.sha256(), hashlib.sha256()
        self._rows = 0

    def add(self, series: pl.Series) -> None:
        """The next rows. A missing cell is a NaN, the least integer, or a length of -1: none of them is a cell."""
        if series.dtype == pl.String:
            self._fixed.update(series.str.len_bytes().cast(pl.Int64).fill_null(-1).to_numpy().astype("<i8").tobytes())
            self._more.update("".join(series.drop_nulls().to_list()).encode())
        elif series.dtype == pl.Boolean:
            self._fixed.update(series.cast(pl.Int8).fill_null(-1).to_numpy().tobytes())
        elif series.dtype.is_temporal():
            moments = series.cast(pl.Datetime("us")).to_physical().fill_null(LEAST)
            self._fixed.update(moments.to_numpy().astype("<i8").tobytes())
        else:
            self._add_numbers(series)
        self._rows += len(series)

    def _add_numbers(self, series: pl.Series) -> None:
        """As doubles, so that 1 and 1.0 are one; integers that no double holds once more in full, with their rows."""
        cells = series.cast(pl.Float64).to_numpy() + 0.0  # makes -0.0 the 0.0 that it equals
        cells[np.isnan(cells)] = np.nan
        self._fixed.update(cells.astype("<f8").tobytes())
        if series.dtype == pl.Int64 and bool((series.abs() > LARGEST_EXACT).any()):
            large = (series.abs() > LARGEST_EXACT).fill_null(False).arg_true()
            rows = large.cast(pl.Int64).to_numpy() + self._rows
            self._more.update(np.stack([rows, series.gather(large).to_numpy()]).T.astype("<i8").tobytes())

    def digest(self) -> bytes:
        return self._rows.to_bytes(8, "little") + self._fixed.digest() + self._more.digest()


def fingerprint(columns: Iterable[Cells]) -> str:
    """sha256 over the columns in order. Levels count where their order is part of the content: in ordered columns."""
    prints = []
    for column in columns:
        cells = CellsPrint()
        cells.add(column.series)
        prints.append((column, cells))
    return combined(prints)


def combined(prints: Iterable[tuple[Cells, CellsPrint]]) -> str:
    """The fingerprint of columns whose cells have been hashed."""
    digest = hashlib.sha256(FORMAT)
    for column, cells in prints:
        levels = [level.encode() for level in column.levels] if column.kind == "ordered" else []
        for part in (column.name.encode("utf-8", "surrogatepass"), column.kind.encode(), *levels, cells.digest()):
            digest.update(len(part).to_bytes(8, "little") + part)
        digest.update(b"end of column")
    return digest.hexdigest()
