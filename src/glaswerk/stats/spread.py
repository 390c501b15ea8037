"""Spread: weight, Σ w (x - shift) and Σ w (x - shift)² of every column: mean and variance that add."""

from dataclasses import dataclass, replace

import numpy as np

from glaswerk.archive import storable
from glaswerk.stats.moments import NOTHING
from glaswerk.stats.pairs import Array


@storable("Spread", version=1)
@dataclass(frozen=True, eq=False)
class Spread:
    """The diagonal of `Moments`: d numbers where those need d². Cost: n d."""

    count: int
    weight: float
    shift: Array
    sums: Array
    squares: Array

    @classmethod
    def empty(cls, shift: Array) -> "Spread":
        return cls(0, 0.0, shift, np.zeros_like(shift), np.zeros_like(shift))

    @classmethod
    def of(cls, X: Array, weight: Array = NOTHING, *, shift: Array) -> "Spread":
        """What the rows say of each column alone."""
        away = np.subtract(
            X, shift, order="C"
        )  # whatever X's order in memory: the order of a sum decides its last bits
        if not weight.size:
            return cls(len(X), float(len(X)), shift, away.sum(axis=0), np.einsum("ij,ij->j", away, away))
        squares = np.einsum("i,ij,ij->j", weight, away, away)
        return cls(
            int(np.count_nonzero(weight)), float(weight.sum()), shift, np.einsum("i,ij->j", weight, away), squares
        )

    def __add__(self, other: "Spread") -> "Spread":
        if not np.array_equal(self.shift, other.shift):
            if other.weight > self.weight:
                self = self.rebased(other.shift)
            else:
                other = other.rebased(self.shift)
        return replace(
            self,
            count=self.count + other.count,
            weight=self.weight + other.weight,
            sums=self.sums + other.sums,
            squares=self.squares + other.squares,
        )

    def rebased(self, shift: Array) -> "Spread":
        """The same rows seen from another shift."""
        delta = self.shift - shift
        squares = self.squares + 2 * delta * self.sums + self.weight * delta**2
        return replace(self, shift=shift, sums=self.sums + self.weight * delta, squares=squares)

    @property
    def mean(self) -> Array:
        return self.shift + self.sums / self.weight

    @property
    def variance(self) -> Array:
        """Σ w (x - x̄)² / W, exactly zero for a constant column."""
        away = self.sums / self.weight
        raw = self.squares / self.weight - away**2
        eps = np.finfo(np.float64).eps
        noise = (4 * eps * self.mean) ** 2 + 16 * eps * away**2
        return np.where(raw <= noise, 0.0, raw)

    @property
    def scale(self) -> Array:
        """Standard deviations, 1 for a constant column."""
        variance = self.variance
        return np.where(variance > 0, np.sqrt(variance), 1.0)

    def check(self) -> None:
        if not (self.shift.ndim == 1 and self.shift.shape == self.sums.shape == self.squares.shape):
            raise ValueError("a spread needs one shift, one sum and one square per column")
