"""Inference: what the noise left in the rows says of a linear model's coefficients and predictions, as facts.

ŵ ~ N(w, σ² (XᵀX)⁻¹),   σ̂² = RSS / (rows - coefficients)                                  [BG-SE] [BG-BETA]
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from glaswerk.facts import Coefficient, Coefficients, Goodness, Numerics
from glaswerk.stats.factor import Dependency
from glaswerk.stats.pairs import Array
from glaswerk.stats.rungs import Solution

FEW = 4  # parts of a sum shown in a sentence before "and n more"


def noise_deviation(solution: Solution, left: float) -> Array:
    """σ̂ = sqrt(RSS / degrees of freedom left) for each target; NaN where none is left."""
    return np.sqrt(solution.residual / left) if left > 0 else np.full_like(solution.residual, np.nan)


def student_quantile(level: float, left: float) -> float:
    """Half-width of a two-sided interval of probability `level`, in standard errors."""
    return float(special.stdtrit(left, 0.5 + level / 2)) if left > 0 else np.nan


def normal_quantile(level: float) -> float:
    """The same where the noise's deviation is known."""
    return float(special.ndtri(0.5 + level / 2))


def standard_errors(solution: Solution, sigma: Array) -> Array:
    """[BG-SE] sqrt(σ² diag (XᵀX)⁻¹), intercept first: (q, 1 + d)."""
    root = solution.factor.root
    spread = np.sqrt((root**2).sum(axis=1))
    at_origin = np.sqrt(1.0 / solution.weight + ((solution.mean @ root) ** 2).sum())
    return sigma[:, None] * np.concatenate([[at_origin], spread])


def inflations(solution: Solution) -> Array | None:
    """VIF_j = A_jj (A⁻¹)_jj: 1 where a column moves with no other; None for one column, or where columns repeat."""
    factor = solution.factor
    if not factor.full or factor.scale.size < 2:
        return None
    squares = np.empty(factor.scale.size)
    squares[factor.order] = (factor.lower**2).sum(axis=1)
    found: Array = squares / factor.scale**2 * (factor.root**2).sum(axis=1)
    return found


def leverage(solution: Solution, X: Array, centred: bool) -> Array:
    """h = 1/W + (x - x̄)ᵀ A⁻¹ (x - x̄): the variance of the fitted mean at x, in units of σ²."""
    spread = (((X - solution.mean) @ solution.factor.root) ** 2).sum(axis=1)
    return spread + (1.0 / solution.weight if centred else 0.0)


def repeated_columns(dependencies: tuple[Dependency, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """One sentence for each column that adds nothing to the others."""
    sentences = []
    for found in dependencies:
        name = names[found.column]
        if not found.parts:
            sentences.append(f"column {name!r} is constant")
            continue
        parts = [f"{factor:+.6g}·{names[j]!r}" for j, factor in found.parts[:FEW]]
        more = f" and {len(found.parts) - FEW} more" if len(found.parts) > FEW else ""
        sentences.append(f"column {name!r} repeats {' '.join(parts)}{more} (up to a constant)")
    return tuple(sentences)


@dataclass(frozen=True, eq=False)
class Inference:
    """One solution with the names of its columns and what its rows leave to estimate the noise from."""

    solution: Solution
    names: tuple[str, ...]
    left: float
    rows: float
    centred: bool

    def coefficients(self, k: int, target: str, level: float) -> Coefficients:
        """Estimate, standard error, t, p and interval of every coefficient of target k."""
        s = self.solution
        estimates = np.concatenate([[s.intercept[k]], s.coefficients[k]])
        errors = standard_errors(s, noise_deviation(s, self.left))[k]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = estimates / errors
        p = 2 * special.stdtr(self.left, -np.abs(t)) if self.left > 0 else np.full_like(t, np.nan)
        half = student_quantile(level, self.left) * errors
        columns = zip(estimates, errors, t, p, estimates - half, estimates + half, strict=True)
        vif = inflations(s) if self.centred else None
        shared = [None] * len(estimates) if vif is None else [None, *map(float, vif)]
        rows = [
            replace(Coefficient(name, float(row[0]), *map(_or_none, row[1:])), inflation=inflation)
            for name, row, inflation in zip(("intercept", *self.names), columns, shared, strict=True)
        ]
        notes = () if self.left > 0 else ("no degree of freedom is left: errors and intervals cannot be estimated",)
        return Coefficients(target, level, tuple(rows if self.centred else rows[1:]), notes)

    def goodness(self, k: int, target: str, likely: bool) -> Goodness:
        """Sums of squares, R², noise; the likelihood where rows are repetitions and not precisions."""
        s = self.solution
        rss, tss = float(s.residual[k]), float(s.total[k])
        beta = self.rows / rss if rss > 0 else None  # [BG-BETA] 1/β = Σ (ŷ - t)² / N
        likelihood = None
        if beta is not None and likely:
            likelihood = 0.5 * self.rows * float(np.log(beta) - np.log(2 * np.pi) - 1.0)  # [BG-LOGLIK] at its maximum
        sigma = _or_none(noise_deviation(s, self.left)[k])
        r2 = 1.0 - rss / tss if tss > 0 else None
        notes = () if self.centred else ("without an intercept, squares are counted from zero",)
        return Goodness(target, s.count, s.weight, self.left, rss, tss, r2, sigma, beta, likelihood, notes)

    def numerics(self) -> Numerics:
        """How the system was solved and what the answer is worth."""
        s, factor = self.solution, self.solution.factor
        repeated = () if factor.full else repeated_columns(factor.dependencies(), self.names)
        return Numerics(
            str(s.rung), s.passes, factor.rank, len(self.names), factor.condition, s.digits, s.digits_of_data, repeated
        )


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
