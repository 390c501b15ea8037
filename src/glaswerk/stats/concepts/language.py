"""The language of conjunctions: one condition for every attribute, `?`, ∅, a value, or what stands between.

    h(x) = 1  ⇔  every attribute of x meets its condition                                               [BG-LANGUAGE]
    h ≥ g     ⇔  h accepts every row that g accepts                                                          [BG-GEQ]

A hypothesis is an array (attributes, 2) of ranges; one low > high anywhere means ∅, which accepts nothing. A row is
such an array too, the most specific condition that holds it.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.stats.concepts.attributes import Attribute, Ranges

CELLS = 2_000_000  # comparisons at a time
DIGITS = 400  # of a count that is written out


@storable("ConceptLanguage", version=1)
@dataclass(frozen=True, eq=False)
class Language:
    """The attributes; everything a hypothesis can say."""

    attributes: tuple[Attribute, ...]

    @property
    def top(self) -> Ranges:
        """The hypothesis that accepts everything."""
        return np.array([a.everything for a in self.attributes], dtype=np.int64)

    @property
    def nothing(self) -> Ranges:
        """The hypothesis that accepts nothing: ∅ throughout."""
        return np.tile(np.array([1, 0], dtype=np.int64), (len(self.attributes), 1))

    def join(self, rows: Ranges) -> Ranges:
        """The least hypothesis above all of these; ∅ for none."""
        if not len(rows):
            return self.nothing
        return self.closure(np.stack([rows[:, :, 0].min(axis=0), rows[:, :, 1].max(axis=0)], axis=1))

    def closure(self, ranges: Ranges) -> Ranges:
        """The least hypothesis above each of these hulls (…, attributes, 2)."""
        closed = [a.closure(ranges[..., j, :]) for j, a in enumerate(self.attributes)]
        return np.stack(closed, axis=-2)

    def said(self, hypothesis: Ranges) -> tuple[str, ...]:
        """The conditions in words."""
        pairs = zip(self.attributes, hypothesis.tolist(), strict=True)
        return tuple(a.said(low, high) for a, (low, high) in pairs)

    # Counting [BG-CONCEPTS]

    @property
    def instances(self) -> int:
        """|X|: rows that can be told apart, Π of the numbers of values."""
        return math.prod(len(a.values) for a in self.attributes)

    @property
    def concepts(self) -> str:
        """2 to the size of X, in words where it has too many digits."""
        power = f"2^{self.instances}"
        return f"{power} = {2**self.instances}" if self.instances <= DIGITS else power

    @property
    def written(self) -> int:
        """Syntactically distinct hypotheses: Π (values + 2) where every attribute is plain."""
        return math.prod(a.written for a in self.attributes)

    @property
    def meant(self) -> int:
        """Semantically distinct ones: 1 + Π (values + 1); all that hold an ∅ are one."""
        return 1 + math.prod(a.meant for a in self.attributes)

    @property
    def told_apart(self) -> int:
        """Those that differ on rows of known values: of a single one, `?` and the value accept the same."""
        return 1 + math.prod(a.meant - (a.open and len(a.values) == 1) for a in self.attributes)


def accepts_nothing(hypotheses: Ranges) -> NDArray[np.bool_]:
    """Which hypotheses hold an ∅."""
    found: NDArray[np.bool_] = np.any(hypotheses[..., 0] > hypotheses[..., 1], axis=-1)
    return found


def at_least_as_general(above: Ranges, below: Ranges) -> NDArray[np.bool_]:
    """[BG-GEQ] For each pair (m, k) whether the one accepts all that the other accepts. Rows are hypotheses too."""
    found = np.empty((len(above), len(below)), dtype=bool)
    step = max(1, CELLS // max(1, below.size))
    for first in range(0, len(above), step):
        part = above[first : first + step, None]
        found[first : first + step] = ((part[..., 0] <= below[..., 0]) & (part[..., 1] >= below[..., 1])).all(axis=-1)
    found[accepts_nothing(above)] = False
    found[:, accepts_nothing(below)] = True
    return found


def unlike(hypotheses: Ranges) -> Ranges:
    """Each hypothesis once, in a fixed order: specific ones first."""
    if not len(hypotheses):
        return hypotheses
    width = (hypotheses[..., 1] - hypotheses[..., 0]).sum(axis=1)
    flat = np.column_stack([width, hypotheses.reshape(len(hypotheses), -1)])
    return np.unique(flat, axis=0)[:, 1:].reshape(-1, *hypotheses.shape[1:])


def greatest(hypotheses: Ranges) -> Ranges:
    """Those that no other one exceeds."""
    once = unlike(hypotheses)
    return once[at_least_as_general(once, once).sum(axis=0) == 1]
