"""Descent: from a place, again and again, a little way down the gradient.

    x ← x - η ∇f(x)                                                                               [BOE-GD] [BG-GD]

How far is a stride: fixed (or decaying), searched backwards from too far, adapted to what the last step brought, or
Newton's. A path is what came of it. Cost: one gradient a step; backtracking and adaptive strides also try values.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Line
from glaswerk.optim.line_search import Search

TOO_FAR = 1e6  # times its beginning: a value or a slope that has left for good
MOST_HALVINGS = 60
GROWTH = 1.2  # of an adaptive rate after a step that went down


class Stop(StrEnum):
    """Why a descent ended."""

    STEPS = "the limit of steps"
    FLAT = "the value is flat"
    BOTTOM = "the gradient is zero"
    DIVERGED = "the steps lead ever further away"


@dataclass(frozen=True, eq=False)
class Spot:
    """A place with its value and gradient."""

    place: Array
    value: float
    gradient: Array


Look = Callable[[Array], Spot]


class Stride(Protocol):
    """How far to go from here: the next spot, the rate that led there, and the stride after this one."""

    def step(self, look: Look, here: Spot) -> tuple[Spot, float, "Stride"]: ...


@dataclass(frozen=True)
class Fixed:
    """η / (1 + decay · steps taken)."""

    rate: float
    decay: float = 0.0
    taken: int = 0

    def step(self, look: Look, here: Spot) -> tuple[Spot, float, Stride]:
        rate = self.rate / (1.0 + self.decay * self.taken)
        return look(here.place - rate * here.gradient), rate, replace(self, taken=self.taken + 1)


@dataclass(frozen=True)
class Backtracking:
    """Twice the last length first, shortened until the value falls by a share of what the slope promises."""

    rate: float

    def step(self, look: Look, here: Spot) -> tuple[Spot, float, Stride]:
        steepness = -float(np.vdot(here.gradient, here.gradient))
        search = Search(here.place, here.value, -here.gradient, steepness, 2.0 * self.rate)
        while True:
            there = look(search.trial)
            verdict = search.judge(there.value, float(np.vdot(there.gradient, search.direction)))
            if isinstance(verdict, Search):
                search = verdict
            elif verdict == "taken":
                return there, search.length, Backtracking(search.length)
            else:
                return here, 0.0, self


@dataclass(frozen=True)
class Adaptive:
    """Longer after every step that went down; a step that did not is undone and halved."""

    rate: float

    def step(self, look: Look, here: Spot) -> tuple[Spot, float, Stride]:
        rate = self.rate
        for _ in range(MOST_HALVINGS):
            there = look(here.place - rate * here.gradient)
            if there.value <= here.value:
                return there, rate, Adaptive(GROWTH * rate)
            rate *= 0.5
        return here, 0.0, self


@dataclass(frozen=True, eq=False)
class Newton:
    """The whole way to the bottom of the bowl that curvature describes; `solve` applies its inverse. [NAN-NEWTON]"""

    solve: Callable[[Array], Array]

    def step(self, look: Look, here: Spot) -> tuple[Spot, float, Stride]:
        return look(here.place - self.solve(here.gradient)), 1.0, self


@dataclass(frozen=True)
class Rule:
    """When to stop: the values of `patience` steps within `tol` of each other, or a value or slope out of bounds."""

    tol: float | None = None
    patience: int = 5
    highest: float = np.inf
    steepest: float = np.inf

    def end(self, values: Array, slopes: Array, since: int = 0) -> tuple[int, Stop] | None:
        """The first step from `since` on at which to stop, and why."""
        away = ~(values <= self.highest) | ~(slopes <= self.steepest)
        still = slopes == 0
        flat = np.zeros(len(values), dtype=bool)
        if self.tol is not None and len(values) > self.patience:
            windows = np.lib.stride_tricks.sliding_window_view(values, self.patience + 1)
            with np.errstate(invalid="ignore"):
                reach = windows.max(axis=1) - windows.min(axis=1)
            flat[self.patience :] = reach <= self.tol * np.abs(values[self.patience :])
        hits = np.flatnonzero((away | still | flat)[since:])
        if not hits.size:
            return None
        first = since + int(hits[0])
        return first, Stop.DIVERGED if away[first] else Stop.BOTTOM if still[first] else Stop.FLAT


@dataclass(frozen=True, eq=False)
class Path:
    """Values and lengths of the gradient at the start and after every step (k + 1), the rate of every step (k).

    `places` are those of the steps `kept`; `end` is the last, `best` that of the least value.
    """

    values: Array
    slopes: Array
    rates: Array
    kept: np.ndarray
    places: Array
    end: Array
    best: Array
    ended: Stop

    @property
    def steps(self) -> int:
        return len(self.rates)

    @property
    def turns(self) -> float:
        """Share of steps that go against the one before: an overshooting rate turns at every step."""
        moves = np.diff(self.places, axis=0)
        if len(moves) < 2 or len(self.places) < len(self.values):
            return 0.0
        return float(np.mean(np.einsum("ij,ij->i", moves[1:], moves[:-1]) < 0))

    def says(self) -> str:
        """What happened, in a sentence."""
        if self.ended == Stop.DIVERGED:
            return f"diverged within {self.steps} steps: the rate is too large, every step overshoots further"
        reached = f"{self.steps} steps, value {self.values[-1]:.6g}, gradient {self.slopes[-1]:.2g}"
        if self.turns > 0.5:
            return f"oscillates: most steps go back across the bottom, the rate is close to too large; {reached}"
        if self.ended == Stop.STEPS and self.slopes[-1] > 0.1 * self.slopes[0]:
            return f"slow: the gradient has kept more than a tenth of its length, the rate is small; {reached}"
        return f"ended at {self.ended.value}: {reached}"

    def curve(self, title: str = "Descent") -> Curve:
        """The value after every step."""
        shown = np.unique(np.linspace(0, self.steps, min(self.steps + 1, 500)).round().astype(int))
        y = tuple(float(v) if np.isfinite(v) else None for v in self.values[shown])
        return Curve(title, "step", "value", (Line("value", tuple(map(float, shown)), y),), self.says())


class Trail:
    """Collects a path step by step, or many steps at once; places only of every `every`-th step, 0 for none."""

    def __init__(self, every: int = 1) -> None:
        self.every, self.count = every, 0
        self.values: list[Array] = []
        self.slopes: list[Array] = []
        self.rates: list[Array] = []
        self.kept: list[np.ndarray] = []
        self.places: list[Array] = []
        self.lowest, self.best, self.end = np.inf, np.zeros(0), np.zeros(0)

    def add(self, places: Array, values: Array, slopes: Array, rates: Array) -> None:
        """Places (m, p) with their values and slopes (m,), and the rates that led to all of them but the start."""
        if self.every:
            chosen = np.arange(-self.count % self.every, len(values), self.every)
            self.kept.append(chosen + self.count)
            self.places.append(places[chosen])
        self.values.append(values)
        self.slopes.append(slopes)
        self.rates.append(rates)
        self.count += len(values)
        self.end = places[len(values) - 1].copy()
        least = int(np.argmin(np.where(np.isnan(values), np.inf, values)))
        if values[least] < self.lowest or not self.best.size:
            self.lowest, self.best = float(values[least]), places[least].copy()

    def recent(self, most: int) -> Array:
        """The last values, at most so many, from as few pieces as hold them."""
        return np.concatenate(self.values[-most:])[-most:] if self.values else np.zeros(0)

    def path(self, ended: Stop) -> Path:
        """What was collected; the last place is kept in any case."""
        kept = np.concatenate([*self.kept, np.zeros(0, dtype=np.int64)]).astype(np.int64)
        places = np.concatenate([*self.places, np.zeros((0, self.end.size))])
        if self.every and kept[-1] != self.count - 1:
            kept, places = np.append(kept, self.count - 1), np.concatenate([places, self.end[None, :]])
        values, slopes, rates = (np.concatenate(part) for part in (self.values, self.slopes, self.rates))
        return Path(values, slopes, rates, kept, places, self.end, self.best, ended)


def follow(look: Look, start: Array, stride: Stride, steps: int, rule: Rule, every: int = 1) -> Path:
    """Walk by strides until the rule or the limit of steps ends it."""
    here, trail = look(start), Trail(every)
    rates = np.zeros(0)
    for number in range(steps + 1):
        slope = np.array([np.linalg.norm(here.gradient)])
        trail.add(here.place[None, :], np.array([here.value]), slope, rates)
        seen = trail.recent(rule.patience + 1)
        stop = rule.end(seen, np.append(np.ones(len(seen) - 1), slope), len(seen) - 1)
        if stop is not None:
            return trail.path(stop[1])
        if number < steps:
            here, rate, stride = stride.step(look, here)
            rates = np.array([rate])
    return trail.path(Stop.STEPS)


def descend(
    gradient: Callable[[Array], Any],
    start: Any,
    rate: float | str = 0.1,
    steps: int = 100,
    function: Callable[[Array], Any] | None = None,
    *,
    tol: float | None = None,
    patience: int = 5,
) -> Path:
    """Descent on any function with a gradient, both of an array of the start's length.

    `rate`: a number, or "backtracking" or "adaptive", which need the `function` too. Without it the values are NaN.

    >>> path = descend(lambda x: 2 * x - 2, 0.0, rate=0.1, steps=50, function=lambda x: x * (x - 2))  # script A
    >>> path.end.round(4).tolist(), path.says()
    ([1.0], 'ended at the limit of steps: 50 steps, value -1, gradient 2.9e-05')
    """
    if steps < 0:
        raise ValueError(f"descend: steps must be >= 0, got {steps}")
    if function is None and (isinstance(rate, str) or tol is not None):
        raise ValueError("descend: a searched rate and tol compare values: give function=")

    def look(place: Array) -> Spot:
        with np.errstate(over="ignore", invalid="ignore"):
            value = np.nan if function is None else float(np.asarray(function(place)).sum())
            return Spot(place, value, np.asarray(gradient(place), dtype=np.float64).reshape(place.shape))

    place = np.atleast_1d(np.asarray(start, dtype=np.float64))
    steepest = TOO_FAR * max(float(np.linalg.norm(look(place).gradient)), np.finfo(float).tiny)
    if function is None:
        return _valueless(look, place, _stride(rate), steps, steepest)
    return follow(look, place, _stride(rate), steps, Rule(tol, patience, steepest=steepest))


def _valueless(look: Look, place: Array, stride: Stride, steps: int, steepest: float) -> Path:
    """A descent that knows only gradients: their length stands in for the value while it walks."""

    def by_slope(at: Array) -> Spot:
        spot = look(at)
        return replace(spot, value=float(np.linalg.norm(spot.gradient)))

    path = follow(by_slope, place, stride, steps, Rule(steepest=steepest))
    return replace(path, values=np.full(path.values.shape, np.nan))


def _stride(rate: float | str) -> Stride:
    if rate == "backtracking":
        return Backtracking(0.5)
    if rate == "adaptive":
        return Adaptive(1.0)
    if isinstance(rate, str) or not (np.isfinite(rate) and rate > 0):
        raise ValueError(f"descend: rate must be a number > 0, 'backtracking' or 'adaptive', got {rate!r}")
    return Fixed(float(rate))
