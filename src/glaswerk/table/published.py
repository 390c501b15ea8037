"""One published data set: where it comes from, how to get it, and how to know that it is the one.

What a file says is compared, not its bytes: mirrors write the same numbers in many ways.
"""

import io
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

import polars as pl

from glaswerk.archive import replace_file
from glaswerk.table.column import Column, Kind
from glaswerk.table.errors import TableError, shown
from glaswerk.table.fetching import cache_folder, fetch
from glaswerk.table.originals import original_columns, typed_column
from glaswerk.table.typed import TypedTable

PathLike = str | os.PathLike[str]
Paths = PathLike | Sequence[PathLike]
Urls = str | Sequence[str]
FEW = 5  # columns named in a message


@dataclass(frozen=True, eq=False)
class DataSet:
    """One data set: what it is, where it comes from, and how to get it.

    kinds, levels : of the columns that are not numbers. file : its name within the package, or "" where `urls` are to
    be fetched. filled : for each of several files, words for columns that only say which file it is. fingerprint,
    marks : of the table and of each column, so that another content is noticed, and where it differs can be said.
    """

    name: str
    rows: int
    columns: tuple[str, ...]
    target: str
    about: str
    source: str
    licence: str
    fingerprint: str
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    file: str = ""
    urls: tuple[str, ...] = ()
    filled: tuple[Mapping[str, str], ...] = ({},)
    marks: tuple[str, ...] = ()

    def load(self, path: Paths | None = None, url: Urls | None = None) -> TypedTable:
        """The table: bundled, from your own copy at `path`, from the cache, or fetched (from `url`, if given).

        A set published in several files takes one path or address for each, in order, or a folder that holds them.
        """
        if self.file:
            if path is not None or url is not None:
                raise TableError(f"{self.name} comes with Glaswerk: it takes neither path nor url")
            content = resources.files("glaswerk.table").joinpath("data", self.file).read_bytes()
            return self.read([content])
        if path is not None and url is not None:
            raise TableError(f"{self.name}: give a path or a url, not both")
        return self._from_paths(path) if path is not None else self._from_web(url)

    def read(self, parts: Sequence[bytes]) -> TypedTable:
        """The table that these files hold, whatever they hold: `verified` compares."""
        found: list[dict[str, pl.Series]] = []
        for number, data in enumerate(parts):
            found.append(original_columns(data, self.columns, self.filled[min(number, len(self.filled) - 1)]))
        columns = tuple(self._column(pl.concat([part[name] for part in found])) for name in self.columns)
        return TypedTable(self.name, columns, (("source", self.source), ("licence", self.licence)))

    def verified(self, parts: Sequence[bytes], where: str) -> TypedTable:
        """The table of these files, once it is known to be this data set; `where` they come from is for the message."""
        try:
            table = self.read(parts)
            if table.fingerprint != self.fingerprint:
                raise TableError(self._difference(table))
        except (TableError, pl.exceptions.PolarsError) as error:
            raise TableError(f"{where} is not the data set {self.name!r}: {error}") from error
        return table

    def _column(self, series: pl.Series) -> Column:
        kind = self.kinds.get(series.name, Kind.NUMBER)
        return typed_column(series, kind, self.levels.get(series.name, ()))

    def _difference(self, table: TypedTable) -> str:
        if table.n_rows != self.rows:
            return f"it has {table.n_rows} rows, expected {self.rows}"
        other = [n for n, mark in zip(self.columns, self.marks, strict=True) if column_mark(table, n) != mark]
        more = f" and {len(other) - FEW} more" if len(other) > FEW else ""
        return f"other cells stand in column(s) {', '.join(map(shown, other[:FEW]))}{more}"

    def _from_paths(self, path: Paths) -> TypedTable:
        paths = [Path(path)] if isinstance(path, str | os.PathLike) else [Path(part) for part in path]
        if len(paths) == 1 and paths[0].is_dir():
            paths = [paths[0] / url.rsplit("/", 1)[1] for url in self.urls]
        try:
            parts = [part.read_bytes() for part in paths]
        except OSError as error:
            raise TableError(f"{self.name}: {error.filename} cannot be read: {error.strerror}") from error
        return self.verified(parts, ", ".join(map(str, paths)))

    def _from_web(self, url: Urls | None) -> TypedTable:
        kept = cache_folder() / f"{self.name}.parquet"
        try:
            return self.verified([kept.read_bytes()], str(kept))
        except (OSError, TableError):  # not fetched yet, or damaged since
            pass
        urls = self.urls if url is None else (url,) if isinstance(url, str) else tuple(url)
        try:
            table = self.verified([fetch(address) for address in urls], ", ".join(urls))
        except TableError as error:
            raise TableError(f"{error}. A copy of your own can be given by path=, a mirror by url=") from error
        _keep(table, kept)
        return table


def column_mark(table: TypedTable, name: str) -> str:
    """A short fingerprint of one column."""
    return table.select([name]).fingerprint[:8]


def _keep(table: TypedTable, path: Path) -> None:
    buffer = io.BytesIO()
    table.to_polars().write_parquet(buffer)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, buffer.getvalue())
    except OSError as error:
        warnings.warn(f"{table.name} will be fetched again next time: {error}", stacklevel=5)
