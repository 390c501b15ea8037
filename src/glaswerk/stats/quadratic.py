"""Quadratic: the bowl that a curvature describes, and its bottom.   step = -(H + Λ)⁻¹ g

The intercepts are taken out first (they carry no penalty), so that what is factorised are columns seen from their
weighted mean:   A = H_ww - H_wb H_bb⁻¹ H_bw + Λ.   Where columns repeat and nothing penalises, the shortest step is
taken; weights that begin at zero then stay the shortest of all equally good ones.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from glaswerk.stats.factor import EPS, Factor, factor_gram, factor_pairs
from glaswerk.stats.pairs import Array, Pair

POOREST = 1e-13  # reciprocal condition of the scaled normal matrix at which doubles no longer see it as definite


@dataclass(frozen=True, eq=False)
class Quadratic:
    """A factorised curvature of `scores` rows of `size` weights, the intercept last in each row."""

    scores: int
    size: int
    intercept: bool
    factor: Factor
    cross: Array
    corner: Array

    @classmethod
    def of(cls, hessian: Array, scores: int, penalty: float, intercept: bool) -> "Quadratic":
        """From H (scores · size)² and a penalty ½ penalty |w|² that spares the intercepts.

        Of several scores only differences count: what all share is fixed by a bowl of the same width in that direction,
        which moves no step whose rows add up to zero.
        """
        size = len(hessian) // scores
        H = hessian.reshape(scores, size, scores, size)
        if scores > 1:
            shared = np.einsum("kaka->a", H) / scores
            H = H + np.einsum("ab,kl->kalb", np.diag(shared), np.full((scores, scores), 1.0 / scores))
        d = size - 1
        inner = H[:, :d, :, :d].reshape(scores * d, scores * d)
        cross, corner = H[:, :d, :, d].reshape(scores * d, scores), H[:, d, :, d]
        if intercept:
            corner, failed = lapack.dpotrf(corner, lower=1, clean=1)
            if failed:
                raise np.linalg.LinAlgError("nothing curves along the intercepts")
            half = lapack.dtrtrs(corner, np.asfortranarray(cross.T), lower=1)[0]
            inner = inner - half.T @ half
        inner = inner.copy()
        inner.ravel()[:: len(inner) + 1] += penalty
        return cls(scores, size, intercept, _factor(inner), cross, corner)

    def solve(self, right: Array) -> Array:
        """(H + Λ)⁻¹ right for right (scores, size); the shortest of all answers where there are several."""
        d = self.size - 1
        w, b = right[:, :d].ravel(), right[:, d]
        if self.intercept:
            w = w - self.cross @ self._level(b)
        found = self._weights(w)
        level = np.zeros(self.scores)
        if self.intercept:
            level = self._level(b - self.cross.T @ found)
        return np.column_stack([found.reshape(self.scores, d), level])

    def _level(self, right: Array) -> Array:
        """H_bb⁻¹ right."""
        found: Array = lapack.dpotrs(self.corner, right, lower=1)[0]
        return found.reshape(right.shape)

    def _weights(self, right: Array) -> Array:
        if self.factor.full and not self.factor.lower_low.any():
            return self.factor.solve_plain(right[None, :])[0]
        return self.factor.root @ (self.factor.root.T @ right)

    def solve_each(self, right: Array) -> Array:
        """For a curvature of one score that several share: the same for every row of right."""
        return np.concatenate([self.solve(row[None, :]) for row in right])

    def covariance(self, shift: Array) -> Array:
        """(H + Λ)⁻¹ as (scores, d + 1, scores, d + 1), the intercepts seen from zero instead of `shift`."""
        d, root = self.size - 1, self.factor.root
        spread = np.zeros((self.scores, self.size, self.scores, self.size))
        inner = root @ root.T
        spread[:, :d, :, :d] = inner.reshape(self.scores, d, self.scores, d)
        if self.intercept:
            to_level = self._level(self.cross.T)
            across = (inner @ to_level.T).reshape(self.scores, d, self.scores)
            level = self._level(np.eye(self.scores)) + to_level @ inner @ to_level.T
            spread[:, :d, :, d] = -across
            spread[:, d, :, :d] = np.moveaxis(-across, 2, 0)
            spread[:, d, :, d] = level
            # The intercept at zero is that at the shift less shiftᵀw.
            spread[:, d] -= np.tensordot(shift, spread[:, :d], axes=(0, 1)).reshape(spread[:, d].shape)
            spread[..., d] -= spread[..., :d] @ shift
        return spread


def _factor(inner: Array) -> Factor:
    plain = factor_gram(inner)
    if plain is not None and plain.reciprocal_condition > POOREST:
        return plain
    return factor_pairs(Pair.of(inner), np.sqrt(EPS * max(32, len(inner))))
