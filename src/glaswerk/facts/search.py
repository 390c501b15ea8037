"""A search: every setting that was tried, what it scored inside, and which one was taken."""

from dataclasses import dataclass
from typing import Literal

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Setting:
    """One setting tried: its parameters in the order of the search, and its scores on rows not fitted to.

    `lower` and `upper` are one standard error away. `complexity` counts free parameters, `stage` the zooms before it.
    """

    values: tuple[Cell, ...]
    score: float | None
    lower: float | None
    upper: float | None
    train_score: float | None
    complexity: float | None
    stage: int = 0
    failure: str = ""


@dataclass(frozen=True)
class Search:
    """All settings in the order in which they were tried; `chosen` and `best` are their places.

    `scales` says how each parameter was looked at: "linear", "log" or "list". `edges` are sentences on parameters whose
    chosen value is an end of what was searched.
    """

    candidate: str
    metric: str
    better: Literal["lower", "higher"]
    plan: str
    parameters: tuple[str, ...]
    scales: tuple[str, ...]
    rows: tuple[Setting, ...]
    best: int
    chosen: int
    rule: str
    edges: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """Best first."""
        turn = 1.0 if self.better == "lower" else -1.0
        scores = [r.score for r in self.rows]
        order = sorted(range(len(scores)), key=lambda k: (scores[k] is None, turn * (scores[k] or 0.0), k))
        heads = (*self.parameters, self.metric, "one standard error from", "to", "on training rows", "complexity", "")
        rows: list[tuple[Cell, ...]] = []
        for k in order:
            r = self.rows[k]
            word = r.failure or " ".join(w for w, at in (("best", self.best), ("chosen", self.chosen)) if at == k)
            rows.append((*r.values, r.score, r.lower, r.upper, r.train_score, r.complexity, word))
        title = f"Search of {self.candidate}: {len(self.rows)} settings"
        return Table(title, heads, tuple(rows), (self.rule, *self.edges, self.plan, *self.notes))
