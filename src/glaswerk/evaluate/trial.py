"""A trial: one candidate fitted in every round of a plan, and what it answered for rows it had not seen.

Failures and warnings belong to the candidate that caused them: they are written down, and the others go on.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from glaswerk.base import Array, clone
from glaswerk.evaluate.chosen import Chosen, chosen_by
from glaswerk.evaluate.complexity import complexity_of
from glaswerk.evaluate.metrics import Answers, Judge, ask
from glaswerk.evaluate.plan import Round
from glaswerk.evaluate.problem import Problem
from glaswerk.scoring.folds import shuffled_order
from glaswerk.scoring.inputs import Ints

LEVELS = (0.5, 0.8, 0.9, 0.95)
LONGEST_MESSAGE = 300
MOST_KNOWN = 10_000  # training rows whose error is measured beside that of new rows


@dataclass(eq=False)
class Trial:
    """Values per round, on the scale of folds; answers and interval hits (rows, levels) are of the first repeat.

    `chosen` says what a candidate that chooses for itself took in each round. `fits` counts the fits inside searches
    too.
    """

    name: str
    values: Array
    train_values: Array
    numbers: Array
    codes: Ints
    shares: Array
    inside: Array
    fits: int = 0
    failure: str = ""
    warned: Counter[str] = field(default_factory=Counter)
    complexities: Array = field(default_factory=lambda: np.zeros(0))
    chosen: list[Chosen] = field(default_factory=list)
    nested: bool = False

    @classmethod
    def empty(cls, name: str, problem: Problem, rounds: int) -> "Trial":
        n = problem.n_rows
        return cls(
            name,
            np.full(rounds, np.nan),
            np.full(rounds, np.nan),
            np.full(n, np.nan),
            np.full(n, -1, dtype=np.int64),
            np.full((n, len(problem.classes)), np.nan),
            np.full((n, len(LEVELS)), np.nan),
            complexities=np.full(rounds, np.nan),
        )

    @property
    def complexity(self) -> float:
        """Mean number of free parameters over the rounds, NaN where the candidate does not say."""
        known = self.complexities[np.isfinite(self.complexities)]
        return float(known.mean()) if known.size else np.nan

    def remarks(self) -> tuple[str, ...]:
        """The warnings of all fits, each once with its count."""
        return tuple(f"warned {count} time(s): {message}" for message, count in self.warned.items())


def run_trial(
    name: str, candidate: Any, problem: Problem, rounds: Sequence[Round], judge: Judge, after_fit: Callable[[], None]
) -> Trial:
    """Fit and ask in every round, up to the first failure; the answers of repeat 0 are kept."""
    trial = Trial.empty(name, problem, len(rounds))
    for number, one in enumerate(rounds):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                _one_round(trial, number, candidate, problem, one, judge)
            except Exception as error:  # whatever a candidate raises is its result
                trial.failure = f"failed in fold {one.fold + 1} of repeat {one.repeat + 1}: {in_short(error)}"
        trial.warned.update(shortened(str(warning.message)) for warning in heard)
        after_fit()
        if trial.failure:
            break
    return trial


def _one_round(trial: Trial, number: int, candidate: Any, problem: Problem, one: Round, judge: Judge) -> None:
    fitted, search = fitted_within(trial, candidate, problem, one, judge)
    told = chosen_by(fitted if search is None else search, judge.metric, one.repeat, one.fold)
    trial.chosen += [] if told is None else [told]
    first = one.repeat == 0
    answers = judged(trial, number, problem, fitted, one, judge, labels=first)
    if first:
        keep_answers(trial, one.test, answers)
        if problem.task == "regression":
            trial.inside[one.test] = covered(problem, fitted, one.test)


def fitted_within(trial: Trial, candidate: Any, problem: Problem, one: Round, judge: Judge) -> tuple[Any, Any]:
    """The candidate fitted to the training rows, and None; of a search, done within those rows, what it found and it.

    A search without a metric of its own chooses by the metric it is judged by.
    """
    if hasattr(getattr(candidate, "learner", None), "fit_within"):
        candidate = candidate.as_search()
    if not hasattr(candidate, "fit_within"):
        trial.fits += 1
        return problem.fit(candidate, one.train), None
    search = clone(candidate)
    if search.metric is None:
        search.set_params(metric=judge.metric.name)
    search.fit_within(problem, one.train)
    trial.fits += search.n_fits_
    trial.nested = True
    return search.best_estimator_, search


def judged(
    trial: Trial, number: int, problem: Problem, fitted: Any, one: Round, judge: Judge, *, labels: bool = False
) -> Answers:
    """Write down the values of a round, and give the answers for its test rows."""
    answers = ask(problem, fitted, one.test, judge.metric, labels=labels)
    trial.values[number] = judge(one.test, answers)
    known = known_rows(one.train)
    trial.train_values[number] = judge(known, ask(problem, fitted, known, judge.metric))
    trial.complexities[number] = complexity_of(fitted)
    return answers


def known_rows(train: Ints) -> Ints:
    """The training rows that are asked about too: at most 10,000, drawn by a hash of their place."""
    if len(train) <= MOST_KNOWN:
        return train
    found: Ints = np.sort(train[shuffled_order(len(train), 0)[:MOST_KNOWN]])
    return found


def keep_answers(trial: Trial, rows: Ints, answers: Answers) -> None:
    """Write what was answered to where the rows are."""
    if answers.numbers.size:
        trial.numbers[rows] = answers.numbers
    if answers.codes.size:
        trial.codes[rows] = answers.codes
    if answers.shares.size:
        trial.shares[rows] = answers.shares


def covered(problem: Problem, fitted: Any, rows: Ints) -> Array:
    """(rows, levels): 1 where the truth lies within the interval, 0 where not, NaN where there is none."""
    inside = np.full((len(rows), len(LEVELS)), np.nan)
    truth = problem.truth[rows]
    for k, level in enumerate(LEVELS):
        limits = problem.predict_interval(fitted, rows, level)
        if limits is None:
            break
        inside[:, k] = (limits[:, 0] <= truth) & (truth <= limits[:, 1])
        inside[np.isnan(limits).any(axis=1), k] = np.nan
    return inside


def in_short(error: Exception) -> str:
    return shortened(f"{type(error).__name__}: {error}")


def shortened(message: str) -> str:
    """One line of bounded length."""
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"
