"""Rows in a plane with the groups they belong to: two columns, or the first two principal components."""

from dataclasses import dataclass

from glaswerk.facts.curve import Line
from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class GroupPlane:
    """`points` (x, y, group) of some of `rows` rows; `centres` one per group; `borders` where one group meets another,
    `outlines` around groups, `paths` that centres took.
    """

    title: str
    x_title: str
    y_title: str
    groups: tuple[str, ...]
    points: tuple[tuple[float, float, int], ...]
    centres: tuple[tuple[float, float], ...]
    rows: int
    outlines: tuple[Line, ...] = ()
    borders: tuple[Line, ...] = ()
    paths: tuple[Line, ...] = ()
    says: str = ""
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        drawn = [sum(1 for point in self.points if point[2] == k) for k in range(len(self.groups))]
        cells: list[tuple[Cell, ...]] = [
            (name, *centre, count) for name, centre, count in zip(self.groups, self.centres, drawn, strict=True)
        ]
        heads = ("group", f"centre, {self.x_title}", f"centre, {self.y_title}", "rows drawn")
        notes = (f"{len(self.points)} of {self.rows} rows are drawn.", *self.notes)
        return Table(self.title, heads, tuple(cells), (self.says, *notes) if self.says else notes)
