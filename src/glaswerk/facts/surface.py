"""Surfaces: something measured over a grid of two others, with paths that walk on it: a loss over two weights."""

from dataclasses import dataclass

from glaswerk.facts.curve import Line
from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Surface:
    """`z[i][j]` stands at `y[i]` and `x[j]`, both even and ascending; `paths` are lines in the plane of x and y."""

    title: str
    x_title: str
    y_title: str
    z_title: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    z: tuple[tuple[float, ...], ...]
    paths: tuple[Line, ...] = ()
    says: str = ""
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """The paths point by point; without paths the grid itself."""
        notes = (self.says, *self.notes) if self.says else self.notes
        if not self.paths:
            cells: list[tuple[Cell, ...]] = [
                (x, y, z) for y, row in zip(self.y, self.z, strict=True) for x, z in zip(self.x, row, strict=True)
            ]
            return Table(self.title, (self.x_title, self.y_title, self.z_title), tuple(cells), notes)
        rows: list[tuple[Cell, ...]] = [
            (path.name, step, x, y)
            for path in self.paths
            for step, (x, y) in enumerate(zip(path.x, path.y, strict=True))
        ]
        return Table(self.title, ("path", "step", self.x_title, self.y_title), tuple(rows), notes)
