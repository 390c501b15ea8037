"""Polynomial basis: φ(x) = (x, x², …) and all products of columns up to a degree          [BOE-PHI] [BOE-PHI2] [BG-PHI]

Cost: rows times terms; d columns have (d + degree)! / (d! degree!) - 1 terms. When not to use it: far beyond the range
of the rows; many columns and a high degree, where terms outnumber rows; a degree whose powers are nearly dependent
(`fit` warns): `OrthogonalPolynomialBasis`.
"""

import warnings
from itertools import chain, combinations, combinations_with_replacement
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Array, Matrix, Transformer, Warned, flag, integer
from glaswerk.stats.pairs import Pair

MOST_PAIRED = 2_000_000  # cells up to which the powers are also kept beyond double precision
MOST_CONDITION = 1e10  # of the powers of one column: beyond it six digits are left to a learner that sees doubles
COLUMNS_AT_ONCE = 256


def terms(n_columns: int, degree: int, interaction_only: bool) -> list[tuple[int, ...]]:
    """Each term as the columns it multiplies, by degree and then by column: (0,), (1,), (0, 0), (0, 1), …"""
    choose = combinations if interaction_only else combinations_with_replacement
    return list(chain.from_iterable(choose(range(n_columns), k) for k in range(1, degree + 1)))


def power_conditions(low: Array, high: Array, degree: int) -> Array:
    """Condition number of x, …, x^degree of each column, centred and of length one, for x spread evenly in its range.

    It says what the range and the degree alone do to the digits; above 1e15 it is only a lower bound.
    """
    found = np.ones(len(low))
    varied = np.flatnonzero(high > low) if degree > 1 else np.zeros(0, dtype=np.int64)
    for some in np.array_split(varied, -(-len(varied) // COLUMNS_AT_ONCE) or 1):
        size = np.maximum(np.abs(low[some]), np.abs(high[some]))
        spread = np.linspace(low[some] / size, high[some] / size, max(64, 4 * degree), axis=1)
        powers = spread[:, :, None] ** np.arange(1, degree + 1)
        powers -= powers.mean(axis=1, keepdims=True)
        lengths = np.linalg.norm(powers, axis=1, keepdims=True)
        values = np.linalg.svd(powers / np.where(lengths > 0, lengths, 1.0), compute_uv=False)
        found[some] = values[:, 0] / np.maximum(values[:, -1], np.finfo(np.float64).tiny)
    return found


class PolynomialBasis(Transformer):
    """All powers and products of the columns up to `degree`, without the constant (the learner's intercept is that).

    Tables of up to two million cells hand their powers over in double-double, and `LinearRegression` uses it: a
    polynomial of degree ten keeps thirteen correct digits where rounded powers leave seven.

    Parameters
    ----------
    degree : highest sum of exponents. 2 with two columns gives x0, x1, x0², x0·x1, x1²  (script A's φ: ℝ² → ℝ⁵).
    interaction_only : products of different columns only, no powers.

    >>> PolynomialBasis(2).fit_transform([[2.0, 3.0]]).tolist()
    [[2.0, 3.0, 4.0, 6.0, 9.0]]
    """

    parameters: ClassVar[dict[str, Allowed]] = {"degree": integer(1), "interaction_only": flag()}
    fitted: ClassVar[dict[str, type]] = {**Transformer.fitted, "terms_": list}

    def __init__(self, degree: int = 2, *, interaction_only: bool = False) -> None:
        self.degree = degree
        self.interaction_only = interaction_only

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the number and the names of the columns."""
        self.check_parameters()
        rows = self.numbers(X, fit=True)
        self.terms_ = terms(self.n_features_in_, self.degree, self.interaction_only)
        if not self.interaction_only:
            self._tell_nearly_dependent(rows)
        return self

    def _tell_nearly_dependent(self, rows: Array) -> None:
        """Warn of the column whose powers cost a learner most digits, and name the way out."""
        low, high = rows.min(axis=0), rows.max(axis=0)
        conditions = power_conditions(low, high, self.degree)
        worst = int(np.argmax(conditions))
        if conditions[worst] > MOST_CONDITION:
            warnings.warn(
                f"PolynomialBasis: on its range from {low[worst]:g} to {high[worst]:g} the powers of column "
                f"{self.column_names()[worst]!r} up to {self.degree} are nearly dependent (condition about "
                f"{conditions[worst]:.0e} once centred and scaled), which costs most learners that many digits. "
                f"OrthogonalPolynomialBasis({self.degree}) gives the same functions without the loss",
                Warned,
                stacklevel=3,
            )

    def transform(self, X: Any) -> Matrix:
        """φ(x) for every row."""
        self.check_fitted()
        rows = self.numbers(X, fit=False)
        if len(rows) * len(self.terms_) <= MOST_PAIRED:
            pairs = self._pairs(rows)
            return Matrix.of(pairs.high, self.get_feature_names_out(), pairs.low)
        made: dict[tuple[int, ...], int] = {}
        cells = np.empty((len(rows), len(self.terms_)))
        for place, term in enumerate(self.terms_):
            made[term] = place
            cells[:, place] = rows[:, term[0]]
            if len(term) > 1:
                cells[:, place] *= cells[:, made[term[1:]]]
        return Matrix.of(cells, self.get_feature_names_out())

    def _pairs(self, rows: Array) -> Pair:
        made: dict[tuple[int, ...], Pair] = {}
        for term in self.terms_:
            column = Pair.of(rows[:, term[0]])
            made[term] = column if len(term) == 1 else column.times(made[term[1:]])
        return Pair(*(np.column_stack([getattr(p, part) for p in made.values()]) for part in Pair._fields))

    def check_restored(self) -> None:
        """The terms follow from width and parameters, so a file must agree."""
        if self.terms_ != terms(self.n_features_in_, self.degree, self.interaction_only):
            raise ValueError("terms_ does not belong to this degree and number of columns")

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """x0, x1, x0^2, x0 x1, … in the table's own names."""
        names = self.input_names(input_features)
        return np.array([term_name(term, names) for term in self.terms_], dtype=object)


def term_name(term: tuple[int, ...], names: tuple[str, ...]) -> str:
    powers = {column: term.count(column) for column in dict.fromkeys(term)}
    return " ".join(names[c] if k == 1 else f"{names[c]}^{k}" for c, k in powers.items())
