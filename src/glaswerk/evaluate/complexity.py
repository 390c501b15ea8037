"""Complexity: how many numbers a fitted model was free to choose, so that "simplest" has a meaning.

A learner says so by a method `complexity()`. The unit is one free parameter of least squares: weights count one each,
ridge weights count what the penalty leaves of them [TRE-MEFF], a tree counts its leaves, k nearest neighbours count
n / k, the number of neighbourhoods that do not overlap. Cost: none worth naming.
When not to use it: as a distance. It ranks models; twice the number is not twice as hard to understand.
"""

from typing import Any

import numpy as np

from glaswerk.base import Pipeline


def complexity_of(fitted: Any) -> float:
    """The model's own number; else its leaves, else its weights with their intercepts; NaN where none is there.

    >>> from glaswerk import LinearRegression
    >>> complexity_of(LinearRegression().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 5.0]], [1.0, 2.0, 3.0, 5.0]))
    3.0
    """
    last = last_step(fitted)
    own = getattr(last, "complexity", None)
    if callable(own):
        return float(own())
    if hasattr(last, "get_n_leaves"):
        return float(last.get_n_leaves())
    if hasattr(last, "coef_"):
        weights, levels = np.asarray(last.coef_), np.asarray(getattr(last, "intercept_", 0.0))
        return float(np.count_nonzero(weights) + np.count_nonzero(levels))
    return float("nan")


def last_step(fitted: Any) -> Any:
    """What predicts in the end: the best of a search, the learner of a table's model, the last step of a pipeline."""
    for name in ("best_estimator_", "learner_"):
        if hasattr(fitted, name):
            return last_step(getattr(fitted, name))
    return last_step(fitted[-1]) if isinstance(fitted, Pipeline) else fitted
