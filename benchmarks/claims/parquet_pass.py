"""Fitting a file: hardly more than decoding it, in little memory."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.fresh import fresh_process
from benchmarks.harness import Case, Check, Line, NotRun, Outcome, Plan
from benchmarks.parquet_file import FEATURES, INTERCEPT, NOISE, TARGET, WEIGHTS, LargeFile, decode, large_file
from benchmarks.timing import Side, interleaved, ours_of
from glaswerk import LinearRegression, passes
from glaswerk.stats.moments import Moments
from glaswerk.table import open_source

SENTENCE = "a fit from a Parquet file takes at most 1.7 times the pure decoding of it, and 500 MB"
ERRORS_ALLOWED = 5.0  # standard errors between a coefficient and the truth the file was made from
MEGABYTE = 2**20

MEMORY = """
import json, sys
from glaswerk import LinearRegression
import pyarrow.parquet

def status(key):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))

before = status("VmRSS")
LinearRegression(n_jobs={threads}).fit_source({path!r}, target={target!r}, engine={engine!r})
print(json.dumps({{"before": before, "peak": status("VmHWM")}}))
"""


def cases(plan: Plan) -> list[Case]:
    @cache
    def file() -> LargeFile:
        return plan.held.enter_context(large_file(plan.quick))

    return [
        Case("bare moments pass", lambda: told(moments_pass(file(), plan), file())),
        Case("fit_source", lambda: told(whole_fit(file(), plan), file())),
        Case("peak memory", lambda: told(peak_memory(file(), plan), file())),
    ]


def told(outcome: Outcome, file: LargeFile) -> Outcome:
    return outcome.noting(f"{file.rows} rows x {FEATURES + 1} columns, row groups of 2^18", *filter(None, [file.note]))


def engine_for(plan: Plan) -> str:
    return "serial" if plan.threads == 1 else "threads"


def moments_pass(file: LargeFile, plan: Plan) -> Outcome:
    """The statistic alone, without a learner around it."""
    source = open_source(str(file.path), target=TARGET, weight=None, columns=None)
    shift = np.zeros(FEATURES + 1)

    def ours() -> Moments:
        return passes.sum_blocks(
            source, lambda block: Moments.of(block.X, block.Y, shift=shift), engine_for(plan), plan.threads
        )

    return against_decoding(ours, file, plan, lambda answer: [missing_rows(answer.count, file)])


def whole_fit(file: LargeFile, plan: Plan) -> Outcome:
    def ours() -> LinearRegression:
        return fit(file.path, engine_for(plan), plan.threads)

    def checks(answer: LinearRegression) -> list[Check]:
        return [missing_rows(answer.solution_.count, file), *same_bits(file), near_truth(answer, file)]

    return against_decoding(ours, file, plan, checks)


def fit(path: Path, engine: str, threads: int) -> LinearRegression:
    return LinearRegression(n_jobs=threads).fit_source(str(path), target=TARGET, engine=engine)


def against_decoding(
    ours: Callable[[], Any], file: LargeFile, plan: Plan, checks: Callable[[Any], Sequence[Check]]
) -> Outcome:
    """The figure is ours / decoding, with as many threads on both sides."""
    sides = [
        Side(f"glaswerk, {engine_for(plan)}", "ours", ours),
        Side(f"pyarrow read_row_group, {plan.threads} thread(s)", "rival", lambda: decode(file.path, plan.threads)),
    ]
    timed = interleaved(sides, 3 if plan.quick else 7, 60.0)
    decoding = timed[1].spread.median
    rate = file.decoded_bytes / decoding / 1e9
    lines = [Line(t.side.name, t.side.kind, t.spread.median, "s", t.spread, t.spread.median / decoding) for t in timed]
    ratio = ours_of(timed).spread.median / decoding
    return Outcome(ratio, "x decoding", tuple(lines), tuple(checks(timed[0].answer)), (f"decoding: {rate:.1f} GB/s",))


def missing_rows(count: int, file: LargeFile) -> Check:
    return Check("rows not counted", abs(file.rows - count), 0)


def same_bits(file: LargeFile) -> list[Check]:
    """Serial and two threads must agree to the last bit."""
    serial, threads = fit(file.path, "serial", 1), fit(file.path, "threads", 2)
    different = int((serial.coef_ != threads.coef_).sum()) + int(serial.intercept_ != threads.intercept_)
    return [Check("coefficients that differ between serial and threads", different, 0)]


def near_truth(model: LinearRegression, file: LargeFile) -> Check:
    """Columns are independent and of deviation 1, so every coefficient has the standard error noise / sqrt(n)."""
    away = np.append(model.coef_ - WEIGHTS, model.intercept_ - INTERCEPT)
    standard_error = NOISE / np.sqrt(file.rows)
    return Check("standard errors from the truth", float(np.abs(away).max() / standard_error), ERRORS_ALLOWED)


def peak_memory(file: LargeFile, plan: Plan) -> Outcome:
    """VmHWM of a fresh process, above what it held after its imports."""
    if not Path("/proc/self/status").exists():
        raise NotRun("VmHWM can be read on Linux only")
    code = MEMORY.format(threads=plan.threads, path=str(file.path), target=TARGET, engine=engine_for(plan))
    _, seen = fresh_process(code, plan.threads)
    above = (seen["peak"] - seen["before"]) / MEGABYTE
    lines = (
        Line("held after imports (VmRSS)", "peer", seen["before"] / MEGABYTE, "MB"),
        Line("peak (VmHWM)", "ours", seen["peak"] / MEGABYTE, "MB"),
        Line("the file, decoded", "peer", file.decoded_bytes / MEGABYTE, "MB"),
    )
    return Outcome(above, "MB above imports", lines)
