"""A date as numbers: years since the first training date, and month, weekday and hour where they vary.

Cost: n. When not to use it: forecasting beyond the last date, where "years" leaves what training rows have seen.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.design.encoding.labels import EVERY_ROW_ONCE, Labels, Unknown
from glaswerk.design.encoding.levels import Levels
from glaswerk.design.encoding.numeric import Numeric

DAYS_A_YEAR = 365.2425
MONTHS = tuple(str(month) for month in range(1, 13))
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
HOURS = tuple(str(hour) for hour in range(24))
THURSDAY = 3  # the weekday of 1970-01-01
ROWS_PER_COLUMN = 10  # a part with fewer rows for each of its columns is left out: it would fit noise
ROUNDING = 1e-6  # of an hour: a time of day is the fraction of a day and has lost the last digits


@storable("DateParts")
@dataclass(frozen=True)
class DateParts:
    """Dates as days since 1970-01-01 become years since `first`, and levels such as "sold: month 3".

    A part needs ten training rows for each of its columns: eleven months would fit the noise of thirty rows. Those
    `left_out` are named.
    A missing date gets the mean date and counts as an average row in every part; one column says that it is missing.
    """

    column: str
    first: int
    years: Numeric
    parts: tuple[Levels, ...]
    left_out: tuple[str, ...]

    @classmethod
    def fit(cls, column: str, days: Array, weight: Array = EVERY_ROW_ONCE) -> "DateParts":
        """Learn the first date, the mean, and which parts vary."""
        counted = days[weight > 0] if weight.size else days
        known = counted[~np.isnan(counted)]
        first = int(np.floor(known.min())) if len(known) else 0
        title = f"{column}: years since {np.datetime64(first, 'D')}"
        years = Numeric.fit(column, (days - first) / DAYS_A_YEAR, weight, title)
        rows = float(weight.sum()) if weight.size else len(days)
        parts, left_out = [], []
        for part, labels in calendar(days).items():
            levels = Levels.fit(column, labels, weight, prefix=f"{column}: {part} ", own_gaps=False)
            if len(levels.names) * ROWS_PER_COLUMN > rows:
                left_out.append(part)
            elif levels.names:
                parts.append(levels)
        return cls(column, first, years, tuple(parts), tuple(left_out))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns it makes."""
        return (*self.years.names, *(name for part in self.parts for name in part.names))

    @property
    def gap_place(self) -> int | None:
        """Which of its columns says that a cell is missing."""
        return self.years.gap_place

    def fill(self, days: Array, out: Array) -> Unknown:
        """Write these rows into `out` (n, columns), which holds zeros."""
        start = len(self.years.names)
        unknown = self.years.fill((days - self.first) / DAYS_A_YEAR, out[:, :start])
        seen = calendar(days)
        for levels in self.parts:
            stop = start + len(levels.names)
            levels.fill(seen[levels.prefix.removeprefix(f"{self.column}: ").strip()], out[:, start:stop])
            start = stop
        return unknown

    @property
    def story(self) -> tuple[str, str, str]:
        """What became of the column, of its missing cells, and the reference levels."""
        parts = [part.prefix.removeprefix(f"{self.column}: ").strip() for part in self.parts]
        references = (f"{name} {part.reference}" for name, part in zip(parts, self.parts, strict=True))
        gaps = "the mean date" if self.years.gaps else "none seen; would be the mean date"
        made = ", ".join([f"years since {np.datetime64(self.first, 'D')}", *parts])
        few = f" (too few rows for {', '.join(self.left_out)})" if self.left_out else ""
        return made + few, gaps, ", ".join(references)

    def check(self) -> None:
        known = {f"{self.column}: {part} " for part in ("month", "weekday", "hour")}
        if self.years.column != self.column or not {part.prefix for part in self.parts} <= known:
            raise ValueError("the parts must belong to one column")


def calendar(days: Array) -> dict[str, Labels]:
    """Month, weekday and hour of every date, each as labels."""
    missing = np.isnan(days)
    filled = np.where(missing, 0.0, days)
    whole = np.floor(filled).astype(np.int64)
    month = whole.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) % 12
    hour = np.minimum(np.floor((filled - whole) * 24 + ROUNDING), 23).astype(np.int64)
    parts = {"month": (month, MONTHS), "weekday": ((whole + THURSDAY) % 7, WEEKDAYS), "hour": (hour, HOURS)}
    return {name: Labels(_without(codes, missing), names) for name, (codes, names) in parts.items()}


def _without(codes: NDArray[np.int64], missing: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.where(missing, -1, codes)
