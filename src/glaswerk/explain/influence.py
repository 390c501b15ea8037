"""Influence: which rows lie far from the others, are answered badly, and so pull at a fit.

    h_i = 1/n + (x_i - x̄)ᵀ A⁻¹ (x_i - x̄)                     leverage of the row among the columns
    D_i = r_i² h_i / (p s²),   s² = Σ (r_i (1 - h_i))² / (n - p)   Cook's distance from the residual out of fold

A residual of least squares with its own row left out is e_i / (1 - h_i); put in above, D is Cook's distance exactly
(Technometrics 19, 1977). With folds of more than one row it is close to that, and it can be asked of any model, the
leverage then being that of the columns. Cost: n d². When not to use it: classes; rows that pull together hide each
other.
"""

from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.extrapolation import Extent
from glaswerk.explain.answering import few_of
from glaswerk.facts import Influence, Pull
from glaswerk.scoring.inputs import Ints

SHOWN = 10
CLOUD = 1_500
RULE = "Cook's distance beyond 4 / (n - p) is worth a look, beyond 1 it is much: refit without the row and compare"


def influence(
    X: Any, truth: Array, predicted: Array, *, target: str, name: str = "model", numbers: Ints | None = None
) -> Influence:
    """Leverage and Cook's distance of every row of a design matrix with its answers out of fold.

    numbers : the numbers of the rows, counted from 1; None takes 1, 2, 3, …
    """
    known = np.flatnonzero(np.isfinite(truth) & np.isfinite(predicted))
    rows = np.asarray(X, dtype=np.float64)[known]
    h, terms = leverages(rows)
    residual = (truth - predicted)[known]
    left = len(known) - terms
    if left <= 0:
        raise ValueError(f"influence needs more rows than the {terms} terms; there are {len(known)}")
    s = np.sqrt(float(((residual * (1 - h)) ** 2).sum()) / left)
    size = residual * np.sqrt(np.maximum(1 - h, 0.0)) / s if s > 0 else np.zeros(len(known))
    cook = residual**2 * h / (terms * s**2) if s > 0 else np.zeros(len(known))
    named = (np.arange(len(truth)) + 1 if numbers is None else numbers)[known]

    def pull(k: int) -> Pull:
        parts = (truth[known][k], predicted[known][k], residual[k], h[k], size[k], cook[k])
        return Pull(int(named[k]), *(float(part) for part in parts))

    order = np.argsort(-cook, kind="stable")
    cloud = np.union1d(few_of(len(known), CLOUD), order[:SHOWN])
    far = int((cook > 4 / left).sum())
    notes = (
        f"{far:,} of {len(known):,} rows lie beyond 4 / (n - p) = {4 / left:.3g}, "
        f"{int((cook > 1).sum())} beyond 1; {terms} terms",
        RULE,
    )
    return Influence(
        target, name, terms, len(known), tuple(pull(k) for k in order[:SHOWN]), tuple(pull(k) for k in cloud), notes
    )


def leverages(rows: Array) -> tuple[Array, int]:
    """h of every row, and the number of terms, intercept counted."""
    varying = rows[:, np.ptp(rows, axis=0) > 0]
    if not varying.shape[1]:
        return np.full(len(rows), 1.0 / len(rows)), 1
    extent = Extent.of(varying)
    h = 1.0 / len(rows) + (((varying - extent.mean) @ extent.root) ** 2).sum(axis=1)
    return np.minimum(h, 1.0), extent.root.shape[1] + 1
