"""Names of columns: what a header gives, made distinct, and what a name says of its column."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from glaswerk.table.errors import shown

# Names that promise a value of its own for every row.
CAMEL = re.compile(r"[a-z](?:Id|ID)$")
WORDS = re.compile(
    r"(?:^|[ _.\-])(?:id|idx|index|uuid|guid|key|nr|no|rownames?|row|name|e-?mail|phone)$", re.IGNORECASE
)
UNNAMED = re.compile(r"^(?:unnamed: \d+|column 1|)$", re.IGNORECASE)


@dataclass(frozen=True)
class Naming:
    """Distinct names in order, with notes per column.

    trailing : the last column alone has no name, as a separator at the end of every line makes it.
    """

    names: tuple[str, ...]
    notes: tuple[tuple[str, ...], ...]
    trailing: bool = False


def identifies(name: str) -> bool:
    """Whether the name says that the column tells rows apart: `id`, `customer_id`, `orderId`, `row`, `name`."""
    return bool(WORDS.search(name.strip()) or CAMEL.search(name.strip()) or UNNAMED.match(name.strip()))


def distinct_names(header: Sequence[str], has_header: bool = True) -> Naming:
    """Names without outer spaces where that keeps them apart, numbered where they repeat, given where there is none."""
    bare = [name.strip() for name in header]
    shared = {name for name, times in Counter(bare).items() if times > 1}
    names: list[str] = []
    notes: list[tuple[str, ...]] = []
    taken, given = set(header) | set(bare), set()
    for place, (raw, name) in enumerate(zip(header, bare, strict=True)):
        wanted = raw if name in shared else name
        found = wanted
        said: tuple[str, ...] = ()
        if not name:
            found, said = _free(f"column {place + 1}", taken), ("the header gives it no name",) if has_header else ()
        elif wanted in given:
            found = _free(name, taken)
            said = (f"the header has {shown(wanted)} more than once: renamed",)
        names.append(found)
        taken.add(found)
        given.add(found)
        notes.append(said)
    trailing = len(bare) > 1 and bare[-1] == "" and all(bare[:-1])
    return Naming(tuple(names), tuple(notes), trailing)


def _free(name: str, taken: set[str]) -> str:
    """The name itself if it is free, else with the first free number."""
    number, found = 2, name
    while found in taken:
        found, number = f"{name} ({number})", number + 1
    return found


def near_names(names: Sequence[str]) -> dict[str, str]:
    """For each name that differs from an earlier or later one by spaces or case only: a note that says so."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault("".join(name.split()).casefold(), []).append(name)
    notes: dict[str, str] = {}
    for alike in groups.values():
        for name in alike if len(alike) > 1 else ():
            others = ", ".join(shown(other) for other in alike if other != name)
            notes[name] = f"its name differs from {others} by spaces or case only"
    return notes
