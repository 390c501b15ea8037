"""What a lab is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from glaswerk.facts import Fact


@dataclass(frozen=True)
class Lab:
    """An experiment of a script: `run` takes a seed and gives facts, what was printed beside what came out."""

    rows: tuple[str, ...]
    script: str
    says: str
    run: Callable[[int], Sequence[Fact]]
