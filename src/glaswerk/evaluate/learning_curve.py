"""The learning curve: error on training rows and on new rows against the number of training rows.

In each fold the training rows are drawn in one order, and each size takes the first so many of them: sizes are nested,
and every size is judged on the same test rows. Cost: sizes × folds × repeats fits, most of them small.
When not to use it: rows in order of time. The smallest sizes say little where columns are many.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.baseline import baseline_for
from glaswerk.evaluate.comparing import BASELINE
from glaswerk.evaluate.corrected import FoldValues, Interval, score_interval
from glaswerk.evaluate.metrics import Judge, Metric, metric_for
from glaswerk.evaluate.plan import Round, plan_folds
from glaswerk.evaluate.power_law import Doubling, gain_of_doubling
from glaswerk.evaluate.problem import Problem, without_columns
from glaswerk.evaluate.trial import Trial, run_trial
from glaswerk.evaluate.validation import check_candidates, counted
from glaswerk.facts import Curve, Line
from glaswerk.scoring.folds import derived_seeds, shuffled_order
from glaswerk.scoring.inputs import Ints, check_whole_number
from glaswerk.stats.inference import student_quantile

VALIDATION, TRAINING = "validation", "training"
FEWEST_ROWS = 10
FEWEST_SIZES = 4
WILD = 3.0  # times the last error: sizes with such errors would hide the rest of the picture
SMALLEST_SHARE = 25  # the smallest size is at least this part of the rows
LOG_RANGE = (5.0, 1000.0)  # ratios of largest to smallest error between which a logarithmic axis shows more


def learning_curve(
    candidate: Any,
    problem: Problem,
    *,
    name: str = "model",
    sizes: int | Sequence[int] = 8,
    folds: int = 5,
    repeats: int = 1,
    seed: int = 0,
    metric: str | None = None,
    level: float = 0.95,
    after_fit: Callable[[str, int, int], None] | None = None,
) -> Curve:
    """Errors of one candidate against training rows, beside the baseline's, and what twice the rows would bring.

    Parameters
    ----------
    sizes : how many sizes, spaced evenly on a logarithmic axis up to all training rows; or the sizes themselves.
    The other parameters are those of `cross_validate`. Lines are named "validation", "training" and "baseline".
    """
    check_candidates({name: candidate}, level)
    plan, judge = plan_folds(problem, folds, repeats, seed), Judge.of(problem, metric_for(problem, metric))
    rounds = nested(plan.rounds(), problem, seed)
    chosen = chosen_sizes(sizes, min(len(one.train) for one in rounds), max(len(problem.classes), 1))
    told = counted(after_fit, 2 * len(chosen) * len(rounds))
    entered = {name: (candidate, problem), BASELINE: (baseline_for(problem.task), without_columns(problem))}
    trials = {
        who: [run_trial(who, one, its, first_rows(rounds, size), judge, partial(told, who)) for size in chosen]
        for who, (one, its) in entered.items()
    }
    measured = Measured(judge.metric, chosen, rounds, judge.weight, level)
    first = 0 if isinstance(sizes, Sequence) else measured.first_shown(trials[name])
    notes = (plan.says, *plan.notes, *measured.left_out(first, trials[name]))
    shown = replace(measured, sizes=chosen[first:])
    return shown.curve(name, problem.target, trials[name][first:], trials[BASELINE][first:], notes)


def nested(rounds: Sequence[Round], problem: Problem, seed: int) -> list[Round]:
    """The rounds with their training rows in the order in which sizes take them."""
    seeds = derived_seeds(seed, len(rounds))
    return [
        one._replace(train=drawing_order(problem, one.train, its_seed))
        for one, its_seed in zip(rounds, seeds, strict=True)
    ]


def drawing_order(problem: Problem, rows: Ints, seed: int) -> Ints:
    """Shuffled; classes in proportion, each present from the start; groups one after the other."""
    shuffled = rows[shuffled_order(len(rows), seed)]
    if problem.groups is not None:
        _, first, group = np.unique(problem.groups[shuffled], return_index=True, return_inverse=True)
        return shuffled[np.argsort(first[group], kind="stable")]
    if problem.task == "regression":
        return shuffled
    _, codes, size = np.unique(problem.truth[shuffled], return_inverse=True, return_counts=True)
    by_class = np.argsort(codes, kind="stable")
    rank = np.empty(len(codes))
    rank[by_class] = np.arange(len(codes)) - np.repeat(np.cumsum(size) - size, size)
    return shuffled[np.argsort(rank / size[codes], kind="stable")]


def first_rows(rounds: Sequence[Round], size: int) -> list[Round]:
    """The rounds with so many training rows; none of them counts as the first repeat, whose answers are kept."""
    return [one._replace(repeat=one.repeat + 1, train=np.sort(one.train[:size])) for one in rounds]


def chosen_sizes(sizes: int | Sequence[int], n_train: int, n_classes: int) -> Ints:
    """Sizes up to all training rows, each once, ascending."""
    if isinstance(sizes, Sequence | np.ndarray):
        for size in sizes:
            check_whole_number("sizes", size, at_least=2)
        found = np.unique(np.asarray(sizes, dtype=np.int64))
        if len(found) < 2 or found[-1] > n_train:
            raise ValueError(f"sizes must be two or more numbers up to the {n_train} training rows; came {sizes!r}")
        return found
    check_whole_number("sizes", sizes, at_least=2)
    lowest = max(FEWEST_ROWS, 2 * n_classes, n_train // SMALLEST_SHARE)
    lowest = min(lowest, max(2, n_train // 2))
    return np.unique(np.round(np.geomspace(lowest, n_train, int(sizes))).astype(np.int64))


@dataclass(frozen=True, eq=False)
class Measured:
    """What all sizes were measured with."""

    metric: Metric
    sizes: Ints
    rounds: Sequence[Round]
    row_weight: Array
    level: float

    @property
    def weight(self) -> Array:
        return np.array([self.row_weight[one.test].sum() for one in self.rounds])

    def scores(self, trials: Sequence[Trial], *, training: bool = False) -> list[Interval]:
        """One score with its band per size; NaN where the candidate failed at that size."""
        found = []
        for size, trial in zip(self.sizes.tolist(), trials, strict=True):
            values = trial.train_values if training else trial.values
            folds = FoldValues(self.metric, np.full_like(values, np.nan) if trial.failure else values, self.weight)
            found.append(score_interval(folds, self.ratio(size), self.level))
        return found

    def first_shown(self, trials: Sequence[Trial]) -> int:
        """The first size worth drawing: from it on no error is beyond three times the last; four sizes always are."""
        errors = np.array([self.metric.error(score.estimate) for score in self.scores(trials)])
        wild = np.flatnonzero(errors > WILD * errors[-1])
        return max(0, min(int(wild[-1]) + 1, len(errors) - FEWEST_SIZES)) if len(wild) else 0

    def left_out(self, first: int, trials: Sequence[Trial]) -> tuple[str, ...]:
        if not first:
            return ()
        scores = zip(self.sizes[:first].tolist(), self.scores(trials)[:first], strict=True)
        told = ", ".join(f"{score.estimate:.3g} with {size} rows" for size, score in scores)
        return (f"not drawn, since hardly more rows than coefficients tell nothing: {self.metric.name} {told}",)

    def ratio(self, size: int) -> float:
        """n_test/n_train of whole folds, less as small subsets of the training rows share fewer of them."""
        shares = [len(one.test) / len(one.train) * size / len(one.train) for one in self.rounds]
        return float(np.mean(shares))

    def line(self, name: str, scores: Sequence[Interval]) -> Line:
        return Line(
            name,
            tuple(map(float, self.sizes.tolist())),
            tuple(s.estimate if np.isfinite(s.estimate) else None for s in scores),
            tuple(s.lower for s in scores),
            tuple(s.upper for s in scores),
        )

    def curve(
        self, name: str, target: str, trials: Sequence[Trial], baseline: Sequence[Trial], notes: tuple[str, ...]
    ) -> Curve:
        validation, training = self.scores(trials), self.scores(trials, training=True)
        lines = (
            self.line(VALIDATION, validation),
            self.line(TRAINING, training),
            self.line(BASELINE, [Interval(s.estimate, None, None) for s in self.scores(baseline)]),
        )
        failures = tuple(f"{size} rows: {t.failure}" for size, t in zip(self.sizes, trials, strict=True) if t.failure)
        bands = f"bands: {100 * self.level:g} %, corrected resampled t, approximate; {self.metric.averaged}"
        return Curve(
            title=f"Learning curve of {name}",
            x_title="training rows",
            y_title=f"{self.metric.name} of {target}",
            lines=lines,
            says=self.says(validation, training),
            x_scale="log",
            y_scale=self.y_scale(lines),
            notes=(*notes, bands, *failures),
        )

    def y_scale(self, lines: Sequence[Line]) -> Any:
        values = [y for line in lines for y in line.y if y is not None]
        if self.metric.better == "higher" or not values or min(values) <= 0:
            return "linear"
        return "log" if LOG_RANGE[0] < max(values) / min(values) < LOG_RANGE[1] else "linear"

    def says(self, validation: Sequence[Interval], training: Sequence[Interval]) -> str:
        """The sentence to remember: where the curve has come to, and where twice the rows would lead."""
        new, known = validation[-1].estimate, training[-1].estimate
        if not np.isfinite(new):
            return "The candidate fails with all training rows: see the notes."
        name = self.metric.name
        return (
            f"With {self.sizes[-1]} training rows the {name} is {new:.4g} on new rows and {known:.4g} on the training "
            f"rows. {doubling_in_words(self.doubling(validation), self.metric, int(self.sizes[-1]))}"
        )

    def doubling(self, validation: Sequence[Interval]) -> Doubling:
        """What twice the rows would bring, from the errors on new rows."""
        quantile = student_quantile(self.level, len(self.rounds) - 1)
        spreads = [np.nan if s.lower is None or s.upper is None else (s.upper - s.lower) / 2 for s in validation]
        errors = np.array([self.metric.error(s.estimate) for s in validation])
        return gain_of_doubling(self.sizes.astype(np.float64), errors, np.array(spreads) / quantile)


def doubling_in_words(found: Doubling, metric: Metric, rows: int) -> str:
    if found.gain is None:
        return f"What more rows would bring cannot be extrapolated: {found.refusal}."
    verb = "lower" if metric.better == "lower" else "raise"
    return (
        f"{2 * rows} rows would {verb} the {metric.name} by about {found.gain:.2g} "
        f"({found.lower:.2g} to {found.upper:.2g}), if the error goes on falling as a + b·n^-c."
    )
