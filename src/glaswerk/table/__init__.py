"""Tables: files and dataframes become typed columns, or rows to walk. The door to Polars, PyArrow and narwhals.

`read_table` gives a `TypedTable`: its columns have kinds, and whatever reading lost is counted. `open_source` gives a
learner blocks of rows. Names load what they need when they are first used.
"""

import importlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from glaswerk.passes import Source
from glaswerk.table.errors import TableError

if TYPE_CHECKING:
    from glaswerk.table.column import Column, Kind
    from glaswerk.table.datasets import (
        DATASETS,
        describe_datasets,
        load_adult,
        load_auto_mpg,
        load_diamonds,
        load_enjoy_sport,
        load_hitters,
        load_ice_cream,
        load_iris,
        load_play_tennis,
        load_prostate,
        load_wine_quality,
    )
    from glaswerk.table.describe import describe_file
    from glaswerk.table.published import DataSet
    from glaswerk.table.read import read_table
    from glaswerk.table.sample import sample_file
    from glaswerk.table.typed import TypedTable

INSTALL = "pip install 'glaswerk[table]'"
HOME = {
    "Column": "column",
    "DATASETS": "datasets",
    "DataSet": "published",
    "Kind": "column",
    "TypedTable": "typed",
    "describe_datasets": "datasets",
    "describe_file": "describe",
    "load_adult": "datasets",
    "load_auto_mpg": "datasets",
    "load_diamonds": "datasets",
    "load_enjoy_sport": "datasets",
    "load_hitters": "datasets",
    "load_ice_cream": "datasets",
    "load_iris": "datasets",
    "load_play_tennis": "datasets",
    "load_prostate": "datasets",
    "load_wine_quality": "datasets",
    "read_table": "read",
    "sample_file": "sample",
}
__all__ = [
    "DATASETS",
    "Column",
    "DataSet",
    "Kind",
    "TableError",
    "TypedTable",
    "describe_datasets",
    "describe_file",
    "load_adult",
    "load_auto_mpg",
    "load_diamonds",
    "load_enjoy_sport",
    "load_hitters",
    "load_ice_cream",
    "load_iris",
    "load_play_tennis",
    "load_prostate",
    "load_wine_quality",
    "open_source",
    "read_table",
    "sample_file",
]


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"{__name__}.{HOME[name]}")
    except ModuleNotFoundError as error:
        raise TableError(f"reading tables needs {error.name}: {INSTALL}") from error
    found = getattr(module, name)
    globals()[name] = found
    return found


def open_source(
    source: Any, *, target: str | list[str] | None, weight: str | None, columns: list[str] | None
) -> Source:
    """A source over files (a path, a pattern, a list of them), any dataframe narwhals knows, or a PyArrow dataset.

    `target=None` for learners without one; a list must name one column at least.
    """
    targets = [target] if isinstance(target, str) else list(target or [])
    if not targets and target is not None:
        raise TableError("target must name at least one column, got none")
    try:
        opening = importlib.import_module(f"{__name__}.opening")
    except ModuleNotFoundError as error:
        raise TableError(f"reading this table needs {error.name}: {INSTALL}") from error
    opened: Source = opening.open_rows(source, targets, weight, columns)
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
    used = [*chosen, *targets, *([weight] if weight else [])]
    name, times = max(Counter(used).items(), key=lambda item: item[1], default=("", 0))
    if times > 1:
        raise TableError(f"column {name!r} is asked for twice: it is one of input, target or weight, and only once")
    for name in used:
        if not present[name]:
            raise TableError(
                f"column {name!r} holds {kinds[name]}, and a bare learner takes numbers: "
                "name the numeric ones with columns=[…], or encode it first"
            )
    if not chosen:
        raise TableError("no input column is left beside target and weight")
    return chosen
