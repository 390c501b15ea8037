"""Partial dependence: the mean answer if a column had one value in every row, beside how many rows have such a value.

    f̄_j(v) = mean over rows b of answer(v in column j, the other columns of b)

The limits hold four of five of the single answers: where they are wide, what a value does depends on the other columns.
Values are those of rows of the table, at even steps of the ranks, so that none lies outside. (Friedman, Annals of
Statistics 29, 2001; the single answers: Goldstein et al., JCGS 24, 2015.)
Cost: values × background answers. When not to use it: columns that move together; most mixed rows then never occur.
"""

from typing import Any

import numpy as np

from glaswerk.base import Array, Matrix
from glaswerk.explain.answering import Answering, few_of, like
from glaswerk.facts import Dependence
from glaswerk.model import Model
from glaswerk.scoring.inputs import Ints
from glaswerk.table import Column, Kind, TypedTable

BACKGROUND = 200
STEPS = 25
MOST_LEVELS = 20
BINS = 30
FOUR_FIFTHS = (0.1, 0.9)
NUMERIC = {Kind.NUMBER, Kind.DATE}


def partial_dependence(
    model: Model, table: TypedTable, column: str, *, name: str = "model", output: str | None = None, seed: int = 0
) -> Dependence:
    """The mean answer along one column. output : of a classification, as in `explain_row`."""
    answering = Answering.of(model)
    if column not in answering.places:
        raise ValueError(f"column must be one the model looks at, {list(answering.columns)}; came {column!r}")
    behind = answering.encode(table.take(few_of(table.n_rows, BACKGROUND, seed)))
    place = answering.output(output, answering(behind))
    rows = typical_rows(table[column])
    if not len(rows):
        raise ValueError(f"column {column!r} holds no value, every cell is missing: there is nothing to follow")
    answers = along(answering, behind, answering.encode(table.take(rows)), column, place)
    lower, upper = np.quantile(answers, FOUR_FIFTHS, axis=1)
    what = answering.outputs[place] if model.task_.classes else None
    return Dependence(
        column, model.task_.target if what is None else f"probability of {what}", name,
        tuple(answers.mean(axis=1).tolist()), tuple(lower.tolist()), tuple(upper.tolist()),
        **where_rows_are(table[column], rows),
        notes=(f"mean over {len(behind)} of {table.n_rows:,} rows, drawn by a fixed hash of the row number",),
    )  # fmt: skip


def along(answering: Answering, behind: Matrix, ones: Matrix, column: str, place: int) -> Array:
    """(values, background): every row of the background with each value in turn."""
    taken = answering.places[column]
    cells = np.repeat(np.asarray(behind)[None], len(ones), axis=0)
    cells[:, :, taken] = np.asarray(ones)[:, None, taken]
    found = answering(like(cells.reshape(-1, cells.shape[2]), behind))
    return found[:, place].reshape(len(ones), len(behind))


def typical_rows(column: Column) -> Ints:
    """Rows whose values are the steps: even ranks of numbers, or the commonest levels in their order."""
    if column.kind in NUMERIC:
        numbers = column.numbers()
        known = np.flatnonzero(np.isfinite(numbers))
        order = known[np.argsort(numbers[known], kind="stable")]
        if not len(order):
            return order
        rows = order[np.unique(np.linspace(0, len(order) - 1, STEPS).round().astype(int))]
        return rows[np.unique(numbers[rows], return_index=True)[1]]
    codes = column.codes()
    counts = np.bincount(codes[codes >= 0])
    common = np.sort(np.argsort(-counts, kind="stable")[:MOST_LEVELS])
    return np.array([int(np.argmax(codes == code)) for code in common if counts[code]], dtype=np.int64)


def where_rows_are(column: Column, rows: Ints) -> dict[str, Any]:
    """The values of the steps, and how many rows have such."""
    if column.kind in NUMERIC:
        numbers = column.numbers()
        counts, edges = np.histogram(numbers[np.isfinite(numbers)], bins=BINS)
        bars = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
        return {"values": tuple(numbers[rows].tolist()), "histogram": tuple(bars)}
    codes, words = column.codes(), column.distinct_levels()
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    return {"levels": tuple((words[codes[row]], int(counts[codes[row]])) for row in rows)}
