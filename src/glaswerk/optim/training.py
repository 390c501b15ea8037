"""Training a network: epochs of small steps (SGD, momentum, Adam), or passes over all rows (Rprop, L-BFGS).

Every epoch leaves its training loss and, where rows are held out, theirs. A state can be stored and gone on with: the
same numbers come out as if it had never stopped.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.optim.network import ACTIVATIONS, OUTPUTS, Numbers, Shape, backward, forward, losses, objective
from glaswerk.optim.newton import Ended, Memory, Walk, advance

SMALL_STEPS = ("sgd", "adam")
KINDS = {"plain": 1, "momentum": 2, "nesterov": 3, "adam": 4}
RPROP_GROW, RPROP_SHRINK, RPROP_FIRST, RPROP_LEAST, RPROP_MOST = 1.2, 0.5, 0.01, 1e-10, 10.0
SLOWEST = 1e-6  # rate below which the adaptive schedule gives up


@dataclass(frozen=True)
class Recipe:
    """How to train: the parameters of the learner, checked."""

    solver: str
    batch: int
    epochs: int
    rate: float
    schedule: str
    power: float
    inertia: float
    nesterov: bool
    beta_1: float
    beta_2: float
    epsilon: float
    ridge: float
    tol: float
    patience: int
    shuffle: bool
    stop_early: bool


@dataclass(frozen=True, eq=False)
class Rows:
    """What a network is trained on: X, Y and row weights (or none), all of the precision it computes in."""

    X: Numbers
    Y: Numbers
    weight: Numbers

    def __len__(self) -> int:
        return len(self.X)

    @property
    def total(self) -> float:
        return float(self.weight.sum()) if self.weight.size else float(len(self.X))


@dataclass
class Course:
    """Where a training stands: θ, the optimiser's memory, the losses so far, the best θ of the rows held out."""

    theta: Numbers
    first: Numbers
    second: Numbers
    random: np.random.RandomState
    order: NDArray[np.int64]
    clock: int = 0
    rate: float = 0.0
    losses: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    best: Numbers | None = None
    idle: int = 0
    ended: str = ""

    @property
    def settled(self) -> bool:
        return self.ended not in ("", "the limit of epochs")


AfterEpoch = Callable[[int, float], None]


def begin(shape: Shape, recipe: Recipe, n_rows: int, random: np.random.RandomState, single: bool) -> Course:
    """Random weights and an empty memory."""
    theta: Numbers = shape.start(random).astype(np.float32 if single else np.float64)
    return Course(
        theta, np.zeros_like(theta), np.zeros_like(theta), random, np.arange(n_rows), rate=recipe.rate
    )  # fmt: skip


def train(
    shape: Shape, recipe: Recipe, rows: Rows, held: Rows | None, course: Course, epochs: int, after: AfterEpoch
) -> Course:
    """So many epochs more, or until nothing improves; `course` is changed and given back."""
    course.ended = ""
    if recipe.solver == "lbfgs":
        return _quasi_newton(shape, recipe, rows, held, course, epochs, after)
    one = _small_steps(shape, recipe, rows) if recipe.solver in SMALL_STEPS else _signs(shape, recipe, rows)
    for _ in range(epochs):
        course.losses.append(one(course))
        if not np.isfinite(course.losses[-1]):
            course.ended = "the loss is no number any more: the steps are too long"
            break
        _judge(shape, recipe, held, course)
        after(len(course.losses), course.losses[-1])
        if course.idle > recipe.patience and not _slower(recipe, course):
            break
    course.ended = course.ended or "the limit of epochs"
    if recipe.stop_early and course.best is not None:
        course.theta = course.best.copy()
    return course


def _judge(shape: Shape, recipe: Recipe, held: Rows | None, course: Course) -> None:
    """Whether this epoch was better than the best before by more than tol: of rows held out, where they decide."""
    if held is not None:
        course.held.append(mean_loss(shape, course.theta, held))
    watched = course.held if recipe.stop_early else course.losses
    best = min(watched[:-1], default=np.inf)
    course.idle = 0 if watched[-1] < best - recipe.tol else course.idle + 1
    if recipe.stop_early and watched[-1] < best:
        course.best = course.theta.copy()


def _slower(recipe: Recipe, course: Course) -> bool:
    """The adaptive schedule divides its rate by five and goes on; the others end here."""
    what = "the loss of rows held out" if recipe.stop_early else "the training loss"
    if recipe.solver == "sgd" and recipe.schedule == "adaptive" and course.rate > SLOWEST:
        course.rate /= 5.0
        course.idle = 0
        return True
    course.ended = f"{what} has not fallen by {recipe.tol:g} in {recipe.patience} epochs"
    return False


def mean_loss(shape: Shape, theta: Numbers, rows: Rows) -> float:
    """The loss without penalty, for rows to compare with."""
    each = losses(shape, forward(shape, theta, rows.X)[-1], rows.Y)
    return float(rows.weight @ each if rows.weight.size else each.sum()) / rows.total


def _small_steps(shape: Shape, recipe: Recipe, rows: Rows) -> Callable[[Course], float]:
    """One epoch of slices by the compiled loop."""
    single = rows.X.dtype == np.float32
    run = kernels.network_epoch_single if single else kernels.network_epoch
    widths, size = np.array(shape.widths), min(recipe.batch, len(rows))
    act = np.empty(size * int(widths.sum()), dtype=rows.X.dtype)
    slope, gradient = np.empty_like(act), np.empty(shape.n_parameters, dtype=rows.X.dtype)
    moving = "nesterov" if recipe.nesterov else "momentum"
    kind = KINDS["adam" if recipe.solver == "adam" else moving if recipe.inertia else "plain"]
    hidden, output = ACTIVATIONS.index(shape.hidden), OUTPUTS.index(shape.output)

    def one(course: Course) -> float:
        if recipe.shuffle:
            mixed = np.arange(len(rows))
            course.random.shuffle(mixed)
            course.order = course.order[mixed]
        settings = np.array(
            [course.rate, 0.0, recipe.inertia, recipe.beta_1, recipe.beta_2, recipe.epsilon, recipe.ridge],
            dtype=rows.X.dtype,
        )  # fmt: skip
        loss = run(
            rows.X, rows.Y, rows.weight, course.order, size, widths, hidden, output, kind, settings, course.clock,
            course.theta, gradient, course.first, course.second, act, slope,
        )  # fmt: skip
        course.clock += -(-len(rows) // size)
        if recipe.solver == "sgd" and recipe.schedule == "invscaling":
            course.rate = recipe.rate / (len(course.losses) * len(rows) + len(rows) + 1) ** recipe.power
        return float(loss) / rows.total

    return one


def _signs(shape: Shape, recipe: Recipe, rows: Rows) -> Callable[[Course], float]:
    """Rprop: every weight has a step of its own, longer while its gradient keeps its sign, else halved, not taken."""

    def one(course: Course) -> float:
        if not course.losses:
            course.second[:] = RPROP_FIRST
        gradient = backward(shape, course.theta, rows.X, rows.Y, rows.weight, recipe.ridge).flat()
        gradient = gradient.astype(course.theta.dtype)
        agree = gradient * course.first
        factor = np.where(agree > 0, RPROP_GROW, np.where(agree < 0, RPROP_SHRINK, 1.0))
        course.second = np.clip(course.second * factor, RPROP_LEAST, RPROP_MOST).astype(course.theta.dtype)
        gradient = np.where(agree < 0, 0, gradient).astype(course.theta.dtype)
        before = objective(shape, course.theta, rows.X, rows.Y, rows.weight, recipe.ridge)
        course.theta = course.theta - np.sign(gradient) * course.second
        course.first = gradient
        return before

    return one


def _quasi_newton(
    shape: Shape, recipe: Recipe, rows: Rows, held: Rows | None, course: Course, epochs: int, after: AfterEpoch
) -> Course:
    """L-BFGS with a line search over all rows; every evaluation is an epoch."""
    walk = Walk(course.theta.astype(np.float64), memory=Memory())
    for _ in range(epochs):
        at = walk.trial
        found = backward(shape, at, rows.X, rows.Y, rows.weight, recipe.ridge).flat()
        value = objective(shape, at, rows.X, rows.Y, rows.weight, recipe.ridge)
        step: Any = advance(walk, value, found, lambda g: g, recipe.tol * 1e-2, epochs)
        taken = step.walk.at if isinstance(step, Ended) else step.at
        course.theta = taken
        course.losses.append(min([*course.losses[-1:], value]) if np.isfinite(value) else course.losses[-1])
        if held is not None:
            course.held.append(mean_loss(shape, course.theta, held))
        after(len(course.losses), course.losses[-1])
        if isinstance(step, Ended):
            course.ended = step.why.value
            break
        walk = replace(step, trace=())
    course.ended = course.ended or "the limit of epochs"
    return course
