"""Gaussian classes: what moments by class say of means and covariances, and how a singular covariance is steadied.

    μ_k = Σ w x / W_k,   S_k = Σ w (x - μ_k)(x - μ_k)ᵀ,   Σ = Σ_k S_k / W                                   [BG-GAUSSML]

A covariance that the rows do not determine is shrunk, never inverted as it is, and the share is told.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from glaswerk.stats.factor import EPS, Factor, factor_gram
from glaswerk.stats.moments import GroupedMoments
from glaswerk.stats.pairs import Array


@dataclass(frozen=True, eq=False)
class ClassSums:
    """Rows, weight, mean and scatter of every class: count (K,), weight (K,), offset (K, d), scatter (K, d, d).

    A mean is `shift` + its offset, kept apart: far from zero their sum would round what tells the classes apart.
    """

    count: NDArray[np.int64]
    weight: Array
    shift: Array
    offset: Array
    scatter: Array
    lost: float

    @classmethod
    def of(cls, sums: GroupedMoments) -> "ClassSums":
        gram = np.tril(sums.gram) + np.swapaxes(np.tril(sums.gram, -1), 1, 2)
        weight = gram[:, -1, -1].copy()
        whole = gram[:, -1, :-1].sum(axis=0) / weight.sum()
        away = np.where(weight[:, None] > 0, gram[:, -1, :-1] / np.where(weight > 0, weight, 1.0)[:, None], whole)
        scatter = gram[:, :-1, :-1] - weight[:, None, None] * away[:, :, None] * away[:, None, :]
        raw = np.einsum("kjj->kj", gram[:, :-1, :-1])
        flat = np.einsum("kjj->kj", scatter) <= 32 * EPS * raw  # nothing but rounding is left of the sum
        scatter[flat[:, :, None] | flat[:, None, :]] = 0.0
        # Digits that subtracting the means has cost, in the worst column of the pooled scatter.
        ratio = raw.sum(axis=0) / np.maximum(np.einsum("kjj->j", scatter), np.finfo(float).tiny)
        lost = float(np.log10(ratio[~flat.all(axis=0)].max(initial=1.0)))
        return cls(sums.count, weight, sums.shift, away, scatter, lost)

    @property
    def total(self) -> float:
        return float(self.weight.sum())

    @property
    def spare(self) -> float:
        """Rows beyond one for each class."""
        return float(self.total - np.count_nonzero(self.weight))

    @cached_property
    def centre(self) -> Array:
        """The mean of all rows, seen from the shift."""
        found: Array = self.weight @ self.offset / self.total
        return found

    @cached_property
    def within(self) -> Array:
        """Scatter about the classes' own means, S_w."""
        found: Array = self.scatter.sum(axis=0)
        return found

    @cached_property
    def between(self) -> Array:
        """Σ W_k (μ_k - m)(μ_k - m)ᵀ."""
        away = self.offset - self.centre
        return (away.T * self.weight) @ away

    def why_singular(self, names: tuple[str, ...]) -> str:
        """Why the pooled covariance is not determined, in words."""
        steady = np.flatnonzero(np.diagonal(self.within) == 0)
        if steady.size:
            return f"column {names[steady[0]]!r} does not vary within any class"
        if self.spare < len(names):
            return f"{self.spare:.6g} rows beyond one for each class, {len(names)} columns"
        return "columns repeat each other"

    @property
    def spare_scale(self) -> Array:
        """Deviation of each column over all rows, 1 where it is constant: the unit where no class varies in it."""
        variance = np.diagonal(self.within + self.between) / self.total
        return np.where(variance > 0, np.sqrt(np.maximum(variance, 0.0)), 1.0)


@dataclass(frozen=True, eq=False)
class Steadied:
    """A covariance with its factor, the share by which it was shrunk, and why."""

    covariance: Array
    factor: Factor
    share: float
    why: str

    @property
    def condition(self) -> float:
        return self.factor.condition

    @property
    def log_determinant(self) -> float:
        size = np.abs(np.diagonal(self.factor.lower))
        return float(2.0 * (np.log(size).sum() - np.log(self.factor.scale).sum()))

    def solve(self, right: Array) -> Array:
        """Σ⁻¹ v for every row of `right` (q, d)."""
        return self.factor.solve_plain(right)

    @property
    def whitener(self) -> Array:
        """M (d, d) with M Mᵀ = Σ⁻¹: the rows times M have unit covariance."""
        identity = np.eye(len(self.covariance))
        inverse = linalg.solve_triangular(self.factor.lower, identity, lower=True, check_finite=False)
        return inverse.T * self.factor.scale[:, None]


def determined(covariance: Array, tol: float) -> Factor | None:
    """The factor of a covariance, or None where a direction of it is below `tol` deviations of its columns."""
    if not (np.diagonal(covariance) > 0).all():
        return None
    factor = factor_gram(covariance)
    return factor if factor is not None and factor.reciprocal_condition > tol**2 else None


def steadied(covariance: Array, spare_scale: Array, rows: float, tol: float, asked: float | str | None) -> Steadied:
    """The covariance where the rows determine it; else shrunk, in units of its columns, towards no correlation.

    `asked` is the user's own share, taken as scikit-learn takes it: towards the mean variance times the identity.
    """
    d = len(covariance)
    if isinstance(asked, str):
        return _without_correlation(covariance, spare_scale, rows, tol, "as asked for")
    if asked is not None:
        shrunk = (1.0 - asked) * covariance
        shrunk[np.diag_indices(d)] += asked * np.trace(covariance) / d
        factor = determined(shrunk, min(tol, np.sqrt(EPS)))
        if factor is not None:
            return Steadied(shrunk, factor, float(asked), "as asked for")
        return _without_correlation(shrunk, spare_scale, rows, tol, "the share asked for leaves it singular")
    factor = determined(covariance, tol)
    if factor is not None:
        return Steadied(covariance, factor, 0.0, "")
    return _without_correlation(covariance, spare_scale, rows, tol, "the rows do not determine it")


def _without_correlation(covariance: Array, spare_scale: Array, rows: float, tol: float, why: str) -> Steadied:
    variance = np.diagonal(covariance)
    scale = np.where(variance > 0, np.sqrt(np.maximum(variance, 0.0)), spare_scale)
    correlation = covariance / np.outer(scale, scale)
    share = max(oracle_share(correlation, max(rows, 1.0)), min(1.0, 4.0 * len(scale) * tol**2))
    shrunk = (1.0 - share) * correlation + share * np.eye(len(scale))
    found = shrunk * np.outer(scale, scale)
    factor = factor_gram(found)
    if factor is None:
        raise ArithmeticError("a covariance shrunk towards its diagonal is still not definite")
    return Steadied(found, factor, share, why)


def oracle_share(correlation: Array, rows: float) -> float:
    """How far to shrink, of all shares the best for Gaussian rows (Chen, Wiesel, Eldar and Hero 2010, OAS)."""
    d = len(correlation)
    mean_square = float((correlation**2).mean())
    square = (np.trace(correlation) / d) ** 2
    spread = (rows + 1.0) * (mean_square - square / d)
    return float(min(1.0, (mean_square + square) / spread)) if spread > 0 else 1.0
