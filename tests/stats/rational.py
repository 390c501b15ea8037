"""Sums over rows in rational numbers: what the statistics would hold if nothing were ever rounded."""

from fractions import Fraction

import numpy as np

exactly = np.vectorize(Fraction, otypes=[object])


def rational(values, low=None):
    """The exact value of an array of doubles, or of a pair (high, low)."""
    values = np.asarray(values, dtype=float)
    found = exactly(values) if values.size else values.astype(object)
    return found if low is None or not np.size(low) else found + rational(low)


def rational_gram(X, Y, weight, shift):
    """Σ w a aᵀ with a = [x, y, 1] - [shift, 0]."""
    A = np.column_stack([rational(np.column_stack([X, Y])) - rational(shift), rational(np.ones(len(X)))])
    w = rational(weight)[:, None] if len(weight) else 1
    return (A * w).T.dot(A)


def rational_covariance(X, Y, weight):
    """Σ w (z - z̄)(z - z̄)ᵀ of the columns z = [x, y]."""
    gram = rational_gram(X, Y, weight, np.zeros(X.shape[1] + Y.shape[1]))
    return gram[:-1, :-1] - np.outer(gram[-1, :-1], gram[-1, :-1]) / gram[-1, -1]
