"""Reach: where the numbers of the training rows lie, so that a prediction beyond them is told.

Cost: one pass of n d² over the numeric columns, at `fit` alone; folds of a validation keep none. Gaps count as means.
"""

from dataclasses import replace

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.extrapolation import Extent, Extrapolation
from glaswerk.model.sheet import Sheet
from glaswerk.model.table_design import TableDesign


def reach_of(sheet: Sheet, design: TableDesign, weight: Array) -> Extent | None:
    """The extent of the numeric columns that the design uses; None where there are none."""
    used = {encoder.column for encoder in design.encoders_}
    names = [name for name in sheet.names if name in used and sheet.kind(name) == "number"]
    counted = np.flatnonzero(weight > 0) if weight.size else np.arange(sheet.n_rows)
    if not names or not len(counted):
        return None
    cells = np.column_stack([_filled(sheet.numbers(name)[counted], None) for name in names])
    return Extent.of(cells, names) if np.isfinite(cells).all() else None


def judge(reach: Extent, sheet: Sheet) -> Extrapolation:
    """Which rows lie outside, and where."""
    cells = [_filled(sheet.numbers(name), middle) for name, middle in zip(reach.names, reach.mean, strict=True)]
    return replace(reach.judge(np.column_stack(cells)), first=1)


def _filled(values: Array, middle: float | None) -> Array:
    missing = np.isnan(values)
    if not missing.any():
        return values
    known = values[~missing]
    return np.where(missing, (known.mean() if known.size else 0.0) if middle is None else middle, values)
