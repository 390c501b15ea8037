"""Rounds of k-means over tiled rows: assign (E), average (M), until no row changes its centre.

    E: r_nk = 1 for the nearest w_k        M: w_k = Σ r_nk x_n / Σ r_nk        J = Σ r_nk ‖x_n - w_k‖²     [BG-KMEANS]

Only rows that change their centre touch the sums, so late rounds cost the distances alone. The sums drift by rounding
and are taken anew at the end. A centre left without rows moves to the row furthest from its own. Rows that are not held
keep no label from round to round: every E step takes all sums anew, and says nothing of how many rows changed.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.optim.tiles import TiledRows, Tiles, Walks

SETTLED, STILL = 0.0, 1.0  # how `run_rounds` tells that the rounds are over
ROUNDS_OFF = 1e-8  # share of the mean squared distance that the short form of a distance may lose


@storable("ClusterChange", version=1)
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

    How many rows changed is not counted, -1, where rows are not held.
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
    """Where the rounds ended: centres about the shift of the rows, Σ w of each, J, whether no row changed any more.

    `labels`: the centre of every row, in the order of the table: four bytes a row, all that is kept of rows not held.
    """

    centres: Array
    count: Array
    sums: Array
    error: float
    errors: Array
    settled: bool
    direct: bool
    rounds: Rounds
    labels: NDArray[np.int32]

    @property
    def n_rounds(self) -> int:
        return len(self.rounds.assigned)


def assign(tiles: Tiles, centres: Array, direct: bool) -> Change:
    """The E step of a block; what it changes in the sums of the M step."""
    k, d = centres.shape
    told, count, sums = np.zeros(2), np.zeros(k), np.zeros((k, d))
    kernels.assign_rows(
        tiles.cells, tiles.squares, tiles.rows, tiles.weight, np.ascontiguousarray(centres), direct, tiles.labels,
        sums, count, told,
    )  # fmt: skip
    return Change(count, sums, float(told[0]), int(told[1]))


def lloyd(
    walk: Walks, rows: TiledRows, centres: Array, *, max_iter: int, tol: float, trace: bool = False,
    known: tuple[Array, Array] | None = None,
) -> Clustered:  # fmt: skip
    """Rounds from these centres. `tol` bounds ‖Δw‖² of a round; 0 goes on until no row changes.

    `known`: Σ w and Σ w x of the centres the rows have already, where an earlier run left them with the rows.
    """
    centres = np.ascontiguousarray(centres)
    count, sums = known if known is not None else (np.zeros(len(centres)), np.zeros_like(centres))
    if known is None:
        rows.forget_labels()
    course = _Course(walk, rows, centres, count, sums, max_iter, tol, [centres] if trace else None)
    course.run()
    return course.clustered()


@dataclass(eq=False)
class _Course:
    """Rounds under way: the centres, Σ w and Σ w x of the rows that have chosen them, and what happened so far."""

    walk: Walks
    rows: TiledRows
    centres: Array
    count: Array
    sums: Array
    max_iter: int
    tol: float
    trail: list[Array] | None
    direct: bool = False
    settled: bool = False
    ended: bool = False
    log: list[tuple[float, float, float, float, int]] = field(default_factory=list)

    def run(self) -> None:
        while len(self.log) < self.max_iter and not self.ended:
            changed = self._rounds() if self.rows.alone else 0
            if len(self.log) < self.max_iter and not self.ended:
                self._round(changed)

    def _rounds(self) -> int:
        """As many rounds as a table of one block can take in one go; rows that changed in a round left undone."""
        found: _Run = self.walk.sum(self.rows, partial(_run, course=self, most=self.max_iter - len(self.log)))
        self.centres, done, why = found.centres, int(found.ended[0]), found.ended[1]
        self.log += [(*row, 0) for row in found.log[:done].tolist()]
        if self.trail is not None:
            self.trail += list(found.trail[:done])
        self.settled, self.ended = why == SETTLED, why <= STILL
        return int(found.ended[2])

    def _round(self, changed: int) -> None:
        """One E step, in which `changed` rows have changed already, and one M step."""
        change, self.direct = _assigned(self.walk, self.rows, self.centres, self.direct)
        fresh = self.rows.held is None
        self.count, self.sums = change.count + self.count * (not fresh), change.sums + self.sums * (not fresh)
        moved, relocated, after, away = averaged(self.walk, self.rows, self.centres, self.count, self.sums, self.direct)
        changed = -1 if fresh else change.changed + changed
        self.centres = moved
        self.log.append((change.error, after, changed, away, relocated))
        if self.trail is not None:
            self.trail.append(moved)
        self.settled = not relocated and (away == 0 if fresh else changed == 0)
        self.ended = self.settled or away <= self.tol

    def clustered(self) -> Clustered:
        centres = self.centres
        final = resummed(self.walk, self.rows, centres, self.direct)
        if self.settled:
            alone = final.change.count > 0
            means = final.change.sums / np.where(alone, final.change.count, 1.0)[:, None]
            centres = np.where(alone[:, None], means, centres)
        columns = [np.array(part) for part in zip(*self.log, strict=True)]
        kept = np.array(self.trail) if self.trail is not None else np.zeros((0, *centres.shape))
        whole = [columns[k].astype(np.int64) for k in (2, 4)]
        rounds = Rounds(columns[0], columns[1], whole[0], columns[3], whole[1], kept)
        return final.clustered(centres, self.settled, self.direct, rounds)


@dataclass(frozen=True, eq=False)
class _Run:
    """Rounds that a block went through by itself; there is no other to add."""

    centres: Array
    log: Array
    trail: Array
    ended: Array

    def __add__(self, other: "_Run") -> "_Run":
        raise AssertionError("rounds of several blocks cannot be run apart")


def _run(tiles: Tiles, course: _Course, most: int) -> _Run:
    reach, centres = course.rows.reach, course.centres.copy()
    given = np.array([course.tol, reach.weight, reach.total, reach.longest, ROUNDS_OFF])
    log, trail = np.empty((most, 4)), np.empty((0 if course.trail is None else most, *centres.shape))
    ended = np.empty(3)
    kernels.run_rounds(
        tiles.cells, tiles.squares, tiles.rows, tiles.weight, given, course.direct, tiles.labels, course.sums,
        course.count, centres, log, trail, ended,
    )  # fmt: skip
    return _Run(centres, log, trail, ended)


def _assigned(walk: Walks, rows: TiledRows, centres: Array, direct: bool) -> tuple[Change, bool]:
    """One E step; taken again in the long form of the distance, and from then on, where the short one rounds off."""
    change: Change = walk.sum(rows, partial(assign, centres=centres, direct=direct))
    if direct or not needs_long_form(rows, centres, change.error):
        return change, direct
    again: Change = walk.sum(rows, partial(assign, centres=centres, direct=True))
    if rows.held is None:
        return again, True
    merged = replace(again, count=change.count + again.count, sums=change.sums + again.sums)
    return replace(merged, changed=max(change.changed, again.changed)), True


def needs_long_form(rows: TiledRows, centres: Array, error: float) -> bool:
    """Whether ‖x‖² - 2 x w + ‖w‖² would round off too much of a distance: groups far apart for their width."""
    eps, reach = float(np.finfo(np.float64).eps), rows.reach
    longest = max(reach.longest, float((centres**2).sum(axis=1).max()))
    return eps * longest > ROUNDS_OFF * error / reach.weight


def averaged(
    walk: Walks, rows: TiledRows, centres: Array, count: Array, sums: Array, direct: bool
) -> tuple[Array, int, float, float]:
    """The M step: centres, how many without rows it moved to the rows furthest from theirs, J after it, ‖Δw‖²."""
    found, told = np.empty_like(centres), np.empty(4)
    kernels.move_centres(centres, count, sums, found, told)
    if not told[3]:
        return found, 0, max(0.0, rows.reach.total - told[1]), float(told[0])
    held, at, relocated = count.copy(), sums.copy(), 0
    empty = np.flatnonzero(count <= 0)
    far: Furthest = walk.sum(rows, partial(furthest, centres=centres, most=len(empty), direct=direct))
    for k, distance, row, weight, old in zip(empty, far.distance, far.row, far.weight, far.label, strict=False):
        if distance > 0 and weight > 0:
            at[old] -= weight * row
            held[old] -= weight
            at[k], held[k] = weight * row, weight
            relocated += 1
    kernels.move_centres(centres, held, at, found, told)
    return found, relocated, _spread(rows, found, count, sums), float(told[0])


def _spread(rows: TiledRows, centres: Array, count: Array, sums: Array) -> float:
    """J of the present assignment at these centres, from the sums alone."""
    cross = 2.0 * np.einsum("ij,ij->i", sums, centres) - count * np.einsum("ij,ij->i", centres, centres)
    return max(0.0, rows.reach.total - float(cross.sum()))


@storable("FurthestRows", version=1)
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


def furthest(tiles: Tiles, centres: Array, most: int, direct: bool) -> Furthest:
    """The `most` rows of a block that lie furthest from their centre; a row of weight zero does not count."""
    if tiles.rows and tiles.labels[0] < 0:
        assign(tiles, centres, direct)
    labels = tiles.labels[: tiles.rows]
    X = tiles.by_row()
    distance = ((X - centres[labels]) ** 2).sum(axis=1)
    weight = tiles.weight if tiles.weight.size else np.ones(tiles.rows)
    distance = np.where(weight > 0, distance, -1.0)
    order = np.lexsort((np.arange(tiles.rows), -distance))[:most]
    return Furthest(most, distance[order], order + tiles.first, X[order], weight[order], labels[order])


@storable("Resummed", version=1)
@dataclass(frozen=True, eq=False)
class Resummed:
    """All rows once more at the final centres: Σ w, Σ w x, Σ w ‖x - c‖² by centre, and the labels in order."""

    change: Change
    errors: Array
    labels: NDArray[np.int32]

    def __add__(self, other: "Resummed") -> "Resummed":
        labels = np.concatenate([self.labels, other.labels])  # the tree adds a block to those before it
        return Resummed(self.change + other.change, self.errors + other.errors, labels)

    def clustered(self, centres: Array, settled: bool, direct: bool, rounds: Rounds) -> Clustered:
        change, errors = self.change, self.errors
        return Clustered(
            centres, change.count, change.sums, float(errors.sum()), errors, settled, direct, rounds, self.labels
        )


def resummed(walk: Walks, rows: TiledRows, centres: Array, direct: bool) -> Resummed:
    """A last E step at the final centres, with all sums taken anew and every distance in its long form."""
    found: Resummed = walk.sum(rows, partial(_resum, centres=centres, direct=direct))
    return found


def _resum(tiles: Tiles, centres: Array, direct: bool) -> Resummed:
    tiles.labels[:] = -1
    change = assign(tiles, centres, direct)
    errors = np.zeros(len(centres))
    kernels.errors_by_centre(tiles.cells, tiles.rows, tiles.weight, centres, tiles.labels, errors)
    return Resummed(change, errors, tiles.labels[: tiles.rows].copy())
