"""Rows laid out in tiles for the loops that measure distances: once where they fit in memory, else in every pass.

Rows that are not held carry nothing from pass to pass, so that any process may lay out any block.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.passes import BLOCK_ROWS, Block, Source, is_here, within
from glaswerk.stats.moments import common_shift

LANES = 256
HELD_BYTES = 1 << 28  # rows that take more are laid out again in every pass, whoever walks them
HEAD_ROWS = 1024
S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class Tiles:
    """A block of rows as cells (tiles, d, LANES), with squared lengths, weights, and the centre each row has now."""

    first: int
    rows: int
    cells: Array
    squares: Array
    sums: Array
    weight: Array
    labels: NDArray[np.int32]

    def __len__(self) -> int:
        return self.rows

    @classmethod
    def of(cls, block: Block, shift: Array) -> "Tiles":
        X = np.ascontiguousarray(block.X)
        tiles = -(-len(X) // LANES)
        cells, squares, sums = np.empty((tiles, X.shape[1], LANES)), np.empty((tiles, LANES)), np.zeros((2, X.shape[1]))
        kernels.lay_out(X, shift, cells, squares, sums)
        labels = np.full(tiles * LANES, -1, dtype=np.int32)
        return cls(block.first, len(X), cells, squares, sums, np.ascontiguousarray(block.weight), labels)

    def row(self, k: int) -> Array:
        """Row k of the block, seen from the shift."""
        found: Array = self.cells[k // LANES, :, k % LANES].copy()
        return found

    def by_row(self) -> Array:
        """The rows as they were (rows, d), but seen from the shift."""
        found: Array = self.cells.transpose(0, 2, 1).reshape(-1, self.cells.shape[1])[: self.rows]
        return found


class Walks(Protocol):
    """Whoever sums what blocks say: `learner.Walk`."""

    source: Source

    def over(self, source: Source) -> Any: ...

    def sum(self, rows: Any, observe: Any) -> Any: ...

    def refuse_unusable(self, block: Block) -> None: ...


@storable("TiledExtent", version=1)
@dataclass(frozen=True, eq=False)
class Extent:
    """How far rows reach: their number, weight, Σ (x - shift), Σ (x - shift)², Σ w ‖x - shift‖², the largest square.

    `unusable`: the first row of the first block whose sums are not finite, or infinity.
    """

    rows: int
    weight: float
    sums: Array
    total: float
    longest: float
    unusable: float = np.inf

    def __add__(self, other: "Extent") -> "Extent":
        return Extent(
            self.rows + other.rows, self.weight + other.weight, self.sums + other.sums, self.total + other.total,
            max(self.longest, other.longest), min(self.unusable, other.unusable),
        )  # fmt: skip

    @property
    def variance(self) -> Array:
        """Of every column, each row counted once: what a tolerance is measured by."""
        found: Array = np.maximum(self.sums[1] / self.rows - (self.sums[0] / self.rows) ** 2, 0.0)
        return found

    @classmethod
    def of(cls, tiles: Tiles) -> "Extent":
        squares = tiles.squares.ravel()[: tiles.rows]
        weight = float(tiles.weight.sum()) if tiles.weight.size else float(tiles.rows)
        with np.errstate(invalid="ignore", over="ignore"):
            total = float(tiles.weight @ squares) if tiles.weight.size else float(squares.sum())
            longest = float(squares.max())
            usable = bool(np.isfinite(longest + tiles.sums.sum()))
        return cls(tiles.rows, weight, tiles.sums, total, longest, np.inf if usable else tiles.first)


@dataclass(eq=False)
class TiledRows:
    """The rows of a walk in tiles about a common shift. `extent` comes from the pass that first laid them out."""

    source: Source
    shift: Array
    held: dict[int, Tiles] | None
    extent: Extent | None = None

    @property
    def n_rows(self) -> int:
        return self.source.n_rows

    def cuts(self, parts: int) -> list[int]:
        return self.source.cuts(parts)

    def blocks(self, first: int, last: int) -> Iterator[Tiles]:
        if self.held is not None and all(number in self.held for number in range(first, last)):
            return (self.held[number] for number in range(first, last))
        return self._laid(first, last)

    def _laid(self, first: int, last: int) -> Iterator[Tiles]:
        for number, block in enumerate(self.source.blocks(first, last), start=first):
            tiles = Tiles.of(block, self.shift)
            if self.held is not None:
                self.held[number] = tiles
            yield tiles

    @property
    def here(self) -> bool:
        """Whether the rows lie in the memory of this process."""
        return self.held is not None

    def within(self, first: int, last: int) -> "TiledRows":
        """What travels to whoever lays out the blocks first … last - 1."""
        return replace(self, source=within(self.source, first, last))

    @property
    def alone(self) -> bool:
        """Whether one held block is the whole table."""
        return self.held is not None and len(self.held) == 1 and self.n_rows <= BLOCK_ROWS

    def forget_labels(self) -> None:
        """No row has a centre yet."""
        for tiles in (self.held or {}).values():
            tiles.labels[:] = -1

    def row(self, number: int) -> Array:
        """One row, seen from the shift; only where rows are held."""
        assert self.held is not None
        return self.held[number // BLOCK_ROWS].row(number % BLOCK_ROWS)

    @property
    def reach(self) -> Extent:
        assert self.extent is not None
        return self.extent


def tiled(walk: Walks) -> TiledRows:
    """The rows in tiles, about their mean as far as the first block knows it."""
    source = walk.source
    head = source.head()
    small = source.n_rows * (head.X.shape[1] + 1) * 8 <= HELD_BYTES
    rows = TiledRows(source, _centre(head), {} if small or is_here(source) else None)
    with np.errstate(invalid="ignore", over="ignore"):
        rows.extent = walk.sum(rows, Extent.of)
    if rows.reach.unusable < np.inf:
        number = int(rows.reach.unusable) // BLOCK_ROWS
        walk.refuse_unusable(next(iter(source.blocks(number, number + 1))))
    return rows


def _centre(head: Block) -> Array:
    """The mean of some rows: distances do not depend on it, their rounding does."""
    with np.errstate(invalid="ignore", over="ignore"):
        return common_shift(np.asarray(head.X[:: -(-len(head) // HEAD_ROWS)]))
