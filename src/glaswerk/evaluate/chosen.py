"""What candidates chose for themselves inside each fold, and what they thought of it: the inner score beside the outer.

A search says so, and so does a learner whose own statistic judges a penalty, a size or a width on rows left out (by a
method `chosen()`: the values by name, and their mean squared error, or None where it has no such error). The inner
score is that of the best of several on the rows that chose it, so it is too good; only the outer one compares.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glaswerk.evaluate.complexity import last_step
from glaswerk.evaluate.metrics import Metric
from glaswerk.facts import Cell, Table

NOTE = "the inner score is that of the best setting on the rows that chose it, so it is too good"
FEW_DIGITS = 3


@dataclass(frozen=True)
class Chosen:
    """The setting taken in one fold of one repeat; `inner` is its score as the metric is shown, where it has one.

    `how` says how a search judged its settings.
    """

    repeat: int
    fold: int
    setting: Mapping[str, Cell]
    inner: float | None
    how: str = ""


def chosen_by(fitted: Any, metric: Metric, repeat: int, fold: int) -> Chosen | None:
    """What a fitted candidate chose, where it is a search or tells by `chosen()`."""
    search = getattr(fitted, "search_", None)
    if search is not None:
        taken = search.rows[search.chosen]
        names = (name.removeprefix("learner__") for name in search.parameters)
        inner = taken.score if search.metric == metric.name else None
        return Chosen(repeat, fold, dict(zip(names, taken.values, strict=True)), inner, search.plan)
    own = getattr(last_step(fitted), "chosen", None)
    if not callable(own):
        return None
    found = own()
    if found is None:
        return None
    setting, squared = found
    return Chosen(repeat, fold, setting, float(np.sqrt(squared)) if squared is not None and metric.root else None)


def fold_by_fold(name: str, metric: str, chosen: Sequence[Chosen], outer: Sequence[float]) -> Table:
    """Every fold with the setting taken, the inner score and the outer one."""
    names = tuple(chosen[0].setting)
    rows = tuple(
        (one.repeat + 1, one.fold + 1, *(one.setting.get(n) for n in names), one.inner, value)
        for one, value in zip(chosen, outer, strict=False)
    )
    heads = ("repeat", "fold", *names, f"inner {metric}", f"outer {metric}")
    return Table(f"What {name} chose inside each fold", heads, rows, (NOTE,))


def in_words(chosen: Sequence[Chosen]) -> str:
    """Each parameter: one value where the folds agree, the commonest where most do, else the range.

    >>> in_words([Chosen(0, k, {"k": v}, None) for k, v in enumerate((3, 5, 5))])
    'k = 5 in 2 of 3'
    """
    return "; ".join(_spread(name, [one.setting.get(name) for one in chosen]) for name in chosen[0].setting)


def _spread(name: str, values: list[Cell]) -> str:
    (common, count), *others = Counter(values).most_common()
    if not others:
        return f"{name} = {_short(common)}"
    if 2 * count >= len(values):
        return f"{name} = {_short(common)} in {count} of {len(values)}"
    numbers = [float(v) for v in values if isinstance(v, int | float)]
    if len(numbers) < len(values):
        return f"{name} = {_short(common)} in {count} of {len(values)}, {len(others)} others"
    middle = float(np.median(numbers))
    return f"{name} about {_short(middle)} ({_short(min(numbers))} to {_short(max(numbers))})"


def _short(value: Cell) -> str:
    return f"{value:.{FEW_DIGITS}g}" if isinstance(value, float) else str(value)
