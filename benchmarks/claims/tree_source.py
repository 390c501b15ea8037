"""Trees from files beyond memory: what bins cost in fit, and how much memory is taken."""

from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from benchmarks.fresh import fresh_process
from benchmarks.harness import Case, Check, Line, NotRun, Outcome, Plan
from benchmarks.parquet_file import FEATURES, TARGET, LargeFile, large_file
from glaswerk import DecisionTreeRegressor

SENTENCE = "a tree grown from a file in 100 MB fits as well as one grown in memory, and takes no more than 400 MB"
ASKED = "100MB"
MEGABYTE = 2**20
LIMITS = {"max_depth": 8, "min_samples_leaf": 20}

MEMORY = """
import json
from glaswerk import DecisionTreeRegressor, kernels
import pyarrow.parquet

kernels.bin_cells, kernels.bin_sums, kernels.grow_subtrees

def status(key):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))

before = status("VmRSS")
DecisionTreeRegressor(max_depth=8, min_samples_leaf=20, n_jobs={threads}).fit_source(
    {path!r}, target={target!r}, memory={asked!r})
print(json.dumps({{"before": before, "peak": status("VmHWM")}}))
"""


def cases(plan: Plan) -> list[Case]:
    @cache
    def file() -> LargeFile:
        return plan.held.enter_context(large_file(True))  # 134 MB decoded: a tree in memory is to be held against

    return [
        Case("R2 lost to bins", lambda: lost(file(), plan)),
        Case("peak memory", lambda: peak_memory(file(), plan)),
    ]


def lost(file: LargeFile, plan: Plan) -> Outcome:
    """R² on the rows themselves of the tree in memory, less that of the tree from the file."""
    table = pq.read_table(file.path)
    X = np.column_stack([table[f"x{j}"].to_numpy() for j in range(FEATURES)])
    y = table[TARGET].to_numpy()
    exact = DecisionTreeRegressor(**LIMITS, n_jobs=plan.threads).fit(X, y)
    found = DecisionTreeRegressor(**LIMITS, n_jobs=plan.threads).fit_source(str(file.path), TARGET, memory=ASKED)
    scores = [1.0 - own_error(model) / float(y.var()) for model in (exact, found)]
    lines = tuple(
        Line(name, kind, score, "R2")
        for name, kind, score in zip(("in memory", f"from the file, {ASKED}"), ("peer", "ours"), scores, strict=True)
    )
    check = Check("rows not counted", abs(int(found.tree_.samples[0]) - file.rows), 0)
    return Outcome(scores[0] - scores[1], "R2", lines, (check,))


def own_error(model: DecisionTreeRegressor) -> float:
    tree = model.tree_
    return float(tree.squares[tree.feature < 0].sum() / tree.weight[0])


def peak_memory(file: LargeFile, plan: Plan) -> Outcome:
    """VmHWM of a fresh process, above what it held after its imports."""
    if not Path("/proc/self/status").exists():
        raise NotRun("VmHWM can be read on Linux only")
    code = MEMORY.format(threads=plan.threads, path=str(file.path), target=TARGET, asked=ASKED)
    _, seen = fresh_process(code, plan.threads)
    above = (seen["peak"] - seen["before"]) / MEGABYTE
    lines = (
        Line("held after imports (VmRSS)", "peer", seen["before"] / MEGABYTE, "MB"),
        Line("peak (VmHWM)", "ours", seen["peak"] / MEGABYTE, "MB"),
        Line("the file, decoded", "peer", file.decoded_bytes / MEGABYTE, "MB"),
    )
    return Outcome(above, "MB above imports", lines)
