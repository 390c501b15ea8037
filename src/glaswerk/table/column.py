"""One column of a table: its kind, its cells converted to that kind, and what reading them lost."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glaswerk.table.errors import TableError, shown

MICROSECONDS_PER_DAY = 86_400_000_000


class Kind(StrEnum):
    """What the cells of a column are."""

    NUMBER = "number"
    CATEGORY = "category"
    ORDERED = "ordered"
    FLAG = "flag"
    DATE = "date"
    TEXT = "text"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its cells converted to its kind, missing ones null, and what reading it lost.

    series : Float64 or Int64 (number), String (category, ordered, text), Boolean (flag), Datetime (date), String or
        Int64 (identifier).
    levels : of a category by code point unless declared, of an ordered column from low to high, of a flag the words
        for False and True; empty for every other kind.
    missing_tokens : how missing cells were written, with counts. failed, failed_examples : cells that did not read as
        `kind`, with (row counted from 1, text). notes : what a person should know of the column.
    """

    name: str
    kind: Kind
    series: pl.Series
    levels: tuple[str, ...] = ()
    missing_tokens: tuple[tuple[str, int], ...] = ()
    failed: int = 0
    failed_examples: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.series)

    def numbers(self) -> NDArray[np.float64]:
        """Cells as numbers, NaN where missing: a flag 0 or 1, an ordered level its rank, a date days since 1970."""
        match self.kind:
            case Kind.NUMBER | Kind.FLAG:
                return _floats(self.series)
            case Kind.ORDERED:
                codes = self.codes()
                return np.where(codes < 0, np.nan, codes)
            case Kind.DATE:
                return _floats(self.series.dt.epoch("us")) / MICROSECONDS_PER_DAY
            case _:
                raise TableError(
                    f"column {shown(self.name)} is read as {self.kind}, which has no numbers: "
                    f"kinds={{{shown(self.name)}: 'number'}} would read it as numbers"
                )

    def codes(self) -> NDArray[np.int64]:
        """Cells as indices into `distinct_levels()`, -1 where missing; numbers and dates have none."""
        return self._coded[0]

    def distinct_levels(self) -> tuple[str, ...]:
        """What `codes()` counts through: `levels`, or the distinct cells of a text or identifier, sorted."""
        return self._coded[1]

    def missing(self) -> NDArray[np.bool_]:
        return self.series.is_null().to_numpy()

    def take(self, rows: NDArray[np.integer]) -> "Column":
        """The cells of these rows. Levels stay; what reading lost belongs to the whole table and is left behind."""
        return replace(self, series=self.series.gather(rows), missing_tokens=(), failed=0, failed_examples=())

    @cached_property
    def _coded(self) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        if self.kind in {Kind.NUMBER, Kind.DATE}:
            raise TableError(f"column {shown(self.name)} is read as {self.kind}, which has no levels")
        if self.kind == Kind.FLAG:
            return self.series.cast(pl.Int64).fill_null(-1).to_numpy(), self.levels
        cells = self.series.cast(pl.String)
        levels = self.levels or tuple(sorted(cells.drop_nulls().unique()))
        if not levels:
            return np.full(len(cells), -1), levels
        codes = cells.cast(pl.Enum(levels)).to_physical().cast(pl.Int64).fill_null(-1)
        return codes.to_numpy(), levels


def _floats(series: pl.Series) -> NDArray[np.float64]:
    return series.cast(pl.Float64).fill_null(float("nan")).to_numpy(writable=True)
