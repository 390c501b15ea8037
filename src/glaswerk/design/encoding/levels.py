"""A category as columns of 0 and 1: one for each level but the reference, which the intercept stands for.

    φ_l(x) = 1 where x = l, else 0;   the coefficient of φ_l is the difference between level l and the reference

Cost: n, whatever the number of levels. When not to use it: a category of as many levels as rows (an identifier).
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.design.encoding.labels import EVERY_ROW_ONCE, Labels, Unknown

NO_COLUMN, UNSEEN = -1, -2


@storable("Levels")
@dataclass(frozen=True)
class Levels:
    """One column per level but the most frequent one (of equally frequent ones the first by code point).

    A missing cell is a level of its own where training rows had some. At most `most` columns are made: the rarest
    levels share "other levels". A level that training rows did not have counts as an average row: every column gets its
    mean.
    """

    column: str
    prefix: str
    reference: str | None
    own: tuple[str, ...]
    pooled: tuple[str, ...]
    gaps: bool
    means: tuple[float, ...]

    @classmethod
    def fit(
        cls,
        column: str,
        labels: Labels,
        weight: Array = EVERY_ROW_ONCE,
        *,
        most: int = 50,
        prefix: str | None = None,
        own_gaps: bool = True,
    ) -> "Levels":
        """Learn the levels, their shares, and whether any cell is missing (unless somebody else says so)."""
        counts, missing = labels.counts(weight)
        ranked = sorted(np.flatnonzero(counts).tolist(), key=lambda k: (-counts[k], labels.names[k]))
        gaps = own_gaps and missing > 0
        room = most - gaps
        kept = sorted(ranked[1:] if len(ranked) - 1 <= room else ranked[1:room])
        pooled = sorted(set(ranked[1:]) - set(kept))
        total = counts.sum() + (missing if gaps else 0.0)
        weights = [*counts[kept], *([counts[pooled].sum()] if pooled else []), *([missing] if gaps else [])]
        return cls(
            column,
            f"{column}: " if prefix is None else prefix,
            labels.names[ranked[0]] if ranked else None,
            tuple(labels.names[k] for k in kept),
            tuple(labels.names[k] for k in pooled),
            bool(gaps),
            tuple(float(w / total) for w in weights),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns it makes."""
        own = [f"{self.prefix}{level}" for level in self.own]
        others = [f"{self.prefix}other levels"] if self.pooled else []
        return (*own, *others, *([f"{self.column} is missing"] if self.gaps else []))

    @property
    def gap_place(self) -> int | None:
        """Which of its columns says that a cell is missing."""
        return len(self.means) - 1 if self.gaps else None

    def fill(self, labels: Labels, out: Array) -> Unknown:
        """Write these rows into `out` (n, columns), which holds zeros; unseen levels are told."""
        place = {level: j for j, level in enumerate(self.own)}
        place |= dict.fromkeys(self.pooled, len(self.own))
        if self.reference is not None:
            place[self.reference] = NO_COLUMN
        missing = UNSEEN if self.gap_place is None else self.gap_place
        where = np.array([*(place.get(name, UNSEEN) for name in labels.names), missing])[labels.codes]
        rows = np.flatnonzero(where >= 0)
        out[rows, where[rows]] = 1.0
        unseen = where == UNSEEN
        if not unseen.any():
            return ()
        out[unseen] = self.means
        return labels.unknown(unseen)

    @property
    def story(self) -> tuple[str, str, str]:
        """What became of the column, of its missing cells, and the reference level."""
        others = f", {len(self.pooled)} rare ones together" if self.pooled else ""
        made = f"{len(self.own)} column{'' if len(self.own) == 1 else 's'} of 0 and 1{others}"
        missing = "a level of its own" if self.gaps else "none seen; would count as an average row"
        return made, missing, self.reference or ""

    def check(self) -> None:
        known = [*self.own, *self.pooled, *([] if self.reference is None else [self.reference])]
        if len(set(known)) != len(known) or len(self.means) != len(self.names):
            raise ValueError("levels must differ, and each column needs its mean")
