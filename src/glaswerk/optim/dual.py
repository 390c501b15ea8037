"""The dual of a support vector machine by sequential minimal optimisation, in signed variables βᵢ = yᵢ αᵢ.

    maximise yᵀβ - ½ βᵀKβ   where Σ βᵢ = 0 and 0 ≤ yᵢ βᵢ ≤ Cᵢ                                            [SCH-DUAL]

The slide omits both constraints (Σ αᵢ yᵢ = 0, α ≤ C); without them there is no intercept and no soft margin. Each step
moves the two variables that promise most: the gradient g = y - Kβ picks one, first and second derivative the other.
Variables that rest at a bound are left out after a while (shrinking), their gradients are worked out again at the end.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.stats.kernel_functions import KINDS, KernelFunction, blocks_of_rows

BLOCK = 512  # the compiled steps take rows in multiples of it
GIVEN = len(KINDS)
STEPS_BEFORE_SHRINKING = 4  # per row
WORTH_SHRINKING = 0.7  # of the rows at most may stay active
SINGLE = 1e-4  # of the diagonal: at finer tolerances the single precision of the cells shows, and g is worked out anew
FEW_STEPS = 3  # after the gradient was worked out anew: nothing is left to do
NO_SHRINKING_BELOW = 4096  # rows: their pass is shorter than what leaving some out would save


@dataclass(frozen=True, eq=False)
class Dual:
    """A dual problem: rows, side (+1 or -1) and bound of each, the kernel; `cells` where its whole matrix is given.

    `pull` is what the gradient starts from (y, or nothing). `within` keeps a pair on one side: each side's sum stays.
    """

    X: Array
    side: Array
    upper: Array
    kernel: KernelFunction
    cells: NDArray[np.float32] | None = None
    pull: Array = field(default_factory=lambda: np.zeros(0))
    within: bool = False

    def __len__(self) -> int:
        return len(self.side)

    @property
    def low(self) -> Array:
        return np.minimum(0.0, self.side * self.upper)

    @property
    def high(self) -> Array:
        return np.maximum(0.0, self.side * self.upper)

    def take(self, rows: NDArray[np.intp]) -> "Dual":
        """The same problem over these rows only."""
        cells = None if self.cells is None else np.ascontiguousarray(self.cells[np.ix_(rows, rows)])
        return Dual(
            self.X[rows], self.side[rows], self.upper[rows], self.kernel, cells, self.pull[rows], self.within
        )  # fmt: skip

    def product(self, beta: Array) -> Array:
        """Kβ, by blocks; only rows whose β is not 0 are asked."""
        held = np.flatnonzero(beta)
        if self.cells is not None:
            found: Array = self.cells[:, held].astype(np.float64) @ beta[held]
            return found
        cells, out = self.kernel.against(self.X[held]), np.zeros(len(self))
        for rows in blocks_of_rows(len(self), max(1, len(held))):
            out[rows] = cells(self.X[rows]) @ beta[held]
        return out


@dataclass(frozen=True, eq=False)
class DualEnd:
    """Where the steps ended: β, its gradient, how many were taken, and by how much the gradient still leads."""

    beta: Array
    gradient: Array
    steps: int
    gap: float
    settled: bool


@dataclass
class _Work:
    """What the compiled steps hold for one set of active rows: rows by columns, cached rows of the kernel matrix."""

    X: NDArray[np.float32]
    norms: NDArray[np.float32]
    diagonal: Array
    low: Array
    high: Array
    side: Array
    cache: NDArray[np.float32]
    slot_of: NDArray[np.int64]
    row_of: NDArray[np.int64]
    links: NDArray[np.int64]
    bits: NDArray[np.int32]

    @classmethod
    def of(cls, dual: Dual, megabytes: float) -> "_Work":
        n = len(dual)
        width = -(-n // BLOCK) * BLOCK
        X = np.zeros((dual.X.shape[1], width), dtype=np.float32)
        X[:, :n] = dual.X.T
        norms = np.einsum("ij,ij->j", X, X, dtype=np.float64).astype(np.float32)
        given = dual.cells is not None
        slots = width if given else int(min(n, max(2, megabytes * 2**20 // (4 * width))))
        cache = np.zeros((slots, width), dtype=np.float32) if given else np.empty((slots, width), dtype=np.float32)
        rows = np.arange(width) if given else np.full(slots, -1)
        where = np.arange(width) if given else np.full(width, -1)
        diagonal = dual.kernel.diagonal(dual.X)
        if dual.cells is not None:
            cache[:n, :n] = dual.cells
            diagonal = np.diag(dual.cells).astype(np.float64)
        return cls(
            X, norms, _padded(diagonal, width), _padded(dual.low, width), _padded(dual.high, width),
            _padded(dual.side, width), cache, where.astype(np.int64), rows.astype(np.int64),
            _chain(slots), np.zeros(width, dtype=np.int32),
        )  # fmt: skip

    def steps(self, dual: Dual, tolerance: float, most: int, beta: Array, gradient: Array) -> tuple[int, float]:
        """Up to `most` steps; β and its gradient are changed in place."""
        n, width, gap = len(dual), len(self.norms), np.zeros(1)
        moved, pulled = _padded(beta, width), _padded(gradient, width)
        kind = GIVEN if dual.cells is not None else KINDS.index(dual.kernel.kind)
        taken = kernels.smo_steps(
            self.X, self.norms, kind, dual.kernel.gamma, dual.kernel.coef0, dual.kernel.degree, self.diagonal, self.low,
            self.high, self.side, dual.within, tolerance, most, self.cache, self.slot_of, self.row_of, self.links,
            self.bits, self.bits.view(np.float32), moved, pulled, gap,
        )  # fmt: skip
        beta[:], gradient[:] = moved[:n], pulled[:n]
        return int(taken), float(gap[0])


def _chain(slots: int) -> NDArray[np.int64]:
    """Older and newer neighbour of every slot of the cache; the last place holds both ends."""
    place = np.arange(slots + 1)
    return np.stack([np.roll(place, 1), np.roll(place, -1)], axis=1).astype(np.int64)


def _padded(values: Array, width: int) -> Array:
    out = np.zeros(width)
    out[: len(values)] = values
    return out


def solve_dual(
    dual: Dual,
    tolerance: float,
    most: int,
    megabytes: float,
    start: Array | None = None,
    watch: Callable[[int, float], None] | None = None,
) -> DualEnd:
    """Steps until no pair promises more than `tolerance`, or `most`; `watch` is told (steps, gap) now and then."""
    beta = np.zeros(len(dual)) if start is None else start.copy()
    gradient = dual.pull - dual.product(beta) if beta.any() else dual.pull.copy()
    active, part, work = np.arange(len(dual)), dual, _Work.of(dual, megabytes)
    taken, gap = 0, np.inf
    exact = tolerance >= SINGLE * work.diagonal.max()
    while True:
        b, g = beta[active], gradient[active]
        room = min(most - taken, max(1000, STEPS_BEFORE_SHRINKING * len(active)))
        steps, gap = work.steps(part, tolerance, room, b, g)
        taken += steps
        beta[active], gradient[active] = b, g
        if watch is not None:
            watch(taken, gap)
        done = steps < room or taken >= most
        whole = len(active) == len(dual)
        if done and whole and (exact or steps < FEW_STEPS or taken >= most):
            return DualEnd(beta, gradient, taken, gap, gap < tolerance)
        if done:  # gradients of rows left out are stale, those of the others have rounded cells in every step
            gradient = dual.pull - dual.product(beta)
            if not whole:
                active, part, work = np.arange(len(dual)), dual, _Work.of(dual, megabytes)
            if taken >= most:
                gap = work.steps(part, tolerance, 0, beta, gradient)[1]
                return DualEnd(beta, gradient, taken, gap, gap < tolerance)
            continue
        kept = moving(part, b, g)
        if len(active) > NO_SHRINKING_BELOW and len(kept) <= WORTH_SHRINKING * len(active):
            active = active[kept]
            part, work = part.take(kept), _Work.of(part.take(kept), megabytes)


def moving(dual: Dual, beta: Array, gradient: Array) -> NDArray[np.intp]:
    """Rows that may still move: inside their bounds, or at one that the gradient does not hold them to."""
    low, high = dual.low, dual.high
    top = gradient[beta < high].max(initial=-np.inf)
    bottom = gradient[beta > low].min(initial=np.inf)
    held = ((beta >= high) & (gradient > top)) | ((beta <= low) & (gradient < bottom))
    return np.flatnonzero(~held)
