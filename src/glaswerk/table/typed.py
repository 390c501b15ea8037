"""A table whose columns have kinds: what every room above reads. Polars inside, plain arrays at the edge.

>>> from glaswerk.table import read_table
>>> table = read_table({"size": [1.5, None, 3.0], "colour": ["red", "blue", "red"]})
>>> [(column.name, str(column.kind)) for column in table.columns]
[('size', 'number'), ('colour', 'category')]
>>> table["size"].numbers(), table["colour"].codes()
(array([1.5, nan, 3. ]), array([1, 0, 1]))
"""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glaswerk.facts import DataCard
from glaswerk.table.card import table_card
from glaswerk.table.column import Column, Kind
from glaswerk.table.errors import TableError, shown
from glaswerk.table.fingerprint import fingerprint

CLOSE_NAMES = 3


@dataclass(frozen=True, eq=False)
class TypedTable:
    """Columns of one length, in order. `reading` says how they were read: encoding, separator, header, …"""

    name: str
    columns: tuple[Column, ...]
    reading: tuple[tuple[str, str], ...] = ()

    @property
    def n_rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._places)

    def __len__(self) -> int:
        return self.n_rows

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> Column:
        if name not in self._places:
            raise TableError(unknown_column(name, self.names))
        return self.columns[self._places[name]]

    def take(self, rows: NDArray[np.integer] | Iterable[int]) -> "TypedTable":
        """These rows, in this order, repeated where named twice; a negative or too large row is refused."""
        chosen = np.asarray(rows if isinstance(rows, np.ndarray) else list(rows), np.int64)
        if chosen.size and (chosen.min() < 0 or chosen.max() >= self.n_rows):
            wrong = int(chosen.min() if chosen.min() < 0 else chosen.max())
            raise TableError(f"row {wrong} is asked for, and the table has rows 0 … {self.n_rows - 1}")
        return replace(self, columns=tuple(column.take(chosen) for column in self.columns))

    def select(self, names: Iterable[str]) -> "TypedTable":
        """These columns, in this order."""
        return replace(self, columns=tuple(self[name] for name in names))

    def drop(self, names: Iterable[str]) -> "TypedTable":
        """All but these columns."""
        away = {self[name].name for name in names}
        return replace(self, columns=tuple(column for column in self.columns if column.name not in away))

    @cached_property
    def fingerprint(self) -> str:
        """sha256 of names, kinds and cells: the same for every dialect, path and dataframe library they came in."""
        return fingerprint(self.columns)

    def card(self, target: str | None = None, weight: str | None = None) -> DataCard:
        """What a person should know before fitting anything: `facts.DataCard`."""
        roles = {self[name].name: role for name, role in ((target, "target"), (weight, "weight")) if name is not None}
        return table_card(self.name, self.columns, self.reading, roles, self.fingerprint)

    def to_polars(self) -> pl.DataFrame:
        """The cells as a Polars frame; ordered columns as Enum, so that reading it again gives this table."""
        return pl.DataFrame([_ranked(column).alias(column.name) for column in self.columns])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.name: place for place, column in enumerate(self.columns)}


def unknown_column(name: object, names: Iterable[str]) -> str:
    """The message for a column that is not there, with the names that come nearest."""
    present = list(names)
    near = difflib.get_close_matches(str(name), present, CLOSE_NAMES) if len(str(name)) <= 200 else []
    folded = [other for other in present if other.strip().casefold() == str(name).strip().casefold()]
    offered = list(dict.fromkeys([*folded, *near])) or present[:20]
    start = "did you mean" if folded or near else "it has"
    return f"the table has no column {shown(name)}: {start} {', '.join(map(shown, offered)) or 'no columns'}"


def _ranked(column: Column) -> pl.Series:
    return column.series.cast(pl.Enum(column.levels)) if column.kind == Kind.ORDERED else column.series
