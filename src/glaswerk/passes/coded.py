"""A source whose target is a class: its rows carry the number of the class instead of the label."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from glaswerk.passes.blocks import Array, Block, Source, is_here, within


@dataclass(frozen=True, eq=False)
class CodedSource:
    """The rows of `source` with `code(labels, weight=weight)` in place of their target."""

    source: Source
    code: Callable[..., Array]

    @property
    def names(self) -> tuple[str, ...]:
        return self.source.names

    @property
    def n_rows(self) -> int:
        return self.source.n_rows

    @property
    def n_targets(self) -> int:
        return 1

    @property
    def here(self) -> bool:
        return is_here(self.source)

    def within(self, first: int, last: int) -> "CodedSource":
        return replace(self, source=within(self.source, first, last))

    def head(self) -> Block:
        return self._coded(self.source.head())

    def blocks(self, first: int, last: int) -> Iterator[Block]:
        return map(self._coded, self.source.blocks(first, last))

    def cuts(self, parts: int) -> list[int]:
        return self.source.cuts(parts)

    def _coded(self, block: Block) -> Block:
        return replace(block, Y=self.code(block.Y[:, 0], weight=block.weight)[:, None])
