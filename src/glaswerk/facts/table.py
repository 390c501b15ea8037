"""A table of cells: the form in which every fact can be shown."""

import math
from dataclasses import dataclass

Cell = str | float | int | bool | None
WIDEST_RULE = 120  # of characters: long lines wrap on a terminal, and a rule that wraps tells nothing


@dataclass(frozen=True)
class Table:
    """Named columns of cells, with a title and notes."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def table(self) -> "Table":
        return self

    def __str__(self) -> str:
        cells = [[*map(str, self.columns)], *([shown(cell) for cell in row] for row in self.rows)]
        widths = [max(len(row[k]) for row in cells) for k in range(len(self.columns))]
        numeric = [all(not isinstance(row[k], str) for row in self.rows) for k in range(len(self.columns))]
        lines = [
            "  ".join(
                c.rjust(w) if right else c.ljust(w) for c, w, right in zip(row, widths, numeric, strict=True)
            ).rstrip()
            for row in cells
        ]
        rule = "─" * min(WIDEST_RULE, max(len(line) for line in [self.title, *lines]))
        if not any(self.columns):  # sentences: no head, and no line for a title that is not there
            head = [self.title, rule] if self.title else []
            return "\n".join([*head, *lines[1:], *(f"  {note}" for note in self.notes)])
        return "\n".join([self.title, rule, *lines, *(f"  {note}" for note in self.notes)])


def shown(cell: Cell) -> str:
    """Six significant digits, words as they are, nothing for nothing."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.6g}" if math.isfinite(cell) else str(cell)
    return str(cell)
