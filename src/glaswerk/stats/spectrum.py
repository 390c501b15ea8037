"""Spectrum: the normal matrix by its directions, so that every penalty's answer costs d² more and no new solution.

A = V E Vᵀ,   w(λ) = V (E + λI)⁻¹ VᵀB,   M_eff(λ) = Σ e / (e + λ)                        [TRE-PLS] [TRE-MEFF]
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from glaswerk.stats.factor import EPS, factor_pairs, powers_of_two
from glaswerk.stats.ladder import BLIND_GRAM
from glaswerk.stats.moments import Moments
from glaswerk.stats.normal import normal_equations
from glaswerk.stats.pairs import Array
from glaswerk.stats.triangle import Triangle


@dataclass(frozen=True, eq=False)
class Spectrum:
    """A = V diag(values) Vᵀ with image (q, k) = B V: from it every penalty's answer costs d² more."""

    values: Array
    vectors: Array
    image: Array
    total: Array
    mean: Array
    target_mean: Array
    weight: float
    centred: bool

    def inverses(self, penalties: Array) -> Array:
        """1 / (values + λ), (m, k); 0 in directions that the rows do not determine."""
        shrunk = self.values + np.asarray(penalties)[:, None]
        known = shrunk > len(self.mean) * EPS**2 * max(float(self.values.max(initial=0.0)), np.finfo(float).tiny)
        return np.where(known, 1.0 / np.where(known, shrunk, 1.0), 0.0)

    def weights(self, penalties: Array) -> Array:
        """Coefficients (m, q, d)."""
        return (self.image * self.inverses(penalties)[:, None, :]) @ self.vectors.T

    def intercepts(self, weights: Array) -> Array:
        """Intercepts (m, q) that go with weights (m, q, d)."""
        return self.target_mean - weights @ self.mean if self.centred else np.zeros(weights.shape[:2])

    def shares(self, penalties: Array) -> Array:
        """values / (values + λ), (m, k): how much of each direction the penalty leaves."""
        return self.values * self.inverses(penalties)

    def meets(self, rows: int) -> bool:
        """Whether the columns have as many directions as there are rows, so that least squares meets all of them."""
        return int(np.count_nonzero(self.values)) == rows - self.centred

    def deviations(self) -> Array:
        """Standard deviation of every column, (d,)."""
        return np.sqrt((self.vectors**2) @ self.values / self.weight)

    def residuals(self, penalties: Array) -> Array:
        """Σ (y - ŷ)², (m, q)."""
        inverse = self.inverses(penalties)
        taken = inverse * (2.0 - self.values * inverse)
        return np.maximum(self.total - taken @ (self.image**2).T, 0.0)


def spectrum(statistic: Moments | Triangle, centred: bool) -> Spectrum:
    """Eigenvalues of A by singular values of a triangular factor: half of their digits are not lost by squaring."""
    if isinstance(statistic, Triangle):
        return _spectrum_of_rows(statistic, centred)
    normal = normal_equations(statistic, centred)
    root = _root(np.tril(normal.A.rounded))
    vectors, sizes, _ = linalg.svd(root, full_matrices=False)
    parts = (normal.total.rounded, normal.mean.rounded, normal.target_mean.rounded)
    return Spectrum(sizes**2, vectors, normal.B.rounded @ vectors, *parts, normal.weight, centred)


def _root(lower: Array) -> Array:
    """F with F Fᵀ = A, columns scaled first: small columns keep their digits beside large ones."""
    A = lower + np.tril(lower, -1).T
    scale = powers_of_two(np.diagonal(A))
    scaled = A * scale[:, None] * scale
    try:
        return np.asarray(linalg.cholesky(scaled, lower=True)) / scale[:, None]
    except linalg.LinAlgError:
        values, vectors = linalg.eigh(scaled)
        real = values > len(A) * EPS * values[-1]
        return np.asarray(vectors * np.where(real, np.sqrt(np.maximum(values, 0.0)), 0.0)) / scale[:, None]


def _spectrum_of_rows(triangle: Triangle, centred: bool) -> Spectrum:
    if not centred:
        triangle = triangle.rebased(np.zeros_like(triangle.shift))
    d, R = triangle.shift.size - triangle.n_targets, triangle.factor
    means = triangle.shift + R[0, 1:] / R[0, 0] if centred else triangle.shift
    inner = R[1:, 1:] if centred else R[:, 1:]
    left, sizes, right = linalg.svd(inner[:, :d], full_matrices=False)
    sizes = np.where(sizes > max(inner.shape) * EPS * sizes.max(initial=0.0), sizes, 0.0)
    image = (inner[:, d:].T @ left) * sizes
    total = (inner[:, d:] ** 2).sum(axis=0)
    return Spectrum(sizes**2, right.T, image, total, means[:d], means[d:], triangle.weight, centred)


@dataclass(frozen=True, eq=False)
class Shrinkage:
    """shares (r,) sum to the effective number of parameters; root C (d, r) gives the covariance σ² C Cᵀ."""

    shares: Array
    root: Array

    @property
    def effective(self) -> float:
        return float(self.shares.sum())


def shrinkage(statistic: Moments | Triangle, penalty: float, centred: bool) -> Shrinkage:
    """[TRE-MEFF] Σ d² / (d² + λ) over the singular values d, and C Cᵀ = (A + λI)⁻¹ A (A + λI)⁻¹."""
    if isinstance(statistic, Moments):
        A = normal_equations(statistic, centred).A
        if penalty == 0:
            root = factor_pairs(A, EPS * max(32, len(A.high)) if statistic.exact else BLIND_GRAM).root
            return Shrinkage(np.ones(root.shape[1]), root)
        found = _shrinkage_scaled(np.tril(A.rounded), penalty)
        if found is not None:
            return found
    seen = spectrum(statistic, centred)
    inverse = seen.inverses(np.array([penalty]))[0]
    return Shrinkage(seen.values * inverse, seen.vectors * (np.sqrt(seen.values) * inverse))


def _shrinkage_scaled(lower: Array, penalty: float) -> Shrinkage | None:
    """By Cholesky of the scaled A + λI, so that the columns' units cost no digits; None where doubles do not see it."""
    A = lower + np.tril(lower, -1).T
    scale = powers_of_two(np.diagonal(A) + penalty)
    scaled = A * scale[:, None] * scale
    try:
        L = linalg.cholesky(scaled + np.diag(penalty * scale**2), lower=True)
    except linalg.LinAlgError:
        return None
    half = linalg.solve_triangular(L, scaled, lower=True)
    kept, directions = linalg.eigh(linalg.solve_triangular(L, half.T, lower=True))
    kept = np.clip(kept, 0.0, 1.0)
    root = linalg.solve_triangular(L, directions * np.sqrt(kept), lower=True, trans="T") * scale[:, None]
    return Shrinkage(kept, root)
