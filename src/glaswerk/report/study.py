"""One table, one question, and what has been found out so far: the steps of a report in their order."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Warned
from glaswerk.evaluate import check, diagnose, learning_curve
from glaswerk.evaluate.learning_curve import FEWEST_ROWS
from glaswerk.evaluate.metrics import metric_named
from glaswerk.evaluate.plan import plan_folds
from glaswerk.evaluate.problem import class_codes
from glaswerk.evaluate.verdicts import Answered
from glaswerk.facts import (
    Cell,
    Comparison,
    Confusion,
    Curve,
    DataCard,
    Fact,
    Facts,
    Importance,
    Numerics,
    OutOfFold,
    Statement,
    Table,
)
from glaswerk.figures.labels import short
from glaswerk.model import Model, TableProblem
from glaswerk.report.border_to_move import BORDER_SECONDS, border_to_move, columns_of_border
from glaswerk.report.clock import Clock
from glaswerk.report.contents import Section
from glaswerk.report.effect import strongest_effect
from glaswerk.report.explaining import IMPORTANCE_FOLDS, Explainer
from glaswerk.report.families import Family, Room, families_for, learner_of
from glaswerk.report.inside import inside_facts
from glaswerk.report.limits import not_checked
from glaswerk.report.plain import PLAIN, plain_facts
from glaswerk.report.purse import Purse, planned
from glaswerk.report.race import Race, Runner, run_race, sample_of, spending_of
from glaswerk.report.readable_tree import tree_beside, tree_to_read
from glaswerk.report.self_told import self_told
from glaswerk.report.verdict import cut_short, verdict
from glaswerk.table import Column, Kind, TableError, TypedTable

APART = ("weight", "groups", "time")  # columns that are no input
NUMERIC, UNREAD = {Kind.NUMBER, Kind.DATE}, {Kind.TEXT, Kind.IDENTIFIER}
CURVE_SIZES, CURVE_FOLDS = 8, 5
LEAST_SHARE = 1e-15  # of a class that came true: what log loss takes for impossible
MOST_LEVELS = 50  # of a category that a design spells out


def as_looked_at(column: Column) -> NDArray[Any]:
    """A column as checks see it: numbers, or codes of levels."""
    return column.numbers() if column.kind in NUMERIC else column.codes()


class Study:
    """What `judge` finds out, and `sections` tells."""

    def __init__(
        self, table: TypedTable, problem: TableProblem, settings: dict[str, Cell], clock: Clock, purse: Purse
    ) -> None:
        self.table, self.problem, self.settings, self.clock, self.purse = table, problem, settings, clock, purse
        self.level: float = settings["level"]  # type: ignore[assignment]
        self.seed = int(settings["seed"] or 0)
        self.ignore = tuple(str(settings["ignore"] or "").split(",")) if settings["ignore"] else ()
        folds, repeats = planned(problem.n_rows)
        self.folds: int = settings["folds"] or folds  # type: ignore[assignment]
        self.repeats: int = settings["repeats"] or repeats  # type: ignore[assignment]
        self.families: tuple[Family, ...] = ()
        self.told_families: tuple[str, ...] = ()
        self.curve: Curve | None = None
        self.model: Model | None = None
        self.known = Facts()
        self.importance: Importance | None = None
        self.explained: list[Fact] = []
        self.plain: list[Fact] = []
        self.wrong: list[Fact] = []
        self.tree: tuple[Fact, ...] = ()
        self.border: tuple[Fact, ...] = ()
        self.cut: list[str] = []
        self.stopped = False

    def judge(self, candidates: Mapping[str, Any] | None) -> None:
        """Cross-validation of all candidates, then the learning curve of the best and its fit to all rows."""
        runners = self.line_up() if candidates is None else tuple(Runner(*pair) for pair in candidates.items())
        self.candidates = {runner.name: runner.candidate for runner in runners}
        with self.clock.step("validation"):
            self.race: Race = run_race(
                runners, self.problem, folds=self.folds, repeats=self.repeats, seed=self.seed, level=self.level,
                purse=self.purse, told=self.clock.told,
            )  # fmt: skip
        self.validation, self.stopped = self.race.validation, self.race.stopped
        self.cut += self.race.cut
        self.name = self.best_candidate()
        if self.name is not None:
            self.fit_to_all(self.name)
            self.optional("learning curve", self.curve_seconds(self.name), self.draw_curve)
            self.explain(self.name)
            self.look_beside()

    def explain(self, name: str) -> None:
        """What the best candidate goes by, and where it is wrong."""
        assert self.model is not None
        self.explainer = Explainer(self.problem, self.table.take(self.problem.rows), self.model, name, self.seed)
        seconds = self.race.pilots[name].predicted(len(self.rows_for(name)), IMPORTANCE_FOLDS)
        self.optional("importance of columns", seconds + self.explainer.importance_seconds(), self.find_importance)
        self.optional("explanations", self.explainer.seconds(), self.find_explanations)
        self.optional("segments", 0.0, self.find_wrong)

    def find_importance(self) -> None:
        self.importance = self.explainer.importance(
            self.candidates[self.judged], len(self.rows_for(self.judged)), self.level, self.clock.told
        )

    def find_explanations(self) -> None:
        order = [row.columns[0] for row in self.importance.rows] if self.importance is not None else []
        self.explained = list(self.explainer.explanations(order, self.losses()))

    def find_wrong(self) -> None:
        predicted = self.validation.predictions(self.judged) if self.problem.task == "regression" else None
        self.wrong = list(self.explainer.wrong(self.losses(), predicted, self.comparison.metric, self.level))

    def losses(self) -> NDArray[np.float64]:
        """The error of every row out of fold on the scale that averages; NaN where it was not tested."""
        if self.problem.task == "regression":
            return self.misses() ** 2
        shares = self.validation.probabilities(self.judged)
        truth = class_codes(self.problem.truth, self.problem.classes)
        with np.errstate(divide="ignore"):
            found = -np.log(np.maximum(shares[np.arange(len(truth)), truth], LEAST_SHARE))
        return np.asarray(np.where(np.isfinite(shares).all(axis=1), found, np.nan))

    def line_up(self) -> tuple[Runner, ...]:
        """The families that make sense here."""
        columns = [column for column in self.inputs() if column.kind not in UNREAD]
        numbers = sum(column.kind == Kind.NUMBER for column in columns)
        terms = sum(1 if c.kind in NUMERIC else min(len(c.distinct_levels()), MOST_LEVELS) for c in columns)
        room = Room(self.problem.n_rows, numbers, terms, len(self.problem.classes))
        self.families, self.told_families = families_for(self.problem.task, room)
        return tuple(Runner(one.name, one.build(), one.growth, one.most) for one in self.families)

    def optional(self, name: str, seconds: float, work: Callable[[], None]) -> None:
        """A step that is left out where time is short or somebody has had enough."""
        if self.stopped or not self.purse.affords(seconds):
            why = "the run was stopped by hand" if self.stopped else "the budget does not reach so far"
            self.cut.append(f"no {name}: {why}")
            return
        try:
            with self.clock.step(name):
                work()
        except KeyboardInterrupt:
            self.stopped = True
            self.cut.append(f"no {name}: the run was stopped by hand")

    def look_beside(self) -> None:
        """A tree to read, where one took part and something else is the best; a border to move over two columns."""
        name = tree_beside(self.candidates, self.comparison)
        if name is not None:
            self.optional("tree to read", self.race.pilots[name].predicted(len(self.rows_for(name)), 1), self.grow_tree)
        columns = columns_of_border(self.candidates, self.inputs(), self.problem.classes)
        if columns:
            self.optional("border to move", BORDER_SECONDS, lambda: self.draw_border(columns))

    def draw_border(self, columns: tuple[Column, ...]) -> None:
        self.border = border_to_move(columns, self.problem.rows, self.problem.truth)

    def grow_tree(self) -> None:
        name = tree_beside(self.candidates, self.comparison)
        assert name is not None
        known = self.problem.fit(self.candidates[name], self.rows_for(name)).facts()
        self.tree = tuple(tree_to_read(name, known, self.comparison))

    def fit_to_all(self, name: str) -> None:
        """The best candidate once more: to all rows, or to a sample of them where its folds had one."""
        rows = self.rows_for(name)
        with self.clock.step("final fit"), warnings.catch_warnings():
            warnings.simplefilter("ignore", Warned)  # dependent columns are a finding of the report
            self.model = self.problem.fit(self.candidates[name], rows)
            self.known = self.model.facts()
        if not self.stopped and name not in PLAIN.values():
            self.optional("plain model", 0.0, self.fit_plain)

    def fit_plain(self) -> None:
        assert self.name is not None
        self.plain = list(plain_facts(self.problem, self.comparison, self.known, self.rows_for(self.name)))

    def rows_for(self, name: str) -> NDArray[np.int64]:
        """The rows a final fit may have."""
        most = next((part.rows for part in self.race.shares if part.name == name), None)
        whole = np.arange(self.problem.n_rows)
        if most is None or most >= len(whole):
            return whole
        return sample_of(whole, most, self.seed)

    def draw_curve(self) -> None:
        assert self.name is not None
        sizes = self.curve_sizes()
        self.curve = learning_curve(
            self.candidates[self.name], self.problem, name=self.name, sizes=sizes, folds=CURVE_FOLDS, seed=self.seed,
            level=self.level, after_fit=lambda _, done, planned: self.clock.told("learning curve", done, planned),
        )  # fmt: skip

    def curve_seconds(self, name: str) -> float:
        """What a learning curve will take, by the pilot of the family: eight sizes sum up to about three fits."""
        pilot = self.race.pilots[name]
        return pilot.predicted(len(self.rows_for(name)), 3 * CURVE_FOLDS)

    def curve_sizes(self) -> int | list[int]:
        """Sizes of training sets that hold more rows than the model has terms, where there are enough rows for that."""
        rounds = plan_folds(self.problem, CURVE_FOLDS, 1, self.seed).rounds()
        most = min(len(one.train) for one in rounds)
        if self.name is not None:
            most = min(most, len(self.rows_for(self.name)))
        terms = len(self.model.design_.names_) if self.model is not None else 0
        least = max(FEWEST_ROWS, 2 * len(self.problem.classes), most // 25, 2 * terms)
        return (
            CURVE_SIZES
            if 2 * least > most
            else np.unique(np.geomspace(least, most, CURVE_SIZES).round()).astype(int).tolist()
        )

    def inputs(self) -> list[Any]:
        away = (self.problem.target, *(self.settings[name] for name in APART))
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
            answers = self.answers()
            residuals = self.misses()
            inside = f"Inside {'the ' if self.name else 'no '}{self.name or 'model'}"
            wrong = "Residuals" if self.problem.task == "regression" else "Mistakes"
            return (
                Section("verdict", "Verdict", (self.verdict(answers, residuals), *self.findings())),
                Section("data", "Data", (self.question(), self.data_card())),
                Section("comparison", "Comparison", (self.comparison, *self.chosen())),
                Section("diagnosis", "Diagnosis", tuple(self.diagnosis())),
                Section("inside", inside, tuple(self.inside(residuals))),
                *((Section("tree", "A tree to read", self.tree),) if self.tree else ()),
                *((Section("border", "A border to move", self.border),) if self.border else ()),
                Section("residuals", wrong, (answers, *self.trust(), *self.wrong)),
                Section("method", "Method and reproduction", tuple(self.method())),
            )

    def chosen(self) -> Iterator[Fact]:
        """What the best candidate chose in each fold, where it chooses: its inner score beside the outer one."""
        if self.name is not None and self.validation.trial(self.name).chosen:
            yield self.validation.choices(self.name)

    def trust(self) -> Iterator[Fact]:
        """How far probabilities of classes can be trusted, what a threshold costs, and sets that hold the class."""
        if self.problem.task == "regression" or self.name is None:
            return
        if not np.isfinite(self.validation.probabilities(self.name)).any():
            return
        if self.problem.positive is not None:
            yield from self.validation.trade_offs(self.name, level=self.level)
        yield self.validation.sets(self.name)

    def verdict(self, answers: OutOfFold | Confusion, residuals: NDArray[np.float64]) -> Statement:
        found = verdict(self.comparison, answers, np.abs(residuals[np.isfinite(residuals)]))
        if not self.cut:
            return found
        return replace(found, sentences=(*found.sentences, cut_short(self.cut)))

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
            folds=self.folds,
            dates=[column.name for column in self.inputs() if column.kind == Kind.DATE],
            aside={c.name: c.codes()[self.problem.rows] for c in self.inputs() if c.kind in UNREAD},
            answered=self.answered(),
            told=self_told(self.known),
            ignore=self.ignore,
        )

    def answered(self) -> Answered:
        """Which fold tested each row in the first repeat, and how wrong the answer was."""
        metric = metric_named(self.comparison.metric)
        return Answered(self.validation.fold_of_row()[0], self.losses(), metric)

    def question(self) -> Statement:
        """What was asked of which rows, and how to ask otherwise."""
        asked = self.problem.question
        hint = (f"Otherwise: {asked.hint}.",) if asked.hint else ()
        dropped = tuple(f"{count:,} rows were left out: {why}." for why, count in self.problem.dropped)
        return Statement("", (f"A {asked.name}: {asked.reason}.", *hint, *self.kept_apart(), *dropped))

    def kept_apart(self) -> Iterator[str]:
        """What the folds respect, where somebody said so."""
        groups, time = self.settings["groups"], self.settings["time"]
        if time is not None:
            yield f"Every fold is predicted from the rows before it, in the order of {short(str(time))}."
        elif self.problem.groups is not None:
            found = len(np.unique(self.problem.groups))
            yield f"Rows of one {short(str(groups))} stay in one fold: there are {found:,} groups."

    def data_card(self) -> DataCard:
        """The columns with their roles; those the design set aside say why."""
        card = self.table.card(self.problem.target, self.settings["weight"])  # type: ignore[arg-type]
        aside = dict(self.model.design_.aside_) if self.model is not None else {}
        roles = {self.settings[name]: name for name in APART[1:] if self.settings[name] is not None}
        columns = tuple(
            replace(c, role=roles[c.name])
            if c.name in roles
            else replace(c, role="set aside", notes=(*c.notes, f"set aside: {aside[c.name]}"))
            if c.name in aside
            else c
            for c in card.columns
        )
        return replace(card, columns=columns)

    def diagnosis(self) -> Iterator[Fact]:
        if self.curve is not None:
            yield diagnose(self.comparison, self.curve)
            yield self.curve
        elif self.name is not None:
            yield diagnose(self.comparison)

    def inside(self, residuals: NDArray[np.float64]) -> Iterator[Fact]:
        if self.model is None:
            yield Statement("", ("No candidate but the baseline took part: there is nothing to look into.",))
            return
        effect = strongest_effect(self.model, self.table.take(self.problem.rows), residuals, self.level)
        if effect is not None:
            yield effect
        if self.importance is not None:
            yield self.importance
        yield from self.explained
        yield from inside_facts(self.model, self.known)
        yield from self.plain

    def method(self) -> Iterator[Fact]:
        if self.told_families:
            yield Statement("Candidates", self.told_families)
        if self.model is not None:
            yield self.model.design_.facts()
        yield from self.cards()
        yield not_checked(
            self.problem.task, self.table, self.model, len(self.comparison.rows), self.settings["groups"],
            self.settings["time"],
        )  # fmt: skip

    def cards(self) -> Iterator[Fact]:
        """The method card of every candidate, that of the best first; families that share a learner share its card."""
        order = [row.name for row in self.comparison.rows if row.name in self.candidates]
        learners = [learner_of(self.candidates[name]) for name in order]
        yield from dict.fromkeys(learner.card for learner in learners if hasattr(learner, "card"))

    def spending(self) -> Table:
        return spending_of(self.race)
