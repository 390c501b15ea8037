"""Hard margin: the nearest points of the hulls of two classes, or weights that prove that the hulls meet.

    minimise ½ ‖Σ βᵢ φ(xᵢ)‖²   where each side's |βᵢ| sum to 1                                           [SCH-HARD]

The hulls' distance is twice the widest margin. Both ends are certificates anybody can check: f = Kβ that is higher on
every row of one class than on any of the other is a plane that separates, verified row by row; weights β with ‖Σβφ‖ = δ
prove that no plane leaves a gap wider than δ, for a plane's gap is at most the distance of any two points of the hulls.
"""

import math
from dataclasses import dataclass

import numpy as np

from glaswerk.base import Array
from glaswerk.optim.dual import Dual, solve_dual

MEETS = 1e-6  # of the rows' spread: hulls closer than this count as meeting
CLOSE_ENOUGH = 1e-6  # relative lead of the distance over the gap that a plane is shown to leave
ROUNDS = 200
STEPS_A_ROUND = 10  # per row: after these Kβ is worked out in double precision again, so that errors do not add up


@dataclass(frozen=True, eq=False)
class Hulls:
    """What was found: weights β, the distance of the points they name, the gap their plane leaves (none: ≤ 0)."""

    beta: Array
    product: Array
    distance: float
    gap: float
    spread: float
    steps: int

    @property
    def separable(self) -> bool:
        """Verified on every row: the plane of β has each class on its own side, by more than rounding."""
        return self.gap > 0

    @property
    def decided(self) -> bool:
        return self.separable or self.distance <= MEETS * self.spread

    def says(self) -> str:
        """The certificate in words."""
        if self.separable:
            return f"separable: a plane verified on every row leaves a gap of {self.gap:.6g} between the classes"
        if self.decided:
            held = int(np.count_nonzero(self.beta))
            return (
                f"not separable: {held} weights name a point in both hulls, to within {self.distance:.2g}; no plane "
                "leaves a wider gap"
            )
        return (
            f"undecided after {self.steps} steps: no plane found, and the hulls are at most {self.distance:.3g} apart"
        )


def nearest_hulls(dual: Dual, most: int, megabytes: float) -> Hulls:
    """Steps within each side until the gap shown and the distance agree, or the distance vanishes."""
    inside = Dual(
        dual.X, dual.side, np.ones(len(dual)), dual.kernel, dual.cells, np.zeros(len(dual)), within=True
    )  # fmt: skip
    diagonal: Array = inside.kernel.diagonal(dual.X) if dual.cells is None else np.diag(dual.cells).astype(np.float64)
    spread = math.sqrt(float(diagonal.max()) or 1.0)
    beta = np.zeros(len(dual))
    for sign in (1.0, -1.0):
        beta[np.flatnonzero(dual.side == sign)[0]] = sign
    found, taken = _looked_at(inside, beta, 0, spread), 0
    for _ in range(ROUNDS):
        room = min(most - taken, max(1000, STEPS_A_ROUND * len(dual)))
        tolerance = 0.1 * CLOSE_ENOUGH * max(found.distance, MEETS * spread) ** 2
        end = solve_dual(inside, tolerance, room, megabytes, start=found.beta)
        taken += end.steps
        found = _looked_at(inside, end.beta, taken, spread)
        close = found.separable and found.distance - found.gap <= CLOSE_ENOUGH * found.distance
        if close or found.distance <= MEETS * spread or taken >= most:
            break
    return found


def _looked_at(dual: Dual, beta: Array, steps: int, spread: float) -> Hulls:
    """Distance and gap of this β, from Kβ worked out in double precision."""
    product = dual.product(beta)
    distance = math.sqrt(max(0.0, float(beta @ product)))
    lead = float(product[dual.side > 0].min() - product[dual.side < 0].max())
    rounding = 64 * np.finfo(float).eps * float(np.abs(beta).sum()) * spread**2
    gap = lead / distance if distance > 0 and lead > rounding else min(lead, 0.0)
    return Hulls(beta, product, distance, gap, spread, steps)
