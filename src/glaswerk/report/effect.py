"""The fitted line of one column: what a model answers along it, every other column held at its average.

    f(v) = model(v, others at their mean or commonest level)

Points are f at the row's own value plus the row's residual: the row as it would stand if the others were average. They
show whether the line fits where the rows are. Cost: a few hundred predictions. When not to use it: columns that move
together, where no row looks like "the others average" (the rule below the axis is then outside the data).
"""

import inspect
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.facts import Curve, Line
from glaswerk.figures.labels import short
from glaswerk.figures.theme import said
from glaswerk.model import Model
from glaswerk.scoring.folds import shuffled_order
from glaswerk.table import Column, Kind, TypedTable, read_table

STEPS = 61
MOST_POINTS = 500
MIDDLE = (0.05, 0.95)  # quantiles between which a column's influence is measured
FEW = 3  # candidates' columns need at least this many values for a line
MOST_LINES = 5
MOST_TRIED = 20  # columns whose line is tried

Floats = NDArray[np.float64]


def strongest_effect(model: Model, table: TypedTable, residuals: Floats, level: float) -> Curve | None:
    """The line of the numeric column along which the model's answer moves most; None where there is no such column.

    `table` holds the rows the model was fitted to; `residuals` theirs, empty for a classification.
    """
    average = AverageRow(model, table)
    moves = {name: average.movement(name) for name in average.likely()}
    if not moves:
        return None
    name = max(moves, key=lambda n: (moves[n], -table.names.index(n)))
    make = average.curve_of_numbers if model.task_.name == "regression" else average.curve_of_shares
    return make(name, residuals, level)


class AverageRow:
    """A table's average row, of which one column is varied."""

    def __init__(self, model: Model, table: TypedTable) -> None:
        self.model, self.table = model, table
        aside = {name for name, _ in model.design_.aside_}
        self.inputs = [name for name in model.design_.kinds_ if name not in aside]
        held = [name for name in self.inputs if not table[name].missing().all()]
        self.numeric = [name for name in held if table[name].kind == Kind.NUMBER]
        self.means = {name: float(self.values(name).mean()) for name in self.numeric}
        self.average = self.one_row()

    def one_row(self) -> TypedTable:
        """Numbers at their mean, everything else at its commonest level."""
        numbers = {name: [mean] for name, mean in self.means.items()}
        means = read_table(numbers, kinds=dict.fromkeys(numbers, "number")) if numbers else self.table
        columns = [
            means[name] if name in numbers else self.table[name].take(np.array([middle_row(self.table[name])]))
            for name in self.inputs
        ]
        return TypedTable(self.table.name, tuple(columns))

    def likely(self) -> list[str]:
        """The numeric columns worth trying: those that go most closely with the model's answers."""
        answers = centred(self.answers(self.table))
        close = {}
        for name in self.numeric:
            cells = self.table[name].numbers()
            if len(np.unique(cells[np.isfinite(cells)])) >= FEW:
                cells = centred(np.where(np.isfinite(cells), cells, self.means[name])[:, None])
                close[name] = float(np.abs(cells.T @ answers).max())
        return sorted(close, key=lambda name: -close[name])[:MOST_TRIED]

    def values(self, name: str) -> Floats:
        """The cells of a numeric column that are there."""
        cells = self.table[name].numbers()
        return cells[np.isfinite(cells)]

    def along(self, name: str, values: Floats) -> TypedTable:
        """One row per value of the column, the others average."""
        away = self.average.take(np.zeros(len(values), dtype=np.int64))
        varied = read_table({name: values.tolist()}, kinds={name: "number"})[name]
        return replace(away, columns=tuple(varied if column.name == name else column for column in away.columns))

    def movement(self, name: str) -> float:
        """How far the answer moves over the middle nine tenths of the column's values."""
        answers = self.answers(self.along(name, np.quantile(self.values(name), np.linspace(*MIDDLE, 9))))
        return float(np.ptp(answers, axis=0).max())

    def answers(self, rows: TypedTable) -> Floats:
        if self.model.task_.name == "regression":
            return np.asarray(self.model.predict(rows), dtype=np.float64)[:, None]
        return self.model.predict_proba(rows)

    def curve_of_numbers(self, name: str, residuals: Floats, level: float) -> Curve:
        """Line, band of the mean, and the rows."""
        target, values = self.model.task_.target, self.values(name)
        grid = np.linspace(values.min(), values.max(), STEPS)
        line = self.answers(self.along(name, grid))[:, 0]
        lower, upper = self.band(self.along(name, grid), level)
        drawn = Line("fitted", tuple(grid.tolist()), tuple(line.tolist()), lower, upper)
        points, notes = self.rows_along(name, residuals)
        low, high = np.quantile(values, MIDDLE)
        ends = self.answers(self.along(name, np.array([low, high])))[:, 0]
        if lower:
            notes = (
                f"Band: {100 * level:g} % interval of the mean, as if the model had been chosen beforehand.",
                *notes,
            )
        return Curve(
            f"{target} along {name}", name, target, (drawn, *points),
            f"Of all numeric columns {short(name)} moves the prediction most: from {said(float(ends[0]))} at "
            f"{said(float(low))} to {said(float(ends[1]))} at {said(float(high))}, the others held at their average.",
            notes=notes,
        )  # fmt: skip

    def rows_along(self, name: str, residuals: Floats) -> tuple[tuple[Line, ...], tuple[str, ...]]:
        """Rows as they would stand if their other columns were average."""
        cells = self.table[name].numbers()
        known = np.flatnonzero(np.isfinite(cells) & np.isfinite(residuals))
        shown = np.sort(known[shuffled_order(len(known), 0)[:MOST_POINTS]])
        heights = self.answers(self.along(name, cells[shown]))[:, 0] + residuals[shown]
        notes = ["Points: the line at the row's value plus the row's out-of-fold residual."]
        if len(shown) < len(known):
            notes.append(f"{len(shown)} of {len(known):,} rows are shown, drawn by a fixed hash of the row number.")
        return (Line("rows", tuple(cells[shown].tolist()), tuple(heights.tolist()), form="points"),), tuple(notes)

    def curve_of_shares(self, name: str, residuals: Floats, level: float) -> Curve:
        """The probability of the positive class, or of each of the most frequent classes."""
        task, values = self.model.task_, self.values(name)
        grid = np.linspace(values.min(), values.max(), STEPS)
        shares = self.model.predict_proba(self.along(name, grid))
        chosen = [task.positive] if task.positive is not None else list(task.classes)
        ranked = sorted(chosen, key=lambda c: -float(np.ptp(shares[:, task.classes.index(c)])))[:MOST_LINES]
        lines = tuple(
            Line(c, tuple(grid.tolist()), tuple(shares[:, task.classes.index(c)].tolist()))
            for c in chosen
            if c in ranked
        )
        left = len(chosen) - len(lines)
        return Curve(
            f"Probability of {task.target} along {name}", name, "probability", lines,
            f"Of all numeric columns {short(name)} moves the probabilities most; the others are held at their average.",
            notes=(f"{left} classes that move less are not shown.",) if left else (),
        )  # fmt: skip

    def band(self, rows: TypedTable, level: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Limits of the mean, where the learner knows them."""
        ask = getattr(self.model.learner_, "predict_interval", None)
        if ask is None or "of" not in inspect.signature(ask).parameters:
            return (), ()
        limits = np.asarray(ask(self.model.design_.transform(rows), level, of="mean"))
        return (tuple(limits[:, 0].tolist()), tuple(limits[:, 1].tolist())) if np.isfinite(limits).all() else ((), ())


def centred(columns: Floats) -> Floats:
    """Columns with mean 0 and length 1, so that a product of two is their correlation; constant ones 0."""
    away: Floats = columns - columns.mean(axis=0)
    length = np.sqrt((away**2).sum(axis=0))
    return np.divide(away, length, out=np.zeros_like(away), where=length > 0)


def middle_row(column: Column) -> int:
    """A row that holds the commonest level, or the median date; the first where no row holds anything."""
    if column.missing().all():
        return 0
    if column.kind == Kind.DATE:
        days: Any = column.numbers()
        return int(np.nanargmin(np.abs(days - np.nanmedian(days))))
    codes = column.codes()
    return int(np.argmax(codes == np.bincount(codes[codes >= 0]).argmax()))
