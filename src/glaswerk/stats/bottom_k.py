"""A sample that adds: the k rows of smallest key, where a row's key is hashed from its number in the table.

    S(A ∪ B) = the k smallest of S(A) ∪ S(B)

Whoever walks whichever rows in whatever order gets the same rows; every set of k rows is as probable as any other, but
for the hash. Quantiles, starts and pictures of tables beyond memory come from such samples.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable

Array = NDArray[np.float64]
NOTHING = np.zeros(0)


@storable("BottomK", version=1)
@dataclass(frozen=True, eq=False)
class BottomK:
    """At most `most` rows: their keys in ascending order, numbers in the table, cells (n, columns) and weights."""

    most: int
    keys: NDArray[np.uint64]
    numbers: NDArray[np.int64]
    rows: Array
    weight: Array

    @classmethod
    def of(cls, rows: Array, first: int, weight: Array = NOTHING, *, most: int, seed: int) -> "BottomK":
        """Of rows `first` … of the table."""
        numbers = np.arange(first, first + len(rows), dtype=np.int64)
        keys = hashed(numbers.astype(np.uint64), seed)
        least = np.argpartition(keys, most)[:most] if most < len(keys) else np.arange(len(keys))
        kept = least[np.argsort(keys[least], kind="stable")]
        return cls(most, keys[kept], numbers[kept], np.asarray(rows)[kept], weight[kept] if weight.size else weight)

    def __add__(self, other: "BottomK") -> "BottomK":
        keys = np.concatenate([self.keys, other.keys])
        kept = np.argsort(keys, kind="stable")[: self.most]
        numbers, rows = np.concatenate([self.numbers, other.numbers]), np.concatenate([self.rows, other.rows])
        weight = np.concatenate([self.weight, other.weight])
        return BottomK(self.most, keys[kept], numbers[kept], rows[kept], weight[kept] if weight.size else weight)

    def __len__(self) -> int:
        return len(self.keys)

    def in_order(self) -> "BottomK":
        """The same rows in the order of the table."""
        order = np.argsort(self.numbers)
        weight = self.weight[order] if self.weight.size else self.weight
        return BottomK(self.most, self.keys[order], self.numbers[order], self.rows[order], weight)

    def edges(self, bins: int) -> list[Array]:
        """For every column the quantiles that divide its cells into so many bins of like size; equal ones once."""
        shares = np.arange(1, bins) / bins
        return [np.unique(np.quantile(column, shares, method="inverted_cdf")) for column in self.rows.T]

    def check(self) -> None:
        if not len(self.keys) == len(self.numbers) == len(self.rows) <= self.most:
            raise ValueError("a sample needs a key and a number for every row, and no more rows than it may hold")


def hashed(numbers: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """A number for each row that looks random and depends on nothing but row and seed (splitmix64)."""
    with np.errstate(over="ignore"):
        z = (numbers + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
