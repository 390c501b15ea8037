"""Coefficients of a fit from a file where sums are apt to lose digits: far from zero, and nearly dependent."""

from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.harness import Case, Outcome, Plan
from benchmarks.scale_files import folder
from glaswerk import LinearRegression

SENTENCE = "from a file, coefficients keep 12 digits at offset/sd 1e6 and 7 at condition 1e10"
ROWS, COLUMNS = 200_000, 6


def cases(plan: Plan) -> list[Case]:
    place = plan.held.enter_context(folder())
    return [
        Case("offset/sd 1e+06", partial(shifted, place, 1e6)),
        Case("condition 1e+10", partial(dependent, place, 1e10)),
    ]


def shifted(place: Path, offset: float) -> Outcome:
    """Cells are dyadic, so that moved rows are the same rows: the truth is the unmoved fit in longdouble."""
    rng = np.random.default_rng(1)
    X = rng.integers(-(2**12), 2**12, (ROWS, COLUMNS)) / 2**10
    y = X @ np.arange(1.0, COLUMNS + 1) + rng.integers(-(2**10), 2**10, ROWS) / 2**8
    return away(place, X + offset, y, truth(X, y))


def dependent(place: Path, condition: float) -> Outcome:
    """Columns of singular values from 1 to 1/condition; y lies on the plane, up to its own rounding."""
    rng = np.random.default_rng(2)
    basis = np.linalg.qr(rng.normal(size=(ROWS, COLUMNS)))[0]
    basis -= basis.mean(axis=0)
    turn = np.linalg.qr(rng.normal(size=(COLUMNS, COLUMNS)))[0]
    X = basis * np.geomspace(1.0, 1.0 / condition, COLUMNS) @ turn.T
    y = np.asarray(X.astype(np.longdouble) @ np.ones(COLUMNS, dtype=np.longdouble), dtype=float)
    return away(place, X, y, truth(X, y))


def truth(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Least squares with an intercept in extended precision: Householder reflections of the centred rows."""
    A = np.column_stack([X, y]).astype(np.longdouble)
    A -= A.mean(axis=0)
    d = X.shape[1]
    for j in range(d):
        v = A[j:, j].copy()
        v[0] += np.copysign(np.sqrt(v @ v), v[0])
        A[j:, j:] -= np.outer(v, (v @ A[j:, j:]) * (2 / (v @ v)))
    w = np.zeros(d, dtype=np.longdouble)
    for j in reversed(range(d)):
        w[j] = (A[j, d] - A[j, j + 1 : d] @ w[j + 1 :]) / A[j, j]
    return w.astype(float)


def away(place: Path, X: np.ndarray, y: np.ndarray, wanted: np.ndarray) -> Outcome:
    path = place / "rows.parquet"
    pl.DataFrame({**{f"x{j}": X[:, j] for j in range(X.shape[1])}, "y": y}).write_parquet(path, row_group_size=50_000)
    found = LinearRegression().fit_source(path, "y")
    return Outcome(
        float(np.abs(found.coef_ / wanted - 1).max()),
        "largest relative error",
        notes=(f"rung: {found.solution_.rung}",),
    )
