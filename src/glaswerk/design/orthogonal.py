"""Orthogonal polynomials of the training rows: the polynomials of `PolynomialBasis`, numerically harmless.

    q_0 = 1,   q_{k+1} = ((x - α_k) q_k - β_k q_{k-1}) / γ_k,   P_k = q_k / √(mean of q_k²)
    α_k = Σ x q_k² / Σ q_k²,   β_k = γ_{k-1} Σ q_k² / Σ q_{k-1}²,   γ_k a power of two

Over the rows the mean of P_j P_k is 1 for j = k and 0 otherwise (the procedure of Stieltjes and Forsythe). In doubles
it loses that for skewed columns, and wholly for heavy tails; here the recurrence is found and evaluated in
double-double, and a degree that loses it nevertheless is not offered.

Cost: some 250 operations per row, column and degree to fit, half of that to transform, and one per cell and product.
When not to use it: beyond the range of the rows, where every polynomial of high degree runs away.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, Matrix, Transformer, Warned, find_unusable, flag, integer
from glaswerk.design.polynomial import term_name, terms
from glaswerk.stats.pairs import Pair

LOST = 1e-13  # a mean of P_j P_k beyond it: the rows do not bear this degree
ROWS_AT_ONCE = 4096
Term = tuple[int, ...]
Powers = dict[Term, Fraction]


@storable("Recurrence", version=1)
@dataclass(frozen=True, eq=False)
class Recurrence:
    """The polynomials of one column: `alpha`, `beta` (2, degree) as high and low part; x counts in `unit`s."""

    unit: float
    alpha: Array
    beta: Array
    gamma: Array
    scale: Array

    @property
    def degree(self) -> int:
        return len(self.gamma)

    def check(self) -> None:
        k = self.gamma.shape
        if len(k) != 1 or not k[0] or self.scale.shape != k or not self.alpha.shape == self.beta.shape == (2, *k):
            raise ValueError("a recurrence has one alpha, beta, gamma and scale per degree")
        if not all(np.isfinite(part).all() for part in (self.unit, self.alpha, self.beta, self.gamma, self.scale)):
            raise ValueError("a recurrence has finite coefficients")
        if not self.unit > 0 or not (self.gamma > 0).all() or not (self.scale > 0).all():
            raise ValueError("unit, gamma and scale are > 0")

    def __call__(self, x: Array) -> Array:
        """P_1 … P_degree of every value (n, degree)."""
        found = np.empty((len(x), self.degree))
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is not finite, and `transform` names it
            for rows in blocks(len(x)):
                self._evaluate(x[rows], found[rows])
        return found

    def _evaluate(self, x: Array, found: Array) -> None:
        t = Pair.of(x / self.unit)
        before, now = first_two(len(x))
        for k, gamma in enumerate(self.gamma):
            stepped = step(t, before, now, Pair(*self.alpha[:, k]), Pair(*self.beta[:, k]))
            before, now = now, stepped.scaled(1.0 / gamma)
            found[:, k] = now.rounded * self.scale[k]

    def powers(self) -> Iterator[list[Fraction]]:
        """The exact coefficients of 1, x, x², … in P_1, P_2, …"""
        unit = Fraction(self.unit)
        before, now = [Fraction(0)], [Fraction(1)]
        for k in range(self.degree):
            alpha, beta = (Fraction(high) + Fraction(low) for high, low in (self.alpha[:, k], self.beta[:, k]))
            gamma = Fraction(self.gamma[k])
            raised = [Fraction(0), *(c / unit for c in now)]
            less = [alpha * c for c in now]
            before = [beta * c for c in before]
            stepped = [(r - _at(less, i) - _at(before, i)) / gamma for i, r in enumerate(raised)]
            before, now = now, stepped
            yield [c * Fraction(self.scale[k]) for c in now]


def _at(coefficients: list[Fraction], power: int) -> Fraction:
    return coefficients[power] if power < len(coefficients) else Fraction(0)


def first_two(n: int) -> tuple[Pair, Pair]:
    """q_{-1} = 0 and q_0 = 1 of n rows."""
    return Pair.of(np.zeros(n)), Pair.of(np.ones(n))


def step(t: Pair, before: Pair, now: Pair, alpha: Pair, beta: Pair) -> Pair:
    """γ_k q_{k+1} of some rows."""
    return t.minus(alpha).times(now).minus(beta.times(before))


def recurrence_of(x: Array, degree: int) -> Recurrence:
    """The polynomials of a column, up to `degree` or the highest that its rows bear, which is 1 at least.

    A constant column has the one polynomial x - x_0.
    """
    unit = float(2.0 ** np.frexp(np.abs(x).max())[1])
    if x.min() == x.max():
        alone = np.array([[x[0] / unit], [0.0]])
        return Recurrence(unit, alone, np.zeros((2, 1)), np.ones(1), np.array([unit]))
    found = [*coefficients_of(x / unit, degree)]
    alpha, beta = (np.array([[getattr(row[k], part) for row in found] for part in Pair._fields]) for k in (0, 1))
    gamma, scale = (np.array([row[k] for row in found]) for k in (2, 3))
    return Recurrence(unit, alpha, beta, gamma, scale)


def coefficients_of(t: Array, degree: int) -> Iterator[tuple[Pair, Pair, float, float]]:
    """α_k, β_k, γ_k and the scale of P_{k+1}, as long as P_{k+1} is orthogonal to those before it."""
    n = len(t)
    (before, now), square, beta = first_two(n), Pair.of(np.array(float(n))), Pair.of(np.array(0.0))
    known = [np.ones(n)]
    for _ in range(degree):
        alpha = mixed_sum(t, now).over(square)
        stepped = stepped_in_blocks(t, before, now, alpha, beta)
        total = mixed_sum(None, stepped)
        mean = float(total.high) / n
        if not mean > 0:
            return
        gamma = float(2.0 ** np.round(np.log2(mean) / 2))
        scale = gamma / float(np.sqrt(mean))
        before, now = now, stepped.scaled(np.array(1.0 / gamma))
        known.append(now.rounded * scale)
        if max(abs(float((p * known[-1]).mean())) for p in known[:-1]) > LOST:
            return
        yield alpha, beta, gamma, scale
        total = total.scaled(np.array(gamma**-2))
        beta, square = total.scaled(np.array(gamma)).over(square), total


def stepped_in_blocks(t: Array, before: Pair, now: Pair, alpha: Pair, beta: Pair) -> Pair:
    """`step` of all rows, a block that stays in the cache at a time."""
    found = Pair(np.empty_like(t), np.empty_like(t))
    for rows in blocks(len(t)):
        part = step(Pair.of(t[rows]), before.at(rows), now.at(rows), alpha, beta)
        found.high[rows], found.low[rows] = part
    return found


def mixed_sum(t: Array | None, q: Pair) -> Pair:
    """Σ t q² over the rows, or Σ q²."""
    total = Pair.of(np.array(0.0))
    for rows in blocks(len(q.high)):
        square = q.at(rows).times(q.at(rows))
        total = total.plus((square if t is None else square.times(Pair.of(t[rows]))).sum())
    return total


def blocks(n: int) -> Iterator[slice]:
    return (slice(first, first + ROWS_AT_ONCE) for first in range(0, n, ROWS_AT_ONCE))


def expanded(term: Term, powers: Sequence[Sequence[Sequence[Fraction]]]) -> Powers:
    """The product of the polynomials that a term names, as coefficients of products of powers."""
    counted = {column: term.count(column) for column in dict.fromkeys(term)}
    made: Powers = {(): Fraction(1)}
    for column, degree in counted.items():
        made = {
            known + (column,) * power: so_far * c
            for known, so_far in made.items()
            for power, c in enumerate(powers[column][degree - 1])
        }
    return made


class OrthogonalPolynomialBasis(Transformer):
    """The polynomials up to `degree` as columns that are uncorrelated over the training rows, each of mean square 1.

    The span is that of `PolynomialBasis(degree)`, so least squares finds the same curve; with one column, or
    `products=False` and independent columns, the condition is 1 whatever the degree, and a weight says how much of the
    target's variation its degree explains. A penalty acts on these weights, not on those of the powers.

    Parameters
    ----------
    degree : highest degree; for products, highest sum of degrees.
    products : whether polynomials of different columns are multiplied too; these are nearly orthogonal at best.

    A column with m distinct values bears degree m - 1, and one whose values lie far apart at many scales perhaps less:
    `fit` warns, and takes fewer.

    >>> OrthogonalPolynomialBasis(2).fit_transform([[0.0], [1.0], [2.0]]).round(4).tolist()
    [[-1.2247, 0.7071], [0.0, -1.4142], [1.2247, 0.7071]]
    """

    parameters: ClassVar[dict[str, Allowed]] = {"degree": integer(1), "products": flag()}
    fitted: ClassVar[dict[str, type]] = {**Transformer.fitted, "recurrences_": list}

    def __init__(self, degree: int = 2, *, products: bool = True) -> None:
        self.degree = degree
        self.products = products

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the polynomials of every column."""
        self.check_parameters()
        rows = self.numbers(X, fit=True)
        self.recurrences_ = [recurrence_of(np.ascontiguousarray(x), self.degree) for x in rows.T]
        self._tell_low_degrees(rows)
        return self

    def _tell_low_degrees(self, rows: Array) -> None:
        told = []
        for name, x, found in zip(self.column_names(), rows.T, self.recurrences_, strict=True):
            distinct = len(np.unique(x)) if found.degree < self.degree else 0
            if distinct > 1:
                why = f"{distinct} distinct values" if distinct == found.degree + 1 else "values at very many scales"
                told.append(f"{name!r} bears degree {found.degree} ({why})")
        if told:
            more = f" and {len(told) - 3} more" if len(told) > 3 else ""
            warnings.warn(
                f"OrthogonalPolynomialBasis({self.degree}): column {'; '.join(told[:3])}{more}; "
                "higher ones are left out",
                Warned,
                stacklevel=3,
            )

    @property
    def terms_(self) -> list[Term]:
        """Each term as the columns it multiplies, by degree and then by column: (0, 0, 1) is P2(x0) P1(x1)."""
        self.check_fitted()
        borne = [found.degree for found in self.recurrences_]
        if not self.products:
            return [(c,) * k for k in range(1, self.degree + 1) for c, most in enumerate(borne) if k <= most]
        every = terms(len(borne), self.degree, interaction_only=False)
        return [term for term in every if all(term.count(c) <= borne[c] for c in term)]

    def transform(self, X: Any) -> Matrix:
        """The polynomials of every row."""
        self.check_fitted()
        rows = self.numbers(X, fit=False)
        made = [found(x) for found, x in zip(self.recurrences_, rows.T, strict=True)]
        terms_ = self.terms_
        cells = np.empty((len(rows), len(terms_)))
        for place, term in enumerate(terms_):
            cells[:, place] = prod(made[c][:, term.count(c) - 1] for c in dict.fromkeys(term))
        names = self.get_feature_names_out()
        message = find_unusable(cells, list(names), "the basis")
        if message:
            raise ValueError(f"OrthogonalPolynomialBasis: X lies too far outside the rows of fit: {message}")
        return Matrix.of(cells, names)

    def to_powers(self, coefficients: ArrayLike, intercept: float = 0.0) -> dict[str, float]:
        """The same polynomial written in powers: {"1": …, "x0": …, "x0^2": …}, exact until the final rounding.

        The powers' coefficients are as uncertain as they are by nature: a last digit changed in `coefficients` may
        change most of theirs where the degree is high.

        >>> basis = OrthogonalPolynomialBasis(2).fit([[0.0], [1.0], [2.0]])
        >>> {name: round(c, 4) for name, c in basis.to_powers([0.0, 1.0]).items()}
        {'1': 0.7071, 'x0': -4.2426, 'x0^2': 2.1213}
        """
        weights = np.asarray(coefficients, dtype=np.float64)
        terms_ = self.terms_
        if weights.shape != (len(terms_),) or not np.isfinite([*weights, intercept]).all():
            raise ValueError(
                f"OrthogonalPolynomialBasis: coefficients must be {len(terms_)} finite numbers, one per term, "
                f"got shape {weights.shape}"
            )
        powers = [list(found.powers()) for found in self.recurrences_]
        total: Powers = {(): Fraction(float(intercept)), **dict.fromkeys(terms_, Fraction(0))}
        for term, weight in zip(terms_, weights, strict=True):
            for power, c in expanded(term, powers).items():
                total[power] += Fraction(float(weight)) * c
        names = self.column_names()
        return {term_name(term, names) if term else "1": float(c) for term, c in total.items()}

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """P1(x0), P2(x0), P1(x0) P1(x1), … in the table's own names."""
        names = self.input_names(input_features)
        return np.array(
            [" ".join(f"P{term.count(c)}({names[c]})" for c in dict.fromkeys(term)) for term in self.terms_],
            dtype=object,
        )

    def check_restored(self) -> None:
        """One recurrence per column, none beyond the degree asked for."""
        kinds = all(isinstance(found, Recurrence) and found.degree <= self.degree for found in self.recurrences_)
        if not kinds or len(self.recurrences_) != self.n_features_in_:
            raise ValueError("recurrences_ does not hold the polynomials of every column")
