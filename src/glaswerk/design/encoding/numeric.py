"""Numbers as they are, and labels that count as numbers. A gap gets the training mean, and a column that says so.

Cost: n. When not to use it: numbers that only name things, such as postal codes (read them as a category).
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.design.encoding.labels import EVERY_ROW_ONCE, Labels, Unknown


@storable("Numeric")
@dataclass(frozen=True)
class Numeric:
    """x, under the name `title`; where training rows had gaps also "x is missing", 0 or 1.

    A column of the training rows that does not vary is left out: the intercept says the same.
    """

    column: str
    title: str
    mean: float
    varies: bool
    gaps: bool

    @classmethod
    def fit(cls, column: str, values: Array, weight: Array = EVERY_ROW_ONCE, title: str | None = None) -> "Numeric":
        """Learn the mean of the cells that are there, and whether any is missing."""
        counted = weight > 0 if weight.size else np.ones(len(values), dtype=bool)
        missing = np.isnan(values)
        there = counted & ~missing
        known = values[there]
        # np.sum, not a dot product: its bits do not depend on the threads of the linear algebra library.
        repeated = weight[there] if weight.size else np.ones(len(known))
        mean = float((known * repeated).sum() / repeated.sum()) if known.size else 0.0
        varies = bool(known.size and (known != known[0]).any())
        name = column if title is None else title
        return cls(column, name, mean, varies, bool((missing & counted).any()))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns it makes."""
        return (*([self.title] if self.varies else []), *([f"{self.column} is missing"] if self.gaps else []))

    @property
    def gap_place(self) -> int | None:
        """Which of its columns says that a cell is missing."""
        return int(self.varies) if self.gaps else None

    def fill(self, values: Array, out: Array) -> Unknown:
        """Write these rows into `out` (n, columns); gaps that training rows did not have are told."""
        missing = np.isnan(values)
        if self.varies:
            out[:, 0] = values
            out[missing, 0] = self.mean
        if self.gaps:
            out[:, -1] = missing
            return ()
        count = int(missing.sum())
        return ((None, count),) if count else ()

    @property
    def story(self) -> tuple[str, str, str]:
        """What became of the column, of its missing cells, and the reference level."""
        return "a number" if self.varies else "whether it is missing", missing_story(self.gaps, self.mean), ""

    def check(self) -> None:
        if not np.isfinite(self.mean):
            raise ValueError("the mean of a numeric column must be finite")


def missing_story(gaps: bool, mean: float) -> str:
    return f"{mean:.6g} (the mean), and a column says so" if gaps else f"none seen; would be {mean:.6g} (the mean)"


@storable("Graded")
@dataclass(frozen=True)
class Graded:
    """Labels that count 0, 1, 2, … in the order of `grades`: a flag's no and yes, an ordered column's S, M and L.

    An unseen label counts as the training mean. When not to use it: steps that are far from equal (take `Levels`).
    """

    column: str
    grades: tuple[str, ...]
    numeric: Numeric

    @classmethod
    def fit(
        cls,
        column: str,
        labels: Labels,
        weight: Array = EVERY_ROW_ONCE,
        *,
        grades: tuple[str, ...],
        title: str | None = None,
    ) -> "Graded":
        """Learn the mean grade, and whether any cell is missing."""
        return cls(column, grades, Numeric.fit(column, graded(labels, grades), weight, title))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns it makes."""
        return self.numeric.names

    @property
    def gap_place(self) -> int | None:
        """Which of its columns says that a cell is missing."""
        return self.numeric.gap_place

    def fill(self, labels: Labels, out: Array) -> Unknown:
        """Write these rows into `out`; an unseen label is told, and is not the same as a missing cell."""
        values = graded(labels, self.grades)
        unseen = np.isnan(values) & (labels.codes >= 0)
        values[unseen] = self.numeric.mean
        return (*labels.unknown(unseen), *self.numeric.fill(values, out))

    @property
    def story(self) -> tuple[str, str, str]:
        """What became of the column, of its missing cells, and the reference level."""
        steps = ", ".join(f"{name} = {k}" for k, name in enumerate(self.grades[:6]))
        return f"a number: {steps}{', …' if len(self.grades) > 6 else ''}", self.numeric.story[1], ""

    def check(self) -> None:
        if len(set(self.grades)) != len(self.grades) or self.numeric.column != self.column:
            raise ValueError("grades must differ and belong to one column")


def graded(labels: Labels, grades: tuple[str, ...]) -> Array:
    """The grade of every label; NaN where it is missing or none of them."""
    grade = {name: float(k) for k, name in enumerate(grades)}
    return np.array([*(grade.get(name, np.nan) for name in labels.names), np.nan])[labels.codes]
