"""The metrics of a validation: an error per fold, and how folds become one number.

A fold's value is on the scale on which values of rows average: for RMSE that is the mean squared error. Folds are
averaged on it, weighted by their rows, and the mean is then shown on the metric's own scale: for RMSE the root of the
mean of the folds' squared errors. The delta method carries a fold's deviation over, so that intervals of shown numbers
and of their differences come from one rule.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.evaluate.problem import Problem, class_codes
from glaswerk.scoring import (
    accuracy_score,
    brier_score_loss,
    log_loss,
    mean_absolute_error,
    mean_squared_error,
    r2_score,
    roc_auc_score,
)
from glaswerk.scoring.inputs import Ints, check_choice

NO_NUMBERS, NO_CODES, NO_SHARES = np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class Answers:
    """What a fitted candidate says of some rows: numbers, or codes of classes and their probabilities."""

    numbers: Array
    codes: Ints
    shares: Array


@dataclass(frozen=True)
class Metric:
    """One way to judge. `of(truth, answers, weight)` is a fold's value; `perfect` is its best value shown."""

    name: str
    task: Literal["regression", "classification"]
    better: Literal["lower", "higher"]
    perfect: float
    of: Callable[[NDArray, Answers, Array], float]
    averaged: str
    root: bool = False
    needs_shares: bool = False
    two_classes: bool = False

    def shown(self, value: float) -> float:
        """From the scale of folds to the metric's own."""
        return math.sqrt(value) if self.root else value

    def slope(self, value: float) -> float:
        """Derivative of `shown`; 0 where there is no error left to vary."""
        if not self.root:
            return 1.0
        return 0.5 / math.sqrt(value) if value > 0 else 0.0

    def error(self, shown: float) -> float:
        """How far a score is from perfect: smaller is better whichever way the metric points."""
        return abs(self.perfect - shown)

    def worse_by(self, score: float, other: float) -> float:
        """How much worse `score` is than `other`; negative where it is better."""
        return score - other if self.better == "lower" else other - score

    def clipped(self, limit: float) -> float:
        """A limit of an interval, kept where the metric can be at all."""
        if self.better == "lower":
            return max(limit, self.perfect)
        lowest = -math.inf if self.name == "R²" else 0.0
        return min(max(limit, lowest), self.perfect)


def _squared(truth: NDArray, answers: Answers, weight: Array) -> float:
    return float(mean_squared_error(truth, answers.numbers, sample_weight=weight))


def _absolute(truth: NDArray, answers: Answers, weight: Array) -> float:
    return float(mean_absolute_error(truth, answers.numbers, sample_weight=weight))


def _explained(truth: NDArray, answers: Answers, weight: Array) -> float:
    return float(r2_score(truth, answers.numbers, sample_weight=weight))


def _surprise(truth: NDArray, answers: Answers, weight: Array) -> float:
    labels = np.arange(answers.shares.shape[1])
    return log_loss(truth, answers.shares, sample_weight=weight, labels=labels)


def _right(truth: NDArray, answers: Answers, weight: Array) -> float:
    return accuracy_score(truth, answers.codes, sample_weight=weight)


def _brier(truth: NDArray, answers: Answers, weight: Array) -> float:
    labels = np.arange(answers.shares.shape[1])
    return brier_score_loss(truth, answers.shares, sample_weight=weight, labels=labels)


def _area(truth: NDArray, answers: Answers, weight: Array) -> float:
    happened = truth == 1  # which of the two classes is called positive does not matter to the area
    if happened.all() or not happened.any():
        return math.nan
    return roc_auc_score(happened, answers.shares[:, 1], sample_weight=weight)


MEAN = "mean over the rows of all folds"
BY_FOLD = "mean over folds, weighted by their rows"
METRICS = (
    Metric("RMSE", "regression", "lower", 0.0, _squared, "root of the mean of the folds' squared errors", root=True),
    Metric("MAE", "regression", "lower", 0.0, _absolute, MEAN),
    Metric("R²", "regression", "higher", 1.0, _explained, BY_FOLD),
    Metric("log loss", "classification", "lower", 0.0, _surprise, MEAN, needs_shares=True),
    Metric("accuracy", "classification", "higher", 1.0, _right, MEAN),
    Metric("Brier score", "classification", "lower", 0.0, _brier, MEAN, needs_shares=True),
    Metric("AUC", "classification", "higher", 1.0, _area, BY_FOLD, needs_shares=True, two_classes=True),
)
SPELLINGS = {
    "rmse": "RMSE", "mae": "MAE", "r2": "R²", "log_loss": "log loss", "accuracy": "accuracy", "brier": "Brier score",
    "auc": "AUC",
}  # fmt: skip


def metric_for(problem: Problem, name: str | None) -> Metric:
    """The metric of this name, or the task's first: RMSE for numbers, log loss for classes.

    Names are "rmse", "mae", "r2"; "log_loss", "accuracy", "brier", "auc" (two classes), or as they are shown.
    """
    fitting = [m for m in METRICS if m.task == problem.task and (not m.two_classes or len(problem.classes) == 2)]
    if name is None:
        return fitting[0]
    allowed = {spelling: shown for spelling, shown in SPELLINGS.items() if shown in {m.name for m in fitting}}
    wanted = allowed.get(name, name)
    if wanted not in allowed.values():
        check_choice(f"metric (for this {problem.task})", name, tuple(allowed))
    return next(m for m in fitting if m.name == wanted)


def metric_named(name: str) -> Metric:
    """The metric that a fact names."""
    check_choice("metric", name, [metric.name for metric in METRICS])
    return next(metric for metric in METRICS if metric.name == name)


@dataclass(frozen=True, eq=False)
class Judge:
    """A metric with the truth it compares to."""

    metric: Metric
    truth: NDArray
    weight: Array

    @classmethod
    def of(cls, problem: Problem, metric: Metric) -> "Judge":
        truth = problem.truth if problem.task == "regression" else class_codes(problem.truth, problem.classes)
        weight = problem.weight if problem.weight.size else np.ones(problem.n_rows)
        return cls(metric, truth, weight)

    def __call__(self, rows: Ints, answers: Answers) -> float:
        """The value of these rows on the scale of folds."""
        return self.metric.of(self.truth[rows], answers, self.weight[rows])


def ask(problem: Problem, fitted: Any, rows: Ints, metric: Metric, *, labels: bool = False) -> Answers:
    """A fitted candidate's answers for these rows: what the metric needs, and with `labels` the classes too."""
    if problem.task == "regression":
        return Answers(problem.predict(fitted, rows), NO_CODES, NO_SHARES)
    shares = problem.predict_proba(fitted, rows) if metric.needs_shares else NO_SHARES
    wanted = labels or not metric.needs_shares
    codes = class_codes(problem.predict(fitted, rows), problem.classes) if wanted else NO_CODES
    return Answers(NO_NUMBERS, codes, shares)
