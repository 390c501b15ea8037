"""Maximum likelihood of classes: which pass over the rows comes next, until the weights are found or proved infinite.

    F(θ) = Σ w E(θ) + ½ λ |W|²                                                                          [BG-CE]

`first_rounds` says where the search begins. Two classes go on by Newton's rounds; with many columns by passes for the
gradient between the curvature of a sample and the last. Of several classes the curvature is dear: passes for the
gradient alone (quasi-Newton) come near, and a Newton round, which also gives errors and certificates, ends the fit;
with very many weights gradients go all the way. Where descent is wished for it takes a step a pass, and one pass for
the curvature tells what it has come to. Without a penalty a fit ends when a separating plane is verified, or when
weights prove that there is none.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from glaswerk.base import Array
from glaswerk.optim.descent import Stop
from glaswerk.optim.gradient_rounds import TOO_HIGH, Slide, safe_rate, slide
from glaswerk.optim.newton import End, Ended, Memory, Step, Walk, advance
from glaswerk.stats.curvature import Curvature, Order, Point
from glaswerk.stats.factor import Factor
from glaswerk.stats.quadratic import Quadratic
from glaswerk.stats.separation import Sides, Verdict, leads, moves_little

WIDEST_BINARY, WIDEST_MANY = 200, 100  # weights up to which Newton's rounds end a fit
NEAR, NEAR_ROUNDS = 0.5, 15  # part of tol to which gradients go before Newton ends the fit, and for how many rounds
WIDEST_ERRORS = 150  # weights of several classes up to which their curvature is computed unasked
WIDEST_PROOF = 1000
MOST_PUSHES = 2  # times that an unpenalised fit goes on for its certificate, each for a hundredth of the last promise
UNSEEN = 1e-4  # decrement at which descent has arrived: no weight is off by more than a hundredth of its error
SETTLED = 1e-11  # relative: a step that promises less was stopped by rounding, not by a failure


@dataclass(frozen=True, eq=False)
class Setting:
    """What is to be maximised, and how far: fixed for all passes.

    `rate` of descent, None for Newton's rounds; `in_batches`: descent by epochs of a few rows at a time.
    """

    n_classes: int
    n_features: int
    penalty: float
    intercept: bool
    tol: float
    most: int
    errors: bool | None
    rate: float | str | None = None
    in_batches: bool = False

    @property
    def scores(self) -> int:
        return 1 if self.n_classes == 2 else self.n_classes

    @property
    def n_weights(self) -> int:
        return self.scores * (self.n_features + 1)

    @property
    def newton(self) -> bool:
        return self.n_weights <= (WIDEST_BINARY if self.scores == 1 else WIDEST_MANY)

    @property
    def curvature_at_the_end(self) -> bool:
        """Whether a walk of gradients ends with one pass for the whole curvature."""
        if self.errors is not None:
            return self.errors
        return self.n_weights <= (WIDEST_PROOF if self.penalty == 0 else WIDEST_ERRORS)


@dataclass(frozen=True, eq=False)
class Ask:
    """What the next pass shall observe, and where the search stands."""

    setting: Setting
    point: Point
    walk: Walk
    passes: int = 1
    stage: str = "walk"
    curve: Quadratic | None = None
    ended: Ended | None = None
    last: Curvature | None = None
    verdict: Verdict = Verdict.PENALISED
    rank: int = 0
    pushes: int = 0
    slide: Slide | None = None
    begun: int = 0  # walks over all rows before the first pass

    @property
    def sliding(self) -> bool:
        """Whether descent is on its way; when it has ended, one pass for the curvature follows."""
        return self.slide is not None and self.slide.why is None

    def observe(self, X: Array, codes: Array, weight: Array) -> Curvature | Sides:
        if self.stage == "sides":
            assert self.ended is not None
            at = self.point
            return Sides.of(X, codes, weight, direction=_way_out(self), shift=at.shift, n_classes=at.n_classes)
        return Curvature.of(X, codes, weight, at=self.point)

    def next(self, **changes: object) -> "Ask":
        return replace(self, passes=self.passes + 1, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The end of a fit: the weights, the sums of the last round, what is known of a separating plane."""

    setting: Setting
    point: Point
    weights: Array
    statistic: Curvature
    ended: Ended
    verdict: Verdict
    passes: int
    factor: Factor
    sides: Sides | None = None
    settled: bool = True
    slide: Slide | None = None

    @property
    def why(self) -> str:
        """Why the search ended."""
        return (self.ended.why if self.slide is None or self.slide.why is None else self.slide.why).value

    @property
    def lost(self) -> bool:
        """Whether descent went ever further away."""
        return self.slide is not None and self.slide.why is Stop.DIVERGED

    @property
    def trace(self) -> tuple[Step, ...]:
        """Every evaluation."""
        return self.ended.walk.trace if self.slide is None else self.slide.trace

    @property
    def objective(self) -> float:
        """F at `weights`: that of the last evaluation less what a last step taken unseen gained."""
        gained = 0.5 * self.ended.decrement if self.weights is not self.ended.at else 0.0
        return self.ended.value - gained


def follow(statistic: Curvature | Sides, ask: Ask) -> Ask | Outcome:
    """What the sums of a pass mean: another pass, or the end."""
    if isinstance(statistic, Sides):
        return _judged(statistic, ask)
    if ask.stage == "count":
        balanced = statistic.weight / (ask.setting.n_classes * statistic.classes)
        return placed(ask.next(stage="walk", point=replace(ask.point, class_weight=balanced)))
    if ask.point.certify and leads(statistic.margin, ask.point.weights, statistic.reach):
        value, gradient = objective(statistic, ask)
        rounds = ask.walk.rounds if ask.slide is None else ask.slide.rounds
        walk = replace(ask.walk, at=ask.point.weights, rounds=rounds)
        found = Ended(End.CONVERGED, walk, value, gradient, ask.point.weights, 0.0)
        return ask.next(stage="sides", ended=found, last=statistic, verdict=Verdict.COMPLETE)
    return _slid(statistic, ask) if ask.sliding else _walked(statistic, ask)


def _slid(statistic: Curvature, ask: Ask) -> Ask:
    """One step of descent further, or one pass for the curvature where descent has ended."""
    setting, now = ask.setting, ask.slide
    assert now is not None
    value, gradient = objective(statistic, ask)
    if not now.trace:
        rate = now.rate or safe_rate(statistic.hessian, setting.n_classes, setting.penalty)
        now = replace(now, rate=rate, highest=TOO_HIGH * value)
        curve = Quadratic.of(statistic.hessian, 1, setting.penalty, setting.intercept)
        ask = replace(ask, curve=curve, rank=curve.factor.rank * setting.scores)
    moved = slide(now, value, gradient, setting.tol, setting.most)
    if moved.why is None:
        return placed(ask.next(slide=moved))
    ended = replace(setting, most=moved.rounds)
    return placed(ask.next(slide=moved, setting=ended, walk=Walk(moved.end, rounds=moved.rounds)))


def _walked(statistic: Curvature, ask: Ask) -> Ask | Outcome:
    setting, gradients = ask.setting, ask.walk.memory is not None
    value, gradient = objective(statistic, ask)
    if ask.walk.rounds == 0 and ask.walk.at.any() and value > statistic.weight * np.log(setting.n_classes):
        # The sample misled: nothing known is better.
        zero = Walk(np.zeros_like(ask.walk.at), memory=None if setting.newton else Memory())
        return placed(ask.next(walk=zero, curve=None))
    curve, solve = solver(statistic, ask)
    if not ask.rank and curve is not None and ask.point.order is not Order.GRADIENT:
        ask = replace(ask, rank=curve.factor.rank * (setting.scores if ask.point.order is Order.SHARED else 1))
    tol, most = setting.tol * 0.1**ask.pushes, setting.most
    if gradients:
        tol, most = (NEAR * tol, min(most, NEAR_ROUNDS)) if setting.newton else (0.3 * tol, most)
    step = advance(ask.walk, value, gradient, solve, tol, most)
    if isinstance(step, Walk):
        last = gradients and setting.newton and _may_end(ask.walk, step, 2 * setting.tol**2 * abs(value))
        return placed(ask.next(walk=replace(step, memory=None) if last else step, curve=curve))
    ended = replace(ask, walk=step.walk, curve=curve, ended=step, last=statistic)
    if gradients and (setting.newton or (setting.curvature_at_the_end and step.why is End.CONVERGED)):
        return _closing(ended, step)
    return _end(ended, step)


def _may_end(before: Walk, now: Walk, little: float) -> bool:
    """Whether the next round promises to be the last: as much less than this one as this one less than the one before.

    Such a round is looked at with all curvature at once, instead of twice.
    """
    if before.search is None or now.search is None or now.rounds == before.rounds:
        return False
    return now.search.slope**2 <= -before.search.slope * little


def _closing(ask: Ask, step: Ended) -> Ask:
    """Newton's rounds where a walk of gradients ended: errors, certificate and polish; one of very many weights."""
    setting = ask.setting
    if not setting.newton:
        setting = replace(setting, most=step.walk.rounds, tol=10 * setting.tol)
    return placed(ask.next(setting=setting, walk=replace(_before(step), memory=None, gradient=None)))


def _end(ask: Ask, step: Ended) -> Ask | Outcome:
    if ask.setting.penalty > 0:
        return _outcome(ask, Verdict.PENALISED)
    assert ask.last is not None and ask.curve is not None
    # Curvature that vanished on the way is the mark of weights on their way to infinity, and proves nothing.
    whole = ask.point.order is Order.FULL and ask.curve.factor.rank >= ask.rank
    if whole and moves_little(step.step, ask.last.reach):
        return _outcome(ask, Verdict.OVERLAP)
    if ask.slide is None and ask.setting.newton and step.why is End.CONVERGED and ask.pushes < MOST_PUSHES:
        # The objective is settled and the weights are not: either almost there, or on their way to infinity.
        return _walked(ask.last, replace(ask, walk=_before(step), pushes=ask.pushes + 1))
    return ask.next(stage="sides", verdict=Verdict.OPEN)


def _before(step: Ended) -> Walk:
    """The walk as it stood before its last evaluation was judged."""
    return replace(step.walk, search=None, trace=step.walk.trace[:-1])


def _judged(sides: Sides, ask: Ask) -> Outcome:
    verdict, d = ask.verdict, ask.setting.n_features
    if verdict is Verdict.OPEN:
        alone = sides.telling(("",) * d, [""] * ask.setting.n_classes, ask.setting.intercept)
        verdict = Verdict.TOUCHING if alone else Verdict.NEARLY if sides.nearly else Verdict.OPEN
    return replace(_outcome(ask, verdict), sides=sides)


def _way_out(ask: Ask) -> Array:
    """The direction to verify: the plane found, or the last step, which points to infinity if anything does."""
    assert ask.ended is not None
    return ask.ended.at if ask.verdict is Verdict.COMPLETE else ask.ended.step


def _outcome(ask: Ask, verdict: Verdict) -> Outcome:
    """A converged Newton round takes its last step, which changes the value by less than was asked for."""
    assert ask.ended is not None and ask.last is not None
    ended = ask.ended
    settled = ended.why is End.CONVERGED or (
        ended.why is End.STUCK and ended.decrement <= SETTLED * max(abs(ended.value), 1.0)
    )
    polished = settled and verdict.finite and ask.point.order is Order.FULL and ended.why is End.CONVERGED
    if ask.slide is not None:
        settled, polished = ended.decrement <= UNSEEN and ask.slide.why is not Stop.DIVERGED, False
    weights = ended.at + ended.step if polished else ended.at
    factor = _one_score(ask)
    point, passes = ask.point, ask.passes + ask.begun
    return Outcome(ask.setting, point, weights, ask.last, ended, verdict, passes, factor, None, settled, ask.slide)


def _one_score(ask: Ask) -> Factor:
    """The factor that speaks of the columns: of several scores that of the first class against the rest."""
    assert ask.last is not None and ask.curve is not None
    size = ask.setting.n_features + 1
    if ask.curve.scores == 1 or not ask.last.hessian.size:
        return ask.curve.factor
    return Quadratic.of(ask.last.hessian[:size, :size], 1, ask.setting.penalty, ask.setting.intercept).factor


def objective(statistic: Curvature, ask: Ask) -> tuple[float, Array]:
    """F and its gradient at the point of the pass; what all of several scores share is rounding and taken out."""
    penalty, weights = ask.setting.penalty, ask.point.weights[:, :-1]
    gradient = statistic.gradient.copy()
    gradient[:, :-1] += penalty * weights
    if len(gradient) > 1:
        gradient -= gradient.mean(axis=0)
    return statistic.value + 0.5 * penalty * float((weights**2).sum()), gradient


def solver(statistic: Curvature, ask: Ask) -> tuple[Quadratic | None, Callable[[Array], Array]]:
    """H⁻¹ of this pass, or of the one that saw a curvature last."""
    setting, order = ask.setting, ask.point.order
    scores = setting.scores if order is Order.FULL else 1
    curve = ask.curve
    if order is not Order.GRADIENT:
        try:
            curve = Quadratic.of(statistic.hessian, scores, setting.penalty, setting.intercept)
        except np.linalg.LinAlgError:  # every row is so far on one side that nothing curves any more
            return ask.curve, lambda gradient: np.full_like(gradient, np.nan)
    assert curve is not None
    return curve, curve.solve if curve.scores == setting.scores else curve.solve_each


def placed(ask: Ask) -> Ask:
    """The pass at the walk's next trial: Newton sees all curvature, a walk of gradients a shared one once at most."""
    if ask.sliding:
        assert ask.slide is not None
        order = Order.GRADIENT if ask.slide.trace else Order.SHARED
        return replace(ask, point=replace(ask.point, weights=ask.slide.place, order=order))
    order = Order.FULL if ask.walk.memory is None else Order.SHARED if ask.curve is None else Order.GRADIENT
    return replace(ask, point=replace(ask.point, weights=ask.walk.trial, order=order))
