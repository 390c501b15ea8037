"""From what was seen of a table to how its trees grow."""

from dataclasses import dataclass

import numpy as np

from glaswerk.base import Array
from glaswerk.trees.growth import BINS as HISTOGRAM
from glaswerk.trees.levelwise.bins import Bins, bins_of
from glaswerk.trees.levelwise.seen import Seen
from glaswerk.trees.levelwise.sums import Scheme
from glaswerk.trees.target import COUNTS, MANY, SUMS, Target, classes, common_scale, numbers

NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Task:
    """What is asked of the rows: how many classes (0 for numbers), their weights as factors, whether rows weigh."""

    classes: int
    criterion: str
    factor: Array
    weighted: bool


def scheme_of(seen: Seen, task: Task) -> Scheme:
    """Bins, and a grid on which sums of the target are exact."""
    bins = bins_of(seen)
    return _of_classes(seen, task, bins) if task.classes else _of_numbers(seen, task, bins)


def _of_classes(seen: Seen, task: Task, bins: Bins) -> Scheme:
    codes = np.arange(task.classes, dtype=np.float64)[:, None]
    known = classes(codes, [task.classes], NOTHING, task.criterion)
    tolerance = known.tolerance * seen.weight / task.classes
    target = Target(
        known.mode, known.criterion, known.components, codes[:0], codes[:0], known.bounds, known.groups, known.unit,
        tolerance,
    )  # fmt: skip
    shift = float(np.rint(seen.total[0] / seen.rows)) if known.mode == SUMS else 0.0
    assert known.mode in (SUMS, COUNTS)
    return Scheme(bins, target, np.zeros(1), np.ones(1), shift, task.factor, task.weighted, NOTHING)


def _of_numbers(seen: Seen, task: Task, bins: Bins) -> Scheme:
    q = len(seen.low)
    known = numbers(np.zeros((1, q)), NOTHING)
    grids = [seen.grid(k) for k in range(q)]
    mean = seen.total / seen.rows
    spans = np.maximum(seen.high - mean, mean - seen.low)
    scale = common_scale([scale for _, scale in grids], spans, seen.weight) if q > 1 else grids[0][1]
    centre, shift = np.array([centre for centre, _ in grids]), 0.0
    if known.mode == MANY:
        centre = np.rint(mean * scale) / scale  # a point of the grid itself
    else:
        shift = float(np.rint((mean[0] - centre[0]) * scale))
    unit = scale**2 * (q if known.mode == MANY else 1)
    empty = np.zeros((0, q))
    target = Target(known.mode, known.criterion, q, empty, empty, known.bounds, known.groups, unit, 0.0)
    low, high = float(seen.low[0]), float(seen.high[0])
    edges = np.linspace(low, high if high > low else low + 1.0, HISTOGRAM + 1)
    return Scheme(bins, target, centre, np.full(q, scale), shift, task.factor, task.weighted, edges)
