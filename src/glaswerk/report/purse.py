"""The purse: how many seconds a report may take, what each family may spend of them, and what it gets for that.

    cost of a family = (seconds of its search + seconds of a pilot on 2,000 rows · (rows / 2,000)^growth) · fits

Families that need less than an equal share leave the rest to the others. One that needs more is fitted to a sample of
the training rows of every fold, of such a size that it keeps within its share; it is judged on the same test rows as
the others. What is cut depends on the clock; a report says so, and such a report need not come out the same again.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic

PILOT_ROWS = 2_000
LEAST_ROWS = 500  # of a sample, below which a family is left out
FEWEST_FOLDS = 5
FOR_VALIDATION = 0.55  # of the seconds; the rest is for the final fit, curves, explanations and the page
LEAST_PART = 0.25  # of the seconds, for the comparison, however long the pilots took
PATIENCE = 1.5  # times its share, after which a family is stopped
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Pilot:
    """What one fit on a few rows cost, with its answers, and what looking for its setting cost before that."""

    rows: int
    seconds: float
    growth: float
    most: int | None = None
    search: float = 0.0

    def predicted(self, rows: int, fits: int) -> float:
        """Seconds of so many fits to so many rows; a search on a sample costs each time the same."""
        capped = rows if self.most is None else min(rows, self.most)
        return (self.search + self.seconds * (capped / self.rows) ** self.growth) * fits

    def bearable(self, seconds: float, fits: int) -> int:
        """The largest power of two of rows whose fits take at most so many seconds."""
        left = max(seconds / fits - self.search, 0.0)
        rows = self.rows * (left / self.seconds) ** (1 / self.growth)
        return int(2 ** math.floor(math.log2(rows))) if rows >= 1 else 0


@dataclass(frozen=True)
class Share:
    """One family's part: seconds predicted, allowed and spent; training rows of a fold where they are a sample."""

    name: str
    predicted: float
    allowed: float
    rows: int | None = None
    cut: bool = False
    spent: float = 0.0


class Purse:
    """A number of seconds that runs out by itself; None never does."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds, self.start = seconds, monotonic()

    @property
    def left(self) -> float:
        return math.inf if self.seconds is None else self.seconds - (monotonic() - self.start)

    @property
    def for_validation(self) -> float:
        """Seconds the comparison may take: its part of what is left, and never less than a quarter of the whole."""
        return math.inf if self.seconds is None else max(FOR_VALIDATION * self.left, LEAST_PART * self.seconds)

    @property
    def spent(self) -> float:
        return monotonic() - self.start

    def affords(self, seconds: float) -> bool:
        return seconds <= max(self.left, 0.0)


def parsed(text: str | float | None) -> float | None:
    """Seconds from a number or from words such as 90, 60s, 2min, 1h; None from "none".

    >>> parsed("2min"), parsed("90"), parsed("none")
    (120.0, 90.0, None)
    """
    if text is None or text == "none":
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|m|min|h)?\s*", str(text))
    seconds = float(found[1]) * UNITS[found[2] or ""] if found else 0.0
    if seconds <= 0:
        raise ValueError(f"budget must be seconds such as 60s, 2min or 1h, or none; came {text!r}")
    return seconds


def planned(rows: int) -> tuple[int, int]:
    """Folds and repeats where nobody asked for any: many where rows are few and cheap, five folds beyond.

    >>> planned(400), planned(6_000), planned(50_000)
    ((10, 3), (10, 1), (5, 1))
    """
    return (10, 3) if rows <= 5_000 else (10, 1) if rows <= 20_000 else (FEWEST_FOLDS, 1)


def fewer(folds: int, repeats: int) -> list[tuple[int, int]]:
    """Plans that cost less and less, never fewer than five folds."""
    tried = [(folds, repeats), (folds, 1), (min(folds, FEWEST_FOLDS), 1)]
    return list(dict.fromkeys(tried))


def shared_out(costs: Mapping[str, float], seconds: float) -> dict[str, float]:
    """Seconds for each: what it needs where that is less than an equal share of what the others leave."""
    allowed: dict[str, float] = {}
    left = seconds
    for place, (name, cost) in enumerate(sorted(costs.items(), key=lambda pair: (pair[1], pair[0]))):
        equal = left / (len(costs) - place)
        allowed[name] = min(cost, equal) if math.isfinite(seconds) else cost
        left -= allowed[name]
    return allowed


def shares(pilots: Mapping[str, Pilot], rows: int, fits: int, seconds: float) -> tuple[Share, ...]:
    """The part of every family, the cheapest first, so that an interruption leaves as much as possible."""
    costs = {name: pilot.predicted(rows, fits) for name, pilot in pilots.items()}
    allowed = shared_out(costs, seconds)
    return tuple(
        _share(name, pilots[name], costs[name], allowed[name], rows, fits)
        for name in sorted(costs, key=lambda n: (costs[n], n))
    )


def _share(name: str, pilot: Pilot, cost: float, allowed: float, rows: int, fits: int) -> Share:
    most = pilot.most if pilot.most is not None and pilot.most < rows else None
    if cost <= allowed * (1 + 1e-9):
        return Share(name, cost, allowed, most)
    sample = min(pilot.bearable(allowed, fits), pilot.most or rows)
    return Share(name, cost, allowed, sample, cut=True)
