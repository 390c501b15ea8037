"""Factor: a triangular square root of the normal matrix, and everything one may ask of its inverse without forming it.

S A S = Pᵀ L Lᵀ P,   A = Σ w (x - x̄)(x - x̄)ᵀ,   S powers of two, so that scaling rounds nothing
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.linalg import lapack

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.stats.pairs import Array, Pair

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Dependency:
    """Column `column` repeats others: x_column = constant + Σ factor · x_j over `parts`. No parts: it is constant."""

    column: int
    parts: tuple[tuple[int, float], ...]


@storable("Factor", version=1)
@dataclass(frozen=True, eq=False)
class Factor:
    """L (d, d) as a pair with rows in pivot `order`; columns from `rank` on are void."""

    scale: Array
    lower: Array
    lower_low: Array
    order: NDArray[np.int64]
    rank: int
    reciprocal_condition: float

    def check(self) -> None:
        d = self.scale.size
        square = (
            self.lower.shape == self.lower_low.shape == (d, d)
            and self.lower.dtype == self.lower_low.dtype == np.float64
        )
        if not square or sorted(self.order.tolist()) != list(range(d)) or not 0 <= self.rank <= d:
            raise ValueError(f"a factor of {d} columns needs {d} × {d} numbers, an order of them and a rank up to {d}")

    @property
    def full(self) -> bool:
        return self.rank == len(self.scale)

    @property
    def condition(self) -> float:
        """Estimated condition number of the scaled, centred columns: the root of that of their Gram."""
        return float(1.0 / np.sqrt(self.reciprocal_condition)) if self.reciprocal_condition > 0 else np.inf

    def solve(self, right: Pair) -> Pair:
        """A⁻¹ right for every row of the pair (q, d), in 32 digits; only at full rank."""
        scaled = right.scaled(self.scale)
        high = np.ascontiguousarray(scaled.high[:, self.order])
        low = np.ascontiguousarray(scaled.low[:, self.order])
        kernels.pair_solve(self.lower, self.lower_low, high, low)
        unordered = np.argsort(self.order)
        return Pair(high[:, unordered], low[:, unordered]).scaled(self.scale)

    def solve_plain(self, right: Array) -> Array:
        """A⁻¹ right for every row (q, d) in doubles, for an unpivoted factor."""
        scaled = (right * self.scale).T
        return lapack.dpotrs(self.lower.T, scaled, lower=0)[0].T * self.scale

    @cached_property
    def root(self) -> Array:
        """M (d, rank) with A⁺ = M Mᵀ: variances are its squared rows, leverages squared rows of (x - x̄) M."""
        head = self.lower[: self.rank, : self.rank]
        if self.full:
            inverse, _ = lapack.dtrtri(np.asfortranarray(head), lower=1)
            spread = np.empty_like(head)
            spread[self.order] = np.tril(inverse).T
            return spread * self.scale[:, None]
        basis, corner, _ = self._row_space
        return linalg.solve_triangular(corner, basis.T, lower=False, trans="N").T

    @cached_property
    def _row_space(self) -> tuple[Array, Array, NDArray[np.intp]]:
        """Orthonormal basis Q (d, rank) of the rows, R and an order P with Lᵀ = P Rᵀ Qᵀ in the user's units.

        Units may lie twenty powers of ten apart. Reflections of rows sorted by size, with pivots, err by digits of
        each row; in any other order the largest row's rounding would drown the small ones (Cox and Higham).
        """
        trapezoid = np.empty((len(self.scale), self.rank))
        trapezoid[self.order] = self.lower[:, : self.rank]
        trapezoid /= self.scale[:, None]
        falling = np.argsort(-np.abs(trapezoid).max(axis=1, initial=0.0), kind="stable")
        sorted_basis, corner, order = linalg.qr(trapezoid[falling], mode="economic", pivoting=True)
        basis = np.empty_like(sorted_basis)
        basis[falling] = sorted_basis
        return basis, corner, order

    def shortest(self, image: Array) -> Array:
        """The coefficients (q, d) of least length whose fit is `image` (q, rank), coordinates along L's columns."""
        basis, corner, order = self._row_space
        return (basis @ linalg.solve_triangular(corner, image.T[order], lower=False, trans="T")).T

    def dependencies(self) -> tuple[Dependency, ...]:
        """For each column that repeats earlier ones: which, and by what factors."""
        head, tail = self.lower[: self.rank, : self.rank], self.lower[self.rank :, : self.rank]
        factors = linalg.solve_triangular(head, tail.T, lower=True, trans="T").T if self.rank else tail
        found = []
        for row, column in zip(factors, self.order[self.rank :], strict=True):
            notable = np.flatnonzero(np.abs(row) > 1e-6)
            parts = [
                (int(self.order[k]), float(row[k] * self.scale[self.order[k]] / self.scale[column])) for k in notable
            ]
            found.append(Dependency(int(column), tuple(sorted(parts))))
        return tuple(sorted(found, key=lambda d: d.column))


def powers_of_two(squared_length: Array) -> Array:
    """Scales that bring columns to a length between ½ and 1½ without rounding; 1 for a column of zeros."""
    _, exponent = np.frexp(squared_length)
    return np.ldexp(1.0, -(exponent // 2))


def factor_pairs(A: Pair, tolerance: float) -> Factor:
    """Pivoted Cholesky in pairs: loses rank only where the columns repeat to the last digit stored."""
    scale = powers_of_two(np.diagonal(A.high))
    scaled = A.scaled(scale[:, None] * scale[None, :])
    lower, low = np.tril(scaled.high), np.tril(scaled.low)
    order = np.zeros(len(scale), dtype=np.int64)
    rank = kernels.pair_cholesky(lower, low, tolerance**2, order)
    lower[:, rank:] = 0.0
    low[:, rank:] = 0.0
    return Factor(scale, lower, low, order, int(rank), _reciprocal_condition(lower[:rank, :rank]))


def factor_gram(A: Array) -> Factor | None:
    """Plain Cholesky of the scaled Gram, or None where doubles no longer see it as definite."""
    scale = powers_of_two(np.diagonal(A))
    upper, failed = lapack.dpotrf((A * scale).T * scale, lower=0, clean=1, overwrite_a=1)
    if failed:
        return None
    lower = upper.T
    return Factor(scale, lower, np.zeros(lower.shape), np.arange(len(scale)), len(scale), _reciprocal_condition(lower))


def factor_rows(rows: Array, targets: Array, tolerance: float) -> tuple[Factor, Array, Array]:
    """Pivoted QR of centred rows (k, d): the factor, the targets' image (q, rank) along it, and what is left (q,)."""
    d = rows.shape[1]
    scale = powers_of_two((rows**2).sum(axis=0))
    Q, R, order = linalg.qr(rows * scale, mode="economic", pivoting=True, check_finite=False, overwrite_a=True)
    sizes = np.abs(np.diagonal(R))
    rank = int(np.count_nonzero(sizes > tolerance)) if len(sizes) else 0
    signs = np.where(np.diagonal(R) < 0, -1.0, 1.0)[:rank]
    lower = np.zeros((d, d))
    lower[:, :rank] = (R[:rank] * signs[:, None]).T
    image = (Q[:, :rank] * signs).T @ targets
    left = ((targets - (Q[:, :rank] * signs) @ image) ** 2).sum(axis=0)
    factor = Factor(
        scale, lower, np.zeros_like(lower), order.astype(np.int64), rank, _reciprocal_condition(lower[:rank, :rank])
    )
    return factor, image.T, left


def _reciprocal_condition(lower: Array) -> float:
    """LAPACK's estimate for L Lᵀ, from L alone: squared, since cond(L Lᵀ) = cond(L)²."""
    if not len(lower):
        return 1.0
    upper = np.asfortranarray(lower.T)
    return float(lapack.dtrcon(upper, norm="1")[0] * lapack.dtrcon(upper, norm="I")[0])
