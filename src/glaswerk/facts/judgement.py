"""How a model does on rows it has not seen: comparison of candidates, out-of-fold predictions, findings, words."""

from dataclasses import dataclass
from typing import Literal

from glaswerk.facts.table import Cell, Table

SIMPLEST = "simplest within one standard error"


@dataclass(frozen=True)
class Candidate:
    """One learner judged by cross-validation. Differences are to the best candidate, paired on the same folds.

    `gain` is what it is better by than the baseline (negative: worse), paired likewise. `complexity` counts its free
    parameters. `inner_score` is what a search inside the training rows promised, too good by the luck of choosing.
    """

    name: str
    score: float
    lower: float | None
    upper: float | None
    train_score: float | None
    difference: float | None
    difference_lower: float | None
    difference_upper: float | None
    verdict: str
    fits: int
    fold_scores: tuple[float, ...]
    notes: tuple[str, ...] = ()
    gain: float | None = None
    gain_lower: float | None = None
    gain_upper: float | None = None
    complexity: float | None = None
    inner_score: float | None = None


@dataclass(frozen=True)
class Comparison:
    """Candidates on the same folds, best first, the baseline among them. `plan` says how they were judged, in words.

    `simplest` names the least complex candidate whose error is within one standard error of the best one's.
    """

    metric: str
    better: Literal["lower", "higher"]
    plan: str
    level: float
    rows: tuple[Candidate, ...]
    baseline: str
    notes: tuple[str, ...] = ()
    simplest: str = ""

    def table(self) -> Table:
        """Columns that no candidate has a number for are left out."""
        percent = f"{100 * self.level:g} %"
        inner = any(r.inner_score is not None for r in self.rows)
        counted = any(r.complexity is not None for r in self.rows)
        heads = (
            "candidate", self.metric, f"lower {percent}", f"upper {percent}", "on training rows",
            *(("inner score",) if inner else ()),
            "difference to best", "lower", "upper", "verdict", *(("free parameters",) if counted else ()), "fits",
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = [
            (
                r.name, r.score, r.lower, r.upper, r.train_score, *((r.inner_score,) if inner else ()),
                r.difference, r.difference_lower, r.difference_upper, self.told(r),
                *((r.complexity,) if counted else ()), r.fits,
            )
            for r in self.rows
        ]  # fmt: skip
        return Table(f"Comparison by {self.metric}: {self.plan}", heads, tuple(rows), self.notes)

    def told(self, row: Candidate) -> str:
        """The verdict, with a word at the simplest candidate that is nearly as good as the best."""
        return f"{row.verdict}, {SIMPLEST}" if row.name == self.simplest else row.verdict


@dataclass(frozen=True)
class OutOfFold:
    """Predictions of a regression for rows it was not fitted to; at most 2,000 rows are kept, `rows` counts all.

    `quantiles` are (normal quantile, standardised residual) of all rows, `coverage` (level promised, share held).
    """

    target: str
    candidate: str
    rows: int
    row: tuple[int, ...]
    observed: tuple[float, ...]
    predicted: tuple[float, ...]
    quantiles: tuple[tuple[float, float], ...] = ()
    coverage: tuple[tuple[float, float], ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        rows = sorted(
            zip(self.row, self.observed, self.predicted, strict=True), key=lambda r: abs(r[1] - r[2]), reverse=True
        )
        shown = tuple((i, t, p, t - p) for i, t, p in rows[:10])
        heads = ("row", self.target, "predicted", "residual")
        return Table(f"The ten rows of {self.target} predicted worst", heads, shown, self.notes)


@dataclass(frozen=True)
class Confusion:
    """Out-of-fold classes: `counts[i][j]` rows of class i predicted as class j."""

    target: str
    candidate: str
    classes: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        heads = (f"{self.target} is", *(f"predicted {c}" for c in self.classes), "recognised")
        rows = tuple(
            (name, *row, row[k] / sum(row) if sum(row) else None)
            for k, (name, row) in enumerate(zip(self.classes, self.counts, strict=True))
        )
        return Table(f"Confusion of {self.target}", heads, rows, self.notes)


@dataclass(frozen=True)
class Finding:
    """Something a person should know before using the model. Codes are stable: GW001, GW002, …"""

    code: str
    severity: Literal["error", "warning", "note"]
    title: str
    evidence: str
    remedy: str

    def table(self) -> Table:
        rows = (("severity", self.severity), ("evidence", self.evidence), ("remedy", self.remedy))
        return Table(f"{self.code} {self.title}", ("", "what"), rows)


@dataclass(frozen=True)
class Statement:
    """Sentences under a heading: a verdict, a diagnosis, what was not checked."""

    heading: str
    sentences: tuple[str, ...]

    def table(self) -> Table:
        return Table(self.heading, ("",), tuple((sentence,) for sentence in self.sentences))
