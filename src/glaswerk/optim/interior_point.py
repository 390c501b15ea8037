"""The dual of a linear support vector machine by an interior point method with d unknowns in each system.

    minimise ½ αᵀQα - Σ αᵢ,   Q = ZZᵀ,   zᵢ = yᵢ xᵢ,   where yᵀα = 0 and 0 ≤ α ≤ C                      [SCH-DUAL]

Mehrotra's predictor and corrector. (Θ + ZZᵀ)⁻¹ comes from the d × d matrix I + ZᵀΘ⁻¹Z, so a round costs n d² / 2 and
some twenty rounds give all digits, where steps of two variables crawl. When not to use it: more columns than rows.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from glaswerk.base import Array

FRACTION = 0.995  # of the way to the nearest bound
ROUNDS = 100
PATIENCE = 3  # rounds without coming nearer


@dataclass(frozen=True, eq=False)
class InnerEnd:
    """α, the intercept's multiplier, rounds taken, the relative gap between primal and dual that is left."""

    alpha: Array
    intercept: float
    rounds: int
    gap: float


@dataclass
class _Point:
    """α and its distance t to the bound, multipliers s of α ≥ 0 and z of α ≤ C, b of the equation."""

    alpha: Array
    t: Array
    s: Array
    z: Array
    b: float

    @property
    def complementarity(self) -> float:
        return float(self.alpha @ self.s + self.t @ self.z)

    def moved(self, step: "_Point", length: float) -> "_Point":
        return _Point(
            self.alpha + length * step.alpha, self.t + length * step.t, self.s + length * step.s,
            self.z + length * step.z, self.b + length * step.b,
        )  # fmt: skip

    def reach(self, step: "_Point") -> float:
        """How far the step may go before something turns negative."""
        longest = 1.0
        for here, move in ((self.alpha, step.alpha), (self.t, step.t), (self.s, step.s), (self.z, step.z)):
            falling = move < 0
            longest = min(longest, float((-here[falling] / move[falling]).min(initial=1.0)))
        return longest


def interior_point(Z: Array, y: Array, upper: Array, tolerance: float) -> InnerEnd:
    """Rounds until primal and dual differ by `tolerance` of their size, or come no nearer: the nearest is given."""
    n = len(y)
    alpha = 0.5 * upper
    size = max(1.0, float(np.median(np.einsum("ij,ij->i", Z, Z))))
    start = np.full(n, max(1.0, size * float(np.median(upper))))
    here = _Point(alpha, upper - alpha, start.copy(), start.copy(), 0.0)
    best = InnerEnd(here.alpha, 0.0, 0, np.inf)
    for number in range(ROUNDS):
        w = Z.T @ here.alpha
        scores = Z @ w
        off_dual = scores - 1.0 + here.b * y - here.s + here.z
        off_sum = float(y @ here.alpha)
        off_upper = here.alpha + here.t - upper
        gap = _relative_gap(here, w, scores, y, upper)
        if abs(off_sum) <= 1e-9 * (1.0 + float(here.alpha.sum())) and gap < best.gap:
            best = InnerEnd(here.alpha, here.b, number, gap)
        if best.gap <= tolerance or (best.gap < np.inf and number > best.rounds + PATIENCE):
            break
        try:
            solve = _system(Z, y, here)
        except LinAlgError:  # weights so far apart that the last digits are gone: no nearer than the best
            break
        mu = here.complementarity / (2 * n)
        ahead = solve(off_dual, off_sum, off_upper, here.alpha * here.s, here.t * here.z)
        far = here.moved(ahead, here.reach(ahead)).complementarity / (2 * n)
        aim = mu * (far / mu) ** 3
        step = solve(
            off_dual, off_sum, off_upper,
            here.alpha * here.s + ahead.alpha * ahead.s - aim, here.t * here.z + ahead.t * ahead.z - aim,
        )  # fmt: skip
        if not np.isfinite(step.alpha).all():
            break
        here = here.moved(step, FRACTION * here.reach(step))
    return best


def _system(Z: Array, y: Array, here: _Point) -> Callable[..., _Point]:
    """How to solve with the derivative of all conditions at this point."""
    weight = 1.0 / (here.s / here.alpha + here.z / here.t)
    factor = cho_factor(np.eye(Z.shape[1]) + (Z * weight[:, None]).T @ Z, lower=True)

    def apart(v: Array) -> Array:
        u = weight * v
        found: Array = u - weight * (Z @ cho_solve(factor, Z.T @ u))
        return found

    along = apart(y)

    def solve(off_dual: Array, off_sum: float, off_upper: Array, off_s: Array, off_z: Array) -> _Point:
        right = -off_dual - off_s / here.alpha + (off_z - here.z * off_upper) / here.t
        inner = apart(right)
        db = (float(y @ inner) + off_sum) / float(y @ along)
        da = inner - db * along
        dt = -off_upper - da
        return _Point(da, dt, (-off_s - here.s * da) / here.alpha, (-off_z - here.z * dt) / here.t, db)

    return solve


def _relative_gap(here: _Point, w: Array, scores: Array, y: Array, upper: Array) -> float:
    """Primal less dual objective at the best intercept known, relative to their size."""
    length = float(w @ w)
    dual = float(here.alpha.sum()) - 0.5 * length
    primal = 0.5 * length + float(upper @ np.maximum(0.0, 1.0 - scores - here.b * y))
    return (primal - dual) / (1.0 + abs(primal))
