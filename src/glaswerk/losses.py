"""Losses: value, gradient, curvature and link of what a row costs, each as plain functions of the score z.

    two classes, t in {0, 1}:   E = -t ln y - (1 - t) ln(1 - y),   y = σ(z) = 1 / (1 + e⁻ᶻ)     [BG-CE] [BG-SIGMA]
    K classes, code t:          E = -ln y_t,   y_k = e^{z_k} / Σ e^{z_j}                        [BG-SOFTMAX]

Scores of any size are taken: nothing overflows, and no probability is found by subtracting from one. Both losses are
convex; of two classes the softmax of (0, z) is the sigmoid of z.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]


class Loss(NamedTuple):
    """For every row the loss and its lead (margin), for every score (q, n) its slope, y (`share`) and 1 - y (`others`).

    The second derivative is y_k (δ_kl - y_l), that is share · others on the diagonal.
    """

    value: Array
    slope: Array
    share: Array
    others: Array
    margin: Array


def sigmoid(z: Array) -> Array:
    """The link: the probability of class 1 [BG-SIGMA]."""
    found: Array = special.expit(z)
    return found


def cross_entropy(Z: Array, codes: NDArray[np.intp]) -> Loss:
    """Two classes, one score Z (1, n) [BG-CE]:  ln(1 + e^u),  y - t   with   u = z for t = 0, -z for t = 1."""
    z, first = Z[0], codes == 0
    u = np.where(first, z, -z)
    small = np.exp(-np.abs(z))
    whole = 1.0 + small
    near, far = 1.0 / whole, small / whole
    ahead = z >= 0
    share, others = np.where(ahead, near, far), np.where(ahead, far, near)
    slope = np.where(first, share, -others)
    value = np.log1p(small)
    value += np.maximum(u, 0.0)
    return Loss(value, slope[None, :], share[None, :], others[None, :], -u)


def softmax(Z: Array) -> Array:
    """The link: probabilities of the K classes, rows of Z (K, n) [BG-SOFTMAX]."""
    powers = np.exp(Z - Z.max(axis=0))
    powers /= powers.sum(axis=0)
    return powers


def softmax_cross_entropy(Z: Array, codes: NDArray[np.intp]) -> Loss:
    """K classes, scores Z (K, n) [BG-SOFTMAX]:  ln Σ e^{z_j} - z_t,  y_k - [k = t]."""
    own = codes, np.arange(Z.shape[1])
    score = Z[own]
    rest = Z.copy()
    rest[own] = -np.inf
    nearest = rest.max(axis=0)
    top = np.maximum(score, nearest)
    powers = np.exp(rest - top)
    away = powers.sum(axis=0)
    mine = np.exp(score - top)
    total = away + mine
    # ln(1 + away / mine) where the own class leads: its loss keeps its digits however small it is.
    with np.errstate(divide="ignore", over="ignore"):
        value = np.where(score >= nearest, np.log1p(away / mine), np.log(total) + (top - score))
    slope = powers / total
    slope[own] = -away / total
    share = slope.copy()
    share[own] = mine / total
    others = 1.0 - share
    others[own] = away / total
    return Loss(value, slope, share, others, score - nearest)
