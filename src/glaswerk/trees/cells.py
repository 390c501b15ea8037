"""A table as the growers read it: rows of doubles, and for large tables a byte per cell."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array

SAMPLE = 8192  # rows from which buckets are made: they need only be increasing
MOST_LEVELS = 254  # of a column of categories, so that a missing one has a code too
EDGES = 254


@dataclass(frozen=True, eq=False)
class Codes:
    """codes (d, n): the bucket of each cell; mixed (d, 256): whether a bucket holds several values."""

    codes: NDArray[np.uint8]
    mixed: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Cells:
    """X (n, d), NaN where missing; columns of categories hold codes; levels: how many each has, 0 for numbers."""

    X: Array
    levels: NDArray[np.int64]

    @classmethod
    def of(cls, X: NDArray, levels: Sequence[int]) -> "Cells":
        return cls(np.ascontiguousarray(X, dtype=np.float64), np.array(levels, dtype=np.int64))

    @cached_property
    def level_codes(self) -> NDArray[np.uint32]:
        """(d, n): the level of every category, a missing one after the others; 0 for numbers."""
        found = np.zeros(self.X.shape[::-1], dtype=np.uint32)
        for j in np.flatnonzero(self.levels):
            found[j] = np.where(np.isnan(self.X[:, j]), self.levels[j], self.X[:, j])
        return found

    @cached_property
    def codes(self) -> Codes:
        """Made once for all trees on these rows."""
        return self.code(1)

    def code(self, threads: int) -> Codes:
        """The codes, made on so many threads where they are not there yet."""
        if "codes" not in self.__dict__:
            self.__dict__["codes"] = coded(self.X, self.levels, threads)
        return self.codes


def coded(X: Array, levels: NDArray[np.int64], threads: int) -> Codes:
    """Every cell's bucket; blocks of rows on threads."""
    n, d = X.shape
    sample = np.sort(X[:: max(1, n // SAMPLE)], axis=0)
    edges = np.full((d, EDGES + 2), np.inf)
    for j in np.flatnonzero(levels == 0):
        own = _edges(sample[:, j])
        edges[j, : len(own)] = own
    codes = np.empty((d, n), dtype=np.uint8)
    bounds = np.linspace(0, n, threads + 1).astype(np.int64)

    def block(k: int) -> tuple[Array, NDArray[np.uint8]]:
        seen, mixed = np.full((d, EDGES + 2), np.nan), np.zeros((d, EDGES + 2), dtype=np.uint8)
        kernels.code_rows(X, edges, levels, int(bounds[k]), int(bounds[k + 1]), codes, seen, mixed)
        return seen, mixed

    if threads > 1:
        with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
            blocks = list(pool.map(block, range(threads)))
    else:
        blocks = [block(0)]
    seen, mixed = (np.stack(part) for part in zip(*blocks, strict=True))
    return Codes(codes, (mixed.any(axis=0) | _unlike(seen)).astype(np.uint8))


def _unlike(seen: Array) -> NDArray[np.bool_]:
    """Whether blocks saw different values of a code."""
    with np.errstate(invalid="ignore"):
        low, high = np.fmin.reduce(seen, axis=0), np.fmax.reduce(seen, axis=0)
        return low < high


def _edges(x: Array) -> Array:
    """Values between which a sorted sample is parted: all of a few, or as many rows between each."""
    x = x[~np.isnan(x)]
    values = x[np.append(True, x[1:] > x[:-1])] if len(x) else x
    if len(values) <= EDGES + 1:
        return values[:-1]
    cuts: Array = x[(np.arange(1, EDGES + 1) * len(x)) // (EDGES + 1)]
    return cuts[np.append(True, cuts[1:] > cuts[:-1])]
