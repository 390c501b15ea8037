"""The rivals of least squares, at their defaults and at their best."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression as SklearnRegression

from benchmarks.machine import peer
from benchmarks.timing import Absent, Side
from glaswerk import LinearRegression

Array = NDArray[np.float64]
OURS = "glaswerk LinearRegression"
DEFAULT = "scikit-learn, default (tol=1e-6)"
KEEPS_ALL = "scikit-learn, tol=0"
BEST = "scikit-learn, tol=0, copy_X=False, assume_finite"
NUMPY = "numpy.linalg.lstsq of [1, X]"
SCIPY = "scipy.linalg.lstsq of [1, X], gelsy"
STATSMODELS = "statsmodels OLS of [1, X]"


def least_squares_sides(X: Array, y: Array, threads: int) -> list[Side | Absent]:
    """Everybody on the same C-ordered rows. Only copy_X=False, which overwrites its input, gets a copy of its own."""
    X_given_away, y_given_away = X.copy(), y.copy()
    return [
        Side(OURS, "ours", lambda: LinearRegression(n_jobs=threads).fit(X, y)),
        Side(DEFAULT, "rival", lambda: SklearnRegression(n_jobs=threads).fit(X, y)),
        Side(KEEPS_ALL, "rival", lambda: SklearnRegression(tol=0, n_jobs=threads).fit(X, y)),
        Side(BEST, "rival", lambda: unchecked_fit(X_given_away, y_given_away, threads)),
        Side(NUMPY, "peer", lambda: np.linalg.lstsq(with_ones(X), y, rcond=None)[0]),
        Side(SCIPY, "peer", gelsy(X, y)),
        statsmodels_side(X, y),
    ]


def unchecked_fit(X: Array, y: Array, threads: int) -> SklearnRegression:
    with sklearn.config_context(assume_finite=True):
        return SklearnRegression(tol=0, copy_X=False, n_jobs=threads).fit(X, y)


def gelsy(X: Array, y: Array) -> Callable[[], Array]:
    return lambda: scipy.linalg.lstsq(with_ones(X), y, lapack_driver="gelsy", check_finite=False, overwrite_a=True)[0]


def statsmodels_side(X: Array, y: Array) -> Side | Absent:
    statsmodels = peer("statsmodels.api")
    if statsmodels is None:
        return Absent("statsmodels")
    return Side(STATSMODELS, "peer", lambda: statsmodels.OLS(y, with_ones(X)).fit().params)


def with_ones(X: Array) -> Array:
    """What a user of a bare solver must build to have an intercept."""
    return np.column_stack([np.ones(len(X)), X])


def coefficients(answer: Any) -> Array:
    """Without the intercept, from an estimator or from a solver's vector."""
    return answer.coef_ if hasattr(answer, "coef_") else answer[1:]


def with_intercept(answer: Any) -> Array:
    return np.append(answer.intercept_, answer.coef_) if hasattr(answer, "coef_") else answer
