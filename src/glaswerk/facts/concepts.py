"""Concepts: hypotheses as conjunctions of conditions, and the version space between its two boundaries."""

from dataclasses import dataclass

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Hypothesis:
    """One conjunction. `conditions` has a word for each column: a value, `?` for any, `∅` for none.

    `wrong` counts the training rows it labels wrongly; `prior` and `posterior` are its chances before and after them.
    """

    name: str
    conditions: tuple[str, ...]
    wrong: int | None = None
    prior: float | None = None
    posterior: float | None = None


@dataclass(frozen=True)
class Hypotheses:
    """Hypotheses of one language, the most telling first. `columns` are the attributes."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Hypothesis, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        weighed = any(row.posterior is not None for row in self.rows)
        heads = ("hypothesis", *self.columns, *(("rows wrong", "prior", "posterior") if weighed else ()))
        rows: list[tuple[Cell, ...]] = [
            (row.name, *row.conditions, *((row.wrong, row.prior, row.posterior) if weighed else ()))
            for row in self.rows
        ]
        return Table(self.title, heads, tuple(rows), self.notes)


@dataclass(frozen=True)
class VersionSpace:
    """All hypotheses that agree with the rows, between the least one (S) and the greatest ones (G).

    `size` is None where they were not counted, `members` empty where they are too many to list; `edges` join members
    (lower, upper) with nothing between them. `general_count` is None where G was not followed to its end.
    """

    target: str
    columns: tuple[str, ...]
    specific: tuple[tuple[str, ...], ...]
    general: tuple[tuple[str, ...], ...]
    general_count: int | None
    size: int | None
    members: tuple[tuple[str, ...], ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        ends = set(self.specific) | set(self.general)
        between = tuple(member for member in self.members if member not in ends)
        rows: list[tuple[Cell, ...]] = [("S", *h) for h in self.specific]
        rows += [("between", *h) for h in between]
        rows += [("G", *h) for h in self.general if h not in self.specific]
        if set(self.specific) & set(self.general):
            rows = [("S = G" if h[1:] in self.general else h[0], *h[1:]) for h in rows]
        counted = "not counted" if self.size is None else f"{self.size:,} of them"
        return Table(f"Version space of {self.target}: {counted}", ("", *self.columns), tuple(rows), self.notes)
