"""The race: all candidates on the same folds, the cheapest first, within a purse; Ctrl-C keeps what is finished."""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

from glaswerk.base import clone
from glaswerk.evaluate import Validation
from glaswerk.evaluate.baseline import baseline_for
from glaswerk.evaluate.comparing import BASELINE
from glaswerk.evaluate.metrics import Judge, ask, metric_for
from glaswerk.evaluate.plan import Plan, Round, plan_folds
from glaswerk.evaluate.problem import Problem, without_columns
from glaswerk.evaluate.search import Search, drawn_rows
from glaswerk.evaluate.trial import Trial, run_trial
from glaswerk.evaluate.validation import check_candidates, compared
from glaswerk.facts import Candidate, Comparison, Table
from glaswerk.report.purse import (
    LEAST_ROWS,
    PATIENCE,
    PILOT_ROWS,
    Pilot,
    Purse,
    Share,
    fewer,
    shares,
)
from glaswerk.report.verdict import NOT_FINISHED
from glaswerk.scoring.inputs import Ints

Told = Callable[[str, int, int], None]
QUICK = 1.0  # seconds of a pilot that is taken again, since so little is measured badly
WARM_ROWS = 200  # fitted before the pilot, to load what a later fit finds loaded


class OutOfTime(BaseException):
    """A family has used up its share; nothing between the clock and the race may swallow this."""


@dataclass(frozen=True)
class Runner:
    """A candidate with what is known of its cost."""

    name: str
    candidate: Any
    growth: float = 1.0
    most: int | None = None


@dataclass(frozen=True, eq=False)
class Race:
    """What came of it. `cut` says in words what the clock or the user took away; empty where nothing was."""

    validation: Validation
    shares: tuple[Share, ...]
    pilots: Mapping[str, Pilot]
    cut: tuple[str, ...]
    stopped: bool


@dataclass
class Track:
    """Everything the candidates share: rows, folds, metric, clock."""

    problem: Problem
    plan: Plan
    judge: Judge
    seed: int
    purse: Purse
    told: Told

    @property
    def rounds(self) -> list[Round]:
        return self.plan.rounds()

    def thinned(self, rows: int | None) -> list[Round]:
        """The same rounds with at most so many training rows, drawn by a hash of their place."""
        return [one if rows is None else one._replace(train=self.sample(one.train, rows)) for one in self.rounds]

    def sample(self, train: Ints, rows: int) -> Ints:
        return sample_of(train, rows, self.seed)


def sample_of(rows: Ints, most: int, seed: int) -> Ints:
    """At most so many of the rows, drawn by a hash of their place, in their old order."""
    return drawn_rows(rows, most, seed)


def run_race(
    runners: tuple[Runner, ...],
    problem: Problem,
    *,
    folds: int,
    repeats: int,
    seed: int,
    level: float,
    purse: Purse,
    told: Told,
) -> Race:
    """Judge all runners and the baseline; see the module."""
    check_candidates({runner.name: runner.candidate for runner in runners}, level)
    judge = Judge.of(problem, metric_for(problem, None))
    track = Track(problem, plan_folds(problem, folds, repeats, seed), judge, seed, purse, told)
    pilots = {runner.name: pilot(runner, track) for runner in runners}
    track.plan, cut = affordable(track, pilots, folds, repeats)
    fits, rows = len(track.rounds), min(len(one.train) for one in track.rounds)
    parts = shares(pilots, rows, fits, purse.for_validation)
    trials, parts, stopped = run_all(track, {runner.name: runner for runner in runners}, parts)
    comparison = compared(tuple(trials.values()), track.plan, track.rounds, judge, level)
    validation = Validation(noted(comparison, parts, rows), problem, track.plan, trials)
    return Race(validation, parts, pilots, (*cut, *told_cuts(parts, trials, rows)), stopped)


def pilot(runner: Runner, track: Track) -> Pilot:
    """Seconds of one fit with its answers, on 2,000 rows or on all; the better of two where once was quick."""
    one = track.rounds[0]
    train = track.sample(one.train, PILOT_ROWS)
    test = track.sample(one.test, max(1, len(train) // 9))
    few = track.sample(one.train, WARM_ROWS)
    bare = without_search(runner.candidate)
    timed(track, bare, few, few)
    seconds = timed(track, bare, train, test)
    if seconds < QUICK or len(train) < PILOT_ROWS:  # a first fit may have waited for a loop to be compiled
        seconds = min(seconds, timed(track, bare, train, test))
    search = 0.0 if bare is runner.candidate else timed(track, runner.candidate, train, test) - seconds
    return Pilot(len(train), max(seconds, 1e-6), runner.growth, runner.most, max(search, 0.0))


def without_search(candidate: Any) -> Any:
    """Of a model that searches on a sample: the model without its search, which costs the same on any rows."""
    search = getattr(candidate, "learner", None)
    if not isinstance(search, Search) or search.sample is None:
        return candidate
    return clone(candidate).set_params(learner=clone(search.estimator))


def timed(track: Track, candidate: Any, train: Ints, test: Ints) -> float:
    """Seconds until a candidate has answered for both sets; one that fails is found out later, for nothing."""
    start = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fitted = track.problem.fit(clone(candidate), train)
            for rows in (train, test):
                ask(track.problem, fitted, rows, track.judge.metric, labels=True)
        except Exception:  # whatever a candidate raises is its result, and is told by its trial
            return 0.0
    return perf_counter() - start


def affordable(track: Track, pilots: Mapping[str, Pilot], folds: int, repeats: int) -> tuple[Plan, tuple[str, ...]]:
    """The first plan whose cost the purse can bear, or the least there is."""
    seconds = track.purse.for_validation
    rows = min(len(one.train) for one in track.rounds)
    plans = fewer(folds, repeats)
    for k, r in plans:
        if sum(one.predicted(rows, k * r) for one in pilots.values()) <= seconds or (k, r) == plans[-1]:
            break
    if (k, r) == (folds, repeats):
        return track.plan, ()
    said = f"{k} folds and {r} repeat(s) instead of {folds} and {repeats}, to keep within the budget"
    return plan_folds(track.problem, k, r, track.seed), (said,)


def run_all(
    track: Track, runners: Mapping[str, Runner], parts: tuple[Share, ...]
) -> tuple[dict[str, Trial], tuple[Share, ...], bool]:
    """The baseline, then every runner in turn; what could not be finished says why."""
    rounds, stopped = track.rounds, False
    least = min(LEAST_ROWS, min(len(one.train) for one in rounds))
    blind = without_columns(track.problem)
    trials = {BASELINE: run_trial(BASELINE, baseline_for(track.problem.task), blind, rounds, track.judge, lambda: None)}
    counter = Counter(track.told, len(parts) * len(rounds))
    end = perf_counter() + track.purse.for_validation
    spent = []
    for place, part in enumerate(parts):
        start = perf_counter()
        counter.done = place * len(rounds)
        if stopped:
            trials[part.name] = unfinished(track, part.name, "the run was stopped before its turn")
        elif part.rows is not None and part.rows < least and part.cut:
            why = f"its share of the budget is not enough for {least} rows in each fold: allow more, or fewer models"
            trials[part.name] = unfinished(track, part.name, why)
        else:
            fair = (end - perf_counter()) / (len(parts) - place)
            trials[part.name], stopped = run_one(track, runners[part.name], part, counter, fair)
        spent.append(replace(part, spent=perf_counter() - start))
    if stopped and all(trial.failure for name, trial in trials.items() if name != BASELINE):
        raise KeyboardInterrupt
    return trials, tuple(spent), stopped


def run_one(track: Track, runner: Runner, part: Share, counter: "Counter", fair: float) -> tuple[Trial, bool]:
    """One candidate in all rounds, unless its time is over or somebody stops it."""
    counter.until(runner.name, max(PATIENCE * part.allowed, fair))
    rounds = track.thinned(part.rows)
    try:
        after = partial(counter.tick, len(rounds))
        return run_trial(runner.name, runner.candidate, track.problem, rounds, track.judge, after), False
    except OutOfTime:
        why = f"stopped after {counter.fits} of {len(rounds)} fits, which took longer than its share of the budget"
        return unfinished(track, runner.name, why), False
    except KeyboardInterrupt:
        return unfinished(track, runner.name, f"stopped by hand after {counter.fits} of {len(rounds)} fits"), True


@dataclass
class Counter:
    """Counts fits, tells of them, and rings when a family's time is over."""

    told: Told
    planned: int
    done: int = 0
    fits: int = 0
    name: str = ""
    deadline: float = math.inf
    start: float = 0.0

    def until(self, name: str, seconds: float) -> None:
        self.name, self.deadline, self.fits, self.start = name, seconds, 0, perf_counter()

    def tick(self, of: int) -> None:
        self.done, self.fits = self.done + 1, self.fits + 1
        self.told(f"validation: {self.name}", self.done, self.planned)
        if perf_counter() - self.start > self.deadline and self.fits < of:
            raise OutOfTime


def unfinished(track: Track, name: str, why: str) -> Trial:
    trial = Trial.empty(name, track.problem, len(track.rounds))
    trial.failure = f"{NOT_FINISHED}: {why}"
    return trial


def noted(comparison: Comparison, parts: tuple[Share, ...], rows: int) -> Comparison:
    """The comparison, with a word beside each candidate that saw a sample."""
    samples = {part.name: part.rows for part in parts if part.rows is not None and part.rows < rows}

    def with_sample(row: Candidate) -> Candidate:
        if row.name not in samples:
            return row
        return replace(row, notes=(*row.notes, sampled(samples[row.name], rows)))

    return replace(comparison, rows=tuple(map(with_sample, comparison.rows)))


def sampled(sample: int | None, rows: int) -> str:
    return f"fitted to a sample of {sample:,} of the {rows:,} training rows of each fold, judged on the same test rows"


def told_cuts(parts: tuple[Share, ...], trials: Mapping[str, Trial], rows: int) -> tuple[str, ...]:
    """What the clock or the user took away."""
    said = []
    for part in parts:
        failure = trials[part.name].failure
        if failure.startswith(NOT_FINISHED):
            said.append(f"{part.name} was {failure}")
        elif part.cut:
            said.append(f"{part.name} was {sampled(part.rows, rows)}")
    return tuple(said)


def spending_of(race: Race) -> Table:
    """What each family was predicted, allowed and found to cost."""
    rows = tuple(
        (part.name, round(part.predicted, 2), round(part.allowed, 2), round(part.spent, 2), part.rows)
        for part in race.shares
    )
    heads = ("family", "seconds predicted", "allowed", "spent", "training rows of a fold, if a sample")
    return Table("What the comparison cost", heads, rows)
