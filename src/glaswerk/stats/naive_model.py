"""What is solved from naive sums: ln P(a | k) of every attribute, and which attribute speaks for which class.

ŷ = argmax_k P(k) Π_j P(a_j | k)                                                                            [BG-NB]
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.stats.pairs import Array


@storable("NaiveModel", version=1)
@dataclass(frozen=True, eq=False)
class NaiveModel:
    """Numbers: offset from `shift` and variance (K, m). Levels: logs (all levels, K), column j from start[j] on."""

    prior: Array
    numbers: NDArray[np.int64]
    shift: Array
    offset: Array
    variance: Array
    levels: NDArray[np.int64]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    logs: Array

    def joint(self, rows: Array) -> Array:
        """ln P(k) + Σ_j ln P(a_j | k) for every row and class (n, K); a row that no class allows keeps the priors."""
        with np.errstate(divide="ignore"):
            prior = np.log(self.prior)
        found = np.empty((len(rows), prior.size))
        found[:] = prior
        if self.numbers.size:
            near = np.ascontiguousarray(rows[:, self.numbers]) - self.shift
            half, base = 0.5 / self.variance, -0.5 * np.log(2.0 * np.pi * self.variance)
            kernels.numeric_scores(near, self.offset, half, base, found)
        if self.levels.size:
            codes = rows if self.levels.size == rows.shape[1] else rows[:, self.levels]
            kernels.level_scores(np.ascontiguousarray(codes), self.start, self.size, self.logs, found)
        nowhere = np.isneginf(found).all(axis=1)
        if nowhere.any():
            found[nowhere] = prior
        return found

    def of_one(self, row: Array) -> Array:
        """ln P(a_j | k) of every attribute of one row (d, K); 0 where it is missing or its level is unknown."""
        found = np.zeros((self.numbers.size + self.levels.size, self.prior.size))
        for place, j in enumerate(self.numbers):
            if not np.isnan(row[j]):
                away, variance = row[j] - self.shift[place] - self.offset[:, place], self.variance[:, place]
                found[j] = -0.5 * (np.log(2.0 * np.pi * variance) + away**2 / variance)
        for place, j in enumerate(self.levels):
            if 0 <= row[j] < self.size[place]:
                found[j] = self.logs[self.start[place] + int(row[j])]
        return found

    def table(self, place: int) -> Array:
        """P(level | k) of one column of levels (levels, K)."""
        start = self.start[place]
        return np.exp(self.logs[start : start + self.size[place]])

    def check(self) -> None:
        K, m = self.prior.size, self.numbers.size
        if not self.offset.shape == self.variance.shape == (K, m) or self.shift.shape != (m,):
            raise ValueError("every class needs a mean and a variance of every number")
        if self.start.shape != self.size.shape or self.levels.shape != self.size.shape:
            raise ValueError("every column of levels needs its place and its size")
        if self.logs.shape != (int(self.size.sum()), K) or (self.variance <= 0).any():
            raise ValueError("every level needs one number for each class, and variances are positive")
