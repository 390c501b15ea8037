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
    """For every row its loss, the slope by every score (q, n), y of its own class, and its lead over the next class.

    The second derivative is y_k (δ_kl - y_l), where y_k is the slope of every class but the row's own.
    """

    value: Array
    slope: Array
    own: Array
    margin: Array


def sigmoid(z: Array) -> Array:
    """The link: the probability of class 1 [BG-SIGMA]."""
    found: Array = special.expit(z)
    return found


def cross_entropy(Z: Array, codes: NDArray[np.intp]) -> Loss:
    """Two classes, one score Z (1, n) [BG-CE]:  ln(1 + e^u),  y - t   with   u = z for t = 0, -z for t = 1."""
    first = codes == 0
    u = np.where(first, Z[0], -Z[0])
    small = np.exp(-np.abs(u))
    whole = 1.0 + small
    near, far = 1.0 / whole, small / whole
    behind = u >= 0
    wrong, own = np.where(behind, near, far), np.where(behind, far, near)
    value = np.log1p(small)
    value += np.maximum(u, 0.0)
    return Loss(value, np.where(first, wrong, -wrong)[None, :], own, -u)


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
    rest -= top
    powers = np.exp(rest, out=rest)
    away = powers.sum(axis=0)
    mine = np.exp(score - top)
    total = away + mine
    # ln(1 + away / mine) where the own class leads: its loss keeps its digits however small it is.
    with np.errstate(divide="ignore", over="ignore"):
        value = np.where(score >= nearest, np.log1p(away / mine), np.log(total) + (top - score))
    powers /= total
    powers[own] = -away / total
    return Loss(value, powers, mine / total, score - nearest)
