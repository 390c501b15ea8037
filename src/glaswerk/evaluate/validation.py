"""Cross-validation: how well candidates do on rows they have not seen, beside a baseline, and how sure that is.

Every candidate is fitted anew in each fold of each repeat, with everything that is learnt from rows. All are judged on
the same folds, so that differences are paired. Cost: folds × repeats fits per candidate, and predictions for all rows.
When not to use it: rows in order of time without `times` in the problem (the past is then predicted from the future).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.evaluate import out_of_fold
from glaswerk.evaluate.baseline import baseline_for
from glaswerk.evaluate.calibration import calibration
from glaswerk.evaluate.chosen import fold_by_fold
from glaswerk.evaluate.comparing import BASELINE, MARGIN, Field
from glaswerk.evaluate.conformal import Score
from glaswerk.evaluate.metrics import Judge, Metric, metric_for, metric_named
from glaswerk.evaluate.plan import Plan, Round, plan_folds
from glaswerk.evaluate.prediction_sets import sets_held
from glaswerk.evaluate.problem import Problem, class_codes, without_columns
from glaswerk.evaluate.trade_offs import EVEN_COSTS, Ranked, precision_recall, roc, thresholds
from glaswerk.evaluate.trial import MOST_KNOWN, Trial, run_trial
from glaswerk.facts import Comparison, Confusion, Facts, OutOfFold, Table
from glaswerk.scoring.inputs import Ints

AfterFit = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Validation:
    """What a cross-validation found. Answers kept are those of the first repeat, in which each row is tested once."""

    comparison: Comparison
    problem: Problem
    plan: Plan
    trials: Mapping[str, Trial]

    @property
    def best(self) -> str:
        """The name of the candidate with the best score; it may be the baseline."""
        return self.comparison.rows[0].name

    def trial(self, name: str) -> Trial:
        """The trial of this candidate; ValueError where there is none, or where it failed."""
        if name not in self.trials:
            raise ValueError(f"name must be one of the candidates {list(self.trials)}; came {name!r}")
        found = self.trials[name]
        if found.failure:
            raise ValueError(f"candidate {name!r} has no answers: {found.failure}")
        return found

    def predictions(self, name: str) -> NDArray[Any]:
        """For every row its prediction from the fold that tested it: numbers, or names of classes ("" if untested)."""
        found = self.trial(name)
        if self.problem.task == "regression":
            return found.numbers
        return np.array([*self.problem.classes, ""])[found.codes]

    def probabilities(self, name: str) -> Array:
        """(rows, classes) from the fold that tested the row; NaN where the metric needed none."""
        return self.trial(name).shares

    def fold_of_row(self) -> Ints:
        """(repeats, rows): the fold that tests the row; -1 for rows of weight zero."""
        return self.plan.fold_of_row

    def out_of_fold(self, name: str) -> OutOfFold | Confusion:
        """The candidate's answers for rows it was not fitted to, as a fact."""
        if self.problem.task == "regression":
            return out_of_fold.of_numbers(self.trial(name), self.problem, self.plan.fold_of_row[0])
        return out_of_fold.of_classes(self.trial(name), self.problem)

    def ranked(self, name: str, event: str | None = None) -> Ranked:
        """Tested rows by the candidate's probability of a class (the positive one by default), with their folds."""
        event = self._event(event)
        shares, fold = self.probabilities(name)[:, self.problem.classes.index(event)], self.plan.fold_of_row[0]
        tested = np.flatnonzero((fold >= 0) & np.isfinite(shares))
        if not len(tested):
            raise ValueError(f"{name!r} was asked for no probabilities: choose metric='log_loss' or 'brier'")
        weight = self.problem.weight[tested] if self.problem.weight.size else np.ones(len(tested))
        return Ranked(self.problem.truth[tested] == event, shares[tested], fold[tested], weight)

    def _event(self, event: str | None) -> str:
        found = self.problem.positive if event is None else event
        if found is None or found not in self.problem.classes:
            raise ValueError(f"event must be one of the classes {list(self.problem.classes)}; came {event!r}")
        return found

    def trade_offs(self, name: str, event: str | None = None, *, costs: Any = EVEN_COSTS, level: float = 0.95) -> Facts:
        """Calibration with the parts of the Brier score, ROC, precision and recall, cost by threshold: as facts."""
        rows, event = self.ranked(name, event), self._event(event)
        found = calibration(rows.positive, rows.probability, rows.weight)
        cost = thresholds(rows, name, event, costs=costs, level=level)
        curves = [roc(rows, name, event, level=level), precision_recall(rows, name, event, level=level), cost.curve]
        return Facts([found.curve(name, event), found.table(name, event), *curves, cost.statement])

    def sets(self, name: str, score: Score = "adaptive") -> Table:
        """How often conformal prediction sets held the class of rows left out, and how large they were."""
        shares, fold = self.probabilities(name), self.plan.fold_of_row[0]
        tested = np.flatnonzero((fold >= 0) & np.isfinite(shares).all(axis=1))
        if not len(tested):
            raise ValueError(f"{name!r} was asked for no probabilities: choose metric='log_loss' or 'brier'")
        codes = class_codes(self.problem.truth[tested], self.problem.classes)
        weight = self.problem.weight[tested] if self.problem.weight.size else np.ones(len(tested))
        return sets_held(codes, shares[tested], fold[tested], weight, score)[0]

    def choices(self, name: str) -> Table:
        """What a candidate that chooses took in every outer fold, its inner score beside the outer one."""
        found = self.trial(name)
        if not found.chosen:
            raise ValueError(f"candidate {name!r} is no search, so nothing was chosen")
        metric = metric_named(self.comparison.metric)
        return fold_by_fold(name, metric.name, found.chosen, [metric.shown(float(v)) for v in found.values])

    def facts(self) -> Facts:
        """The comparison, the best candidate's answers, and what searches chose in the outer folds."""
        searched = [self.choices(t.name) for t in self.trials.values() if t.nested and not t.failure]
        return Facts([self.comparison, self.out_of_fold(self.best), *searched])


def cross_validate(
    candidates: Mapping[str, Any],
    problem: Problem,
    *,
    folds: int = 10,
    repeats: int = 3,
    seed: int = 0,
    metric: str | None = None,
    level: float = 0.95,
    after_fit: AfterFit | None = None,
) -> Validation:
    """Judge candidates on the same folds, beside a baseline, with corrected intervals and verdicts in words.

    Parameters
    ----------
    candidates : estimators by name, also searches (nested validation); a row named "baseline" is added.
    problem : an `ArrayProblem`, or a table's problem.
    folds, repeats, seed : stratified for classes, by groups where the problem has them, each after its past where it
        has times. Folds are fewer where rows are few, and the result says so.
    metric : "rmse" (default), "mae", "r2"; for classes "log_loss" (default), "accuracy", "brier", "auc".
    level : of the intervals, which are approximate.
    after_fit : called after each fit with (candidate, fits done, fits planned).

    >>> from glaswerk import LinearRegression
    >>> from glaswerk.evaluate import ArrayProblem
    >>> x = np.arange(30.0)
    >>> problem = ArrayProblem(x[:, None], 2 * x + np.sin(40 * x))
    >>> found = cross_validate({"line": LinearRegression()}, problem, folds=5)
    >>> found.best, [row.verdict for row in found.comparison.rows]
    ('line', ['best', 'worse'])
    """
    check_candidates(candidates, level)
    plan, judge = plan_folds(problem, folds, repeats, seed), Judge.of(problem, metric_for(problem, metric))
    rounds = plan.rounds()
    lined_up: list[tuple[str, Any, Problem]] = [(name, candidate, problem) for name, candidate in candidates.items()]
    lined_up.append((BASELINE, baseline_for(problem.task), without_columns(problem)))
    told = counted(after_fit, len(lined_up) * len(rounds))
    trials = {
        name: run_trial(name, candidate, its_problem, rounds, judge, partial(told, name))
        for name, candidate, its_problem in lined_up
    }
    return Validation(compared(tuple(trials.values()), plan, rounds, judge, level), problem, plan, trials)


def check_candidates(candidates: Mapping[str, Any], level: float) -> None:
    if not isinstance(candidates, Mapping):
        raise ValueError(
            f"candidates must be estimators by name, {{name: estimator}}; came {type(candidates).__name__}"
        )
    for name, candidate in candidates.items():
        if not isinstance(name, str) or name == BASELINE:
            raise ValueError(f"candidates must be named by text other than {BASELINE!r}, which is added; came {name!r}")
        if isinstance(candidate, type):
            raise ValueError(f"candidate {name!r} must be an estimator, not its class: {candidate.__name__}()")
    if not (isinstance(level, float) and 0 < level < 1):
        raise ValueError(f"level must be a number between 0 and 1; came {level!r}")


def counted(after_fit: AfterFit | None, planned: int) -> Callable[[str], None]:
    """What to call after each fit of a candidate: it counts, and tells where somebody listens."""
    done = 0

    def tell(name: str) -> None:
        nonlocal done
        done += 1
        if after_fit is not None:
            after_fit(name, done, planned)

    return tell


def compared(trials: tuple[Trial, ...], plan: Plan, rounds: Sequence[Round], judge: Judge, level: float) -> Comparison:
    """The trials as a fact, with the rule of the verdicts in its notes."""
    weight = np.array([judge.weight[one.test].sum() for one in rounds])
    ratio = float(np.mean([len(one.test) / len(one.train) for one in rounds]))
    field = Field(judge.metric, trials, weight, ratio, level, plan.stratified, plan.n_folds)
    return Comparison(
        metric=judge.metric.name,
        better=judge.metric.better,
        plan=plan.says,
        level=level,
        rows=field.rows(),
        baseline=BASELINE,
        notes=(*plan.notes, *how_judged(field), *known_told(rounds)),
        simplest=field.simplest(),
    )


def how_judged(field: Field) -> tuple[str, ...]:
    """What the numbers and the verdicts mean."""
    metric: Metric = field.metric
    undefined = int(np.isnan(field.baseline.values).sum())
    left_out = (f"{metric.name} is undefined in {undefined} of {len(field.weight)} folds, which are left out",)
    return (
        f"{metric.name}: {metric.averaged}; {metric.better} is better",
        f"intervals: {100 * field.level:g} %, corrected resampled t, approximate",
        "differences to the best are paired fold by fold; positive is worse",
        f"practically equal: the interval of the difference lies within ±{field.margin:.4g}, "
        f"{100 * MARGIN:g} % of the best candidate's error",
        *within_one_standard_error(field),
        f"{sum(trial.fits for trial in field.trials)} fits in all; everything is fitted inside the folds",
        *(left_out if undefined else ()),
    )


def known_told(rounds: Sequence[Round]) -> tuple[str, ...]:
    """A note where the error on training rows is that of a sample."""
    if max(len(one.train) for one in rounds) <= MOST_KNOWN:
        return ()
    return (f"errors on training rows are those of {MOST_KNOWN:,} of them in each fold, drawn by a fixed hash",)


def within_one_standard_error(field: Field) -> tuple[str, ...]:
    """The sentence on the simplest good candidate, and on nested searches."""
    simplest, found = field.simplest(), []
    if simplest:
        found.append(f"simplest within one standard error of the best (fewest free parameters): {simplest}")
    if any(trial.nested for trial in field.trials):
        found.append("nested: searches choose inside the training rows of each fold; their inner score is too good")
    return tuple(found)
