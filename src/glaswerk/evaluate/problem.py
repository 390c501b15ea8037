"""A problem: rows with a known target, and how a candidate is fitted to some of them and asked about others.

Validation knows nothing of tables, designs or estimators; it speaks to a `Problem` in row numbers. Whatever is learnt
from rows (means for scaling, levels, the model) is learnt inside `fit`, from the rows it is given: nothing leaks.
"""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, Pipeline, clone, weights
from glaswerk.evaluate.sequence import fitted_path
from glaswerk.scoring.holdout import take
from glaswerk.scoring.inputs import Ints, check_choice, check_same_rows, class_column, label_column, number_table

TaskName = Literal["regression", "classification"]


class Problem(Protocol):
    """Interface: what validation needs. `truth` holds numbers, or the names of classes as text."""

    @property
    def n_rows(self) -> int: ...
    @property
    def task(self) -> TaskName: ...
    @property
    def target(self) -> str: ...
    @property
    def truth(self) -> NDArray[Any]: ...
    @property
    def weight(self) -> Array: ...  # (n,) repetitions, or (0,) where every row counts once
    @property
    def groups(self) -> NDArray[Any] | None: ...  # rows of one group stay in one fold
    @property
    def classes(self) -> tuple[str, ...]: ...
    @property
    def positive(self) -> str | None: ...

    def fit(self, candidate: Any, rows: Ints) -> Any:
        """A fresh copy of the candidate, fitted to these rows and to nothing else."""

    def predict(self, fitted: Any, rows: Ints) -> NDArray[Any]:
        """Numbers, or names of classes."""

    def predict_proba(self, fitted: Any, rows: Ints) -> Array:
        """(rows, classes) in the order of `classes`; a class that the fit has not met has probability 0."""

    def predict_interval(self, fitted: Any, rows: Ints, level: float) -> Array | None:
        """(rows, 2), or None where the candidate knows no intervals."""


class ArrayProblem:
    """A problem in memory, for estimators of scikit-learn's kind, pipelines among them.

    X is an array, a dataframe or anything else that rows can be taken from. The task is read off y (text and flags are
    classes, numbers are a regression) unless `task` says otherwise. `groups` marks rows that belong together, `times`
    says when each was observed: validation then trains on the past and tests on what came after.

    >>> problem = ArrayProblem([[0.0], [1.0], [2.0]], ["no", "yes", "yes"])
    >>> problem.task, problem.classes, problem.positive
    ('classification', ('no', 'yes'), 'yes')
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        groups: Any = None,
        *,
        task: TaskName | None = None,
        target: str | None = None,
        positive: Any = None,
        times: Any = None,
    ) -> None:
        self.X = np.asarray(X) if isinstance(X, list | tuple) else X
        self.n_rows = check_same_rows(X=self.X, y=y, groups=groups, times=times)
        self.y = label_column("y", y)
        self.target = target or str(getattr(y, "name", None) or "y")
        self.weight = weights(sample_weight, self.n_rows, "ArrayProblem")
        self.groups = None if groups is None else label_column("groups", groups)
        self.times = None if times is None else label_column("times", times)
        self.task = task_of(self.y) if task is None else task
        check_choice("task", self.task, ("regression", "classification"))
        self.labels: NDArray[Any] = np.zeros(0)
        self.classes: tuple[str, ...] = ()
        self.positive: str | None = None
        if self.task == "regression":
            self.truth: NDArray[Any] = number_table("y", self.y).astype(np.float64)
        else:
            self.labels = np.unique(class_column("y", self.y))
            self.classes = tuple(class_names(self.labels))
            self.truth = self.named(self.y)
            self.positive = positive_name(positive, self.classes)

    def named(self, labels: NDArray[Any]) -> NDArray[Any]:
        """Labels of the target's own kind as names of classes."""
        return np.array(self.classes)[np.searchsorted(self.labels, labels)]

    def fit(self, candidate: Any, rows: Ints) -> Any:
        fresh = clone(candidate)
        weighting = {weight_name(fresh): self.weight[rows]} if self.weight.size else {}
        return fresh.fit(take(self.X, rows), self.y[rows], **weighting)

    def fit_path(self, candidate: Any, rows: Ints, name: str, values: Sequence[Any]) -> list[Any] | None:
        weight = self.weight[rows] if self.weight.size else None
        return fitted_path(clone(candidate), take(self.X, rows), self.y[rows], name, values, weight)

    def predict(self, fitted: Any, rows: Ints) -> NDArray[Any]:
        found = np.asarray(fitted.predict(take(self.X, rows)))
        return self.named(found) if self.task == "classification" else found.reshape(len(rows))

    def predict_proba(self, fitted: Any, rows: Ints) -> Array:
        if not hasattr(fitted, "predict_proba"):
            raise ValueError(f"{type(fitted).__name__} gives no probabilities: choose metric='accuracy'")
        shares = np.zeros((len(rows), len(self.classes)))
        shares[:, np.searchsorted(self.labels, fitted.classes_)] = fitted.predict_proba(take(self.X, rows))
        return shares

    def predict_interval(self, fitted: Any, rows: Ints, level: float) -> Array | None:
        inputs, last = take(self.X, rows), fitted
        if isinstance(fitted, Pipeline):
            last = fitted[-1]
            if hasattr(last, "predict_interval"):
                inputs = fitted[:-1].transform(inputs)
        return last.predict_interval(inputs, level) if hasattr(last, "predict_interval") else None


class SomeRows:
    """Some rows of a problem as a problem: what a search sees inside the training rows of a fold.

    Row k of it is row `rows[k]` of the whole.
    """

    def __init__(self, whole: Problem, rows: Ints) -> None:
        self.whole, self.rows = whole, np.asarray(rows)
        self.n_rows, self.task, self.target = len(self.rows), whole.task, whole.target
        self.truth = whole.truth[self.rows]
        self.weight = whole.weight[self.rows] if whole.weight.size else whole.weight
        self.groups = None if whole.groups is None else whole.groups[self.rows]
        times = times_of(whole)
        self.times = None if times is None else times[self.rows]
        self.classes, self.positive = whole.classes, whole.positive

    def fit(self, candidate: Any, rows: Ints) -> Any:
        return self.whole.fit(candidate, self.rows[rows])

    def fit_path(self, candidate: Any, rows: Ints, name: str, values: Sequence[Any]) -> list[Any] | None:
        return path_of(self.whole, candidate, self.rows[rows], name, values)

    def predict(self, fitted: Any, rows: Ints) -> NDArray[Any]:
        return self.whole.predict(fitted, self.rows[rows])

    def predict_proba(self, fitted: Any, rows: Ints) -> Array:
        return self.whole.predict_proba(fitted, self.rows[rows])

    def predict_interval(self, fitted: Any, rows: Ints, level: float) -> Array | None:
        return self.whole.predict_interval(fitted, self.rows[rows], level)


def times_of(problem: Any) -> NDArray[Any] | None:
    """When each row was observed, where the problem says so: rows are then validated in order of time."""
    return getattr(problem, "times", None)


def path_of(problem: Any, candidate: Any, rows: Ints, name: str, values: Sequence[Any]) -> list[Any] | None:
    """One fitted candidate per value of a parameter, from one walk over the rows; None where that is not known."""
    known = getattr(problem, "fit_path", None)
    return None if known is None else known(candidate, rows, name, values)


def class_codes(names: NDArray[Any], classes: Sequence[str]) -> Ints:
    """The number of each row's class among `classes`."""
    known = np.array(classes)
    order = np.argsort(known)
    found: Ints = order[np.searchsorted(known, names, sorter=order)]
    return found


def without_columns(problem: Problem) -> ArrayProblem:
    """The same rows with the same targets and no column to learn from: what a baseline is fitted to."""
    blank = np.zeros((problem.n_rows, 1))
    weight = problem.weight if problem.weight.size else None
    if problem.task == "regression":
        return ArrayProblem(blank, problem.truth, weight, task="regression", target=problem.target)
    blind = ArrayProblem(
        blank, class_codes(problem.truth, problem.classes), weight, task="classification", target=problem.target
    )
    blind.labels, blind.classes = np.arange(len(problem.classes)), problem.classes
    blind.truth, blind.positive = problem.truth, problem.positive
    return blind


def task_of(y: NDArray[Any]) -> TaskName:
    """Text and flags are classes; numbers are a regression."""
    return "regression" if y.dtype.kind in "iuf" else "classification"


def class_names(labels: NDArray[Any]) -> list[str]:
    """Labels as text; whole numbers without a decimal point."""
    return [str(int(label)) if labels.dtype.kind == "f" else str(label) for label in labels.tolist()]


def positive_name(positive: Any, classes: Sequence[str]) -> str | None:
    """The class that "positive" means, of two: the one asked for, else the last."""
    if positive is None:
        return classes[-1] if len(classes) == 2 else None
    if str(positive) not in classes:
        raise ValueError(f"positive must be one of the classes {list(classes)}; came {positive!r}")
    return str(positive)


def weight_name(estimator: Any) -> str:
    """How row weights are passed to `fit`: a pipeline hands them to its last step."""
    return f"{estimator.steps[-1][0]}__sample_weight" if isinstance(estimator, Pipeline) else "sample_weight"
