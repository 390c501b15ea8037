"""Principal components: the directions in which the rows vary most, as new columns.

    S = 1/(n - 1) Σ (x - x̄)(x - x̄)' = V Λ V',   z = V' (x - x̄),   var z_j = λ_j                                [BG-PCA]

Found from moments, which add: rows may come in parts. Cost: n d² / 2, then d³. When not to use it: columns in units
that cannot be compared (scale them first); directions of variance below 1e-14 of the largest, which squaring loses; and
where little variance may matter much to the target, of which it knows nothing.
"""

from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from glaswerk import passes
from glaswerk.base import Allowed, Array, Matrix, Transformer, flag, integer, none, number, one_of, weights
from glaswerk.facts import Curve, Facts, Line, Table
from glaswerk.passes import ArraySource, Block
from glaswerk.stats.moments import Moments, common_shift

SAMPLE_ROWS = 64
EPS = float(np.finfo(np.float64).eps)


def _observe(block: Block, shift: Array) -> Moments:
    return Moments.of(block.X, block.Y, block.weight, shift=shift)


def covariance_of(moments: Moments) -> tuple[Array, Array]:
    """Mean, and covariance with divisor n - 1 (n for a single row)."""
    d = moments.shift.size
    gram = np.tril(moments.gram) + np.tril(moments.gram, -1).T
    weight, sums = gram[d, d], gram[d, :d]
    spread = gram[:d, :d] - np.outer(sums, sums) / weight
    return moments.shift + sums / weight, spread / (weight - 1 if weight > 1 else weight)


def settled_axes(variances: Array, axes: Array) -> Array:
    """What an eigensolver leaves to chance, by rule: the largest entry of an axis is positive; the axes along which the
    rows do not vary are unit vectors made right-angled to all before, always the one that is so most nearly already.
    """
    d = len(axes)
    kept = [axis for axis, v in zip(axes, variances, strict=True) if v > 64 * d * EPS * variances[0]]
    while len(kept) < d:
        left = np.eye(d)
        for _ in range(2 if kept else 0):  # twice is enough
            left = left - (left @ np.array(kept).T) @ np.array(kept)
        lengths = np.sqrt((left**2).sum(axis=1)).round(9)
        chosen = left[int(lengths.argmax())]
        kept.append(chosen / np.sqrt(chosen @ chosen))
    found = np.array(kept)
    largest = np.abs(found).round(9).argmax(axis=1)
    signs: Array = np.where(found[np.arange(d), largest] < 0, -1.0, 1.0)
    return found * signs[:, None]


class PCA(Transformer):
    """Principal components, with the variance each explains and the weights of the columns in it.

    Drop-in for scikit-learn's class of this name. What it learns adds: `partial_fit` and weights are exact.

    Parameters
    ----------
    n_components : how many; None all; a number in (0, 1): as many as explain that part of the variance.
    whiten : whether every component is divided by its standard deviation.
    svd_solver : "auto", "full" and "covariance_eigh" all mean the eigenvectors of the covariance.
    copy, tol, iterated_power, n_oversamples, power_iteration_normalizer, random_state : for scikit-learn's sake.

    >>> model = PCA(1).fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    >>> model.components_.round(4).tolist(), model.explained_variance_ratio_.round(6).tolist()
    ([[0.7071, 0.7071]], [1.0])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "n_components": none() | integer(1) | Allowed("a number in (0, 1)", lambda v: number(0).test(v) and 0 < v < 1),
        "copy": flag(),
        "whiten": flag(),
        "svd_solver": one_of("auto", "full", "covariance_eigh"),
        "tol": number(0),
        "iterated_power": one_of("auto") | integer(0),
        "n_oversamples": integer(1),
        "power_iteration_normalizer": one_of("auto", "QR", "LU", "none"),
        "random_state": none() | integer(0),
    }
    fitted: ClassVar[dict[str, type]] = {
        **Transformer.fitted, "statistic_": Moments, "mean_": np.ndarray, "variances_": np.ndarray, "axes_": np.ndarray,
    }  # fmt: skip

    def __init__(
        self,
        n_components: Any = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: str = "auto",
        tol: float = 0.0,
        iterated_power: Any = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the directions; y is not used."""
        self.__dict__.pop("statistic_", None)
        return self.partial_fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what is known."""
        self.check_parameters()
        known: Moments | None = getattr(self, "statistic_", None)
        rows = self.numbers(X, fit=known is None)
        weight = weights(sample_weight, len(rows), "PCA")
        shift = common_shift(rows[:: -(-len(rows) // SAMPLE_ROWS)]) if known is None else known.shift
        source = ArraySource(rows, np.zeros((len(rows), 0)), weight)
        found: Moments = passes.sum_blocks(source, partial(_observe, shift=shift), "threads")
        total = found if known is None else known + found
        limit = self._most(total)
        if isinstance(self.n_components, int | np.integer) and self.n_components > limit:
            raise ValueError(
                f"PCA: n_components={self.n_components} must be at most {limit}, the lesser of rows and columns"
            )
        self._settle(total)
        return self

    def _most(self, moments: Moments) -> int:
        """No more components than columns, nor than rows, each counted as often as it is repeated."""
        return min(max(int(moments.weight), 1), self.n_features_in_)

    def _settle(self, moments: Moments) -> None:
        mean, covariance = covariance_of(moments)
        if not np.isfinite(covariance).all():
            raise ValueError("PCA: the squares of X overflow: rescale columns beyond 1e150")
        values, vectors = linalg.eigh(covariance)
        variances = np.maximum(values[::-1], 0.0)
        axes = settled_axes(variances, vectors[:, ::-1].T)
        limit = self._most(moments)
        self.statistic_, self.mean_ = moments, mean
        self.variances_, self.axes_ = variances, np.ascontiguousarray(axes[:limit])

    @property
    def n_components_(self) -> int:
        """How many components are taken."""
        self.check_fitted()
        if self.n_components is None:
            return len(self.axes_)
        if isinstance(self.n_components, int | np.integer):
            return int(self.n_components)
        share = np.cumsum(self._ratios())
        return min(int(np.searchsorted(share, self.n_components, side="right")) + 1, len(self.axes_))

    def _ratios(self) -> Array:
        total = float(self.variances_.sum())
        found: Array = self.variances_ / total if total > 0 else np.zeros_like(self.variances_)
        return found

    @property
    def components_(self) -> Array:
        """The directions (k, d), of length one; the largest entry of each is positive."""
        self.check_fitted()
        return self.axes_[: self.n_components_]

    @property
    def explained_variance_(self) -> Array:
        """λ: the variance of every component."""
        self.check_fitted()
        return self.variances_[: self.n_components_]

    @property
    def explained_variance_ratio_(self) -> Array:
        """λ as parts of the variance of all columns."""
        self.check_fitted()
        return self._ratios()[: self.n_components_]

    @property
    def singular_values_(self) -> Array:
        return np.sqrt(self.explained_variance_ * max(self.n_samples_ - 1, 1))

    @property
    def n_samples_(self) -> int:
        self.check_fitted()
        return int(self.statistic_.weight)

    @property
    def noise_variance_(self) -> float:
        """The mean variance of the directions that were left out."""
        self.check_fitted()
        left = self.variances_[self.n_components_ : len(self.axes_)]
        return float(left.mean()) if len(left) else 0.0

    def transform(self, X: Any) -> Matrix:
        """z = V' (x - x̄)."""
        self.check_fitted()
        found = (self.numbers(X, fit=False) - self.mean_) @ self.components_.T
        return Matrix.of(found / self._scale() if self.whiten else found, self.get_feature_names_out())

    def inverse_transform(self, X: Any) -> Array:
        """The rows that the components stand for: all of them where none was left out."""
        self.check_fitted()
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.n_components_:
            raise ValueError(f"PCA: X has shape {rows.shape}, expected {self.n_components_} columns")
        found: Array = (rows * self._scale() if self.whiten else rows) @ self.components_ + self.mean_
        return found

    def _scale(self) -> Array:
        """Standard deviations; a direction that rounding alone makes vary has none."""
        floor = np.finfo(np.float64).eps * float(self.variances_.max())
        found: Array = (
            np.sqrt(np.maximum(self.explained_variance_, floor)) if floor > 0 else np.ones(self.n_components_)
        )
        return found

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """pca0, pca1, …"""
        self.input_names(input_features)
        return np.array([f"pca{j}" for j in range(self.n_components_)], dtype=object)

    def facts(self) -> Facts:
        """The weights of the columns in every component, and the variance explained."""
        self.check_fitted()
        k, ratios = self.n_components_, self._ratios()
        heads = ("component", "variance", "share", *self.column_names())
        rows = tuple(
            (f"pca{j}", float(self.variances_[j]), float(ratios[j]), *self.axes_[j].tolist()) for j in range(k)
        )
        x = tuple(float(j + 1) for j in range(len(self.axes_)))
        shares = ratios[: len(x)]
        lines = (
            Line("of this component", x, tuple(shares.tolist())),
            Line("of all so far", x, tuple(np.cumsum(shares).tolist())),
        )
        says = f"{k} of {len(x)} components explain {100 * float(shares[:k].sum()):.1f} % of the variance."
        curve = Curve("Variance explained", "component", "part of the variance", lines, says)
        return Facts([Table("Principal components", heads, rows, (says,)), curve])

    def check_restored(self) -> None:
        if self.mean_.shape != (self.n_features_in_,) or self.axes_.shape[1:] != (self.n_features_in_,):
            raise ValueError(f"mean_ or axes_ does not belong to {self.n_features_in_} columns")
