"""Tables as rows to walk: files and dataframes become sources of logical blocks. The door to PyArrow and narwhals."""

import importlib
import os
from typing import Any

from glaswerk.passes import Source

INSTALL = "pip install 'glaswerk[table]'"


class TableError(ValueError):
    """A table that cannot be read or used, with the reason."""


def open_source(source: Any, *, target: str | list[str], weight: str | None, columns: list[str] | None) -> Source:
    """A source over Parquet files (a path, or a list of them) or over any dataframe narwhals knows."""
    targets = [target] if isinstance(target, str) else list(target)
    if not targets:
        raise TableError("target must name at least one column, got none")
    paths = source if isinstance(source, list | tuple) else [source]
    is_file = bool(paths) and all(isinstance(path, str | os.PathLike) for path in paths)
    module = "parquet" if is_file else "frames"
    try:
        reader = importlib.import_module(f"{__name__}.{module}")
    except ModuleNotFoundError as error:
        raise TableError(f"reading this table needs {error.name}: {INSTALL}") from error
    opened: Source = reader.open_rows(paths if is_file else source, targets, weight, columns)
    return opened


def choose_columns(
    present: dict[str, bool], targets: list[str], weight: str | None, columns: list[str] | None, kinds: dict[str, str]
) -> list[str]:
    """The input columns in table order: those asked for, or all that are neither target nor weight.

    `present` says for every column of the table whether it holds numbers; `kinds` what it holds, for the message.
    """
    for role, names in (("target", targets), ("weight", [weight] if weight else []), ("columns", columns or [])):
        for name in names:
            if name not in present:
                close = ", ".join(repr(c) for c in list(present)[:20])
                raise TableError(f"{role}: the table has no column {name!r}; it has {close}")
    chosen = list(columns) if columns is not None else [c for c in present if c not in targets and c != weight]
    for name in [*chosen, *targets, *([weight] if weight else [])]:
        if not present[name]:
            raise TableError(
                f"column {name!r} holds {kinds[name]}, and a bare learner takes numbers: "
                "name the numeric ones with columns=[…], or encode it first"
            )
    if not chosen:
        raise TableError("no input column is left beside target and weight")
    return chosen
