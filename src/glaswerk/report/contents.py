"""What a report says, before it is shown: sections of facts, and how to get the same again."""

from dataclasses import dataclass
from typing import TypeVar

from glaswerk.facts import Cell, Fact, Table

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Section:
    """A chapter of the report; `name` is its key in the JSON twin and its anchor in the page."""

    name: str
    title: str
    facts: tuple[Fact, ...]

    def of_kind(self, kind: type[Kind]) -> list[Kind]:
        return [fact for fact in self.facts if isinstance(fact, kind)]


@dataclass(frozen=True)
class Reproduction:
    """How to get the same numbers again: the command, the same in Python, and what they depend on.

    `result_hash` is the SHA-256 of the results block of the JSON twin; two reports with the same hash say the same.
    """

    command: str
    snippet: str
    seed: int
    versions: tuple[tuple[str, str], ...]
    data_fingerprint: str
    result_hash: str


@dataclass(frozen=True)
class Analysis:
    """Everything a report shows, as facts and strings; page and JSON twin are two ways of writing it down.

    `cut` says what the budget or Ctrl-C took away: where it is not empty, the same command may give other results.
    `spending` tells what each family cost; like `times` it depends on the day and is no part of the results.
    """

    name: str
    target: str
    task: str
    settings: tuple[tuple[str, Cell], ...]
    sections: tuple[Section, ...]
    reproduction: Reproduction
    times: tuple[tuple[str, float], ...] = ()
    cut: tuple[str, ...] = ()
    spending: Table | None = None

    def section(self, name: str) -> Section:
        found = [section for section in self.sections if section.name == name]
        if not found:
            have = ", ".join(section.name for section in self.sections)
            raise KeyError(f"the report has no section {name!r}; it has {have}")
        return found[0]

    def facts(self) -> tuple[Fact, ...]:
        """All facts in reading order."""
        return tuple(fact for section in self.sections for fact in section.facts)
