"""One attribute of a concept: its values in a fixed order, and the conditions a hypothesis may put on it.

Every condition but ∅ is a range [low, high] of places in that order: a value is [v, v], `?` is everything, a node of a
tree holds the leaves under it, an interval of an ordered attribute is itself. What two conditions share is again one
(or ∅), so there is always one least condition that holds given values: its `closure`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable

Ranges = NDArray[np.int64]  # (…, 2): low and high
ANY, NONE = "?", "∅"


@storable("ConceptAttribute", version=1)
@dataclass(frozen=True, eq=False)
class Attribute:
    """Values, and the conditions on them.

    `open`: values never seen may come, and only `?` holds them; they share one place after the last value. `nodes` are
    the ranges that stand for a condition each, ascending in size, `names` what they are called; of an ordered
    attribute there are none, since every range is a condition. `numbers` are the values where they are numbers.
    """

    name: str
    values: tuple[str, ...]
    ordered: bool
    open: bool
    nodes: Ranges
    names: tuple[str, ...]
    numbers: NDArray[np.float64]

    def check(self) -> None:
        if not self.values or len(set(self.values)) != len(self.values):
            raise ValueError(f"the attribute {self.name} needs values that differ")
        if self.nodes.shape != (len(self.names), 2) or self.numbers.shape not in ((0,), (len(self.values),)):
            raise ValueError(f"the attribute {self.name} needs one name for every node, and a number for every value")
        if self.nodes.size and (self.nodes.min() < 0 or self.nodes.max() > self.top):
            raise ValueError(f"the attribute {self.name} has a node beyond its values")

    @property
    def top(self) -> int:
        """The last place: that of values never seen where the attribute is open."""
        return len(self.values) - (not self.open)

    @property
    def everything(self) -> tuple[int, int]:
        return 0, self.top

    @property
    def written(self) -> int:
        """How many conditions can be written: ∅, ?, and every named one, whatever they mean."""
        named = len(self.values) * (len(self.values) + 1) // 2 if self.ordered else len(self.names)
        return 2 + named

    @property
    def meant(self) -> int:
        """How many conditions but ∅ differ in what they hold."""
        return self.count_above(None)

    @cached_property
    def _distinct(self) -> Ranges:
        """The ranges of an attribute that is not ordered, each once, ascending in size; the last is `?`."""
        every = np.vstack([self.nodes, [self.everything]])
        size = every[:, 1] - every[:, 0]
        return np.unique(np.column_stack([size, every]), axis=0)[:, 1:]

    def closure(self, ranges: Ranges) -> Ranges:
        """The least condition that holds every place of each range."""
        if self.ordered:
            return ranges
        flat = ranges.reshape(-1, 2)
        kinds, back = np.unique(flat, axis=0, return_inverse=True)
        known = self._distinct
        holds = (known[:, 0, None] <= kinds[:, 0]) & (known[:, 1, None] >= kinds[:, 1])
        return known[holds.argmax(axis=0)][back.reshape(-1)].reshape(ranges.shape)

    def count_above(self, low: Ranges | None) -> int:
        """How many conditions hold everything that `low` holds (None: how many there are but ∅)."""
        if not self.ordered:
            return len(self.above(low))
        if low is None:
            return len(self.values) * (len(self.values) + 1) // 2
        return int((low[0] + 1) * (self.top - low[1] + 1))

    def above(self, low: Ranges | None) -> Ranges:
        """The conditions that hold everything that `low` holds (None: all but ∅), ascending in size."""
        if self.ordered:
            starts = np.arange(self.top + 1 if low is None else low[0] + 1)
            ends = np.arange(0 if low is None else low[1], self.top + 1)
            every = np.array(np.meshgrid(starts, ends, indexing="ij")).reshape(2, -1).T
            every = every[every[:, 0] <= every[:, 1]]
            return every[np.lexsort((every[:, 0], every[:, 1] - every[:, 0]))]
        known = self._distinct
        return known if low is None else known[(known[:, 0] <= low[0]) & (known[:, 1] >= low[1])]

    def without(self, within: Ranges, place: int) -> Ranges:
        """[BG-ELIM] The greatest conditions inside `within` that do not hold `place`."""
        low, high = (int(k) for k in within)
        if self.ordered:
            return np.array([r for r in ((low, place - 1), (place + 1, high)) if r[0] <= r[1]]).reshape(-1, 2)
        known = self._distinct
        inside = known[(known[:, 0] >= low) & (known[:, 1] <= high)]
        free = inside[(inside[:, 0] > place) | (inside[:, 1] < place)]
        held = (free[:, None, 0] >= free[None, :, 0]) & (free[:, None, 1] <= free[None, :, 1])
        return free[held.sum(axis=1) == 1]

    def said(self, low: int, high: int) -> str:
        """A condition in words."""
        if low > high:
            return NONE
        if (low, high) == self.everything:
            return ANY
        if self.ordered:
            return self.values[low] if low == high else f"{self.values[low]} … {self.values[high]}"
        return self.names[int(np.flatnonzero((self.nodes == (low, high)).all(axis=1))[0])]


def nominal(name: str, values: Sequence[str], *, open_: bool, numbers: Any = ()) -> Attribute:
    """An attribute whose conditions are its single values, and `?`."""
    places = np.arange(len(values), dtype=np.int64)
    return Attribute(
        name, tuple(values), False, open_, np.column_stack([places, places]), tuple(values), _numbers(numbers)
    )


def ordered(name: str, values: Sequence[str], numbers: Any = ()) -> Attribute:
    """An attribute whose values come in this order: its conditions are the intervals."""
    return Attribute(name, tuple(values), True, False, np.zeros((0, 2), np.int64), (), _numbers(numbers))


def tree(name: str, branches: Any) -> Attribute:
    """An attribute whose values are the leaves of a tree: {"round": ["ball", "disc"], "cornered": ["cube"]}."""
    values: list[str] = []
    nodes: list[tuple[int, int]] = []
    names: list[str] = []
    _walk(branches, values, nodes, names)
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise ValueError(f"the tree of {name!r} has {twice!r} twice; every node needs a name of its own")
    found = np.array(nodes, dtype=np.int64).reshape(-1, 2)
    order = np.argsort(found[:, 1] - found[:, 0], kind="stable")
    return Attribute(name, tuple(values), False, False, found[order], tuple(names[k] for k in order), _numbers(()))


def _walk(branches: Any, values: list[str], nodes: list[tuple[int, int]], names: list[str]) -> None:
    pairs = branches.items() if isinstance(branches, Mapping) else ((leaf, None) for leaf in branches)
    for node, below in pairs:
        first = len(values)
        if below:
            _walk(below, values, nodes, names)
        else:
            values.append(str(node))
        nodes.append((first, len(values) - 1))
        names.append(str(node))


def _numbers(values: Any) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64).reshape(-1)
