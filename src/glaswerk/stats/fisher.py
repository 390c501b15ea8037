"""Fisher's direction from moments of two classes: criterion, least-squares form, and what rows look like along it.

J(w) = (m₁' - m₂')² / (s₁² + s₂²),   greatest for   w ∝ S_w⁻¹ (m₂ - m₁)
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from glaswerk.archive import storable
from glaswerk.stats.gaussian_classes import ClassSums, Steadied
from glaswerk.stats.pairs import Array

BARS = 40
REACH = 4.0  # deviations of the projected rows beyond the outer mean that the bars cover


def criterion(direction: Array, sums: ClassSums) -> float:
    """J(w): squared distance of the projected means over the projected scatter; infinite where nothing is scattered."""
    apart = float(direction @ (sums.offset[1] - sums.offset[0])) ** 2
    scatter = float(direction @ sums.within @ direction)
    return apart / scatter if scatter > 0 else float("inf") if apart > 0 else 0.0


def least_squares_direction(sums: ClassSums, steady: Steadied) -> Array:
    """w that minimises ½ Σ (wᵀx + w₀ - t)², t = N/N₁ in the first class and -N/N₂ in the second.

    The normal equations from the same sums: (S_w + N₁N₂/N ΔΔᵀ) w = N (m₁ - m₂).
    """
    first, second = sums.weight
    apart = sums.offset[0] - sums.offset[1]
    scatter = steady.covariance * sums.total
    whole = scatter + first * second / sums.total * np.outer(apart, apart)
    scale = 1.0 / np.sqrt(np.diagonal(whole))
    factor = linalg.cho_factor(whole * np.outer(scale, scale), check_finite=False)
    return scale * linalg.cho_solve(factor, scale * apart * sums.total, check_finite=False)


def unit(direction: Array) -> Array:
    """The direction with length one."""
    largest = np.abs(direction).max()
    if largest == 0:
        return direction
    scaled = direction / largest
    found: Array = scaled / np.sqrt(scaled @ scaled)
    return found


@storable("FisherSolution", version=1)
@dataclass(frozen=True, eq=False)
class FisherSolution:
    """w (d,) and w₀ seen from `shift`; the direction of least squares; J of Fisher's and of the means' direction.

    `edges` (2, bars + 1) and `counts` (2, 2, bars) are the rows along Fisher's and along the means' unit directions;
    empty where the rows did not come again.
    """

    shift: Array
    weights: Array
    intercept: float
    mean_direction: Array
    squares_direction: Array
    criterion: float
    mean_criterion: float
    weight: Array
    projected: Array
    share: float
    why: str
    condition: float
    lost: float
    edges: Array
    counts: Array

    def scores(self, rows: Array) -> Array:
        return (rows - self.shift) @ self.weights + self.intercept

    @property
    def w0(self) -> float:
        """At the origin of the columns."""
        return float(self.intercept - self.weights @ self.shift)

    def check(self) -> None:
        d = self.shift.size
        if not self.weights.shape == self.mean_direction.shape == self.squares_direction.shape == (d,):
            raise ValueError("every direction needs one number per column")
        if self.weight.shape != (2,) or self.counts.shape[:2] not in ((2, 2), (0,)):
            raise ValueError("Fisher's discriminant has two classes")


@dataclass(frozen=True, eq=False)
class Bars:
    """Weight of projected rows in every interval: counts (directions, 2, intervals); it adds."""

    counts: Array

    def __add__(self, other: "Bars") -> "Bars":
        return Bars(self.counts + other.counts)

    @classmethod
    def of(cls, X: Array, codes: Array, weight: Array, ask: "Sight") -> "Bars":
        """Rows beyond the outer edges count in the outer intervals."""
        along = (X - ask.shift) @ ask.directions.T
        counts = np.empty((len(ask.edges), 2, BARS))
        for k, edges in enumerate(ask.edges):
            width = (edges[-1] - edges[0]) / BARS
            place = np.clip(np.floor((along[:, k] - edges[0]) / width), 0, BARS - 1).astype(np.int64)
            place += BARS * codes.astype(np.int64)
            counts[k] = np.bincount(place, weight if weight.size else None, 2 * BARS).reshape(2, BARS)
        return cls(counts)


@dataclass(frozen=True, eq=False)
class Sight:
    """What a second pass shall look along: Fisher's and the means' direction (2, d) from `shift`, intervals of each."""

    solution: FisherSolution
    shift: Array
    directions: Array
    edges: Array
    passes: int

    @classmethod
    def of(cls, solution: FisherSolution, sums: ClassSums, passes: int) -> "Sight":
        directions = np.stack([unit(solution.weights), solution.mean_direction])
        means = directions @ sums.offset.T
        variance = np.einsum("qi,ij,qj->q", directions, sums.within, directions) / sums.total
        reach = REACH * np.sqrt(np.maximum(variance, 0.0))
        low, high = means.min(axis=1) - reach, means.max(axis=1) + reach
        high = np.where(high > low, high, low + 1.0)
        return cls(solution, sums.shift, directions, np.linspace(low, high, BARS + 1, axis=1), passes)
