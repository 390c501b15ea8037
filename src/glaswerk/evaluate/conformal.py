"""Conformal intervals and sets: how far off predictions were on rows left out says how far off they will be.

    CV+:  upper limit = the ⌈(1 - α)(n + 1)⌉-th smallest of ŷ₋ₖ₍ᵢ₎(x) + |yᵢ - ŷ₋ₖ₍ᵢ₎(xᵢ)|, the lower limit likewise

ŷ₋ₖ₍ᵢ₎ was fitted without the fold of row i; with as many folds as rows this is the jackknife+ (Barber, Candès, Ramdas
and Tibshirani, Annals of Statistics 49, 2021). For classes: a class belongs to the set unless its score is beyond
nearly all of those that true classes had (Romano, Sesia and Candès, NeurIPS 2020). No model of the noise is needed;
rows must be exchangeable. Promised is 1 - 2α at worst, measured is 1 - α. Cost: one fit per fold, and n log n for each
question. When not to use it: where theory gives an interval and its assumptions hold (it is narrower); rows in order of
time.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.scoring.inputs import Ints

Score = Literal["adaptive", "simple"]
HALVINGS = 64
NEIGHBOURS = 20  # rows from which a spread is estimated, and at least a twentieth of all


@dataclass(frozen=True, eq=False)
class Misses:
    """How far off each fold's model was on the rows of that fold: sorted misses with their weight so far, by fold."""

    sizes: tuple[Array, ...]
    weights: tuple[Array, ...]

    @classmethod
    def of(cls, misses: Array, fold: Ints, n_folds: int, weight: Array) -> "Misses":
        times = weight if weight.size else np.ones(len(misses))
        sizes, weights = [], []
        for k in range(n_folds):
            rows = np.flatnonzero((fold == k) & (times > 0))
            order = rows[np.argsort(misses[rows], kind="stable")]
            sizes.append(misses[order])
            weights.append(np.append(0.0, np.cumsum(times[order])))
        return cls(tuple(sizes), tuple(weights))

    @property
    def total(self) -> float:
        return float(sum(part[-1] for part in self.weights))

    def rank(self, level: float) -> float:
        """⌈level (n + 1)⌉."""
        return float(np.ceil(level * (self.total + 1) - 1e-9))

    def below(self, values: Array, side: Literal["left", "right"] = "right") -> Array:
        """Weight of misses up to values (m, folds), or below them (side "left")."""
        found = np.zeros(len(values))
        for k, (size, weight) in enumerate(zip(self.sizes, self.weights, strict=True)):
            found += weight[np.searchsorted(size, values[:, k], side=side)]
        return found

    def upper(self, centres: Array, level: float, scales: Array | None = None) -> Array:
        """For each line of centres (m, folds): the smallest v with centre + scale · miss <= v for enough rows."""
        rank, m = self.rank(level), len(centres)
        if rank > self.total:
            return np.full(m, np.inf)
        spread = np.ones_like(centres) if scales is None else scales
        known = [k for k, size in enumerate(self.sizes) if len(size)]
        low = np.min([centres[:, k] + spread[:, k] * self.sizes[k][0] for k in known], axis=0)
        high = np.max([centres[:, k] + spread[:, k] * self.sizes[k][-1] for k in known], axis=0)
        enough = self.below((low[:, None] - centres) / spread) >= rank
        high = np.where(enough, low, high)
        for _ in range(HALVINGS):  # until the limit is known to the last bits
            middle = (low + high) / 2
            reached = self.below((middle[:, None] - centres) / spread) >= rank
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        return np.asarray(high)

    def limits(self, centres: Array, level: float, scales: Array | None = None) -> Array:
        """(m, 2): the lower and the upper limit for each line of centres."""
        return np.column_stack([-self.upper(-centres, level, scales), self.upper(centres, level, scales)])

    def sets(self, scores: Array, level: float) -> NDArray[np.bool_]:
        """(m, classes): which classes belong to the set; `scores` (m, folds, classes), small for what is plausible."""
        columns = [self.below(scores[:, :, c], "left") for c in range(scores.shape[2])]
        return np.asarray(np.stack(columns, axis=1) < self.rank(level))


def class_scores(shares: Array, score: Score) -> Array:
    """How implausible each class is, (m, classes): 1 - p ("simple"), or the shares of all likelier ones and half its
    own.

    The adaptive score makes sets large where the row is hard and small where it is easy; the simple one makes the
    smallest sets on average. Equal shares go by the order of the classes. Half of the own share stands where the paper
    draws a random part of it: sets then repeat themselves.
    """
    if score == "simple":
        return 1.0 - shares
    order = np.argsort(-shares, axis=1, kind="stable")
    found = np.empty_like(shares)
    np.put_along_axis(found, order, np.cumsum(np.take_along_axis(shares, order, axis=1), axis=1), axis=1)
    return found - shares / 2


@dataclass(frozen=True, eq=False)
class Spreads:
    """How far off predictions usually are near a predicted value: the mean miss of the nearest ones."""

    predicted: Array
    misses: Array

    @classmethod
    def of(cls, predicted: Array, misses: Array) -> "Spreads":
        order = np.argsort(predicted, kind="stable")
        return cls(predicted[order], misses[order])

    def at(self, values: Array) -> Array:
        """Never below a twentieth of the mean miss, so that no interval vanishes."""
        n = len(self.misses)
        half = max(NEIGHBOURS, n // 20) // 2
        total = np.append(0.0, np.cumsum(self.misses))
        place = np.searchsorted(self.predicted, values)
        first = np.clip(place - half, 0, max(n - 2 * half, 0))
        last = np.minimum(first + 2 * half, n)
        floor = max(0.05 * float(self.misses.mean()), np.finfo(np.float64).tiny)
        return np.maximum((total[last] - total[first]) / (last - first), floor)
