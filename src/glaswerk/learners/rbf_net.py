"""Network of radial basis functions: bumps around centres, and a linear output.

    t_i(x) = Σ_j w_ij φ_j(x),   φ_j(x) = exp(-‖x - c_j‖² / (2 σ²));   w minimises Σ (t - wᵀφ)² + λ ‖w‖²      [BG-RBFNET]

Cost: centres by k-means, then n M² / 2 for the output. When not to use it: columns in units of their own (scale them);
beyond the centres, where every bump is 0.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, integer, number, one_of
from glaswerk.design.landmarks import drawn_rows, given_points, point_table, squared_distances, typical_spacing
from glaswerk.facts import Curve, Fact, Facts, Line, MethodCard, Table
from glaswerk.learners.kmeans import KMeans
from glaswerk.learners.lbg import LBG
from glaswerk.learners.local_linear import LocalRegressor
from glaswerk.learners.ridge import Ridge
from glaswerk.stats.penalty import Shrunk

TRIED: Array = np.array(2.0 ** np.arange(-1.0, 3.1, 0.5), dtype=np.float64)  # widths, in spacings of the centres


@storable("BumpNetwork", version=1)
@dataclass(frozen=True, eq=False)
class BumpNetwork:
    """Centres (M, d), the width of all, the output, and the leave-one-out error of the widths tried."""

    centres: Array
    width: float
    output: Shrunk
    tried: Array
    errors: Array

    def check(self) -> None:
        if self.output.coefficients.shape[1] != len(self.centres) or not self.width > 0:
            raise ValueError("a network needs one weight for every centre, and a width above 0")


def left_out_error(bumps: Array, Y: Array, weight: Array, penalty: float) -> float:
    """Σ w (r / (1 - h))² / Σ w, r residual and h leverage of one copy of a row, from an orthogonal factor."""
    root = np.sqrt(weight)[:, None]
    heavy = np.concatenate([root * bumps, np.sqrt(penalty) * np.eye(bumps.shape[1])])
    basis = np.linalg.qr(heavy)[0][: len(bumps)]
    fitted = basis @ (basis.T @ (root * Y)) / root
    left = np.maximum(1.0 - (basis**2).sum(axis=1) / weight, 1e-12)
    return float(weight @ (((Y - fitted) / left[:, None]) ** 2).sum(axis=1) / weight.sum())


class RBFNetwork(LocalRegressor):
    """Gaussian bumps around centres with a linear output, for one target or several.

    Parameters
    ----------
    n_centres : M; fewer where there are not so many distinct rows.
    centres : "kmeans", "lbg" (its sizes are reached by splitting), "rows" (drawn at random), or a table of points.
    width : σ of all bumps: "spacing" (the median distance from a centre to the 2d-th nearest), "search" (of nine
        multiples of it the one of least exact leave-one-out error, the centres held), or a number.
    alpha : λ of the output; 0 is least squares. random_state : seed of the centres.

    >>> model = RBFNetwork(centres=[[0.0], [1.0]], width=0.5, alpha=0.0).fit([[0.0], [1.0]], [1.0, 2.0])
    >>> model.predict([[0.0], [1.0]]).round(6).tolist()
    [1.0, 2.0]
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "n_centres": integer(1),
        "centres": one_of("kmeans", "lbg", "rows") | point_table,
        "width": one_of("spacing", "search") | number(0, above=True),
        "alpha": number(0),
        "random_state": integer(0),
    }
    fitted: ClassVar[dict[str, type]] = {**LocalRegressor.fitted, "solution_": BumpNetwork}
    card: ClassVar[MethodCard] = MethodCard(
        name="network of radial basis functions",
        formula="ŷ = Σ w_j exp(-‖x - c_j‖² / 2σ²), w by ridge regression",
        equations=("BG-RBFNET", "BG-RBF"),
        cost="centres by k-means, then n M² / 2; a search of σ ten times that",
        assumes=("columns of comparable units", "centres that cover the rows"),
        restriction_bias="sums of these bumps; with bumps enough any continuous function on a bounded region",
        preference_bias="smooth functions near 0 away from the centres; small weights",
        not_for=("columns in units of their own", "places beyond the centres", "very many columns"),
    )

    def __init__(
        self, n_centres: int = 20, *, centres: Any = "kmeans", width: Any = "search", alpha: float = 1e-6,
        random_state: int = 0,
    ) -> None:  # fmt: skip
        self.n_centres = n_centres
        self.centres = centres
        self.width = width
        self.alpha = alpha
        self.random_state = random_state

    def complexity(self) -> float:
        """Free parameters: one weight for every bump."""
        self.check_fitted()
        return float(len(self.solution_.centres))

    def chosen(self) -> tuple[dict[str, float], float] | None:
        """The width that leave-one-out took, and its mean squared error; None where none was looked for."""
        self.check_fitted()
        known = self.solution_
        return ({"width": known.width}, float(known.errors.min())) if len(known.errors) else None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Place the centres, choose the width, solve the output."""
        rows, Y, weight = self._given(X, y, sample_weight)
        centres = self._placed(rows, weight)
        squares = squared_distances(rows, centres)
        width = float(self.width) if not isinstance(self.width, str) else typical_spacing(centres)
        tried = TRIED * width if self.width == "search" and len(centres) > 1 else np.zeros(0)
        errors = np.array([left_out_error(np.exp(-0.5 * squares / s**2), Y, weight, self.alpha) for s in tried])
        width = float(tried[errors.argmin()]) if len(tried) else width
        output = Ridge(self.alpha, fit_intercept=False).fit(np.exp(-0.5 * squares / width**2), Y, weight).shrunk
        self.solution_ = BumpNetwork(centres, width, output, tried, errors)
        return self

    def _placed(self, rows: Array, weight: Array) -> Array:
        if not isinstance(self.centres, str):
            return given_points(self.centres, rows.shape[1], f"{type(self).__name__}: centres")
        count = min(self.n_centres, len(np.unique(rows, axis=0)))
        if self.centres == "rows":
            return np.array(drawn_rows(rows, count, self.random_state))
        kind = KMeans if self.centres == "kmeans" else LBG
        return np.array(kind(count, random_state=self.random_state).fit(rows, None, weight).cluster_centers_)

    def predict(self, X: Any) -> Array:
        """Σ w φ(x) for every row."""
        self.check_fitted()
        known, rows = self.solution_, self._rows(X, fit=False)
        bumps = np.exp(-0.5 * squared_distances(rows, known.centres) / known.width**2)
        return self._shaped(np.asarray(bumps @ known.output.coefficients.T))

    def facts(self) -> Facts:
        """Centres and weights, the widths tried, the method."""
        self.check_fitted()
        known, names = self.solution_, self.column_names()
        each = range(len(known.output.coefficients))
        heads = ("bump", *(f"centre, {name}" for name in names), *(f"w of y{k}" for k in each))
        cells = tuple((j, *c.tolist(), *known.output.coefficients[:, j].tolist()) for j, c in enumerate(known.centres))
        found: list[Fact] = [Table("Bumps", heads, cells, (f"width σ = {known.width:.4g}",))]
        if len(known.tried):
            line = Line("leave-one-out", tuple(known.tried.tolist()), tuple(known.errors.tolist()))
            says = f"Least at {known.width:.3g}: {known.errors.min():.4g}. The centres, placed without y, are held."
            if known.width in (known.tried[0], known.tried[-1]):
                says += " It is the last one tried on its side."
            found.append(Curve("Width by leave-one-out", "width σ", "mean squared error", (line,), says,
                               x_scale="log", marks=((known.width, "least"),)))  # fmt: skip
        return Facts([*found, self.card])

    def check_restored(self) -> None:
        """As many columns as were fitted."""
        if self.solution_.centres.shape[1] != self.n_features_in_:
            raise ValueError("solution_ belongs to another number of columns")
