"""Corrected steps of least squares: the residual of the rows in double-double mends what a factor got wrong.

    w ← w + A⁻¹ (g - x̄ g₀),   b ← b + g₀/W - x̄ᵀ(Δw)   with   g = Σ w r x, g₀ = Σ w r                 [BOE-GRAD]

The step is exact to 30 digits on its right side, so each repetition multiplies the error by (condition · 1e-16)², or by
condition · 1e-16 where the factor is triangular, until the coefficients are those of the stored numbers.
"""

from dataclasses import replace

import numpy as np

from glaswerk.stats.factor import EPS
from glaswerk.stats.gradient import Gradient
from glaswerk.stats.pairs import Array, Pair, outer
from glaswerk.stats.rungs import Ask, Rung, Solution, finished

MOST_STEPS = 12


def corrected(gradient: Gradient, ask: Ask) -> Solution | Ask:
    """One step w += A⁻¹ (g - x̄ g₀), its right side exact to 30 digits; on until the next could change nothing."""
    now = ask.climb
    assert now is not None
    d, pair = ask.n_features, gradient.pair
    g, g0 = pair.at(slice(None), slice(d)), pair.at(slice(None), d)
    if ask.centred:
        g = g.minus(outer(g0, now.mean))
    step = now.factor.solve(g)
    if ask.centred:
        level = g0.over(Pair.of(np.full(g0.high.shape, now.weight)))
        level = level.minus(step.times(now.mean.at(None)).sum())
    else:
        level = Pair.of(np.zeros(ask.n_targets))
    change = Pair(*(np.column_stack([a, b]) for a, b in zip(step, level, strict=True)))
    improved = now.coefficients.plus(change)
    residual = np.maximum(pair.high[:, d + 1] - (step.high * g.high).sum(axis=1), 0.0)
    length, relative = _step_sizes(step.high, improved.high[:, :d], now.factor.scale)
    # What the next step would be: this one times the shrinkage seen, or foreseen before any was.
    shrink = min(1.0, max(now.error, length) if now.steps == 0 else length / now.last_step)
    after = replace(
        now, coefficients=improved, residual=residual, error=max(shrink * relative, EPS / 8),
        last_step=length, steps=now.steps + 1,
    )  # fmt: skip
    if shrink * relative <= EPS / 4 or after.steps == MOST_STEPS:
        return finished(after, ask)
    if now.steps and length > 0.1 * now.last_step:
        if now.rung is Rung.CORRECTED:
            return ask.next(what="triangle", climb=None)
        return finished(replace(after, error=relative), ask)
    return ask.next(climb=after)


def _step_sizes(step: Array, coefficients: Array, scale: Array) -> tuple[float, float]:
    """Length of the step against that of the coefficients, each in deviations; and the worst single coefficient."""
    if not step.size:
        return 0.0, 0.0
    moved, held = np.abs(step) / scale, np.abs(coefficients) / scale
    largest = np.maximum(held.max(axis=1, keepdims=True), np.finfo(float).tiny)
    return float((moved / largest).max()), float((moved / np.maximum(held, 1e-10 * largest)).max())
