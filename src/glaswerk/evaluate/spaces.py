"""Where a search looks for a parameter: an interval on a linear or a logarithmic scale, or a list of values.

Every place of a space has a position between 0 and 1 on its scale. A grid takes positions evenly spaced, a random
search draws them evenly, zooming narrows the positions around the best one. Penalties and widths, whose orders of
magnitude matter, want the logarithmic scale.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from glaswerk.scoring.inputs import check_whole_number


@dataclass(frozen=True)
class Interval:
    """Interface: numbers from `low` to `high`; `whole` takes the nearest whole number of each place.

    `start` and `stop` are the positions between which is looked, narrowed by zooming.
    """

    low: float
    high: float
    whole: bool = False
    start: float = 0.0
    stop: float = 1.0

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            limit = getattr(self, name)
            if not isinstance(limit, Real) or isinstance(limit, bool) or not math.isfinite(limit):
                raise ValueError(f"{type(self).__name__}: {name} must be a finite number; came {limit!r}")
        if not self.low < self.high:
            raise ValueError(f"{type(self).__name__}: low must be below high; came {self.low} and {self.high}")

    def at(self, position: float) -> Any:
        """The value at a position from 0 to 1; the ends are met exactly."""
        inner = self.low if position <= 0 else self.high if position >= 1 else self._between(position)
        return round(inner) if self.whole else float(inner)

    def _between(self, position: float) -> float:
        raise NotImplementedError

    def position(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        raise NotImplementedError

    def grid(self, points: int) -> list[Any]:
        """Values evenly spaced on the scale, each once."""
        places = np.linspace(self.start, self.stop, points) if points > 1 else [(self.start + self.stop) / 2]
        return list(dict.fromkeys(self.at(float(p)) for p in places))

    def drawn(self, share: float) -> Any:
        """The value that an even draw from [0, 1) stands for."""
        return self.at(self.start + share * (self.stop - self.start))

    def around(self, value: float, width: float) -> "Interval":
        """The same interval narrowed to `width` positions on either side of a value, within its limits."""
        middle = self.position(value)
        return replace(self, start=max(0.0, middle - width), stop=min(1.0, middle + width))

    def at_edge(self, value: float) -> str:
        """Which end of the whole interval a value is, "low" or "high", or nothing."""
        return "low" if value <= self.at(0.0) else "high" if value >= self.at(1.0) else ""


@dataclass(frozen=True)
class Linear(Interval):
    """Numbers evenly spaced from low to high.

    >>> Linear(0, 1).grid(3), Linear(1, 4, whole=True).grid(9)
    ([0.0, 0.5, 1.0], [1, 2, 3, 4])
    """

    def _between(self, position: float) -> float:
        return self.low + position * (self.high - self.low)

    def position(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Log(Interval):
    """Positive numbers evenly spaced by ratio from low to high.

    >>> [round(value, 6) for value in Log(0.01, 100).grid(3)]
    [0.01, 1.0, 100.0]
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low <= 0:
            raise ValueError(f"Log: low must be above 0; came {self.low}")

    def _between(self, position: float) -> float:
        return math.exp(math.log(self.low) + position * (math.log(self.high) - math.log(self.low)))

    def position(self, value: float) -> float:
        return (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))


@dataclass(frozen=True)
class Choice:
    """Values from a list, in its order; a grid takes all of them, zooming leaves them as they are."""

    options: tuple[Any, ...]

    def grid(self, _points: int) -> list[Any]:
        return list(self.options)

    def drawn(self, share: float) -> Any:
        return self.options[min(int(share * len(self.options)), len(self.options) - 1)]

    def around(self, _value: Any, _width: float) -> "Choice":
        return self

    def at_edge(self, value: Any) -> str:
        """An end of a list of at least three numbers is an edge: beyond it nobody has looked."""
        numbers = all(isinstance(v, Real) and not isinstance(v, bool) for v in self.options)
        if not numbers or len(self.options) < 3:
            return ""
        return "low" if value == min(self.options) else "high" if value == max(self.options) else ""


Space = Interval | Choice


def spaces_of(space: Mapping[str, Any]) -> dict[str, Space]:
    """The space of every parameter; a list is a `Choice`."""
    if not isinstance(space, Mapping) or not space:
        raise ValueError(f"space must be {{parameter: values or Linear(…) or Log(…)}}; came {space!r:.80}")
    found: dict[str, Space] = {}
    for name, values in space.items():
        if isinstance(values, Interval | Choice):
            found[name] = values
        elif isinstance(values, Sequence | np.ndarray) and not isinstance(values, str) and len(values):
            found[name] = Choice(tuple(values.tolist() if isinstance(values, np.ndarray) else values))
        else:
            raise ValueError(f"space of {name!r} must be a list of values, Linear(…) or Log(…); came {values!r:.80}")
    return found


def grid_of(spaces: Mapping[str, Space], points: int | Mapping[str, int]) -> list[dict[str, Any]]:
    """Every combination, the last parameter changing fastest."""
    settings: list[dict[str, Any]] = [{}]
    for name, space in spaces.items():
        many = points.get(name, 5) if isinstance(points, Mapping) else points
        check_whole_number("points", many, at_least=1)
        settings = [{**known, name: value} for known in settings for value in space.grid(int(many))]
    return settings


def draws_of(spaces: Mapping[str, Space], shares: np.ndarray) -> list[dict[str, Any]]:
    """One setting per line of `shares` (n, parameters), each once."""
    drawn = [
        {name: space.drawn(float(share)) for (name, space), share in zip(spaces.items(), line, strict=True)}
        for line in shares
    ]
    return [setting for k, setting in enumerate(drawn) if setting not in drawn[:k]]
