"""The data card of a file of any size in bounded memory: what `read_table(path).card()` says, without the table.

The file is read twice in batches: once for the evidence that decides the kinds, once to count what the columns hold.
Kinds, missing cells, failed cells, extremes, sums and fingerprint are those of the whole file. Of more than 10,000 rows
the median and the histogram are those of a sample; more than 50,000 distinct cells are estimated. Notes say so.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from glaswerk.facts import DataCard
from glaswerk.table.batches import Batches, open_batches
from glaswerk.table.card import table_notes
from glaswerk.table.column import Column, Kind
from glaswerk.table.converting import convert, converted_column
from glaswerk.table.deciding import WORD_KINDS, Decision, Surroundings, Wish, decide
from glaswerk.table.delimited import Cells, ragged
from glaswerk.table.distinct import Distinct
from glaswerk.table.errors import TableError
from glaswerk.table.evidence import Evidence, Plain, observe, plain_numbers
from glaswerk.table.fingerprint import CellsPrint, combined
from glaswerk.table.naming import identifies, near_names
from glaswerk.table.native import in_frames, typed_column, words_of
from glaswerk.table.running import RunningColumn, row_hashes
from glaswerk.table.typed import unknown_column
from glaswerk.table.wishes import Wishes, surroundings


def describe_file(
    path: str | os.PathLike[str],
    *,
    kinds: Mapping[str, str] | None = None,
    missing: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    levels: Mapping[str, Sequence[str]] | None = None,
    name: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> DataCard:
    """The data card of the delimited text or Parquet file at `path`; the parameters are those of `read_table`."""
    wishes = Wishes.of(kinds, missing, levels, decimal)
    batches = open_batches(path, separator, encoding, header)
    names = batches.naming.names
    wishes.refuse_unknown(names)
    for role in (target, weight):
        if role is not None and role not in names:
            raise TableError(unknown_column(role, names))
    plans, odd = _plans(batches, wishes)
    columns, prints, rows = _walk(batches, plans)
    if batches.naming.trailing and columns[-1].missing == rows:
        columns, prints = columns[:-1], prints[:-1]
    roles = {target: "target", weight: "weight"}
    cards = tuple(column.card(roles.get(column.sample.name, "input")) for column in columns)
    fingerprint = combined(zip((column.sample for column in columns), prints, strict=True))
    return DataCard(
        name or Path(path).name, rows, cards, batches.reading + ragged(odd), fingerprint, table_notes(cards, rows)
    )


@dataclass(frozen=True)
class Plan:
    """How the cells of one column are read: as a decision says, or as their type does."""

    notes: tuple[str, ...]
    decision: Decision | None = None
    wish: Wish = field(default_factory=Wish)
    identifier: bool = False

    @property
    def kind(self) -> Kind:
        """What delimited cells are read as."""
        assert self.decision is not None
        return self.decision.kind

    def read(self, series: pl.Series, first_row: int) -> Column:
        if self.decision is not None:
            return converted_column(
                convert(words_of(series), self.decision, first_row=first_row), self.decision, self.notes
            )
        typed = typed_column(series, self.notes, self.wish)
        assert typed is not None
        return replace(typed, kind=Kind.IDENTIFIER) if self.identifier else typed


def plans_of(batches: Batches, wishes: Wishes) -> list[Plan]:
    """How every column is to be read, decided from all rows."""
    return _plans(batches, wishes)[0]


def _plans(batches: Batches, wishes: Wishes) -> tuple[list[Plan], Cells]:
    """One pass over the file for the evidence, then the kind of every column; and the rows of other lengths."""
    names = batches.naming.names
    near = near_names(names)
    notes = [
        (*said, *([near[name]] if name in near else ())) for name, said in zip(names, batches.naming.notes, strict=True)
    ]
    seen, odd = _evidence(batches, wishes)
    if batches.separator is not None:
        around = surroundings(seen, batches.separator)
        return [
            Plan(said, decide(name, evidence, wishes.column(name), around))
            for name, evidence, said in zip(names, seen, notes, strict=True)
        ], odd
    schema = odd.frame.schema
    around = Surroundings(numbers_in_text=False)
    return [
        _typed_plan(pl.Series(name, [], schema[name]), evidence, said, wishes.column(name), around)
        for name, evidence, said in zip(names, seen, notes, strict=True)
    ], odd


def _typed_plan(empty: pl.Series, seen: Evidence, notes: tuple[str, ...], wish: Wish, around: Surroundings) -> Plan:
    wish = in_frames(empty, wish)
    if typed_column(empty, (), wish) is None:
        return Plan(notes, decide(empty.name, seen, wish, around))
    if empty.dtype == pl.Int64 and wish.kind is None:
        apart = identifies(empty.name) and seen.rows > 1 and not seen.empty and not seen.distinct.repeats
        said = (*notes, "every row has its own number") if apart else notes
        return Plan(said, None, replace(wish, kind=Kind.NUMBER), apart)
    return Plan(notes, None, wish)


def _evidence(batches: Batches, wishes: Wishes) -> tuple[list[Evidence], Cells]:
    """The evidence in every column, summed over the batches, and the rows of other lengths.

    Numbers are not listed one by one. Where a column turns out to be of words after batches of numbers, it is gone
    through again: levels are those of all rows.
    """
    found, odd = _observed(batches, wishes, None)
    again = frozenset(
        name
        for name, seen in zip(batches.naming.names, found, strict=True)
        if batches.separator is not None and seen.of_words and seen.listed < seen.rows - seen.empty + seen.blank
    )
    if again:
        listed, _ = _observed(batches, wishes, again)
        found = [
            complete if name in again else seen
            for name, seen, complete in zip(batches.naming.names, found, listed, strict=True)
        ]
    return found, odd


def _observed(batches: Batches, wishes: Wishes, only: frozenset[str] | None) -> tuple[list[Evidence], Cells]:
    """One pass over all columns; or over some of them, whose distinct cells are listed."""
    found = [Evidence() for _ in batches.naming.names]
    odd: Cells | None = None
    for cells in batches.frames():
        frame, odd = cells.frame, odd.noted(cells) if odd else cells
        plain = plain_numbers(frame) if batches.separator is not None else {}
        for place, series in enumerate(frame.iter_columns()):
            if only is None or series.name in only:
                wish = wishes.column(series.name)
                found[place] += _evidence_in(series, plain.get(series.name), wish, batches.separator, only is not None)
    assert odd is not None
    return found, odd


def _evidence_in(series: pl.Series, plain: Plain | None, wish: Wish, separator: str | None, listed: bool) -> Evidence:
    if separator is None:
        return _typed_evidence(series, in_frames(series, wish))
    listed = listed or wish.kind in WORD_KINDS or identifies(series.name)
    return observe(series, plain, commas=separator != ",", count_distinct=listed, missing=wish.missing)


def _typed_evidence(series: pl.Series, wish: Wish) -> Evidence:
    if typed_column(series.clear(), (), wish) is None:
        return observe(words_of(series), count_distinct=True, missing=wish.missing)
    if series.dtype == pl.Int64 and identifies(series.name):
        return Evidence(len(series), series.null_count(), distinct=Distinct.of(series.cast(pl.String)))
    return Evidence(len(series), series.null_count())


def _walk(batches: Batches, plans: Sequence[Plan]) -> tuple[list[RunningColumn], list[CellsPrint], int]:
    """One pass over the file to count what the columns hold."""
    columns: list[RunningColumn] = []
    prints = [CellsPrint() for _ in plans]
    row = 0
    for cells in batches.frames():
        frame = cells.frame
        hashes = row_hashes(row, row + len(frame))
        read = [plan.read(series, row + 1) for plan, series in zip(plans, frame.iter_columns(), strict=True)]
        for column, printed in zip(read, prints, strict=True):
            printed.add(column.series)
        levels = [column.distinct.level for column in columns] or [0] * len(read)
        more = [RunningColumn.of(column, hashes, level) for column, level in zip(read, levels, strict=True)]
        columns = [old + new for old, new in zip(columns, more, strict=True)] if columns else more
        row += len(frame)
    return columns, prints, row
