"""Gaussian basis: bumps around centres.   φ_e(x) = exp(-‖x - c_e‖² / (2 σ_e²))                        [BG-RBF]

Cost: rows × centres, times the columns where a bump looks at all of them. When not to use it: beyond the range of the
rows, where every bump is 0; all columns at once (`centres="rows"`) in units of their own: scale them first.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Array, Matrix, Transformer, flag, integer, number, one_of
from glaswerk.design.landmarks import (
    drawn_rows,
    given_points,
    point_table,
    squared_distances,
    typical_distance,
    typical_spacing,
)

Ints = NDArray[np.int64]
DIGITS = (4, 6, 8, 10, 12, 15, 17)  # significant digits of a centre in a name: as few as tell all of them apart


class Along(NamedTuple):
    """Centres along single columns: the column of each, its place and its width."""

    columns: Ints
    centres: Array
    widths: Array


def centres_along(x: Array, how: str, count: int) -> Array:
    """Distinct places, ascending, from least to greatest value: evenly spaced, or as many rows between each two."""
    if how == "quantiles":
        return np.unique(np.quantile(x, np.linspace(0.0, 1.0, count) if count > 1 else [0.5]))
    low, high = x.min(), x.max()
    return np.unique(np.linspace(low, high, count)) if count > 1 else np.array([low / 2 + high / 2])


def spacings(centres: Array) -> Array:
    """Half the way from the centre before to the one after; 1 for a centre that is alone."""
    if len(centres) == 1:
        return np.ones(1)
    gaps = np.diff(centres)
    return (np.concatenate([gaps[:1], gaps]) + np.concatenate([gaps, gaps[-1:]])) / 2


def along_columns(centres: Iterable[Array], width: str | float) -> Along:
    """What each column's centres come to, with widths from their spacing, their median distance, or as given."""
    columns, places, widths = [], [], []
    for column, at in enumerate(centres):
        columns.append(np.full(len(at), column, dtype=np.int64))
        places.append(at)
        if width == "spacing":
            widths.append(spacings(at))
        else:
            widths.append(np.full(len(at), typical_distance(at[:, None]) if width == "median" else float(width)))
    return Along(np.concatenate(columns), np.concatenate(places), np.concatenate(widths))


def spelled(centres: Array) -> list[str]:
    """Centres in as few digits as tell them apart."""
    for digits in DIGITS:
        found = [f"{c:.{digits}g}" for c in centres]
        if len(set(found)) == len(np.unique(centres)):
            break
    return found


def names_along(along: Along, names: tuple[str, ...], relation: str) -> list[str]:
    """Such as "age near 35"."""
    found: list[str] = []
    for column, name in enumerate(names):
        found += [f"{name} {relation} {place}" for place in spelled(along.centres[along.columns == column])]
    return found


def check_along(along: Along, n_columns: int) -> None:
    """Raise ValueError where what a file holds is no list of centres."""
    columns, centres, widths = along
    alike = columns.ndim == 1 and columns.shape == centres.shape == widths.shape
    if not alike or columns.dtype != np.int64 or not np.isfinite(centres).all() or not (widths > 0).all():
        raise ValueError("columns_, centres_ and widths_ do not belong together")
    if not np.array_equal(np.unique(columns), np.arange(n_columns)) or (np.diff(columns) < 0).any():
        raise ValueError("columns_ does not name every column in turn")


class GaussianBasis(Transformer):
    """Bumps of the bell's shape: each is 1 at its centre and fades within a few widths. Weights on them draw any curve.

    With `centres="grid"` or `"quantiles"` every column gets bumps of its own, so that the model is a sum of curves, one
    per column. With `"rows"` or a table the centres are points, and a bump looks at all columns at once (script C's
    network of radial basis functions); for one column both are the same.

    Parameters
    ----------
    centres : "quantiles" (along each column, as many rows between each two), "grid" (evenly spaced), "rows" (distinct
        training rows drawn at random) or a table of points (m, d).
    n_centres : how many per column, or rows to draw; fewer where values repeat.
    width : σ; "spacing" takes the distance between neighbouring centres (for points in d columns the median distance to
        the 2d-th nearest, on a grid that of the ones beside it), "median" the median distance of all of them.
        A centre that is alone (a constant column) has width 1.
    include_linear : whether the columns themselves come first, so that a trend goes on beyond the centres.
    random_state : seed of the draw of rows.

    >>> GaussianBasis([0.0, 1.0], width=0.5).fit_transform([[0.0], [0.5]]).round(4).tolist()
    [[1.0, 0.1353], [0.6065, 0.6065]]
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "centres": one_of("quantiles", "grid", "rows") | point_table,
        "n_centres": integer(1),
        "width": one_of("spacing", "median") | number(0, above=True),
        "include_linear": flag(),
        "random_state": integer(0),
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
        random_state: int = 0,
    ) -> None:
        self.centres = centres
        self.n_centres = n_centres
        self.width = width
        self.include_linear = include_linear
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Place the centres and choose the widths: `centres_`, `widths_`, and in `columns_` what each looks along."""
        self.check_parameters()
        rows = self.numbers(X, fit=True)
        if isinstance(self.centres, str) and self.centres != "rows":
            places = (centres_along(x, self.centres, self.n_centres) for x in rows.T)
            self.columns_, self.centres_, self.widths_ = along_columns(places, self.width)
            return self
        if isinstance(self.centres, str):
            self.centres_ = drawn_rows(rows, self.n_centres, self.random_state)
        else:
            self.centres_ = given_points(self.centres, rows.shape[1], "GaussianBasis: centres")
        self.columns_ = np.zeros(0, dtype=np.int64)
        self.widths_ = np.full(len(self.centres_), self._one_width(self.centres_))
        return self

    def _one_width(self, points: Array) -> float:
        if isinstance(self.width, str):
            return typical_spacing(points) if self.width == "spacing" else typical_distance(points)
        return float(self.width)

    def transform(self, X: Any) -> Matrix:
        """φ(x) for every row."""
        self.check_fitted()
        rows = self.numbers(X, fit=False)
        if self.columns_.size:
            squares = ((rows[:, self.columns_] - self.centres_) / self.widths_) ** 2
        else:
            squares = squared_distances(rows / self.widths_[0], self.centres_ / self.widths_[0])
        bumps = np.exp(-0.5 * squares)
        cells = np.concatenate([rows, bumps], axis=1) if self.include_linear else bumps
        return Matrix.of(cells, self.get_feature_names_out())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """Such as "x0 near 2.5"; or "near centre 0", … in the order of `centres_`."""
        names = self.input_names(input_features)
        if self.columns_.size:
            bumps = names_along(Along(self.columns_, self.centres_, self.widths_), names, "near")
        else:
            bumps = [f"near centre {k}" for k in range(len(self.centres_))]
        return np.array([*(names if self.include_linear else ()), *bumps], dtype=object)

    def check_restored(self) -> None:
        """Centres, widths and columns must speak of the same bumps."""
        if self.columns_.size:
            check_along(Along(self.columns_, self.centres_, self.widths_), self.n_features_in_)
            return
        given_points(self.centres_, self.n_features_in_, "centres_")
        if self.widths_.shape != self.centres_.shape[:1] or not (self.widths_ > 0).all():
            raise ValueError("widths_ does not hold one width > 0 per centre")
