"""What is solved from naive sums: ln P(a | k) of every attribute, and which attribute speaks for which class.

ŷ = argmax_k P(k) Π_j P(a_j | k)                                                                            [BG-NB]
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.stats.pairs import Array

SCORED = 4096  # rows scored together: their cells and scores stay in the cache


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

    def joint(self, rows: NDArray) -> tuple[Array, bool]:
        """ln P(k) + Σ_j ln P(a_j | k) for every row and class (n, K); a row that no class allows keeps the priors.

        With it, whether any cell is missing, infinite or of an unknown level.
        """
        found, odd = np.empty((len(rows), self.prior.size)), False
        for _part, strange in self._walk(rows, found):
            odd |= strange
        return found, odd

    def best(self, rows: NDArray) -> tuple[NDArray[np.int64], bool]:
        """The number of the most probable class of every row, of equal ones the first; and whether a cell is odd."""
        found, odd = np.empty(len(rows), dtype=np.int64), False
        scores = np.empty((min(len(rows), SCORED), self.prior.size))
        for part, strange in self._walk(rows, scores):
            kernels.first_best(scores[: part.stop - part.start], found[part])
            odd |= strange
        return found, odd

    def _walk(self, rows: NDArray, found: Array) -> Iterator[tuple[slice, bool]]:
        """Scores of block after block, each at its place in `found`, or all at its beginning where it holds one."""
        whole = len(found) == len(rows)
        with np.errstate(divide="ignore"):
            prior = np.log(self.prior)
        numbers = self.shift, self.offset, 0.5 / self.variance, -0.5 * np.log(2.0 * np.pi * self.variance)
        levels = self.start, self.size, _padded(self.logs) if self.levels.size else self.logs
        told = np.zeros(1, dtype=np.int64)
        for start in range(0, len(rows), SCORED):
            part = slice(start, min(start + SCORED, len(rows)))
            scores = found[part] if whole else found[: part.stop - start]
            scores[:] = prior
            told[0] = 0
            if self.numbers.size:
                kernels.numeric_scores(_columns(rows[part], self.numbers), *numbers, scores, told)
            if self.levels.size:
                kernels.level_scores(_columns(rows[part], self.levels), *levels, scores, told)
            if scores.min() == -np.inf:
                scores[np.isneginf(scores).all(axis=1)] = prior
            yield part, bool(told[0])

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


def _columns(rows: NDArray, some: NDArray[np.int64]) -> Array:
    """These columns as float64, one row after another."""
    return np.ascontiguousarray(rows if some.size == rows.shape[1] else rows[:, some], dtype=np.float64)


def _padded(logs: Array) -> Array:
    """As the loop wants them: a row of zeros for what is unknown, and columns of zeros to a multiple of four."""
    levels, K = logs.shape
    found = np.zeros((levels + 1, -(-K // 4) * 4))
    found[:levels, :K] = logs
    return found
