"""A plane cut into rectangles, each with one answer: what a tree says over two columns."""

from dataclasses import dataclass

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Region:
    """A rectangle, its answer (the number of a class, or a mean), and how many rows lie in it."""

    left: float
    right: float
    below: float
    above: float
    answer: float
    rows: int


@dataclass(frozen=True)
class Regions:
    """`regions` cover the plane, those that lie behind others first; `points` (x, y, class or target) are some of
    `rows` rows. solid: shown as a surface of steps in space instead of a map; for numbers only.
    """

    title: str
    x_title: str
    y_title: str
    z_title: str
    classes: tuple[str, ...]
    regions: tuple[Region, ...]
    points: tuple[tuple[float, float, float], ...]
    rows: int
    solid: bool = False
    says: str = ""
    notes: tuple[str, ...] = ()

    def told(self, answer: float) -> Cell:
        return self.classes[int(answer)] if self.classes else answer

    def table(self) -> Table:
        """One line per rectangle."""
        cells: list[tuple[Cell, ...]] = [
            (r.left, r.right, r.below, r.above, r.rows, self.told(r.answer)) for r in self.regions
        ]
        x, y = self.x_title, self.y_title
        heads = (f"{x} from", f"{x} to", f"{y} from", f"{y} to", "rows", self.z_title)
        return Table(self.title, heads, tuple(cells), (self.says, *self.notes) if self.says else self.notes)
