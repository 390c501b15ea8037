"""Dataframes of any library as Polars series: pandas, Polars, PyArrow, DuckDB, lazy ones, a dictionary of lists.

The door to narwhals. Integers stay integers, every other number becomes Float64, words String, times Datetime without
zone (UTC). What has no such form (lists, structs, mixed objects) becomes its text, and a note says so.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import narwhals as nw
import polars as pl

from glaswerk.table.column import Column, Kind
from glaswerk.table.deciding import Wish
from glaswerk.table.errors import TableError, shown
from glaswerk.table.naming import identifies

SECONDS = 1_000_000  # microseconds
LARGEST_EXACT = 2**53


def native_columns(source: Any) -> list[tuple[pl.Series, tuple[str, ...]]]:
    """Every column as a plain Polars series, with notes on what was changed."""
    if isinstance(source, Mapping):
        return [plain_series(series) for series in _listed(source)]
    try:
        frame = nw.from_native(source)
    except (TypeError, nw.exceptions.NarwhalsError, ValueError) as error:
        raise TableError(
            f"a table must be a path, a dataframe or a dictionary of lists, got {type(source).__name__} ({error})"
        ) from error
    eager = frame.collect(backend="polars") if isinstance(frame, nw.LazyFrame) else frame
    names = [str(name) for name in eager.columns]
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise TableError(f"the dataframe has more than one column {shown(repeated[0])}")
    columns = zip(names, eager.iter_columns(), strict=True)
    return [plain_series(_series(name, column.alias(name))) for name, column in columns]


def _listed(source: Mapping[Any, Any]) -> list[pl.Series]:
    """The columns of a dictionary of lists or arrays, all of one length."""
    for name, cells in source.items():
        if isinstance(cells, str | bytes) or not hasattr(cells, "__len__"):
            raise TableError(f"column {shown(name)} must be a list of cells, got {type(cells).__name__}")
    lengths = {str(name): len(cells) for name, cells in source.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{shown(name)}: {rows}" for name, rows in list(lengths.items())[:10])
        raise TableError(f"columns must have the same number of rows, got {said}")
    return [_from_cells(str(name), cells) for name, cells in source.items()]


def _from_cells(name: str, cells: Any) -> pl.Series:
    try:
        return pl.Series(name, cells)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        pass
    present = [cell for cell in cells if cell is not None]
    if all(isinstance(cell, int | float) for cell in present):
        return pl.Series(name, [None if cell is None else float(cell) for cell in cells], pl.Float64)
    return _as_words(name, cells)


def _as_words(name: str, cells: Any) -> pl.Series:
    return pl.Series(name, [None if cell is None or cell != cell else str(cell) for cell in cells], pl.String)


def _series(name: str, column: nw.Series) -> pl.Series:
    try:
        series = column.to_polars().alias(name)
        if column.dtype == nw.Enum and series.dtype != pl.Enum:
            return series.cast(pl.String).cast(pl.Enum(list(getattr(column.dtype, "categories", ()))))
        return series
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        return _as_words(name, column.to_list())


def plain_series(series: pl.Series) -> tuple[pl.Series, tuple[str, ...]]:
    """The column in one of the types that the rest of this room knows, and notes on what that changes."""
    kind = series.dtype
    if kind.is_integer():
        return _integers(series)
    if kind.is_decimal():
        return series.cast(pl.String).cast(pl.Float64), ()  # by way of the text: to the nearest double
    if kind.is_numeric():
        return series.cast(pl.Float64).fill_nan(None), ()
    if any(kind == known for known in (pl.Boolean, pl.String, pl.Categorical, pl.Enum)):
        return series, ()
    if kind == pl.Null:
        return series.cast(pl.Float64), ()
    if kind == pl.Date:
        return series.cast(pl.Datetime("us")), ()
    if kind == pl.Datetime:
        return _moments(series)
    if kind == pl.Duration:
        return series.dt.total_microseconds().cast(pl.Float64) / SECONDS, ("durations, in seconds",)
    words = [None if cell is None else str(cell) for cell in series.to_list()]
    return pl.Series(series.name, words, pl.String), (f"cells of type {kind} are kept as their text",)


def _integers(series: pl.Series) -> tuple[pl.Series, tuple[str, ...]]:
    narrow = series.cast(pl.Int64, strict=False)
    if narrow.null_count() == series.null_count():
        return narrow, ()
    return series.cast(pl.Float64), ("integers beyond 64 bits are rounded to 16 digits",)


def _moments(series: pl.Series) -> tuple[pl.Series, tuple[str, ...]]:
    zone = series.dtype.time_zone  # type: ignore[attr-defined, unused-ignore]
    if zone is None:
        return series.cast(pl.Datetime("us")), ()
    return series.dt.convert_time_zone("UTC").dt.replace_time_zone(None).cast(pl.Datetime("us")), (
        f"times of zone {zone} are kept in UTC",
    )


def in_frames(series: pl.Series, wish: Wish) -> Wish:
    """A dataframe has its own way to say missing: no word of it means that unless the user says so."""
    if series.dtype == pl.Categorical and wish.kind is None and wish.levels is None:
        wish = replace(wish, kind=Kind.CATEGORY)
    return wish if wish.missing is not None else replace(wish, missing=frozenset())


def typed_column(series: pl.Series, notes: tuple[str, ...], wish: Wish) -> Column | None:
    """The column where its type says its kind and nobody wishes another; None where its words have to be looked at."""
    natural = _kind_of_type(series)
    if natural is None or wish.levels is not None:
        return None
    if natural == Kind.FLAG and wish.kind == Kind.NUMBER:
        return Column(series.name, Kind.NUMBER, series.cast(pl.Int64), notes=notes)
    if wish.kind not in {None, natural}:
        return None
    cells, tokens = _without_wished(series, wish) if natural == Kind.NUMBER else (series, ())
    if natural == Kind.NUMBER and wish.kind is None and _tells_rows_apart(cells):
        natural, notes = Kind.IDENTIFIER, (*notes, "every row has its own number")
    if natural == Kind.ORDERED:
        return Column(series.name, natural, cells.cast(pl.String), tuple(cells.dtype.categories), notes=notes)
    levels = ("false", "true") if natural == Kind.FLAG else ()
    return Column(series.name, natural, cells, levels, tokens, notes=notes)


def _kind_of_type(series: pl.Series) -> Kind | None:
    kind = series.dtype
    if kind == pl.Boolean:
        return Kind.FLAG
    if kind == pl.Enum:
        return Kind.ORDERED
    if kind.is_numeric():
        return Kind.NUMBER
    return Kind.DATE if kind.is_temporal() else None


def _tells_rows_apart(series: pl.Series) -> bool:
    named = series.dtype == pl.Int64 and identifies(series.name)
    return named and len(series) > 1 and not series.null_count() and series.n_unique() == len(series)


def _without_wished(series: pl.Series, wish: Wish) -> tuple[pl.Series, tuple[tuple[str, int], ...]]:
    """Numbers that the user named as words for missing, such as -999, are missing."""
    tokens = []
    for word in sorted(wish.missing or ()):
        try:
            hit = (series == float(word)).fill_null(False)
        except ValueError:
            continue
        if hit.any():
            tokens.append((word, int(hit.sum())))
            series = series.set(hit, None)
    return series, tuple(tokens)


def words_of(series: pl.Series) -> pl.Series:
    """Cells as words: whole numbers without a decimal point, days without a time."""
    if series.dtype.is_float():
        whole = (series == series.round()) & (series.abs() < LARGEST_EXACT)
        return (
            series.cast(pl.Int64, strict=False).cast(pl.String).zip_with(whole.fill_null(False), series.cast(pl.String))
        )
    if series.dtype == pl.Boolean:
        return series.cast(pl.Int8).replace_strict({0: "false", 1: "true"}, return_dtype=pl.String)
    if series.dtype.is_temporal():
        days_only = bool((series.dt.truncate("1d") == series).all())
        return series.dt.to_string("%Y-%m-%d" if days_only else "%Y-%m-%d %H:%M:%S%.6f")
    return series.cast(pl.String)
