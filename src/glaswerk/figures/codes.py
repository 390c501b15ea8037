"""How the series of one picture are told apart: never by colour alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from glaswerk.figures.parts import Spec
from glaswerk.figures.theme import COLOURS, DASHES, FAINT, SHAPES

NAMED = len(COLOURS)
SOLID = [1, 0]


@dataclass(frozen=True)
class Codes:
    """How series are told apart: all by colour, lines by dash, clouds of points by shape. One alone needs no legend."""

    labels: list[str]
    forms: list[str]

    def of(self, *channels: str) -> Spec:
        return {channel: self._code(self._values(channel)) for channel in channels}

    def colour(self, label: str) -> str:
        return COLOURS[self.labels.index(label)] if label else FAINT

    def _values(self, channel: str) -> Sequence[Any]:
        if channel == "color":
            return COLOURS
        dashes, shapes = iter(DASHES), iter(SHAPES)
        points = [form == "points" for form in self.forms]
        if channel == "strokeDash":
            return [SOLID if cloud else next(dashes) for cloud in points]
        return [next(shapes) if cloud else "stroke" for cloud in points]

    def _code(self, values: Sequence[Any]) -> Spec:
        longest = max(map(len, self.labels))
        look = {
            "columns": 1 if longest > 22 else 2 if longest > 12 else 3,
            "symbolOpacity": 1,
            "symbolStrokeWidth": 2.5,
        }
        scale = {"domain": self.labels, "range": list(values[: len(self.labels)])}
        legend = look if len(self.labels) > 1 else None
        return {"field": "group", "type": "nominal", "scale": scale, "legend": legend}
