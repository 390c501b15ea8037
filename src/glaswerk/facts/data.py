"""What is known of a table before anything is fitted: its columns, what they hold, what reading them lost."""

from dataclasses import dataclass
from datetime import date, timedelta

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class ColumnCard:
    """One column. `kind` is what it was read as, `role` what becomes of it: target, input, weight, or set aside.

    missing_tokens: how missing cells were written, with their counts. failed: cells that did not read as `kind` and
    are missing now, with examples as (row counted from 1, text). Numbers and dates have a `histogram` of (from, to,
    rows), everything else its most frequent `levels`. Dates are days since 1970-01-01.
    """

    name: str
    kind: str
    role: str = "input"
    missing: int = 0
    missing_tokens: tuple[tuple[str, int], ...] = ()
    failed: int = 0
    failed_examples: tuple[tuple[int, str], ...] = ()
    distinct: int | None = None
    minimum: float | None = None
    median: float | None = None
    maximum: float | None = None
    mean: float | None = None
    deviation: float | None = None
    histogram: tuple[tuple[float, float, int], ...] = ()
    levels: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class DataCard:
    """A whole table: how it was read, its columns, and a fingerprint of its parsed content."""

    name: str
    rows: int
    columns: tuple[ColumnCard, ...]
    reading: tuple[tuple[str, str], ...] = ()
    fingerprint: str = ""
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        heads = (
            "column",
            "kind",
            "role",
            "missing",
            "failed",
            "distinct",
            "lowest",
            "median",
            "mean",
            "highest",
            "notes",
        )
        rows: list[tuple[Cell, ...]] = [
            (
                c.name, c.kind, c.role, c.missing, c.failed, c.distinct,
                *(day(number) if c.kind == "date" else number for number in (c.minimum, c.median, c.mean, c.maximum)),
                "; ".join(c.notes),
            )
            for c in self.columns
        ]  # fmt: skip
        return Table(f"{self.name}: {self.rows} rows, {len(self.columns)} columns", heads, tuple(rows), self.notes)


def day(days: float | None) -> str | None:
    """Days since 1970-01-01 as a date."""
    return None if days is None else str(date(1970, 1, 1) + timedelta(days=round(days)))
