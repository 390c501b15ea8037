"""From a table with a target to everything a report says: read, judge, diagnose, look inside, and write down how.

The order is that of the page. Nothing here draws: what comes out are facts and strings.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Warned
from glaswerk.evaluate import Validation, check, cross_validate, diagnose, learning_curve
from glaswerk.evaluate.learning_curve import FEWEST_ROWS
from glaswerk.evaluate.plan import plan_folds
from glaswerk.facts import (
    Cell,
    Comparison,
    Confusion,
    Curve,
    DataCard,
    Fact,
    Facts,
    MethodCard,
    Numerics,
    OutOfFold,
    Statement,
)
from glaswerk.model import Model, TableProblem
from glaswerk.report.contents import Analysis, Section
from glaswerk.report.effect import strongest_effect
from glaswerk.report.families import Room, candidates_for
from glaswerk.report.inside import inside_facts
from glaswerk.report.limits import not_checked
from glaswerk.report.reproduction import Origin, reproduction
from glaswerk.report.verdict import verdict
from glaswerk.table import Column, Kind, TableError, TypedTable, read_table

Progress = Callable[[str, int, int], None]
DEFAULTS: dict[str, Cell] = {
    "task": None, "positive": None, "weight": None, "seed": 0, "folds": 10, "repeats": 3, "level": 0.95,
}  # fmt: skip
NUMERIC, UNREAD = {Kind.NUMBER, Kind.DATE}, {Kind.TEXT, Kind.IDENTIFIER}
CURVE_SIZES, CURVE_FOLDS = 8, 5


def silent(step: str, done: int, planned: int) -> None:
    """Tell nobody."""


@dataclass
class Clock:
    """Seconds by step; they never enter the results."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self.seconds[name] = round(self.seconds.get(name, 0.0) + perf_counter() - start, 3)


def analyse(
    source: Any,
    target: str,
    *,
    task: str | None = None,
    positive: str | None = None,
    weight: str | None = None,
    seed: int = 0,
    folds: int = 10,
    repeats: int = 3,
    level: float = 0.95,
    candidates: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    origin: tuple[str, Mapping[str, Any]] | None = None,
) -> Analysis:
    """Everything a report on `target` says, as facts.

    source : a path, a dataframe, a dictionary of lists, or a typed table. candidates : models or learners by name; None
    takes every family that fits the target. progress : called with (step, done, planned). origin : the path a typed
    table was read from and the options of `read_table`, for the block that tells how to do it again. The other
    parameters are those of `cross_validate` and `decide_task`.
    """
    settings: dict[str, Cell] = {
        "task": task, "positive": positive, "weight": weight, "seed": seed, "folds": folds, "repeats": repeats,
        "level": level,
    }  # fmt: skip
    told, clock = progress or silent, Clock()
    with clock.step("reading"):
        told("reading", 0, 1)
        table = read_table(source)
        problem = TableProblem(table, target, weight=weight, task=task, positive=positive)
    study = Study(table, problem, settings, told, clock)
    study.judge(candidates)
    sections = study.sections()
    came = Origin.of(source) if origin is None else Origin(*origin)
    names = () if candidates is None else tuple(candidates)
    how = reproduction(came, target, settings, DEFAULTS, names, table.fingerprint, sections)
    return Analysis(
        table.name, target, problem.task, tuple(settings.items()), sections, how, tuple(clock.seconds.items())
    )  # fmt: skip


def as_looked_at(column: Column) -> NDArray[Any]:
    """A column as checks see it: numbers, or codes of levels."""
    return column.numbers() if column.kind in NUMERIC else column.codes()


class Study:
    """One table, one question, and what has been found out so far."""

    def __init__(
        self, table: TypedTable, problem: TableProblem, settings: dict[str, Cell], told: Progress, clock: Clock
    ) -> None:
        self.table, self.problem, self.settings, self.told, self.clock = table, problem, settings, told, clock
        self.level: float = settings["level"]  # type: ignore[assignment]

    def judge(self, candidates: Mapping[str, Any] | None) -> None:
        """Cross-validation of all candidates, then the learning curve of the best and its fit to all rows."""
        self.candidates, self.families = self.line_up() if candidates is None else (dict(candidates), ())
        chosen: dict[str, Any] = {name: self.settings[name] for name in ("folds", "repeats", "seed", "level")}
        with self.clock.step("validation"):
            self.validation: Validation = cross_validate(
                self.candidates,
                self.problem,
                **chosen,
                after_fit=lambda _, done, planned: self.told("validation", done, planned),
            )
        self.name = self.best_candidate()
        self.curve: Curve | None = None
        self.model: Model | None = None
        self.known = Facts()
        if self.name is not None:
            self.look_closer(self.name)

    def look_closer(self, name: str) -> None:
        candidate = self.candidates[name]
        with self.clock.step("final fit"):
            self.told("final fit", 0, 1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Warned)  # dependent columns are a finding of the report
                self.model = self.problem.fit(candidate, np.arange(self.problem.n_rows))
            self.known = self.model.facts()
        with self.clock.step("learning curve"):
            seed = int(self.settings["seed"] or 0)
            self.curve = learning_curve(
                candidate, self.problem, name=name, sizes=self.curve_sizes(seed), folds=CURVE_FOLDS, seed=seed,
                level=self.level, after_fit=lambda _, done, planned: self.told("learning curve", done, planned),
            )  # fmt: skip

    def curve_sizes(self, seed: int) -> int | list[int]:
        """Sizes of training sets that hold more rows than the model has terms, where there are enough rows for that."""
        rounds = plan_folds(self.problem, CURVE_FOLDS, 1, seed).rounds()
        most = min(len(one.train) for one in rounds)
        terms = len(self.model.design_.names_) if self.model is not None else 0
        least = max(FEWEST_ROWS, 2 * len(self.problem.classes), most // 25, 2 * terms)
        return (
            CURVE_SIZES
            if 2 * least > most
            else np.unique(np.geomspace(least, most, CURVE_SIZES).round()).astype(int).tolist()
        )

    def line_up(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The families that make sense here."""
        numbers = sum(column.kind == Kind.NUMBER for column in self.inputs())
        return candidates_for(self.problem.task, Room(self.problem.n_rows, numbers))

    def inputs(self) -> list[Any]:
        away = (self.problem.target, self.settings["weight"])
        return [column for column in self.table.columns if column.name not in away]

    def best_candidate(self) -> str | None:
        """The best of those that could be fitted, the baseline apart; an error where every one of them failed."""
        rows = [row for row in self.comparison.rows if row.name != self.comparison.baseline]
        fitted = [row for row in rows if row.verdict != "failed"]
        if rows and not fitted:
            raise TableError(f"no model of {self.problem.target!r:.90} can be made of this table: {rows[0].notes[0]}")
        return fitted[0].name if fitted else None

    @property
    def comparison(self) -> Comparison:
        return self.validation.comparison

    @property
    def judged(self) -> str:
        """The candidate whose answers are shown."""
        return self.name or self.comparison.baseline

    def answers(self) -> OutOfFold | Confusion:
        """Out-of-fold answers, their rows numbered as in the table, from 1."""
        found = self.validation.out_of_fold(self.judged)
        if isinstance(found, Confusion):
            return found
        numbers = tuple((self.problem.rows[list(found.row)] + 1).tolist())
        return replace(found, row=numbers, notes=(*found.notes, "rows are counted from 1"))

    def misses(self) -> NDArray[np.float64]:
        """Out-of-fold residuals of all rows of a regression, else nothing."""
        if self.problem.task != "regression":
            return np.zeros(0)
        found: NDArray[np.float64] = self.problem.truth - self.validation.predictions(self.judged)
        return found

    def sections(self) -> tuple[Section, ...]:
        """The report in reading order."""
        with self.clock.step("looking inside"):
            self.told("looking inside", 0, 1)
            answers = self.answers()
            residuals = self.misses()
            return (
                Section("verdict", "Verdict", (self.verdict(answers, residuals), *self.findings())),
                Section("data", "Data", (self.question(), self.data_card())),
                Section("comparison", "Comparison", (self.comparison,)),
                Section("diagnosis", "Diagnosis", tuple(self.diagnosis())),
                Section(
                    "inside",
                    f"Inside {'the ' if self.name else 'no '}{self.name or 'model'}",
                    tuple(self.inside(residuals)),
                ),
                Section("residuals", "Residuals" if self.problem.task == "regression" else "Mistakes", (answers,)),
                Section("method", "Method and reproduction", tuple(self.method())),
            )

    def verdict(self, answers: OutOfFold | Confusion, residuals: NDArray[np.float64]) -> Statement:
        return verdict(self.comparison, answers, np.abs(residuals[np.isfinite(residuals)]))

    def findings(self) -> tuple[Fact, ...]:
        """Checks on the columns that could be inputs, on the fit and on the comparison."""
        found = self.known.of_kind(Numerics)
        return check(
            self.problem,
            {
                column.name: as_looked_at(column)[self.problem.rows]
                for column in self.inputs()
                if column.kind not in UNREAD
            },
            comparison=self.comparison,
            repeated=[sentence for fact in found for sentence in fact.repeated],
            rows_without_target=sum(count for _, count in self.problem.dropped),
            folds=int(self.settings["folds"] or 0),
        )

    def question(self) -> Statement:
        """What was asked of which rows, and how to ask otherwise."""
        asked = self.problem.question
        hint = (f"Otherwise: {asked.hint}.",) if asked.hint else ()
        dropped = tuple(f"{count:,} rows were left out: {why}." for why, count in self.problem.dropped)
        return Statement("", (f"A {asked.name}: {asked.reason}.", *hint, *dropped))

    def data_card(self) -> DataCard:
        """The columns with their roles; those the design set aside say why."""
        card = self.table.card(self.problem.target, self.settings["weight"])  # type: ignore[arg-type]
        aside = dict(self.model.design_.aside_) if self.model is not None else {}
        columns = tuple(
            replace(c, role="set aside", notes=(*c.notes, f"set aside: {aside[c.name]}")) if c.name in aside else c
            for c in card.columns
        )
        return replace(card, columns=columns)

    def diagnosis(self) -> Iterator[Fact]:
        if self.curve is not None:
            yield diagnose(self.comparison, self.curve)
            yield self.curve

    def inside(self, residuals: NDArray[np.float64]) -> Iterator[Fact]:
        if self.model is None:
            yield Statement("", ("No candidate but the baseline took part: there is nothing to look into.",))
            return
        effect = strongest_effect(self.model, self.table.take(self.problem.rows), residuals, self.level)
        if effect is not None:
            yield effect
        yield from inside_facts(self.model, self.known)

    def method(self) -> Iterator[Fact]:
        if self.families:
            yield Statement("Candidates", self.families)
        if self.model is not None:
            yield self.model.design_.facts()
        yield from self.known.of_kind(MethodCard)
        yield not_checked(self.problem.task, self.table, self.model, len(self.comparison.rows))
