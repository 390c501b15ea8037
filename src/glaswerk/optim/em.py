"""EM for mixtures of normal densities: responsibilities at the present mixture (E), the mixture from their sums (M).

    N_k = Σ γ_k(x_n),   μ_k = Σ γ_k x / N_k,   Σ_k = Σ γ_k (x - μ_k)(x - μ_k)' / N_k,   π_k = N_k / N           [BG-EM]
    ln p(X) = Σ_n ln Σ_k π_k N(x_n | μ_k, Σ_k)  never falls                                               [BG-LOGLIKGMM]

but for what regularising adds and where a collapsed component is begun anew; both are counted.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.optim.mixture import (
    LOST,
    PRODUCT_COLUMNS,
    EStep,
    Form,
    Mixture,
    Natural,
    Whitened,
    observe,
    observe_partition,
    regularised,
    shaped,
)
from glaswerk.optim.tiles import TiledRows, Walks
from glaswerk.passes import BLOCK_ROWS

FLAT = 1e-12  # of the variance of a column: below it a component has no width left
RESTARTS = 3  # for each component; where rows repeat, a component may rightly have no width
EPS = float(np.finfo(np.float64).eps)


@storable("EMTrace", version=1)
@dataclass(frozen=True, eq=False)
class EMTrace:
    """Mean ln p before every M step; rounds in which a component was begun anew; those in which ln p fell.

    `means` (rounds, k, d) and `covariances` (rounds, …) before every M step, or nothing.
    """

    log_likelihood: Array
    restarted: NDArray[np.int64]
    fell: NDArray[np.int64]
    whitened: bool
    means: Array
    covariances: Array

    def check(self) -> None:
        if self.log_likelihood.ndim != 1:
            raise ValueError("a trace of EM has one log-likelihood for every round")


@dataclass(frozen=True, eq=False)
class Mixed:
    """Where EM ended."""

    mixture: Mixture
    converged: bool
    trace: EMTrace

    @property
    def bound(self) -> float:
        return float(self.trace.log_likelihood[-1])


@dataclass(eq=False)
class Rounds:
    """EM over tiled rows: what all its rounds share."""

    walk: Walks
    rows: TiledRows
    extra: Array
    second: Array | None = None

    def from_partition(self, kind: str, centres: Array, direct: bool) -> Mixture:
        """The mixture of rows that belong wholly to the nearest of these centres each."""
        k = len(centres)
        scale = np.where(self.rows.reach.variance > 0, self.rows.reach.variance, 1.0)
        form = Whitened.of(Mixture("diag", np.full(k, 1.0 / k), centres, np.tile(scale, (k, 1))))
        found: EStep = self.walk.sum(self.rows, partial(observe_partition, form=form, centres=centres, direct=direct))
        return self._mixture(kind, *form.solve(found.sums))

    def around(self, kind: str, means: Array) -> Mixture:
        """Components of equal weight at these means, each as wide as all rows."""
        k, d = means.shape
        reach = self.rows.reach
        middle = (reach.sums[0] / reach.rows)[None, :]
        whole = self.from_partition("full", middle, direct=False).covariances[0]
        count = np.ones(k)
        alike = np.broadcast_to(whole, (k, d, d))
        return Mixture(kind, count / k, means, shaped(kind, count, alike))

    def _mixture(self, kind: str, count: Array, means: Array, covariances: Array) -> Mixture:
        weights = (count + 10 * EPS) / (count.sum() + 10 * EPS * len(count))
        return regularised(Mixture(kind, weights, means, shaped(kind, count, covariances)), self.extra)

    def run(self, mixture: Mixture, *, max_iter: int, tol: float, trace: bool = False) -> Mixed:
        """Rounds until the mean ln p changes by less than `tol`."""
        log: list[float] = []
        restarted: list[int] = []
        fell: list[int] = []
        shown: list[Mixture] = []
        anew = np.zeros(len(mixture.weights), dtype=np.int64)
        whitened = converged = False
        while len(log) < max_iter and not converged:
            if trace:
                shown.append(mixture)
            found, form = self._e_step(mixture, whitened)
            whitened = isinstance(form, Whitened)
            log.append(found.total / self.rows.reach.weight)
            mixture = self._m_step(mixture, found, form)
            lost = self._collapsed(mixture) & (anew < RESTARTS)
            if lost.any() and not lost.all():
                restarted.append(len(log))
                anew += lost
                mixture = self._begin_anew(mixture, lost)
            elif len(log) > 1 and restarted[-1:] != [len(log) - 1]:
                if log[-1] < log[-2] - 1e-9 * max(1.0, abs(log[-1])):
                    fell.append(len(log))
                converged = abs(log[-1] - log[-2]) < tol
        means, covariances = (np.array([getattr(m, name) for m in shown]) for name in ("means", "covariances"))
        kept = EMTrace(
            np.array(log), np.array(restarted, dtype=int), np.array(fell, dtype=int), whitened, means, covariances
        )
        return Mixed(mixture, converged, kept)

    def _e_step(self, mixture: Mixture, whitened: bool) -> tuple[EStep, Form]:
        exact = Whitened.of(mixture)
        form: Form = exact
        if not whitened and self._keeps_digits(mixture, exact):
            form = Natural.of(mixture, exact.turns, exact.constant)
        found: EStep = self.walk.sum(self.rows, partial(observe, form=form))
        if isinstance(form, Natural) and form.common is not None:
            found = EStep(found.sums, found.total - 0.5 * float((form.common * self._second()).sum()), found.least)
        return found, form

    def _keeps_digits(self, mixture: Mixture, exact: Whitened) -> bool:
        """Whether features may be used: few enough columns, and no component too narrow for how far the rows lie."""
        if mixture.kind == "full" and mixture.means.shape[1] > PRODUCT_COLUMNS:
            return False
        turns = exact.turns[:1] if mixture.kind == "tied" else exact.turns
        narrow = float(np.linalg.norm(turns, 2, axis=(1, 2)).max())
        return EPS * self.rows.reach.longest * narrow**2 <= LOST

    def _m_step(self, mixture: Mixture, found: EStep, form: Form) -> Mixture:
        if isinstance(form, Whitened):
            return self._mixture(mixture.kind, *form.solve(found.sums))
        return self._mixture(mixture.kind, *form.solve(found.sums, self._second() if mixture.kind == "tied" else None))

    def _second(self) -> Array:
        """Σ w x x', about the shift."""
        if self.second is None:
            self.second = self.walk.sum(self.rows, _second_moment)
        return self.second

    def _collapsed(self, mixture: Mixture) -> NDArray[np.bool_]:
        """Components that stand for less than a row, or have no width left beside what regularising gave them."""
        weight, variance = self.rows.reach.weight, self.rows.reach.variance
        few = mixture.weights * weight < 1e-3 * min(1.0, weight / self.rows.n_rows)
        if mixture.kind == "tied" or not variance.any():
            return few if len(few) > 1 else np.zeros(1, dtype=bool)
        if mixture.kind == "spherical":
            flat = mixture.covariances - self.extra.mean() <= FLAT * variance.max()
        else:
            widths = (
                mixture.covariances if mixture.kind == "diag" else np.diagonal(mixture.covariances, axis1=1, axis2=2)
            )
            flat = (widths - self.extra <= FLAT * variance).all(axis=1)
        return few | flat if len(few) > 1 else np.zeros(1, dtype=bool)

    def _begin_anew(self, mixture: Mixture, lost: NDArray[np.bool_]) -> Mixture:
        """Lost components begin at the rows of least density, as wide as all rows."""
        weights, means, covariances = mixture.weights.copy(), mixture.means.copy(), mixture.covariances.copy()
        wide = self.around(mixture.kind, means[:1])
        taken = Mixture(mixture.kind, np.where(lost, 0.0, weights) / weights[~lost].sum(), means, covariances)
        for k in np.flatnonzero(lost):
            least: EStep = self.walk.sum(self.rows, partial(observe, form=Whitened.of(taken)))
            means[k] = self._row(least.least[1])
            weights[k] = 1.0 / len(weights)
            if mixture.kind != "tied":
                covariances[k] = wide.covariances[0]
            taken = Mixture(
                mixture.kind,
                weights * (taken.weights > 0) + weights * (np.arange(len(weights)) == k),
                means,
                covariances,
            )
        return Mixture(mixture.kind, weights / weights.sum(), means, covariances)

    def _row(self, number: int) -> Array:
        block, within = divmod(number, BLOCK_ROWS)
        found: Array = next(iter(self.rows.blocks(block, block + 1))).row(within)
        return found


def _second_moment(tiles: Any) -> Array:
    X = tiles.by_row()
    weighted = X * tiles.weight[:, None] if tiles.weight.size else X
    found: Array = weighted.T @ X
    return found
