"""Columns as they are, for learners that take categories and gaps themselves: codes of levels, numbers with NaN.

Cost: n. When not to use it: learners that weigh columns by numbers (a code is a name, not a size).
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import UNSEEN, Array, ColumnLevels
from glaswerk.design.encoding.dates import DAYS_A_YEAR, calendar
from glaswerk.design.encoding.labels import EVERY_ROW_ONCE, Labels, Unknown

STAYS = "stays missing: the learner decides"


@storable("Kept")
@dataclass(frozen=True)
class Kept:
    """x as it is, a missing cell as NaN. A column of the training rows that does not vary is left out."""

    column: str
    varies: bool
    gap_place: None = None

    @classmethod
    def fit(cls, column: str, values: Array, weight: Array = EVERY_ROW_ONCE) -> "Kept":
        """Learn whether the column varies; a gap is a difference too."""
        return cls(column, varies(values, weight))

    @property
    def names(self) -> tuple[str, ...]:
        return (self.column,) if self.varies else ()

    @property
    def levels(self) -> tuple[None, ...]:
        return (None,) * self.varies

    def fill(self, values: Array, out: Array) -> Unknown:
        """Write these rows into `out` (n, columns)."""
        if self.varies:
            out[:, 0] = values
        return ()

    @property
    def story(self) -> tuple[str, str, str]:
        return "a number", STAYS, ""

    def check(self) -> None:
        if not isinstance(self.varies, bool):
            raise ValueError("whether a number varies must be True or False")


@storable("Coded")
@dataclass(frozen=True)
class Coded:
    """A column of words as codes 0, 1, 2, … of its levels; NaN where missing, -1 where training rows had no such level.

    `graded` where the codes are steps of an order: then they count as numbers, and a level never seen as missing.
    """

    column: str
    words: tuple[str, ...]
    graded: bool = False
    gap_place: None = None

    @classmethod
    def fit(
        cls,
        column: str,
        labels: Labels,
        weight: Array = EVERY_ROW_ONCE,
        order: tuple[str, ...] | None = None,
        graded: bool = False,
    ) -> "Coded":
        """Learn the levels that rows have, in the order given, else by code point."""
        counts, _ = labels.counts(weight)
        held = {labels.names[k] for k in np.flatnonzero(counts)}
        words = sorted(held) if order is None else [word for word in order if word in held]
        return cls(column, tuple(words), graded)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.column,) if self.words else ()

    @property
    def levels(self) -> ColumnLevels:
        """The words that the codes of its column stand for, unless the codes are numbers."""
        return (None if self.graded else self.words,) if self.words else ()

    def fill(self, labels: Labels, out: Array) -> Unknown:
        """Write these rows into `out` (n, 1); unseen levels are told."""
        place = {word: float(k) for k, word in enumerate(self.words)}
        codes = np.array([*(place.get(name, UNSEEN) for name in labels.names), np.nan])[labels.codes]
        unseen = codes == UNSEEN
        if self.words:
            out[:, 0] = np.where(unseen & self.graded, np.nan, codes)
        return labels.unknown(unseen) if unseen.any() else ()

    @property
    def story(self) -> tuple[str, str, str]:
        if self.graded:
            steps = ", ".join(f"{word} = {k}" for k, word in enumerate(self.words[:6]))
            return f"a number: {steps}{', …' if len(self.words) > 6 else ''}", STAYS, ""
        return f"a category of {len(self.words)} level{'' if len(self.words) == 1 else 's'}", STAYS, ""

    def check(self) -> None:
        if len(set(self.words)) != len(self.words):
            raise ValueError("levels must differ")


@storable("KeptDate")
@dataclass(frozen=True)
class KeptDate:
    """A date as numbers: years since `first`, and of month (1 to 12), weekday (1 to 7) and hour those that vary."""

    column: str
    first: int
    parts: tuple[str, ...]
    gap_place: None = None

    @classmethod
    def fit(cls, column: str, days: Array, weight: Array = EVERY_ROW_ONCE) -> "KeptDate":
        """Learn the first date and which parts vary."""
        counted = days[weight > 0] if weight.size else days
        known = counted[~np.isnan(counted)]
        first = int(np.floor(known.min())) if len(known) else 0
        moving = tuple(part for part, values in numbered(known).items() if varies(values, EVERY_ROW_ONCE))
        return cls(column, first, ("years", *moving) if varies(days, weight) else ())

    @property
    def names(self) -> tuple[str, ...]:
        since = f"years since {np.datetime64(self.first, 'D')}"
        return tuple(f"{self.column}: {since if part == 'years' else part}" for part in self.parts)

    @property
    def levels(self) -> tuple[None, ...]:
        return (None,) * len(self.parts)

    def fill(self, days: Array, out: Array) -> Unknown:
        """Write these rows into `out` (n, parts)."""
        numbers = {"years": (days - self.first) / DAYS_A_YEAR, **numbered(days)}
        for place, part in enumerate(self.parts):
            out[:, place] = numbers[part]
        return ()

    @property
    def story(self) -> tuple[str, str, str]:
        return ", ".join(name.removeprefix(f"{self.column}: ") for name in self.names), STAYS, ""

    def check(self) -> None:
        if not set(self.parts) <= {"years", "month", "weekday", "hour"}:
            raise ValueError("the parts of a date are years, month, weekday and hour")


def numbered(days: Array) -> dict[str, Array]:
    """Month and weekday counted from 1, the hour from 0; NaN where the date is missing."""
    start = {"month": 1.0, "weekday": 1.0, "hour": 0.0}
    return {
        part: np.where(labels.codes < 0, np.nan, labels.codes + start[part]) for part, labels in calendar(days).items()
    }


def varies(values: Array, weight: Array) -> bool:
    """Whether rows that count differ, a missing cell from the others too."""
    counted = values[weight > 0] if weight.size else values
    missing = np.isnan(counted)
    known = counted[~missing]
    return bool(known.size) and bool(missing.any() or (known != known[0]).any())
