"""Facts: what a model knows, as plain data. Below them arrays, above them only facts.

Every fact has a `table()`: text, report, JSON and studio show the same numbers because they show the same table.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any

Cell = str | float | int | bool | None


@dataclass(frozen=True)
class Table:
    """Named columns of cells, with a title and notes: the form in which every fact can be shown."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        cells = [[*map(str, self.columns)], *([shown(cell) for cell in row] for row in self.rows)]
        widths = [max(len(row[k]) for row in cells) for k in range(len(self.columns))]
        numeric = [all(not isinstance(row[k], str) for row in self.rows) for k in range(len(self.columns))]
        lines = [
            "  ".join(
                c.rjust(w) if right else c.ljust(w) for c, w, right in zip(row, widths, numeric, strict=True)
            ).rstrip()
            for row in cells
        ]
        rule = "─" * max(len(line) for line in [self.title, *lines])
        return "\n".join([self.title, rule, *lines, *(f"  {note}" for note in self.notes)])


def shown(cell: Cell) -> str:
    """Six significant digits, words as they are, nothing for nothing."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.6g}" if math.isfinite(cell) else str(cell)
    return str(cell)


@dataclass(frozen=True)
class Coefficient:
    """One weight of a linear model with its uncertainty; t and p test it against zero."""

    name: str
    estimate: float
    standard_error: float | None = None
    t: float | None = None
    p: float | None = None
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class Coefficients:
    """The weights for one target, intercept first where there is one."""

    target: str
    level: float
    rows: tuple[Coefficient, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        percent = f"{100 * self.level:g} %"
        columns = ("column", "coefficient", "std. error", "t", "p", f"lower {percent}", f"upper {percent}")
        rows = tuple((r.name, r.estimate, r.standard_error, r.t, r.p, r.lower, r.upper) for r in self.rows)
        return Table(f"Coefficients for {self.target}", columns, rows, self.notes)


@dataclass(frozen=True)
class Goodness:
    """How far a regression's fit lies from the rows it was fitted to. `sigma` estimates the noise's deviation."""

    target: str
    rows: int
    weight: float
    degrees_of_freedom: float
    rss: float
    tss: float
    r2: float | None
    sigma: float | None
    noise_precision: float | None
    log_likelihood: float | None
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            ("rows", self.rows),
            ("degrees of freedom left", self.degrees_of_freedom),
            ("residual sum of squares", self.rss),
            ("total sum of squares", self.tss),
            ("R²", self.r2),
            ("noise deviation σ", self.sigma),
            ("noise precision β (maximum likelihood)", self.noise_precision),
            ("log-likelihood", self.log_likelihood),
        ]
        return Table(f"Fit of {self.target}", ("quantity", "value"), tuple(rows), self.notes)


@dataclass(frozen=True)
class Numerics:
    """How a linear system was solved, and what its answer is worth."""

    rung: str
    passes: int
    rank: int
    columns: int
    condition: float
    digits: float
    digits_of_data: float
    repeated: tuple[str, ...] = ()

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            ("solved by", self.rung),
            ("passes over the rows", self.passes),
            ("rank", f"{self.rank} of {self.columns} columns"),
            ("condition number, columns scaled", self.condition),
            ("digits to expect in the worst coefficient", round(self.digits, 1)),
            ("digits that the rounding of the inputs has left", round(self.digits_of_data, 1)),
        ]
        return Table("Numerics", ("quantity", "value"), tuple(rows), self.repeated)


@dataclass(frozen=True)
class MethodCard:
    """What a learner assumes and prefers: the bias without which nothing can be learnt (script C, chapter 1)."""

    name: str
    formula: str
    equations: tuple[str, ...]
    cost: str
    assumes: tuple[str, ...]
    restriction_bias: str
    preference_bias: str
    not_for: tuple[str, ...]

    def table(self) -> Table:
        rows = [
            ("model", self.formula),
            ("cost", self.cost),
            ("restriction bias", self.restriction_bias),
            ("preference bias", self.preference_bias),
            *(("assumes", text) for text in self.assumes),
            *(("not for", text) for text in self.not_for),
        ]
        return Table(f"Method: {self.name}", ("", "what"), tuple(rows))


Fact = Coefficients | Goodness | Numerics | MethodCard | Table


class Facts(tuple[Fact, ...]):
    """All facts of one model, in reading order; printing it prints their tables."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n\n".join(str(fact if isinstance(fact, Table) else fact.table()) for fact in self)

    def of_kind(self, kind: type) -> list[Any]:
        return [fact for fact in self if isinstance(fact, kind)]

    def to_json(self) -> list[dict[str, Any]]:
        """Plain dictionaries, numbers that JSON lacks as None."""
        return [{"kind": type(fact).__name__, **_plain(asdict(fact))} for fact in self]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
