"""Passes over a file: moments, logistic and k-means against the pure decoding of the same columns."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case, Check, Line, Outcome, Plan
from benchmarks.parquet_file import decode
from benchmarks.scale_files import folder, normals
from benchmarks.timing import Side, interleaved, ours_of
from glaswerk import passes
from glaswerk.learners import LogisticRegression
from glaswerk.optim.lloyd import assign
from glaswerk.optim.tiles import TiledRows
from glaswerk.passes import Block
from glaswerk.stats.counts import Counts
from glaswerk.stats.moments import Moments
from glaswerk.table import open_source

SENTENCE = "a pass of moments takes at most 1.7 times the pure decoding of a file, one of logistic or k-means 2.4 times"
BYTES, QUICK_BYTES = 2**30, 2**27
WIDTHS = (16, 64)
GROUPS = 8


def cases(plan: Plan) -> list[Case]:
    @cache
    def file(columns: int) -> Path:
        rows = (QUICK_BYTES if plan.quick else BYTES) // (8 * columns)
        return normals(plan.held.enter_context(folder()) / f"{columns}.parquet", rows, columns)

    return [
        Case(f"{name}, {columns} columns", partial(against_decoding, make, file, columns, plan))
        for columns in WIDTHS
        for name, make in PASSES.items()
    ]


def moments(source: Any) -> tuple[Any, Callable[[Block], Any]]:
    shift = np.zeros(len(source.names) + 1)
    return source, lambda block: Moments.of(block.X, block.Y, shift=shift)


def logistic(source: Any) -> tuple[Any, Callable[[Block], Any]]:
    """The gradient and the curvature of a Newton round."""
    learner = LogisticRegression()
    learner.classes_, learner.n_features_in_ = np.array([0, 1]), len(source.names)
    learner.target_names_, learner.single_target_ = ["k"], True
    ask = learner.begin(source.head(), source.n_rows)
    return source, partial(learner.observe, ask=ask)


def k_means(source: Any) -> tuple[Any, Callable[[Block], Any]]:
    """The E step of rows that are not held, and the sums of the M step."""
    centres = np.random.default_rng(1).normal(size=(GROUPS, len(source.names)))
    return TiledRows(source, np.zeros(len(source.names)), None), partial(assign, centres=centres, direct=False)


PASSES: dict[str, Callable[[Any], tuple[Any, Callable[[Block], Any]]]] = {
    "moments": moments, "logistic": logistic, "k-means": k_means,
}  # fmt: skip


def against_decoding(
    make: Callable[[Any], tuple[Any, Callable[[Block], Any]]], file: Callable[[int], Path], columns: int, plan: Plan
) -> Outcome:
    """The figure is ours / decoding, with as many threads on both sides."""
    path, engine = file(columns), "serial" if plan.threads == 1 else "threads"
    source = open_source(path, target="k", weight=None, columns=None)
    rows, observe = make(source)
    sides = [
        Side(f"glaswerk, {engine}", "ours", lambda: passes.sum_blocks(rows, observe, engine, plan.threads)),
        Side(f"pyarrow read_row_group, {plan.threads} thread(s)", "rival", lambda: decode(path, plan.threads)),
    ]
    timed = interleaved(sides, 3 if plan.quick else 7, 25.0)
    decoding = timed[1].spread.median
    lines = [Line(t.side.name, t.side.kind, t.spread.median, "s", t.spread, t.spread.median / decoding) for t in timed]
    seen = passes.sum_blocks(source, lambda block: Counts.of(block.Y[:, 0], block.weight), engine, plan.threads)
    missing = Check("rows not walked", abs(int(seen.rows.sum()) - source.n_rows), 0)
    rate = source.n_rows * columns * 8 / decoding / 1e9
    return Outcome(
        ours_of(timed).spread.median / decoding, "x decoding", tuple(lines), (missing,), (f"decoding: {rate:.1f} GB/s",)
    )
