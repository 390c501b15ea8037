"""One pass over the rows for some nodes of some trees: what each kind of node asks of a block, and how answers add."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.passes import Block
from glaswerk.trees.grown import Grown
from glaswerk.trees.levelwise.bins import BINS, Bins
from glaswerk.trees.levelwise.seen import shares
from glaswerk.trees.target import COUNTS, MANY, Target

NOBODY = -1
Slots = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Scheme:
    """How rows become sums. target: without rows; centre, scale: the grid of each output; shift: subtracted there;
    factor: weight of each class; edges: of the histogram of the first target.
    """

    bins: Bins
    target: Target
    centre: Array
    scale: Array
    shift: float
    factor: Array
    weighted: bool
    edges: Array

    def on_grid(self, Y: Array) -> Array:
        """Targets as whole numbers, class numbers as they are."""
        return Y if self.target.bounds.size else np.rint((Y - self.centre) * self.scale)

    def of_rows(self, Y: Array, weight: Array) -> Target:
        """The target of these rows, for the grower in memory."""
        data = self.on_grid(Y)
        if self.target.mode == MANY and weight.size:
            data = data * weight[:, None]
        return replace(self.target, data=np.ascontiguousarray(data), y=np.ascontiguousarray(Y))

    @property
    def components(self) -> int:
        return self.target.components

    @property
    def width(self) -> int:
        return (2 if self.weighted else 1) + self.components


class Rows(NamedTuple):
    """Rows of a block that count: their cells, targets, weights and how often each is there."""

    X: Array
    Y: Array
    weight: Array
    times: Array
    number: NDArray[np.int64]

    def of(self, some: NDArray) -> "Rows":
        return Rows(*(part[some] for part in self))


def rows_of(block: Block, scheme: Scheme) -> Rows:
    n = len(block)
    weight = block.weight if block.weight.size else np.ones(n)
    if scheme.factor.size:
        weight = weight * scheme.factor[block.Y[:, 0].astype(np.int64)]
    number = np.arange(block.first, block.first + n)
    rows = Rows(np.ascontiguousarray(block.X), block.Y, weight, np.ones(n), number)
    return rows if not block.weight.size or (block.weight > 0).all() else rows.of(block.weight > 0)


def drawn(rows: Rows, first: int, rate: float, seed: int) -> Rows:
    """Each row as often as a bootstrap sample has it: a Poisson number, drawn by the row's number alone."""
    times = poisson(shares(first, int(rows.number[-1]) - first + 1, seed)[rows.number - first], rate)
    found = rows._replace(times=times, weight=rows.weight * times)
    return found.of(times > 0)


def poisson(share: Array, rate: float) -> Array:
    """Poisson numbers from shares between 0 and 1."""
    steps, term, total = [], float(np.exp(-rate)), 0.0
    for k in range(200):
        total += term
        steps.append(total)
        if total >= 1.0 - 1e-15:
            break
        term *= rate / (k + 1)
    return np.searchsorted(np.array(steps[:-1]), share, side="right").astype(np.float64)


@dataclass(frozen=True, eq=False)
class Branches:
    """A tree so far, and for each of its nodes the place where it is to be searched, zoomed, told or kept, or none."""

    tree: Grown
    seed: int | None
    rate: float
    search: Slots
    zoom: Slots
    told: Slots
    keep: Slots


@dataclass(frozen=True, eq=False)
class Ask:
    """What a pass observes: of every tree its nodes, for zooms the column and its edges, for nodes told a mean."""

    scheme: Scheme
    trees: tuple[Branches, ...]
    searches: int
    columns: NDArray[np.int64]
    edges: Array
    means: Array


@storable("LevelSums")
@dataclass(frozen=True, eq=False)
class LevelSums:
    """search (A, d, 256, P + S) and zoom (Z, 1, 256, P + S) sums; of nodes told Σ w (y - mean)², extremes, histograms;
    rows kept: cells, targets, [weight, times], [place, number], in the order of the blocks.
    """

    search: Array
    zoom: Array
    squares: Array
    low: Array
    high: Array
    histogram: NDArray[np.int64]
    kept: tuple[tuple[Array, Array, Array, NDArray[np.int64]], ...]

    def __add__(self, other: "LevelSums") -> "LevelSums":
        return LevelSums(
            self.search + other.search, self.zoom + other.zoom, self.squares + other.squares,
            np.minimum(self.low, other.low), np.maximum(self.high, other.high), self.histogram + other.histogram,
            self.kept + other.kept,
        )  # fmt: skip


def observe(block: Block, ask: Ask) -> LevelSums:
    """Walk the rows down every tree and let each node's own ask them."""
    scheme = ask.scheme
    d, width, told = len(scheme.bins.edges), scheme.width, len(ask.means)
    q = ask.means.shape[1]
    found = LevelSums(
        np.zeros((ask.searches, d, BINS, width)), np.zeros((len(ask.columns), 1, BINS, width)), np.zeros((told, q)),
        np.full((told, q), np.inf), np.full((told, q), -np.inf),
        np.zeros((told, max(len(scheme.edges) - 1, 0)), dtype=np.int64), (),
    )  # fmt: skip
    whole = rows_of(block, scheme)
    codes = scheme.bins.codes(whole.X) if ask.searches and len(whole.X) else None
    kept = []
    for branches in ask.trees:
        rows, own = whole, codes
        if branches.seed is not None and len(whole.X):
            some = drawn(whole, int(whole.number[0]), branches.rate, branches.seed)
            own = None if codes is None else codes[np.searchsorted(whole.number, some.number)]
            rows = some
        if not len(rows.X):
            continue
        node = branches.tree.leaf_of(rows.X)
        if own is not None:
            _add(own, branches.search[node], rows, scheme, found.search)
        _zoom(branches.zoom[node], rows, ask, found.zoom)
        _tell(branches.told[node], rows, ask, found)
        place = branches.keep[node]
        here = place >= 0
        if here.any():
            part = rows.of(here)
            sides = np.stack([part.weight, part.times], axis=1)
            kept.append((part.X, part.Y, sides, np.stack([place[here].astype(np.int64), part.number], axis=1)))
    return replace(found, kept=tuple(kept))


def _add(codes: NDArray[np.uint8], slot: Slots, rows: Rows, scheme: Scheme, sums: Array) -> None:
    order = np.argsort(slot, kind="stable")
    order = order[np.searchsorted(slot[order], 0) :].astype(np.int32)
    if not len(order):
        return
    parts = [rows.times, rows.weight] if scheme.weighted else [rows.times]
    kinds = np.zeros(0, dtype=np.int32)
    if scheme.target.mode == COUNTS:
        kinds = rows.Y[:, 0].astype(np.int32)
    else:
        data = scheme.on_grid(rows.Y) - scheme.shift
        parts += list((data * rows.weight[:, None]).T)
    kernels.bin_sums(codes, order, slot, np.ascontiguousarray(np.stack(parts, axis=1)), kinds, sums)


def _zoom(slot: Slots, rows: Rows, ask: Ask, sums: Array) -> None:
    here = np.flatnonzero(slot >= 0)
    if not len(here):
        return
    slot, some = np.ascontiguousarray(slot[here]), rows.of(here)
    cells = some.X[np.arange(len(here)), ask.columns[slot]]
    codes = np.empty((len(here), 1), dtype=np.uint8)
    order = np.argsort(slot, kind="stable")
    borders = np.searchsorted(slot[order], np.arange(len(ask.columns) + 1))
    for z in range(len(ask.columns)):
        mine = order[borders[z] : borders[z + 1]]
        own = np.empty((len(mine), 1), dtype=np.uint8)
        kernels.bin_cells(np.ascontiguousarray(cells[mine])[None], ask.edges[z : z + 1], own)
        codes[mine] = own
    _add(codes, slot, some, ask.scheme, sums)


def _tell(slot: Slots, rows: Rows, ask: Ask, found: LevelSums) -> None:
    here = np.flatnonzero(slot >= 0)
    if not len(here):
        return
    own, Y, weight = slot[here], rows.Y[here], rows.weight[here]
    np.minimum.at(found.low, own, Y)
    np.maximum.at(found.high, own, Y)
    edges = ask.scheme.edges
    if not len(edges):
        return
    apart = weight[:, None] * (Y - ask.means[own]) ** 2
    for k in range(Y.shape[1]):
        found.squares[:, k] += np.bincount(own, weights=apart[:, k], minlength=len(found.squares))
    bins = np.minimum(
        ((Y[:, 0] - edges[0]) * ((len(edges) - 1) / (edges[-1] - edges[0]))).astype(np.int64), len(edges) - 2
    )
    times = rows.times[here].astype(np.int64)
    np.add.at(found.histogram, (own, bins), times)
