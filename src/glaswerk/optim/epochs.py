"""Epochs: descent by the gradients of a few rows at a time, and what every epoch has come to, exactly.

    w ← w - η ∇J_B(w),   B = M consecutive rows, or M shuffled ones; M = 1: stochastic descent       [NAN-7] [NAN-SGD]

The gradient of a batch is the sum over its rows where the objective is a sum, their mean where it is a mean; the
penalty is spread over an epoch likewise. Weights multiply a row's step. The loss after an epoch is that of all rows,
read off the bowl in (d + 1)² instead of n d. Ordered: these steps do not add, and no two threads share them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.optim.bowl import Bowl, Objective
from glaswerk.optim.descent import Path, Rule, Stop, Trail


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows in memory, one after another: X (n, d), Y (n, q), weight (n,) or (0,)."""

    X: Array
    Y: Array
    weight: Array

    def longest(self, objective: Objective) -> float:
        """The largest |[x, 1]|² of a row that counts: no row's own curvature exceeds it."""
        squares = np.einsum("ij,ij->i", self.X, self.X) + float(objective.intercept)
        counted = squares[self.weight > 0] if self.weight.size else squares
        return float(counted.max())


@dataclass(frozen=True)
class Batches:
    """How an epoch takes the rows: `size` at a time, as they lie or shuffled anew; and how far each step goes.

    The rate of epoch k is rate / (1 + decay · k); `adaptive` halves it after an epoch that did not lower the loss.
    """

    size: int
    shuffle: bool
    seed: int
    rate: float
    decay: float = 0.0
    adaptive: bool = False


def shuffler(seed: int) -> NDArray[np.uint64]:
    """The state from which `kernels.shuffle_order` goes on."""
    return np.random.default_rng([seed, 1]).integers(2**64, size=1, dtype=np.uint64)


def steepest_batch(rows: Rows, objective: Objective, size: int) -> float:
    """A bound on σ_max of any batch of `size` rows: that many times the longest row for a sum, once for a mean."""
    weight = 1.0 if objective.averaged or not rows.weight.size else float(rows.weight.max())
    many = 1 if objective.averaged else min(size, len(rows.X))
    return 2.0 * objective.multiple * many * weight * rows.longest(objective) + 2.0 * objective.alpha


def walk(
    rows: Rows, bowl: Bowl, objective: Objective, start: Array, plan: Batches, steps: int, rule: Rule, every: int = 1
) -> Path:
    """Epochs from weights `start` (q, p) until the rule or the limit of epochs ends them."""
    q, p = start.shape
    theta = np.zeros((q, rows.X.shape[1] + 1))
    theta[:, :p] = start
    order, state = np.arange(len(rows.X)), shuffler(plan.seed)
    trail, base, rates = Trail(every), plan.rate, np.zeros(0)
    for epoch in range(steps + 1):
        spot = bowl.look((theta[:, :p] - bowl.bottom).ravel())
        slope = np.array([np.linalg.norm(spot.gradient)])
        trail.add(spot.place[None, :], np.array([spot.value]), slope, rates)
        seen = trail.recent(rule.patience + 1)
        # A batch moves the weights even where the gradient of all rows is zero, so only flat and away count.
        stop = rule.end(seen, np.ones(len(seen)), len(seen) - 1)
        if stop is not None:
            return trail.path(stop[1])
        if plan.adaptive and len(seen) > 1 and seen[-1] >= seen[-2]:
            base *= 0.5
        if epoch < steps:
            rate = base / (1.0 + plan.decay * epoch)
            if plan.shuffle:
                kernels.shuffle_order(order, state)
            _one_epoch(rows, objective, order, plan.size, rate, theta)
            rates = np.array([rate])
    return trail.path(Stop.STEPS)


def _one_epoch(rows: Rows, objective: Objective, order: np.ndarray, size: int, rate: float, theta: Array) -> None:
    whole = 1.0 if objective.averaged else float(rows.weight.sum()) if rows.weight.size else float(len(rows.X))
    kernels.batch_epoch(
        rows.X, rows.Y, rows.weight, order, min(size, len(rows.X)), 2.0 * objective.multiple * rate,
        2.0 * objective.alpha * rate / whole, objective.intercept_pays, objective.intercept, objective.averaged, theta,
    )  # fmt: skip
