"""A table as the growers read it: rows of doubles; columns of categories hold their codes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array


@dataclass(frozen=True, eq=False)
class Cells:
    """X (n, d), NaN where missing; levels: how many each column of categories has, 0 for numbers."""

    X: Array
    levels: NDArray[np.int64]

    @classmethod
    def of(cls, X: NDArray, levels: Sequence[int]) -> "Cells":
        return cls(np.ascontiguousarray(X, dtype=np.float64), np.array(levels, dtype=np.int64))
