"""One support vector machine for two classes: which algorithm finds it, and what proves that it is the one.

    minimise ½ ‖w‖² + Σ Cᵢ max(0, 1 - yᵢ f(xᵢ)),   f(x) = wᵀφ(x) + b = Σ βᵢ K(xᵢ, x) + b          [SCH-SOFT] [SCH-W]

The duality gap, primal less dual, bounds how far both are from the optimum: it is what to look at, not the tolerance.
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.optim.dual import Dual, DualEnd, solve_dual
from glaswerk.optim.interior_point import interior_point
from glaswerk.optim.nearest_hulls import nearest_hulls

NO_LIMIT = 10_000_000  # steps, where the user sets none
AT_BOUND = 1e-6  # of C: what interior points stop short of
INNER_GAP = 1e-13  # relative, between primal and dual: interior points are asked for all digits there are
INNER_SETTLED = 1e-9  # and have converged where they reach this
BALANCED = 1e-12  # of Σ α: so little may Σ α y miss 0 where every α is at a bound
TRACE = 60  # gaps kept of a walk


@dataclass(frozen=True)
class Effort:
    """How far to go: the lead of the gradient to stop at, steps at most, megabytes of cached kernel rows."""

    tolerance: float
    most: int
    megabytes: float


@storable("Machine", version=1)
@dataclass(frozen=True, eq=False)
class Machine:
    """What was found for one pair of classes.

    `first` and `second` number the classes (f > 0 means `second`), `rows` the training rows that support the plane,
    `beta` their yᵢ αᵢ, `bounded` how many lie inside the margin (α at its bound). `width` of the margin is 2 / ‖w‖.
    `violation`: by how much the worst row breaks the optimality conditions. `trace`: (steps, lead of the gradient).
    """

    first: int
    second: int
    rows: np.ndarray
    beta: Array
    intercept: float
    bounded: int
    width: float
    primal: float
    dual: float
    violation: float
    steps: int
    settled: bool
    method: str
    certificate: str
    trace: Array

    @property
    def gap(self) -> float:
        """Primal less dual, relative to the primal."""
        return (self.primal - self.dual) / abs(self.primal) if self.primal else 0.0

    def check(self) -> None:
        if self.rows.shape != self.beta.shape or self.beta.ndim != 1 or self.trace.ndim != 2:
            raise ValueError("a machine needs one weight for every row that supports it")


@dataclass(frozen=True, eq=False)
class Optimum:
    """β of all rows and Kβ, the intercept, and how they came about."""

    beta: Array
    product: Array
    intercept: float
    steps: int
    settled: bool
    method: str
    certificate: str = ""
    trace: tuple[tuple[int, float], ...] = ()


def find_machine(dual: Dual, effort: Effort) -> Optimum:
    """The optimum by the algorithm that suits: nearest hulls where C has no bound, interior points for planes."""
    if np.isinf(dual.upper).any():
        return _hard(dual, effort)
    n, d = dual.X.shape
    if dual.kernel.kind == "linear" and dual.cells is None and d < n:
        return _inner(dual)
    trace: list[tuple[int, float]] = []
    end = solve_dual(dual, effort.tolerance, effort.most, effort.megabytes, watch=lambda *seen: trace.append(seen))
    return Optimum(
        end.beta, dual.pull - end.gradient, _middle(dual, end), end.steps, end.settled,
        "sequential minimal optimisation", trace=_thinned(trace),
    )  # fmt: skip


def _hard(dual: Dual, effort: Effort) -> Optimum:
    found = nearest_hulls(dual, effort.most, effort.megabytes)
    if not found.separable:
        raise ValueError(
            f"C=inf asks for a plane with no row on its wrong side, and the rows are {found.says()}; take a finite C"
        )
    top, bottom = found.product[dual.side > 0].min(), found.product[dual.side < 0].max()
    scale = 2.0 / float(top - bottom)
    close = found.distance - found.gap <= 1e-3 * found.distance
    return Optimum(
        scale * found.beta, scale * found.product, -0.5 * scale * float(top + bottom), found.steps, close,
        "nearest points of the two hulls", found.says(),
    )  # fmt: skip


def _inner(dual: Dual) -> Optimum:
    """Interior points, then every variable that stopped just short of a bound is put there."""
    end = interior_point(dual.X * dual.side[:, None], dual.side, dual.upper, INNER_GAP)
    share = end.alpha / dual.upper
    alpha = np.where(share < AT_BOUND, 0.0, np.where(share > 1 - AT_BOUND, dual.upper, end.alpha))
    free = (alpha > 0) & (alpha < dual.upper)
    defect = float(dual.side @ alpha)
    if free.any():
        alpha[free] -= dual.side[free] * defect / int(free.sum())
    elif abs(defect) > BALANCED * float(alpha.sum()):
        alpha = end.alpha
    beta = dual.side * alpha
    product = dual.X @ (dual.X.T @ beta)
    gap = DualEnd(beta, dual.pull - product, end.rounds, end.gap, end.gap <= INNER_SETTLED)
    return Optimum(beta, product, _middle(dual, gap), end.rounds, gap.settled, "interior points")


def _middle(dual: Dual, end: DualEnd) -> float:
    """b: the mean of y - Kβ over the rows on the margin; where there are none, the middle of what it may be."""
    low, high = dual.low, dual.high
    free = (end.beta > low) & (end.beta < high)
    if free.any():
        return float(end.gradient[free].mean())
    top = end.gradient[end.beta < high].max(initial=-np.inf)
    bottom = end.gradient[end.beta > low].min(initial=np.inf)
    return float(0.5 * (top + bottom)) if np.isfinite(top) and np.isfinite(bottom) else 0.0


def described(dual: Dual, found: Optimum, places: np.ndarray, classes: tuple[int, int]) -> Machine:
    """The optimum as a file keeps it: supporting rows only, and how good it is."""
    margin = dual.side * (found.product + found.intercept)
    length = max(0.0, float(found.beta @ found.product))
    slack = np.maximum(0.0, 1.0 - margin)
    hard = np.isinf(dual.upper)
    loss = 0.0 if hard.all() else float(dual.upper @ slack)
    alpha = np.abs(found.beta)
    held = np.flatnonzero(alpha)
    # α = 0 asks for y f ≥ 1, α = C for y f ≤ 1, in between y f = 1.
    broken = np.where(
        alpha == 0, slack, np.where(alpha >= dual.upper, np.maximum(0.0, margin - 1.0), np.abs(margin - 1))
    )
    return Machine(
        *classes, places[held], found.beta[held], found.intercept, int((alpha >= dual.upper).sum()),
        2.0 / np.sqrt(length) if length else np.inf, 0.5 * length + loss, float(alpha.sum()) - 0.5 * length,
        float(broken.max(initial=0.0)), found.steps, found.settled, found.method, found.certificate,
        np.array(found.trace, dtype=np.float64).reshape(-1, 2),
    )  # fmt: skip


def _thinned(trace: list[tuple[int, float]]) -> tuple[tuple[int, float], ...]:
    return tuple(trace[:: max(1, -(-len(trace) // TRACE))])
