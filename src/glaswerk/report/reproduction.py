"""How to get the same numbers again: the command, the lines of Python, versions and hashes."""

import importlib.metadata
import os
import platform
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from glaswerk import __version__
from glaswerk.facts import Cell
from glaswerk.report.contents import Reproduction, Section
from glaswerk.report.families import BY_NAME
from glaswerk.report.twin import result_hash
from glaswerk.table import DATASETS

LIBRARIES = ("numpy", "scipy", "polars")
OPTIONS = ("task", "positive", "weight", "groups", "time", "folds", "repeats", "level", "budget", "ignore")


@dataclass(frozen=True)
class Origin:
    """Where a table came from: a path or the name of a data set (None: from memory), and how it was read."""

    source: str | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Any) -> "Origin":
        """Known where the table is given as a path."""
        return cls(os.fspath(source) if isinstance(source, str | os.PathLike) else None)

    @property
    def is_dataset(self) -> bool:
        return self.source in DATASETS and not os.path.exists(self.source or "")

    @property
    def output(self) -> str:
        """The name of the page, after that of the file."""
        stem = Path(self.source).name.split(".")[0] or "table" if self.source else ""
        return f"{stem}-report.html" if stem else "report.html"


def reproduction(
    origin: Origin,
    target: str,
    settings: Mapping[str, Cell],
    defaults: Mapping[str, Cell],
    candidates: tuple[str, ...],
    fingerprint: str,
    sections: tuple[Section, ...],
) -> Reproduction:
    """The block that ends a report; only settings that differ from their defaults are spelt out."""
    seed = int(settings["seed"] or 0)
    changed = {name: settings[name] for name in OPTIONS if settings[name] != defaults.get(name)}
    return Reproduction(
        command=command(origin, target, seed, changed, candidates),
        snippet=snippet(origin, target, seed, changed, candidates),
        seed=seed,
        versions=versions(),
        data_fingerprint=fingerprint,
        result_hash=result_hash(sections),
    )


def command(
    origin: Origin, target: str, seed: int, changed: Mapping[str, Cell], candidates: tuple[str, ...] = ()
) -> str:
    """The command line; a table that came from memory stands as TABLE.csv."""
    words = ["glaswerk", "report", origin.source or "TABLE.csv", "--target", target]
    for name, value in changed.items():
        for part in str(value).split(",") if name == "ignore" else (value,):
            words += [f"--{name}", str(part)]
    for name in candidates:
        words += ["--model", name.replace(" ", "-")]
    words += [*reading_words(origin.reading), "--seed", str(seed), "--output", origin.output]
    return shlex.join(words)


def reading_words(reading: Mapping[str, Any]) -> Iterator[str]:
    """The options with which the table was read, as words of a command line."""
    for name, value in reading.items():
        match name, value:
            case "kinds", _:
                yield from (word for pair in value.items() for word in ("--kind", "=".join(pair)))
            case "levels", _:
                yield from (
                    word for column, levels in value.items() for word in ("--levels", f"{column}={','.join(levels)}")
                )
            case "missing", _:
                yield from (word for text in value for word in ("--missing", text))
            case "header", False:
                yield "--no-header"
            case (("header" | "strict"), True):
                yield f"--{name}"
            case _:
                yield from (f"--{name}", str(value))


def snippet(
    origin: Origin, target: str, seed: int, changed: Mapping[str, Cell], candidates: tuple[str, ...] = ()
) -> str:
    """The same as Python; a table that came from memory is called table, candidates of one's own are a comment."""
    families = bool(candidates) and {family.name for family in BY_NAME} >= set(candidates)
    lines = ["import glaswerk as gw"]
    table = "table" if origin.source is None else repr(origin.source)
    if origin.is_dataset:
        lines, table = [*lines, "from glaswerk.table import DATASETS"], f"DATASETS[{origin.source!r}].load()"
    elif origin.reading:
        options = "".join(f", {name}={value!r}" for name, value in origin.reading.items())
        lines, table = [*lines, "from glaswerk.table import read_table"], f"read_table({table}{options})"
    named = ", ".join(map(repr, candidates))
    if families:
        lines.append("from glaswerk.report.families import built")
    lines += ["", *([f"# candidates: {named}"] if candidates and not families else [])]
    spelt = {name: str(value).split(",") if name == "ignore" else value for name, value in changed.items()}
    asked = "".join(f", {name}={value!r}" for name, value in spelt.items())
    asked += f", candidates=built({named})" if families else ""
    lines += [f"report = gw.report({table}, target={target!r}{asked}, seed={seed})", f"report.save({origin.output!r})"]
    return "\n".join(lines)


def versions() -> tuple[tuple[str, str], ...]:
    found = [("glaswerk", __version__), ("python", platform.python_version())]
    for library in LIBRARIES:
        try:
            found.append((library, importlib.metadata.version(library)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return tuple(found)
