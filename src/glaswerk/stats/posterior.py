"""Posterior: what is known of the weights of a linear model once a prior has met the rows.

    w | t ~ N(m, S),   S⁻¹ = α I + β Σ (x - x̄)(x - x̄)ᵀ,   m = β S Σ (x - x̄) t                    [BG-POST] [BG-MAP]

Sums of rows add, so yesterday's posterior is today's prior whatever the cut [BG-INCR]. m is the ridge solution of
λ = α/β to all its digits; a root of S gives variances, draws and intervals.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.stats.evidence import Chosen
from glaswerk.stats.factor import EPS, Factor, factor_gram, factor_pairs, factor_rows
from glaswerk.stats.moments import Moments
from glaswerk.stats.normal import normal_equations
from glaswerk.stats.pairs import Array, Pair
from glaswerk.stats.penalty import Shrunk
from glaswerk.stats.spectrum import spectrum
from glaswerk.stats.triangle import Triangle


@storable("Belief", version=1)
@dataclass(frozen=True, eq=False)
class Belief:
    """All of the posterior but its mean: precisions (q,), the log evidence, and a root of S for each target.

    roots (q or 1, d, r) with β S = root rootᵀ. With fewer rows than columns they span the rows' `basis` (d, r) alone,
    and in every other direction the prior's variance 1/α stands.
    """

    alpha: Array
    beta: Array
    effective: Array
    log_evidence: Array
    roots: Array
    basis: Array
    said: tuple[str, ...]

    @property
    def partial(self) -> bool:
        return self.basis.size > 0 or self.roots.shape[2] == 0

    def check(self) -> None:
        q = len(self.alpha)
        each = (self.alpha, self.beta, self.effective, self.log_evidence)
        if any(a.shape != (q,) or a.dtype != np.float64 for a in each) or len(self.said) != q:
            raise ValueError(f"a belief about {q} target(s) needs {q} numbers of each kind")
        if self.roots.ndim != 3 or len(self.roots) not in (1, q) or self.basis.ndim != 2:
            raise ValueError("the roots of a belief are matrices, one for each target or one for all")
        if not all(np.isfinite(a).all() and (a > 0).all() for a in (self.alpha, self.beta)):
            raise ValueError("precisions must be finite and > 0")


@storable("Posterior", version=1)
@dataclass(frozen=True, eq=False)
class Posterior:
    """The mean, as the ridge solution of λ = α/β, and the belief around it."""

    mean: Shrunk
    belief: Belief
    centred: bool

    def check(self) -> None:
        q, d = self.mean.coefficients.shape
        if len(self.belief.alpha) != q or self.belief.roots.shape[1] != d:
            raise ValueError(f"a posterior of {q} target(s) and {d} columns has a belief of another shape")

    def variance(self, rows: Array) -> Array:
        """[BG-S2] φᵀ S φ: variance of the function's value at every row, (n, q); the noise is not in it."""
        b, away = self.belief, rows - self.mean.mean
        level = 1.0 / self.mean.weight if self.centred else 0.0
        inside = np.column_stack([((away @ root) ** 2).sum(axis=1) for root in b.roots])
        found = (inside + level) / b.beta
        if b.partial:
            outside = (away**2).sum(axis=1) - ((away @ b.basis) ** 2).sum(axis=1)
            found = found + np.maximum(outside, 0.0)[:, None] / b.alpha
        return found

    def covariance(self, k: int) -> Array:
        """S (d, d) for target k."""
        b = self.belief
        root = b.roots[k % len(b.roots)]
        found = root @ root.T / b.beta[k]
        if b.partial:
            found = found + (np.eye(len(root)) - b.basis @ b.basis.T) / b.alpha[k]
        return found

    def deviations(self, k: int) -> Array:
        """Posterior deviation of the intercept (where it has a flat prior) and of every weight."""
        errors = np.sqrt(np.diagonal(self.covariance(k)))
        if not self.centred:
            return errors
        return np.append(np.sqrt(self.variance(np.zeros((1, len(errors))))[0, k]), errors)

    def draws(self, n: int, random: np.random.Generator) -> tuple[Array, Array]:
        """n draws of the weights (n, q, d) and of the intercepts (n, q)."""
        b, (q, d) = self.belief, self.mean.coefficients.shape
        z = random.standard_normal((n, q, b.roots.shape[2]))
        away = np.stack([z[:, k] @ b.roots[k % len(b.roots)].T for k in range(q)], axis=1)
        away /= np.sqrt(b.beta)[:, None]
        if b.partial:
            free = random.standard_normal((n, q, d))
            away += (free - free @ b.basis @ b.basis.T) / np.sqrt(b.alpha)[:, None]
        intercepts = np.broadcast_to(self.mean.intercept, (n, q))
        if self.centred:
            level = random.standard_normal((n, q)) / np.sqrt(b.beta * self.mean.weight)
            intercepts = intercepts + level - away @ self.mean.mean
        return self.mean.coefficients + away, intercepts


def believe(statistic: Moments | Triangle, chosen: Sequence[Chosen], centred: bool) -> Belief:
    """The belief for the precisions chosen, one for each target."""
    alpha, beta = (np.array([getattr(part, name) for part in chosen]) for name in ("alpha", "beta"))
    penalties = alpha / beta
    same = bool((penalties == penalties[0]).all())
    found = [posterior_root(statistic, float(p), centred) for p in (penalties[:1] if same else penalties)]
    effective = np.array([part.effective for part in chosen])
    evidence = np.array([part.log_evidence for part in chosen])
    roots = np.stack([root for root, _ in found])
    return Belief(alpha, beta, effective, evidence, roots, found[0][1], tuple(part.said for part in chosen))


def posterior_root(statistic: Moments | Triangle, penalty: float, centred: bool) -> tuple[Array, Array]:
    """M (d, r) with M Mᵀ = (A + λI)⁻¹, and the basis (d, r) of the rows where there are fewer of them than columns."""
    nothing = np.zeros((0, 0))
    if isinstance(statistic, Triangle) and len(statistic.factor) <= statistic.shift.size - statistic.n_targets:
        seen = spectrum(statistic, centred)
        return seen.vectors / np.sqrt(seen.values + penalty), seen.vectors
    if isinstance(statistic, Triangle):
        factor: Factor | None = _factor_of_rows(statistic, penalty, centred)
    else:
        factor = _factor_of_gram(statistic, penalty, centred)
    if factor is not None and factor.full:
        return factor.root, nothing
    seen = spectrum(statistic, centred)
    return seen.vectors / np.sqrt(seen.values + penalty), nothing


def _factor_of_gram(moments: Moments, penalty: float, centred: bool) -> Factor | None:
    A = normal_equations(moments, centred).A
    j = np.arange(len(A.high))
    total = Pair(A.high[j, j], A.low[j, j]).plus(Pair.of(np.full(len(j), penalty)))
    high, low = A.high.copy(), A.low.copy()
    high[j, j], low[j, j] = total
    return factor_pairs(Pair(high, low), EPS * max(32, len(j))) if moments.exact else factor_gram(high)


def _factor_of_rows(triangle: Triangle, penalty: float, centred: bool) -> Factor:
    if not centred:
        triangle = triangle.rebased(np.zeros_like(triangle.shift))
    d, R = triangle.shift.size - triangle.n_targets, triangle.factor
    rows = np.vstack([R[1:, 1 : 1 + d] if centred else R[:, 1 : 1 + d], np.sqrt(penalty) * np.eye(d)])
    return factor_rows(rows, np.zeros((len(rows), 0)), EPS * max(32, d))[0]


@dataclass(frozen=True, eq=False)
class PosteriorPath:
    """The posterior after every single row: weights (n, d), intercepts (n,); and what was expected of each row before
    it came: mean and deviation of its target (n,), and the log density of what came (their sum is the log evidence)."""

    weights: Array
    intercepts: Array
    expected: Array
    deviations: Array
    log_densities: Array


def posterior_path(
    X: Array, t: Array, alpha: float, beta: float, *, shift: Array, flat: bool, own_ones: bool
) -> PosteriorPath:
    """Start from the prior and take the rows one at a time; `flat`: an intercept without a prior, its weight first.

    The first row fills a flat prior: it was not expected to be anything, and its log density counts as 0.
    """
    n, p = len(X), X.shape[1] + flat + own_ones
    rows = np.ones((n, p))
    np.subtract(X, shift, out=rows[:, int(flat) : p - own_ones])
    root = np.diag(np.append(np.zeros(int(flat)), np.full(p - flat, np.sqrt(alpha / beta))))
    means, before = np.empty((n, p)), np.empty((n, 2))
    kernels.posterior_path(rows, np.ascontiguousarray(t), root, np.zeros((1, p)), means, before)
    variance = (1.0 + before[:, 1]) / beta
    with np.errstate(invalid="ignore"):
        logs = -0.5 * (np.log(2 * np.pi * variance) + (t - before[:, 0]) ** 2 / variance)
    logs = np.where(np.isfinite(variance), logs, 0.0)
    weights = means[:, int(flat) : p - own_ones]
    intercepts = np.zeros(n)
    if flat or own_ones:
        intercepts = means[:, 0] - weights @ shift if flat else means[:, -1]
    return PosteriorPath(weights, intercepts, before[:, 0], np.sqrt(variance), logs)
