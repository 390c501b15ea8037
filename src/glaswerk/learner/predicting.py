"""Predictions for tables beyond memory: blocks are read, answered by threads, and written in the order of the table."""

import importlib
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Estimator, Matrix, find_unusable
from glaswerk.learner.files import within_memory
from glaswerk.passes import Block, Progress, Source, available_threads, one_blas_thread
from glaswerk.passes.blocks import n_blocks
from glaswerk.table import open_source

Columns = dict[str, NDArray]


def predict_source(
    model: Any, source: Any, output: str | os.PathLike[str], *, interval: float | None = None,
    probabilities: bool = False, keep: list[str] | None = None, memory: int | str = "1GB", n_jobs: int | None = None,
) -> int:  # fmt: skip
    """Write what a model fitted to named columns predicts for every row of `source` to the Parquet file `output`.

    Columns: those of `keep` (numbers, such as an identifier), `prediction`; with `interval` also `lower` and `upper`;
    with `probabilities` also one for every class. The file appears when it is whole. Returns the number of rows.
    """
    owner = type(model).__name__
    if not hasattr(model, "feature_names_in_"):
        raise ValueError(f"{owner}: predict_source finds columns by name, and this model was fitted without names")
    if interval is not None and not hasattr(model, "predict_interval"):
        raise ValueError(f"{owner} has no predict_interval")
    if probabilities and not hasattr(model, "predict_proba"):
        raise ValueError(f"{owner} has no predict_proba")
    names = [str(name) for name in model.feature_names_in_]
    kept = [name for name in keep or [] if name not in names]
    rows = open_source(source, target=kept or None, weight=None, columns=names)
    rows, threads = within_memory(owner, rows, "threads", n_jobs, memory)
    answer = partial(answered, model=model, names=names, keep=keep or [], kept=kept, interval=interval,
                     probabilities=probabilities)  # fmt: skip
    writer = importlib.import_module("glaswerk.table.spilling").writing
    progress = Progress(owner, rows.n_rows, 1)
    try:
        with writer(output) as write, one_blas_thread():
            for found, size in in_order(rows, answer, available_threads(threads)):
                write(found)
                progress(range(size))
    finally:
        progress.close()
    return rows.n_rows


def answered(
    block: Block, model: Any, names: list[str], keep: list[str], kept: list[str], interval: float | None,
    probabilities: bool,
) -> Columns:  # fmt: skip
    """What the model says of the rows of a block, by the names of the columns to write."""
    X = Matrix.of(np.ascontiguousarray(block.X), names)
    found = {name: block.Y[:, kept.index(name)] if name in kept else block.X[:, names.index(name)] for name in keep}
    try:
        said = np.asarray(model.predict(X))
    except ValueError as error:
        message = find_unusable(block.X, names, "the table", block.first)
        raise ValueError(f"{type(model).__name__}: {message}" if message else str(error)) from error
    if said.ndim == 1:
        found["prediction"] = said
    else:
        found |= {f"prediction {name}": said[:, k] for k, name in enumerate(model.target_names_)}
    if interval is not None:
        limits = model.predict_interval(X, level=interval)
        found["lower"], found["upper"] = limits[..., 0], limits[..., 1]
    if probabilities:
        shares = model.predict_proba(X)
        found |= {f"probability of {name}": shares[:, k] for k, name in enumerate(model.classes_.tolist())}
    return found


def in_order(rows: Source, answer: Callable[[Block], Columns], threads: int) -> Iterator[tuple[Columns, int]]:
    """Answers to all blocks in the order of the table; a few more blocks than threads are under way."""
    with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
        waiting: deque[tuple[Future[Columns], int]] = deque()
        try:
            for block in rows.blocks(0, n_blocks(rows.n_rows)):
                waiting.append((pool.submit(answer, block), len(block)))
                while len(waiting) > threads:
                    done, size = waiting.popleft()
                    yield done.result(), size
            while waiting:
                done, size = waiting.popleft()
                yield done.result(), size
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


class PredictsSource(Estimator):
    """Interface: a model that answers for tables beyond memory."""

    def predict_source(self, source: Any, output: str | os.PathLike[str], **options: Any) -> int:
        """Write what is predicted for every row of `source` to the Parquet file `output`: see `predict_source`."""
        return predict_source(self, source, output, **options)
