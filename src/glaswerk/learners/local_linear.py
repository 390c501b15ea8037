"""Local lines: lines fitted by weighted least squares around centres, and put over each other by bells.

    a, b minimise Σ d_n (t_n - aᵀx_n - b)²,   d_n = exp(-½ Σ (x_nj - μ_j)² / h_j²)                            [BG-DLS]
    t(x) = Σ_e Φ_e(x) (a_eᵀx + b_e)        E lines, each fitted around its centre [BG-LWR], or all at once [BG-UNIFIED]

Cost: one solve per query n d² / 2; E lines together n (E d)² / 2. When not to use it: many columns, where no row is
near; columns in units of their own, unless every column has its own bandwidth.
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
    flag,
    integer,
    number,
    one_of,
    targets,
    thread_count,
    weights,
)
from glaswerk.design.landmarks import drawn_rows, given_points, point_table, squared_distances
from glaswerk.facts import Facts, MethodCard, Table
from glaswerk.learner.bumps import Bumps, Lines
from glaswerk.learner.sampling import SampleFit
from glaswerk.learners.kmeans import KMeans
from glaswerk.learners.ridge import Ridge
from glaswerk.passes import available_threads, one_blas_thread
from glaswerk.scoring import r2_score

LEAST = 1e-12  # part of the largest local variance below which a direction has no slope
FLAT = 1e-300
LOWEST = -1e300  # of an exponent: none is so low that it is no number
above = number(0, above=True)
width_or_widths = above | Allowed(
    "a list of such numbers, one for each column", lambda v: isinstance(v, list | tuple | np.ndarray)
)


@storable("LocalLines", version=1)
@dataclass(frozen=True, eq=False)
class LocalLines:
    """E lines: centres (E, d), bandwidths (d,), slopes (E, q, d), heights at the centres (E, q)."""

    centres: Array
    widths: Array
    slopes: Array
    heights: Array

    def check(self) -> None:
        E, d = self.centres.shape
        q = self.heights.shape[1]
        if self.slopes.shape != (E, q, d) or self.heights.shape != (E, q) or self.widths.shape != (d,):
            raise ValueError("lines need a slope for every column, and a height for every centre")


@storable("KeptForLines", version=1)
@dataclass(frozen=True, eq=False)
class KeptForLines:
    """The rows around which lines are fitted at every query."""

    rows: Array
    targets: Array
    weight: Array
    widths: Array

    @cached_property
    def searches(self) -> dict[int, Bumps]:
        return {}

    def bumps(self, threads: int) -> Bumps:
        if threads not in self.searches:
            self.searches[threads] = Bumps(np.ascontiguousarray(self.rows / self.widths), self.weight, threads)
        return self.searches[threads]

    def check(self) -> None:
        n = len(self.rows)
        if self.targets.shape[:1] != (n,) or self.weight.shape != (n,) or self.widths.shape != self.rows.shape[1:]:
            raise ValueError("kept rows need one target and one weight each")


class LocalRegressor(SampleFit, Regressor):
    """Interface: what regressors with bells around centres share: rows, targets and widths checked."""

    fitted: ClassVar[dict[str, type]] = {**Regressor.fitted, "single_target_": bool, "solution_": object}

    def _rows(self, X: Any, *, fit: bool) -> Array:
        rows = np.asarray(self.table(X, fit=fit), dtype=np.float64)
        message = find_unusable(rows, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        return rows

    def _given(self, X: Any, y: Any, sample_weight: Any) -> tuple[Array, Array, Array]:
        """Rows that count, their targets and weights."""
        self.check_parameters()
        rows, owner = self._rows(X, fit=True), type(self).__name__
        Y, self.single_target_ = targets(y, len(rows), owner)
        message = find_unusable(Y, [f"y{k}" for k in range(Y.shape[1])], "the target y")
        if message:
            raise ValueError(f"{owner}: {message}")
        weight = weights(sample_weight, len(rows), owner)
        weight = weight if weight.size else np.ones(len(rows))
        return np.array(rows[weight > 0]), np.array(Y[weight > 0]), weight[weight > 0]

    def _widths(self, asked: Any, d: int) -> Array:
        found = np.asarray(asked, dtype=np.float64)
        if found.shape not in ((), (d,)) or not (found > 0).all():
            raise ValueError(f"{type(self).__name__}: bandwidth must be above 0, one number or {d}, got {found}")
        return np.array(np.broadcast_to(found, (d,)))

    def _shaped(self, found: Array) -> Array:
        return found[:, 0] if self.single_target_ else found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² = 1 - RSS/TSS of these rows."""
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))

    def predict(self, X: Any) -> Array:
        raise NotImplementedError


def heights(seen: Lines) -> Array:
    """[BG-DLS] What a line fitted to weighted rows says at each query: (m, q).

    Directions in which the weighted rows do not spread have no slope, so that one row alone gives its own target.
    """
    values, turn = np.linalg.eigh(seen.spread)
    wide = values > np.maximum(LEAST * (1.0 + seen.far), FLAT)[:, None]
    along = np.einsum("mj,mjk->mk", seen.away, turn) * wide / np.where(wide, values, 1.0)
    found: Array = seen.level + np.einsum("mqj,mjk,mk->mq", seen.cross, turn, along)
    return found


class LocallyWeightedRegression(LocalRegressor):
    """A line for every query, fitted by least squares that weighs rows by a bell around it. Rows are kept.

    Far from all rows, where all weights underflow, the weights are those of the nearest rows: their limit.

    Parameters
    ----------
    bandwidth : h, in the units of the columns; one number, or one for each column.
    tol : rows left out weigh at most this part of the others; 0 takes all rows.
    n_jobs : threads; the result does not depend on it.

    >>> model = LocallyWeightedRegression(1.0).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.predict([[1.5], [4.0]]).round(6).tolist()
    [4.0, 9.0]
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "bandwidth": width_or_widths,
        "tol": number(0, 1),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**LocalRegressor.fitted, "solution_": KeptForLines}
    linear_smoother: ClassVar[bool] = True  # answers are weighted sums of the targets kept
    card: ClassVar[MethodCard] = MethodCard(
        name="locally weighted regression",
        formula="ŷ(q) = aᵀq + b, a and b minimise Σ K(q - xₙ) (yₙ - aᵀxₙ - b)²",
        equations=("BG-DLS", "BG-DGAUSS"),
        cost="nothing to learn; a query: d² / 2 products for each row within some bandwidths",
        assumes=("the target is nearly straight within a bandwidth", "one bandwidth suits the whole table"),
        restriction_bias="none with a small bandwidth",
        preference_bias="functions straight within a bandwidth; the wider, the straighter",
        not_for=("many columns", "a bandwidth unknown even in size: KernelRegression finds one", "quick answers"),
    )

    def __init__(self, bandwidth: Any = 1.0, *, tol: float = 1e-10, n_jobs: int | None = None) -> None:
        self.bandwidth = bandwidth
        self.tol = tol
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Keep the rows; `sample_weight` counts each that many times."""
        rows, Y, weight = self._given(X, y, sample_weight)
        self.solution_ = KeptForLines(rows, Y, weight, self._widths(self.bandwidth, rows.shape[1]))
        return self

    def predict(self, X: Any) -> Array:
        """What the line around each row says there."""
        self.check_fitted()
        known = self.solution_
        queries = self._rows(X, fit=False) / known.widths
        middle = known.weight @ known.targets / known.weight.sum()
        with one_blas_thread():
            seen = known.bumps(available_threads(self.n_jobs)).lines(queries, known.targets - middle, self.tol)
        return self._shaped(heights(seen) + middle)

    def facts(self) -> Facts:
        """What is kept, the bandwidths, the method."""
        self.check_fitted()
        cells = tuple((name, float(h)) for name, h in zip(self.column_names(), self.solution_.widths, strict=True))
        note = f"{len(self.solution_.rows)} rows are kept; every query fits a line to those within some bandwidths."
        return Facts([Table("Bandwidths", ("column", "h"), cells, (note,)), self.card])

    def check_restored(self) -> None:
        """As many columns as were fitted."""
        if self.solution_.rows.shape[1] != self.n_features_in_:
            raise ValueError("solution_ belongs to another number of columns")


class UnifiedLocalModel(LocalRegressor):
    """E lines under E bells: t(x) = Σ Φ_e(x) (a_eᵀx + b_e), the form that many models share.

    Special cases: linear regression (one bell, so wide that it is flat); a network of radial basis functions
    (`slopes=False`); one Gaussian-weighted line (`n_lines=1, fit_lines="each"`); E lines of locally weighted regression
    (`fit_lines="each"`).

    Parameters
    ----------
    n_lines : E. centres : "kmeans", "rows" (drawn at random), or a table of points.
    bandwidth : h of every bell, in the units of the columns; one number, or one for each column.
    fit_lines : "joint": all a_e and b_e at once, by ridge regression; "each": every line by
        itself, rows weighed by its bell.
    slopes : False for a_e = 0.
    normalise : bells divided by their sum; without it, as the script prints it, t(x) is 0 far from all centres.
    alpha : λ of the penalty; 0 is least squares. random_state : seed of the centres.

    >>> model = UnifiedLocalModel(centres=[[0.0]], bandwidth=1e8, alpha=0.0)
    >>> model.fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0]).predict([[4.0]]).round(6).tolist()
    [9.0]
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "n_lines": integer(1),
        "centres": one_of("kmeans", "rows") | point_table,
        "bandwidth": width_or_widths,
        "fit_lines": one_of("joint", "each"),
        "slopes": flag(),
        "normalise": flag(),
        "alpha": number(0),
        "random_state": integer(0),
    }
    fitted: ClassVar[dict[str, type]] = {**LocalRegressor.fitted, "solution_": LocalLines}
    card: ClassVar[MethodCard] = MethodCard(
        name="unified local model",
        formula="ŷ = Σ Φ_e(x) (a_eᵀx + b_e), Φ_e(x) = exp(-½ Σ (x_j - μ_ej)² / h_j²)",
        equations=("BG-UNIFIED", "BG-LWR", "BG-DLS"),
        cost="all at once n (E d)² / 2; each by itself E n d² / 2",
        assumes=("the target is nearly straight under a bell", "bells that cover the rows"),
        restriction_bias="lines under these bells",
        preference_bias="functions straight under a bell; small weights where λ is large",
        not_for=("many columns", "places beyond the bells"),
    )

    def __init__(
        self,
        n_lines: int = 10,
        *,
        centres: Any = "kmeans",
        bandwidth: Any = 1.0,
        fit_lines: str = "joint",
        slopes: bool = True,
        normalise: bool = True,
        alpha: float = 1e-8,
        random_state: int = 0,
    ) -> None:
        self.n_lines = n_lines
        self.centres = centres
        self.bandwidth = bandwidth
        self.fit_lines = fit_lines
        self.slopes = slopes
        self.normalise = normalise
        self.alpha = alpha
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Place the centres and fit the lines; `sample_weight` counts each row that many times."""
        rows, Y, weight = self._given(X, y, sample_weight)
        widths = self._widths(self.bandwidth, rows.shape[1])
        centres = self._placed(rows, weight)
        bells = self._bells(rows, centres, widths)
        fitted = self._together if self.fit_lines == "joint" else self._each
        self.solution_ = LocalLines(centres, widths, *fitted(rows, Y, weight, bells, centres))
        return self

    def _placed(self, rows: Array, weight: Array) -> Array:
        if not isinstance(self.centres, str):
            return given_points(self.centres, rows.shape[1], f"{type(self).__name__}: centres")
        count = min(self.n_lines, len(np.unique(rows, axis=0)))
        if self.centres == "rows":
            return np.array(drawn_rows(rows, count, self.random_state))
        return np.array(KMeans(count, random_state=self.random_state).fit(rows, None, weight).cluster_centers_)

    def _bells(self, rows: Array, centres: Array, widths: Array) -> Array:
        """Φ (n, E); normalised ones from the greatest down, so that none is 0/0."""
        cells = np.maximum(-0.5 * squared_distances(rows / widths, centres / widths), LOWEST)
        if not self.normalise:
            return np.asarray(np.exp(cells))
        found = np.exp(cells - cells.max(axis=1, keepdims=True))
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def _together(self, rows: Array, Y: Array, weight: Array, bells: Array, centres: Array) -> tuple[Array, Array]:
        """[BG-UNIFIED] Linear in all a_e and b_e: least squares on the columns Φ_e and Φ_e · (x - μ_e)."""
        n, d = rows.shape
        E, q = len(centres), Y.shape[1]
        sloped = (bells[:, :, None] * (rows[:, None, :] - centres)).reshape(n, -1) if self.slopes else np.zeros((n, 0))
        model = Ridge(self.alpha, fit_intercept=False).fit(np.column_stack([bells, sloped]), Y, weight)
        w = model.shrunk.coefficients
        slopes = np.swapaxes(w[:, E:].reshape(q, E, d), 0, 1) if self.slopes else np.zeros((E, q, d))
        return np.ascontiguousarray(slopes), np.ascontiguousarray(w[:, :E].T)

    def _each(self, rows: Array, Y: Array, weight: Array, bells: Array, centres: Array) -> tuple[Array, Array]:
        """[BG-LWR] (XᵀD_eX)⁻¹XᵀD_e t for every centre by itself, D_e its bell without normalisation."""
        E, q, d = len(centres), Y.shape[1], rows.shape[1]
        slopes, heights = np.zeros((E, q, d)), np.empty((E, q))
        widths = self._widths(self.bandwidth, d)
        cells = -0.5 * squared_distances(rows / widths, centres / widths)
        for e in range(E):
            own = weight * np.exp(cells[:, e] - cells[:, e].max())
            if self.slopes:
                line = Ridge(self.alpha).fit(rows - centres[e], Y, own).shrunk
                slopes[e], heights[e] = line.coefficients, line.intercept
            else:
                heights[e] = own @ Y / own.sum()
        return slopes, heights

    def predict(self, X: Any) -> Array:
        """Σ Φ_e(x) (a_eᵀ(x - μ_e) + height_e) for every row."""
        self.check_fitted()
        known, rows = self.solution_, self._rows(X, fit=False)
        bells = self._bells(rows, known.centres, known.widths)
        found = bells @ known.heights
        for e, centre in enumerate(known.centres):
            found += bells[:, e, None] * ((rows - centre) @ known.slopes[e].T)
        return self._shaped(found)

    def lines(self) -> tuple[Array, Array]:
        """a (E, q, d) and b (E, q) of the formula, b where x is 0."""
        self.check_fitted()
        known = self.solution_
        return known.slopes, known.heights - np.einsum("eqd,ed->eq", known.slopes, known.centres)

    def facts(self) -> Facts:
        """Every line with its centre, the method."""
        self.check_fitted()
        known, names = self.solution_, self.column_names()
        heads = ("line", *(f"centre, {name}" for name in names), "value there", *(f"slope, {name}" for name in names))
        cells = tuple(
            (e, *known.centres[e].tolist(), float(known.heights[e, 0]), *known.slopes[e, 0].tolist())
            for e in range(len(known.centres))
        )
        note = "bandwidths " + ", ".join(f"{name}: {h:.4g}" for name, h in zip(names, known.widths, strict=True))
        return Facts([Table("Lines under bells", heads, cells, (note,)), self.card])

    def check_restored(self) -> None:
        """As many columns as were fitted."""
        if self.solution_.centres.shape[1] != self.n_features_in_:
            raise ValueError("solution_ belongs to another number of columns")
