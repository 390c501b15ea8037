"""Arrays that carry what a plain array forgets: names of columns, low parts of cells, the name of a target."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ColumnLevels = tuple[tuple[str, ...] | None, ...]  # per column the names of its levels, None for a number
UNSEEN = -1.0  # the code of a level that training rows did not have


class Matrix(np.ndarray):
    """Rows of numbers that carry the `names` of their columns and, in `low`, what rounding the cells to doubles took.

    Where columns hold categories, `levels` names them: such a column's cells are codes 0, 1, 2, …, NaN where missing,
    -1 for a level that training rows did not have. Any slice or computation drops all three: they are only good beside
    the very cells they belong to.
    """

    names: tuple[str, ...] | None
    low: Array | None
    levels: ColumnLevels | None

    @classmethod
    def of(
        cls,
        cells: Array,
        names: Iterable[str] | None = None,
        low: Array | None = None,
        levels: ColumnLevels | None = None,
    ) -> "Matrix":
        view = np.asarray(cells, dtype=np.float64).view(cls)
        view.names = None if names is None else tuple(map(str, names))
        view.low, view.levels = low, levels
        return view

    def __array_finalize__(self, parent: object) -> None:
        self.names = self.low = self.levels = None


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
