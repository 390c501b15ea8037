"""Sigmoid basis: smooth steps along each column.   φ_j(x) = σ((x - c_j) / s_j),  σ(a) = 1 / (1 + e⁻ᵃ)       [BG-STEP]

Cost: rows × centres. When not to use it: a curve of bumps rather than of levels (`GaussianBasis`), or a trend that goes
on beyond the rows, where every step is flat.
"""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Matrix, Transformer, flag, integer, number, one_of
from glaswerk.design.gaussian import Along, along_columns, centres_along, check_along, names_along
from glaswerk.design.landmarks import given_points, point_table
from glaswerk.losses import sigmoid


class SigmoidBasis(Transformer):
    """Steps from 0 to 1, one at each centre: a weight is by how much the curve rises there.

    Parameters
    ----------
    centres : "quantiles" (along each column, as many rows between each two), "grid" (evenly spaced) or a table of
        numbers (m, d), one row per step and one column per column of X.
    n_centres : how many per column; fewer where values repeat.
    width : s, about a quarter of the way from 0 to 1; "spacing" takes the distance between neighbouring centres. A
        centre that is alone (a constant column) has width 1.
    include_linear : whether the columns themselves come first.

    >>> SigmoidBasis([0.0], width=1.0).fit_transform([[0.0], [np.log(3)], [-40.0]]).ravel().round(4).tolist()
    [0.5, 0.75, 0.0]
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "centres": one_of("quantiles", "grid") | point_table,
        "n_centres": integer(1),
        "width": one_of("spacing") | number(0, above=True),
        "include_linear": flag(),
    }
    fitted: ClassVar[dict[str, type]] = {
        **Transformer.fitted, "centres_": np.ndarray, "widths_": np.ndarray, "columns_": np.ndarray,
    }  # fmt: skip

    def __init__(
        self,
        centres: Any = "quantiles",
        *,
        n_centres: int = 10,
        width: str | float = "spacing",
        include_linear: bool = False,
    ) -> None:
        self.centres = centres
        self.n_centres = n_centres
        self.width = width
        self.include_linear = include_linear

    def fit(self, X: Any, y: Any = None) -> Self:
        """Place the centres and choose the widths: `columns_`, `centres_`, `widths_`, one entry per step."""
        self.check_parameters()
        rows = self.numbers(X, fit=True)
        if isinstance(self.centres, str):
            places = [centres_along(x, self.centres, self.n_centres) for x in rows.T]
        else:
            places = [np.unique(c) for c in given_points(self.centres, rows.shape[1], "SigmoidBasis: centres").T]
        self.columns_, self.centres_, self.widths_ = along_columns(places, self.width)
        return self

    def transform(self, X: Any) -> Matrix:
        """φ(x) for every row."""
        self.check_fitted()
        rows = self.numbers(X, fit=False)
        steps = sigmoid((rows[:, self.columns_] - self.centres_) / self.widths_)
        cells = np.concatenate([rows, steps], axis=1) if self.include_linear else steps
        return Matrix.of(cells, self.get_feature_names_out())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """Such as "x0 above 2.5"."""
        names = self.input_names(input_features)
        steps = names_along(Along(self.columns_, self.centres_, self.widths_), names, "above")
        return np.array([*(names if self.include_linear else ()), *steps], dtype=object)

    def check_restored(self) -> None:
        """Centres, widths and columns must speak of the same steps."""
        check_along(Along(self.columns_, self.centres_, self.widths_), self.n_features_in_)
