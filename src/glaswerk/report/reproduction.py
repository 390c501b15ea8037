"""How to get the same numbers again: the command, the lines of Python, versions and hashes."""

import importlib.metadata
import os
import platform
import shlex
from pathlib import PurePath
from typing import Any

from glaswerk import __version__
from glaswerk.facts import Cell
from glaswerk.report.contents import Reproduction, Section
from glaswerk.report.twin import result_hash

LIBRARIES = ("numpy", "scipy", "polars")
FLAGS = {
    "task": "--task",
    "positive": "--positive",
    "weight": "--weight",
    "folds": "--folds",
    "repeats": "--repeats",
    "level": "--level",
}


def reproduction(
    source: Any,
    target: str,
    settings: dict[str, Cell],
    defaults: dict[str, Cell],
    fingerprint: str,
    sections: tuple[Section, ...],
) -> Reproduction:
    """The block that ends a report; only settings that differ from their defaults are spelt out."""
    seed = int(settings["seed"] or 0)
    changed = {name: value for name, value in settings.items() if name != "seed" and value != defaults.get(name)}
    return Reproduction(
        command=command(source, target, seed, changed),
        snippet=snippet(source, target, seed, changed),
        seed=seed,
        versions=versions(),
        data_fingerprint=fingerprint,
        result_hash=result_hash(sections),
    )


def command(source: Any, target: str, seed: int, changed: dict[str, Cell]) -> str:
    """The command line; a table that came from memory stands as TABLE.csv."""
    options = [f"{FLAGS[name]} {shlex.quote(str(value))}" for name, value in changed.items() if name in FLAGS]
    parts = [
        "glaswerk report", shlex.quote(path_of(source) or "TABLE.csv"), f"--target {shlex.quote(target)}", *options,
        f"--seed {seed}", f"--output {shlex.quote(output_of(source))}",
    ]  # fmt: skip
    return " ".join(parts)


def snippet(source: Any, target: str, seed: int, changed: dict[str, Cell]) -> str:
    """The same as Python; a table that came from memory is called table."""
    path = path_of(source)
    table = "table" if path is None else repr(path)
    options = "".join(f", {name}={value!r}" for name, value in changed.items())
    return (
        "import glaswerk as gw\n\n"
        f"report = gw.report({table}, target={target!r}{options}, seed={seed})\n"
        f"report.save({output_of(source)!r})"
    )


def path_of(source: Any) -> str | None:
    """The path as it was given, where the table came from a file."""
    return os.fspath(source) if isinstance(source, str | os.PathLike) else None


def output_of(source: Any) -> str:
    path = path_of(source)
    return "report.html" if path is None else f"{PurePath(path).name.split('.')[0] or 'table'}-report.html"


def versions() -> tuple[tuple[str, str], ...]:
    found = [("glaswerk", __version__), ("python", platform.python_version())]
    for library in LIBRARIES:
        try:
            found.append((library, importlib.metadata.version(library)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return tuple(found)
