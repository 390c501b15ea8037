"""What a lab is, and what labs are put together from: printed beside obtained, lines from arrays, rows that wave."""

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from glaswerk.base import Array, Warned
from glaswerk.facts import Fact, Line, Table
from glaswerk.table import load_ice_cream

ROUNDING = 1e-9  # of the last printed digit: what binary numbers add to half of it


@dataclass(frozen=True)
class Lab:
    """An experiment of a script: `run` takes a seed and gives facts, what was printed beside what came out.

    `data` says which file of one's own it can be given; `run` then takes its path, or None, after the seed.
    """

    rows: tuple[str, ...]
    script: str
    says: str
    run: Callable[..., Sequence[Fact]]
    data: str = ""


@dataclass(frozen=True)
class Printed:
    """A number as a script prints it, beside what comes out. `reason`: why they differ, or what hides behind it."""

    what: str
    printed: str
    obtained: float | None
    reason: str = ""

    @property
    def agrees(self) -> str:
        """Whether what came out rounds to the printed digits, or at least has them when cut off."""
        if self.obtained is None:
            return "not computable"
        unit = 10.0 ** -len(self.printed.partition(".")[2])
        target = float(self.printed)
        if abs(self.obtained - target) <= (0.5 + ROUNDING) * unit:
            return "yes"
        return "cut off" if math.isclose(math.trunc(self.obtained / unit) * unit, target) else "no"


def beside(title: str, rows: Sequence[Printed], notes: tuple[str, ...] = ()) -> Table:
    """Printed and obtained numbers side by side, with the reason where they differ."""
    heads = ("number", "printed", "obtained", "agrees", "why, or what is behind it")
    cells = tuple((row.what, float(row.printed), row.obtained, row.agrees, row.reason) for row in rows)
    return Table(title, heads, cells, notes)


def line(
    name: str, x: Any, y: Any, form: Literal["line", "points", "steps"] = "line", lower: Any = (), upper: Any = ()
) -> Line:
    """A line from arrays; what is not finite has no place on it."""
    return Line(name, _known(x), _cells(y), _cells(lower), _cells(upper), form)


def _known(values: Any) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


def _cells(values: Any) -> tuple[float | None, ...]:
    return tuple(float(v) if math.isfinite(v) else None for v in values)


def noisy_sine(n: int, noise: float, random: np.random.Generator) -> tuple[Array, Array]:
    """n rows of t = sin(πx) + noise, x even at random in [-1, 1]: script E gives no rows for its first problem."""
    x = random.uniform(-1.0, 1.0, n)
    return x[:, None], np.sin(np.pi * x) + noise * random.standard_normal(n)


def mean_square(y: Array, found: Array) -> float:
    """[NAN-4] Mean squared error."""
    return float(np.mean((y - found) ** 2))


@contextmanager
def heard() -> Iterator[list[str]]:
    """The warnings of learners as a list, which grows: the lab provokes them, so it tells them itself."""
    told: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield told
    told += [str(warning.message) for warning in caught if issubclass(warning.category, Warned)]
    for other in (warning for warning in caught if not issubclass(warning.category, Warned)):
        warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)


def ice_cream() -> tuple[Array, Array]:
    """Temperatures (12, 1) and scoops sold (12,) of the constructed rows."""
    table = load_ice_cream()
    return table["temperature_c"].numbers()[:, None], table["scoops"].numbers()


def verdict(factor: float) -> str:
    """What it means that every step of descent multiplies the distance by `factor`."""
    if abs(factor) >= 1:
        return "diverges" if abs(factor) > 1 else "to and fro for ever"
    if factor < 0:
        return "oscillates, and comes down"
    return "slow" if factor > 0.95 else "at once" if factor == 0 else "comes down"
