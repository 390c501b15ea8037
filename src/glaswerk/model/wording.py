"""Sentences about the columns of a table: what is set aside, what was never seen, what is not there."""

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Warned
from glaswerk.design.encoding import Labels, Unknown
from glaswerk.model.sheet import Sheet
from glaswerk.table import TableError
from glaswerk.table.errors import shown

if TYPE_CHECKING:
    from glaswerk.table import TypedTable

FEW = 5  # things named in a message before "and n more"


def few(things: Iterable[str]) -> str:
    """The first of them, and how many more there are."""
    listed = list(things)
    more = f"; and {len(listed) - FEW} more" if len(listed) > FEW else ""
    return "; ".join(listed[:FEW]) + more


def why_nothing_varies(sheet: Sheet, name: str) -> str:
    """Why a column makes no columns of numbers."""
    values = sheet.values(name)
    there = ~sheet.missing(name)
    if not there.any():
        return "no row has a value"
    first = int(np.argmax(there))
    value = values.names[values.codes[first]] if isinstance(values, Labels) else f"{values[first]:g}"
    if sheet.kind(name) == "date":
        value = str(np.datetime64(int(float(value)), "D"))
    return f"constant: {shown(value)} in every row"


def never_seen(unknown: Mapping[str, Unknown]) -> str:
    """The warning for levels and gaps that training rows did not have."""
    told = [f"column {shown(column)}: {few(map(_told, found))}" for column, found in unknown.items()]
    return f"not seen when fitted, so these cells count as an average row: {few(told)}"


def _told(unknown: tuple[str | None, int]) -> str:
    what, rows = unknown
    return f"{'a missing cell' if what is None else shown(what)} in {rows} row(s)"


def tell_failed(table: "TypedTable", names: Iterable[str]) -> None:
    """Warn of cells that do not read as what their column held when the model was fitted."""
    told = [
        f"column {shown(name)}: {column.failed} cell(s) do not read as {column.kind}"
        + (
            f", such as {shown(column.failed_examples[0][1])} in row {column.failed_examples[0][0]}"
            if column.failed_examples
            else ""
        )
        for name in names
        if (column := table[name]).failed
    ]
    if told:
        warnings.warn(f"cells count as missing: {few(told)}", Warned, stacklevel=4)


def refused_gaps(gaps: Mapping[str, NDArray[np.bool_]], sheet: Sheet) -> str:
    """The error of a design that refuses missing cells."""
    told = [
        f"column {shown(name)} is missing in {int(missing.sum())} row(s), the first is row "
        f"{sheet.number(int(np.argmax(missing)))} (counted from 1)"
        for name, missing in gaps.items()
    ]
    return f"{few(told)}; the design has missing='refuse': fill or drop these rows, or take missing='fill'"


def refuse_absent(sheet: Sheet, name: str) -> NoReturn:
    """The error for a column that the model needs."""
    try:
        sheet.kind(name)
    except TableError as error:
        raise TableError(f"the model was fitted with the column {shown(name)}; {error}") from error
    raise AssertionError(name)


def refuse_other_kind(name: str, fitted: str, came: str) -> NoReturn:
    """The error for numbers where dates were, and dates where numbers were."""
    raise TableError(
        f"column {shown(name)} was read as {fitted} when the model was fitted, and is read as {came} here: "
        f"read the table with kinds={{{shown(name)}: {fitted!r}}}"
    )
