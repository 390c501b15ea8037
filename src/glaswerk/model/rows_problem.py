"""The rows of a table as a problem for validation: design and learner are fitted again to the rows of every fold."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.model.target_rows import TargetRows

Rows = NDArray[np.integer]


class RowsProblem:
    """Rows numbered from 0. `bound` makes a fresh model of a candidate. Implements `evaluate.Problem`."""

    def __init__(
        self,
        known: TargetRows,
        bound: Callable[[Any], Any],
        groups: NDArray[Any] | None = None,
        times: NDArray[Any] | None = None,
    ) -> None:
        self.known, self.bound, self.groups, self.times = known, bound, groups, times
        self.question = known.task
        self.task = self.question.name
        self.target, self.classes, self.positive = known.task.target, known.task.classes, known.task.positive
        self.truth, self.weight, self.rows = known.truth, known.weight, known.rows
        self.dropped = known.dropped
        self.n_rows = len(self.truth)

    def fit(self, candidate: Any, rows: Rows) -> Any:
        """A fresh copy of the candidate, fitted to these rows alone."""
        return self.bound(candidate).fit_rows(self.known, rows)

    def fit_path(self, candidate: Any, rows: Rows, name: str, values: Sequence[Any]) -> list[Any] | None:
        """One fitted model per value of a parameter of the learner, from one walk; None where there is no such walk."""
        found: list[Any] | None = self.bound(candidate).fit_rows_path(self.known, rows, name, values)
        return found

    def predict(self, fitted: Any, rows: Rows) -> NDArray[Any]:
        """Numbers, or names of classes."""
        return np.asarray(fitted.predict(self.known.inputs.take(rows)))

    def predict_proba(self, fitted: Any, rows: Rows) -> Array:
        """(rows, classes) in the order of `classes`."""
        return np.asarray(fitted.predict_proba(self.known.inputs.take(rows)))

    def predict_interval(self, fitted: Any, rows: Rows, level: float) -> Array | None:
        """(rows, 2), or None where the learner knows no intervals."""
        return fitted.predict_interval(self.known.inputs.take(rows), level) if fitted.gives_intervals else None
