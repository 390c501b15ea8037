"""Diagnosis: why a descent diverges, oscillates or creeps, from the curvature of its bowl.

    along an eigenvector of H with eigenvalue σ every step multiplies the error by 1 - ησ                    [NAN-SIGMA]

Below -1 it diverges, below 0 it oscillates, near 1 it creeps. At η = 1/σ_max the excess of the loss along the flattest
direction falls to a share ε in about κ ln(1/ε) / 2 steps, κ = σ_max / σ_min. Cost: (d + 1)³.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg

from glaswerk.base import Array
from glaswerk.facts import Statement, Table
from glaswerk.optim.bowl import VOID, Bowl

SHARE = 1e-6  # of the excess of the loss, to which the steps are counted
MOST_DIRECTIONS = 8
EXACT = 1e-6  # |1 - ησ_max| below which a rate is 1/σ_max, as far as power iteration finds it


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """A bowl with the names of its weights, the rate of its steps, and the condition standardised columns would have.

    `rate` is None where every step had its own. `batch` is 0 where a step takes all rows.
    """

    bowl: Bowl
    names: tuple[str, ...]
    rate: float | None
    batch: int = 0
    standardised: float | None = None

    @cached_property
    def _directions(self) -> tuple[Array, Array]:
        values, vectors = linalg.eigh(self.bowl.curvature)
        curved = values > VOID * max(values[-1], 0.0)
        return values[curved][::-1], vectors[:, curved][:, ::-1]

    @property
    def largest(self) -> float:
        return float(self._directions[0][0]) if self._directions[0].size else 0.0

    @property
    def condition(self) -> float:
        """κ: the largest curvature over the least that curves at all."""
        return condition_of(self._directions[0])

    @property
    def steps_needed(self) -> float:
        """About how many steps of 1/σ_max bring the excess of the loss down to a millionth."""
        return self.condition * np.log(1.0 / SHARE) / 2.0

    def factors(self) -> Array:
        """1 - ησ along every direction, steepest first."""
        return 1.0 - (self.rate or 0.0) * self._directions[0]

    def sentences(self) -> tuple[str, ...]:
        """The bound, what this rate does, how many steps the columns ask for, and the way out."""
        if not self.largest > 0:
            return ("No direction curves: there is nothing to descend.",)
        bound = (
            f"Steps of all rows go down in every direction below 2/σ_max = {2 / self.largest:.4g}; 1/σ_max = "
            f"{1 / self.largest:.4g} is the longest that overshoots in none.",
        )
        return (*bound, *self._of_rate(), *self._of_condition())

    def _of_rate(self) -> tuple[str, ...]:
        if self.rate is None:
            return ("Every step had a length of its own.",)
        if self.batch:
            return self._of_batches()
        steep = self.factors()[0]
        where = f"along {self.along(0)} every step multiplies the error by 1 - ησ_max = {steep:.4g}"
        if abs(steep) <= EXACT:
            return (
                f"The rate {self.rate:.4g} = 1/σ_max overshoots nowhere: along {self.along(0)} it is done at once.",
            )
        if steep < -1:
            return (f"The rate {self.rate:.4g} diverges: {where}.",)
        if steep < 0:
            return (f"The rate {self.rate:.4g} oscillates and still converges: {where}.",)
        return (f"The rate {self.rate:.4g} overshoots nowhere: {where}.",)

    def _of_batches(self) -> tuple[str, ...]:
        return (
            f"A step sees {self.batch} row(s): at a rate that stays, the weights settle only to a cloud around the "
            "bottom, narrower at smaller rates; decay > 0 lets it shrink.",
        )

    def _of_condition(self) -> tuple[str, ...]:
        told = (
            f"The condition number is κ = {self.condition:.4g}: about κ ln(1/ε)/2 = {self.steps_needed:.3g} steps of "
            f"1/σ_max bring the excess of the loss to a millionth along {self.along(-1)}.",
        )
        if self.standardised is None or self.standardised >= 0.5 * self.condition:
            return told
        fewer = self.standardised * np.log(1.0 / SHARE) / 2.0
        return (*told, f"Standardised columns have κ = {self.standardised:.4g}: about {fewer:.3g} steps.")

    def along(self, k: int) -> str:
        """The weight that the k-th direction mostly is."""
        return f"{self.names[int(np.argmax(np.abs(self._directions[1][:, k])))]!r}"

    def statement(self) -> Statement:
        return Statement("Steps of descent", self.sentences())

    def directions(self) -> Table:
        """The steepest and the flattest directions: curvature, factor per step, steps to a thousandth of the error."""
        values = self._directions[0]
        half = MOST_DIRECTIONS // 2
        chosen = range(len(values))
        if len(values) > MOST_DIRECTIONS:
            chosen = [*range(half), *range(len(values) - half, len(values))]  # type: ignore[assignment]
        factors = self.factors()
        plain = self.rate is not None and not self.batch
        rows = tuple(
            (self.along(k), float(values[k]), float(factors[k]) if plain else None,
             _steps_to(float(factors[k])) if plain else None)
            for k in chosen
        )  # fmt: skip
        heads = ("mostly along", "curvature σ", "factor 1 - ησ", "steps to a thousandth")
        left = len(values) - len(rows)
        return Table("Directions of the bowl", heads, rows, (f"{left} between them are not shown",) if left else ())


def condition_of(values: Array) -> float:
    """Largest over least of eigenvalues, steepest first; 1 for none."""
    return float(values[0] / values[-1]) if values.size else 1.0


def condition_of_bowl(bowl: Bowl) -> float:
    """κ of a bowl, counting only directions that curve."""
    values = linalg.eigvalsh(bowl.curvature)[::-1]
    return condition_of(values[values > VOID * max(values[0], 0.0)])


def _steps_to(factor: float, share: float = 1e-3) -> float | None:
    size = abs(factor)
    if size >= 1:
        return None
    return 1.0 if size <= share else float(np.ceil(np.log(share) / np.log(size)))
