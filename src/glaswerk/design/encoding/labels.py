"""What an encoder reads of a column that holds words, and what it tells of cells it did not know."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array

Unknown = tuple[tuple[str | None, int], ...]  # a level (None: a missing cell) and the number of rows that had it
EVERY_ROW_ONCE: Array = np.zeros(0)


class Labels(NamedTuple):
    """Words as indices into `names`; -1 where the cell is missing."""

    codes: NDArray[np.int64]
    names: tuple[str, ...]

    def counts(self, weight: Array = EVERY_ROW_ONCE) -> tuple[Array, float]:
        """The weight of every level, and that of the missing cells."""
        found = np.bincount(self.codes + 1, weights=weight if weight.size else None, minlength=len(self.names) + 1)
        return found[1:].astype(np.float64), float(found[0])

    def unknown(self, rows: NDArray[np.bool_]) -> Unknown:
        """What these rows hold, with counts, in the order of the levels; missing cells last."""
        counts, missing = Labels(self.codes[rows], self.names).counts()
        held = ((self.names[k], int(counts[k])) for k in np.flatnonzero(counts))
        return (*held, (None, int(missing))) if missing else tuple(held)
