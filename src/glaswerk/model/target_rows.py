"""The rows of a table whose target is there, as a learner meets them."""

from typing import TYPE_CHECKING

import numpy as np

from glaswerk.base import Array, weights
from glaswerk.model.sheet import Sheet, refuse_infinite
from glaswerk.model.task import decide_task
from glaswerk.table import TableError
from glaswerk.table.errors import shown

if TYPE_CHECKING:
    from glaswerk.table import TypedTable


class TargetRows:
    """The rows of a table whose target (and weight) is there: the question, the truth, the inputs as a sheet."""

    def __init__(
        self, table: "TypedTable", target: str, weight: str | None, task: str | None, positive: str | None,
        apart: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        roles = [name for name in (target, weight, *apart) if name is not None]
        if len(set(roles)) < len(roles):
            raise TableError(
                f"target, weight, groups and time must be different columns, got {', '.join(map(repr, roles))}"
            )
        self.task = decide_task(table[target], task, positive)
        self.weight_name = weight
        truth, missing = self.task.truth(table[target])
        dropped = [("the target is missing", int(missing.sum()))]
        repetitions = np.zeros(0)
        if weight is not None:
            repetitions = table[weight].numbers()
            unweighted = np.isnan(repetitions) & ~missing
            dropped.append(("the weight is missing", int(unweighted.sum())))
            missing = missing | unweighted
        self.rows = np.flatnonzero(~missing)
        self.dropped = tuple((why, count) for why, count in dropped if count)
        self.truth = truth[self.rows]
        if self.truth.dtype.kind == "f":
            refuse_infinite(f"target {shown(target)}", self.truth, self.rows)
        self.weight = repetitions
        if weight:
            _refuse_weights(weight, repetitions)
            try:
                self.weight = weights(repetitions[self.rows], len(self.rows), f"weight {weight!r}")
            except ValueError as error:
                raise TableError(str(error)) from error
        self.inputs = Sheet(table.drop(roles)).take(self.rows)


def _refuse_weights(name: str, values: Array) -> None:
    """A weight is a number of repetitions."""
    wrong = np.flatnonzero((values < 0) | np.isinf(values))
    if len(wrong):
        raise TableError(
            f"weight {shown(name)} must be finite and >= 0: row {wrong[0] + 1} (counted from 1) holds "
            f"{values[wrong[0]]} ({len(wrong)} such cell(s) in all)"
        )
