"""A partition of rows among prototypes: what k-means, LBG and vector quantisation find, and how new rows join it."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.facts import Curve, Line, Prototype, Prototypes
from glaswerk.optim.lloyd import Clustered, Rounds, assign
from glaswerk.optim.tiles import Extent, TiledRows, Tiles
from glaswerk.optim.whitening import Whitening
from glaswerk.passes import BLOCK_ROWS, Block


@storable("Partition", version=1)
@dataclass(frozen=True, eq=False)
class Partition:
    """Prototypes in the units of the columns (k, d), and the rows that chose them.

    `count` (k,) Σ w of each, `errors` (k,) Σ w d(x, c)², `weight` Σ w of all rows, `mean` and `scale` of their columns;
    `places` (k, r) the prototypes where distances are measured, about `shift`; `whitening` for Mahalanobis distances.
    """

    centres: Array
    places: Array
    shift: Array
    count: Array
    errors: Array
    weight: float
    total: float
    mean: Array
    scale: Array
    whitening: Whitening | None
    direct: bool
    settled: bool
    rounds: Rounds

    def check(self) -> None:
        k = len(self.centres)
        if self.centres.ndim != 2 or len(self.places) != k or self.count.shape != (k,) or self.errors.shape != (k,):
            raise ValueError("a partition needs one place, one count and one error for every centre")

    @property
    def error(self) -> float:
        """J = Σ w d(x, c)²."""
        return float(self.errors.sum())

    @property
    def distortion(self) -> float:
        """E_VQ = J / Σ w, the mean squared distance.                                                       [BG-VQE]"""
        return self.error / self.weight

    def measured(self, X: Array) -> Array:
        """Rows where distances are measured."""
        return X if self.whitening is None else self.whitening(X)

    def nearest(self, X: Array) -> NDArray[np.int32]:
        """The number of the nearest prototype of every row; of equally near ones the first."""
        found = [self._nearest(X[start : start + BLOCK_ROWS]) for start in range(0, len(X), BLOCK_ROWS)]
        return np.concatenate(found)

    def _nearest(self, X: Array) -> NDArray[np.int32]:
        tiles = Tiles.of(Block(0, self.measured(X), np.zeros((len(X), 0)), np.zeros(0)), self.shift)
        assign(tiles, self.places, self.direct)
        return tiles.labels[: len(X)]

    def distances(self, X: Array) -> Array:
        """d(x, c) of every row from every prototype (n, k)."""
        Z = self.measured(X) - self.shift
        found = np.empty((len(Z), len(self.places)))
        for k, place in enumerate(self.places):
            away = Z - place
            found[:, k] = np.sqrt(np.einsum("ij,ij->i", away, away))
        return found

    def prototypes(self, title: str, columns: tuple[str, ...], says: str = "") -> Prototypes:
        """As a fact, the largest group first."""
        groups = []
        for k in np.argsort(-self.count, kind="stable"):
            spread = float(np.sqrt(self.errors[k] / self.count[k])) if self.count[k] > 0 else None
            share = float(self.count[k] / self.weight)
            groups.append(Prototype(f"cluster {k}", float(self.count[k]), share, spread, _plain(self.centres[k])))
        return Prototypes(title, columns, tuple(groups), _plain(self.mean), _plain(self.scale), says)

    def curve(self, title: str) -> Curve:
        """J after every E step and after every M step."""
        rounds, weight = self.rounds, self.weight
        x = np.arange(len(rounds.assigned))
        lines = (
            Line("after E: rows to the nearest", _plain(x + 1.0), _plain(rounds.assigned / weight)),
            Line("after M: prototypes to the mean", _plain(x + 1.5), _plain(rounds.averaged / weight)),
        )
        ended = "no row changed its prototype any more" if self.settled else "the prototypes still moved a little"
        says = f"{len(x)} rounds; at the end {ended}. Neither step can raise the error."
        return Curve(title, "round", "mean squared distance", lines, says)


def _plain(values: Any) -> tuple[float, ...]:
    return tuple(np.asarray(values, dtype=np.float64).tolist())


def partition_of(found: Clustered, rows: TiledRows, whitening: Whitening | None) -> Partition:
    """What the rounds found, in the units of the columns."""
    extent = rows.reach
    mean, scale = _usual(extent, rows.shift, whitening)
    places = found.centres
    back = whitening.undo if whitening is not None else _same
    centres = back(places + rows.shift)
    trail = found.rounds.trail
    seen = back((trail + rows.shift).reshape(-1, places.shape[1])).reshape(*trail.shape[:2], len(mean))
    return Partition(
        centres, places, rows.shift, found.count, found.errors, extent.weight, extent.total, mean, scale, whitening,
        found.direct, found.settled, replace(found.rounds, trail=seen),
    )  # fmt: skip


def _same(centres: Array) -> Array:
    return centres


def _usual(extent: Extent, shift: Array, whitening: Whitening | None) -> tuple[Array, Array]:
    """Mean and standard deviation of the columns."""
    if whitening is None:
        return shift + extent.sums[0] / extent.rows, np.sqrt(extent.variance)
    return whitening.mean, np.sqrt((whitening.back**2).sum(axis=1))
