"""Whitening: rows turned and scaled so that Euclidean distance is Mahalanobis distance.

    d(a, b)² = (a - b)ᵀ Σ⁻¹ (a - b) = ‖z_a - z_b‖²,   z = Λ^(-1/2) Vᵀ (x - x̄)/s,   Σ = <(x - x̄)(x - x̄)ᵀ>      [BG-MAHA]

Directions in which the rows do not vary at all are left out: no distance can be told along them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import linalg

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.optim.tiles import Walks
from glaswerk.passes import Block, Source, is_here, within
from glaswerk.stats.moments import Moments, common_shift


@storable("Whitening", version=1)
@dataclass(frozen=True, eq=False)
class Whitening:
    """z = `turn` (x - mean) (r, d), and `back` (d, r) with x = mean + back z for every row it was made from."""

    mean: Array
    turn: Array
    back: Array

    def check(self) -> None:
        if self.turn.shape != self.back.T.shape or self.turn.shape[1:] != self.mean.shape:
            raise ValueError("a whitening turns (rank, columns) and back (columns, rank)")

    def __call__(self, X: Array) -> Array:
        found: Array = (X - self.mean) @ self.turn.T
        return found

    def undo(self, Z: Array) -> Array:
        found: Array = self.mean + Z @ self.back.T
        return found


@dataclass(frozen=True, eq=False)
class WhitenedSource:
    """The rows of a source, whitened block by block."""

    source: Source
    whitening: Whitening

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"z{j}" for j in range(len(self.whitening.turn)))

    @property
    def n_rows(self) -> int:
        return self.source.n_rows

    @property
    def n_targets(self) -> int:
        return self.source.n_targets

    @property
    def here(self) -> bool:
        return is_here(self.source)

    def within(self, first: int, last: int) -> "WhitenedSource":
        return replace(self, source=within(self.source, first, last))

    def head(self) -> Block:
        return self._whitened(self.source.head())

    def blocks(self, first: int, last: int) -> Iterator[Block]:
        return map(self._whitened, self.source.blocks(first, last))

    def cuts(self, parts: int) -> list[int]:
        return self.source.cuts(parts)

    def _whitened(self, block: Block) -> Block:
        return replace(block, X=self.whitening(block.X), X_low=None)


def whitening_of(walk: Walks) -> Whitening:
    """From the covariance of all rows, each counted by its weight."""
    head = walk.source.head()
    with np.errstate(invalid="ignore", over="ignore"):
        shift = common_shift(np.asarray(head.X[:: -(-len(head) // 1024)]))

        def observe(block: Block) -> Any:
            found = Moments.of(block.X, np.zeros((len(block), 0)), block.weight, shift=shift)
            if not np.isfinite(found.gram).all():
                walk.refuse_unusable(block)
            return found

        moments: Moments = walk.sum(walk.source, observe)
    return whitening_from(moments)


def whitening_from(moments: Moments) -> Whitening:
    d = moments.shift.size
    gram = np.tril(moments.gram) + np.tril(moments.gram, -1).T
    weight, sums = gram[d, d], gram[d, :d]
    covariance = gram[:d, :d] / weight - np.outer(sums, sums) / weight**2
    eps = float(np.finfo(np.float64).eps)
    floor = 16 * d * eps * np.maximum(np.diag(gram)[:d] / weight, (eps * moments.shift) ** 2)
    variance = np.where(np.diag(covariance) > floor, np.diag(covariance), 0.0)
    scale = np.where(variance > 0, np.sqrt(variance), 1.0)
    varies = variance > 0
    values, vectors = linalg.eigh(covariance / np.outer(scale, scale) * np.outer(varies, varies))
    kept = np.flatnonzero(values > 16 * d * eps * max(float(values.max()), eps))[::-1]
    roots, axes = np.sqrt(values[kept]), signed(vectors[:, kept])
    return Whitening(moments.shift + sums / weight, (axes / roots).T / scale, scale[:, None] * axes * roots)


def signed(axes: Array) -> Array:
    """Each axis with its largest entry positive: the sign of an eigenvector is nobody's choice."""
    largest = np.abs(axes).argmax(axis=0)
    found: Array = axes * np.where(axes[largest, np.arange(axes.shape[1])] < 0, -1.0, 1.0)
    return found
