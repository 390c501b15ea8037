"""Descent in rounds: every evaluation is a pass over the rows, asked for here and handed back.

    θ ← θ - η ∇F(θ)                                                                               [BG-GD] [BOE-GD]

At η = 1/L, L a bound on the curvature everywhere, every step goes down. Of the cross-entropy ¼ Σ w a aᵀ bounds the
curvature of two classes (σ(1 - σ) <= ¼) and ½ Σ w a aᵀ that of several; the penalty adds its own.
Cost: one pass for a gradient each. When not to use it: to get the weights, which Newton's rounds find in a few passes.
"""

from dataclasses import dataclass, replace

import numpy as np

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.facts import Statement
from glaswerk.optim.bowl import Bowl
from glaswerk.optim.descent import Stop
from glaswerk.optim.diagnosis import Diagnosis
from glaswerk.optim.line_search import Search
from glaswerk.optim.newton import FINEST, Step

TOO_HIGH = 10.0  # times its beginning: an objective that descent has lost
OFTEN = 0.1  # share of rounds that go up from which descent is said to oscillate


@dataclass(frozen=True, eq=False)
class Slide:
    """Where a descent stands. `place` is evaluated next, `rate` is η, or the first length tried where it `searches`.

    `best` is the place of the lowest value, `highest` the value at which descent counts as lost, `why` its end. In
    batches a round is an epoch, and whoever has the rows moves `place` before it is evaluated.
    """

    place: Array
    rate: float
    searches: bool
    best: Array
    search: Search | None = None
    lowest: float = np.inf
    highest: float = np.inf
    rounds: int = 0
    trace: tuple[Step, ...] = ()
    why: Stop | None = None
    in_batches: bool = False

    @classmethod
    def from_zero(cls, shape: tuple[int, int], rate: float | str, in_batches: bool = False) -> "Slide":
        """At zero; a rate that is not a number is still to be found from the curvature there, and 0 so far."""
        return cls(np.zeros(shape), 0.0 if isinstance(rate, str) else float(rate), rate == "backtracking",
                   np.zeros(shape), in_batches=in_batches)  # fmt: skip

    @property
    def end(self) -> Array:
        """The place that counts: the last, or that of the lowest value where descent was lost."""
        return self.best if self.why is Stop.DIVERGED else self.place


def slide(now: Slide, value: float, gradient: Array, tol: float, most: int) -> Slide:
    """What an evaluation at `now.place` means: the next place, or the end.

    `tol`: descent ends where a step promises to lower the value by less than tol² of it.
    """
    seen = Step(now.rounds, value, float(np.abs(gradient).max()), now.rate if now.rounds else 0.0)
    if not np.isfinite(value) or value > now.highest:
        return replace(now, trace=(*now.trace, seen), why=Stop.DIVERGED)
    if now.search is not None:
        verdict = now.search.judge(value, float(np.vdot(gradient, now.search.direction)))
        if isinstance(verdict, Search):
            return replace(now, search=verdict, place=verdict.trial, rate=verdict.length)
        if verdict == "stuck":
            return replace(now, search=None, place=now.search.origin, why=Stop.FLAT)
    now = replace(now, trace=(*now.trace, seen), search=None)
    if value < now.lowest:
        now = replace(now, best=now.place, lowest=value)
    steepness = float(np.vdot(gradient, gradient))
    if steepness == 0:
        return replace(now, why=Stop.BOTTOM)
    if now.rate * steepness <= 2 * max(tol, FINEST) ** 2 * abs(value):
        return replace(now, why=Stop.FLAT)
    if now.rounds >= most:
        return replace(now, why=Stop.STEPS)
    return _onward(now, value, gradient, steepness)


def _onward(now: Slide, value: float, gradient: Array, steepness: float) -> Slide:
    """One step further; a searched one begins at twice the length of the last."""
    if now.in_batches:
        return replace(now, rounds=now.rounds + 1)
    if not now.searches:
        return replace(now, place=now.place - now.rate * gradient, rounds=now.rounds + 1)
    search = Search(now.place, value, -gradient, -steepness, (2.0 if now.rounds else 1.0) * now.rate)
    return replace(now, search=search, place=search.trial, rate=search.length, rounds=now.rounds + 1)


def safe_rate(hessian: Array, n_classes: int, penalty: float) -> float:
    """1/L from the curvature Σ y (1 - y) a aᵀ at zero, shared by all scores: L bounds the curvature everywhere."""
    start = np.random.default_rng(0).normal(size=len(hessian))
    largest = float(kernels.largest_eigenvalue(np.ascontiguousarray(hessian), start, 1e-10, 10_000))
    bound = (largest if n_classes == 2 else 0.5 * n_classes * largest) + penalty
    return 1.0 / bound if bound > 0 else 1.0


def steps_of(
    trace: Array, hessian: Array, weights: Array, names: tuple[str, ...], fixed: bool, lost: bool, batch: int = 0
) -> Statement:
    """What the steps did and why: from the trace (round, value, gradient, rate) and the curvature where they ended."""
    flat = weights.reshape(1, -1)
    bowl = Bowl(hessian, flat, float(trace[-1, 1]), np.zeros(1), np.zeros(1))
    rate = float(trace[-1, 3]) if fixed and len(trace) > 1 else None
    told = [f"Every round is one step down the gradient of all rows: {len(trace) - 1} of them."]
    if batch:
        told = [f"Every round is an epoch of steps down the gradients of {batch} row(s): {len(trace) - 1} epochs."]
    rises = np.diff(trace[:, 1]) > 1e-12 * np.abs(trace[:-1, 1])
    if lost:
        told.append("They led ever further away: the rate is too large. The weights of the lowest objective were kept.")
    elif rises.size and rises.mean() > OFTEN:
        cause = "the rate is too large for these rows" if not batch else "at this rate a cloud, not a point, is the end"
        told.append(f"{rises.sum()} of them went up: they oscillate, {cause}.")
    around = "What follows holds around the weights where they ended, for the curvature changes on the way."
    return Statement("Steps of descent", (*told, around, *Diagnosis(bowl, names, rate, batch).sentences()))
