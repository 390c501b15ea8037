"""A table with a target as a problem for validation: design and learner are fitted again to the rows of every fold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk import table as tables
from glaswerk.base import Array, clone
from glaswerk.model.table_model import Model, TargetRows


class TableProblem:
    """Rows of a table whose target is there, numbered from 0; `rows` says which rows of the table they are.

    Candidates are models, or bare learners (then bound with the default design). Implements `evaluate.Problem`.
    """

    def __init__(
        self,
        table: Any,
        target: str,
        *,
        weight: str | None = None,
        groups: str | None = None,
        task: str | None = None,
        positive: str | None = None,
    ) -> None:
        typed = tables.read_table(table)
        self.known = TargetRows(typed, target, weight, task, positive, () if groups is None else (groups,))
        self.question = self.known.task
        self.task = self.question.name
        self.target, self.classes, self.positive = target, self.question.classes, self.question.positive
        self.truth, self.weight, self.rows = self.known.truth, self.known.weight, self.known.rows
        self.dropped = self.known.dropped
        self.n_rows = len(self.truth)
        self.groups = None if groups is None else _group_numbers(typed, groups)[self.rows]

    def fit(self, candidate: Any, rows: NDArray[np.integer]) -> Model:
        """A fresh copy of the candidate, fitted to these rows alone."""
        fresh = clone(candidate) if isinstance(candidate, Model) else Model(clone(candidate))
        return fresh.fit_rows(self.known, rows)

    def predict(self, fitted: Model, rows: NDArray[np.integer]) -> NDArray[Any]:
        """Numbers, or names of classes."""
        return fitted.predict(self.known.inputs.take(rows))

    def predict_proba(self, fitted: Model, rows: NDArray[np.integer]) -> Array:
        """(rows, classes) in the order of `classes`."""
        return fitted.predict_proba(self.known.inputs.take(rows))

    def predict_interval(self, fitted: Model, rows: NDArray[np.integer], level: float) -> Array | None:
        """(rows, 2), or None where the learner knows no intervals."""
        return fitted.predict_interval(self.known.inputs.take(rows), level) if fitted.gives_intervals else None


def _group_numbers(typed: Any, name: str) -> NDArray[Any]:
    """One number per group; rows without one are groups of their own."""
    column = typed[name]
    missing = column.missing()
    numeric = str(column.kind) in ("number", "date")
    found = np.unique(column.numbers(), return_inverse=True)[1] if numeric else column.codes()
    numbers = np.asarray(found, dtype=np.int64).copy()
    numbers[missing] = numbers.max(initial=0) + 1 + np.arange(int(missing.sum()))
    return numbers
