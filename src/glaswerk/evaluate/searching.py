"""What every search does: try settings on the same folds, keep all trials, choose, and say what it did.

    best: the least error        1se: the simplest setting whose error is within one standard error of the least

The standard error is that of one k-fold's mean: repeats do not make the rows more. Where one walk over the rows serves
all values of a parameter (`sequence`), it is used, and the numbers are the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from glaswerk.base import clone
from glaswerk.evaluate.corrected import FoldValues
from glaswerk.evaluate.metrics import Judge
from glaswerk.evaluate.plan import Plan, Round
from glaswerk.evaluate.problem import Problem, path_of
from glaswerk.evaluate.sequence import path_parameter
from glaswerk.evaluate.spaces import Choice, Log, Space
from glaswerk.evaluate.trial import Trial, judged, run_trial
from glaswerk.facts import Search as SearchFact
from glaswerk.facts import Setting
from glaswerk.facts.table import Cell

Settings = dict[str, Any]


@dataclass(eq=False)
class Tried:
    """One setting with its trial; `stage` counts the zooms before it."""

    setting: Settings
    trial: Trial
    stage: int


@dataclass(eq=False)
class Bench:
    """Where settings are tried: the rows, the folds, the metric; and what has been tried so far."""

    estimator: Any
    problem: Problem
    plan: Plan
    judge: Judge
    tried: list[Tried] = field(default_factory=list)
    fits: int = 0

    def __post_init__(self) -> None:
        self.rounds: list[Round] = [one._replace(repeat=one.repeat + 1) for one in self.plan.rounds()]
        self.weight = np.array([self.judge.weight[one.test].sum() for one in self.rounds])

    def run(self, settings: Sequence[Settings], stage: int = 0) -> None:
        """Try every setting that was not tried yet."""
        known = {in_words(one.setting) for one in self.tried}
        new = [setting for setting in settings if in_words(setting) not in known]
        for group in groups_of(self.estimator, new):
            trials = self._sequence(*group) if len(group[1]) > 1 else None
            trials = trials or [self._single(setting) for setting in group[1]]
            self.tried += [Tried(s, trial, stage) for s, trial in zip(group[1], trials, strict=True)]

    def _single(self, setting: Settings) -> Trial:
        trial = run_trial(
            in_words(setting), with_setting(self.estimator, setting), self.problem, self.rounds, self.judge, _silent
        )
        self.fits += trial.fits
        return trial

    def _sequence(self, name: str | None, settings: Sequence[Settings]) -> list[Trial] | None:
        """All values of a path parameter from one walk over the rows of each round; None where that fails."""
        if name is None:
            return None
        trials = [Trial.empty(in_words(setting), self.problem, len(self.rounds)) for setting in settings]
        base, values = with_setting(self.estimator, settings[0]), [setting[name] for setting in settings]
        for number, one in enumerate(self.rounds):
            try:
                path = path_of(self.problem, base, one.train, name, values)
                if path is None:
                    return None
                for trial, fitted in zip(trials, path, strict=True):
                    judged(trial, number, self.problem, fitted, one, self.judge)
            except Exception:  # one by one, each setting tells its own failure
                return None
            self.fits += 1
        return trials

    def folds(self, tried: Tried) -> FoldValues:
        return FoldValues(self.judge.metric, tried.trial.values, self.weight)

    def error(self, tried: Tried) -> float:
        """How far from perfect; infinite where the setting failed."""
        found = np.inf if tried.trial.failure else self.judge.metric.error(self.folds(tried).score)
        return float(found) if np.isfinite(found) else np.inf

    def standard_error(self, tried: Tried) -> float:
        """Of the score: the deviation of the folds over the root of their number in one repeat."""
        found = self.folds(tried)
        known = np.isfinite(found.values)
        if known.sum() < 2:
            return np.nan
        share = self.weight[known] / self.weight[known].sum()
        variance = share @ found.deviations[known] ** 2 * known.sum() / (known.sum() - 1)
        return float(np.sqrt(variance / self.plan.n_folds))

    def best(self) -> int:
        """The setting with the least error; of equals the one tried first."""
        errors = [self.error(one) for one in self.tried]
        if not np.isfinite(errors).any():
            told = self.tried[0].trial.failure or "no score is a number"
            raise ValueError(f"no setting of the search could be judged; the first: {told}")
        return int(np.argmin(errors))

    def simplest(self) -> int:
        """The least complex setting within one standard error of the best; where complexity is unknown, the best."""
        best = self.best()
        limit = self.error(self.tried[best]) + np.nan_to_num(self.standard_error(self.tried[best]))
        if not np.isfinite(self.tried[best].trial.complexity):
            return best
        good = [k for k, one in enumerate(self.tried) if self.error(one) <= limit and np.isfinite(one.trial.complexity)]
        return min(good, key=lambda k: (self.tried[k].trial.complexity, self.error(self.tried[k]), k))


def _silent() -> None:
    return None


def in_words(setting: Mapping[str, Any]) -> str:
    """The setting as a short text."""
    return ", ".join(f"{name.rpartition('__')[2]} = {as_cell(value)}" for name, value in setting.items())


def as_cell(value: Any) -> Cell:
    """A parameter's value for a table: numbers and words as they are, anything else by its text."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float):
        return float(f"{plain:.6g}")
    return plain if plain is None or isinstance(plain, str | int | bool) else " ".join(str(plain).split())[:80]


def with_setting(estimator: Any, setting: Settings) -> Any:
    return clone(estimator).set_params(**{name: clone(value, safe=False) for name, value in setting.items()})


def groups_of(estimator: Any, settings: Sequence[Settings]) -> list[tuple[str | None, list[Settings]]]:
    """Settings that one walk over the rows serves, together with the parameter in which they differ."""
    name = next((n for n in (settings[0] if settings else ()) if path_parameter(estimator, n)), None)
    if name is None:
        return [(None, [setting]) for setting in settings]
    place: dict[str, int] = {}
    for setting in settings:
        place.setdefault(_rest(setting, name), len(place))
    ordered = sorted(settings, key=lambda setting: place[_rest(setting, name)])
    return [(name, list(group)) for _, group in groupby(ordered, key=lambda setting: _rest(setting, name))]


def _rest(setting: Settings, name: str) -> str:
    return repr([(n, value) for n, value in setting.items() if n != name])


def edges_of(spaces: Mapping[str, Space], chosen: Settings) -> tuple[str, ...]:
    """A sentence for every parameter whose chosen value is an end of what was searched."""
    found = []
    for name, space in spaces.items():
        side = space.at_edge(chosen[name])
        if side:
            where = "lowest" if side == "low" else "highest"
            found.append(
                f"{name} = {as_cell(chosen[name])} is the {where} value tried: a {side}er one may be better, widen it"
            )
    return tuple(found)


def as_fact(
    bench: Bench, spaces: Mapping[str, Space], chosen: int, rule: str, label: str, more: tuple[str, ...] = ()
) -> SearchFact:
    """All trials as a fact; `more` notes go before those on folds and fits."""
    metric = bench.judge.metric
    rows = []
    for one in bench.tried:
        score = metric.shown(bench.folds(one).mean) if np.isfinite(bench.error(one)) else np.nan
        known = FoldValues(metric, one.trial.train_values, bench.weight).score if np.isfinite(score) else np.nan
        off = bench.standard_error(one)
        rows.append(
            Setting(
                tuple(as_cell(one.setting[name]) for name in spaces),
                _number(score),
                _number(score - off),
                _number(score + off),
                _number(known),
                _number(one.trial.complexity),
                one.stage,
                one.trial.failure,
            )
        )
    scales = tuple(
        "list" if isinstance(space, Choice) else "log" if isinstance(space, Log) else "linear"
        for space in spaces.values()
    )
    models = len(bench.tried) * len(bench.rounds)
    saved = f", which served {models} models" if bench.fits < models else ""
    notes = (*more, *bench.plan.notes, f"{bench.fits} fits inside the search{saved}")
    edges = edges_of(spaces, bench.tried[chosen].setting)
    return SearchFact(
        label, metric.name, metric.better, bench.plan.says, tuple(spaces), scales, tuple(rows), bench.best(), chosen,
        rule, edges, notes,
    )  # fmt: skip


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
