"""What is done to the numbers of a design once their gaps are filled: scaling, then a basis. Levels stay 0 and 1."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glaswerk.base import Array, Matrix, clone
from glaswerk.design import StandardScaler
from glaswerk.model.described import described, rebuilt

Functions = dict[str, Callable[..., Any]]
Names = tuple[str, ...]


@dataclass(frozen=True)
class Measured:
    """The columns `scaled` go through the scaler; the images of the columns `bent` come first, then all others."""

    scaled: tuple[int, ...] = ()
    scaler: StandardScaler | None = None
    bent: tuple[int, ...] = ()
    basis: Any = None

    @classmethod
    def fit(cls, cells: Matrix, measured: list[int], weight: Array, *, scale: bool, basis: Any) -> "Measured":
        """Learn from training rows what scaling and basis need; `cells` are changed to their scaled values."""
        scaled, scaler = tuple(measured if scale else ()), None
        if scaled:
            numbers = _columns(cells, measured)
            scaler = StandardScaler().fit(numbers, sample_weight=weight if weight.size else None)
            cells[:, measured] = scaler.transform(numbers)
        bent = [j for j in measured if basis is not None and _has_three_values(cells[:, j])]
        if not bent:
            return cls(scaled, scaler)
        return cls(scaled, scaler, tuple(bent), clone(basis).fit(_columns(cells, bent)))

    def apply(self, cells: Matrix) -> Matrix:
        """The same rows scaled and bent; what a basis knows beyond double precision goes with them."""
        names, levels = self.names(cells.names or ()), cells.levels
        if self.scaler is not None:
            cells[:, np.array(self.scaled)] = self.scaler.transform(_columns(cells, list(self.scaled)))
        if self.basis is None:
            return Matrix.of(cells, names, levels=levels)
        rest = np.setdiff1d(np.arange(cells.shape[1]), self.bent)
        images = self.basis.transform(_columns(cells, list(self.bent)))
        low = getattr(images, "low", None)
        return Matrix.of(
            np.concatenate([np.asarray(images), cells[:, rest]], axis=1),
            names,
            None if low is None else np.concatenate([low, np.zeros((len(cells), len(rest)))], axis=1),
            None if levels is None else (*(None,) * images.shape[1], *(levels[j] for j in rest)),
        )

    def names(self, names: Names) -> Names:
        """Names of the columns that come out, where columns of these names go in."""
        if self.basis is None:
            return distinct(names)
        return distinct((*self.basis.get_feature_names_out(), *(n for j, n in enumerate(names) if j not in self.bent)))

    def sources(self, sources: Names) -> tuple[str | None, ...]:
        """The same for what each column came from; what a basis made came from several."""
        if self.basis is None:
            return sources
        made = len(self.basis.get_feature_names_out())
        return (*(None,) * made, *(n for j, n in enumerate(sources) if j not in self.bent))

    def notes(self, names: Names) -> Names:
        """What was done to which columns, in words."""
        parts = (
            ("scaled to mean 0 and deviation 1", self.scaler, self.scaled),
            (f"through {self.basis!r}", self.basis, self.bent),
        )
        return tuple(
            f"{what}: {', '.join(names[j] for j in places)}" for what, part, places in parts if part is not None
        )

    def as_tree(self, functions: Functions) -> dict[str, Any]:
        """What a file holds of this."""
        parts = {"scaler": self.scaler, "basis": self.basis}
        stored = {name: None if part is None else described(part, functions) for name, part in parts.items()}
        return {"scaled": self.scaled, "bent": self.bent, **stored}

    @classmethod
    def of_tree(cls, tree: Any, functions: Functions, width: int) -> "Measured":
        """What a file holds, for encoders that make `width` columns; anything else is a ValueError."""
        if not isinstance(tree, dict) or tree.keys() != {"scaled", "scaler", "bent", "basis"}:
            raise ValueError("the design's numbers lack scaling or basis")
        parts = {k: None if tree[k] is None else rebuilt(tree[k], functions, k) for k in ("scaler", "basis")}
        for part, places in ((parts["scaler"], tree["scaled"]), (parts["basis"], tree["bent"])):
            if not isinstance(places, tuple) or not all(type(j) is int and 0 <= j < width for j in places):
                raise ValueError("the design's columns are numbered wrongly")
            if len(places) != (0 if part is None else part.n_features_in_):
                raise ValueError("scaler or basis does not belong to this design")
        return cls(tree["scaled"], parts["scaler"], tree["bent"], parts["basis"])


def distinct(names: Names) -> Names:
    """The same names, later ones of equal spelling with a number: 'a: b', 'a: b (2)'."""
    taken: dict[str, None] = {}
    for name in names:
        free, number = name, 2
        while free in taken:
            free, number = f"{name} ({number})", number + 1
        taken[free] = None
    return tuple(taken)


def _columns(cells: Matrix, places: list[int]) -> Matrix:
    names = cells.names or ()
    return Matrix.of(cells[:, np.array(places)], [names[j] for j in places])


def _has_three_values(column: Array) -> bool:
    """Two values squared or cubed are the same two columns again: a basis would only repeat them."""
    return bool(((column != column.min()) & (column != column.max())).any())
