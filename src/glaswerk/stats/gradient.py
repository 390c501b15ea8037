"""Gradient: Σ w r [x, 1, r] at given coefficients, in pairs: what one corrected step of least squares needs.

r = y - xᵀw - b,   ∂E/∂w = -Σ w r x   with   E = ½ Σ w r²                                        [BOE-GRAD]
"""

from dataclasses import dataclass, replace

import numpy as np

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.stats.moments import NOTHING
from glaswerk.stats.pairs import Array, Pair


@storable("Gradient", version=1)
@dataclass(frozen=True, eq=False)
class Gradient:
    """Per target: Σ w r x (d numbers), Σ w r, Σ w r²; a pair (high, low) of shape (q, d + 2)."""

    count: int
    high: Array
    low: Array

    @classmethod
    def empty(cls, n_features: int, n_targets: int) -> "Gradient":
        return cls(0, np.zeros((n_targets, n_features + 2)), np.zeros((n_targets, n_features + 2)))

    @classmethod
    def of(
        cls, X: Array, Y: Array, weight: Array = NOTHING, *, coefficients: Pair, X_low: Array | None = None
    ) -> "Gradient":
        """The gradient of the rows at `coefficients`, a pair (q, d + 1) with the intercept last."""
        start = cls.empty(X.shape[1], Y.shape[1])
        low = np.zeros((0, 0)) if X_low is None else np.ascontiguousarray(X_low)
        rows = np.ascontiguousarray(X), low, np.ascontiguousarray(Y), weight
        kernels.exact_gradient(*rows, *map(np.ascontiguousarray, coefficients), start.high, start.low)
        return replace(start, count=int(np.count_nonzero(weight)) if weight.size else len(X))

    def __add__(self, other: "Gradient") -> "Gradient":
        total = Pair(self.high, self.low).plus(Pair(other.high, other.low))
        return Gradient(self.count + other.count, total.high, total.low)

    @property
    def sums(self) -> Array:
        """The numbers in which a NaN or infinite cell would show."""
        return self.high

    @property
    def pair(self) -> Pair:
        return Pair(self.high, self.low).normalised()

    def check(self) -> None:
        if self.high.ndim != 2 or self.high.shape != self.low.shape:
            raise ValueError("a gradient is a pair of (targets, columns + 2) arrays of equal shape")
