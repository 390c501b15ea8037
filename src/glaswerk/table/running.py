"""The data card of a column while its rows pass by, in memory that does not grow with them.

Counts, extremes, mean and deviation add and are exact. What needs all values at once (median, histogram) comes from a
sample of rows: those with the smallest hashes of their row number, the same whatever the blocks are.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glaswerk.facts import ColumnCard
from glaswerk.table.card import MEASURED, bare_card, shown_levels, with_notes, words
from glaswerk.table.column import Column
from glaswerk.table.converting import EXAMPLES
from glaswerk.table.distinct import Distinct

SAMPLE_ROWS = 10_000
# The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
INCREMENT, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def row_hashes(start: int, stop: int) -> NDArray[np.uint64]:
    """Well mixed numbers of the rows start … stop - 1; no two rows share one."""
    mixed = (np.arange(start, stop, dtype=np.uint64) + np.uint64(1)) * INCREMENT
    mixed = (mixed ^ (mixed >> np.uint64(30))) * FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * SECOND
    return mixed ^ (mixed >> np.uint64(31))


def _lowest(hashes: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Where the smallest hashes stand, in the order of the rows."""
    return np.sort(np.argsort(hashes)[:SAMPLE_ROWS])


@dataclass(frozen=True)
class Spread:
    """Count, extremes, mean and sum of squared distances from it, of finite numbers; extremes of all."""

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0
    minimum: float | None = None
    maximum: float | None = None

    @classmethod
    def of(cls, cells: NDArray[np.float64]) -> "Spread":
        if not len(cells):
            return cls()
        finite = cells[np.isfinite(cells)]
        mean = float(finite.mean()) if len(finite) else 0.0
        with np.errstate(over="ignore"):
            squares = float(np.square(finite - mean).sum())
        return cls(len(finite), mean, squares, float(cells.min()), float(cells.max()))

    def __add__(self, other: "Spread") -> "Spread":
        n = self.n + other.n
        apart = other.mean - self.mean
        share = other.n / n if n else 0.0
        lows = [value for value in (self.minimum, other.minimum) if value is not None]
        highs = [value for value in (self.maximum, other.maximum) if value is not None]
        return Spread(
            n,
            self.mean + apart * share,
            self.squares + other.squares + apart * apart * self.n * share,
            min(lows, default=None),
            max(highs, default=None),
        )


@dataclass(frozen=True, eq=False)
class RunningColumn:
    """A column as far as it has been seen: `sample` holds the sampled rows in order, `hashes` theirs."""

    sample: Column
    hashes: NDArray[np.uint64]
    rows: int
    missing: int
    spread: Spread
    distinct: Distinct

    @classmethod
    def of(cls, column: Column, hashes: NDArray[np.uint64], level: int = 0) -> "RunningColumn":
        """One block of the column, its rows' hashes given; `level` is that of the distinct cells before it."""
        measured = column.kind in MEASURED
        cells = column.numbers() if measured else np.zeros(0)
        spread = Spread.of(cells[~np.isnan(cells)])
        distinct = Distinct.of(column.series.cast(pl.String) if measured else words(column), level).thinned()
        kept = _lowest(hashes)
        sample = replace(column, series=column.series.gather(kept))
        return cls(sample, hashes[kept], len(column), column.series.null_count(), spread, distinct)

    def __add__(self, other: "RunningColumn") -> "RunningColumn":
        """This column with the rows of `other` below it."""
        hashes = np.concatenate([self.hashes, other.hashes])
        kept = _lowest(hashes)
        mine, theirs = self.sample, other.sample
        tokens = dict(mine.missing_tokens)
        for token, count in theirs.missing_tokens:
            tokens[token] = tokens.get(token, 0) + count
        sample = replace(
            mine,
            series=pl.concat([mine.series, theirs.series]).gather(kept),
            missing_tokens=tuple(sorted(tokens.items(), key=lambda item: (-item[1], item[0]))),
            failed=mine.failed + theirs.failed,
            failed_examples=(mine.failed_examples + theirs.failed_examples)[:EXAMPLES],
        )
        return RunningColumn(
            sample, hashes[kept], self.rows + other.rows, self.missing + other.missing,
            self.spread + other.spread, self.distinct + other.distinct,
        )  # fmt: skip

    def card(self, role: str = "input") -> ColumnCard:
        """The card of the whole column, saying what comes from the sample."""
        card = replace(bare_card(self.sample, role), missing=self.missing)
        if self.rows > SAMPLE_ROWS:
            card = self._with_exact_sums(card)
        return with_notes(card)

    def _with_exact_sums(self, card: ColumnCard) -> ColumnCard:
        notes = card.notes
        if not self.distinct.exact:
            notes += ("the number of distinct cells is estimated from a sample of them",)
        card = replace(card, distinct=self.distinct.count, notes=notes)
        if self.sample.kind not in MEASURED:
            return replace(card, levels=shown_levels(self.sample, self.distinct))
        n, spread = self.spread.n, self.spread
        return replace(
            card,
            minimum=spread.minimum,
            maximum=spread.maximum,
            mean=spread.mean if n else None,
            deviation=math.sqrt(spread.squares / (n - 1)) if n > 1 else None,
            notes=(*notes, f"median and histogram are of a sample of {SAMPLE_ROWS:,} of the {self.rows:,} rows"),
        )
