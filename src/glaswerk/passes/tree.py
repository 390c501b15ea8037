"""The aligned tree: partial sums that meet only their siblings, so that the order of work leaves no trace in the bits.

Node (level, index) holds the sum of blocks index · 2^level … (index + 1) · 2^level - 1. Two siblings become their
parent as soon as both exist; at the end the few nodes without a sibling are added from left to right. Which blocks are
merged with which is thus decided by their numbers alone. It is also pairwise summation, the accurate kind.
"""

from itertools import pairwise
from typing import Generic, Protocol, Self, TypeVar


class Adds(Protocol):
    """Anything whose sum over blocks of rows is what it would say of all the rows."""

    def __add__(self, other: Self, /) -> Self: ...


S = TypeVar("S", bound=Adds)


class AlignedTree(Generic[S]):
    """Open nodes of the sum: at most about 2 log2(blocks) for a contiguous run of blocks."""

    def __init__(self) -> None:
        self.nodes: dict[tuple[int, int], S] = {}

    def add(self, index: int, statistic: S, level: int = 0) -> None:
        """Put the sum of node (level, index) in its place and merge upwards as far as siblings are there."""
        if (level, index) in self.nodes:
            raise ValueError(f"block {index} of level {level} was summed twice")
        sibling = self.nodes.pop((level, index ^ 1), None)
        if sibling is None:
            self.nodes[level, index] = statistic
        else:
            left, right = (sibling, statistic) if index & 1 else (statistic, sibling)
            self.add(index >> 1, left + right, level + 1)

    def absorb(self, other: "AlignedTree[S]") -> None:
        """Take over the open nodes of a part of the work."""
        for (level, index), statistic in other.nodes.items():
            self.add(index, statistic, level)

    def total(self) -> S:
        """The sum of everything added so far."""
        if not self.nodes:
            raise ValueError("no block was summed: the table has no rows")
        left_to_right = sorted(self.nodes, key=lambda n: n[1] << n[0])
        for (level, index), (next_level, next_index) in pairwise(left_to_right):
            # A block that came again after it had merged with its sibling opens a node within another.
            if (index + 1) << level > next_index << next_level:
                raise ValueError(f"a block within {index << level} … {((index + 1) << level) - 1} was summed twice")
        first, *rest = (self.nodes[node] for node in left_to_right)
        for statistic in rest:
            first = first + statistic
        return first
