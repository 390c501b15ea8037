"""The rows nearest to a query: which search finds them is decided by the size of the table alone.

tree: n d log n to build, about log n + 3^d leaves for a query;   all rows: n d for a query              [BG-SEARCH]
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.passes import available_threads

Rows = NDArray[np.int64]
Single = NDArray[np.float32]
LEAF = 32
CHUNK = 1024  # queries that one thread takes at a time
FEWEST = 512  # rows below which a tree saves nothing
BOXES = 1024  # that queries are sorted into: what lies in one stays in the cache
NOBODY = np.zeros(0, dtype=np.int64)


def prefers_tree(n_rows: int, n_columns: int) -> bool:
    """Where a query meets few leaves: up to log₂(n) / 2 + 1 columns."""
    return n_rows >= FEWEST and n_columns <= np.log2(n_rows) / 2 + 1


@dataclass(frozen=True, eq=False)
class Boxes:
    """A balanced tree: tiles (leaves, d, 32) of rows, their numbers, and the box of every node."""

    tiles: Array
    places: Rows
    low: Array
    high: Array

    @classmethod
    def of(cls, rows: Array, threads: int) -> "Boxes":
        n, d = rows.shape
        levels = max(0, int(np.ceil(np.log2(max(n, 1) / LEAF))))
        leaves = 1 << levels
        points, order = np.array(rows, order="C"), np.arange(n)
        low, high = np.empty((2 * leaves - 1, d)), np.empty((2 * leaves - 1, d))
        low[0], high[0] = rows.min(axis=0), rows.max(axis=0)
        bottom = leaves - 1
        split = [(0, 0, n)]
        while len(split) < threads and split[0][0] < bottom:  # the first nodes by themselves, then one thread each
            node, first, last = split.pop(0)
            kernels.grow_tree(points, order, low, high, node, first, last, min(2 * node + 1, bottom))
            middle = (first + last) // 2
            split += [(2 * node + 1, first, middle), (2 * node + 2, middle, last)]
        in_threads([partial(kernels.grow_tree, points, order, low, high, *part, bottom) for part in split], threads)
        return cls._filled(points, order, low, high, leaves)

    @classmethod
    def _filled(cls, points: Array, order: Rows, low: Array, high: Array, leaves: int) -> "Boxes":
        """Rows set in leaves; the boxes drawn tight from below."""
        n = len(points)
        ends = np.array([0, n])
        while len(ends) <= leaves:
            halved = np.empty(2 * len(ends) - 1, dtype=np.int64)
            halved[::2], halved[1::2] = ends, (ends[:-1] + ends[1:]) // 2
            ends = halved
        size = np.diff(ends)
        place = np.minimum(ends[:-1, None] + np.arange(LEAF), n - 1)
        there = np.arange(LEAF) < size[:, None]
        places = np.where(there, order[place], -1)
        filled = np.where(there[:, :, None], points[place], np.inf)
        tiles = np.ascontiguousarray(np.swapaxes(filled, 1, 2))
        bottom = leaves - 1
        low[bottom:] = tiles.min(axis=2)
        high[bottom:] = np.where(there[:, :, None], filled, -np.inf).max(axis=1)
        while bottom:
            parents = bottom // 2
            low[parents:bottom] = np.minimum(low[bottom : 2 * bottom + 1 : 2], low[bottom + 1 : 2 * bottom + 1 : 2])
            high[parents:bottom] = np.maximum(high[bottom : 2 * bottom + 1 : 2], high[bottom + 1 : 2 * bottom + 1 : 2])
            bottom = parents
        return cls(tiles, places, low, high)

    def turn(self, queries: Array) -> Rows:
        """The queries in the order of the boxes they come to, so that neighbours find the same boxes warm."""
        boxes = np.empty(len(queries), dtype=np.int64)
        kernels.box_of(self.low, self.high, queries, min(len(self.tiles), BOXES) - 1, boxes)
        return np.argsort(boxes.astype(np.uint16), kind="stable")


@dataclass(frozen=True, eq=False)
class Nearest:
    """Rows to be found, by Σ |x - q|^power without its root; a tree where `tree`, else all rows are passed."""

    rows: Array
    power: float
    tree: bool
    threads: int

    @cached_property
    def boxes(self) -> Boxes:
        return Boxes.of(self.rows, self.threads)

    @cached_property
    def small(self) -> tuple[Single, Single, float]:
        """The rows in single precision, their squared lengths, and the power of two that brings these below one."""
        longest = np.abs(self.rows).max(initial=0.0) * np.sqrt(self.rows.shape[1])
        scale = 2.0 ** -np.clip(np.ceil(np.log2(longest)), -1000, 1000) if longest else 1.0
        scaled = scale * self.rows
        return scaled.astype(np.float32), np.einsum("ij,ij->i", scaled, scaled).astype(np.float32), float(scale)

    def query(self, queries: Array, k: int, own: Rows = NOBODY) -> tuple[Array, Rows]:
        """Distances (m, k), ascending, and numbers of rows (m, k); of equally near rows the first. Not row own[i]."""
        m = len(queries)
        nearest = np.full((m, k), np.inf)
        rows = np.full((m, k), np.iinfo(np.int64).max)
        queries = np.ascontiguousarray(queries)
        if self.tree:
            b, turn = self.boxes, self.boxes.turn(queries)
            walk = partial(kernels.tree_neighbours, b.tiles, b.places, b.low, b.high, queries)
            parts = [
                partial(walk, turn[start : start + CHUNK], own, self.power, nearest, rows)
                for start in range(0, m, CHUNK)
            ]
        else:
            step = min(CHUNK, max(64, -(-m // self.threads) // 64 * 64))
            scan = partial(kernels.all_neighbours, self.rows, *self.small, queries, own)
            parts = [partial(scan, start, min(start + step, m), nearest, rows) for start in range(0, m, step)]
        in_threads(parts, self.threads)
        return self._rooted(nearest), rows

    def _rooted(self, sums: Array) -> Array:
        if self.power == 2.0:
            return np.sqrt(sums, out=sums)
        return sums if self.power in (1.0, np.inf) else sums ** (1.0 / self.power)


def in_threads(parts: Sequence[Callable[[], Any]], threads: int) -> None:
    """Run all parts, several at a time; each writes to places of its own."""
    if threads == 1 or len(parts) == 1:
        for part in parts:
            part()
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
        for done in [pool.submit(part) for part in parts]:
            done.result()


def threads_for(n_jobs: int | None) -> int:
    return available_threads(n_jobs)
