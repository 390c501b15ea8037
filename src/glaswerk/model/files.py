"""Models in files: what was fitted, its parameters and the sums it came from, so that learning can go on.

A file holds plain values and arrays only; nothing in it can run. A user's function is not stored: it is named when the
model is saved, and handed over again when it is loaded.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

from glaswerk import archive
from glaswerk.archive import ArchiveError
from glaswerk.model.described import described, rebuilt
from glaswerk.model.table_model import Model

Functions = Mapping[str, Callable[..., Any]]


def save(model: Any, path: str | os.PathLike[str], *, functions: Functions | None = None) -> None:
    """Store a fitted model, or a pipeline of ours, at `path`: whole or not at all.

    `functions` names every function among the parameters, as in `functions={"log area": phi}`; `load` needs the same.

    >>> save(LinearRegression().fit([[1.0], [2.0]], [1.0, 3.0]), "line.glaswerk")  # doctest: +SKIP
    """
    if isinstance(model, Model):
        model.save(path, functions=functions)
    else:
        archive.write(path, described(model, dict(functions or {})), kind="model")


def load(path: str | os.PathLike[str], *, functions: Functions | None = None) -> Any:
    """The model stored at `path`; a file that is not one of ours, whole and valid, is an ArchiveError."""
    tree = archive.read(path, kind="model")
    try:
        if isinstance(tree, dict) and "design" in tree:
            return Model.of_tree(tree, dict(functions or {}))
        return rebuilt(tree, dict(functions or {}), "model")
    except (TypeError, ValueError) as error:
        raise ArchiveError(f"{os.fspath(path)}: {error}") from error
