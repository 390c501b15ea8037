"""Newton's method and its thrifty relative, as states between evaluations.

    x ← x - a H⁻¹ g                                                                              (Newton) [NAN-NEWTON]
    x ← x - a B g,   B ≈ H⁻¹ from one curvature and the last changes of g                        (quasi-Newton, L-BFGS)

A walk says where to evaluate next. Whoever walks evaluates there, perhaps by a pass over a file, and hands back value
and gradient with a way to solve with the curvature. The decrement gᵀH⁻¹g is twice what the next step promises to gain.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from glaswerk.base import Array
from glaswerk.optim.line_search import Search

FINEST = 1e-9  # a smaller tol asks for less than rounding
MEMORY = 12  # changes of the gradient that are remembered


class End(StrEnum):
    """Why a walk ended."""

    CONVERGED = "the next step promises nothing"
    LIMIT = "the limit of rounds"
    STUCK = "no step along the direction lowers the objective"


@dataclass(frozen=True)
class Step:
    """One evaluation: after which round, the objective there, the length of its gradient, the step that led there."""

    round: int
    value: float
    gradient: float
    length: float


@dataclass(frozen=True, eq=False)
class Memory:
    """Changes of the place and of the gradient, oldest first."""

    moved: tuple[Array, ...] = ()
    turned: tuple[Array, ...] = ()

    def keep(self, moved: Array, turned: Array) -> "Memory":
        """With one pair more; one that shows no upward curvature says nothing and is left out."""
        if not np.vdot(moved, turned) > 1e-14 * np.linalg.norm(moved) * np.linalg.norm(turned):
            return self
        return Memory((*self.moved, moved)[-MEMORY:], (*self.turned, turned)[-MEMORY:])

    def apply(self, gradient: Array, solve: Callable[[Array], Array]) -> Array:
        """B g by the two loops of L-BFGS around `solve`, which applies the inverse of an old curvature."""
        rest, parts = gradient.copy(), []
        for s, y in zip(reversed(self.moved), reversed(self.turned), strict=True):
            part = np.vdot(s, rest) / np.vdot(s, y)
            rest -= part * y
            parts.append(part)
        found = solve(rest)
        if self.moved:  # the old curvature is scaled to the size that the last change shows
            y = self.turned[-1]
            found *= np.vdot(self.moved[-1], y) / np.vdot(y, solve(y))
        for s, y, part in zip(self.moved, self.turned, reversed(parts), strict=True):
            found += (part - np.vdot(y, found) / np.vdot(s, y)) * s
        return found


@dataclass(frozen=True, eq=False)
class Walk:
    """Where a descent stands: `at` is the last place that was taken, `search` the step being tried from there."""

    at: Array
    search: Search | None = None
    gradient: Array | None = None
    memory: Memory | None = None
    rounds: int = 0
    trace: tuple[Step, ...] = ()

    @property
    def trial(self) -> Array:
        """Where to evaluate next."""
        return self.at if self.search is None else self.search.trial


@dataclass(frozen=True, eq=False)
class Ended:
    """The end of a walk: `at` was evaluated; `step` would be next, and `decrement` says how little it promises."""

    why: End
    walk: Walk
    value: float
    gradient: Array
    step: Array
    decrement: float

    @property
    def at(self) -> Array:
        return self.walk.at


def advance(
    walk: Walk, value: float, gradient: Array, solve: Callable[[Array], Array], tol: float, most: int
) -> Walk | Ended:
    """Take, shorten or end: what an evaluation at `walk.trial` means.

    `tol`: the walk ends where the next step promises to lower the value by less than tol² of it.
    """
    here = walk.trial
    length = 0.0 if walk.search is None else walk.search.length
    seen = Step(walk.rounds, value, float(np.abs(gradient).max()), length)
    walk = replace(walk, trace=(*walk.trace, seen))
    if walk.search is not None:
        verdict = walk.search.judge(value, float(np.vdot(gradient, walk.search.direction)))
        if isinstance(verdict, Search):
            return replace(walk, search=verdict)
        if verdict == "stuck":
            assert walk.gradient is not None
            return Ended(End.STUCK, walk, walk.search.value, walk.gradient, walk.search.direction, -walk.search.slope)
    memory = walk.memory
    if memory is not None and walk.gradient is not None:
        memory = memory.keep(here - walk.at, gradient - walk.gradient)
    direction = -(solve(gradient) if memory is None else memory.apply(gradient, solve))
    slope = float(np.vdot(gradient, direction))
    walk = replace(walk, at=here, gradient=gradient, memory=memory)
    if -slope <= 2 * max(tol, FINEST) ** 2 * abs(value):
        return Ended(End.CONVERGED, walk, value, gradient, direction, max(-slope, 0.0))
    if walk.rounds >= most or not np.isfinite(slope):
        why = End.LIMIT if np.isfinite(slope) else End.STUCK
        return Ended(why, walk, value, gradient, direction, -slope)
    return replace(walk, search=Search(here, value, direction, slope), rounds=walk.rounds + 1)
