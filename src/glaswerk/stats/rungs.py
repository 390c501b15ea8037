"""The rungs of the ladder: what a pass observes, where a fit stands between passes, and what it knows at the end."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from glaswerk.archive import storable
from glaswerk.stats.factor import EPS, Factor
from glaswerk.stats.gradient import Gradient
from glaswerk.stats.moments import NOTHING, Moments
from glaswerk.stats.pairs import Array, Pair
from glaswerk.stats.triangle import Triangle

Statistic = Moments | Triangle | Gradient


class Rung(StrEnum):
    PAIRS = "double-double Gram"
    GRAM = "Gram"
    CORRECTED = "Gram, corrected from the rows"
    TRIANGLE = "triangular factor, corrected from the rows"
    SHORTEST = "shortest of many solutions"


@storable("Solution", version=1)
@dataclass(frozen=True, eq=False)
class Solution:
    """What the top of the ladder knows. Coefficients (q, d), intercept (q,), residual and total squares (q,)."""

    rung: str
    coefficients: Array
    intercept: Array
    residual: Array
    total: Array
    mean: Array
    weight: float
    count: int
    factor: Factor
    error: float
    passes: int

    @property
    def digits(self) -> float:
        """Correct decimal digits to expect in the worst coefficient, against the numbers as stored."""
        return float(np.clip(-np.log10(max(self.error, EPS / 2)), 0.0, 15.9))

    @cached_property
    def digits_of_data(self) -> float:
        """Digits that rounding the inputs to doubles has left: no solver can have more against the decimal data."""
        variance = np.maximum((self.factor.scale**-2) / max(self.weight, 1.0), np.finfo(float).tiny)
        offset = float(np.sqrt(1.0 + self.mean**2 / variance).max(initial=1.0))
        return float(np.clip(-np.log10(EPS / 2 * offset * self.factor.condition), 0.0, 15.9))

    def check(self) -> None:
        q, d = self.coefficients.shape
        numbers = (self.coefficients, self.intercept, self.residual, self.total, self.mean)
        if any(a.dtype != np.float64 for a in numbers) or self.rung not in list(Rung):
            raise ValueError("a solution holds float64 numbers and one of the ladder's rungs")
        if not (self.intercept.shape == self.residual.shape == self.total.shape == (q,) and self.mean.shape == (d,)):
            raise ValueError(f"a solution of {q} target(s) and {d} columns has numbers of another shape")
        if self.factor.scale.shape != (d,):
            raise ValueError(f"the factor of a solution of {d} columns has {self.factor.scale.size}")


@dataclass(frozen=True, eq=False)
class Climb:
    """Where a fit stands between two passes over the rows."""

    rung: Rung
    factor: Factor
    coefficients: Pair
    mean: Pair
    weight: float
    count: int
    total: Array
    residual: Array
    error: float
    last_step: float = np.inf
    steps: int = 0


@dataclass(frozen=True, eq=False)
class Ask:
    """What the next pass over the rows shall observe."""

    shift: Array
    n_targets: int
    centred: bool
    what: str = "moments"
    exact: bool = False
    tolerance: float | None = None
    passes: int = 1
    climb: Climb | None = field(default=None)

    @property
    def n_features(self) -> int:
        return self.shift.size - self.n_targets

    @property
    def rank_tolerance(self) -> float:
        """Relative length below which what a column adds counts as rounding of the others."""
        return EPS * max(32, self.n_features) if self.tolerance is None else self.tolerance

    def observe(self, X: Array, Y: Array, weight: Array = NOTHING, X_low: Array | None = None) -> Statistic:
        if self.climb is not None:
            return Gradient.of(X, Y, weight, coefficients=self.climb.coefficients, X_low=X_low)
        if self.what == "triangle":
            return Triangle.of(X, Y, weight, shift=self.shift)
        return Moments.of(X, Y, weight, shift=self.shift, exact=self.exact, X_low=X_low)

    def next(self, **changes: object) -> "Ask":
        return replace(self, passes=self.passes + 1, **changes)  # type: ignore[arg-type]


def finished(end: Climb, ask: Ask) -> Solution:
    """The solution that a climb ends in, rounded to doubles."""
    rounded = end.coefficients.rounded
    return Solution(
        end.rung.value,
        rounded[:, :-1],
        rounded[:, -1] if ask.centred else np.zeros(len(rounded)),
        end.residual,
        end.total,
        end.mean.rounded if ask.centred else np.zeros(ask.n_features),
        end.weight,
        end.count,
        end.factor,
        end.error,
        ask.passes,
    )
