"""Fisher information: how sharply a model's rows speak of its weights, and the least variance that follows from it.

    I(w) = -⟨∂² ln p / ∂w²⟩ = ⟨∂ ln p/∂w (∂ ln p/∂w)ᵀ⟩,   Var(ŵ) >= I⁻¹ for every unbiased ŵ       [BG-FISHER] [BG-CRB]

Linear model with normal noise: I = β ΦᵀΦ. Classes: the free ones' blocks Σ pₖ(δₖₗ - pₗ) φφᵀ. Cost: n p² / 2.
"""

import numpy as np

from glaswerk.stats.factor import factor_gram
from glaswerk.stats.pairs import Array


def linear_information(rows: Array, noise_precision: float) -> Array:
    """β ΦᵀΦ, (p, p)."""
    found: Array = noise_precision * (rows.T @ rows)
    return found


def class_information(rows: Array, probabilities: Array) -> Array:
    """For P (n, K) the information of the weights of all classes but the first, ((K - 1) p)²; for two the usual p²."""
    free = probabilities[:, 1:]
    p, k = rows.shape[1], free.shape[1]
    found = np.empty((k * p, k * p))
    for a in range(k):
        for b in range(k):
            weight = free[:, a] * ((a == b) - free[:, b])
            found[a * p : (a + 1) * p, b * p : (b + 1) * p] = rows.T @ (weight[:, None] * rows)
    return found


def least_variances(information: Array) -> Array | None:
    """[BG-CRB] The diagonal of I⁻¹, by a factor of I; None where the rows leave a combination of weights open."""
    factor = factor_gram(information)
    if factor is None or factor.reciprocal_condition < np.finfo(float).eps:
        return None
    variances: Array = (factor.root**2).sum(axis=1)
    return variances
