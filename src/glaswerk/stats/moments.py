"""Moments: everything least squares, Gaussian classes, ridge paths and their folds need to know of a table.

    M = Σ w a aᵀ   with   a = [x, y, 1] - [shift, 0]

The shift is common to all blocks of one job, so that merging is plain addition: it adds, subtracts, saves and
distributes without loss, and coefficients keep 15 digits where the columns lie a million deviations from zero. Block
means merged pairwise lose them: the mean of a huge offset is itself rounded.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.stats.pairs import Array, Pair, outer, two_sum

NARROW = 64  # up to this many columns of [x, y] the compiled loop beats BLAS (bench: least_squares)
SCRATCH_ROWS = 4096
NOTHING = np.zeros(0)


@storable("Moments", version=1)
@dataclass(frozen=True, eq=False)
class Moments:
    """Shifted Gram of [x, y, 1]: lower triangle, as a pair (gram, gram_low) when `exact`.

    One pass, n (d + q)² / 2 multiplications, (d + q + 1)² numbers. When not to use it: columns so nearly dependent
    that squaring the condition number loses them, and no second pass is possible; then `Triangle`.
    """

    n_targets: int
    count: int
    shift: Array
    gram: Array
    gram_low: Array

    @classmethod
    def empty(cls, shift: Array, n_targets: int, exact: bool = False) -> "Moments":
        size = shift.size + 1
        return cls(n_targets, 0, shift, np.zeros((size, size)), np.zeros((size, size) if exact else (0, 0)))

    @classmethod
    def of(
        cls,
        X: Array,
        Y: Array,
        weight: Array = NOTHING,
        *,
        shift: Array,
        exact: bool = False,
        X_low: Array | None = None,
    ) -> "Moments":
        """What the rows (X, Y) say, each counted `weight` times. An exact sum also uses the low parts of X."""
        start = cls.empty(shift, Y.shape[1], exact)
        if exact:
            low = np.zeros((0, 0)) if X_low is None else np.ascontiguousarray(X_low)
            rows = np.ascontiguousarray(X), low, np.ascontiguousarray(Y)
            kernels.exact_gram(*rows, weight, shift, start.gram, start.gram_low)
        elif shift.size <= NARROW:
            narrow_gram(X, Y, weight, shift, start.gram)
        else:
            start = replace(start, gram=wide_gram(X, Y, weight, shift))
        return replace(start, count=int(np.count_nonzero(weight)) if weight.size else len(X))

    @property
    def sums(self) -> Array:
        """The numbers in which a NaN or infinite cell would show."""
        return self.gram

    @property
    def exact(self) -> bool:
        return self.gram_low.size > 0

    @property
    def weight(self) -> float:
        return float(self.gram[-1, -1])

    @property
    def pair(self) -> Pair:
        """The whole symmetric Gram, as a pair."""
        parts = two_sum(self.gram, self.gram_low) if self.exact else Pair.of(self.gram)
        return Pair(*(np.tril(part) + np.tril(part, -1).T for part in parts))

    def __add__(self, other: "Moments") -> "Moments":
        if not np.array_equal(self.shift, other.shift):
            # The fuller sum keeps its coordinates: only the smaller one is moved.
            if other.weight > self.weight:
                self = self.rebased(other.shift)
            else:
                other = other.rebased(self.shift)
        count = self.count + other.count
        if self.exact and other.exact:
            total = Pair(self.gram, self.gram_low).plus(Pair(other.gram, other.gram_low))
            return replace(self, count=count, gram=total.high, gram_low=total.low)
        return replace(self, count=count, gram=self.gram + other.gram, gram_low=np.zeros((0, 0)))

    def rebased(self, shift: Array) -> "Moments":
        """The same rows seen from another shift: a' = a + δ·1, so M' = M + δ mᵀ + m δᵀ + W δ δᵀ."""
        delta = Pair(*(np.append(part, 0.0) for part in two_sum(self.shift, -shift)))
        gram = self.pair
        cross = outer(delta, gram.at(-1))
        square = outer(delta, delta.times(gram.at(-1, -1)))
        moved = gram.plus(cross).plus(Pair(cross.high.T, cross.low.T)).plus(square)
        low = np.tril(moved.low) if self.exact else self.gram_low
        return replace(self, shift=shift, gram=np.tril(moved.high), gram_low=low)

    def check(self) -> None:
        size = self.shift.size + 1
        if self.gram.shape != (size, size) or self.gram_low.shape not in ((size, size), (0, 0)):
            raise ValueError(f"the Gram of {self.shift.size} columns must be {size} × {size}, got {self.gram.shape}")
        if not 0 <= self.n_targets <= self.shift.size or self.gram.dtype != np.float64:
            raise ValueError("moments need float64 sums, and no more targets than columns")


def narrow_gram(X: Array, Y: Array, weight: Array, shift: Array, gram: Array) -> None:
    """Add the shifted Gram to `gram`, reading X as it lies in memory, by rows or by columns: the bits are the same."""
    if X.strides[0] < X.strides[1]:
        columns = np.ascontiguousarray(X.T), np.ascontiguousarray(Y.T)
        kernels.narrow_gram_of_columns(*columns, weight, shift, gram)
    else:
        kernels.narrow_gram(np.ascontiguousarray(X), np.ascontiguousarray(Y), weight, shift, gram)


def wide_gram(X: Array, Y: Array, weight: Array, shift: Array) -> Array:
    """Lower triangle of the shifted Gram by one symmetric BLAS product per scratch block.

    The scratch block lies in memory as X does, so that neither is read across the grain; the products are the same
    numbers in the same order, so the bits do not depend on it (tested).
    """
    d, size = X.shape[1], shift.size + 1
    by_column = X.strides[0] <= X.strides[1]
    gram = np.zeros((size, size), order="F")
    scratch = np.empty((min(SCRATCH_ROWS, len(X)), size), order="F" if by_column else "C")
    for start in range(0, len(X), SCRATCH_ROWS):
        rows = slice(start, start + SCRATCH_ROWS)
        block = scratch[: len(X[rows])]
        np.subtract(X[rows], shift[:d], out=block[:, :d])
        np.subtract(Y[rows], shift[d:], out=block[:, d:-1])
        block[:, -1] = 1.0
        if weight.size:
            block *= np.sqrt(weight[rows])[:, None]
        left = block if by_column else block.T
        gram = blas.dsyrk(1.0, left, 1.0, gram, trans=by_column, lower=1, overwrite_c=1)
    return np.ascontiguousarray(gram)


def common_shift(sample: Array) -> Array:
    """Column means of a sample, rounded to a thirty-second of the range.

    Few significant bits make x - shift exact for most stored numbers, integers above all.
    """
    columns = np.ascontiguousarray(sample.T)
    low, high = columns.min(axis=1), columns.max(axis=1)
    _, exponent = np.frexp(high - low)
    grid = np.ldexp(1.0, exponent - 5)
    mean = np.rint(columns.sum(axis=1) / (len(sample) * grid)) * grid
    steady = low == high
    return np.where(steady, low, mean) if steady.any() else mean


@storable("GroupedMoments", version=1)
@dataclass(frozen=True, eq=False)
class GroupedMoments:
    """One `Moments` per fold or class, with one shift: gram (groups, s, s), count (groups,)."""

    n_targets: int
    count: NDArray[np.int64]
    shift: Array
    gram: Array

    @classmethod
    def of(
        cls, X: Array, Y: Array, group: NDArray[np.int64], n_groups: int, weight: Array = NOTHING, *, shift: Array
    ) -> "GroupedMoments":
        """Moments of the rows of each group 0 … n_groups - 1."""
        outside = (group < 0) | (group >= n_groups)
        if outside.any():
            raise ValueError(f"group numbers must lie in 0 … {n_groups - 1}, got {group[np.argmax(outside)]}")
        order = np.argsort(group, kind="stable")
        ends = np.searchsorted(group[order], np.arange(n_groups + 1))
        parts = []
        for first, last in pairwise(ends):
            rows = order[first:last]
            parts.append(Moments.of(X[rows], Y[rows], weight[rows] if weight.size else weight, shift=shift))
        return cls.stack(parts)

    @classmethod
    def stack(cls, parts: list[Moments]) -> "GroupedMoments":
        first = parts[0]
        return cls(first.n_targets, np.array([p.count for p in parts]), first.shift, np.stack([p.gram for p in parts]))

    def __len__(self) -> int:
        return len(self.gram)

    def part(self, k: int) -> Moments:
        return Moments(self.n_targets, int(self.count[k]), self.shift, self.gram[k], np.zeros((0, 0)))

    def __add__(self, other: "GroupedMoments") -> "GroupedMoments":
        if np.array_equal(self.shift, other.shift):
            return replace(self, count=self.count + other.count, gram=self.gram + other.gram)
        return self.stack([self.part(k) + other.part(k).rebased(self.shift) for k in range(len(self))])

    def total(self) -> Moments:
        return Moments(self.n_targets, int(self.count.sum()), self.shift, self.gram.sum(axis=0), np.zeros((0, 0)))

    def all_but_each(self) -> "GroupedMoments":
        """For every group the sum of all others, by prefix and suffix sums: nothing is ever subtracted."""
        before, after = np.zeros_like(self.gram), np.zeros_like(self.gram)
        np.cumsum(self.gram[:-1], axis=0, out=before[1:])
        np.cumsum(self.gram[:0:-1], axis=0, out=after[-2::-1])
        return replace(self, count=self.count.sum() - self.count, gram=before + after)

    def check(self) -> None:
        if self.gram.ndim != 3 or len(self.count) != len(self.gram):
            raise ValueError("grouped moments need one Gram and one count per group")
        for k in range(len(self)):
            self.part(k).check()
