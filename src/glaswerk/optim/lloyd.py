"""Rounds of k-means over tiled rows: assign (E), average (M), until no row changes its centre.

    E: r_nk = 1 for the nearest w_k        M: w_k = Σ r_nk x_n / Σ r_nk        J = Σ r_nk ‖x_n - w_k‖²     [BG-KMEANS]

Only rows that change their centre touch the sums, so late rounds cost the distances alone. The sums drift by rounding
and are taken anew at the end. A centre left without rows moves to the row furthest from its own.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.optim.tiles import TiledRows, Tiles, Walks

PRODUCT_COLUMNS = 32  # from here on a matrix product makes the scores faster than the loop does
ROUNDS_OFF = 1e-8  # share of the mean squared distance that the short form of a distance may lose


@dataclass(frozen=True, eq=False)
class Change:
    """What the rows that changed their centre say: Σ w and Σ w x by centre, Σ w ‖x - c‖² of all, how many changed."""

    count: Array
    sums: Array
    error: float
    changed: int

    def __add__(self, other: "Change") -> "Change":
        return Change(
            self.count + other.count, self.sums + other.sums, self.error + other.error, self.changed + other.changed
        )


@storable("Rounds", version=1)
@dataclass(frozen=True, eq=False)
class Rounds:
    """The trace: J after every E step and after every M step, rows that changed, movement ‖Δw‖², centres relocated.

    `trail` (rounds + 1, k, d) holds the centres before every E step and at the end, or nothing.
    """

    assigned: Array
    averaged: Array
    changed: NDArray[np.int64]
    moved: Array
    relocated: NDArray[np.int64]
    trail: Array

    def check(self) -> None:
        n = len(self.assigned)
        if any(len(part) != n for part in (self.averaged, self.changed, self.moved, self.relocated)):
            raise ValueError("a trace of rounds has one number of each kind for every round")


@dataclass(frozen=True, eq=False)
class Clustered:
    """Where the rounds ended: centres about the shift of the rows, Σ w of each, J, whether no row changed any more."""

    centres: Array
    count: Array
    sums: Array
    error: float
    errors: Array
    settled: bool
    direct: bool
    rounds: Rounds

    @property
    def n_rounds(self) -> int:
        return len(self.rounds.assigned)


def assign(tiles: Tiles, centres: Array, direct: bool) -> Change:
    """The E step of a block; what it changes in the sums of the M step."""
    k, d = centres.shape
    spare = k % 2
    padded = np.concatenate([centres, np.zeros((spare, d))]) if spare else centres
    lengths = np.einsum("ij,ij->i", padded, padded)
    norms = np.zeros_like(lengths) if direct else lengths
    norms[k:] = np.inf
    told, count, sums = np.zeros(2), np.zeros(k + spare), np.zeros((k + spare, d))
    if d < PRODUCT_COLUMNS or direct:
        at = padded if direct else -2.0 * padded
        kernels.assign_rows(
            tiles.cells, tiles.squares, tiles.rows, tiles.weight, at, norms, direct, tiles.labels, sums, count, told
        )
    else:
        _assign_by_products(tiles, -2.0 * padded, norms, sums, count, told)
    return Change(count[:k], sums[:k], float(told[0]), int(told[1]))


def _assign_by_products(tiles: Tiles, at: Array, norms: Array, sums: Array, count: Array, told: Array) -> None:
    scores = np.empty((4, len(at), tiles.cells.shape[2]))
    for span in tiles.spans():
        cells = tiles.cells[span]
        found = np.matmul(at, cells, out=scores[: len(cells)])
        rows = slice(span.start * cells.shape[2], span.stop * cells.shape[2])
        held = max(0, min(tiles.rows, rows.stop) - rows.start)
        weight = tiles.weight[rows] if tiles.weight.size else tiles.weight
        labels = tiles.labels[rows]
        kernels.assign_scored(found, cells, tiles.squares[span], held, weight, norms, labels, sums, count, told)


def lloyd(
    walk: Walks, rows: TiledRows, centres: Array, *, max_iter: int, tol: float, trace: bool = False,
    known: tuple[Array, Array] | None = None,
) -> Clustered:  # fmt: skip
    """Rounds from these centres. `tol` bounds ‖Δw‖² of a round; 0 goes on until no row changes.

    `known`: Σ w and Σ w x of the centres the rows have already, where an earlier run left them with the rows.
    """
    count, sums = known if known is not None else (np.zeros(len(centres)), np.zeros_like(centres))
    if known is None:
        rows.forget_labels()
    log: list[tuple[float, float, int, float, int]] = []
    trail = [centres]
    direct = settled = False
    while len(log) < max_iter and not settled:
        change, direct = _assigned(walk, rows, centres, direct)
        count, sums = count + change.count, sums + change.sums
        centres, relocated = averaged(walk, rows, centres, count, sums)
        moved = float(((centres - trail[-1]) ** 2).sum())
        log.append((change.error, _spread(rows, centres, count, sums), change.changed, moved, relocated))
        settled = change.changed == 0 and not relocated
        trail = [*trail, centres] if trace else [centres]
        if moved <= tol and not settled:
            break
    final, errors = resummed(walk, rows, centres, direct)
    if settled:
        centres = (
            final.sums / np.where(final.count > 0, final.count, 1.0)[:, None] + centres * (final.count == 0)[:, None]
        )
    columns = [np.array(part) for part in zip(*log, strict=True)]
    kept = np.array(trail) if trace else np.zeros((0, *centres.shape))
    rounds = Rounds(columns[0], columns[1], columns[2].astype(np.int64), columns[3], columns[4].astype(np.int64), kept)
    return Clustered(centres, final.count, final.sums, float(errors.sum()), errors, settled, direct, rounds)


def _assigned(walk: Walks, rows: TiledRows, centres: Array, direct: bool) -> tuple[Change, bool]:
    """One E step; taken again in the long form of the distance, and from then on, where the short one rounds off."""
    change: Change = walk.sum(rows, partial(assign, centres=centres, direct=direct))
    if direct or not needs_long_form(rows, centres, change.error):
        return change, direct
    again: Change = walk.sum(rows, partial(assign, centres=centres, direct=True))
    merged = replace(again, count=change.count + again.count, sums=change.sums + again.sums)
    return replace(merged, changed=max(change.changed, again.changed)), True


def needs_long_form(rows: TiledRows, centres: Array, error: float) -> bool:
    """Whether ‖x‖² - 2 x w + ‖w‖² would round off too much of a distance: groups far apart for their width."""
    eps, reach = float(np.finfo(np.float64).eps), rows.reach
    longest = max(reach.longest, float((centres**2).sum(axis=1).max()))
    return eps * longest > ROUNDS_OFF * error / reach.weight


def averaged(walk: Walks, rows: TiledRows, centres: Array, count: Array, sums: Array) -> tuple[Array, int]:
    """The M step, and how many centres without rows it moved to the rows furthest from theirs."""
    empty = np.flatnonzero(count <= 0)
    count, sums = count.copy(), sums.copy()
    moved = 0
    if len(empty):
        far: Furthest = walk.sum(rows, partial(furthest, centres=centres, most=len(empty)))
        for k, distance, row, weight, old in zip(empty, far.distance, far.row, far.weight, far.label, strict=False):
            if distance > 0 and weight > 0:
                sums[old] -= weight * row
                count[old] -= weight
                sums[k], count[k] = weight * row, weight
                moved += 1
    alone = count > 0
    found = np.where(alone[:, None], sums / np.where(alone, count, 1.0)[:, None], centres)
    return found, moved


def _spread(rows: TiledRows, centres: Array, count: Array, sums: Array) -> float:
    """J of the present assignment at these centres, from the sums alone."""
    cross = 2.0 * np.einsum("ij,ij->i", sums, centres) - count * np.einsum("ij,ij->i", centres, centres)
    return max(0.0, rows.reach.total - float(cross.sum()))


@dataclass(frozen=True, eq=False)
class Furthest:
    """The rows furthest from their centre, furthest first; of equal ones the earlier."""

    most: int
    distance: Array
    number: NDArray[np.int64]
    row: Array
    weight: Array
    label: NDArray[np.int32]

    def __add__(self, other: "Furthest") -> "Furthest":
        def joined(part: str) -> Any:
            return np.concatenate([getattr(self, part), getattr(other, part)])

        number, distance = joined("number"), joined("distance")
        order = np.lexsort((number, -distance))[: self.most]
        rest = (joined(part)[order] for part in ("row", "weight", "label"))
        return Furthest(self.most, distance[order], number[order], *rest)


def furthest(tiles: Tiles, centres: Array, most: int) -> Furthest:
    """The `most` rows of a block that lie furthest from their centre; a row of weight zero does not count."""
    labels = tiles.labels[: tiles.rows]
    X = tiles.by_row()
    distance = ((X - centres[labels]) ** 2).sum(axis=1)
    weight = tiles.weight if tiles.weight.size else np.ones(tiles.rows)
    distance = np.where(weight > 0, distance, -1.0)
    order = np.lexsort((np.arange(tiles.rows), -distance))[:most]
    return Furthest(most, distance[order], order + tiles.first, X[order], weight[order], labels[order])


@dataclass(frozen=True, eq=False)
class ErrorSums:
    """Σ w ‖x - c‖² by centre."""

    errors: Array
    change: Change

    def __add__(self, other: "ErrorSums") -> "ErrorSums":
        return ErrorSums(self.errors + other.errors, self.change + other.change)


def resummed(walk: Walks, rows: TiledRows, centres: Array, direct: bool) -> tuple[Change, Array]:
    """A last E step at the final centres, with all sums taken anew and every distance in its long form."""
    found: ErrorSums = walk.sum(rows, partial(_error_sums, centres=centres, direct=direct))
    return found.change, found.errors


def _error_sums(tiles: Tiles, centres: Array, direct: bool) -> ErrorSums:
    tiles.labels[:] = -1
    change = assign(tiles, centres, direct)
    errors = np.zeros(len(centres))
    kernels.errors_by_centre(tiles.cells, tiles.rows, tiles.weight, centres, tiles.labels, errors)
    return ErrorSums(errors, change)
