"""A table with a target as a problem for validation."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk import table as tables
from glaswerk.model.rows_problem import RowsProblem
from glaswerk.model.table_model import bound
from glaswerk.model.target_rows import TargetRows
from glaswerk.table import TableError


class TableProblem(RowsProblem):
    """Rows of a table whose target is there, numbered from 0; `rows` says which rows of the table they are.

    Candidates are models, or bare learners (then bound with the default design), or searches over them. `time` names
    the column by whose order the past is trained on and what follows is tested; it is no input, and has no gaps.
    """

    def __init__(
        self,
        table: Any,
        target: str,
        *,
        weight: str | None = None,
        groups: str | None = None,
        time: str | None = None,
        task: str | None = None,
        positive: str | None = None,
    ) -> None:
        typed = tables.read_table(table)
        apart = tuple(name for name in (groups, time) if name is not None)
        known = TargetRows(typed, target, weight, task, positive, apart)
        super().__init__(
            known,
            bound,
            None if groups is None else _group_numbers(typed, groups)[known.rows],
            None if time is None else _times(typed, time, known.rows),
        )


def _times(typed: Any, name: str, rows: NDArray[np.integer]) -> NDArray[Any]:
    """The moments of these rows as numbers; a column that has no order, or gaps, is refused."""
    column = typed[name]
    if str(column.kind) not in ("number", "date"):
        raise TableError(f"time: column {name!r} must hold numbers or dates, it holds {column.kind}")
    found: NDArray[Any] = np.asarray(column.numbers())[rows]
    if np.isnan(found).any():
        raise TableError(f"time: column {name!r} has no value in {int(np.isnan(found).sum())} row(s)")
    return found


def _group_numbers(typed: Any, name: str) -> NDArray[Any]:
    """One number per group; rows without one are groups of their own."""
    column = typed[name]
    missing = column.missing()
    numeric = str(column.kind) in ("number", "date")
    found = np.unique(column.numbers(), return_inverse=True)[1] if numeric else column.codes()
    numbers = np.asarray(found, dtype=np.int64).copy()
    numbers[missing] = numbers.max(initial=0) + 1 + np.arange(int(missing.sum()))
    return numbers
