"""Impurity of nodes from what they hold.

mean squared error: Σ w (y - ȳ)² / W;   Gini: 1 - Σ p²;   entropy: -Σ p log₂ p;   misclassification: 1 - max p
[SCH-MISS]. A cut's cost is the mean of its parts' impurities, weighted by their rows [SCH-GAIN].
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.trees.grown import Grown
from glaswerk.trees.target import CRITERIA, ENTROPY, MISTAKES

NAMES = {
    "squared_error": "mean squared error", "rss": "mean squared error", "gini": "Gini impurity",
    "entropy": "entropy (bits)", "log_loss": "entropy (bits)", "misclassification": "misclassification",
}  # fmt: skip


def shares(grown: Grown) -> Array:
    """The share of each class in each node; several outputs side by side."""
    found: Array = grown.value / grown.weight[:, None]
    return found


def impurities(grown: Grown, criterion: str) -> Array:
    """The impurity of every node, averaged over outputs."""
    if not grown.bounds.size:
        found: Array = grown.squares / grown.weight / grown.value.shape[1]
        return found
    p = shares(grown)
    kind = CRITERIA[criterion]
    outputs = len(grown.bounds)
    if kind == ENTROPY:
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(p > 0, p * np.log2(p), 0.0)
        return np.abs(terms.sum(axis=1)) / outputs
    if kind == MISTAKES:
        return 1.0 - np.maximum.reduceat(p, grown.bounds, axis=1).mean(axis=1)
    return 1.0 - (p * p).sum(axis=1) / outputs


def risks(grown: Grown, criterion: str) -> Array:
    """R(t) = W(t) · impurity(t): what the cost-complexity of a tree adds up over its leaves."""
    found: Array = grown.weight * impurities(grown, criterion)
    return found
