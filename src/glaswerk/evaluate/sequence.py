"""Sequences: many values of one parameter from one walk over the rows, with the same numbers as fits one by one.

A learner that can names the parameter in `path_parameters` and has

    fit_path(X, y, name, values, sample_weight=None) -> one fitted copy per value

Ridge solves its sums for every penalty, a tree is pruned further, the neighbours of the largest k hold those of the
smaller ones. Where the sums also add over folds, `path_scores` gives all held-out errors from one walk over all rows.
When not to use it: a parameter that changes what is observed; such a search fits again and again.
"""

from collections.abc import Sequence
from typing import Any

from glaswerk.base import Pipeline, clone


def path_parameter(candidate: Any, name: str) -> bool:
    """Whether values of this parameter (`step__name` in a pipeline or a model) come from one fit."""
    head, _, rest = name.partition("__")
    if not rest:
        return name in getattr(candidate, "path_parameters", ()) and hasattr(candidate, "fit_path")
    if isinstance(candidate, Pipeline):
        return head == candidate.steps[-1][0] and path_parameter(candidate[-1], rest)
    return head == "learner" and path_parameter(getattr(candidate, head, None), rest)


def fitted_path(fresh: Any, X: Any, y: Any, name: str, values: Sequence[Any], weight: Any) -> list[Any] | None:
    """One fitted copy per value; what a pipeline does before its last step is fitted once and shared."""
    if not path_parameter(fresh, name):
        return None
    if not isinstance(fresh, Pipeline):
        found: list[Any] = fresh.fit_path(X, y, name, values, sample_weight=weight)
        return found
    steps, cells = list(fresh.steps[:-1]), X
    for k, (label, step) in enumerate(steps):
        if step is None or step == "passthrough":
            continue
        fitted = clone(step).fit(cells, y)
        steps[k], cells = (label, fitted), fitted.transform(cells)
    label, last = fresh.steps[-1]
    path = last.fit_path(cells, y, name.partition("__")[2], values, sample_weight=weight)
    return [Pipeline([*steps, (label, one)]) for one in path]
