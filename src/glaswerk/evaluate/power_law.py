"""A power law through the points of a learning curve, and what it says of twice the rows.

    error(n) ≈ a + b n^-c,   a, b ≥ 0, c > 0

For each c of a grid, a and b are a weighted line in n^-c; the best c wins, and all c that do nearly as well give the
range of what follows. Cost: grid × points. When not to use it: far beyond twice the rows. Where the largest sizes do
not lie on the law it refuses, and says why.
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.base import Array

EXPONENTS = np.arange(2, 51) / 20
FEWEST_POINTS = 4
TAIL = 1.5  # times the last error: above it, fits with hardly more rows than columns bend the curve
TWO_DEVIATIONS = 4.0  # of misfit: what a parameter two standard errors off costs
NEAR = 0.05  # of the error: what the law may miss a point by, where the band is narrower


@dataclass(frozen=True)
class Law:
    """a + b n^-c, with the standard error of b and the misfit Σ ((y - law) / spread)²."""

    a: float
    b: float
    c: float
    b_error: float
    misfit: float

    def at(self, n: Array) -> Array:
        found: Array = self.a + self.b * n**-self.c
        return found

    def gain_of_doubling(self, n: float) -> float:
        return self.b * (n**-self.c - (2 * n) ** -self.c)


@dataclass(frozen=True)
class Doubling:
    """What twice the rows would take off the error, with the range of laws that fit; or why nothing is said."""

    gain: float | None
    lower: float | None
    upper: float | None
    refusal: str = ""


def gain_of_doubling(sizes: Array, errors: Array, spreads: Array) -> Doubling:
    """Extrapolate from the largest size to twice as many rows; `spreads` are the errors' standard errors.

    >>> n = np.array([10.0, 20, 40, 80, 160])
    >>> found = gain_of_doubling(n, 1 + 8 / n, np.full(5, 0.01))
    >>> round(found.gain, 3)
    0.025
    """
    known = np.isfinite(errors)
    sizes, errors, spreads = sizes[known], errors[known], usable_spreads(errors[known], spreads[known])
    first = start_of_law(errors)
    sizes, errors, spreads = sizes[first:], errors[first:], spreads[first:]
    if len(sizes) < FEWEST_POINTS:
        return refused(f"fewer than {FEWEST_POINTS} sizes lie on the falling part of the curve")
    laws = [law for c in EXPONENTS if (law := law_of_exponent(sizes, errors, spreads, float(c))) is not None]
    if not laws:
        return refused("the error does not fall with more rows")
    best = min(laws, key=lambda law: law.misfit)
    missed = np.abs(best.at(sizes) - errors)[-FEWEST_POINTS:]
    if (missed > np.maximum(2 * spreads, NEAR * errors)[-FEWEST_POINTS:]).any():
        return refused("no power law passes through the largest sizes")
    slack = TWO_DEVIATIONS * max(1.0, best.misfit / max(len(sizes) - 3, 1))
    near = [law for law in laws if law.misfit <= best.misfit + slack]
    factors = [law.gain_of_doubling(float(sizes[-1])) / law.b for law in near]
    lower = min(f * (law.b - law.b_error) for f, law in zip(factors, near, strict=True))
    upper = max(f * (law.b + law.b_error) for f, law in zip(factors, near, strict=True))
    return Doubling(best.gain_of_doubling(float(sizes[-1])), max(lower, 0.0), upper)


def start_of_law(errors: Array) -> int:
    """The first point after the peak from which on the error stays near its last; of few such points, the last four."""
    if not len(errors):
        return 0
    peak, high = int(np.argmax(errors)), np.flatnonzero(errors > TAIL * errors[-1])
    start = int(high[-1]) + 1 if len(high) else 0
    return max(peak, min(start, len(errors) - FEWEST_POINTS))


def refused(why: str) -> Doubling:
    return Doubling(None, None, None, why)


def usable_spreads(errors: Array, spreads: Array) -> Array:
    """Spreads that can be divided by: never below a thousandth of the error, so that no point rules alone."""
    floor = np.maximum(1e-3 * np.abs(errors), np.finfo(np.float64).tiny)
    found: Array = np.where(np.isfinite(spreads), np.maximum(spreads, floor), np.abs(errors) + floor)
    return found


def law_of_exponent(sizes: Array, errors: Array, spreads: Array, c: float) -> Law | None:
    """The weighted line errors ≈ a + b sizes^-c, with a held at zero where it would be negative; None unless b > 0."""
    weight, x = spreads**-2, sizes**-c
    total = weight.sum()
    centre, mean = weight @ x / total, weight @ errors / total
    spread_of_x = weight @ (x - centre) ** 2
    b = weight @ ((x - centre) * (errors - mean)) / spread_of_x
    a = mean - b * centre
    if a < 0:
        spread_of_x = weight @ x**2
        a, b = 0.0, weight @ (x * errors) / spread_of_x
    misfit = weight @ (errors - a - b * x) ** 2
    return Law(float(a), float(b), c, float(spread_of_x**-0.5), float(misfit)) if b > 0 else None
