"""Kernel regression: the mean of all rows, weighted by a bell around the query.

    f(q) = Σ yᵢ K(q - xᵢ) / Σ K(q - xᵢ),   K(u) = exp(-½ Σ u_j² / h_j²)                                      [BG-NW]

Cost: nothing to learn but the bandwidth; a query meets the rows within some bandwidths (few columns) or all n. When not
to use it: many columns, where no row is near; values beyond those of the rows; slopes at the border (local lines).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import (
    Allowed,
    Array,
    Regressor,
    find_unusable,
    integer,
    none,
    number,
    one_of,
    targets,
    thread_count,
    weights,
)  # fmt: skip
from glaswerk.facts import Curve, Facts, Line, MethodCard, Table
from glaswerk.learner.bumps import Bumps, Sums
from glaswerk.learner.sampling import SampleFit
from glaswerk.passes import available_threads, one_blas_thread
from glaswerk.scoring import r2_score
from glaswerk.stats.left_out import left_out_errors

FACTORS: Array = np.array(
    4.0 * 2.0 ** (-0.5 * np.arange(19)), dtype=np.float64
)  # bandwidths tried, in standard deviations of the columns
ISOLATED = 1e-9  # what other rows weigh beside a row itself, below which its residual says nothing
MOST_DRAWN = 300


@storable("BellWeights", version=1)
@dataclass(frozen=True, eq=False)
class BellWeights:
    """The rows kept, their targets (n, q) and weights, the bandwidths, and what leave-one-out found for each tried."""

    rows: Array
    targets: Array
    weight: Array
    bandwidths: Array
    tried: Array
    errors: Array
    left_out: int

    @cached_property
    def middle(self) -> Array:
        return np.asarray(self.weight @ self.targets / self.weight.sum())

    @cached_property
    def residuals(self) -> dict[float, Array]:
        return {}

    @cached_property
    def searches(self) -> dict[int, Bumps]:
        return {}

    def bumps(self, threads: int) -> Bumps:
        if threads not in self.searches:
            self.searches[threads] = Bumps(np.ascontiguousarray(self.rows / self.bandwidths), self.weight, threads)
        return self.searches[threads]

    def check(self) -> None:
        n = len(self.rows)
        if self.rows.ndim != 2 or self.targets.shape[:1] != (n,) or self.weight.shape != (n,):
            raise ValueError("kept rows need one target and one weight each")
        if self.bandwidths.shape != self.rows.shape[1:] or not (self.bandwidths > 0).all():
            raise ValueError("bandwidths must be above 0, one for each column")


def spreads(rows: Array, weight: Array) -> Array:
    """Standard deviation of each column; 1 where a column is constant."""
    mean = weight @ rows / weight.sum()
    found = np.sqrt(weight @ (rows - mean) ** 2 / weight.sum())
    return np.where(found > 1e-14 * np.abs(mean), found, 1.0)


class KernelRegression(SampleFit, Regressor):
    """Nadaraya-Watson regression, with a bound on what truncation changes and a standard error at every query.

    A query far from all rows, where the formula is 0/0, gets its limit: the value of the nearest row.

    Parameters
    ----------
    bandwidth : "loo" (least leave-one-out error of 19 bandwidths, √2 apart, in deviations of the columns); a number in
        the units of the columns, or one for each column.
    tol : rows left out of a mean weigh at most this part of the others; 0 takes all rows.
    left_out : rows that leave-one-out predicts from all others, evenly spread; None for every row.
    n_jobs : threads; the result does not depend on it.

    >>> model = KernelRegression(bandwidth=1.0).fit([[0.0], [1.0]], [0.0, 1.0])
    >>> model.predict([[0.5], [0.0], [1e6]]).round(4).tolist()
    [0.5, 0.3775, 1.0]
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "bandwidth": one_of("loo")
        | number(0, above=True)
        | Allowed("a list of such numbers, one for each column", lambda v: isinstance(v, list | tuple | np.ndarray)),
        "tol": number(0, 1),
        "left_out": integer(1) | none(),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**Regressor.fitted, "single_target_": bool, "solution_": BellWeights}
    linear_smoother: ClassVar[bool] = True  # answers are weighted sums of the targets kept
    card: ClassVar[MethodCard] = MethodCard(
        name="kernel regression (Nadaraya-Watson)",
        formula="f(q) = Σ yᵢ K(q - xᵢ) / Σ K(q - xᵢ), K(u) = exp(-½ Σ u_j² / h_j²)",
        equations=("BG-NW", "BG-NWLOO", "BG-DGAUSS"),
        cost="a bandwidth: n² d and 19 squarings of n² weights; a query: the rows within some bandwidths, or all n",
        assumes=("the target varies little within a bandwidth", "one bandwidth suits the whole table"),
        restriction_bias="none with a small bandwidth; predictions stay between the least and greatest target",
        preference_bias="smooth functions: the wider the bell, the smoother",
        not_for=("many columns", "values beyond those of the rows", "a slope at the border of the rows"),
    )

    def __init__(
        self, *, bandwidth: Any = "loo", tol: float = 1e-6, left_out: int | None = 2000, n_jobs: int | None = None
    ) -> None:
        self.bandwidth = bandwidth
        self.tol = tol
        self.left_out = left_out
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Keep the rows and choose the bandwidth; `sample_weight` counts each row that many times."""
        self.check_parameters()
        owner = type(self).__name__
        rows = self._rows(X, fit=True)
        Y, self.single_target_ = targets(y, len(rows), owner)
        message = find_unusable(Y, [f"y{k}" for k in range(Y.shape[1])], "the target y")
        if message:
            raise ValueError(f"{owner}: {message}")
        weight = weights(sample_weight, len(rows), owner)
        weight = weight if weight.size else np.ones(len(rows))
        used = weight > 0
        with one_blas_thread():
            self.solution_ = self._kept(np.array(rows[used]), np.array(Y[used]), weight[used])
        return self

    def _rows(self, X: Any, *, fit: bool) -> Array:
        rows = np.asarray(self.table(X, fit=fit), dtype=np.float64)
        message = find_unusable(rows, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        return rows

    def _kept(self, rows: Array, Y: Array, weight: Array) -> BellWeights:
        n, d = rows.shape
        nothing = np.zeros(0)
        if not isinstance(self.bandwidth, str):
            given = np.asarray(self.bandwidth, dtype=np.float64)
            if given.shape not in ((), (d,)) or not (np.isfinite(given) & (given > 0)).all():
                raise ValueError(f"{type(self).__name__}: bandwidth must be above 0, one number or {d}, got {given}")
            return BellWeights(rows, Y, weight, np.array(np.broadcast_to(given, (d,))), nothing, nothing, 0)
        scale = spreads(rows, weight)
        if n == 1:
            return BellWeights(rows, Y, weight, scale, nothing, nothing, 0)
        count = n if self.left_out is None else min(n, self.left_out)
        which = np.arange(count) * n // count
        middle = weight @ Y / weight.sum()
        inner = (rows - weight @ rows / weight.sum()) / scale
        errors = left_out_errors(inner, Y - middle, weight, FACTORS, which)
        best = FACTORS[int(errors.argmin())]
        return BellWeights(rows, Y, weight, best * scale, FACTORS.copy(), errors, count)

    @property
    def bandwidth_(self) -> Array:
        """The bandwidth of each column, in its units."""
        self.check_fitted()
        return self.solution_.bandwidths

    def chosen(self) -> tuple[dict[str, float], float] | None:
        """The bandwidth in deviations of the columns, and its mean squared error on rows left out."""
        self.check_fitted()
        known = self.solution_
        if not len(known.tried):
            return None
        best = int(known.errors.argmin())
        return {"bandwidth": float(known.tried[best])}, float(known.errors[best])

    def _sums(self, queries: Array, sides: Array) -> Sums:
        """Σ w K side and more for every query, in bandwidths."""
        known = self.solution_
        with one_blas_thread():
            search = known.bumps(available_threads(self.n_jobs))
            return search.means(queries / known.bandwidths, sides, self.tol)

    def _means(self, queries: Array) -> tuple[Array, Array]:
        """The mean of every query (m, q), and the bound on what rows left out would change."""
        known = self.solution_
        found = self._sums(queries, known.targets - known.middle)
        part = found.dropped / (found.mass + found.dropped)
        return found.sides / found.mass[:, None] + known.middle, part[:, None] * np.ptp(known.targets, axis=0)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The weighted mean for every row; with `return_std` also its standard error, bias not counted."""
        self.check_fitted()
        queries = self._rows(X, fit=False)
        mean = self._shaped(self._means(queries)[0])
        return (mean, self._shaped(self.standard_errors(queries))) if return_std else mean

    def predict_certified(self, X: Any) -> tuple[Array, Array]:
        """The mean for every row, and a bound on its distance to the mean of all rows without truncation."""
        self.check_fitted()
        mean, bound = self._means(self._rows(X, fit=False))
        return self._shaped(mean), self._shaped(bound)

    def _shaped(self, found: Array) -> Array:
        return found[:, 0] if self.single_target_ else found

    def residuals(self) -> Array:
        """y less the mean of the other rows (n, q); NaN for a row that is alone within its bell.         [BG-NWLOO]"""
        self.check_fitted()
        known = self.solution_
        if self.tol not in known.residuals:
            sides = known.targets - known.middle
            found = self._sums(known.rows, sides)
            others = (found.mass - np.exp(-found.top))[:, None]
            alone = others < ISOLATED * found.mass[:, None]
            gap = sides * found.mass[:, None] - found.sides
            known.residuals[self.tol] = np.where(alone, np.nan, gap / np.where(alone, 1.0, others))
        return known.residuals[self.tol]

    def standard_errors(self, queries: Array) -> Array:
        """[BG-NWSE] se² = Σ w K r² / Σ w K · Σ w K² / (Σ w K)², r the leave-one-out residuals; NaN without one."""
        left = self.residuals() ** 2
        there = np.isfinite(left)
        found = self._sums(queries, np.column_stack([np.where(there, left, 0.0), there]))
        q = left.shape[1]
        with np.errstate(invalid="ignore", divide="ignore"):
            local = found.sides[:, :q] / found.sides[:, q:]
        return np.asarray(np.sqrt(local * (found.squares / found.mass**2)[:, None]))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² = 1 - RSS/TSS of these rows."""
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))

    def facts(self) -> Facts:
        """What is kept, the leave-one-out error over the bandwidths, the curve of a single column, the method."""
        self.check_fitted()
        known = self.solution_
        cells = tuple((name, float(h)) for name, h in zip(self.column_names(), known.bandwidths, strict=True))
        note = f"{len(known.rows)} rows are kept; a query meets those within some bandwidths."
        found = [Table("Bandwidths", ("column", "h"), cells, (note,))]
        curves = [self._over_bandwidths()] if known.tried.size else []
        curves += [self._drawn()] if len(known.bandwidths) == 1 else []
        return Facts([*found, *curves, self.card])

    def _over_bandwidths(self) -> Curve:
        known = self.solution_
        best = int(known.errors.argmin())
        line = Line("leave-one-out", tuple(known.tried[::-1].tolist()), tuple(known.errors[::-1].tolist()))
        says = f"Least at {known.tried[best]:.3g} standard deviations: {known.errors[best]:.4g}."
        if best in (0, len(known.tried) - 1):
            says += (
                " That is the last one tried: a still " + ("wider" if best == 0 else "narrower") + " one may do better."
            )
        return Curve(
            "Bandwidth by leave-one-out", "bandwidth, in standard deviations", "mean squared error", (line,), says,
            x_scale="log", marks=((float(known.tried[best]), "least"),),
            notes=(f"{known.left_out} rows left out in turn",),
        )  # fmt: skip

    def _drawn(self) -> Curve:
        """The fitted mean with two standard errors on each side, over the only column."""
        known = self.solution_
        x = np.linspace(known.rows.min(), known.rows.max(), MOST_DRAWN // 3)
        mean, spread = self._means(x[:, None])[0][:, 0], np.nan_to_num(2 * self.standard_errors(x[:, None])[:, 0])
        some = np.arange(min(len(known.rows), MOST_DRAWN)) * len(known.rows) // min(len(known.rows), MOST_DRAWN)
        rows = Line("rows", tuple(known.rows[some, 0].tolist()), tuple(known.targets[some, 0].tolist()), form="points")
        band = (tuple((mean - spread).tolist()), tuple((mean + spread).tolist()))
        fit = Line("weighted mean, two standard errors", tuple(x.tolist()), tuple(mean.tolist()), *band)
        says = f"Every point of the curve is a mean of rows within some {known.bandwidths[0]:.3g} of it."
        return Curve("Fitted mean", self.column_names()[0], "y", (rows, fit), says)

    def check_restored(self) -> None:
        """As many columns as were fitted."""
        if self.solution_.rows.shape[1] != self.n_features_in_:
            raise ValueError("solution_ belongs to another number of columns")
