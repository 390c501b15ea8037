"""Steps: the same facts at every place of a slider: a tree pruned further and further, a boundary that bends."""

from dataclasses import dataclass
from typing import Any

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Slider:
    """One thing that is varied, and the words for each of its places."""

    name: str
    places: tuple[str, ...]


@dataclass(frozen=True)
class Steps:
    """Facts that a page swaps as sliders move; pictures that stand still show the place `chosen`.

    facts: for every place the facts shown there, of the same kinds in the same order; with two sliders the second runs
    fastest. says: a sentence for every place.
    """

    title: str
    sliders: tuple[Slider, ...]
    facts: tuple[tuple[Any, ...], ...]
    says: tuple[str, ...]
    chosen: int = 0
    notes: tuple[str, ...] = ()

    def stands(self, place: int | None = None) -> tuple[int, ...]:
        """Where each slider stands at a place; the chosen one where none is named."""
        rest = self.chosen if place is None else place
        found = []
        for slider in reversed(self.sliders):
            rest, k = divmod(rest, len(slider.places))
            found.append(k)
        return tuple(reversed(found))

    def at(self, place: int) -> tuple[str, ...]:
        """The words of every slider at a place."""
        return tuple(slider.places[k] for slider, k in zip(self.sliders, self.stands(place), strict=True))

    def table(self) -> Table:
        """One row per place: where its sliders stand, and what is seen."""
        rows: list[tuple[Cell, ...]] = [
            (*self.at(k), says, "shown first" if k == self.chosen else "") for k, says in enumerate(self.says)
        ]
        return Table(
            self.title, (*(slider.name for slider in self.sliders), "what is seen", ""), tuple(rows), self.notes
        )
