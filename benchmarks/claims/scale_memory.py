"""Memory of a fit from a file: little, and the same however large the file is."""

from functools import cache
from pathlib import Path

from benchmarks.fresh import fresh_process
from benchmarks.harness import Case, Line, NotRun, Outcome, Plan
from benchmarks.scale_files import folder, normals

SENTENCE = "a fit from a file takes at most 500 MB above the imports, and a file eight times as large takes 5 % more"
SMALL, LARGE, COLUMNS = 2**29, 2**32, 16
QUICK_SMALL, QUICK_LARGE = 2**26, 2**28
MEGABYTE = 2**20
FITS = {
    "least squares": "LinearRegression(n_jobs={threads}).fit_source({path!r}, target='y')",
    "k-means": "KMeans(8, max_iter=3, n_jobs={threads}).fit_source({path!r})",
}
CODE = """
import json, sys
from glaswerk import KMeans, LinearRegression
import polars, pyarrow.parquet, pyarrow.dataset
import glaswerk.table.opening

def status(key):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))

before = status("VmRSS")
{fit}
print(json.dumps({{"before": before, "peak": status("VmHWM")}}))
"""


def cases(plan: Plan) -> list[Case]:
    @cache
    def file(size: int) -> Path:
        return normals(plan.held.enter_context(folder()) / f"{size}.parquet", size // (8 * COLUMNS), COLUMNS)

    @cache
    def above(name: str, size: int) -> float:
        if not Path("/proc/self/status").exists():
            raise NotRun("VmHWM can be read on Linux only")
        fit = FITS[name].format(threads=plan.threads, path=str(file(size)))
        _, seen = fresh_process(CODE.format(fit=fit), plan.threads)
        return (seen["peak"] - seen["before"]) / MEGABYTE

    small, large = (QUICK_SMALL, QUICK_LARGE) if plan.quick else (SMALL, LARGE)

    def peak(name: str) -> Outcome:
        found = above(name, large)
        return Outcome(found, "MB above imports", (Line("the file, decoded", "peer", large / MEGABYTE, "MB"),))

    def growth(name: str) -> Outcome:
        before, after = above(name, small), above(name, large)
        lines = (
            Line(f"{small / MEGABYTE:.0f} MB decoded", "peer", before, "MB"),
            Line(f"{large / MEGABYTE:.0f} MB decoded", "ours", after, "MB"),
        )
        return Outcome(100 * (after / before - 1), "% more", lines)

    return [
        Case("peak, least squares", lambda: peak("least squares")),
        Case("growth, least squares", lambda: growth("least squares")),
        Case("peak, k-means", lambda: peak("k-means")),
    ]
