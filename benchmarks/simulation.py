"""How long passes over 1e9 to 1e11 rows would take on 10 to 1,000 workers: a calculation, printed with its assumptions.

python -m benchmarks.simulation
"""

import math
from dataclasses import dataclass

COLUMNS = 100
DISK = 0.5e9  # bytes a second that a worker reads, compressed
COMPRESSED = 0.5  # bytes in the file for one decoded
DECODE = 2.2e9  # decoded bytes a second and core: measured here, page-cached Parquet
FLOPS = 18e9  # of a Gram, a second and core
NETWORK = 1.25e9  # bytes a second and link
DISPATCH = 1.7e-3  # seconds of the scheduler for one task
FAN_IN = 8
SLOWEST = 1.35  # of many workers the slowest takes so many times the median: noise of 15 per cent
MOST_SHORT_TASKS = 400


@dataclass(frozen=True)
class Work:
    """What a pass does with a row of `COLUMNS` columns, how many passes there are, how large a sum is in bytes."""

    name: str
    operations: float
    passes: int
    sum_bytes: float


WORKS = (
    Work("least squares", (COLUMNS + 1) ** 2, 1, 8 * (COLUMNS + 1) ** 2),
    Work("ridge path, 10 folds", (COLUMNS + 1) ** 2, 1, 80 * (COLUMNS + 1) ** 2),
    Work("logistic, 2 classes", 1.2 * (COLUMNS + 1) ** 2, 9, 8 * (COLUMNS + 1) ** 2),
    Work("k-means, 8 groups", 3 * 8 * COLUMNS, 30, 64 * COLUMNS),
)


def seconds(work: Work, rows: float, workers: int) -> float:
    """Of all passes on workers of one core."""
    each = rows / workers
    decoded = each * COLUMNS * 8
    reading = max(decoded * COMPRESSED / DISK, decoded / DECODE + each * work.operations / FLOPS)
    tasks = workers * max(1, min(4, MOST_SHORT_TASKS // workers))
    levels = max(1, math.ceil(math.log(tasks, FAN_IN)))
    merging = levels * (FAN_IN * work.sum_bytes / NETWORK + DISPATCH)
    return work.passes * (reading * SLOWEST + tasks * DISPATCH * (1 + 1 / FAN_IN) + merging)


def told(amount: float) -> str:
    """Seconds as people say them."""
    for size, unit in ((3600, "h"), (60, "min")):
        if amount >= size:
            return f"{amount / size:.1f} {unit}"
    return f"{amount:.1f} s"


def table() -> str:
    """The page's table."""
    lines = ["| fit of 100 columns | rows | 10 workers | 100 | 1,000 |", "|--|--|--|--|--|"]
    for work in WORKS:
        for rows in (1e9, 1e10, 1e11):
            cells = " | ".join(told(seconds(work, rows, workers)) for workers in (10, 100, 1000))
            passes = f"{work.name}, {work.passes} pass{'es' if work.passes > 1 else ''}"
            lines.append(f"| {passes} | 10^{round(math.log10(rows))} | {cells} |")
    return "\n".join(lines)


ASSUMED = (
    f"Assumed: one core a worker, {COLUMNS} float64 columns, {DISK / 1e9:g} GB/s of disk and {NETWORK / 1e9:g} GB/s "
    f"of network each, files half the size of their numbers, decoding at {DECODE / 1e9:g} GB/s and "
    f"{FLOPS / 1e9:g} GFLOP/s a core, {DISPATCH * 1e3:g} ms of the scheduler a task, sums added {FAN_IN} at a time, "
    f"the slowest worker {SLOWEST:g} times the median, nobody dies."
)

if __name__ == "__main__":
    print(table())
    print()
    print(ASSUMED)
