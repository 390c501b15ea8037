"""A fitted model of a table as a function of cells, each of which belongs to one column: what explanations ask."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, Matrix, Warned
from glaswerk.model import Model
from glaswerk.scoring.folds import shuffled_order
from glaswerk.scoring.inputs import Ints


@dataclass(frozen=True, eq=False)
class Answering:
    """`places[name]` are the cells of a column; answers are (rows, outputs), one output for a regression."""

    model: Model
    places: dict[str, Ints]

    @classmethod
    def of(cls, model: Model) -> "Answering":
        sources = np.array(model.design_.sources_)
        return cls(model, {name: np.flatnonzero(sources == name) for name in dict.fromkeys(sources.tolist())})

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the model looks at."""
        return tuple(self.places)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The target, or its classes."""
        return self.model.task_.classes or (self.model.task_.target,)

    def encode(self, table: Any) -> Matrix:
        """The cells of these rows; levels never seen are an average row, as they are at predict."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Warned)
            return self.model.design_.encode(table)

    def __call__(self, cells: Matrix) -> Array:
        """The answers to rows of such cells, which are left as they are."""
        rows = self.model.design_.finish(like(np.array(cells), cells))
        if self.model.task_.name == "regression":
            return np.asarray(self.model.learner_.predict(rows), dtype=np.float64).reshape(-1, 1)
        return self.model.shares_of(rows)

    def output(self, name: str | None, shares: Array) -> int:
        """The place of an output: the class asked for, the positive one, else the one these answers favour."""
        classes = self.model.task_.classes
        if not classes:
            return 0
        wanted = name if name is not None else self.model.task_.positive
        if wanted is None:
            return int(np.argmax(shares.mean(axis=0)))
        if wanted not in classes:
            raise ValueError(f"output must be one of the classes {list(classes)}; came {wanted!r}")
        return classes.index(wanted)


def like(cells: NDArray[Any], pattern: Matrix) -> Matrix:
    """Cells with the names and levels of others."""
    return Matrix.of(cells, pattern.names, levels=pattern.levels)


def few_of(rows: int, most: int, seed: int = 0) -> Ints:
    """At most so many row numbers, drawn by a hash of their place, ascending."""
    if rows <= most:
        return np.arange(rows)
    found: Ints = np.sort(shuffled_order(rows, seed)[:most])
    return found
