"""A sample of a file of any size as a table: kinds decided from all rows, cells of those of smallest hash.

The file is read twice in batches, and no more than about twice the sample is ever held. The rows are the same for the
same seed, in the order of the file.
"""

import os
from pathlib import Path

import numpy as np
import polars as pl

from glaswerk.stats.bottom_k import hashed
from glaswerk.table.batches import open_batches
from glaswerk.table.describe import plans_of
from glaswerk.table.errors import TableError
from glaswerk.table.typed import TypedTable
from glaswerk.table.wishes import Wishes


def sample_file(path: str | os.PathLike[str], rows: int, *, seed: int = 0, name: str | None = None) -> TypedTable:
    """`rows` rows of the delimited text or Parquet file at `path`; all of them where there are no more."""
    if rows < 1:
        raise TableError(f"a sample must have at least 1 row, got {rows}")
    batches = open_batches(path, None, None, None)
    plans = plans_of(batches, Wishes.of(None, None, None, None))
    frame, keys, numbers, total = pl.DataFrame(), np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64), 0
    for cells in batches.frames():
        count = len(cells.frame)
        own = np.arange(total, total + count)
        found = hashed(own.astype(np.uint64), seed)
        total += count
        near = np.flatnonzero(found <= keys.max()) if len(keys) >= rows else np.arange(count)
        frame = pl.concat([frame, cells.frame[near]]) if frame.width else cells.frame[near]
        keys, numbers = np.concatenate([keys, found[near]]), np.concatenate([numbers, own[near]])
        if len(keys) > rows:
            kept = np.sort(np.argpartition(keys, rows - 1)[:rows])
            frame, keys, numbers = frame[kept], keys[kept], numbers[kept]
    columns = tuple(plan.read(series, 1) for plan, series in zip(plans, frame.iter_columns(), strict=True))
    said = f"{len(keys)} of {total}, those of smallest hash (seed {seed}); kinds are those of all rows"
    return TypedTable(name or Path(path).name, columns, (*batches.reading, ("rows", said)))
