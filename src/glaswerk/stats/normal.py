"""Normal equations: the moments of a table, seen from its mean.

A w = B,   A = Σ w (x - x̄)(x - x̄)ᵀ,   B = Σ w (y - ȳ)(x - x̄)ᵀ                                      [BG-LS]
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.stats.factor import EPS
from glaswerk.stats.moments import Moments
from glaswerk.stats.pairs import Pair, outer


@dataclass(frozen=True, eq=False)
class Normal:
    """A pair (d, d), B pair (q, d), total squares (q,), means; without centring all seen from the origin."""

    A: Pair
    B: Pair
    total: Pair
    mean: Pair
    target_mean: Pair
    weight: float


def normal_equations(moments: Moments, centred: bool) -> Normal:
    """Take the means out of the moments, or the shift where there is no intercept."""
    d = moments.shift.size - moments.n_targets
    if not centred and moments.shift.any():
        moments = moments.rebased(np.zeros_like(moments.shift))
    inner, mean = (_inner_pairs if moments.exact else _inner_plain)(moments, centred)
    squares = np.diagonal(inner.high)
    # A column whose spread is what rounding its mean or its sums leaves is constant: exactly zero from here on.
    away, unit = mean.high[:d] - moments.shift[:d], 2.0**-100 if moments.exact else EPS
    steady = squares[:d] <= moments.weight * ((4 * EPS * mean.high[:d]) ** 2 + 16 * unit * away**2)
    if steady.any():
        for part in inner:
            part[:d][steady], part[:, :d][:, steady] = 0.0, 0.0
    return Normal(
        inner.at(slice(d), slice(d)),
        inner.at(slice(d, None), slice(d)),
        Pair(*(np.diagonal(part)[d:].copy() for part in inner)),
        mean.at(slice(d)),
        mean.at(slice(d, None)),
        moments.weight,
    )


def _inner_plain(moments: Moments, centred: bool) -> tuple[Pair, Pair]:
    """In doubles, where the sums are doubles; only the lower triangle counts."""
    gram, weight = moments.gram, moments.weight
    if not centred:
        return Pair.of(gram[:-1, :-1]), Pair.of(np.zeros_like(moments.shift))
    sums = gram[-1, :-1]
    offset = sums / weight
    return Pair.of(gram[:-1, :-1] - sums[:, None] * offset), Pair.of(moments.shift + offset)


def _inner_pairs(moments: Moments, centred: bool) -> tuple[Pair, Pair]:
    gram = moments.pair
    inner = gram.at(slice(-1), slice(-1))
    if not centred:
        return inner, Pair.of(np.zeros_like(moments.shift))
    sums = gram.at(-1, slice(-1))
    offset = sums.over(gram.at(-1, -1))
    return inner.minus(outer(sums, offset)), offset.plus(Pair.of(moments.shift))
