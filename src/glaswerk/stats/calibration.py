"""Calibration: decision values of rows that a classifier has not seen, turned into probabilities.

    P(k | x) = σ(A fₖ(x) + B), A and B by maximum likelihood on out-of-fold values; several classes are normalised

The two numbers are fitted to targets drawn in a little from 0 and 1 ((n₊ + 1) / (n₊ + 2) and 1 / (n₋ + 2)), so that
values which separate the classes give no certainty. When not to use it: very few rows of a class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.facts import Table

ROUNDS = 100
SETTLED = 1e-12  # of the objective: what the next Newton step promises
SHORTEST = 1e-9  # step that is still tried


@storable("Calibration", version=1)
@dataclass(frozen=True, eq=False)
class Calibration:
    """Slope and start (machines, 2) of every class's sigmoid (of two classes one); `folds` that gave the values."""

    lines: Array
    folds: int

    def probabilities(self, values: Array) -> Array:
        """(rows, classes) from decision values (rows, machines)."""
        found = expit(values * self.lines[:, 0] + self.lines[:, 1])
        if found.shape[1] == 1:
            return np.column_stack([1.0 - found, found])
        total = found.sum(axis=1, keepdims=True)
        spread = np.full_like(found, 1.0 / found.shape[1])
        return np.divide(found, total, out=spread, where=total > 0)

    def table(self, classes: Sequence[Any]) -> Table:
        """The sigmoid of every class."""
        names = classes[1:] if len(self.lines) == 1 else classes
        rows = tuple((str(k), float(a), float(b)) for k, (a, b) in zip(names, self.lines, strict=True))
        note = f"fitted to the decision values of rows that {self.folds} folds held out"
        return Table("Probabilities from decision values: σ(A f + B)", ("class", "A", "B"), rows, (note,))

    def check(self) -> None:
        if self.lines.ndim != 2 or self.lines.shape[1] != 2:
            raise ValueError("a calibration needs slope and start of every sigmoid")


def fit_sigmoid(values: Array, positive: NDArray[np.bool_], weight: Array) -> Array:
    """A and B of P = σ(A f + B) by Newton's method; the values are scaled first, so that units do not matter."""
    plus, minus = float(weight[positive].sum()), float(weight[~positive].sum())
    target = np.where(positive, (plus + 1) / (plus + 2), 1 / (minus + 2))
    centre, scale = float(values.mean()), float(values.std()) or 1.0
    x = np.column_stack([(values - centre) / scale, np.ones(len(values))])
    at = np.array([0.0, np.log((plus + 1) / (minus + 1))])
    here = _loss(x @ at, target, weight)
    for _ in range(ROUNDS):
        share = expit(x @ at)
        gradient = x.T @ (weight * (share - target))
        curvature = (x * (weight * share * (1 - share))[:, None]).T @ x
        curvature += 1e-12 * np.trace(curvature) * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        promise, length = float(gradient @ step), 1.0
        if promise <= SETTLED * (1 + abs(here)):
            break
        while _loss(x @ (at - length * step), target, weight) > here - 1e-4 * length * promise and length > SHORTEST:
            length *= 0.5
        at = at - length * step
        here = _loss(x @ at, target, weight)
    return np.array([at[0] / scale, at[1] - at[0] * centre / scale])


def _loss(scores: Array, target: Array, weight: Array) -> float:
    """Cross-entropy Σ w (ln(1 + eᶻ) - t z)."""
    return float(weight @ (np.logaddexp(0.0, scores) - target * scores))
