"""Evidence: how probable the targets are for precisions α of the weights and β of the noise, weights integrated out.

    ln p(t | α, β) = ½ Σ ln λ/(λ + e) + ½ N ln β - ½ β E(λ) - ½ N ln 2π,   λ = α/β,   E(λ) = RSS + λ wᵀw    [BG-EVID]

At its maximum α = γ / wᵀw and 1/β = RSS / (N - γ), where γ = Σ e/(e + λ) counts the weights that the rows determine.
One number is sought, ln λ: the others follow from it. A scan of its whole range finds the highest hill, a root of the
slope its top, so that no start and no number of steps decides. Cost: some hundred λ times the number of directions.
With an exempt intercept N is one less than the rows, and the density is that of the targets about their mean.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg
from scipy.linalg import lapack

from glaswerk.stats.factor import EPS, factor_pairs
from glaswerk.stats.ladder import EXACT_FIT
from glaswerk.stats.moments import Moments
from glaswerk.stats.normal import Normal, normal_equations
from glaswerk.stats.pairs import Array, Pair
from glaswerk.stats.spectrum import spectrum
from glaswerk.stats.triangle import Triangle

BELOW, ABOVE = 80.0, 25.0  # how far ln λ is sought beyond the directions: double-double sums see perfect fits so deep
STEP = 1.0  # of the scan in ln λ: every direction's share of the evidence is a hill of width four
UNRESOLVED = 16 * EPS  # share of the squares that sums in doubles, or a rank that is lost, do not resolve
LEVEL, WIDE = 1e-9, 20  # of log evidence: less is rounding; so many steps of the scan at one height decide nothing
HELD = 1e-3  # share of E(λ) from which the floor under the squares, and not the rows, decides β
MOST_STEPS, CLOSE = 80, 1e-14
NOTHING_VARIES = "no column varies: the evidence says nothing of α, and 1 is taken"
TOO_FEW = "one row cannot tell signal from noise: α = β = 1 are taken until there are more"
PERFECT = "the fit is perfect as far as the sums can tell: β is what rounding would leave, and a lower bound"
SILENT = "the columns say nothing of this target: the evidence grows with α without end, and a very large one is taken"
EVEN = "the rows make every prior equally probable: that is taken which halves what they say"
FREE = "the rows ask for no prior at all: the evidence grows as α falls, and a very small one is taken"


@dataclass(frozen=True, eq=False)
class Chosen:
    """Precisions for one target, the number of well-determined weights, the log evidence, and what must be said."""

    alpha: float
    beta: float
    effective: float
    log_evidence: float
    said: str = ""


@dataclass(frozen=True, eq=False)
class Evidence:
    """One target: e (k,), c²/e (k,), the squares that no weights explain, N, and the precisions if given."""

    values: Array
    explained: Array
    rest: float
    rows: float
    constant: float
    perfect: bool
    alpha: float | None
    beta: float | None

    def energy(self, penalty: Array) -> Array:
        """E(λ) = RSS + λ wᵀw, (m,)."""
        share: Array = penalty[:, None] / (self.values + penalty[:, None])
        return self.rest + share @ self.explained

    def effective(self, penalty: Array) -> Array:
        """γ(λ) = Σ e/(e + λ), (m,)."""
        found: Array = (self.values / (self.values + penalty[:, None])).sum(axis=1)
        return found

    def paid(self, penalty: Array) -> Array:
        """λ wᵀw, (m,)."""
        share: Array = penalty[:, None] / (self.values + penalty[:, None])
        return (share * (1.0 - share)) @ self.explained

    def noise(self, penalty: Array) -> Array:
        """β for every λ: given, or α/λ where α is given, or N/E where both are sought."""
        if self.beta is not None:
            return np.full(len(penalty), self.beta)
        return self.alpha / penalty if self.alpha is not None else self.rows / self.energy(penalty)

    def log(self, penalty: Array) -> Array:
        """The log evidence for every λ."""
        beta = self.noise(penalty)
        volume = -0.5 * np.log1p(self.values / penalty[:, None]).sum(axis=1)
        return volume + 0.5 * self.rows * np.log(beta) - 0.5 * beta * self.energy(penalty) - self.constant

    def slope(self, penalty: Array) -> Array:
        """Twice its derivative by ln λ: γ - α wᵀw, or γ - N + β RSS where α is given."""
        beta, paid = self.noise(penalty), self.paid(penalty)
        if self.alpha is not None:
            return self.effective(penalty) - self.rows + beta * (self.energy(penalty) - paid)
        return self.effective(penalty) - beta * paid

    @cached_property
    def tried(self) -> Array:
        """The scan's λ."""
        low, high = np.log(self.values.min()) - BELOW, np.log(self.values.max()) + ABOVE
        return np.exp(np.linspace(low, high, int((high - low) / STEP) + 2))

    def hills(self) -> int:
        """How many maxima the scan shows."""
        rising = self.slope(self.tried) > 0
        return int((rising[:-1] & ~rising[1:]).sum())

    def best(self) -> Chosen:
        """The precisions at which the evidence is greatest, those given kept."""
        if self.alpha is not None and self.beta is not None:
            return self._at(self.alpha / self.beta)
        if self.rows <= 0:
            return Chosen(self.alpha or 1.0, self.beta or 1.0, float(len(self.values)), np.nan, TOO_FEW)
        if not len(self.values):
            beta = self.beta or float(self.rows / self.rest)
            return self._at((self.alpha or 1.0) / beta, NOTHING_VARIES if self.alpha is None else "")
        heights, slopes = self.log(self.tried), self.slope(self.tried)
        highest = heights >= heights.max() - LEVEL
        if highest.sum() > WIDE:
            return self._at(float(np.exp(np.log(self.values).mean())), EVEN)
        if highest[-1] and slopes[-1] > 0:
            return self._at(float(self.tried[-1]), SILENT)
        if highest[0] and slopes[0] < 0:
            return self._at(float(self.tried[0]), FREE)
        top = int(np.clip(np.argmax(heights), 1, len(heights) - 2))
        return self._at(self._summit(*np.log(self.tried[top - 1 : top + 2])))

    def _at(self, penalty: float, said: str = "") -> Chosen:
        here = np.array([penalty])
        beta, log, effective = (float(of(here)[0]) for of in (self.noise, self.log, self.effective))
        held = self.perfect and self.beta is None and self.rest > HELD * float(self.energy(here)[0])
        said = PERFECT if held else said
        return Chosen(self.alpha or penalty * beta, beta, effective, log, said)

    def _summit(self, low: float, top: float, high: float) -> float:
        """λ where the slope falls through zero between two ln λ: false position, with Illinois' halving."""
        left, right, side = self._slope_at(low), self._slope_at(high), 0
        if not left > 0 > right:
            return float(np.exp(top))
        for _ in range(MOST_STEPS):
            before, top = top, (low * right - high * left) / (right - left)
            here = self._slope_at(top)
            if here == 0 or abs(top - before) <= CLOSE * max(1.0, abs(top)):
                break
            if here > 0:
                low, left, right, side = top, here, right / (1 + (side == 1)), 1
            else:
                high, right, left, side = top, here, left / (1 + (side == -1)), -1
        return float(np.exp(top))

    def _slope_at(self, log_penalty: float) -> float:
        return float(self.slope(np.exp(np.array([log_penalty])))[0])


@dataclass(frozen=True, eq=False)
class Directions:
    """What the rows determine: e (k,), and for every target the squares that each direction explains, c²/e (q, k).

    `left` are the squares (q,) that no direction explains, and `floor` what of them rounding may have made. `blurred`
    where rounding the sums has hidden something that sums in double-double would show.
    """

    values: Array
    explained: Array
    left: Array
    floor: Array
    weight: float
    centred: bool
    blurred: bool

    def evidences(self, alpha: float | None, beta: float | None) -> list[Evidence]:
        """For each target its evidence, with the precisions that are given."""
        rows = self.weight - float(self.centred)
        constant = 0.5 * rows * float(np.log(2 * np.pi)) + 0.5 * self.centred * float(np.log(self.weight))
        return [
            Evidence(self.values, part, float(max(left, floor)), rows, constant, bool(left <= floor), alpha, beta)
            for part, left, floor in zip(self.explained, self.left, self.floor, strict=True)
        ]


def directions(statistic: Moments | Triangle, centred: bool) -> Directions:
    """The directions of a table's columns, small ones beside large ones: powers of a column span twenty decades."""
    if isinstance(statistic, Moments) and statistic.exact:
        return _of_pairs(normal_equations(statistic, centred), centred)
    seen = spectrum(statistic, centred)
    real = seen.values > 0
    if isinstance(statistic, Moments):
        lengths = np.sqrt((seen.vectors**2) @ seen.values)
        real = seen.values > 4 * EPS * (np.abs(seen.vectors).T @ lengths) ** 2
    values = seen.values[real]
    explained = seen.image[:, real] ** 2 / values
    left = np.maximum(seen.total - explained.sum(axis=1), 0.0)
    floor = np.maximum(_rounding(seen.total, seen.target_mean, seen.weight), UNRESOLVED * seen.total)
    lost = not real.all() or (left <= EXACT_FIT * seen.total).any()
    return Directions(values, explained, left, floor, seen.weight, centred, isinstance(statistic, Moments) and lost)


def _rounding(total: Array, target_mean: Array, weight: float) -> Array:
    """Squares (q,) that rounding leaves of targets which doubles computed, and sums in double-double of so many."""
    size = total + weight * target_mean**2
    return max(16.0, weight) * EPS**2 * np.where(size > 0, size, weight)


def _of_pairs(normal: Normal, centred: bool) -> Directions:
    """A = F Fᵀ in double-double, then singular values of F by Jacobi rotations, which keep small ones' digits too."""
    factor, total = factor_pairs(normal.A, EPS * max(32, len(normal.A.high))), normal.total.rounded
    r, order = factor.rank, factor.order
    floor = _rounding(total, normal.target_mean.rounded, normal.weight)
    if not r:
        return Directions(np.zeros(0), np.zeros((len(total), 0)), total, floor, normal.weight, centred, False)
    if factor.full:
        w = factor.solve(normal.B)
        left = normal.total.minus(w.times(normal.B).sum()).rounded
        scaled = w.scaled(1.0 / factor.scale).at(slice(None), None, order)
        along = scaled.times(Pair(factor.lower.T, factor.lower_low.T)).sum().rounded
    else:
        right = (normal.B.rounded * factor.scale)[:, order[:r]]
        along = linalg.solve_triangular(factor.lower[:r, :r], right.T, lower=True).T
        left, floor = total - (along**2).sum(axis=1), np.maximum(floor, UNRESOLVED * total)
    root = np.empty((len(order), r))
    root[order] = factor.lower[:, :r]
    sizes, _, turn, work, _, failed = lapack.dgejsv(root / factor.scale[:, None], joba=2, jobu=3, jobv=0)
    if failed:
        raise ArithmeticError("the singular values of the columns' factor did not converge")
    values = (sizes[:r] * (work[0] / work[1])) ** 2
    return Directions(values, (along @ turn) ** 2, np.maximum(left, 0.0), floor, normal.weight, centred, False)
