"""Where prototypes start: k-means++ with scikit-learn's draws, random rows, or k-means++ on a sample of a large file.

k-means++ (greedy): each next seed is the best of 2 + ⌊ln k⌋ rows drawn with probability proportional to the squared
distance from the seeds so far. The same RandomState gives the same seeds as scikit-learn's.
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.optim.tiles import LANES, TiledRows, Tiles, Walks
from glaswerk.passes import BLOCK_ROWS, ArraySource
from glaswerk.stats.bottom_k import hashed

SAMPLE_ROWS = 1 << 17  # rows a start is sought on where the table is not held in memory


@dataclass(frozen=True, eq=False)
class Potential:
    """Σ w (squared distance to the nearest seed): of every candidate, or of every tile of every block."""

    candidates: Array
    tiles: dict[int, Array]

    def __add__(self, other: "Potential") -> "Potential":
        return Potential(self.candidates + other.candidates, self.tiles | other.tiles)


def all_weights(rows: TiledRows) -> Array | None:
    """Weights in the order of the table, or None where every row counts once."""
    assert rows.held is not None
    parts = [rows.held[number].weight for number in sorted(rows.held)]
    return np.concatenate(parts) if parts[0].size else None


def plus_plus(walk: Walks, rows: TiledRows, k: int, random: np.random.RandomState) -> Array:
    """k rows as seeds (k, d), about the shift; rows must be held."""
    closest: dict[int, Array] = {}
    weight = all_weights(rows)
    trials = 2 + int(np.log(k))
    places = [_draw_one(rows.n_rows, weight, random)]
    potential = _take(walk, rows, rows.row(places[0]), closest)
    for _ in range(1, k):
        found = _Cumulated(potential, rows, closest)
        drawn = [found.place(u) for u in random.uniform(size=trials) * found.total]
        candidates = np.array([rows.row(place) for place in drawn])
        tried: Potential = walk.sum(rows, partial(_try, closest=closest, seeds=candidates))
        best = int(np.argmin(tried.candidates))
        places.append(drawn[best])
        potential = _take(walk, rows, candidates[best], closest)
    return np.array([rows.row(place) for place in places])


def _draw_one(n: int, weight: Array | None, random: np.random.RandomState) -> int:
    """The first seed: the row at which the cumulated weights pass a uniform number."""
    u = random.random_sample()
    if weight is None:
        return min(int(u * n), n - 1)
    shares = np.cumsum(weight / weight.sum())
    return min(int(np.searchsorted(shares / shares[-1], u, side="right")), n - 1)


def _take(walk: Walks, rows: TiledRows, seed: Array, closest: dict[int, Array]) -> Potential:
    found: Potential = walk.sum(rows, partial(_nearer, closest=closest, seed=seed))
    return found


def _nearer(tiles: Tiles, closest: dict[int, Array], seed: Array) -> Potential:
    so_far = closest.setdefault(tiles.first, np.full(tiles.squares.shape, np.inf))
    sums = np.empty(len(tiles.cells))
    kernels.take_seed(tiles.cells, tiles.rows, tiles.weight, so_far, seed, sums)
    return Potential(np.zeros(0), {tiles.first: sums})


def _try(tiles: Tiles, closest: dict[int, Array], seeds: Array) -> Potential:
    found = np.zeros(len(seeds))
    kernels.try_seeds(tiles.cells, tiles.rows, tiles.weight, closest[tiles.first], seeds, found)
    return Potential(found, {})


class _Cumulated:
    """The cumulated potential of the rows: by tile at once, by row only within the tile a draw falls into."""

    def __init__(self, potential: Potential, rows: TiledRows, closest: dict[int, Array]) -> None:
        self.rows, self.closest = rows, closest
        self.blocks = sorted(potential.tiles)
        self.by_tile = np.concatenate([potential.tiles[first] for first in self.blocks])
        self.upto = list(accumulate(self.by_tile.tolist()))
        self.total = self.upto[-1]

    def place(self, u: float) -> int:
        """The first row at which the cumulated potential reaches u."""
        tile = min(bisect_left(self.upto, u), len(self.upto) - 1)
        start = tile * LANES
        block, within = divmod(start, BLOCK_ROWS)
        assert self.rows.held is not None
        tiles = self.rows.held[block]
        lane = self.closest[tiles.first][within // LANES][: min(LANES, tiles.rows - within)]
        weighted = lane * tiles.weight[within : within + len(lane)] if tiles.weight.size else lane
        before = self.upto[tile - 1] if tile else 0.0
        inside = int(np.searchsorted(before + np.cumsum(weighted), u))
        return start + min(inside, len(lane) - 1)


def random_rows(_: Walks, rows: TiledRows, k: int, random: np.random.RandomState) -> Array:
    """k different rows, drawn with probability proportional to their weight."""
    weight = all_weights(rows)
    share = np.full(rows.n_rows, 1.0 / rows.n_rows) if weight is None else weight / weight.sum()
    return np.array([rows.row(int(i)) for i in random.choice(rows.n_rows, size=k, replace=False, p=share)])


@storable("RowSample", version=1)
@dataclass(frozen=True, eq=False)
class Sample:
    """The rows of smallest key, where every row's key is hashed from its number: a sample that adds."""

    most: int
    keys: Array
    rows: Array
    weight: Array

    def __add__(self, other: "Sample") -> "Sample":
        keys = np.concatenate([self.keys, other.keys])
        order = np.argsort(keys, kind="stable")[: self.most]
        rows, weight = np.concatenate([self.rows, other.rows]), np.concatenate([self.weight, other.weight])
        return Sample(self.most, keys[order], rows[order], weight[order])


def sampled(walk: Walks, rows: TiledRows, seed: int, most: int = SAMPLE_ROWS) -> ArraySource:
    """Rows drawn without replacement in one pass, as a table of their own about the same shift."""
    found: Sample = walk.sum(rows, partial(_sample, seed=seed, most=most))
    weight = found.weight if np.ptp(found.weight) else np.zeros(0)
    return ArraySource(found.rows, np.zeros((len(found.rows), 0)), weight)


def _sample(tiles: Tiles, seed: int, most: int) -> Sample:
    keys = hashed(np.arange(tiles.first, tiles.first + tiles.rows, dtype=np.uint64), seed)
    order = np.argsort(keys, kind="stable")[:most]
    X = tiles.by_row()
    weight = tiles.weight if tiles.weight.size else np.ones(tiles.rows)
    return Sample(most, keys[order].astype(np.float64), X[order], weight[order])


def random_state(given: Any) -> np.random.RandomState:
    """scikit-learn's reading of `random_state`: a seed, a generator, or None for the global one."""
    if given is None:
        return np.random.mtrand._rand
    return given if isinstance(given, np.random.RandomState) else np.random.RandomState(given)
