"""Whatever holds rows, as a source of blocks: files are walked where they lie, anything lazy by way of Parquet.

Text, lazy frames and datasets that are not plain Parquet files are written once to a temporary folder (TMPDIR decides
where), a few rows at a time, so that every pass after that costs what Parquet costs and may be shared out.
"""

import glob
import os
import shutil
import tempfile
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import pyarrow as pa
import pyarrow.dataset as ds
from narwhals.exceptions import DuplicateError
from pyarrow.fs import LocalFileSystem

from glaswerk.passes import Source
from glaswerk.table import frames, parquet
from glaswerk.table.errors import LONGEST, TableError, shown_path
from glaswerk.table.parquet import ParquetSource
from glaswerk.table.recognising import PARQUET
from glaswerk.table.spilling import spill_batches, spill_texts
from glaswerk.table.typed import TypedTable


def open_rows(source: Any, targets: list[str], weight: str | None, columns: list[str] | None) -> Source:
    """The rows of files (paths, patterns, lists of them), of a dataframe in memory, or of something lazy."""
    paths = source if isinstance(source, list | tuple) else [source]
    if paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return _of_files([one for path in paths for one in matching(os.fspath(path))], targets, weight, columns)
    if isinstance(source, ds.Dataset):
        return _of_dataset(source, targets, weight, columns)
    try:
        frame = nw.from_native(source.to_polars() if isinstance(source, TypedTable) else source)
        if isinstance(frame, nw.LazyFrame):
            return _of_lazy(frame, targets, weight, columns)
    except TypeError as error:
        raise TableError(
            "a source must be the path of a Parquet or CSV file, a pattern such as 'sales/*.parquet', a list of paths, "
            f"a dataframe or a PyArrow dataset, got {type(source).__name__}"
        ) from error
    except DuplicateError as error:
        raise TableError(f"columns of the dataframe share a name: {' '.join(str(error).split())}") from error
    return frames.open_rows(source, targets, weight, columns)


def matching(path: str) -> list[str]:
    """The file of this name, or else all files that a pattern with * ? [ ] or ** fits, in the order of their names."""
    if os.path.exists(path) or not glob.has_magic(path):
        return [path]
    found = sorted(one for one in glob.glob(path, recursive=True) if os.path.isfile(one))
    if not found:
        raise TableError(f"{shown_path(path)}: no file has a name like this")
    return found


def _of_files(paths: list[str], targets: list[str], weight: str | None, columns: list[str] | None) -> ParquetSource:
    texts = [path for path in paths if _is_text(path)]
    if not texts:
        return parquet.open_rows(paths, targets, weight, columns)
    if len(texts) < len(paths):
        other = next(path for path in paths if path not in texts)
        raise TableError(f"{shown_path(texts[0])} is text and {shown_path(other)} is Parquet: give files of one kind")
    folder = Folder()
    parts = spill_texts(texts, folder.path, targets, weight, columns)
    called = ", ".join(texts[:3])[:LONGEST]
    return replace(parquet.open_rows(parts, targets, weight, columns, called), kept_in=folder)


def _is_text(path: str) -> bool:
    """Not Parquet by its first bytes; what cannot be opened is left to the reader of Parquet, who says why."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as stream:
            return not stream.read(4).startswith(PARQUET)
    except OSError:
        return False


def _of_lazy(frame: Any, targets: list[str], weight: str | None, columns: list[str] | None) -> ParquetSource:
    """A query is answered once, straight into Parquet, by whoever it belongs to."""
    schema = frame.collect_schema()
    needed = frames.needed_columns(schema, targets, weight, columns)
    folder = Folder()
    narrow, parts = frame.select(needed), [folder.path / "rows.parquet"]
    if frame.implementation.is_dask():  # its workers write one file for each of its partitions
        narrow.to_native().to_parquet(parts[0], write_index=False)
        parts = sorted(parts[0].glob("*.parquet"), key=lambda part: (len(part.name), part.name))
    else:
        narrow.sink_parquet(parts[0])
    return replace(parquet.open_rows(parts, targets, weight, columns, "the lazy frame"), kept_in=folder)


def _of_dataset(dataset: Any, targets: list[str], weight: str | None, columns: list[str] | None) -> ParquetSource:
    """The files of a dataset, where these hold all of its columns and rows; else its rows, written once."""
    if _is_plain(dataset):
        return parquet.open_rows(dataset.files, targets, weight, columns)
    schema = nw.from_native(dataset.schema.empty_table(), eager_only=True).schema
    needed = frames.needed_columns(schema, targets, weight, columns)
    narrow, folder = pa.schema([dataset.schema.field(name) for name in needed]), Folder()
    scan = {"fragment_scan_options": ds.ParquetFragmentScanOptions(pre_buffer=False)} if _of_parquet(dataset) else {}
    batches = dataset.to_batches(columns=needed, batch_readahead=1, fragment_readahead=1, use_threads=False, **scan)
    spill_batches(batches, narrow, folder.path / "rows.parquet")
    found = parquet.open_rows([folder.path / "rows.parquet"], targets, weight, columns, "the dataset")
    return replace(found, kept_in=folder)


def _of_parquet(dataset: Any) -> bool:
    return isinstance(getattr(dataset, "format", None), ds.ParquetFileFormat)


def _is_plain(dataset: Any) -> bool:
    """Whole local Parquet files whose own columns are those of the dataset."""
    if not _of_parquet(dataset) or not isinstance(dataset.filesystem, LocalFileSystem) or not dataset.files:
        return False
    try:
        fragments = list(dataset.get_fragments())
    except ValueError:  # it is filtered
        return False
    own = set(fragments[0].physical_schema.names) == set(dataset.schema.names)
    return own and [fragment.path for fragment in fragments] == dataset.files


class Folder:
    """A temporary folder that goes when the last source of its files does; elsewhere only its name."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="glaswerk-"))
        self.remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return str, (str(self.path),)
