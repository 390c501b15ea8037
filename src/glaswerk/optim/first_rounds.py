"""First rounds: where a maximum-likelihood search begins, before the first pass over all rows.

A sample of the rows at hand gives a place and a curvature. Two classes with a penalty and few columns are walked in one
compiled loop; where the rows at hand are all there are, its rounds go on over them until the next promises to be the
last, which is left to a pass like any other, to be judged there.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.losses import cross_entropy, softmax_cross_entropy
from glaswerk.optim.gradient_rounds import Slide
from glaswerk.optim.likelihood import Ask, Setting, objective, placed, solver
from glaswerk.optim.line_search import Search
from glaswerk.optim.newton import FINEST, End, Ended, Memory, Step, Walk, advance
from glaswerk.stats.curvature import Curvature, Order, Point, class_weights, row_weights
from glaswerk.stats.moments import NARROW, NOTHING
from glaswerk.stats.quadratic import Quadratic
from glaswerk.stats.separation import leads

MUCH_CURVATURE = 1e7  # rows times squared weights from which a curvature of several classes costs many gradients
WORTH_SAMPLING = 1e6  # the same, from which passes cost more than the steps between them
SAMPLE, LARGEST_SAMPLE = 16, 4  # one row in sixteen begins the search, or in four where weights are many
ROWS_PER_WEIGHT = 25  # that such a sample must have
SAMPLE_TOLERANCE, SAMPLE_ROUNDS = 0.03, 12
DEAR, DEAR_PASS = 12, 45  # weights of two classes from which curvatures are spared: two gradients' worth, or four
MOST_ROUNDS = 100  # walked before the first pass; a search that takes more goes on in passes


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows at hand: X (n, d), the codes of their classes (n,), and what each counts (n,) or (0,); one of `n_rows`."""

    X: Array
    codes: Array
    weight: Array
    n_rows: int

    def sample(self, n_weights: int) -> "Rows | None":
        """Every so many rows, or None where that would be too few for so many weights."""
        least = ROWS_PER_WEIGHT * n_weights
        unworthy = self.n_rows * n_weights**2 < WORTH_SAMPLING or least * LARGEST_SAMPLE > self.n_rows
        if unworthy or least > len(self.X):
            return None
        step = len(self.X) // min(max(-(-self.n_rows // SAMPLE), least), len(self.X))
        weight = np.ascontiguousarray(self.weight[::step]) if self.weight.size else NOTHING
        return Rows(np.ascontiguousarray(self.X[::step]), np.ascontiguousarray(self.codes[::step]), weight, self.n_rows)

    @property
    def part(self) -> float:
        return len(self.X) / self.n_rows

    @property
    def total(self) -> float:
        return float(self.weight.sum()) if self.weight.size else float(len(self.X))


@dataclass(frozen=True, eq=False)
class Start:
    """Where the search begins, a curvature where one is known, and the walks over all rows that it took."""

    walk: Walk
    curve: Quadratic | None = None
    passes: int = 0


@dataclass(frozen=True, eq=False)
class Reached:
    """What `kernels.logistic_walk` came to; `sound`: whether its next step is to be trusted."""

    place: Array
    gradient: Array
    direction: Array
    hessian: Array
    trace: Array
    sound: bool

    @classmethod
    def of(cls, rows: Rows, at: Point, penalty: float, tol: float, most: int, hessian: Array = NOTHING) -> "Reached":
        """From the weights of `at`, with a curvature if one is known there; `rows` count as they say."""
        place, size = at.weights[0].copy(), at.weights.size
        gradient, direction, trace = np.zeros(size), np.zeros(size), np.zeros((min(most, MOST_ROUNDS), 4))
        seen = np.array(hessian) if hessian.size else np.zeros((size, size))
        given = (np.ascontiguousarray(part) for part in (rows.X, rows.codes, rows.weight))
        taken = kernels.logistic_walk(*given, at.shift, float(at.intercept), penalty, max(tol, FINEST), size >= DEAR,
                                      place, gradient, direction, seen, trace)  # fmt: skip
        return cls(place, gradient, direction, seen, trace[: abs(taken)], taken > 0)

    def walk(self) -> Walk:
        """The walk that these rounds have gone; a sound next step is a search that the first pass judges."""
        rounds = [Step(k, value, slope, length) for k, (value, slope, length, _) in enumerate(self.trace.tolist())]
        place, gradient, direction = (one[None, :] for one in (self.place, self.gradient, self.direction))
        if not self.sound:
            return Walk(place, rounds=len(rounds) - 1, trace=tuple(rounds[:-1]))
        search = Search(place, rounds[-1].value, direction, float(self.gradient @ self.direction))
        return Walk(place, search, gradient, rounds=len(rounds), trace=tuple(rounds))


def first_ask(
    setting: Setting,
    shift: Array,
    class_weight: Array | Literal["balanced"] | None,
    X: Array,
    codes: Array,
    weight: Array,
    n_rows: int,
) -> Ask:
    """The first pass, from what the first rows (X, codes, weight) of `n_rows` say, or from zero."""
    shape = setting.scores, setting.n_features + 1
    known = class_weight if isinstance(class_weight, np.ndarray) else np.ones(setting.n_classes)
    loss = cross_entropy if setting.scores == 1 else softmax_cross_entropy
    point = Point(loss, np.zeros(shape), shift, known, setting.intercept, Order.FULL, setting.penalty == 0)
    down = None if setting.rate is None else Slide.from_zero(shape, setting.rate, setting.in_batches)
    present = class_weights(codes, weight, setting.n_classes)
    start = Start(Walk(point.weights))
    if down is None:
        counted = replace(point, class_weight=present.sum() / (setting.n_classes * present.clip(min=1e-300)))
        rows = Rows(X, codes, weight, n_rows)
        start = _start(setting, counted if isinstance(class_weight, str) else point, rows, bool((present > 0).all()))
    at = replace(point, weights=start.walk.at)
    ask = placed(Ask(setting, at, start.walk, curve=start.curve, slide=down, begun=start.passes))
    if isinstance(class_weight, str):
        return replace(ask, stage="count", point=replace(ask.point, order=Order.COUNT))
    return ask


def _start(setting: Setting, at: Point, rows: Rows, all_classes: bool) -> Start:
    """At zero, at the answer for a sample, or rounds later."""
    curvature = rows.n_rows * setting.n_weights**2
    gradients = not setting.newton or (setting.scores > 1 and curvature >= MUCH_CURVATURE)
    zero = Start(Walk(at.weights, memory=Memory() if gradients else None))
    if not all_classes:
        return zero
    if setting.scores == 1 and setting.penalty > 0 and setting.n_weights <= NARROW:
        return _compiled(setting, at, replace(rows, weight=row_weights(rows.codes, rows.weight, at)))
    sample = rows.sample(setting.n_weights) if setting.newton else None
    found = None if sample is None else _sampled(setting, at, sample)
    if found is None:
        return zero
    return replace(zero, walk=replace(zero.walk, at=found.walk.at), curve=found.curve if gradients else None)


def _compiled(setting: Setting, at: Point, rows: Rows) -> Start:
    """Two classes, few columns, a penalty: from a glance at a sample on."""
    sample = rows.sample(setting.n_weights)
    seen = None if sample is None else _glance(setting, at, sample)
    if len(rows.X) == rows.n_rows:
        return _walked(setting, at, rows, seen)
    if seen is None:
        return Start(Walk(at.weights))
    place, hessian = seen
    if setting.n_weights < DEAR_PASS:
        return Start(Walk(place))
    return Start(Walk(place, memory=Memory()), Quadratic.of(hessian, 1, setting.penalty, setting.intercept))


def _glance(setting: Setting, at: Point, sample: Rows) -> tuple[Array, Array] | None:
    """The answer for a sample, and the curvature of all rows as it shows it."""
    found = Reached.of(sample, at, setting.penalty * sample.part, SAMPLE_TOLERANCE, SAMPLE_ROUNDS)
    if not found.sound:
        return None
    lower = found.hessian / sample.part
    return (found.place + found.direction)[None, :], lower + np.tril(lower, -1).T


def _walked(setting: Setting, at: Point, rows: Rows, seen: tuple[Array, Array] | None) -> Start:
    """Rounds over all rows, from what a sample showed unless that is worse than nothing."""
    highest = rows.total * np.log(2.0) * (1 + 1e-12)
    for place, hessian in [*([] if seen is None else [seen]), (at.weights, NOTHING)]:
        found = Reached.of(rows, replace(at, weights=place), setting.penalty, setting.tol, setting.most, hessian)
        if len(found.trace) and found.trace[0, 0] <= highest:
            return Start(found.walk(), None, int(found.trace[-1, 3]))
    return Start(Walk(at.weights))


def _sampled(setting: Setting, at: Point, sample: Rows) -> Start | None:
    """The answer for a sample of the rows and its curvature; None where it is separable or lacks a class."""
    if not (class_weights(sample.codes, sample.weight, setting.n_classes) > 0).all():
        return None
    small = replace(setting, penalty=setting.penalty * sample.part, tol=SAMPLE_TOLERANCE, most=SAMPLE_ROUNDS)
    ask = Ask(small, replace(at, certify=True), Walk(at.weights))
    while True:
        statistic = Curvature.of(sample.X, sample.codes, sample.weight, at=ask.point)
        if not np.isfinite(statistic.sums).all() or leads(statistic.margin, ask.point.weights, statistic.reach):
            return None
        value, gradient = objective(statistic, ask)
        _, solve = solver(statistic, ask)
        moved = advance(ask.walk, value, gradient, solve, small.tol, small.most)
        if isinstance(moved, Ended):
            break
        ask = placed(ask.next(walk=moved))
    if moved.why is not End.CONVERGED:
        return None
    whole = Quadratic.of(statistic.hessian / sample.part, setting.scores, setting.penalty, setting.intercept)
    return Start(Walk(moved.at + moved.step), whole)
