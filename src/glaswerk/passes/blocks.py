"""Blocks of rows, and the sources that hand them out."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
BLOCK_ROWS = 65_536


@dataclass(frozen=True, eq=False)
class Block:
    """Rows `first` … of the table: X (n, d) in any memory order, Y (n, q), weight (n,) or (0,), low parts of X."""

    first: int
    X: Array
    Y: Array
    weight: Array
    X_low: Array | None = None

    def __len__(self) -> int:
        return len(self.X)


@dataclass(frozen=True)
class Done:
    """So many rows that somebody else has walked."""

    rows: int

    def __len__(self) -> int:
        return self.rows


class Source(Protocol):
    """A table whose rows can be walked again and again in the same logical blocks."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def n_rows(self) -> int: ...

    @property
    def n_targets(self) -> int: ...

    def head(self) -> Block:
        """The first logical block, or its beginning: enough to choose a shift from."""
        ...

    def blocks(self, first: int, last: int) -> Iterator[Block]:
        """Logical blocks first … last - 1, each BLOCK_ROWS rows but for the table's last."""
        ...

    def cuts(self, parts: int) -> list[int]:
        """Block numbers, from 0 to the number of blocks, at which the work may best be divided into `parts`."""
        ...


def is_here(source: Any) -> bool:
    """Whether the rows lie in the memory of this process, where they are best walked."""
    return bool(getattr(source, "here", False))


def carries_rows(source: Any) -> bool:
    """Whether rows travel with the source, so that nobody needs to see where they come from."""
    return bool(getattr(origin(source), "carries_rows", False))


def within(source: Any, first: int, last: int) -> Any:
    """What of a source is enough to walk the blocks first … last - 1: what travels to whoever walks them."""
    return source.within(first, last) if hasattr(source, "within") else source


def fingerprint_of(source: Any) -> dict[str, str]:
    """What tells the rows of a source from others, without reading them all."""
    found: dict[str, str] = origin(source).fingerprint()
    return found


def place_of(source: Any, row: int) -> str:
    """In which file a row lies, as far as the source knows."""
    found = origin(source)
    return str(found.place(row)) if hasattr(found, "place") else ""


def origin(source: Any) -> Any:
    """Where the rows of a source of a source come from."""
    while hasattr(source, "source"):
        source = source.source
    return source


def n_blocks(n_rows: int) -> int:
    return -(-n_rows // BLOCK_ROWS)


def even_cuts(n_rows: int, parts: int) -> list[int]:
    """Blocks divided as evenly as they go; fewer parts where there are fewer blocks."""
    blocks = n_blocks(n_rows)
    parts = max(1, min(parts, blocks))
    return [blocks * k // parts for k in range(parts + 1)]


@dataclass(frozen=True, eq=False)
class ArraySource:
    """A table in memory, of any numeric type and memory order: made uniform block by block, never copied whole."""

    X: NDArray
    Y: Array
    weight: Array = field(default_factory=lambda: np.zeros(0))
    X_low: Array | None = None
    names: tuple[str, ...] = ()
    here: ClassVar[bool] = True

    @property
    def n_rows(self) -> int:
        return len(self.X)

    @property
    def n_targets(self) -> int:
        return self.Y.shape[1]

    def head(self) -> Block:
        return self._block(0, min(self.n_rows, BLOCK_ROWS))

    def blocks(self, first: int, last: int) -> Iterator[Block]:
        for start in range(first * BLOCK_ROWS, min(last * BLOCK_ROWS, self.n_rows), BLOCK_ROWS):
            yield self._block(start, start + BLOCK_ROWS)

    def cuts(self, parts: int) -> list[int]:
        return even_cuts(self.n_rows, parts)

    def _block(self, start: int, stop: int) -> Block:
        rows = slice(start, stop)
        low = None if self.X_low is None else self.X_low[rows]
        weight = self.weight[rows] if self.weight.size else self.weight
        return Block(start, np.asarray(self.X[rows], dtype=np.float64), self.Y[rows], weight, low)
