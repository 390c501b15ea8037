"""Epochs of descent on the cross-entropy: a few rows at a time, all of them once an epoch.

    θ ← θ - η ∇F_B(θ),   F_B = Σ_B w E(θ) + (Σ_B w / Σ w) ½ λ |W|²                             [NAN-7] [NAN-SGD] [BG-CE]

B are M consecutive rows, or M shuffled ones; M = 1 is stochastic descent. After every epoch a pass like any other looks
at the objective of all rows. Ordered: these steps do not add, so the rows must be in memory.
"""

from dataclasses import dataclass, replace

import numpy as np

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.optim.likelihood import Ask
from glaswerk.passes import ArraySource
from glaswerk.stats.curvature import row_weights


@dataclass(frozen=True)
class Batches:
    """`size` rows a step, as they lie or shuffled anew every epoch; the rate of epoch k is η / (1 + decay · k)."""

    size: int
    shuffle: bool = False
    seed: int = 0
    decay: float = 0.0

    def after_epoch(self, ask: Ask, source: ArraySource) -> Ask:
        """The pass asked for, at the place to which one more epoch leads. Before the first pass nothing has moved."""
        now = ask.slide
        if now is None or not ask.sliding or now.rounds == 0:
            return ask
        X, codes = np.ascontiguousarray(source.X, dtype=np.float64), np.ascontiguousarray(source.Y[:, 0])
        weight = np.ascontiguousarray(row_weights(codes, source.weight, ask.point))
        setting, epoch = ask.setting, now.rounds - 1
        total = float(weight.sum()) if weight.size else float(len(X))
        if epoch:
            first = now.rate * (1.0 + self.decay * (epoch - 1))
        else:
            first = float(setting.rate) if isinstance(setting.rate, int | float) else self._safe(X, weight, ask, total)
        rate, place = first / (1.0 + self.decay * epoch), now.place.copy()
        kernels.class_epoch(X, codes, weight, self._order(len(X), epoch), min(self.size, len(X)), rate,
                            setting.penalty / total, setting.intercept, place)  # fmt: skip
        return replace(ask, slide=replace(now, place=place, rate=rate), point=replace(ask.point, weights=place))

    def _order(self, n_rows: int, epoch: int) -> np.ndarray:
        if not self.shuffle:
            return np.arange(n_rows)
        return np.random.default_rng([self.seed, epoch]).permutation(n_rows)

    def _safe(self, X: Array, weight: Array, ask: Ask, total: float) -> float:
        """1/L: ¼ M |a|² bounds the curvature of M rows of two classes, ½ M |a|² that of several, a the longest row."""
        squares = np.einsum("ij,ij->i", X, X) + float(ask.setting.intercept)
        longest = float((squares * weight if weight.size else squares).max())
        heaviest = float(weight.max()) if weight.size else 1.0
        many = min(self.size, len(X))
        bound = many * (longest * (0.25 if ask.setting.scores == 1 else 0.5) + ask.setting.penalty * heaviest / total)
        return 1.0 / bound if bound > 0 else 1.0
