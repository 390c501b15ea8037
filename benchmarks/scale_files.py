"""Files of random rows for the claims on scale; made in a folder that goes with the claim."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.harness import NotRun

GROUP_BYTES = 2**25  # of a decoded row group
SPARE_BYTES = 2 * 2**30


@contextmanager
def folder() -> Iterator[Path]:
    """A place for files, which is removed."""
    found = Path(tempfile.mkdtemp(prefix="glaswerk-bench-"))
    try:
        yield found
    finally:
        shutil.rmtree(found, ignore_errors=True)


def normals(path: Path, rows: int, columns: int) -> Path:
    """x0 … and y, half the sum of all inputs and noise; and k, whether y is positive."""
    if shutil.disk_usage(path.parent).free < rows * columns * 8 + SPARE_BYTES:
        raise NotRun("the disk is too full for the file of this case")
    names = [*(f"x{j}" for j in range(columns - 2)), "y", "k"]
    schema = pa.schema([(name, pa.float64()) for name in names])
    size = GROUP_BYTES // (8 * columns)
    rng = np.random.default_rng(29)
    with pq.ParquetWriter(path, schema, compression="snappy", use_dictionary=False) as writer:
        for first in range(0, rows, size):
            X = rng.normal(size=(columns - 2, min(size, rows - first)))
            y = X.sum(axis=0) / 2 + rng.normal(size=X.shape[1])
            writer.write_table(pa.table([*X, y, (y > 0).astype(float)], schema=schema), row_group_size=size)
    return path
