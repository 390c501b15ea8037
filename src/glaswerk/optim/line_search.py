"""Line search: how far to go along a direction in which a convex function falls.

    E(x + a p) ≤ E(x) + 1e-4 · a · gᵀp        (Armijo; a = 1 first, then the bottom of a parabola through what is known)

Where the fall is smaller than what rounding does to E, the slope decides instead of the value: it must have become flat
without turning. Nothing here evaluates: every trial may be a pass over a file, and is asked for.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from glaswerk.base import Array

ENOUGH = 1e-4  # of the fall that the slope promises
ROUNDING = 1e-13  # relative: what summing in another order may change in a value
MOST_TRIES = 40


@dataclass(frozen=True, eq=False)
class Search:
    """From `origin`, of value `value` and slope `slope` < 0 along `direction`, a step of `length` is tried."""

    origin: Array
    value: float
    direction: Array
    slope: float
    length: float = 1.0
    tries: int = 1

    @property
    def trial(self) -> Array:
        return self.origin + self.length * self.direction

    def judge(self, value: float, slope: float) -> "Search | Literal['taken', 'stuck']":
        """What the trial's value and slope along the direction mean: taken, a shorter step, or no way down."""
        if value <= self.value + ENOUGH * self.length * self.slope:
            return "taken"
        if value <= self.value + ROUNDING * abs(self.value) and abs(slope) <= (1 - 2 * ENOUGH) * abs(self.slope):
            return "taken"
        if self.tries >= MOST_TRIES:
            return "stuck"
        return replace(self, length=self._shorter(value), tries=self.tries + 1)

    def _shorter(self, value: float) -> float:
        """The parabola's bottom, kept between a tenth and a half of the step; a tenth where the value is not finite."""
        excess = value - self.value - self.length * self.slope
        if not np.isfinite(excess) or excess <= 0:
            return 0.1 * self.length
        return float(np.clip(-0.5 * self.slope * self.length**2 / excess, 0.1 * self.length, 0.5 * self.length))
