"""Naive sums: for every class and every attribute alone, what numbers sum to and how often levels occur. They add.

P(a | k) by counting; a number's mean and variance by Σ w, Σ w x, Σ w x² about a common shift            [BG-NBCOUNT]
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.stats.factor import EPS
from glaswerk.stats.pairs import Array

FEW = 32  # levels: columns without known levels are first counted as if none had more


@dataclass(frozen=True, eq=False)
class Attributes:
    """What a pass shall observe: which columns are numbers (about `shift`), which are levels, how many of each.

    sizes: levels of each column of levels; 0 where the table grows with the codes that come.
    """

    n_classes: int
    numbers: NDArray[np.int64]
    shift: Array
    levels: NDArray[np.int64]
    sizes: tuple[int, ...]
    passes: int = 1


@storable("NaiveSums", version=1)
@dataclass(frozen=True, eq=False)
class NaiveSums:
    """count, weight (K,) of all rows; present, sums, squares (K, numbers); counts: one (levels, K) for each column."""

    count: NDArray[np.int64]
    weight: Array
    shift: Array
    present: Array
    sums: Array
    squares: Array
    counts: tuple[Array, ...]

    @classmethod
    def of(
        cls, X: Array, code: NDArray[np.int64], weight: Array, ask: Attributes, doubt: Callable[[], None]
    ) -> "NaiveSums":
        """What the rows say; `doubt` may raise before levels are counted that are not all small whole numbers."""
        K, m = ask.n_classes, ask.numbers.size
        whole = m == X.shape[1]
        numbers = np.ascontiguousarray(X if whole else X[:, ask.numbers])
        total, present, sums, squares = np.zeros(K), np.zeros((K, m)), np.zeros((K, m)), np.zeros((K, m))
        kernels.numeric_sums(numbers, code, weight, ask.shift, total, present, sums, squares)
        counts: tuple[Array, ...] = ()
        if ask.levels.size:
            cells = np.ascontiguousarray(X if ask.levels.size == X.shape[1] else X[:, ask.levels])
            found = sound_tables(cells, code, weight, K, ask.sizes)
            if found is None:
                doubt()
            counts = level_tables(cells, code, weight, K, ask.sizes) if found is None else found
        rows = np.bincount(code[weight > 0], minlength=K) if weight.size else total
        return cls(rows.astype(np.int64), total, ask.shift, present, sums, squares, counts)

    def __add__(self, other: "NaiveSums") -> "NaiveSums":
        if not np.array_equal(self.shift, other.shift):
            if other.weight.sum() > self.weight.sum():
                self = self.rebased(other.shift)
            else:
                other = other.rebased(self.shift)
        return replace(
            self,
            count=self.count + other.count,
            weight=self.weight + other.weight,
            present=self.present + other.present,
            sums=self.sums + other.sums,
            squares=self.squares + other.squares,
            counts=tuple(_both(a, b) for a, b in zip(self.counts, other.counts, strict=True)),
        )

    def rebased(self, shift: Array) -> "NaiveSums":
        """The same rows seen from another shift."""
        delta = self.shift - shift
        squares = self.squares + 2 * delta * self.sums + self.present * delta**2
        return replace(self, shift=shift, sums=self.sums + self.present * delta, squares=squares)

    @property
    def offset(self) -> Array:
        """Mean of each number in each class, seen from the shift; where a class has none, that of all rows."""
        overall = self.sums.sum(axis=0) / np.maximum(self.present.sum(axis=0), np.finfo(float).tiny)
        known = self.present > 0
        return np.where(known, self.sums / np.where(known, self.present, 1.0), overall)

    @property
    def scatter(self) -> Array:
        """Σ w (x - mean)² of each number in each class; exactly zero where nothing but rounding is left."""
        raw = self.squares - self.present * self.offset**2
        return np.where(raw <= 32 * EPS * self.squares, 0.0, raw)

    @property
    def overall_variance(self) -> Array:
        """Variance of each number over all rows."""
        weight = np.maximum(self.present.sum(axis=0), np.finfo(float).tiny)
        centre = self.sums.sum(axis=0) / weight
        away = self.offset - centre
        found: Array = (self.scatter + self.present * away**2).sum(axis=0) / weight
        return found

    def check(self) -> None:
        K, m = self.weight.size, self.shift.size
        if not self.present.shape == self.sums.shape == self.squares.shape == (K, m):
            raise ValueError("naive sums need three numbers for every class and column")
        if self.count.shape != (K,) or any(table.ndim != 2 or table.shape[1] != K for table in self.counts):
            raise ValueError("naive sums need one count for every class and level")


def level_tables(
    X: Array, code: NDArray[np.int64], weight: Array, n_classes: int, sizes: tuple[int, ...]
) -> tuple[Array, ...]:
    """Counts of every column, (levels, K) each; tables without a size take that of the codes that come."""
    highest = np.fmax.reduce(X, axis=0, initial=-1.0)
    size = np.array([known or int(top) + 1 for known, top in zip(sizes, highest, strict=True)], dtype=np.int64)
    ends = np.cumsum(size)
    offset = ends - size
    counts = np.zeros((int(ends[-1]), n_classes))
    kernels.level_counts(X, code, weight, offset, size, counts)
    return tuple(counts[start:end] for start, end in zip(offset, ends, strict=True))


def sound_tables(
    X: Array, code: NDArray[np.int64], weight: Array, n_classes: int, sizes: tuple[int, ...]
) -> tuple[Array, ...] | None:
    """Counts of rows without weights whose cells are all small whole numbers, in one walk; None for others."""
    if weight.size or any(sizes):
        return None
    told = np.zeros(1, dtype=np.int64)
    counts = np.zeros((X.shape[1] * FEW, n_classes))
    kernels.sound_counts(X, code, FEW, counts, told)
    if told[0]:
        return None
    tables = counts.reshape(X.shape[1], FEW, n_classes)
    used: NDArray[np.bool_] = np.any(tables != 0, axis=2)
    ends = FEW - used[:, ::-1].argmax(axis=1)
    return tuple(table[:end] for table, end in zip(tables, ends, strict=True))


def _both(a: Array, b: Array) -> Array:
    """Two tables as one, the shorter one filled up with levels that never came."""
    if len(a) < len(b):
        a, b = b, a
    found = a.copy()
    found[: len(b)] += b
    return found
