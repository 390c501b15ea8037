"""Engine: who walks the blocks of a pass. Each gives the same bits, for the tree decides what is added to what."""

from collections.abc import Callable, Generator, Sequence, Sized
from contextlib import closing
from itertools import pairwise
from typing import Any, Self, TypeVar

from glaswerk.passes.blocks import Block, Source, n_blocks
from glaswerk.passes.tree import Adds, AlignedTree

S = TypeVar("S", bound=Adds)
Part = tuple[int, int]  # blocks first … last - 1


def silent(_: Sized) -> None:
    """The report of a pass nobody watches."""


class ClusterError(RuntimeError):
    """A cluster that cannot do this work, or is gone."""


class Engine:
    """Interface: somebody who walks the blocks of a source and adds what is observed. Subclasses give `summed`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: Any) -> None:
        """Let go of whatever was taken for the passes."""

    def prepare(self, source: Source) -> None:
        """Look, before the first pass, whether all who work see the same rows."""

    def shares(self) -> int:
        """Into how many parts a pass is best divided."""
        return 1

    def summed(
        self, source: Source, observe: Callable[[Block], S], parts: Sequence[Part],
        after_block: Callable[[Sized], None] = silent, each: bool = False,
    ) -> Generator[tuple[list[Part], AlignedTree[S]], None, None]:  # fmt: skip
        """The parts with their sums, in order, so that of several errors that of the earliest block is raised.

        `each` part by itself; otherwise several in a row may come already added.
        """
        raise NotImplementedError

    def sum(self, source: Source, observe: Callable[[Block], S], after_block: Callable[[Sized], None] = silent) -> S:
        """Σ observe(block) over the source; `after_block` is told of every block done."""
        whole: AlignedTree[S] = AlignedTree()
        with closing(self.summed(source, observe, parts_of(source, self.shares()), after_block)) as sums:
            for _, tree in sums:
                whole.absorb(tree)
        return whole.total()


def parts_of(source: Source, shares: int) -> list[Part]:
    """The blocks of a source, divided into about so many parts."""
    return list(pairwise(source.cuts(shares) if shares > 1 else [0, n_blocks(source.n_rows)]))
