"""Gaussian weights of rows around queries, and only of those rows that can matter.

    K(x, q) = exp(-½ Σ (x_j - q_j)² / h_j²)                                                              [BG-DGAUSS]

Queries that lie together share one look at the boxes of the tree. Boxes further than the others outweigh are left out;
what they could weigh at most is kept, and bounds the error: range(y) · dropped / (mass + dropped).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from glaswerk.base import Array
from glaswerk.learner.nearest import Boxes, Rows, in_threads, prefers_tree

CELLS = 1 << 19  # weights that one thread computes at a time
FEW, MANY = 8, 256  # queries that share a look at the boxes
SAFE = 0.1  # of the weight that rows left out may have: the mass of a group is guessed before it is known
WIDE = 2.0  # sides of the box of such queries, in bandwidths
STEADY = 1e6  # ½|x|² up to which products keep the digits of distances


@dataclass(frozen=True, eq=False)
class Group:
    """Queries that lie together, the rows that matter to them, and ln of what all other rows weigh at most."""

    places: Rows
    rows: Rows | slice
    log_dropped: float


@dataclass(frozen=True, eq=False)
class Weighed:
    """Weights K exp(-ln_scale) (m, r) of the group's rows; the greatest of a query is 1, so that none is 0/0."""

    group: Group
    kernel: Array
    log_scale: Array
    centre: Array

    @property
    def dropped(self) -> Array:
        """What the rows left out weigh at most, in the units of `kernel`."""
        return np.exp(np.minimum(self.group.log_dropped - self.log_scale, 700.0))


class Bumps:
    """Rows in units of their bandwidths, their weights, and the search."""

    def __init__(self, rows: Array, weight: Array, threads: int) -> None:
        self.rows, self.weight, self.threads = rows, weight, threads
        self.boxes = Boxes.of(rows, threads) if prefers_tree(*rows.shape) else None
        if self.boxes is not None:
            bottom = len(self.boxes.tiles) - 1
            self.low, self.high = self.boxes.low[bottom:], self.boxes.high[bottom:]
            self.middle = 0.5 * (self.low + self.high)
            there = self.boxes.places >= 0
            self.mass = np.where(there, weight[self.boxes.places], 0.0).sum(axis=1)

    def each(self, queries: Array, tol: float, use: Callable[[Weighed], None]) -> None:
        """Call `use` for groups that together are all queries; rows left out weigh at most `tol` times the others."""
        groups = self._all_rows(len(queries)) if self.boxes is None or tol == 0 else self._near(queries)
        in_threads([partial(self._one, queries, group, tol, use) for group in groups], self.threads)

    def _all_rows(self, m: int) -> list[Rows]:
        step = max(FEW, CELLS // len(self.rows))
        return [np.arange(k, min(k + step, m)) for k in range(0, m, step)]

    def _near(self, queries: Array) -> list[Rows]:
        """Halved along the widest side until each part is small, or of few queries."""
        found, split = [], [np.arange(len(queries))]
        while split:
            part = split.pop()
            sides = np.ptp(queries[part], axis=0)
            if len(part) <= FEW or (len(part) <= MANY and sides.max() <= WIDE):
                found.append(part)
                continue
            turn = np.argsort(queries[part, int(sides.argmax())], kind="stable")
            split += [part[turn[len(part) // 2 :]], part[turn[: len(part) // 2]]]
        return found

    def _one(self, queries: Array, places: Rows, tol: float, use: Callable[[Weighed], None]) -> None:
        all_rows = Group(places, slice(None), -np.inf)
        if self.boxes is None or tol == 0:
            use(self.weigh(queries[places], all_rows))
            return
        group = self._matter(queries[places], places, tol)
        step = max(FEW, CELLS // max(len(self.rows[group.rows]), 1))
        for first in range(0, len(places), step):
            part = Group(places[first : first + step], group.rows, group.log_dropped)
            seen = self.weigh(queries[part.places], part)
            enough = bool((seen.dropped <= tol * (seen.kernel @ self.weight[part.rows])).all())
            use(seen if enough else self.weigh(queries[part.places], Group(part.places, slice(None), -np.inf)))

    def _matter(self, near: Array, places: Rows, tol: float) -> Group:
        """Leaves from the nearest on, until those left weigh `tol` times what all probably weigh; checked later."""
        assert self.boxes is not None
        low, high = near.min(axis=0), near.max(axis=0)
        gap = np.maximum(np.maximum(self.low - high, low - self.high), 0.0)
        away = self.middle - 0.5 * (low + high)
        at_most = -0.5 * np.einsum("ij,ij->i", gap, gap)
        probably = -0.5 * np.einsum("ij,ij->i", away, away)
        top = probably.max()
        likely = float(self.mass @ np.exp(probably - top))
        order = np.argsort(-at_most, kind="stable")
        could = self.mass[order] * np.exp(np.minimum(at_most[order] - top, 600.0))
        left = np.append(np.cumsum(could[::-1])[::-1], 0.0)
        keep = max(int(np.argmax(left <= SAFE * tol * likely)), 1)
        dropped = float(left[keep])
        if 2 * keep >= len(order):
            return Group(places, slice(None), -np.inf)
        taken = self.boxes.places[np.sort(order[:keep])].ravel()
        return Group(places, taken[taken >= 0], np.log(dropped) + top if dropped else -np.inf)

    def weigh(self, near: Array, group: Group) -> Weighed:
        """-½|x - q|² from products where they keep the digits, else from differences."""
        centre = near.mean(axis=0)
        rows, queries = self.rows[group.rows] - centre, near - centre
        half, own = 0.5 * np.einsum("ij,ij->i", rows, rows), 0.5 * np.einsum("ij,ij->i", queries, queries)
        if max(half.max(), own.max()) <= STEADY:
            cells = np.column_stack([queries, np.ones(len(near))]) @ np.column_stack([rows, -half]).T
        else:
            cells = np.zeros((len(near), len(rows)))
            for q, x in zip(queries.T, rows.T, strict=True):
                cells -= 0.5 * (q[:, None] - x) ** 2
            own = np.zeros(len(near))
        top = cells.max(axis=1)
        cells -= top[:, None]
        return Weighed(group, np.exp(cells, out=cells), top - own, centre)
