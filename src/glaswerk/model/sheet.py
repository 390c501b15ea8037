"""A typed table as arrays, made when first asked for and shared by all folds that take rows of it."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.design.encoding import Labels
from glaswerk.table import TableError
from glaswerk.table.errors import shown

if TYPE_CHECKING:
    from glaswerk.table import TypedTable

Rows = NDArray[np.integer]
NUMERIC = ("number", "date")


def refuse_infinite(what: str, values: Array, numbers: Rows | None = None) -> Array:
    """The same values; one beyond all numbers is a TableError that says in which row. `numbers`: those of the rows."""
    if not np.isfinite(values.sum()):
        wrong = np.flatnonzero(np.isinf(values))
        if len(wrong):
            row = int(wrong[0] if numbers is None else numbers[wrong[0]]) + 1
            raise TableError(
                f"{what} must hold finite numbers: row {row} (counted from 1) holds {values[wrong[0]]} "
                f"({len(wrong)} such cell(s) in all). Drop these rows, or mend the cells"
            )
    return values


class Sheet:
    """Rows of a table: numbers and dates as float64 with NaN, everything else as `Labels`."""

    def __init__(self, table: "TypedTable") -> None:
        self.source = table
        self.rows: Rows | None = None
        self.made: dict[str, Array | Labels] = {}

    @property
    def n_rows(self) -> int:
        return self.source.n_rows if self.rows is None else len(self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        return self.source.names

    def __contains__(self, name: object) -> bool:
        return name in self.source

    def kind(self, name: str) -> str:
        """What the column was read as; a column that is not there is a TableError that names its neighbours."""
        return str(self.source[name].kind)

    def take(self, rows: Rows) -> "Sheet":
        """These rows, in this order; the arrays of the whole table are made once for all."""
        taken = Sheet(self.source)
        taken.rows, taken.made = rows if self.rows is None else self.rows[rows], self.made
        return taken

    def number(self, row: int) -> int:
        """The number of a row in the whole table, counted from 1."""
        return 1 + int(row if self.rows is None else self.rows[row])

    def values(self, name: str) -> Array | Labels:
        """The cells of a column in the form its kind has."""
        if name not in self.made:
            column = self.source[name]
            numeric = self.kind(name) in NUMERIC
            self.made[name] = (
                refuse_infinite(f"column {shown(name)}", column.numbers())
                if numeric
                else Labels(column.codes(), column.distinct_levels())
            )
        whole = self.made[name]
        if self.rows is None:
            return whole
        return Labels(whole.codes[self.rows], whole.names) if isinstance(whole, Labels) else whole[self.rows]

    def numbers(self, name: str) -> Array:
        """A column of numbers or dates, NaN where missing; another kind is a TableError with the way out."""
        values = self.values(name)
        if not isinstance(values, Labels):
            return values
        if (values.codes < 0).all():
            return np.full(self.n_rows, np.nan)
        row = int(np.argmax(values.codes >= 0))
        cell = values.names[values.codes[row]]
        raise TableError(
            f"column {shown(name)} was a column of numbers or dates when the model was fitted, and is read as "
            f"{self.kind(name)} here ({shown(cell)} in row {self.number(row)}): mend such cells, or read the table "
            f"with kinds={{{shown(name)}: …}}, which counts them as missing"
        )

    def labels(self, name: str) -> Labels:
        """A column of words; one of numbers is a TableError with the way out."""
        values = self.values(name)
        if isinstance(values, Labels):
            return values
        if np.isnan(values).all():
            return Labels(np.full(self.n_rows, -1), ())
        raise TableError(
            f"column {shown(name)} held levels when the model was fitted, and is read as {self.kind(name)} here: "
            f"read the table with kinds={{{shown(name)}: 'category'}}"
        )

    def missing(self, name: str) -> NDArray[np.bool_]:
        values = self.values(name)
        return values.codes < 0 if isinstance(values, Labels) else np.isnan(values)
