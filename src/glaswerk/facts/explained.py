"""Why a model answers as it does, and where it is wrong: parts of one answer, importances, dependence, segments."""

from dataclasses import dataclass

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Part:
    """What one column adds to one answer; `error` is the standard error of a sampled part, 0 for an exact one."""

    column: str
    value: str
    adds: float
    error: float = 0.0


@dataclass(frozen=True)
class Contributions:
    """One answer as a sum: base + Σ parts = answer. `scale` is what is summed up: the target, log-odds, a probability.

    `additive` is False where the parts are no sum; `how` says how they were found, `row` counts from 1.
    """

    target: str
    scale: str
    row: int
    base: float
    answer: float
    parts: tuple[Part, ...]
    how: str
    additive: bool = True
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = [("base", "", self.base, None)]
        rows += [(part.column, part.value, part.adds, part.error or None) for part in self.parts]
        rows.append(("sum, the answer" if self.additive else "the answer, not the sum", "", self.answer, None))
        title = f"Why row {self.row} is answered so: {self.scale}"
        return Table(title, ("column", "its value", "adds", "± of sampling"), tuple(rows), (self.how, *self.notes))


@dataclass(frozen=True)
class Important:
    """How much worse the answers get when the cells of these columns are shuffled together."""

    columns: tuple[str, ...]
    loss: float
    lower: float | None
    upper: float | None

    @property
    def name(self) -> str:
        return " + ".join(self.columns)


@dataclass(frozen=True)
class Importance:
    """Permutation importance on rows outside the fit, most important first; `groups` are columns that move together."""

    target: str
    candidate: str
    metric: str
    score: float
    level: float
    rows: tuple[Important, ...]
    groups: tuple[Important, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        percent = f"{100 * self.level:g} %"
        heads = ("shuffled", f"{self.metric} worse by", f"lower {percent}", f"upper {percent}")
        rows = tuple((r.name, r.loss, r.lower, r.upper) for r in (*self.rows, *self.groups))
        title = f"What {self.candidate} loses without a column: {self.metric} of {self.score:.4g} gets worse"
        return Table(title, heads, rows, self.notes)


@dataclass(frozen=True)
class Dependence:
    """Partial dependence: the mean answer if a column had this value in every row; limits hold four rows in five.

    A column of numbers has `values` and a `histogram` of (from, to, rows); one of levels has `levels` with their rows.
    """

    column: str
    target: str
    candidate: str
    mean: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    values: tuple[float, ...] = ()
    levels: tuple[tuple[str, int], ...] = ()
    histogram: tuple[tuple[float, float, int], ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        if self.levels:
            heads: tuple[str, ...] = (self.column, "rows", "mean answer", "lower 80 %", "upper 80 %")
            rows: tuple[tuple[Cell, ...], ...] = tuple(
                (name, count, m, lo, hi)
                for (name, count), m, lo, hi in zip(self.levels, self.mean, self.lower, self.upper, strict=True)
            )
        else:
            heads = (self.column, "mean answer", "lower 80 %", "upper 80 %")
            rows = tuple(zip(self.values, self.mean, self.lower, self.upper, strict=True))
        return Table(f"Partial dependence of {self.target} on {self.column}", heads, rows, self.notes)


@dataclass(frozen=True)
class Segment:
    """Rows that share a value or a range of one column, and the error there."""

    column: str
    part: str
    rows: int
    score: float
    lower: float | None
    upper: float | None
    verdict: str


@dataclass(frozen=True)
class Segments:
    """Where the error out of fold is larger or smaller than elsewhere; limits allow for all `tried` at once."""

    target: str
    candidate: str
    metric: str
    score: float
    level: float
    tried: int
    rows: tuple[Segment, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        percent = f"{100 * self.level:g} %"
        heads = ("column", "rows with", "rows", self.metric, f"lower {percent}", f"upper {percent}", "verdict")
        rows = tuple((r.column, r.part, r.rows, r.score, r.lower, r.upper, r.verdict) for r in self.rows)
        title = f"Where {self.candidate} is wrong: {self.metric} by segment, {self.score:.4g} over all rows"
        return Table(title, heads, rows, self.notes)


@dataclass(frozen=True)
class Pull:
    """How far a row lies from the others, how wrong its answer is, and how far it pulls a fit."""

    row: int
    observed: float
    predicted: float
    residual: float
    leverage: float
    studentised: float
    cook: float


@dataclass(frozen=True)
class Influence:
    """The rows that pull hardest (`rows`), and a cloud of at most 1,500 rows to see them in."""

    target: str
    candidate: str
    terms: int
    total: int
    rows: tuple[Pull, ...]
    cloud: tuple[Pull, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        heads = (
            "row",
            f"{self.target} observed",
            "predicted",
            "residual",
            "leverage",
            "studentised",
            "Cook's distance",
        )
        rows = tuple((r.row, r.observed, r.predicted, r.residual, r.leverage, r.studentised, r.cook) for r in self.rows)
        return Table(f"The {len(rows)} rows that pull hardest", heads, rows, self.notes)
