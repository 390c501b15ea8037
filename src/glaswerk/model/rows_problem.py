"""The rows of a table as a problem for validation: design and learner are fitted again to the rows of every fold."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.model.target_rows import TargetRows

Rows = NDArray[np.integer]
LAST_ASKED = 2  # training rows and rows left out


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
        self.asked: deque[tuple[Any, Rows, Any]] = deque(maxlen=LAST_ASKED)

    def fit(self, candidate: Any, rows: Rows) -> Any:
        """A fresh copy of the candidate, fitted to these rows alone."""
        return self.bound(candidate).fit_rows(self.known, rows)

    def fit_path(self, candidate: Any, rows: Rows, name: str, values: Sequence[Any]) -> list[Any] | None:
        """One fitted model per value of a parameter of the learner, from one walk; None where there is no such walk."""
        found: list[Any] | None = self.bound(candidate).fit_rows_path(self.known, rows, name, values)
        return found

    def encoded(self, fitted: Any, rows: Rows) -> Any:
        """These rows as the model's design sees them; the last ones are kept, for models of one path share a design."""
        for design, known, matrix in self.asked:
            if design is fitted.design_ and np.array_equal(known, rows):
                return matrix
        self.asked.append((fitted.design_, np.array(rows), fitted.design_.transform(self.known.inputs.take(rows))))
        return self.asked[-1][2]

    def predict(self, fitted: Any, rows: Rows) -> NDArray[Any]:
        """Numbers, or names of classes."""
        return np.asarray(fitted.learner_.predict(self.encoded(fitted, rows)))

    def predict_proba(self, fitted: Any, rows: Rows) -> Array:
        """(rows, classes) in the order of `classes`."""
        return np.asarray(fitted.shares_of(self.encoded(fitted, rows)))

    def predict_interval(self, fitted: Any, rows: Rows, level: float) -> Array | None:
        """(rows, 2), or None where the learner knows no intervals."""
        return fitted.predict_interval(self.known.inputs.take(rows), level) if fitted.gives_intervals else None
