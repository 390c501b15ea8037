"""What a linear model knows: its weights, how well it fits, how its system was solved."""

from dataclasses import dataclass

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Coefficient:
    """One weight of a linear model with its uncertainty; t and p test it against zero.

    `inflation` is how many times larger its variance is than if its column moved with no other (VIF).
    """

    name: str
    estimate: float
    standard_error: float | None = None
    t: float | None = None
    p: float | None = None
    lower: float | None = None
    upper: float | None = None
    inflation: float | None = None


@dataclass(frozen=True)
class Coefficients:
    """The weights for one target, intercept first where there is one."""

    target: str
    level: float
    rows: tuple[Coefficient, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        percent = f"{100 * self.level:g} %"
        shared = any(r.inflation is not None for r in self.rows)
        heads = ("column", "coefficient", "std. error", "t", "p", f"lower {percent}", f"upper {percent}")
        columns = (*heads, *(("VIF",) if shared else ()))
        rows = tuple(
            (r.name, r.estimate, r.standard_error, r.t, r.p, r.lower, r.upper, *((r.inflation,) if shared else ()))
            for r in self.rows
        )
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
