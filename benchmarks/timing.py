"""Timing: ours and the rivals in turns, so that what else the machine does falls on all of them alike."""

import gc
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

Kind = Literal["ours", "rival", "peer"]
SAMPLE_SECONDS = 0.02  # a sample this long is not rounded by the clock, nor made by one interruption
FEWEST_ROUNDS = 3


@dataclass(frozen=True)
class Side:
    """Somebody who can do the work. The ratio is taken against the fastest `rival`; a `peer` is printed beside."""

    name: str
    kind: Kind
    call: Callable[[], Any]


@dataclass(frozen=True)
class Absent:
    """A side that cannot be run here, because its package is not installed."""

    package: str


@dataclass(frozen=True)
class Spread:
    """What the samples of one side say; seconds for one call."""

    median: float
    low: float
    high: float
    samples: int
    calls: int

    @classmethod
    def of(cls, seconds: Sequence[float], calls: int) -> "Spread":
        return cls(statistics.median(seconds), min(seconds), max(seconds), len(seconds), calls)


@dataclass(frozen=True)
class Timed:
    """A side with its times and the answer it gave when warmed."""

    side: Side
    spread: Spread
    answer: Any


@contextmanager
def without_collector() -> Iterator[None]:
    """No collection inside a sample. What the libraries made is frozen, so that one between samples costs nothing."""
    was_on = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was_on:
            gc.enable()


@without_collector()
def interleaved(
    sides: Sequence[Side], rounds: int, seconds: float, sample_seconds: float = SAMPLE_SECONDS
) -> list[Timed]:
    """Warm every side, then `rounds` rounds in which each gives one sample; fewer rounds when `seconds` have passed."""
    end = perf_counter() + seconds
    answers, calls = [], []
    for side in sides:
        answers.append(side.call())
        calls.append(calls_per_sample(side.call, sample_seconds))
    samples: list[list[float]] = [[] for _ in sides]
    for turn in range(rounds):
        if turn >= FEWEST_ROUNDS and perf_counter() > end:
            break
        for place in range(len(sides)):
            k = (place + turn) % len(sides)  # nobody always comes after the same neighbour
            samples[k].append(one_sample(sides[k].call, calls[k]))
    return [
        Timed(side, Spread.of(found, n), answer)
        for side, found, n, answer in zip(sides, samples, calls, answers, strict=True)
    ]


def calls_per_sample(call: Callable[[], Any], sample_seconds: float) -> int:
    once = one_sample(call, 1)
    if once >= sample_seconds:
        return 1
    # A single short call is mostly clock and cache misses: the number of calls comes from a few.
    few = one_sample(call, 5)
    return max(1, math.ceil(sample_seconds / max(few, 1e-9)))


def one_sample(call: Callable[[], Any], calls: int) -> float:
    """Seconds for one call, as the mean of `calls` calls in a row."""
    gc.collect()
    start = perf_counter()
    for _ in range(calls):
        call()
    return (perf_counter() - start) / calls


def ours_of(timed: Sequence[Timed]) -> Timed:
    return next(t for t in timed if t.side.kind == "ours")


def fastest_rival(timed: Sequence[Timed]) -> Timed:
    return min((t for t in timed if t.side.kind == "rival"), key=lambda t: t.spread.median)


def ratio_of_medians(timed: Sequence[Timed]) -> float:
    """Fastest rival setting / ours: above 1 ours is faster."""
    return fastest_rival(timed).spread.median / ours_of(timed).spread.median
