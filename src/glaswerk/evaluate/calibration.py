"""Calibration: whether of the rows with probability p a share p has the class, as far as the rows can tell.

    Brier score = miscalibration - discrimination + uncertainty

The shares are pooled until they rise with p (pool adjacent violators), so no bins are chosen by hand; the score is
split by what that recalibration gains, and by what it is better than the class's share for everyone (Dimitriadis,
Gneiting and Jordan, PNAS 118, 2021). The consistency band holds what a perfectly calibrated model would show by luck,
row counts being what they are. Cost: one sort of the rows, and the pooling of a few hundred groups for each of 400
drawn worlds. When not to use it: fewer than some fifty rows, where the band is as wide as the picture.
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Line, Table

GROUPS = 200
DRAWS = 400
LEAST = 10.0  # rows of a group


@dataclass(frozen=True, eq=False)
class Calibration:
    """Groups of rows with neighbouring probabilities: their mean probability, pooled share, band, and weight."""

    probability: Array
    share: Array
    lower: Array
    upper: Array
    weight: Array
    miscalibration: float
    discrimination: float
    uncertainty: float
    level: float

    @property
    def brier(self) -> float:
        return self.miscalibration - self.discrimination + self.uncertainty

    @property
    def outside(self) -> float:
        """Share of rows whose pooled share lies outside the band."""
        beyond = (self.share < self.lower - 1e-12) | (self.share > self.upper + 1e-12)
        return float(self.weight[beyond].sum() / self.weight.sum())

    def curve(self, candidate: str, event: str) -> Curve:
        """Observed share over probability, the band around the diagonal."""
        x = tuple(self.probability.tolist())
        percent = f"{100 * self.level:g} %"
        ideal = Line(f"calibrated, {percent} by luck", x, x, tuple(self.lower.tolist()), tuple(self.upper.tolist()))
        found = Line("observed, pooled until it rises", x, tuple(self.share.tolist()), form="steps")
        calm = self.outside <= 1.0 - self.level
        says = (
            "What is observed lies where luck alone could bring a calibrated model."
            if calm
            else f"{100 * self.outside:.0f} % of the rows lie where luck alone would rarely bring a calibrated model: "
            "the probabilities should not be taken at their word there."
        )
        title = f"Calibration of {candidate}: {event}"
        return Curve(title, f"probability of {event}", f"share that is {event}", (found, ideal), says)

    def table(self, candidate: str, event: str) -> Table:
        """The Brier score and its three parts."""
        rows = (
            ("Brier score", self.brier, "mean squared error of the probabilities"),
            ("miscalibration", self.miscalibration, "what recalibration would gain; 0 is best"),
            ("discrimination", self.discrimination, "what telling rows apart gains; more is better"),
            ("uncertainty", self.uncertainty, "the score of the class's share for every row"),
        )
        note = "Brier score = miscalibration - discrimination + uncertainty, exactly"
        return Table(f"Brier score of {candidate}: {event}", ("part", "value", "what it is"), rows, (note,))


def calibration(
    happened: Array, probability: Array, weight: Array, *, level: float = 0.9, seed: int = 0
) -> Calibration:
    """Judge probabilities of an event against what happened.

    >>> p = np.repeat([0.2, 0.8], 50)
    >>> found = calibration(np.tile([1.0, 0, 0, 0, 0], 20), p, np.ones(100))
    >>> round(found.brier, 3), found.share.tolist()
    (0.34, [0.2, 0.2])
    """
    order = np.argsort(probability, kind="stable")
    y, p, w = happened[order].astype(np.float64), probability[order], weight[order]
    values, place = np.unique(p, return_inverse=True)
    mass = np.bincount(place, w).astype(np.float64)
    mean = np.bincount(place, w * y) / mass
    pooled = rising(mean, mass)[place]
    total = w.sum()
    base = float(w @ y / total)
    scores = [float(w @ (q - y) ** 2 / total) for q in (p, pooled, np.full_like(y, base))]
    edges = grouped(mass)
    group_mass = np.add.reduceat(mass, edges)
    group_p = np.add.reduceat(mass * values, edges) / group_mass
    share = rising(np.add.reduceat(mass * mean, edges) / group_mass, group_mass)
    effective = total**2 / float(w @ w) / total  # rows per unit of weight, for the width of the band
    lower, upper = by_luck(group_p, group_mass, group_mass * effective, level, seed)
    return Calibration(
        group_p, share, lower, upper, group_mass, scores[0] - scores[1], scores[2] - scores[1], scores[2], level
    )


def grouped(mass: Array) -> np.ndarray:
    """Where groups of neighbouring probabilities begin: at most 200, of at least ten rows as far as there are."""
    total = float(mass.sum())
    size = max(total / GROUPS, min(LEAST, total))
    number = np.floor((np.cumsum(mass) - mass) / size)
    return np.flatnonzero(np.diff(number, prepend=-1.0) > 0)


def rising(values: Array, weight: Array) -> Array:
    """The nearest sequence in squares that never falls: neighbours that do are pooled to their mean."""
    means: list[float] = []
    masses: list[float] = []
    lengths: list[int] = []
    for value, mass in zip(values.tolist(), weight.tolist(), strict=True):
        length = 1
        while means and means[-1] >= value:
            value = (means[-1] * masses[-1] + value * mass) / (masses[-1] + mass)
            mass += masses.pop()
            length += lengths.pop()
            means.pop()
        means.append(value)
        masses.append(mass)
        lengths.append(length)
    return np.repeat(np.array(means), lengths)


def by_luck(probability: Array, mass: Array, rows: Array, level: float, seed: int) -> tuple[Array, Array]:
    """Pointwise limits of the pooled shares if every probability were true, from drawn worlds."""
    random, n = np.random.default_rng(seed), np.maximum(np.rint(rows), 1).astype(np.int64)
    inner = np.clip(probability, 0.0, 1.0)
    worlds = np.stack([rising(random.binomial(n, inner) / n, mass) for _ in range(DRAWS)])
    lower, upper = np.quantile(worlds, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return np.minimum(lower, probability), np.maximum(upper, probability)
