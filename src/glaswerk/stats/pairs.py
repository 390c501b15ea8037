"""Arrays held as unevaluated sums high + low: about 32 digits with plain NumPy.

The readable statement, and the oracle, of the compiled arithmetic in `glaswerk.kernels.arithmetic`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SPLITTER = 134_217_729.0  # 2^27 + 1 cuts a double into two halves whose products are exact (Veltkamp, Dekker)


def two_sum(a: Array, b: Array) -> "Pair":
    """a + b exactly (Knuth)."""
    total = a + b
    part = total - a
    return Pair(total, (a - (total - part)) + (b - part))


def _halves(a: Array) -> tuple[Array, Array]:
    big = SPLITTER * a
    high = big - (big - a)
    return high, a - high


def two_product(a: Array, b: Array) -> "Pair":
    """a · b exactly, for magnitudes below 1e300."""
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return Pair(product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)


class Pair(NamedTuple):
    """high + low, elementwise; low is at most half a unit in the last place of high once normalised."""

    high: Array
    low: Array

    @classmethod
    def of(cls, values: Array) -> "Pair":
        return cls(values, np.zeros(values.shape))

    def normalised(self) -> "Pair":
        return two_sum(self.high, self.low)

    def plus(self, other: "Pair") -> "Pair":
        total = two_sum(self.high, other.high)
        return two_sum(total.high, total.low + (self.low + other.low))

    def minus(self, other: "Pair") -> "Pair":
        return self.plus(Pair(-other.high, -other.low))

    def times(self, other: "Pair") -> "Pair":
        product = two_product(self.high, other.high)
        return two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))

    def over(self, other: "Pair") -> "Pair":
        first = Pair.of(self.high / other.high)
        rest = self.minus(first.times(other))
        second = Pair.of(rest.high / other.high)
        rest = rest.minus(second.times(other))
        return first.plus(second).plus(Pair.of(rest.high / other.high))

    def scaled(self, factor: Array) -> "Pair":
        """Times powers of two: exact."""
        return Pair(self.high * factor, self.low * factor)

    def at(self, *index: object) -> "Pair":
        return Pair(self.high[index], self.low[index])  # type: ignore[index]

    def sum(self) -> "Pair":
        """Sum over the last axis, halves upon halves: few array operations, and errors that grow with log₂ alone."""
        if not self.high.shape[-1]:
            return Pair.of(np.zeros(self.high.shape[:-1]))
        total = self
        while (width := total.high.shape[-1]) > 1:
            half, odd = width // 2, width % 2
            folded = total.at(..., slice(half)).plus(total.at(..., slice(half, 2 * half)))
            if odd:
                rest = total.at(..., slice(2 * half, None))
                folded = Pair(*(np.concatenate([a, b], axis=-1) for a, b in zip(folded, rest, strict=True)))
            total = folded
        return total.at(..., 0)

    @property
    def rounded(self) -> Array:
        return self.high + self.low


def outer(left: Pair, right: Pair) -> Pair:
    """left rightᵀ of two pairs of vectors."""
    return left.at(slice(None), None).times(right.at(None, slice(None)))
