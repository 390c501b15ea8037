"""Gaussian weights of rows around queries, and what weighted rows add up to.

    K(x, q) = exp(-½ Σ (x_j - q_j)² / h_j²)                                                              [BG-DGAUSS]

Where a query sees part of the rows, each walks the tree of boxes and leaves out those further than the others outweigh;
what they could weigh at most is kept, and bounds the error: range(y) · dropped / (mass + dropped). Where it sees most
rows, products of matrices take all of them, and nothing is dropped.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.learner.nearest import CHUNK, Boxes, in_threads

CELLS = 1 << 19  # weights that one thread computes at a time
FEW = 8
MOST = 0.5  # of the rows' box that a bell may cover; beyond it products of matrices are quicker than the tree
FAR = 1e8  # extents of the rows: a query further away than that sees what one there sees
TOO_FAR = 1e140  # bandwidths: squares beyond it are no numbers
TINY = 1e-16  # tol = 0 reaches for it: less than a last digit


@dataclass(frozen=True, eq=False)
class Sums:
    """Σ w K side of every query (m, q) and mass Σ w K, squares Σ w K² (m,), in units of its greatest bell e^top;
    `dropped`, what rows left out weigh at most.
    """

    sides: Array
    mass: Array
    squares: Array
    top: Array
    dropped: Array


@dataclass(frozen=True, eq=False)
class Lines:
    """Weighted moments about `away`, which points from the mean of the rows to the query: mean of the sides (m, q),
    covariances of rows (m, d, d) and of sides with rows (m, q, d); `far` (m,) is |mean|² as it was summed.
    """

    level: Array
    away: Array
    spread: Array
    cross: Array
    far: Array


class Bumps:
    """Rows in units of their bandwidths, their weights, and the search."""

    def __init__(self, rows: Array, weight: Array, threads: int) -> None:
        if not np.abs(rows).max() < TOO_FAR:
            raise ValueError(f"bandwidth is too small beside the columns, whose cells lie beyond {TOO_FAR:g} of it")
        self.rows, self.weight, self.threads = rows, weight, threads

    def held(self, queries: Array) -> Array:
        """Queries within reach of numbers: those further than `FAR` from all rows are taken back to there."""
        low, high = self.rows.min(axis=0), self.rows.max(axis=0)
        room = FAR * max(1.0, float((high - low).max()))
        return np.clip(queries, low - room, high + room)

    def reaches_all(self, tol: float) -> bool:
        """Whether bells cover most of the box around the rows."""
        reach = np.sqrt(2.0 * np.log(len(self.rows) / max(tol, TINY)))
        return bool(np.prod(np.minimum(1.0, 2.0 * reach / np.maximum(np.ptp(self.rows, axis=0), 1e-300))) > MOST)

    def means(self, queries: Array, sides: Array, tol: float) -> Sums:
        """Sums of `sides` (n, q); rows left out weigh at most `tol` times the others."""
        q, queries = sides.shape[1], self.held(queries)
        if self.reaches_all(tol):
            heavy = np.column_stack([sides, np.ones(len(sides))]) * self.weight[:, None]
            found, squares, top = np.empty((len(queries), q + 1)), np.empty(len(queries)), np.empty(len(queries))

            def use(places: slice, bells: Array, highest: Array) -> None:
                found[places], top[places] = bells @ heavy, highest
                squares[places] = np.square(bells, out=bells) @ self.weight

            self._products(queries, use)
            return Sums(found[:, :q], found[:, q], squares, top, np.zeros(len(queries)))
        sums, top, dropped = self._walked(queries, sides, tol, lines=False)
        return Sums(sums[:, 2:], sums[:, 0], sums[:, 1], top, dropped)

    def lines(self, queries: Array, sides: Array, tol: float) -> Lines:
        """What a line through rows weighted by the bell of each query is made from."""
        d, q, queries = queries.shape[1], sides.shape[1], self.held(queries)
        if not self.reaches_all(tol):
            return _moments(self._walked(queries, sides, tol, lines=True)[0], d, q, np.zeros_like(queries))
        centre = self.weight @ self.rows / self.weight.sum()
        heavy = line_columns(self.rows - centre, sides) * self.weight[:, None]
        found = np.empty((len(queries), heavy.shape[1]))

        def use(places: slice, bells: Array, _highest: Array) -> None:
            found[places] = bells @ heavy

        self._products(queries, use)
        return _moments(found, d, q, queries - centre)

    def _products(self, queries: Array, use: Callable[[slice, Array, Array], None]) -> None:
        """K of all rows (m, n) in units of the greatest of each query, so that none is 0/0, some queries at a time."""
        centre = self.rows.mean(axis=0)
        rows = self.rows - centre
        half = 0.5 * np.einsum("ij,ij->i", rows, rows)
        columns = np.ascontiguousarray(np.column_stack([rows, -half]).T)
        step = max(FEW, CELLS // len(rows))

        def part(first: int) -> None:
            places = slice(first, first + step)
            near = queries[places] - centre
            cells = np.column_stack([near, np.ones(len(near))]) @ columns
            top = cells.max(axis=1)
            cells -= top[:, None]
            use(places, np.exp(cells, out=cells), top - 0.5 * np.einsum("ij,ij->i", near, near))

        in_threads([partial(part, first) for first in range(0, len(queries), step)], self.threads)

    def _walked(self, queries: Array, sides: Array, tol: float, *, lines: bool) -> tuple[Array, Array, Array]:
        """Sums by the tree, each query by itself; the highest exponent, what was dropped."""
        m, (d, q) = len(queries), (queries.shape[1], sides.shape[1])
        width = (d + 1) * (q + 1) + d * (d + 1) // 2 if lines else q + 2
        sums, top, dropped = np.empty((m, width)), np.empty(m), np.empty(m)
        b, queries = self.boxes, np.ascontiguousarray(queries)
        turn = b.turn(queries)
        there = np.ascontiguousarray(np.swapaxes(sides[self.places], 1, 2))
        share = tol / float(self.weight.sum())
        walk = partial(kernels.bell_sums, self.tiles, self.heavy, there, b.low, b.high, self.mass, queries)
        parts = [
            partial(walk, turn[first : first + CHUNK], share, lines, sums, top, dropped)
            for first in range(0, m, CHUNK)
        ]  # fmt: skip
        in_threads(parts, self.threads)
        return sums, top, dropped

    @cached_property
    def boxes(self) -> Boxes:
        return Boxes.of(self.rows, self.threads)

    @cached_property
    def places(self) -> Array:
        """The row of every lane; lanes beyond the last row of a leaf repeat its first, and weigh nothing."""
        return np.where(self.boxes.places >= 0, self.boxes.places, self.boxes.places[:, :1])

    @cached_property
    def tiles(self) -> Array:
        return np.ascontiguousarray(np.swapaxes(self.rows[self.places], 1, 2))

    @cached_property
    def heavy(self) -> Array:
        return np.where(self.boxes.places >= 0, self.weight[self.places], 0.0)

    @cached_property
    def mass(self) -> Array:
        """The weight in every box."""
        found = [self.heavy.sum(axis=1)]
        while len(found[0]) > 1:
            found.insert(0, found[0][::2] + found[0][1::2])
        return np.concatenate(found)


def line_columns(rows: Array, sides: Array) -> Array:
    """Products of rows u and sides in the order that the compiled sums have: 1, sides; u_j, u_j sides, u_j u_l."""
    parts = [np.ones((len(rows), 1)), sides]
    for j, column in enumerate(rows.T):
        parts += [column[:, None], column[:, None] * sides, column[:, None] * rows[:, : j + 1]]
    return np.column_stack(parts)


def _moments(sums: Array, d: int, q: int, queries: Array) -> Lines:
    """Means and covariances from sums; `queries` where the sums have their origin."""
    sums = sums / sums[:, :1]
    level, at = sums[:, 1 : q + 1], q + 1
    mean, cross, spread = np.empty((len(sums), d)), np.empty((len(sums), q, d)), np.empty((len(sums), d, d))
    for j in range(d):
        mean[:, j], cross[:, :, j] = sums[:, at], sums[:, at + 1 : at + q + 1]
        spread[:, j, : j + 1] = spread[:, : j + 1, j] = sums[:, at + q + 1 : at + q + j + 2]
        at += q + j + 2
    spread -= mean[:, :, None] * mean[:, None, :]
    cross -= level[:, :, None] * mean[:, None, :]
    return Lines(level, queries - mean, spread, cross, np.einsum("ij,ij->i", mean, mean))
