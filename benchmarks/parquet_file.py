"""A large Parquet file for the length of a claim, and the pure decoding of one."""

import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GROUP_ROWS = 2**18
FEATURES = 15  # and a target: sixteen float64 columns
NOISE = 0.5
TARGET = "y"
FREE_BYTES = 8 * 2**30
WEIGHTS = np.linspace(-1.0, 1.0, FEATURES)
INTERCEPT = 2.0


@dataclass(frozen=True)
class LargeFile:
    path: Path
    rows: int
    note: str

    @property
    def decoded_bytes(self) -> int:
        return self.rows * (FEATURES + 1) * 8


@contextmanager
def large_file(quick: bool) -> Iterator[LargeFile]:
    """Random normals, snappy, row groups of 2^18 rows, 2 GB; smaller where the disk is nearly full. Removed after."""
    folder = Path(tempfile.mkdtemp(prefix="glaswerk-bench-"))
    try:
        free = shutil.disk_usage(folder).free
        groups = 4 if quick else 64
        note = ""
        if free < FREE_BYTES and not quick:
            groups = 8
            note = f"only {free / 2**30:.1f} GB are free: the file is SMALLER than the claim asks, no record"
        path = folder / "large.parquet"
        write(path, groups)
        yield LargeFile(path, groups * GROUP_ROWS, note)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write(path: Path, groups: int) -> None:
    names = [*(f"x{j}" for j in range(FEATURES)), TARGET]
    schema = pa.schema([(name, pa.float64()) for name in names])
    rng = np.random.default_rng(23)
    with pq.ParquetWriter(path, schema, compression="snappy") as writer:
        for _ in range(groups):
            X = rng.normal(size=(FEATURES, GROUP_ROWS))
            y = WEIGHTS @ X + INTERCEPT + NOISE * rng.normal(size=GROUP_ROWS)
            writer.write_table(pa.table([*X, y], schema=schema), row_group_size=GROUP_ROWS)


def decode(path: Path, threads: int) -> int:
    """Read every row group and drop it: what no pass over the file can avoid. Returns the rows seen."""
    with pq.ParquetFile(path, pre_buffer=False) as file:
        groups = file.num_row_groups
    if threads == 1:
        return decode_groups(path, range(groups))
    runs = [range(groups * k // threads, groups * (k + 1) // threads) for k in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(lambda run: decode_groups(path, run), runs))


def decode_groups(path: Path, numbers: range) -> int:
    rows = 0
    with pq.ParquetFile(path, pre_buffer=False, memory_map=False) as file:
        columns = file.schema_arrow.names
        for number in numbers:
            rows += file.read_row_group(number, columns=columns, use_threads=False).num_rows
    return rows
