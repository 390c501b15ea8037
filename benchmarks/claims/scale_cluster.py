"""A local Dask cluster of two processes: against one process, with a worker killed, and what a checkpoint costs."""

import os
import signal
import threading
import time
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.harness import Case, Check, Line, NotRun, Outcome, Plan
from benchmarks.machine import peer
from benchmarks.scale_files import folder, normals
from glaswerk import LogisticRegression

SENTENCE = "two Dask workers are 1.5 times one process, a killed worker costs a quarter, a checkpoint a hundredth"
BYTES, QUICK_BYTES, COLUMNS = 2**31, 2**27, 16
ROUNDS = 3


def cases(plan: Plan) -> list[Case]:
    @cache
    def file() -> Path:
        rows = (QUICK_BYTES if plan.quick else BYTES) // (8 * COLUMNS)
        return normals(plan.held.enter_context(folder()) / "rows.parquet", rows, COLUMNS)

    @cache
    def cluster() -> tuple[Any, Any]:
        distributed = peer("distributed")
        if distributed is None:
            raise NotRun("distributed is not installed")
        made = distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=":0")
        plan.held.callback(made.close)
        client = distributed.Client(made, set_as_default=False)
        plan.held.callback(client.close)
        fit(file(), client)  # every worker has loaded what it needs
        return made, client

    return [
        Case("two workers against one process", lambda: two_workers(file(), cluster()[1])),
        Case("a worker killed in the middle", lambda: killed(file(), *cluster())),
        Case("checkpoint", lambda: checkpointed(file())),
    ]


def fit(path: Path, engine: Any, kept: Path | None = None) -> tuple[float, bytes]:
    """Seconds, and the bits."""
    begun = time.perf_counter()
    found = LogisticRegression().fit_source(path, "k", engine=engine, checkpoint=kept)
    return time.perf_counter() - begun, found.coef_.tobytes()


def medians(calls: dict[str, Any]) -> tuple[dict[str, float], Check]:
    """In turns; and all must have found the same bits."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    bits = set()
    for _ in range(ROUNDS):
        for name, call in calls.items():
            seconds, found = call()
            times[name].append(seconds)
            bits.add(found)
    return {name: median(found) for name, found in times.items()}, Check("answers of other bits", len(bits) - 1, 0)


def two_workers(path: Path, client: Any) -> Outcome:
    found, same = medians({"one process": lambda: fit(path, "serial"), "two workers": lambda: fit(path, client)})
    lines = tuple(Line(name, "ours", seconds, "s") for name, seconds in found.items())
    return Outcome(found["one process"] / found["two workers"], "x", lines, (same,))


def killed(path: Path, cluster: Any, client: Any) -> Outcome:
    whole, _ = medians({"undisturbed": lambda: fit(path, client)})

    def disturbed() -> tuple[float, bytes]:
        pid = cluster.workers[0].pid
        timer = threading.Timer(whole["undisturbed"] / 2, lambda: os.kill(pid, signal.SIGKILL))
        timer.start()
        found = fit(path, client)
        timer.join()
        time.sleep(8)  # the nanny starts another, which loads what it needs
        fit(path, client)
        return found

    found, same = medians({"undisturbed": lambda: fit(path, client), "killed": disturbed})
    lines = tuple(Line(name, "ours", seconds, "s") for name, seconds in found.items())
    return Outcome(100 * (found["killed"] / found["undisturbed"] - 1), "% more time", lines, (same,))


def checkpointed(path: Path) -> Outcome:
    """As often as it is saved when it is left to itself; the shorter tasks that saving needs are part of the cost."""
    kept = path.with_suffix(".ckpt")
    found, same = medians({"without": lambda: fit(path, "threads"), "with": lambda: fit(path, "threads", kept)})
    lines = tuple(Line(name, "ours", seconds, "s") for name, seconds in found.items())
    return Outcome(100 * (found["with"] / found["without"] - 1), "% more time", lines, (same,))
