"""Triangle: the merged triangular factor R of rows [1, x - shift, y - shift].

    RᵀR = Σ w a aᵀ,   merge = QR of one triangle stacked on the other

It keeps the condition number of the table where a Gram squares it. While there are fewer rows than columns it holds
the rows themselves, so wide tables cost rows times columns and no more.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import lapack

from glaswerk.archive import storable
from glaswerk.stats.moments import NOTHING, Moments
from glaswerk.stats.pairs import Array

SCRATCH_ROWS, SCRATCH_CELLS = 2048, 65_536  # rows at least, and cells up to which more rows are taken at once


@storable("Triangle", version=1)
@dataclass(frozen=True, eq=False)
class Triangle:
    """Upper trapezoid `factor` (min(n, d + q + 1), d + q + 1) of the columns [1, x, y].

    One pass, 2 n (d + q)² multiplications: four to six times a Gram. When not to use it: well-conditioned columns.
    """

    n_targets: int
    count: int
    shift: Array
    factor: Array

    @classmethod
    def empty(cls, shift: Array, n_targets: int) -> "Triangle":
        return cls(n_targets, 0, shift, np.zeros((0, shift.size + 1)))

    @classmethod
    def of(cls, X: Array, Y: Array, weight: Array = NOTHING, *, shift: Array) -> "Triangle":
        """The factor of the rows (X, Y), each counted `weight` times."""
        d, size = X.shape[1], shift.size + 1
        factor = np.zeros((0, size))
        step = max(SCRATCH_ROWS, SCRATCH_CELLS // size)
        for start in range(0, len(X), step):
            rows = slice(start, start + step)
            held = len(factor)
            stack = np.empty((held + len(X[rows]), size), order="F")
            stack[:held] = factor
            stack[held:, 0] = 1.0
            np.subtract(X[rows], shift[:d], out=stack[held:, 1 : d + 1])
            np.subtract(Y[rows], shift[d:], out=stack[held:, d + 1 :])
            if weight.size:
                stack[held:] *= np.sqrt(weight[rows])[:, None]
            factor = triangular(stack)
        return cls(Y.shape[1], int(np.count_nonzero(weight)) if weight.size else len(X), shift, factor)

    def __add__(self, other: "Triangle") -> "Triangle":
        other = other.rebased(self.shift)
        stack = np.asfortranarray(np.vstack([self.factor, other.factor]))
        return replace(self, count=self.count + other.count, factor=triangular(stack))

    def rebased(self, shift: Array) -> "Triangle":
        """The same rows seen from another shift: every column gains (shift - shift') times the column of ones."""
        if np.array_equal(self.shift, shift):
            return self
        moved = np.asfortranarray(self.factor.copy())
        moved[:, 1:] += moved[:, :1] * (self.shift - shift)
        return replace(self, shift=shift, factor=triangular(moved))

    @property
    def sums(self) -> Array:
        """The numbers in which a NaN or infinite cell would show."""
        return self.factor

    @property
    def weight(self) -> float:
        return float(self.factor[0, 0] ** 2) if len(self.factor) else 0.0

    def moments(self) -> Moments:
        """RᵀR: the Gram of the same rows, with no more digits than doubles hold."""
        order = np.append(np.arange(1, self.shift.size + 1), 0)
        gram = self.factor.T @ self.factor
        return Moments(self.n_targets, self.count, self.shift, np.tril(gram[np.ix_(order, order)]), np.zeros((0, 0)))

    def check(self) -> None:
        size = self.shift.size + 1
        if self.factor.ndim != 2 or self.factor.shape[1] != size or len(self.factor) > size:
            raise ValueError(f"a triangle of {self.shift.size} columns is at most {size} × {size}")


def triangular(stack: Array) -> Array:
    """R of a tall Fortran-ordered matrix, with a positive diagonal; a wide one comes back as it is.

    The sign convention makes R unique, so that two ways of cutting the rows differ by rounding alone.
    """
    rows, size = stack.shape
    if rows <= 1 or not np.isfinite(stack[:, 0]).all():
        return np.ascontiguousarray(stack)
    qr, _, _, _ = lapack.dgeqrf(stack, lwork=64 * size, overwrite_a=1)
    factor = np.triu(qr[: min(rows, size)])
    return np.ascontiguousarray(factor * np.where(np.diagonal(factor) < 0, -1.0, 1.0)[: len(factor), None])
