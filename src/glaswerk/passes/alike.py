"""Whether somebody else would get the same bits: the same versions, the same rows, the same multiplication."""

import platform
from importlib import metadata
from typing import Any

from glaswerk.passes.blocks import Source, fingerprint_of
from glaswerk.passes.threads import blas_kernels

PACKAGES = ("glaswerk", "numpy")


def versions() -> dict[str, str]:
    """Of what decides about bits."""
    return {"python": platform.python_version(), **{name: metadata.version(name) for name in PACKAGES}}


def look(source: Source) -> tuple[str, dict[str, str] | str]:
    """How this process multiplies, and what it sees of a source: its fingerprint, or why it sees nothing."""
    try:
        return blas_kernels(), fingerprint_of(source)
    except (OSError, ValueError) as error:
        return blas_kernels(), str(error)


def difference(mine: dict[str, str], theirs: dict[str, str]) -> str:
    """The first thing that differs, in words; nothing where nothing does."""
    for what in {**mine, **theirs}:
        here, there = mine.get(what, "nothing"), theirs.get(what, "nothing")
        if here != there:
            return f"{what}: {there} there, {here} here"
    return ""


def problem(mine: dict[str, str], theirs: Any) -> str:
    """Why rows seen elsewhere are not those seen here; nothing where they are."""
    if isinstance(theirs, str):
        return theirs
    return difference(mine, theirs)
