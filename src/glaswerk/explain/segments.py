"""Segments: rows that share a value or a range of one column, and where the error out of fold is not as elsewhere.

    error in a segment ± z s/√n of the rows' own errors,   z for all segments tried at once (Bonferroni)

Numbers are cut at their quartiles, levels are taken as they are, missing cells are a segment of their own.
Cost: one pass over each column. When not to use it: segments of a column that was used to choose the model's columns
by their errors; with few rows every segment is too small to tell.
"""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glaswerk.base import Array
from glaswerk.evaluate.metrics import Metric
from glaswerk.facts import Segment, Segments
from glaswerk.table import Column, Kind, TypedTable

LEAST_ROWS = 20
MOST_LEVELS = 30
MOST_SHOWN = 12
ORDER = {"worse": 0, "better": 1, "as elsewhere": 2}
NUMERIC = {Kind.NUMBER, Kind.DATE}
Flags = NDArray[np.bool_]


def segments(
    losses: Array, table: TypedTable, columns: tuple[str, ...], metric: Metric, *, target: str, name: str = "model",
    level: float = 0.95,
) -> Segments:  # fmt: skip
    """Segments that are worse than the whole, then those that are better; first what makes the most of the error.

    losses : of every row of the table, on the scale that averages (squared errors for RMSE); NaN where it is untested.
    """
    tested = np.isfinite(losses)
    overall = float(losses[tested].mean())
    parts = [
        (column, part, inside & tested)
        for column in columns
        for part, inside in cut(table[column])
        if (inside & tested).sum() >= LEAST_ROWS and not (inside | ~tested).all()
    ]
    tried = max(1, len(parts))
    z = float(special.ndtri(1 - (1 - level) / 2 / tried))
    found = [judged(column, part, losses, inside, metric, overall, z) for column, part, inside in parts]
    excess = {id(s): abs(o) for s, o in found}
    ranked = sorted((s for s, _ in found), key=lambda s: (ORDER[s.verdict], -excess[id(s)]))
    told = (
        f"{tried} segments were tried; limits and verdicts allow for all of them at once",
        "worse ones first, then better ones, each in order of what they add to the whole error or take from it",
    )
    return Segments(target, name, metric.name, metric.shown(overall), level, tried, tuple(ranked[:MOST_SHOWN]), told)


def judged(
    column: str, part: str, losses: Array, inside: Flags, metric: Metric, overall: float, z: float
) -> tuple[Segment, float]:
    """A segment, and how much it adds to the error of all rows."""
    here = losses[inside]
    n, mean = len(here), float(here.mean())
    half = z * float(here.std(ddof=1)) / math.sqrt(n)
    lower, upper = max(0.0, mean - half), mean + half
    verdict = "worse" if lower > overall else "better" if upper < overall else "as elsewhere"
    row = Segment(column, part, n, metric.shown(mean), metric.shown(lower), metric.shown(upper), verdict)
    return row, n * (mean - overall) / max(1, int(np.isfinite(losses).sum()))


def cut(column: Column) -> Iterator[tuple[str, Flags]]:
    """The segments of one column."""
    missing = column.missing()
    if missing.any():
        yield "missing", missing
    if column.kind in NUMERIC:
        yield from cut_numbers(column, missing)
        return
    codes, words = column.codes(), column.distinct_levels()
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    for code in np.argsort(-counts, kind="stable")[:MOST_LEVELS]:
        yield words[code], codes == code


def cut_numbers(column: Column, missing: Flags) -> Iterator[tuple[str, Flags]]:
    """Quarters of the rows, fewer where values repeat; few values are taken as they are."""
    numbers = column.numbers()
    values = np.unique(numbers[~missing])
    if len(values) <= 5:
        for value in values:
            yield shown(value, column.kind), numbers == value
        return
    edges = np.unique(np.quantile(numbers[~missing], [0.0, 0.25, 0.5, 0.75, 1.0], method="higher"))
    for k, (low, high) in enumerate(pairwise(edges.tolist())):
        inside = (numbers >= low) & (numbers < high) if k + 2 < len(edges) else (numbers >= low) & (numbers <= high)
        yield f"{shown(low, column.kind)} to {'below ' if k + 2 < len(edges) else ''}{shown(high, column.kind)}", inside


def shown(value: float, kind: Kind) -> str:
    return str(np.datetime64(round(value), "D")) if kind == Kind.DATE else f"{value:.6g}"
