"""Extrapolation: rows that lie where the training rows say nothing, though a linear model answers for them too.

A row lies outside if a cell is beyond the range of its column; or if every cell is within, but the row as a whole is
farther from the middle than any training row, h(x) = (x - x̄)ᵀ A⁻¹ (x - x̄) > max h: a combination that never occurred.
The ellipsoid stands in for the convex hull, which costs too much in many columns. Cost: one pass of n d², asked for, so
that a fit stays as fast as it is. When not to use it: columns of 0 and 1 alone, whose ranges say nothing.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array, Warned, find_unusable
from glaswerk.facts import Table
from glaswerk.stats.factor import EPS, factor_pairs
from glaswerk.stats.ladder import BLIND_GRAM
from glaswerk.stats.moments import Moments, common_shift
from glaswerk.stats.normal import normal_equations

Flags = NDArray[np.bool_]
EXACT_WORK = 10_000_000  # n d² up to which sums are kept in double-double
FEW = 3  # cells told in a warning
MOST_ROWS = 50  # told in the table
SLACK = 1e-9  # by which rounding may move a training row beyond itself


@storable("Extent", version=1)
@dataclass(frozen=True, eq=False)
class Extent:
    """Where rows lie: range and mean of every column (d,), a root of A⁻¹ (d, r), and the largest h among them."""

    names: tuple[str, ...]
    low: Array
    high: Array
    mean: Array
    root: Array
    farthest: float

    def check(self) -> None:
        d = len(self.names)
        if any(part.shape != (d,) for part in (self.low, self.high, self.mean)) or self.root.shape[:1] != (d,):
            raise ValueError(f"an extent of {d} columns has parts of another shape")

    @classmethod
    def of(cls, X: Any, names: Iterable[str] | None = None) -> "Extent":
        """The extent of these rows."""
        rows = np.ascontiguousarray(X, dtype=np.float64)
        if rows.ndim != 2 or not rows.size:
            raise ValueError(f"Extent: a table of at least one row and column is needed, got shape {rows.shape}")
        named = tuple(f"x{j}" for j in range(rows.shape[1])) if names is None else tuple(map(str, names))
        _refuse_unusable(rows, named)
        exact = rows.shape[0] * rows.shape[1] ** 2 <= EXACT_WORK
        moments = Moments.of(rows, np.zeros((len(rows), 0)), shift=common_shift(rows), exact=exact)
        normal = normal_equations(moments, True)
        root = factor_pairs(normal.A, EPS * max(32, rows.shape[1]) if exact else BLIND_GRAM).root
        mean = normal.mean.rounded
        farthest = float((((rows - mean) @ root) ** 2).sum(axis=1).max())
        return cls(named, rows.min(axis=0), rows.max(axis=0), mean, root, farthest)

    def judge(self, X: Any) -> "Extrapolation":
        """Which of these rows lie outside, and where."""
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(self.names):
            raise ValueError(f"Extent: rows of {len(self.names)} columns are needed, got shape {rows.shape}")
        _refuse_unusable(rows, self.names)
        cells = (rows < self.low) | (rows > self.high)
        far = (((rows - self.mean) @ self.root) ** 2).sum(axis=1) / max(self.farthest, np.finfo(float).tiny)
        together = (far > 1.0 + SLACK) & ~cells.any(axis=1)
        return Extrapolation(self, rows, cells, together, far)


@dataclass(frozen=True, eq=False)
class Extrapolation:
    """Of the rows judged: `cells` (n, d) beyond their column's range; `together` (n,), within every range and yet
    farther out than any training row; `distance` (n,), h over the training rows' largest. `first`: the number of
    the first row in sentences, 1 for a table."""

    extent: Extent
    X: Array
    cells: Flags
    together: Flags
    distance: Array
    first: int = 0

    @property
    def outside(self) -> Flags:
        """Rows that lie outside in one way or the other, (n,)."""
        found: Flags = self.cells.any(axis=1) | self.together
        return found

    def sentences(self, most: int = MOST_ROWS) -> tuple[str, ...]:
        """One sentence for each row outside, the farthest first."""
        rows = np.flatnonzero(self.outside)
        rows = rows[np.argsort(-self.distance[rows], kind="stable")]
        return tuple(f"row {self.first + i}: {self._why(int(i))}" for i in rows[:most])

    def _why(self, i: int) -> str:
        e = self.extent
        if self.together[i]:
            return f"every cell is in its range, but no training row combines them so (distance {self.distance[i]:.3g})"
        found = [
            f"{e.names[j]!r} is {self.X[i, j]:.6g}, seen were {e.low[j]:.6g} … {e.high[j]:.6g}"
            for j in np.flatnonzero(self.cells[i])
        ]
        return "; ".join(found[:FEW]) + (f"; and {len(found) - FEW} more columns" if len(found) > FEW else "")

    def table(self) -> Table:
        """The rows outside, the farthest first."""
        n = int(self.outside.sum())
        told = tuple((text,) for text in self.sentences())
        notes = (f"{n - MOST_ROWS} more rows lie outside",) if n > MOST_ROWS else ()
        return Table(f"Extrapolation: {n} of {len(self.X)} rows lie outside the training rows", ("why",), told, notes)

    def warn(self) -> "Extrapolation":
        """One warning for all rows outside, if there are any."""
        n = int(self.outside.sum())
        if n:
            more = f"; and {n - FEW} more" if n > FEW else ""
            text = f"{n} of {len(self.X)} rows lie outside the training rows, where the model was never tried"
            warnings.warn(f"{text}: {'; '.join(self.sentences(FEW))}{more}", Warned, stacklevel=2)
        return self


def extrapolation(model: Any, X: Any, seen: Any) -> Extrapolation:
    """Which rows of X lie outside the rows `seen` in training, in the names of the fitted model's columns."""
    rows, known = (np.asarray(model.table(part, fit=False), dtype=np.float64) for part in (X, seen))
    return Extent.of(known, model.column_names()).judge(rows)


def _refuse_unusable(rows: Array, names: tuple[str, ...]) -> None:
    message = find_unusable(rows, names)
    if message:
        raise ValueError(f"Extent: {message}")
