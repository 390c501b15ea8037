"""From typed columns to the data card: what a person should know before fitting anything."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glaswerk.facts import ColumnCard, DataCard
from glaswerk.table.column import Column, Kind
from glaswerk.table.distinct import Distinct
from glaswerk.table.errors import shown

MOST_BINS = 30
MOST_LEVELS = 20
LARGEST, TINIEST = np.finfo(np.float64).max, np.finfo(np.float64).tiny
MEASURED = frozenset({Kind.NUMBER, Kind.DATE})


def table_card(
    name: str,
    columns: Iterable[Column],
    reading: tuple[tuple[str, str], ...],
    roles: Mapping[str, str],
    fingerprint: str,
) -> DataCard:
    """The card of a table in memory: every number in it is exact."""
    cards = tuple(column_card(column, roles.get(column.name, "input")) for column in columns)
    rows = max((len(column) for column in columns), default=0)
    return DataCard(name, rows, cards, reading, fingerprint, table_notes(cards, rows))


def table_notes(cards: Iterable[ColumnCard], rows: int) -> tuple[str, ...]:
    failed = [card for card in cards if card.failed]
    notes: tuple[str, ...] = () if rows else ("the table has no rows",)
    if failed:
        cells = sum(card.failed for card in failed)
        said = ", ".join(shown(card.name) for card in failed[:5]) + (", …" if len(failed) > 5 else "")
        notes += (f"{cells} cells did not read as the kind of their column and count as missing: {said}",)
    return notes


def column_card(column: Column, role: str = "input") -> ColumnCard:
    """What one column holds."""
    return with_notes(bare_card(column, role))


def bare_card(column: Column, role: str) -> ColumnCard:
    """The card without the notes that follow from its numbers."""
    card = ColumnCard(
        column.name, str(column.kind), role, column.series.null_count(), column.missing_tokens,
        column.failed, column.failed_examples, notes=column.notes,
    )  # fmt: skip
    if column.kind in MEASURED:
        cells = column.numbers()
        distinct = column.series.drop_nulls().n_unique()
        return replace(card, **measures(cells[~np.isnan(cells)], distinct))
    counted = Distinct.of(words(column))
    return replace(card, distinct=counted.count, levels=shown_levels(column, counted))


def words(column: Column) -> pl.Series:
    """The cells of a column of words, a flag's as its two words."""
    if column.kind != Kind.FLAG:
        return column.series.cast(pl.String)
    false, true = (*column.levels, "", "")[:2]
    return column.series.cast(pl.Int8).replace_strict({0: false, 1: true}, default=None, return_dtype=pl.String)


def shown_levels(column: Column, counted: Distinct) -> tuple[tuple[str, int], ...]:
    """The most frequent words; all levels in order where they have one and are few; none where no word repeats."""
    if column.kind in {Kind.ORDERED, Kind.FLAG} and len(column.levels) <= MOST_LEVELS:
        times = dict(counted.kept.rows())
        return tuple((level, times.get(level, 0)) for level in column.levels)
    if column.kind in {Kind.TEXT, Kind.IDENTIFIER} and not counted.repeats:
        return ()
    return counted.most_frequent(MOST_LEVELS)


def measures(cells: NDArray[np.float64], distinct: int | None) -> dict[str, Any]:
    """The fields of a card that measure numbers; infinite ones count in the extremes only."""
    finite = cells[np.isfinite(cells)]
    found: dict[str, Any] = {"distinct": distinct, "histogram": histogram(finite)}
    if len(cells):
        found |= {"minimum": float(cells.min()), "maximum": float(cells.max())}
    if len(finite):
        largest = float(np.abs(finite).max()) or 1.0
        scaled = finite / largest  # squares of 1e300 are beyond a double
        mean = float(scaled.mean())
        found |= {"median": float(np.median(finite)), "mean": mean * largest}
        if len(finite) > 1:
            found["deviation"] = math.sqrt(float(np.square(scaled - mean).sum()) / (len(finite) - 1)) * largest
    return found


def histogram(cells: NDArray[np.float64]) -> tuple[tuple[float, float, int], ...]:
    """(from, to, rows) between round edges: at most 30 steps of 1, 2 or 5 × 10ᵏ; an edge belongs to its right."""
    if not len(cells):
        return ()
    low, high = float(cells.min()), float(cells.max())
    if low == high:
        return ((low, high, len(cells)),)
    step = round_step(low, high, bool((cells == np.round(cells)).all()))
    if not np.isfinite(step) or step <= max(abs(low) * 1e-12, TINIEST):
        return ((low, high, len(cells)),)
    first, last = math.floor(low / step), math.floor(high / step) + 1
    places = np.arange(first, last + 1)
    with np.errstate(over="ignore"):
        # 3 / 20 is 0.15, 3 × 0.05 is not; and the last step may lead beyond the doubles.
        edges = np.clip(places * step if step >= 1 else places / float(round(1 / step)), -LARGEST, LARGEST)
    bins = np.clip(np.searchsorted(edges, cells, side="right") - 1, 0, len(edges) - 2)
    counts = np.bincount(bins, minlength=len(edges) - 1)
    return tuple((float(a), float(b), int(n)) for a, b, n in zip(edges, edges[1:], counts, strict=False))


def round_step(low: float, high: float, whole: bool) -> float:
    """The smallest round step that cuts low … high into few enough pieces; no fraction for whole numbers."""
    wanted = high / (MOST_BINS - 2) - low / (MOST_BINS - 2)
    if not np.isfinite(wanted) or wanted <= 0:
        return math.inf
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= wanted)
    return max(step, 1.0) if whole else step


def with_notes(card: ColumnCard) -> ColumnCard:
    """The notes that follow from the numbers of the card itself."""
    notes = list(card.notes)
    if card.distinct == 0 and card.missing:
        notes.append("every cell is missing")
    if card.distinct == 1:
        notes.append("constant: every filled cell is the same")
    if card.kind == Kind.NUMBER and card.distinct == 2 and (card.minimum, card.maximum) == (0.0, 1.0):
        notes.append(f"only 0 and 1: read as a number; kinds={{{shown(card.name)}: 'flag'}} makes it a flag")
    if math.inf in {abs(card.minimum or 0.0), abs(card.maximum or 0.0)}:
        notes.append("infinite cells: left out of mean, median and histogram")
    return replace(card, notes=tuple(notes))
