"""Complexity: how many numbers a fitted model was free to choose, so that "simplest" has a meaning.

A learner says so by a method `complexity()`. The unit is one free parameter of least squares: weights count one each,
ridge weights count what the penalty leaves of them [TRE-MEFF], a tree counts its leaves and a forest those of all its
trees, k nearest neighbours count n / k, the number of neighbourhoods that do not overlap, other averages of rows the
trace of their weights, networks their weights, support vector machines their support vectors, normal classes their
means and spreads. Cost: none worth naming.
When not to use it: as a distance. It ranks models; twice the number is not twice as hard to understand.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from glaswerk.base import Matrix, Pipeline

TRACED = 25  # rows from which the trace of a smoother is estimated


def complexity_of(fitted: Any) -> float:
    """The model's own number; else what its kind counts; NaN where nothing is known.

    >>> from glaswerk import LinearRegression
    >>> complexity_of(LinearRegression().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 5.0]], [1.0, 2.0, 3.0, 5.0]))
    3.0
    """
    last = last_step(fitted)
    own = getattr(last, "complexity", None)
    if callable(own):
        return float(own())
    if getattr(last, "linear_smoother", False):
        return smoother_trace(last)
    return next((float(count(last)) for name, count in COUNTS if hasattr(last, name)), float("nan"))


def weights_of(model: Any) -> float:
    """Weights that are not zero, with their intercepts."""
    return float(np.count_nonzero(model.coef_) + np.count_nonzero(getattr(model, "intercept_", 0.0)))


def network_weights(model: Any) -> float:
    return float(sum(np.size(part) for part in (*model.coefs_, *model.intercepts_)))


def normal_parameters(model: Any) -> float:
    """A mean and a covariance for each class, and the shares of the classes."""
    k, d = np.shape(model.means_)
    return float(k * (d + d * (d + 1) / 2) + k - 1)


def smoother_trace(model: Any) -> float:
    """Σ ∂ŷᵢ/∂yᵢ of a learner whose answers are weighted sums of the targets it keeps, from some rows evenly spread."""
    kept = model.solution_
    n = len(kept.rows)
    asked = np.arange(min(n, TRACED)) * n // min(n, TRACED)
    other = copy(model)
    other.single_target_ = False
    other.solution_ = replace(kept, targets=(np.arange(n)[:, None] == asked).astype(np.float64))
    rows = Matrix.of(kept.rows[asked], other.column_names())
    return float(np.trace(np.asarray(other.predict(rows))) * n / len(asked))


COUNTS: tuple[tuple[str, Callable[[Any], float]], ...] = (
    ("get_n_leaves", lambda model: model.get_n_leaves()),
    ("trees_", lambda model: sum(int(tree.leaves[0]) for tree in model.trees_)),
    ("estimators_", lambda model: sum(complexity_of(one) for one in np.ravel(model.estimators_))),
    ("coefs_", network_weights),
    ("coef_", weights_of),
    ("n_support_", lambda model: np.sum(model.n_support_) + 1),
    ("covariance_", normal_parameters),
)


def last_step(fitted: Any) -> Any:
    """What predicts in the end: the best of a search, the learner of a table's model, the last step of a pipeline."""
    for name in ("best_estimator_", "learner_"):
        if hasattr(fitted, name):
            return last_step(getattr(fitted, name))
    return last_step(fitted[-1]) if isinstance(fitted, Pipeline) else fitted
