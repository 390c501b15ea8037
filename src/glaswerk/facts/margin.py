"""Classes in a plane of two columns: the regions they are given, where these meet, what holds the margin."""

from dataclasses import dataclass

from glaswerk.facts.curve import Line
from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class MarginPlane:
    """`points` (x, y, class, whether it supports the border) of some of `rows` rows.

    `regions[i][j]` is the class predicted at `y[i]` and `x[j]`, both even and ascending; `borders` are where the
    decision value is 0, `margins` where it is 1 or -1.
    """

    title: str
    x_title: str
    y_title: str
    classes: tuple[str, ...]
    points: tuple[tuple[float, float, int, bool], ...]
    rows: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    regions: tuple[tuple[int, ...], ...]
    borders: tuple[Line, ...] = ()
    margins: tuple[Line, ...] = ()
    says: str = ""
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """The classes: how many of the points drawn, how many of them support, how much of the plane they are given."""
        cells: list[tuple[Cell, ...]] = []
        area = max(1, sum(len(row) for row in self.regions))
        for k, name in enumerate(self.classes):
            own = [support for _, _, group, support in self.points if group == k]
            share = sum(row.count(k) for row in self.regions) / area
            cells.append((name, len(own), sum(own), share))
        notes = (f"{len(self.points)} of {self.rows} rows are drawn.", *self.notes)
        heads = ("class", "rows drawn", "of these supporting", "share of the plane")
        return Table(self.title, heads, tuple(cells), (self.says, *notes) if self.says else notes)
