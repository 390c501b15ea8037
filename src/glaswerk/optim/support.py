"""What a support vector machine knows once it is found: machines, supporting rows, and the facts they speak."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.facts import Coefficient, Coefficients, Curve, Fact, Line, Table
from glaswerk.optim.machine import Machine
from glaswerk.stats.kernel_functions import KernelFunction, n_polynomial_features, polynomial_features

MOST_SHOWN = 10
FEW_FEATURES = 2_000  # of a polynomial kernel: so many are written out to check the kernel's identity
FEW_ROWS = 200


@storable("SupportSolution", version=1)
@dataclass(frozen=True, eq=False)
class SupportSolution:
    """The machines, the rows that support any of them (`points`, their numbers `support`), the kernel, the origin."""

    machines: tuple[Machine, ...]
    support: np.ndarray
    points: Array
    kernel: KernelFunction | None
    origin: Array
    counts: np.ndarray

    @property
    def weights(self) -> Array:
        """β of every supporting row in every machine (machines, rows)."""
        place = {int(row): k for k, row in enumerate(self.support)}
        found = np.zeros((len(self.machines), len(self.support)))
        for m, machine in enumerate(self.machines):
            found[m, [place[int(row)] for row in machine.rows]] = machine.beta
        return found

    @property
    def intercepts(self) -> Array:
        return np.array([machine.intercept for machine in self.machines])

    def check(self) -> None:
        if self.points.ndim != 2 or len(self.points) != len(self.support) or not self.machines:
            raise ValueError("a solution needs machines and one row of cells for every supporting row")
        if not {int(r) for machine in self.machines for r in machine.rows} <= {int(r) for r in self.support}:
            raise ValueError("a machine is supported by a row that is not there")

    @property
    def plane(self) -> bool:
        """Whether the machines are planes in the columns themselves."""
        return self.kernel is not None and self.kernel.kind == "linear"

    def planes(self) -> Array:
        """w of every machine (machines, d)."""
        found: Array = self.weights @ self.points
        return found

    def intercepts_as_they_come(self) -> Array:
        """b for rows as they come, not about the origin."""
        return self.intercepts - self.planes() @ self.origin if self.plane else self.intercepts


def support_facts(known: SupportSolution, classes: Sequence[Any], names: Sequence[str], C: float) -> Iterator[Fact]:
    """The machines with their proofs, planes where they are in the columns, the rows that weigh most, the walks."""
    titles = [f"{classes[m.second]} against {classes[m.first]}" for m in known.machines]
    yield machine_table(known, titles, C)
    if known.plane:
        yield from plane_tables(known, titles, names)
    yield support_table(known, names)
    walks = [(title, m.trace) for title, m in zip(titles, known.machines, strict=True) if len(m.trace) > 1]
    if walks:
        yield walk_curve(walks)


def machine_table(known: SupportSolution, titles: Sequence[str], C: float) -> Table:
    """Each machine, and by how much its optimum is missed."""
    heads = (
        "classes", "supporting rows", "of these inside the margin", "width of the margin", "b", "primal", "dual",
        "relative gap", "worst KKT violation", "steps", "found by",
    )  # fmt: skip
    rows = tuple(
        (
            title, len(m.rows), m.bounded, m.width, m.intercept, m.primal, m.dual, m.gap, m.violation, m.steps,
            m.method if m.settled else f"{m.method}, not converged",
        )
        for title, m in zip(titles, known.machines, strict=True)
    )  # fmt: skip
    formula = "given by the user" if known.kernel is None else known.kernel.formula
    told = tuple(f"{title}: {m.certificate}" for title, m in zip(titles, known.machines, strict=True) if m.certificate)
    return Table("Support vector machines", heads, rows, (f"kernel: {formula}; C = {C:g}", *identity(known), *told))


def identity(known: SupportSolution) -> tuple[str, ...]:
    """[SCH-PHI] The sentence that φ(a)ᵀφ(b) is K(a, b), checked on supporting rows where φ can be written out."""
    kernel, columns = known.kernel, known.points.shape[1]
    if kernel is None or kernel.kind != "poly" or kernel.coef0 < 0:
        return ()
    features = n_polynomial_features(columns, kernel.degree, kernel.coef0)
    if features > FEW_FEATURES:
        return (f"the kernel stands for {features:,} features that are never computed",)
    rows = known.points[:FEW_ROWS]
    written = polynomial_features(rows, kernel.degree, kernel.gamma, kernel.coef0)
    cells = kernel.matrix(rows, rows)
    off = float(np.abs(written @ written.T - cells).max() / max(float(np.abs(cells).max()), np.finfo(float).tiny))
    return (
        f"the kernel stands for {features:,} features; written out for {len(rows)} rows, φ(a)ᵀφ(b) is K(a, b) to "
        f"{off:.1e}",
    )


def support_table(known: SupportSolution, names: Sequence[str]) -> Table:
    """The rows that weigh most in any machine."""
    weight = np.abs(known.weights).max(axis=0)
    order = np.argsort(-weight, kind="stable")[:MOST_SHOWN]
    cells, shown = known.points + known.origin, names[:6] if known.points.shape[1] == len(names) else ()
    rows = tuple((int(known.support[k]), float(weight[k]), *(float(v) for v in cells[k, : len(shown)])) for k in order)
    return Table("The rows that support most", ("row", "largest |α|", *shown), rows, ("rows are counted from 0",))


def plane_tables(known: SupportSolution, titles: Sequence[str], names: Sequence[str]) -> Iterator[Coefficients]:
    """w and b of every machine."""
    for title, w, b in zip(titles, known.planes(), known.intercepts_as_they_come(), strict=True):
        rows = [Coefficient(name, float(weight)) for name, weight in zip(names, w, strict=True)]
        note = "above 0 the first named class is predicted; no standard errors: the margin is no likelihood"
        yield Coefficients(title, 0.95, (Coefficient("intercept", float(b)), *rows), (note,))


def walk_curve(walks: Sequence[tuple[str, Array]]) -> Curve:
    """How far the gradient led along the way."""
    lines = tuple(Line(title, tuple(t[:, 0].tolist()), tuple(t[:, 1].tolist())) for title, t in walks[:6])
    says = "The steps end where no pair of rows promises more than tol."
    return Curve("How far the gradient leads", "steps", "lead of the best pair", lines, says=says, y_scale="log")
