"""Curves: something measured over something varied. Fitted curves, learning curves, traces and paths are all this."""

from dataclasses import dataclass
from typing import Literal

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Line:
    """One named series; `lower` and `upper` are its band, where it has one."""

    name: str
    x: tuple[float, ...]
    y: tuple[float | None, ...]
    lower: tuple[float | None, ...] = ()
    upper: tuple[float | None, ...] = ()
    form: Literal["line", "points", "steps"] = "line"


@dataclass(frozen=True)
class Curve:
    """Lines over one axis. `marks` are (x, label) worth a vertical rule; `says` is the sentence to remember.

    named: how many of the lines, from the first, are told apart; the rest are a bundle. None: as many as colours last.
    """

    title: str
    x_title: str
    y_title: str
    lines: tuple[Line, ...]
    says: str = ""
    x_scale: Literal["linear", "log"] = "linear"
    y_scale: Literal["linear", "log"] = "linear"
    marks: tuple[tuple[float, str], ...] = ()
    notes: tuple[str, ...] = ()
    named: int | None = None

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for line in self.lines:
            nothing: tuple[float | None, ...] = (None,) * len(line.x)
            bands = zip(line.x, line.y, line.lower or nothing, line.upper or nothing, strict=True)
            rows += [(line.name, *point) for point in bands]
        notes = (self.says, *self.notes) if self.says else self.notes
        return Table(self.title, ("line", self.x_title, self.y_title, "lower", "upper"), tuple(rows), notes)
