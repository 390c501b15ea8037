"""Bowl: the loss of a linear model over its weights, known in every direction from one sum over the rows.

    J(θ) = c Σ w (y - θᵀ[x, 1])² + α |θ|² = J(θ*) + ½ (θ - θ*)ᵀ H (θ - θ*),   H = 2c XᵀX + 2αI      [BG-AVG]

with c = 1 (RSS), ½ (half RSS), 1/n (MSE), 1/2n (half MSE). A step of descent multiplies e = θ - θ* by I - ηH, so a
step, its loss and its gradient cost (d + 1)² whatever the number of rows, and no loss is found by subtracting sums that
cancel. A step length below 2/σ_max, σ_max the largest eigenvalue of H, goes down in every direction; 1/σ_max is
the longest that overshoots in none.   [NAN-SIGMA]
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.optim.descent import TOO_FAR, Path, Rule, Spot, Stop, Trail
from glaswerk.stats.ladder import climb
from glaswerk.stats.moments import Moments
from glaswerk.stats.penalty import penalised
from glaswerk.stats.rungs import Ask, Solution

OBJECTIVES = ("mse", "rss", "half_rss", "half_mse")
CHUNK = 256  # steps between two looks at the stopping rule
CHUNK_NUMBERS = 2_000_000
VOID = 1e-12  # share of the largest curvature below which a direction does not curve at all


@dataclass(frozen=True)
class Objective:
    """What is minimised: the loss by name, the penalty α, and which weights pay it."""

    name: str = "mse"
    alpha: float = 0.0
    intercept: bool = True
    intercept_pays: bool = False

    @property
    def averaged(self) -> bool:
        return self.name.endswith("mse")

    @property
    def multiple(self) -> float:
        """Of the squares: 1, or ½ for the objectives written with a half."""
        return 0.5 if self.name.startswith("half") else 1.0

    def share(self, weight: float) -> float:
        """c: the factor before the sum of squares of rows that weigh so much together."""
        return self.multiple / weight if self.averaged else self.multiple


@dataclass(frozen=True, eq=False)
class Bowl:
    """J over weights (q, p), p the columns and the intercept last: its curvature, its bottom, what is left there.

    `residual` and `total` are the squares of every target at the bottom (with the penalty's) and about the mean.
    """

    curvature: Array
    bottom: Array
    lowest: float
    residual: Array
    total: Array

    def look(self, away: Array) -> Spot:
        """Value and gradient at the bottom + `away`, which is flat (q · p)."""
        shape = self.bottom.shape
        with np.errstate(over="ignore", invalid="ignore"):
            gradient = (away.reshape(shape) @ self.curvature).ravel()
            return Spot(away, self.lowest + 0.5 * float(gradient @ away), gradient)

    def values(self, weights: Array) -> Array:
        """J at each of many places (m, q, p)."""
        away = weights - self.bottom
        with np.errstate(over="ignore", invalid="ignore"):
            return self.lowest + 0.5 * np.einsum("mqp,mqp->m", away @ self.curvature, away)

    def largest(self) -> float:
        """σ_max of the curvature, by power iteration from a fixed start. [NAN-SIGMA]"""
        start = np.random.default_rng(0).normal(size=len(self.curvature))
        return float(kernels.largest_eigenvalue(self.curvature, start, 1e-10, 10_000))

    def highest(self, start: Array) -> float:
        """A value that no descent from `start` passes unless it diverges."""
        return TOO_FAR * max(float(self.values(np.stack([start, np.zeros_like(start)])).max()), 1e-290)

    def newton(self, gradient: Array) -> Array:
        """H⁻¹ g; where nothing curves in some direction, no step along it."""
        right = gradient.reshape(self.bottom.shape).T
        try:
            found = linalg.cho_solve(linalg.cho_factor(self.curvature, lower=True), right)
        except linalg.LinAlgError:
            values, vectors = linalg.eigh(self.curvature)
            curved = values > VOID * values[-1]
            basis = vectors[:, curved]
            found = basis @ ((basis.T @ right) / values[curved, None])
        step: Array = found.T.ravel()
        return step


def bowl_of(moments: Moments, objective: Objective) -> Bowl:
    """The bowl that these rows make of the objective: its bottom by the ladder of least squares."""
    q, d = moments.n_targets, moments.shift.size - moments.n_targets
    c = objective.share(moments.weight)
    whole = _from_zero(moments)
    places = np.append(np.arange(d), [d + q] if objective.intercept else []).astype(np.int64)
    curvature = 2.0 * c * whole[np.ix_(places, places)]
    paying = d + (objective.intercept and objective.intercept_pays)
    curvature[np.arange(paying), np.arange(paying)] += 2.0 * objective.alpha
    found = _bottom(moments, objective, objective.alpha / c)
    weights = found.coefficients
    if objective.intercept and weights.shape[1] == d:
        weights = np.column_stack([weights, found.intercept])
    return Bowl(curvature, weights, c * float(found.residual.sum()), found.residual, _total(moments, objective))


def _from_zero(moments: Moments) -> Array:
    """The symmetric Gram of [x, y, 1] seen from zero. The curvature needs no more digits than a double has."""
    gram, delta = moments.gram, np.append(moments.shift, 0.0)
    whole = gram + np.tril(gram, -1).T
    cross = delta[:, None] * (gram[-1] + 0.5 * gram[-1, -1] * delta)
    found: Array = whole + cross + cross.T
    return found


def _bottom(moments: Moments, objective: Objective, penalty: float) -> Solution:
    """The penalised least-squares solution; an intercept that pays is the weight of a column of ones."""
    q = moments.n_targets
    if objective.intercept and objective.intercept_pays and penalty > 0:
        known, centred = _with_ones(moments.rebased(np.zeros_like(moments.shift))), False
    else:
        known, centred = moments, objective.intercept
    found = climb(penalised(known, penalty), Ask(known.shift, q, centred), more=False)
    assert isinstance(found, Solution)
    return found


def _with_ones(origin: Moments) -> Moments:
    """Moments of [x, 1, y, 1] from those of [x, y, 1], both seen from zero."""
    q, size = origin.n_targets, origin.shift.size
    order = np.concatenate([np.arange(size - q), [size], np.arange(size - q, size + 1)]).astype(np.int64)

    def spread(part: Array) -> Array:
        whole = np.tril(part) + np.tril(part, -1).T
        return np.tril(whole[np.ix_(order, order)])

    low = spread(origin.gram_low) if origin.exact else origin.gram_low
    return replace(origin, shift=np.zeros(size + 1), gram=spread(origin.gram), gram_low=low)


def _total(moments: Moments, objective: Objective) -> Array:
    """Squares of every target about its mean, about zero without an intercept."""
    q, d = moments.n_targets, moments.shift.size - moments.n_targets
    squares, sums = np.diagonal(moments.gram)[d:-1], moments.gram[-1, d:-1]
    if objective.intercept:
        return np.maximum(squares - sums**2 / moments.weight, 0.0)
    shift = moments.shift[d : d + q]
    return squares + 2 * shift * sums + moments.weight * shift**2


@dataclass(frozen=True, eq=False)
class Scaling:
    """z = (x - mean) / scale."""

    mean: Array
    scale: Array

    def moments(self, raw: Moments) -> Moments:
        """The moments of [z, y, 1] from those of [x, y, 1]."""
        d = self.mean.size
        shift = np.append(self.mean, raw.shift[d:])
        placed = raw.rebased(shift)
        factor = np.append(1.0 / self.scale, np.ones(len(placed.gram) - d))
        both = factor[:, None] * factor
        low = placed.gram_low * both if placed.exact else placed.gram_low
        return replace(placed, shift=np.append(np.zeros(d), shift[d:]), gram=placed.gram * both, gram_low=low)

    def raw(self, weights: Array, intercept: bool) -> Array:
        """Weights (…, p) of z as weights of x."""
        d = self.mean.size
        found = weights.copy()
        found[..., :d] /= self.scale
        if intercept:
            found[..., d] -= found[..., :d] @ self.mean
        return found


def scaling_of(raw: Moments, intercept: bool) -> Scaling:
    """Mean and deviation of every column; without an intercept its root mean square, and no mean."""
    d = raw.shift.size - raw.n_targets
    offset = raw.gram[-1, :d] / raw.weight
    squares = np.diagonal(raw.gram)[:d] / raw.weight
    mean = raw.shift[:d] + offset
    if intercept:
        variance, seen = squares - offset**2, np.abs(mean)
    else:
        variance, seen = squares + 2 * raw.shift[:d] * offset + raw.shift[:d] ** 2, np.zeros(d)
    deviation = np.sqrt(np.maximum(variance, 0.0))
    steady = deviation <= 8 * np.finfo(float).eps * np.maximum(seen, np.abs(offset))
    return Scaling(mean if intercept else np.zeros(d), np.where(steady, 1.0, deviation))


def roll(bowl: Bowl, start: Array, rate: float, decay: float, steps: int, rule: Rule, every: int = 1) -> Path:
    """Descent at a fixed or decaying rate from weights `start` (q, p): steps by the compiled loop, chunk by chunk."""
    q, p = start.shape
    size = int(np.clip(CHUNK_NUMBERS // (q * p), 1, CHUNK))
    trail, place = Trail(every), start - bowl.bottom
    for first in range(0, steps + 1, size):
        count = min(size, steps + 1 - first)
        rates = rate / (1.0 + decay * np.arange(first, first + count))
        places, values, slopes = np.empty((count + 1, q, p)), np.empty(count), np.empty(count)
        places[0] = place
        kernels.roll_down(bowl.curvature, rates, places, values, slopes)
        values, slopes = values + bowl.lowest, np.sqrt(slopes)
        known = trail.recent(rule.patience)
        stop = rule.end(np.append(known, values), np.append(np.ones(len(known)), slopes), len(known))
        taken = count if stop is None else stop[0] - len(known) + 1
        led = rate / (1.0 + decay * (np.arange(first, first + taken) - 1.0))
        came: Array = np.asarray(led if first else led[1:], dtype=np.float64)
        trail.add(places[:taken].reshape(taken, q * p), values[:taken], slopes[:taken], came)
        if stop is not None:
            return trail.path(stop[1])
        place = places[count]
    climbs = decay == 0 and _rising(trail.recent(2)) and rate * bowl.largest() > 2.0
    return trail.path(Stop.DIVERGED if climbs else Stop.STEPS)


def _rising(values: Array) -> bool:
    """Whether the last step went up: at a fixed rate beyond 2/σ_max the next will too, and further.

    Below that bound a rise is rounding, as at a bottom where the loss is zero.
    """
    return len(values) == 2 and bool(values[1] > values[0] + 1e-12 * abs(values[0]))
