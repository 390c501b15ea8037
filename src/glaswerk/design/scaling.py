"""Scaling: every column to mean 0 and standard deviation 1.   z = (x - x̄) / s

Cost: n d. When not to use it: columns that share a unit whose size means something.
"""

from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.base import Allowed, Array, Matrix, OneToOneFeatureMixin, Transformer, flag, weights
from glaswerk.stats.moments import common_shift
from glaswerk.stats.spread import Spread

SAMPLE_ROWS = 64


class StandardScaler(OneToOneFeatureMixin, Transformer):
    """Centre and scale each column by its own mean and standard deviation; a constant column is only centred.

    Drop-in for scikit-learn's class of this name. What it learns adds: `partial_fit` and weights are exact.

    Parameters
    ----------
    copy : for scikit-learn's sake; X is never changed.
    with_mean, with_std : whether to centre, and whether to scale.

    >>> StandardScaler().fit_transform([[1.0], [3.0]]).ravel().tolist()
    [-1.0, 1.0]
    """

    parameters: ClassVar[dict[str, Allowed]] = {"copy": flag(), "with_mean": flag(), "with_std": flag()}
    fitted: ClassVar[dict[str, type]] = {**Transformer.fitted, "statistic_": Spread}

    def __init__(self, *, copy: bool = True, with_mean: bool = True, with_std: bool = True) -> None:
        self.copy = copy
        self.with_mean = with_mean
        self.with_std = with_std

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn mean and deviation of every column."""
        self.__dict__.pop("statistic_", None)
        return self.partial_fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what is known."""
        self.check_parameters()
        known: Spread | None = getattr(self, "statistic_", None)
        rows = self.numbers(X, fit=known is None)
        weight = weights(sample_weight, len(rows), type(self).__name__)
        shift = common_shift(rows[:: -(-len(rows) // SAMPLE_ROWS)]) if known is None else known.shift
        found = Spread.of(rows, weight, shift=shift)
        self.statistic_ = found if known is None else known + found
        return self

    @property
    def mean_(self) -> Array | None:
        return self._known().mean if self.with_mean else None

    @property
    def var_(self) -> Array | None:
        return self._known().variance if self.with_std else None

    @property
    def scale_(self) -> Array | None:
        return self._known().scale if self.with_std else None

    @property
    def n_samples_seen_(self) -> int:
        return self._known().count

    def _known(self) -> Spread:
        self.check_fitted()
        return self.statistic_

    def transform(self, X: Any) -> Matrix:
        """(x - x̄) / s."""
        self.check_fitted()
        rows = self.numbers(X, fit=False)
        known = self._known()
        centred = rows - known.mean if self.with_mean else rows.copy()
        return Matrix.of(centred / known.scale if self.with_std else centred, self.get_feature_names_out())

    def inverse_transform(self, X: Any) -> Array:
        """Back to the units of the table."""
        self.check_fitted()
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.n_features_in_:
            raise ValueError(f"StandardScaler: X has shape {rows.shape}, expected {self.n_features_in_} columns")
        known = self._known()
        scaled = rows * known.scale if self.with_std else rows.copy()
        return scaled + known.mean if self.with_mean else scaled

    def check_restored(self) -> None:
        """One mean and deviation per column."""
        if self.statistic_.shift.size != self.n_features_in_:
            raise ValueError("statistic_ does not have one entry per column")
