"""Permutation importance out of fold: how much worse answers get when the cells of a column are shuffled.

    loss of column j = mean over folds and repeats of error(shuffled j) - error(as it is)

The model of each fold is asked about the rows it was not fitted to, so that what it learnt by heart counts for nothing.
Columns that move together stand in for each other: each looks dispensable alone. They are therefore shuffled together
as well, as one group. (Breiman, Machine Learning 45, 2001; Fisher, Rudin and Dominici, JMLR 20, 2019.)
Cost: one fit per fold; columns × repeats × folds answers to at most 2,000 rows each. When not to use it: to say what
would happen if a column were changed; a shuffled row may be one that never occurs.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from glaswerk.base import Array, Matrix, Warned
from glaswerk.evaluate.corrected import FoldValues, worse_by
from glaswerk.evaluate.metrics import NO_CODES, NO_NUMBERS, NO_SHARES, Answers, Judge, metric_for
from glaswerk.evaluate.plan import Round, plan_folds
from glaswerk.explain.answering import Answering, few_of, like
from glaswerk.explain.association import TOGETHER, groups_together
from glaswerk.facts import Importance, Important
from glaswerk.model import TableProblem
from glaswerk.scoring.folds import derived_seeds, shuffled_order
from glaswerk.scoring.inputs import Ints
from glaswerk.table import TypedTable

MOST_ROWS = 2_000
ASSOCIATED_ROWS = 5_000
Groups = tuple[tuple[str, ...], ...]


def permutation_importance(
    candidate: Any,
    problem: TableProblem,
    table: TypedTable,
    *,
    name: str = "model",
    folds: int = 5,
    repeats: int = 5,
    seed: int = 0,
    level: float = 0.95,
    train_rows: int | None = None,
    most_rows: int = MOST_ROWS,
    after: Callable[[int, int], None] | None = None,
) -> Importance:
    """What a candidate loses without each column, and without each group of columns that move together.

    table : the rows of the problem. train_rows : at most so many training rows in a fold. most_rows : at most so many
    rows are asked about in a fold. after : called with (done, planned).
    """
    judge = Judge.of(problem, metric_for(problem, None))
    rounds = plan_folds(problem, folds, 1, seed).rounds()
    near = few_of(table.n_rows, ASSOCIATED_ROWS, seed)
    columns: tuple[str, ...] = ()
    together: Groups = ()
    plain: list[float] = []
    losses: list[list[float]] = []
    for place, one in enumerate(rounds):
        answering, test = fitted(candidate, problem, one, train_rows, most_rows, seed)
        if not columns:
            columns = answering.columns
            together = tuple(groups_together(table.take(near), columns))
        shuffles = [shuffled_order(len(test), s) for s in derived_seeds(seed + place, repeats)]
        asked = Asked(answering, judge, test, answering.encode(problem.known.inputs.take(test)))
        plain.append(asked.plain())
        losses.append([asked.shuffled(names, shuffles) for names in (*singles_of(columns), *together)])
        if after is not None:
            after(place + 1, len(rounds))
    weight = np.array([judge.weight[one.test].sum() for one in rounds])
    ratio = float(np.mean([len(one.test) / len(one.train) for one in rounds]))
    base = FoldValues(judge.metric, np.array(plain), weight)
    found = [
        important(names, FoldValues(judge.metric, np.array(values), weight), base, ratio, level)
        for names, values in zip((*singles_of(columns), *together), np.array(losses).T, strict=True)
    ]
    said = notes(len(rounds), repeats, most_rows, max(len(one.test) for one in rounds), bool(together))
    singles, groups = ordered(found[: len(columns)]), ordered(found[len(columns) :])
    return Importance(problem.target, name, judge.metric.name, base.score, level, singles, groups, said)


def singles_of(columns: tuple[str, ...]) -> Groups:
    return tuple((column,) for column in columns)


def ordered(rows: list[Important]) -> tuple[Important, ...]:
    """The most important first."""
    return tuple(sorted(rows, key=lambda row: (-row.loss, row.name)))


def fitted(
    candidate: Any, problem: TableProblem, one: Round, train_rows: int | None, most_rows: int, seed: int
) -> tuple[Answering, Ints]:
    """The model of a fold, and the rows it is asked about."""
    train = one.train if train_rows is None else one.train[few_of(len(one.train), train_rows, seed)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        model = problem.fit(candidate, train)
    return Answering.of(model), one.test[few_of(len(one.test), most_rows, seed)]


class Asked:
    """The model of one fold with the rows it has not seen."""

    def __init__(self, answering: Answering, judge: Judge, rows: Ints, cells: Matrix) -> None:
        self.answering, self.judge, self.rows, self.cells = answering, judge, rows, cells

    def plain(self) -> float:
        return self.judged(self.cells)

    def shuffled(self, names: tuple[str, ...], orders: list[Ints]) -> float:
        """The mean error with these columns shuffled together; as it is where the fold's model looks at none."""
        looked_at = [self.answering.places[name] for name in names if name in self.answering.places]
        if not looked_at:
            return self.plain()
        places = np.concatenate(looked_at)
        values = []
        for order in orders:
            cells = np.array(self.cells)
            cells[:, places] = cells[np.ix_(order, places)]
            values.append(self.judged(like(cells, self.cells)))
        return float(np.mean(values))

    def judged(self, cells: Matrix) -> float:
        found: Array = self.answering(cells)
        if self.answering.model.task_.name == "regression":
            return self.judge(self.rows, Answers(found[:, 0], NO_CODES, NO_SHARES))
        return self.judge(self.rows, Answers(NO_NUMBERS, np.argmax(found, axis=1), found))


def important(names: tuple[str, ...], values: FoldValues, base: FoldValues, ratio: float, level: float) -> Important:
    interval = worse_by(values, base, ratio, level)
    return Important(names, interval.estimate, interval.lower, interval.upper)


def notes(folds: int, repeats: int, most: int, test: int, grouped: bool) -> tuple[str, ...]:
    """How it was done."""
    said = [f"each column shuffled {repeats} times in each of {folds} folds, among rows the model was not fitted to"]
    if test > most:
        said.append(f"at most {most:,} rows are asked about in a fold, drawn by a fixed hash")
    if grouped:
        said.append(f"columns with an association of {TOGETHER:g} or more stand in for each other: see their group")
    return tuple(said)
