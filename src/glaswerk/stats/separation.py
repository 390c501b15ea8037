"""Separation: whether a plane has each class on its own side, decided by certificates and never by patience.

A plane that leaves no row on the wrong side, and some row off the plane, is verified on all rows: then the likelihood
has no maximum, for steeper is always better. There is none exactly if positive weights combine the signed rows to
nothing (Stiemke). A finite maximum gives them: λᵢ = 1 - yᵢ solves Σ λᵢ sᵢ aᵢ = 0 up to the gradient g that is left, and
with u = H⁻¹g the weights λᵢ (1 + yᵢ sᵢ aᵢᵀu) solve it exactly. They are positive where the last Newton step u moves no
score by one.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from glaswerk.archive import storable
from glaswerk.stats.factor import EPS
from glaswerk.stats.moments import NOTHING
from glaswerk.stats.pairs import Array

MOVES_LITTLE = 0.25  # of a score: less than the ½ (several classes) or 1 (two) up to which the weights stay positive
ON_THE_PLANE = 1e-7  # relative lead that counts as none


class Verdict(StrEnum):
    """What is known about a plane between the classes."""

    PENALISED = "not asked: the penalty keeps every coefficient finite"
    OVERLAP = "no plane separates the classes: proved by positive weights that combine the signed rows to nothing"
    COMPLETE = "a plane separates the classes: verified on every row"
    TOUCHING = "a plane parts a class from others and leaves no row on its wrong side: verified on every row"
    NEARLY = "a plane parts a class from others and leaves no row on its wrong side, to within rounding"
    OPEN = "undecided: no separating plane and no proof that there is none was found"

    @property
    def finite(self) -> bool:
        return self in (Verdict.PENALISED, Verdict.OVERLAP)


def moves_little(step: Array, reach: Array) -> bool:
    """The certificate that nothing separates, from the largest |a| of each column."""
    return bool((np.abs(step) @ reach).max() <= MOVES_LITTLE)


def leads(margin: float, weights: Array, reach: Array) -> bool:
    """Whether every row's lead is more than rounding may have made it."""
    rounding = 8 * (reach.size + 3) * EPS * float((np.abs(weights) @ reach).max())
    return margin > rounding


@storable("Sides", version=1)
@dataclass(frozen=True, eq=False)
class Sides:
    """Lowest and highest cell of every column within every class, (K, d); least and largest lead along a direction."""

    low: Array
    high: Array
    least: float
    most: float

    @classmethod
    def of(
        cls, X: Array, codes: Array, weight: Array = NOTHING, *, direction: Array, shift: Array, n_classes: int
    ) -> "Sides":
        """What rows of some weight show; `direction` (scores, d + 1) is seen from `shift`."""
        if weight.size:
            X, codes = X[weight > 0], codes[weight > 0]
        low, high = np.full((2, n_classes, X.shape[1]), np.inf)
        high *= -1
        for k in range(n_classes):
            rows = X[codes == k]
            if len(rows):
                low[k], high[k] = rows.min(axis=0), rows.max(axis=0)
        lead = _leads((X - shift) @ direction[:, :-1].T + direction[:, -1], codes.astype(np.intp))
        return cls(low, high, float(lead.min(initial=np.inf)), float(lead.max(initial=-np.inf)))

    def __add__(self, other: "Sides") -> "Sides":
        return Sides(
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
            min(self.least, other.least),
            max(self.most, other.most),
        )

    @property
    def nearly(self) -> bool:
        """Whether no row is on the wrong side of the direction by more than rounding."""
        return self.most > 0 and self.least >= -ON_THE_PLANE * self.most

    def telling(self, names: tuple[str, ...], classes: list[str], intercept: bool) -> tuple[str, ...]:
        """A sentence for every column that alone has a class on one side: exact, for cells are only compared."""
        found = []
        for k in range(1 if len(classes) == 2 else 0, len(classes)):
            rest = np.delete(np.arange(len(classes)), k)
            low, high = self.low[k], self.high[k]
            rest_low, rest_high = self.low[rest].min(axis=0), self.high[rest].max(axis=0)
            others = repr(classes[rest[0]]) if len(rest) == 1 else "any other class"
            spread = np.maximum(high, rest_high) > np.minimum(low, rest_low)
            above, below = (low >= rest_high) & spread, (high <= rest_low) & spread
            if not intercept:  # the plane is bound to the origin
                above, below = above & (low >= 0) & (rest_high <= 0), below & (high <= 0) & (rest_low >= 0)
            sides = [(j, ">=", low[j], "<=", rest_high[j]) for j in np.flatnonzero(above)]
            sides += [(j, "<=", high[j], ">=", rest_low[j]) for j in np.flatnonzero(below)]
            found += [_sentence(names[j], classes[k], others, *side) for j, *side in sides]
        return tuple(found)

    def check(self) -> None:
        if self.low.ndim != 2 or self.low.shape != self.high.shape:
            raise ValueError("sides need a lowest and a highest cell of every column in every class")


def _sentence(name: str, mine: str, others: str, a: str, own: float, b: str, rest: float) -> str:
    return f"column {name!r} alone: every row of {mine!r} has {a} {own:g}, every row of {others} {b} {rest:g}"


def _leads(Z: Array, codes: np.ndarray) -> Array:
    """How far each row's own class is ahead of the next: of one score, its sign."""
    if Z.shape[1] == 1:
        found: Array = (2.0 * codes - 1.0) * Z[:, 0]
        return found
    own = np.arange(len(Z)), codes
    score = Z[own]
    Z[own] = -np.inf
    return score - Z.max(axis=1)
