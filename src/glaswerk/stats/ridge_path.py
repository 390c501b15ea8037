"""The errors of ridge regression on every fold for every penalty, from one pass over the rows.

    w(λ) = (A + λI)⁻¹ B   with   A = V E Vᵀ:   w(λ) = V (E + λI)⁻¹ VᵀB                               [TRE-PLS]

A and B come from the moments of the other folds, the error from those of the fold itself: nothing is refitted.
"""

import numpy as np

from glaswerk.stats.moments import GroupedMoments, Moments
from glaswerk.stats.normal import normal_equations
from glaswerk.stats.pairs import Array


def fold_errors(folds: GroupedMoments, penalties: Array) -> Array:
    """Mean squared error of each held-out fold: (folds, penalties, targets). The intercept is not penalised.

    Cost: folds · d³ for the eigenvectors, folds · penalties · d² for the errors; the rows are not needed.
    When not to use it: R² above 1 - 1e-10, where squares from a Gram have no digits left.
    """
    penalties = np.asarray(penalties, dtype=np.float64)
    others = folds.all_but_each()
    return np.stack(
        [held_out_errors(folds.part(k), *path(others.part(k), penalties)) for k in range(len(folds))],
    )


def path(moments: Moments, penalties: Array) -> tuple[Array, Array]:
    """Weights (penalties, targets, d) and intercepts (penalties, targets), in the coordinates of the shift."""
    normal = normal_equations(moments, centred=True)
    A = np.tril(normal.A.rounded)
    values, vectors = np.linalg.eigh(A)
    image = normal.B.rounded @ vectors
    weights = (image / (np.maximum(values, 0.0) + penalties[:, None, None])) @ vectors.T
    shift = moments.shift
    d = A.shape[0]
    means = normal.mean.rounded - shift[:d], normal.target_mean.rounded - shift[d:]
    return weights, means[1] - weights @ means[0]


def held_out_errors(fold: Moments, weights: Array, intercepts: Array) -> Array:
    """Σ (y - b - xᵀw)² / W = θᵀ M θ / W with θ = [-w, 1 at the target, -b]: (penalties, targets)."""
    gram = fold.pair.rounded
    d, q = weights.shape[2], fold.n_targets
    theta = np.zeros((*weights.shape[:2], gram.shape[0]))
    theta[:, :, :d] = -weights
    theta[:, np.arange(q), d + np.arange(q)] = 1.0
    theta[:, :, -1] = -intercepts
    return ((theta @ gram) * theta).sum(axis=2) / fold.weight
