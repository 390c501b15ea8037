"""Rows written once to Parquet so that they can be walked often: delimited text, and batches from elsewhere."""

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from glaswerk.table import choose_columns
from glaswerk.table.batches import Batches, open_batches
from glaswerk.table.column import Kind
from glaswerk.table.describe import Plan, plans_of
from glaswerk.table.errors import TableError, shown_path
from glaswerk.table.wishes import Wishes

COMPRESSION = "lz4"  # fast above all: these files are read a few times and thrown away
NUMBERS = (Kind.NUMBER, Kind.FLAG)


def spill_texts(
    paths: list[str], folder: Path, targets: list[str], weight: str | None, columns: list[str] | None
) -> list[Path]:
    """One Parquet file of numbers for each file of delimited text; kinds are decided from all of its rows."""
    opened = [open_batches(path, None, None, None) for path in paths]
    first = opened[0].naming.names
    for path, one in zip(paths, opened, strict=True):
        odd = sorted(set(one.naming.names) ^ set(first))
        if odd:
            raise TableError(f"{path}: its columns differ from those of {paths[0]}: only one of them has {odd[0]!r}")
    planned = [plans_of(one, Wishes.of(None, None, None, None)) for one in opened]
    numeric, kinds = dict.fromkeys(first, True), dict.fromkeys(first, "numbers")
    for path, one, plans in zip(paths, opened, planned, strict=True):
        for name, plan in zip(one.naming.names, plans, strict=True):
            if plan.kind not in NUMBERS:
                numeric[name], kinds[name] = False, f"a {plan.kind} in {path}"
    chosen = choose_columns(numeric, targets, weight, columns, kinds)
    needed = [*chosen, *targets, *([weight] if weight else [])]
    parts = [folder / f"part-{number:05d}.parquet" for number in range(len(paths))]
    for path, one, plans, part in zip(paths, opened, planned, parts, strict=True):
        _spill_text(path, one, dict(zip(one.naming.names, plans, strict=True)), needed, part)
    return parts


def _spill_text(path: str, batches: Batches, plans: dict[str, Plan], needed: list[str], part: Path) -> None:
    schema = pa.schema([(name, pa.float64()) for name in needed])
    row = 0
    with pq.ParquetWriter(part, schema, compression=COMPRESSION) as writer:
        for cells in batches.frames():
            frame = cells.frame
            if not len(frame):
                continue
            read = [_numbers(path, name, plans[name], frame[name], row) for name in needed]
            writer.write_table(pa.table(read, schema=schema), row_group_size=len(frame))
            row += len(frame)


def _numbers(path: str, name: str, plan: Plan, cells: pl.Series, row: int) -> pa.Array:
    found = plan.read(cells, row + 1).series.cast(pl.Float64)
    empty = found.is_null()
    if empty.any():
        at = int(np.argmax(empty.to_numpy()))
        held = cells[at]
        what = "is empty" if held is None or not str(held).strip() else f"holds {str(held)[:40]!r}, not a number,"
        raise TableError(
            f"{shown_path(path)}: column {name!r} {what} in row {row + at}: drop such rows or fill the cells first"
        )
    return found.to_arrow()


def spill_batches(batches: Iterable[Any], schema: pa.Schema, path: Path) -> None:
    """Record batches as one Parquet file."""
    with pq.ParquetWriter(path, schema, compression=COMPRESSION) as writer:
        for batch in batches:
            if batch.num_rows:
                writer.write_batch(batch)


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Write columns, some rows at a time, to a Parquet file that appears when all of them are there."""
    target = Path(path)
    temporary = target.parent / f".glaswerk-{secrets.token_hex(8)}.tmp"
    writer: pq.ParquetWriter | None = None

    def write(columns: dict[str, Any]) -> None:
        nonlocal writer
        table = pa.table({name: pa.array(cells) for name, cells in columns.items()})
        if writer is None:
            writer = pq.ParquetWriter(temporary, table.schema)
        writer.write_table(table)

    try:
        try:
            yield write
        finally:
            if writer is not None:
                writer.close()
        os.replace(temporary, target)
    except OSError as error:
        raise TableError(f"{shown_path(target)} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            temporary.unlink()
