"""From a fact to its figures, by the kind of the fact."""

from functools import singledispatch
from typing import Any

from glaswerk.figures.figure import Figure


@singledispatch
def figures_of(_fact: Any) -> tuple[Figure, ...]:
    """The figures of a fact, the most telling first; none for a kind that is best read as a table.

    To draw a new kind: a function `(fact: Kind) -> tuple[Figure, ...]` under `@figures_of.register` in a file of its
    own, imported by `glaswerk.figures`.
    """
    return ()
