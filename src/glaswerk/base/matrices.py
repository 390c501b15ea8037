"""Arrays that carry what a plain array forgets: names of columns, low parts of cells, the name of a target."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Matrix(np.ndarray):
    """Rows of numbers that carry the `names` of their columns and, in `low`, what rounding the cells to doubles took.

    Any slice or computation drops both: they are only good beside the very cells they belong to.
    """

    names: tuple[str, ...] | None
    low: Array | None

    @classmethod
    def of(cls, cells: Array, names: Iterable[str] | None = None, low: Array | None = None) -> "Matrix":
        view = np.asarray(cells, dtype=np.float64).view(cls)
        view.names = None if names is None else tuple(map(str, names))
        view.low = low
        return view

    def __array_finalize__(self, parent: object) -> None:
        self.names = self.low = None


class Target(np.ndarray):
    """Numbers or labels to be predicted, one per row, that carry the `name` of their column; a slice drops it."""

    name: str | None

    @classmethod
    def of(cls, values: NDArray, name: str) -> "Target":
        view = np.asarray(values).view(cls)
        view.name = name
        return view

    def __array_finalize__(self, parent: object) -> None:
        self.name = None
