"""Least squares of four million rows from a file against SQL sums, dask.array, dask-ml and scikit-learn in memory."""

from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from benchmarks.harness import Case, Check, NotRun, Outcome, Plan, compare
from benchmarks.machine import peer
from benchmarks.scale_files import folder, normals
from benchmarks.timing import Side
from glaswerk import LinearRegression

SENTENCE = "least squares from a file is several times as fast as the sums by others, and as others with rows in memory"
ROWS, QUICK_ROWS, COLUMNS = 4_000_000, 200_000, 17
INPUTS = [f"x{j}" for j in range(COLUMNS - 2)]


def cases(plan: Plan) -> list[Case]:
    @cache
    def file() -> Path:
        rows = QUICK_ROWS if plan.quick else ROWS
        return normals(plan.held.enter_context(folder()) / "rows.parquet", rows, COLUMNS)

    def ours() -> Any:
        return LinearRegression(n_jobs=plan.threads).fit_source(file(), "y", columns=INPUTS).coef_

    rivals = {
        "DuckDB, SQL sums": ("duckdb", by_sql),
        "dask.array, A'A": ("dask", by_dask_array),
        "dask-ml, LinearRegression": ("dask_ml", by_dask_ml),
        "scikit-learn, in memory": ("sklearn", by_scikit_learn),
    }

    def against(name: str) -> Outcome:
        package, make = rivals[name]
        if peer(package) is None:
            raise NotRun(f"{package} is not installed")
        rival = Side(name, "rival", make(file(), plan.threads))
        return compare([Side("glaswerk, from the file", "ours", ours), rival], plan, same_as_ours)

    return [Case(name, lambda name=name: against(name)) for name in rivals]


def same_as_ours(answers: dict[str, Any]) -> list[Check]:
    found = list(answers.values())
    allowed = (
        0.05 if any("dask-ml" in name for name in answers) else 1e-9
    )  # ADMM ends early, and a penalty is its default
    return [Check("largest difference of a coefficient", float(np.abs(found[0] - found[1]).max()), allowed)]


def solved(gram: Any) -> Any:
    """Coefficients from the sums of products of [x …, 1, y]."""
    return np.linalg.solve(gram[:-1, :-1], gram[:-1, -1])[:-1]


def by_sql(path: Path, threads: int) -> Callable[[], Any]:
    duckdb = peer("duckdb")
    assert duckdb is not None
    names = [*INPUTS, "1.0", "y"]
    pairs = list(combinations_with_replacement(range(len(names)), 2))
    sums = ", ".join(f"sum({names[i]} * {names[j]})" for i, j in pairs)

    def call() -> Any:
        with duckdb.connect(config={"threads": threads}) as base:
            row = base.execute(f"select {sums} from read_parquet('{path}')").fetchone()
        gram = np.zeros((len(names), len(names)))
        for (i, j), value in zip(pairs, row, strict=True):
            gram[i, j] = gram[j, i] = value
        return solved(gram)

    return call


def by_dask_array(path: Path, threads: int) -> Callable[[], Any]:
    frames, arrays = peer("dask.dataframe"), peer("dask.array")
    assert frames is not None and arrays is not None

    def call() -> Any:
        frame = frames.read_parquet(str(path), columns=[*INPUTS, "y"], split_row_groups=True)
        A = frame.to_dask_array(lengths=True)
        ones = arrays.ones((A.shape[0], 1), chunks=(A.chunks[0], 1))
        A = arrays.concatenate([A[:, :-1], ones, A[:, -1:]], axis=1).rechunk({1: -1})
        return solved((A.T @ A).compute(scheduler="threads", num_workers=threads))

    return call


def by_dask_ml(path: Path, _: int) -> Callable[[], Any]:
    frames, linear = peer("dask.dataframe"), peer("dask_ml.linear_model")
    assert frames is not None and linear is not None

    def call() -> Any:
        frame = frames.read_parquet(str(path), columns=[*INPUTS, "y"], split_row_groups=True)
        A = frame.to_dask_array(lengths=True)
        return linear.LinearRegression().fit(A[:, :-1], A[:, -1]).coef_

    return call


def by_scikit_learn(path: Path, threads: int) -> Callable[[], Any]:
    """The rows are read before the clock starts."""
    linear = peer("sklearn.linear_model")
    assert linear is not None
    table = pq.read_table(path)
    X = np.column_stack([table[name].to_numpy() for name in INPUTS])
    y = table["y"].to_numpy()
    return lambda: linear.LinearRegression(n_jobs=threads).fit(X, y).coef_
