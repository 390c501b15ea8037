"""The explanations in a report: what its best model goes by, two rows told in full, and where it is wrong."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.metrics import metric_named
from glaswerk.explain import explain_row, influence, partial_dependence, permutation_importance, segments
from glaswerk.explain.answering import Answering, few_of
from glaswerk.facts import Fact, Importance
from glaswerk.model import Model, TableDesign, TableProblem
from glaswerk.report.clock import Progress
from glaswerk.table import TypedTable

IMPORTANCE_FOLDS, IMPORTANCE_REPEATS, IMPORTANCE_ROWS = 5, 5, 2_000
DEPENDENCES = 3
TRIED_ROWS = 200  # answered to find out what an answer costs
ANSWERS = 30_000  # of dependences and rows told in full, about
MOST_TERMS = 300  # of a design whose rows are weighed by influence


class Explainer:
    """One fitted model with the rows it was judged on."""

    def __init__(self, problem: TableProblem, table: TypedTable, model: Model, name: str, seed: int) -> None:
        self.problem, self.table, self.model, self.name, self.seed = problem, table, model, name, seed
        self.answering = Answering.of(model)
        cells = self.answering.encode(table.take(few_of(table.n_rows, TRIED_ROWS)))
        start = perf_counter()
        self.answering(cells)
        self.per_answer = (perf_counter() - start) / len(cells)

    def importance_seconds(self) -> float:
        """Of the answers; the fits come on top."""
        rows = min(self.table.n_rows, IMPORTANCE_FOLDS * IMPORTANCE_ROWS)
        return self.per_answer * rows * IMPORTANCE_REPEATS * (len(self.answering.columns) + 1)

    def seconds(self) -> float:
        """Of the explanations."""
        return self.per_answer * ANSWERS

    def importance(self, candidate: Any, train_rows: int, level: float, told: Progress) -> Importance:
        return permutation_importance(
            candidate, self.problem, self.table, name=self.name, folds=IMPORTANCE_FOLDS, repeats=IMPORTANCE_REPEATS,
            seed=self.seed, level=level, train_rows=train_rows, most_rows=IMPORTANCE_ROWS,
            after=lambda done, planned: told("importance of columns", done, planned),
        )  # fmt: skip

    def explanations(self, order: list[str], losses: Array) -> Iterator[Fact]:
        """Dependence on the columns that matter most, then a row like most and the row answered worst."""
        columns = [name for name in order if name in self.answering.places] or list(self.answering.columns)
        held = [name for name in columns if not self.table[name].missing().all()]
        for column in held[:DEPENDENCES]:
            yield partial_dependence(self.model, self.table, column, name=self.name, seed=self.seed)
        for place in telling_rows(losses):
            yield explain_row(
                self.model, self.table, place + 1, seed=self.seed, number=int(self.problem.rows[place]) + 1
            )

    def wrong(self, losses: Array, predicted: Array | None, metric: str, level: float) -> Iterator[Fact]:
        """Segments, and for a number the rows that pull."""
        judge = metric_named(metric)
        columns = tuple(self.answering.columns)
        yield segments(
            losses, self.table, columns, judge, target=self.problem.target, name=self.name, level=level
        )  # fmt: skip
        if predicted is None:
            return
        design = self.model.design_
        if design.categories == "codes" or design.missing == "keep":
            design = TableDesign().fit(self.problem.known.inputs)
        rows = design.transform(self.problem.known.inputs)
        if rows.shape[1] <= MOST_TERMS and len(rows) > rows.shape[1] + 1:
            yield influence(
                rows, self.problem.truth, predicted, target=self.problem.target, name=self.name,
                numbers=self.problem.rows + 1,
            )  # fmt: skip


def telling_rows(losses: Array) -> list[int]:
    """The row whose error is the median, and the one whose error is largest."""
    known = np.flatnonzero(np.isfinite(losses))
    if not len(known):
        return []
    order = known[np.argsort(losses[known], kind="stable")]
    return list(dict.fromkeys([int(order[(len(order) - 1) // 2]), int(order[-1])]))
