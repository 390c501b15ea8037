"""Penalty: ridge regression as least squares with d more rows.

    minimise Σ w (y - b - xᵀw)² + λ Σ wⱼ²,   (A + λI) w = B                      [TRE-COST] [TRE-PLS] [BOE-RIDGE]

The rows √λ eⱼ, with target 0 and no share in the intercept, turn the penalty into squares. Added to a statistic they
lie in the user's units, wherever its shift is, and the ladder of least squares climbs as if nothing had happened.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.stats.factor import EPS
from glaswerk.stats.gradient import Gradient
from glaswerk.stats.ladder import FAR_SHIFT, climb
from glaswerk.stats.moments import Moments
from glaswerk.stats.pairs import Array, Pair, two_sum
from glaswerk.stats.rungs import Ask, Climb, Rung, Solution, Statistic
from glaswerk.stats.spectrum import spectrum
from glaswerk.stats.triangle import Triangle

FROM_ROWS = "singular values of the rows"


@storable("Shrunk", version=1)
@dataclass(frozen=True, eq=False)
class Shrunk:
    """What ridge regression found: coefficients (q, d), and per target its λ and what is left of the squares (q,)."""

    rung: str
    penalties: Array
    coefficients: Array
    intercept: Array
    residual: Array
    total: Array
    mean: Array
    weight: float
    count: int
    rank: int
    condition: float
    error: float
    digits_of_data: float
    passes: int

    @property
    def digits(self) -> float:
        """Correct decimal digits to expect in the worst coefficient, against the numbers as stored."""
        return float(np.clip(-np.log10(max(self.error, EPS / 2)), 0.0, 15.9))

    def check(self) -> None:
        q, d = self.coefficients.shape
        per_target = (self.penalties, self.intercept, self.residual, self.total)
        if self.rung not in [*Rung, FROM_ROWS] or self.mean.shape != (d,) or any(a.shape != (q,) for a in per_target):
            raise ValueError(f"a ridge solution of {q} target(s) and {d} columns has parts of another shape")
        if not (np.isfinite(self.penalties).all() and (self.penalties >= 0).all()):
            raise ValueError("penalties must be finite and >= 0")


def solve_penalised(statistic: Statistic, ask: Ask, penalties: Array, more: bool = True) -> Shrunk | Ask:
    """The ridge solution for each target's λ, or what to observe next.

    Several distinct penalties are solved from the sums alone, which should then be exact.
    """
    moved = better_shift(statistic, ask) if more else None
    if moved is not None:
        return moved
    distinct = np.unique(penalties)
    if len(distinct) > 1:
        parts = [_solve_one(statistic, ask, penalty, False) for penalty in distinct]
        return _by_target(
            [part for part in parts if isinstance(part, Shrunk)], np.searchsorted(distinct, penalties).astype(np.int64)
        )
    return _solve_one(statistic, ask, float(distinct[0]), more)


def _solve_one(statistic: Statistic, ask: Ask, penalty: float, more: bool) -> Shrunk | Ask:
    if penalty > 0 and isinstance(statistic, Triangle) and len(statistic.factor) <= ask.n_features:
        return _from_few_rows(statistic, ask, penalty)
    found = climb(penalised(statistic, penalty, ask.climb), ask, more)
    return found if isinstance(found, Ask) else _shrunk(found, penalty)


def better_shift(statistic: Statistic, ask: Ask) -> Ask | None:
    """The mean as shift where it turns out far away: judged before the penalty hides how little the columns vary."""
    if not isinstance(statistic, Moments) or statistic.exact or not ask.centred or ask.passes > 1:
        return None
    offset = statistic.gram[-1, :-1] / statistic.weight
    variance = np.diagonal(statistic.gram)[:-1] / statistic.weight - offset**2
    far = np.abs(offset) > FAR_SHIFT * np.sqrt(np.maximum(variance, 0.0))
    return ask.next(shift=ask.shift + offset) if far[: ask.n_features].any() else None


def penalised(statistic: Statistic, penalty: float, now: Climb | None = None) -> Statistic:
    """The statistic of the same rows and of the d rows √λ eⱼ; a gradient's are taken where the climb stands `now`."""
    if penalty == 0:
        return statistic
    if isinstance(statistic, Moments):
        return _heavier_diagonal(statistic, penalty)
    if isinstance(statistic, Triangle):
        return statistic + _penalty_rows(statistic, penalty)
    assert now is not None
    d = statistic.high.shape[1] - 2
    w = now.coefficients.at(slice(None), slice(d))
    pull = w.times(Pair.of(np.full_like(w.high, penalty)))
    high, low = statistic.high.copy(), statistic.low.copy()
    high[:, :d], low[:, :d] = Pair(high[:, :d], low[:, :d]).minus(pull)
    high[:, -1], low[:, -1] = Pair(high[:, -1], low[:, -1]).plus(pull.times(w).sum())
    return Gradient(statistic.count, high, low)


def _heavier_diagonal(moments: Moments, penalty: float) -> Moments:
    d = moments.shift.size - moments.n_targets
    gram, low = moments.gram.copy(), moments.gram_low.copy()
    j = np.arange(d)
    total = two_sum(gram[j, j], np.full(d, penalty))
    gram[j, j] = total.high
    if moments.exact:
        low[j, j] += total.low
    return replace(moments, gram=gram, gram_low=low)


def _penalty_rows(triangle: Triangle, penalty: float) -> Triangle:
    size = triangle.shift.size + 1
    d = triangle.shift.size - triangle.n_targets
    rows = np.zeros((d, size))
    rows[np.arange(d), 1 + np.arange(d)] = np.sqrt(penalty)
    return replace(triangle, count=0, factor=rows)


def _shrunk(found: Solution, penalty: float) -> Shrunk:
    """The penalty's own squares are taken out of the residual."""
    w = found.coefficients
    return Shrunk(
        found.rung,
        np.full(len(w), penalty),
        w,
        found.intercept,
        np.maximum(found.residual - penalty * (w**2).sum(axis=1), 0.0),
        found.total,
        found.mean,
        found.weight,
        found.count,
        found.factor.rank,
        found.factor.condition,
        found.error,
        found.digits_of_data,
        found.passes,
    )


def _from_few_rows(triangle: Triangle, ask: Ask, penalty: float) -> Shrunk:
    """Fewer rows than columns: singular values of the rows cost n² d, and no d × d matrix is formed."""
    seen = spectrum(triangle, ask.centred)
    w = seen.weights(np.array([penalty]))[0]
    shrunk = seen.values + penalty
    condition = float(np.sqrt(shrunk.max(initial=penalty) / penalty))
    return Shrunk(
        FROM_ROWS,
        np.full(len(w), penalty),
        w,
        seen.intercepts(w[None])[0],
        seen.residuals(np.array([penalty]))[0],
        seen.total,
        seen.mean,
        seen.weight,
        triangle.count,
        ask.n_features,
        condition,
        8 * EPS * condition,
        15.9,
        ask.passes,
    )


def _by_target(parts: list[Shrunk], which: NDArray[np.int64]) -> Shrunk:
    """One solution for all targets, each from the part solved with its own penalty."""
    worst = max(parts, key=lambda part: part.error)
    targets = list(enumerate(which.tolist()))
    columns: dict[str, Any] = {
        name: np.array([getattr(parts[part], name)[k] for k, part in targets])
        for name in ("penalties", "coefficients", "intercept", "residual")
    }
    return replace(worst, **columns)
