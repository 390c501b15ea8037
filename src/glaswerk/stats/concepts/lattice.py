"""All hypotheses above S at once, as a table with one axis for each attribute: who is consistent, who votes for a row.

A hypothesis is inconsistent if it accepts some negative row. "Accepts" is a sum over the values each condition holds,
so it is taken axis by axis: for 20 attributes 20 short steps instead of 2²⁰ × rows comparisons. The votes for every
row that can be told apart from others come from the same steps the other way round.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.stats.concepts.attributes import Attribute, Ranges
from glaswerk.stats.concepts.language import Language, accepts_nothing

Flags = NDArray[np.bool_]
MOST = 1 << 22  # entries of a table


@dataclass(frozen=True, eq=False)
class Axis:
    """The conditions on one attribute that S allows, and its places in classes that they do not tell apart.

    `holds` (conditions, classes); `place` a place of each class, a value's where there is one, -1 where there is none.
    """

    conditions: Ranges
    holds: Flags
    class_of: NDArray[np.int64]
    place: NDArray[np.int64]

    @classmethod
    def of(cls, attribute: Attribute, specific: Ranges | None) -> "Axis":
        conditions = attribute.above(specific)
        places = np.arange(attribute.top + 1)
        each = (conditions[:, 0, None] <= places) & (conditions[:, 1, None] >= places)
        holds, first, class_of = np.unique(each, axis=1, return_index=True, return_inverse=True)
        real = np.where(first < len(attribute.values), first, -1)
        return cls(conditions, holds, class_of.reshape(-1), real)

    @cached_property
    def parents(self) -> list[NDArray[np.intp]]:
        """For each condition those that hold more, with nothing between."""
        low, high = self.conditions[:, 0], self.conditions[:, 1]
        above = (low[:, None] >= low) & (high[:, None] <= high) & ~np.eye(len(low), dtype=bool)
        steps = above.astype(np.int64)
        return [np.flatnonzero(row) for row in above & ~((steps @ steps) > 0)]


def table_size(language: Language, specific: Ranges | None) -> int:
    """Entries of the larger of the two tables: hypotheses, and rows that can be told apart."""
    above = [a.count_above(None if specific is None else specific[j]) for j, a in enumerate(language.attributes)]
    rows = [
        a.top + 1 if specific is None or a.ordered else n for a, n in zip(language.attributes, above, strict=True)
    ]  # above S the conditions of a tree form a chain: as many classes as conditions
    return max(math.prod(above), math.prod(rows))


def axes_above(language: Language, specific: Ranges | None) -> tuple[Axis, ...]:
    return tuple(Axis.of(a, None if specific is None else specific[j]) for j, a in enumerate(language.attributes))


def spread(table: NDArray, selections: Sequence[Flags]) -> NDArray:
    """Along every axis the sum (of flags: or) over what each selection picks; axis j of the outcome has its length."""
    for picks in selections:
        rows = table.reshape(picks.shape[1], -1)
        made = np.stack([_picked(rows, pick) for pick in picks])
        table = np.ascontiguousarray(made.T)
    return table.reshape([len(picks) for picks in selections])


def _picked(rows: NDArray, pick: Flags) -> NDArray:
    chosen = np.flatnonzero(pick)
    if not len(chosen):
        return np.zeros(rows.shape[1], dtype=rows.dtype)
    total = rows[chosen[0]].copy()
    for k in chosen[1:]:
        total = total | rows[k] if rows.dtype == bool else total + rows[k]
    return total


def classes_of(axes: Sequence[Axis], rows: Ranges) -> NDArray[np.int64]:
    """The class of each cell (n, attributes), -1 for a value that only `?` holds and no class stands for."""
    columns = [
        np.where(rows[:, j, 0] == rows[:, j, 1], axis.class_of[np.clip(rows[:, j, 0], 0, None)], -1)
        for j, axis in enumerate(axes)
    ]
    return np.stack(columns, axis=1)


@dataclass(frozen=True, eq=False)
class Lattice:
    """Every hypothesis above S (all but ∅ where S is ∅): `good` says which are consistent."""

    axes: tuple[Axis, ...]
    empty: bool  # whether ∅ is consistent too: it is where there is no positive row
    good: Flags

    @classmethod
    def of(cls, language: Language, specific: Ranges, negatives: Ranges) -> "Lattice | None":
        """The table for consistent rows; None where it would be too large."""
        empty = bool(accepts_nothing(specific[None])[0])
        start = None if empty else specific
        if table_size(language, start) > MOST:
            return None
        axes = axes_above(language, start)
        bad = np.zeros([axis.holds.shape[1] for axis in axes], dtype=bool)
        if len(negatives):
            bad[tuple(classes_of(axes, negatives).T)] = True
        return cls(axes, empty, ~spread(bad, [axis.holds for axis in axes]))

    @cached_property
    def size(self) -> int:
        """How many hypotheses are consistent."""
        return int(np.count_nonzero(self.good)) + self.empty

    def hypotheses(self, places: NDArray[np.intp]) -> Ranges:
        """The hypotheses at these places of the table."""
        return np.stack([axis.conditions[places[:, j]] for j, axis in enumerate(self.axes)], axis=1)

    def members(self, most: int) -> Ranges:
        """The consistent hypotheses, at most so many of them."""
        flat = np.flatnonzero(self.good)[:most]
        return self.hypotheses(np.stack(np.unravel_index(flat, self.good.shape), axis=1))

    def greatest(self) -> Ranges:
        """G: the consistent hypotheses of which no parent is consistent."""
        exceeded = np.zeros_like(self.good)
        for j, axis in enumerate(self.axes):
            before = math.prod(self.good.shape[:j])
            good = self.good.reshape(before, len(axis.conditions), -1)
            over = exceeded.reshape(good.shape)
            for k, parents in enumerate(axis.parents):
                for parent in parents:
                    over[:, k] |= good[:, parent]
        places = np.argwhere(self.good & ~exceeded)
        return self.hypotheses(places)

    @cached_property
    def votes(self) -> NDArray[np.int64]:
        """How many consistent hypotheses accept a row, for every class of rows."""
        counts = self.good.astype(np.int32 if self.good.size < 2**31 else np.int64)
        return spread(counts, [axis.holds.T for axis in self.axes])

    def votes_for(self, rows: Ranges) -> NDArray[np.int64]:
        """How many consistent hypotheses accept each row."""
        return looked_up(self.axes, self.votes, self.good.astype(np.int64), rows).astype(np.int64)

    def halving(self) -> tuple[NDArray[np.int64], int] | None:
        """The row, as places of its values, whose label halves the version space best, and how many accept it."""
        real = [np.flatnonzero(axis.place >= 0) for axis in self.axes]
        votes = self.votes[np.ix_(*real)].astype(np.int64)
        best = int(np.abs(2 * votes - self.size).argmin())
        count = int(votes.flat[best])
        if count in (0, self.size):
            return None
        at = np.unravel_index(best, votes.shape)
        places = [axis.place[real[j][at[j]]] for j, axis in enumerate(self.axes)]
        return np.array(places, dtype=np.int64), count


def looked_up(axes: Sequence[Axis], of_classes: NDArray, of_hypotheses: NDArray, rows: Ranges) -> Array:
    """What the hypotheses that accept each row add up to: from the table of classes, else summed for the row."""
    classes = classes_of(axes, rows)
    known = (classes >= 0).all(axis=1)
    found = np.zeros(len(rows))
    found[known] = of_classes[tuple(classes[known].T)]
    for k in np.flatnonzero(~known):
        held = [
            np.flatnonzero((a.conditions[:, 0] <= low) & (a.conditions[:, 1] >= high))
            for a, (low, high) in zip(axes, rows[k], strict=True)
        ]
        found[k] = of_hypotheses[np.ix_(*held)].sum()
    return found
