"""Landmarks: every row by how similar it is to some chosen rows.   φ_l(x) = exp(-γ ‖x - l‖²)         [SCH-RBF]

Cost: rows × landmarks × columns. When not to use it: columns in units of their own (scale them first); very many
columns, where all rows lie about equally far from each other.
"""

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Array, Matrix, Transformer, integer, none, number, one_of

CELLS_AT_ONCE = 1 << 15  # of a block of rows: small enough to stay in the cache
MOST_COMPARED = 1000  # points among which typical distances are looked for

Similarity = Callable[[Array, Array], Array]

point_table = Allowed("a table of numbers", lambda v: isinstance(v, list | tuple | np.ndarray))
a_function = Allowed("a function of rows (n, d) and landmarks (m, d)", callable)


def squared_distances(rows: Array, points: Array) -> Array:
    """‖x - p‖² (n, m), from differences: exact where rows and points are close, and no row depends on the others."""
    found = np.zeros((len(rows), len(points)))
    step = max(1, CELLS_AT_ONCE // len(points))
    with np.errstate(over="ignore"):  # what is so far is infinitely far
        for first in range(0, len(rows), step):
            part = found[first : first + step]
            for x, p in zip(rows[first : first + step].T, points.T, strict=True):
                difference = x[:, None] - p
                difference *= difference
                part += difference
    return found


def drawn_rows(rows: Array, count: int | None, seed: int) -> Array:
    """So many distinct rows, drawn at random and in the order of the table; all of them where there are no more."""
    order = np.random.default_rng(seed).permutation(len(rows))
    wanted = len(rows) if count is None else count
    looked_at = 4 * wanted
    distinct = first_of_each(rows[order[:looked_at]])
    while len(distinct) < wanted and looked_at < len(rows):
        looked_at *= 4
        distinct = first_of_each(rows[order[:looked_at]])
    return rows[np.sort(order[distinct[:wanted]])]


def first_of_each(rows: Array) -> NDArray[np.intp]:
    """Where each distinct row stands first, ascending."""
    return np.sort(np.unique(rows, axis=0, return_index=True)[1])


def given_points(points: Any, n_columns: int, what: str) -> Array:
    """Points (m, d) as the user gave them; one column takes a plain list of numbers too."""
    try:
        found = np.array(points, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} must hold numbers, got {points!r:.80}") from error
    found = found[:, None] if found.ndim == 1 and n_columns == 1 else found
    if found.ndim != 2 or not len(found) or found.shape[1] != n_columns or not np.isfinite(found).all():
        raise ValueError(
            f"{what} must be a table of finite numbers, one row per point and {n_columns} column(s) as X has; "
            f"got shape {found.shape}"
        )
    return found


def typical_distance(points: Array) -> float:
    """The median distance between points that differ; 1 where none do."""
    some = points[:: -(-len(points) // MOST_COMPARED)]
    squares = squared_distances(some, some)[np.triu_indices(len(some), 1)]
    return _median_root(squares)


def typical_spacing(points: Array) -> float:
    """The median distance from a point to the 2d-th nearest other one, on a grid one of those beside it; 1 if alone."""
    some = np.unique(points[:: -(-len(points) // MOST_COMPARED)], axis=0)
    squares = np.sort(squared_distances(some, some), axis=1)
    return _median_root(squares[:, min(2 * points.shape[1], len(some) - 1)])


def _median_root(squares: Array) -> float:
    apart = squares[squares > 0]
    return float(np.median(np.sqrt(apart))) if len(apart) else 1.0


class Landmarks(Transformer):
    """Similarity of each row to landmarks: with a linear learner, a classifier or regression that is not linear in x.

    A radial basis network is `make_pipeline(StandardScaler(), Landmarks(), Ridge())`. `GaussianBasis` is the same
    function told by centres and widths.

    Parameters
    ----------
    landmarks : "rows", distinct training rows drawn at random; or a table of points (m, d).
    n_landmarks : how many rows are drawn (all, where the table has no more); None takes every distinct row.
    similarity : "rbf", or a function of rows (n, d) and landmarks (m, d) that gives (n, m).
    gamma : γ of "rbf"; "median" takes 1 / (2 m²), m being the median distance between landmarks.
    random_state : seed of the draw.

    >>> Landmarks([[0.0], [1.0]], gamma=np.log(2)).fit_transform([[0.0], [1.0]]).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "landmarks": one_of("rows") | point_table,
        "n_landmarks": integer(1) | none(),
        "similarity": one_of("rbf") | a_function,
        "gamma": one_of("median") | number(0, above=True),
        "random_state": integer(0),
    }
    fitted: ClassVar[dict[str, type]] = {**Transformer.fitted, "landmarks_": np.ndarray, "gamma_": float}

    def __init__(
        self,
        landmarks: Any = "rows",
        *,
        n_landmarks: int | None = 100,
        similarity: str | Similarity = "rbf",
        gamma: str | float = "median",
        random_state: int = 0,
    ) -> None:
        self.landmarks = landmarks
        self.n_landmarks = n_landmarks
        self.similarity = similarity
        self.gamma = gamma
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose the landmarks, and γ from the distances between them."""
        self.check_parameters()
        rows = self.numbers(X, fit=True)
        if isinstance(self.landmarks, str):
            self.landmarks_ = drawn_rows(rows, self.n_landmarks, self.random_state)
        else:
            self.landmarks_ = given_points(self.landmarks, rows.shape[1], "Landmarks: landmarks")
        chosen = isinstance(self.gamma, str)
        self.gamma_ = 0.5 / typical_distance(self.landmarks_) ** 2 if chosen else float(self.gamma)
        return self

    def transform(self, X: Any) -> Matrix:
        """The similarity of every row to every landmark."""
        self.check_fitted()
        rows = self.numbers(X, fit=False)
        return Matrix.of(self._similarities(rows), self.get_feature_names_out())

    def _similarities(self, rows: Array) -> Array:
        if not callable(self.similarity):
            found = squared_distances(rows, self.landmarks_)
            found *= -self.gamma_
            return np.exp(found, out=found)
        # Copies, so that a function that writes into its arguments changes neither the table nor the landmarks.
        found = np.asarray(self.similarity(rows.copy(), self.landmarks_.copy()), dtype=np.float64)
        expected = (len(rows), len(self.landmarks_))
        if found.shape != expected:
            raise ValueError(
                f"Landmarks: similarity must give one number per row and landmark {expected}, got {found.shape}"
            )
        return found

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """Such as "like 0", in the order of `landmarks_`."""
        self.input_names(input_features)
        return np.array([f"like {k}" for k in range(len(self.landmarks_))], dtype=object)

    def check_restored(self) -> None:
        """One coordinate per column, and a γ that is one."""
        given_points(self.landmarks_, self.n_features_in_, "landmarks_")
        if not 0 < self.gamma_ < np.inf:
            raise ValueError(f"gamma_ must be a number > 0, got {self.gamma_}")
