"""Counts: how often each value occurred, in rows and in weight. Integers, so every merge is exact."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.stats.moments import NOTHING
from glaswerk.stats.pairs import Array


@storable("Counts", version=1)
@dataclass(frozen=True, eq=False)
class Counts:
    """Sorted distinct `values` with their number of `rows` and total `weight`. Cost: n log n, one number per value.

    When not to use it: columns of almost only distinct values.
    """

    values: NDArray
    rows: NDArray[np.int64]
    weight: Array

    @classmethod
    def empty(cls) -> "Counts":
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))

    @classmethod
    def of(cls, values: NDArray, weight: Array = NOTHING) -> "Counts":
        """Count a one-dimensional array of numbers, flags or strings; a row of weight zero is absent."""
        if weight.size:
            values, weight = values[weight > 0], weight[weight > 0]
        distinct, place = np.unique(values, return_inverse=True)
        rows = np.bincount(place, minlength=len(distinct))
        total = np.bincount(place, weights=weight if weight.size else None, minlength=len(distinct)).astype(np.float64)
        return cls(distinct, rows.astype(np.int64), total)

    def __add__(self, other: "Counts") -> "Counts":
        if not len(self.values) or not len(other.values):
            return self if len(self.values) else other
        distinct, place = np.unique(np.concatenate([self.values, other.values]), return_inverse=True)
        rows, weight = np.zeros(len(distinct), dtype=np.int64), np.zeros(len(distinct))
        np.add.at(rows, place, np.concatenate([self.rows, other.rows]))
        np.add.at(weight, place, np.concatenate([self.weight, other.weight]))
        return Counts(distinct, rows, weight)

    @property
    def share(self) -> Array:
        """Weight of each value as a part of the whole."""
        return self.weight / self.weight.sum()

    def check(self) -> None:
        if not (self.values.ndim == 1 and self.values.shape == self.rows.shape == self.weight.shape):
            raise ValueError("counts need one number of rows and one weight per value")
