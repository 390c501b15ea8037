"""The options with which a table is read, shared by every command that reads one."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from glaswerk.table import DATASETS, TypedTable, read_table

FILE = "a file (CSV, also compressed, or Parquet), or the name of a data set"
OPTIONS = (
    click.option("--kind", "kinds", multiple=True, metavar="COLUMN=KIND", help="Read a column as this kind."),
    click.option("--levels", multiple=True, metavar="COLUMN=A,B,C", help="The ordered levels of a column."),
    click.option("--missing", multiple=True, metavar="TEXT", help="A word for missing; replaces the usual."),
    click.option("--separator", help="What stands between cells; found out where not given."),
    click.option("--decimal", type=click.Choice([".", ","]), help="The decimal mark."),
    click.option("--encoding", help="The encoding of the text, such as cp1252."),
    click.option("--header/--no-header", default=None, help="Whether the first line holds the names."),
    click.option("--strict", is_flag=True, help="Refuse a table in which a cell does not read as its column's kind."),
)
NAMES = ("kinds", "levels", "missing", "separator", "decimal", "encoding", "header", "strict")


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options above, as one dictionary `reading` that `read_table` takes."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        given = {name: options.pop(name) for name in NAMES}
        return command(*arguments, reading=_for_reader(given), **options)

    for option in reversed(OPTIONS):
        run = option(run)
    return run


def named(source: str) -> str | TypedTable:
    """The path, or the data set of that name where there is no such file."""
    return DATASETS[source].load() if is_dataset(source) else source


def read(source: str, reading: dict[str, Any]) -> TypedTable:
    """The table in a file, or of a data set, whose columns have their kinds already."""
    if reading and is_dataset(source):
        said = ", ".join(reading)
        raise click.UsageError(f"{source} is a data set, whose columns have their kinds: {said} cannot be said of it")
    return read_table(named(source), **reading)


def is_dataset(source: str) -> bool:
    return source in DATASETS and not os.path.exists(source)


def stem(source: str) -> str:
    """The file's name up to its first dot: what results are called after."""
    return Path(source).name.split(".")[0] or "table"


def _for_reader(given: dict[str, Any]) -> dict[str, Any]:
    """Only what was said, in the reader's own words."""
    reading = {name: value for name, value in given.items() if value not in (None, (), False)}
    if given["header"] is False:
        reading["header"] = False
    if "kinds" in reading:
        reading["kinds"] = dict(_pair(text, "--kind", "COLUMN=KIND") for text in given["kinds"])
    if "levels" in reading:
        pairs = (_pair(text, "--levels", "COLUMN=A,B,C") for text in given["levels"])
        reading["levels"] = {column: levels.split(",") for column, levels in pairs}
    if "missing" in reading:
        reading["missing"] = list(given["missing"])
    return reading


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    """The part before the last = and the part behind it: names may hold one, kinds and levels do not."""
    column, equals, value = text.rpartition("=")
    if not equals or not column or not value:
        raise click.BadParameter(f"must be of the form {form}, got {text!r}", param_hint=option)
    return column, value
