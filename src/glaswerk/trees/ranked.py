"""A table as ranks: the distinct values of every column numbered in order. Trees compare nothing else.

Cost: one sort of every column; 4 bytes a cell. A column's scale and tails do not matter afterwards.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array

THREADED_CELLS = 200_000


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ranks (n, d); the distinct values of numeric columns; per column the rank of a missing cell and its levels."""

    rank: NDArray[np.uint32]
    values: tuple[Array, ...]
    columns: NDArray[np.int64]

    @property
    def levels(self) -> NDArray[np.int64]:
        """Number of levels of every column, 0 for numbers."""
        return np.ascontiguousarray(self.columns[:, 1])

    def threshold(self, feature: NDArray[np.int32], left: NDArray[np.int32], right: NDArray[np.int32]) -> Array:
        """Midpoints between the values of two ranks; infinite where everything but missing cells goes left."""
        cut = np.full(len(feature), np.nan)
        for j in np.unique(feature[feature >= 0]):
            if self.columns[j, 1]:
                continue
            here = np.flatnonzero(feature == j)
            known = np.append(self.values[j], np.inf)
            low, high = known[left[here]], known[np.minimum(right[here], len(known) - 1)]
            middle = low / 2 + high / 2
            cut[here] = np.where(middle < high, middle, low) if len(here) else middle
            cut[here[np.isinf(high)]] = np.inf
        return cut


def rank_table(X: NDArray, levels: Sequence[int], threads: int = 1) -> Ranked:
    """The ranks of X; column j holds the codes of `levels[j]` categories, or numbers where that is 0."""
    n, d = X.shape
    by_column = np.empty((d, n), dtype=np.uint32)
    columns = np.zeros((d, 2), dtype=np.int64)
    columns[:, 1] = levels

    def one(j: int) -> Array:
        x = np.ascontiguousarray(X[:, j], dtype=np.float64)
        if levels[j]:
            columns[j, 0] = levels[j]
            by_column[j] = np.where(np.isnan(x), levels[j], x)
            return np.zeros(0)
        values = np.empty(n)
        columns[j, 0] = kernels.rank_column(x, by_column[j], values)
        return values[: columns[j, 0]].copy()

    if threads > 1 and n * d >= THREADED_CELLS:
        with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
            values = tuple(pool.map(one, range(d)))
    else:
        values = tuple(map(one, range(d)))
    return Ranked(np.ascontiguousarray(by_column.T), values, columns)
