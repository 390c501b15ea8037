"""The ladder of least squares: the cheapest way up that still reaches the digits, chosen by the table itself.

    minimise Σ w (y - b - xᵀw)²      [BOE-LS] [TRE-LS] [BG-LS]

1. double-double Gram and Cholesky, for tables of little work;
2. Gram and Cholesky, where the scaled columns are far from dependent;
3. corrected semi-normal equations: steps from residuals of the rows in double-double;
4. merged triangular factors, then the same steps;
5. pivoted factor and the shortest solution, where columns repeat: their names are facts.

Every rung is a pass over the rows and a statistic that adds, so memory, file and cluster climb alike.
"""

from dataclasses import replace

import numpy as np
from scipy import linalg

from glaswerk.stats.correction import corrected
from glaswerk.stats.factor import EPS, Factor, factor_gram, factor_pairs, factor_rows
from glaswerk.stats.gradient import Gradient
from glaswerk.stats.moments import Moments
from glaswerk.stats.normal import Normal, normal_equations
from glaswerk.stats.pairs import Array, Pair, two_sum
from glaswerk.stats.rungs import Ask, Climb, Rung, Solution, Statistic, finished
from glaswerk.stats.triangle import Triangle

SMALL_WORK, SMALL_ROWS = 300_000, 8_192  # n d² and n up to which pairs cost no more than a rival's plain fit
WELL_CONDITIONED = 1e-3  # reciprocal condition of the Gram above which doubles keep 13 digits
HOPELESS_GRAM = 1e-11  # below it a Gram's factor is no guide to the next step
EXACT_FIT = 1e-9  # share of the variance left below which a Gram no longer resolves it
FAR_SHIFT = 10.0  # deviations between shift and mean beyond which the sums are taken again
BLIND_GRAM = 1e-7  # relative length that the rounding of a Gram hides


def first_ask(
    n_rows: int | None, shift: Array, n_targets: int, centred: bool = True, tolerance: float | None = None
) -> Ask:
    """Where to start: by the size of the table alone, so that the same table always takes the same way.

    Without a number of rows they pass only once, and the sum keeps all the digits there are.
    """
    d = shift.size - n_targets
    ask = Ask(shift if centred else np.zeros_like(shift), n_targets, centred, tolerance=tolerance)
    if n_rows is None or (n_rows < SMALL_ROWS and n_rows * (d + 1) ** 2 <= SMALL_WORK):
        return replace(ask, exact=True)
    return replace(ask, what="triangle") if n_rows <= d else ask


def ask_for_more(known: Moments | Triangle, centred: bool, tolerance: float | None) -> Ask:
    """What to observe of further rows, so that they can be added to what is known."""
    ask = first_ask(None, known.shift, known.n_targets, centred, tolerance)
    return replace(ask, what="triangle", exact=False) if isinstance(known, Triangle) else ask


def climb(statistic: Statistic, ask: Ask, more: bool = True) -> Solution | Ask:
    """Solve, or say what to observe next. Without `more` passes the best of what is known is the answer."""
    if isinstance(statistic, Gradient):
        return corrected(statistic, ask)
    if isinstance(statistic, Triangle):
        return _from_triangle(statistic, ask, more)
    return _from_moments(statistic, ask, more)


def _from_moments(moments: Moments, ask: Ask, more: bool) -> Solution | Ask:
    normal = normal_equations(moments, ask.centred)
    if more and ask.centred and not moments.exact and ask.passes == 1 and _shift_is_far(normal, ask):
        found = np.concatenate([normal.mean.rounded, normal.target_mean.rounded])
        return ask.next(shift=np.where(np.isfinite(found), found, ask.shift))
    factor = factor_pairs(normal.A, ask.rank_tolerance) if moments.exact else factor_gram(normal.A.high)
    plain = not moments.exact
    if factor is None or (plain and factor.reciprocal_condition < HOPELESS_GRAM):
        if more:
            return ask.next(what="triangle")
        factor, plain = factor_pairs(normal.A, max(ask.rank_tolerance, BLIND_GRAM)), False
    start = _start(normal, factor, moments, ask, plain)
    if not factor.full:
        return _shortest_from_gram(normal, start, ask)
    squares = start.residual <= EXACT_FIT * start.total
    enough = start.error < EPS / 2 if moments.exact else factor.reciprocal_condition > WELL_CONDITIONED
    if (enough and (moments.exact or not squares.any())) or not more:
        return finished(start, ask)
    rung = start.rung if moments.exact else Rung.CORRECTED
    return ask.next(climb=replace(start, rung=rung))


def _shift_is_far(normal: Normal, ask: Ask) -> bool:
    d = ask.n_features
    deviation = np.sqrt(np.diagonal(normal.A.high) / max(normal.weight, 1.0))
    return bool((np.abs(normal.mean.high - ask.shift[:d]) > FAR_SHIFT * deviation).any())


def _start(normal: Normal, factor: Factor, moments: Moments, ask: Ask, plain: bool) -> Climb:
    d, q = normal.A.high.shape[0], ask.n_targets
    if not plain:
        w = factor.solve(normal.B) if factor.full else Pair.of(np.zeros((q, d)))
        residual = normal.total.minus(w.times(normal.B).sum()).rounded if factor.full else normal.total.rounded
    else:
        w = Pair.of(factor.solve_plain(normal.B.high))
        residual = normal.total.high - np.einsum("qd,qd->q", w.high, normal.B.high)
    total = np.maximum(normal.total.high, 0.0)
    unit = 2.0**-100 if moments.exact else EPS
    error = 4 * unit / max(factor.reciprocal_condition, unit)
    rung = Rung.PAIRS if moments.exact else Rung.GRAM
    coefficients = _with_intercept(w, normal.mean, normal.target_mean, moments.exact)
    if ask.centred and not moments.exact:
        # The intercept is a small rest of large parts where the columns lie far from zero.
        parts, rest = np.abs(w.high * normal.mean.high).sum(axis=1), np.abs(coefficients.high[:, -1])
        error = max(error, EPS * float(np.max(parts / np.maximum(rest, np.finfo(float).tiny))) / 2)
    residual = np.maximum(residual, 0.0)
    return Climb(rung, factor, coefficients, normal.mean, normal.weight, moments.count, total, residual, error)


def _with_intercept(w: Pair, mean: Pair, target_mean: Pair, exact: bool = True) -> Pair:
    """(w, b) with b = ȳ - x̄ᵀw."""
    if not exact:
        return Pair.of(np.column_stack([w.high, target_mean.high - w.high @ mean.high]))
    intercept = target_mean.minus(w.times(mean.at(None)).sum())
    return Pair(*(np.column_stack([a, b]) for a, b in zip(w, intercept, strict=True)))


def _shortest_from_gram(normal: Normal, start: Climb, ask: Ask) -> Solution:
    factor = start.factor
    right = normal.B.rounded * factor.scale
    image = linalg.solve_triangular(
        factor.lower[: factor.rank, : factor.rank], right[:, factor.order[: factor.rank]].T, lower=True
    ).T
    residual = np.maximum(start.total - (image**2).sum(axis=1), 0.0)
    return _shortest(start, image, residual, normal.target_mean.rounded, ask)


def _shortest(start: Climb, image: Array, residual: Array, target_mean: Array, ask: Ask) -> Solution:
    """[TRE-MN] Of all solutions the one of least length in the user's coordinates."""
    w = start.factor.shortest(image)
    intercept = target_mean - w @ start.mean.rounded if ask.centred else np.zeros(len(target_mean))
    done = replace(
        start,
        rung=Rung.SHORTEST,
        coefficients=Pair.of(np.column_stack([w, intercept])),
        residual=residual,
        error=max(start.error, 8 * EPS * start.factor.condition),
    )
    return finished(done, ask)


def _from_triangle(triangle: Triangle, ask: Ask, more: bool) -> Solution | Ask:
    if not ask.centred:
        triangle = triangle.rebased(np.zeros_like(triangle.shift))
    d, q = ask.n_features, ask.n_targets
    R, weight = triangle.factor, triangle.weight
    means = two_sum(triangle.shift, R[0, 1:] / R[0, 0]) if ask.centred else Pair.of(triangle.shift)
    inner = R[1:, 1:] if ask.centred else _without_ones(R)
    rows = inner[:, :d].copy()
    rows[:, (rows**2).sum(axis=0) <= weight * (4 * EPS * means.high[:d]) ** 2] = 0.0
    factor, image, residual = factor_rows(rows, inner[:, d:], ask.rank_tolerance)
    total = (inner[:, d:] ** 2).sum(axis=0)
    error = 8 * EPS * factor.condition
    w = np.zeros((q, d))
    if factor.full:
        w[:, factor.order] = linalg.solve_triangular(factor.lower, image.T, lower=True, trans="T", check_finite=False).T
    coefficients = _with_intercept(
        Pair.of(w * factor.scale), means.at(slice(d)), means.at(slice(d, None)), exact=not more
    )
    start = Climb(
        Rung.TRIANGLE, factor, coefficients, means.at(slice(d)), weight, triangle.count, total, residual, error
    )
    if not factor.full:
        return _shortest(start, image, residual, means.rounded[d:], ask)
    return ask.next(climb=start) if more else finished(start, ask)


def _without_ones(R: Array) -> Array:
    """A factor of the columns [x, y] alone: the column of ones is dropped and the rest made triangular again."""
    return np.asarray(np.linalg.qr(R[:, 1:], mode="r"))
