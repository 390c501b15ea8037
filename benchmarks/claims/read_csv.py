"""Reading a table with every cell accounted for: what it costs beside reading that guesses, and in how much memory."""

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.fresh import fresh_process
from benchmarks.harness import Case, Check, Line, NotRun, Outcome, Plan
from benchmarks.timing import Side, interleaved, ours_of
from glaswerk.table import TypedTable, read_table

SENTENCE = "reading a CSV with every cell typed by the whole column takes at most 4 times Polars' inferred read"
COLUMNS, WORDS = 12, ("red", "green", "blue", "black")
MEGABYTE = 2**20

MEMORY = """
import json
from glaswerk.table import describe_file, read_table
read_table({{"a": [1.0, 2.0]}}).card()

def status(key):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))

before = status("VmRSS")
card = describe_file({path!r})
print(json.dumps({{"before": before, "peak": status("VmHWM"), "rows": card.rows}}))
"""


def cases(plan: Plan) -> list[Case]:
    @cache
    def folder() -> Path:
        return Path(plan.held.enter_context(tempfile.TemporaryDirectory(prefix="glaswerk-bench-")))

    rows, times = (20_000, 2) if plan.quick else (400_000, 28)
    return [
        Case(f"{rows} x {COLUMNS}", lambda: against_polars(small_file(folder(), rows), plan)),
        Case("describe_file, peak memory", lambda: memory(folder(), rows, times, plan)),
    ]


def small_file(folder: Path, rows: int) -> Path:
    """Whole numbers, decimals, words and dates, as other programs write them."""
    path = folder / "table.csv"
    if not path.exists():
        frame(rows).write_csv(path)
    return path


def frame(rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(17)
    columns: dict[str, Any] = {f"amount {k}": rng.normal(100, 20, rows).round(3) for k in range(6)}
    columns |= {f"count {k}": rng.integers(0, 10_000, rows) for k in range(3)}
    columns["colour"] = np.array(WORDS)[rng.integers(0, len(WORDS), rows)]
    columns["sold"] = [f"20{y:02d}-{m:02d}-{d:02d}" for y, m, d in rng.integers(1, 28, (rows, 3)) % [25, 12, 28] + 1]
    columns["code"] = [f"{number:05d}" for number in rng.integers(0, 99_999, rows)]
    return pl.DataFrame(columns)


def against_polars(path: Path, plan: Plan) -> Outcome:
    """The figure is ours / Polars, which uses as many threads as the process allows on both sides."""
    sides = [
        Side("glaswerk read_table", "ours", lambda: read_table(path)),
        Side("polars.read_csv, types inferred", "rival", lambda: pl.read_csv(path)),
        Side("polars.read_csv, dates too", "peer", lambda: pl.read_csv(path, try_parse_dates=True)),
        Side("polars.read_csv, all as text", "peer", lambda: pl.read_csv(path, infer_schema=False)),
    ]
    timed = interleaved(sides, 3 if plan.quick else 7, 40.0)
    theirs = timed[1].spread.median
    lines = [Line(t.side.name, t.side.kind, t.spread.median, "s", t.spread, t.spread.median / theirs) for t in timed]
    note = f"{path.stat().st_size / MEGABYTE:.0f} MB; Polars makes numbers of the codes with leading zeros"
    ratio = ours_of(timed).spread.median / theirs
    return Outcome(ratio, "x polars", tuple(lines), tuple(same_cells(timed[0].answer, timed[1].answer)), (note,))


def same_cells(ours: TypedTable, theirs: pl.DataFrame) -> Sequence[Check]:
    names = [name for name in theirs.columns if name.startswith(("amount", "count"))]
    different = sum(int((ours[name].numbers() != theirs[name].to_numpy()).sum()) for name in names)
    return [
        Check("numbers that differ from Polars'", different, 0),
        Check("rows not read", abs(len(ours) - len(theirs)), 0),
    ]


def memory(folder: Path, rows: int, times: int, plan: Plan) -> Outcome:
    """VmHWM of a fresh process that describes a large file, above what it held after its imports."""
    if not Path("/proc/self/status").exists():
        raise NotRun("VmHWM can be read on Linux only")
    path = large_file(folder, rows, times)
    size = path.stat().st_size / MEGABYTE
    try:
        seconds, seen = fresh_process(MEMORY.format(path=str(path)), plan.threads)
    finally:
        path.unlink()
    above = (seen["peak"] - seen["before"]) / MEGABYTE
    lines = (Line("the file", "peer", size, "MB"), Line("peak (VmHWM)", "ours", seen["peak"] / MEGABYTE, "MB"))
    checks = (Check("rows not counted", abs(seen["rows"] - rows * times), 0),)
    return Outcome(above, "MB above imports", lines, checks, (f"{seconds:.0f} s for {size:.0f} MB",))


def large_file(folder: Path, rows: int, times: int) -> Path:
    """The small file again and again under one header."""
    header, _, body = small_file(folder, rows).read_bytes().partition(b"\n")
    path = folder / "large.csv"
    with open(path, "wb") as stream:
        stream.write(header + b"\n")
        for _ in range(times):
            stream.write(body)
    return path
