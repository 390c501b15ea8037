"""What models tell of themselves in their facts, by the code of the finding it amounts to."""

import re
from collections.abc import Iterator

from glaswerk.facts import Curve, Facts, Search, Statement, Steps

PLANE = "Is there a separating plane?"
TIES = re.compile(r"\b(ties?|tied|equal gain)\b", re.I)
CHOSEN = ("chosen", "best", "taken")


def self_told(known: Facts) -> dict[str, tuple[str, ...]]:
    """Sentences by code."""
    return {"GW018": tuple(separated(known)), "GW020": tuple(edges(known)), "GW021": tuple(ties(known))}


def separated(known: Facts) -> Iterator[str]:
    """A plane between the classes, with the columns that tell."""
    for fact in known.of_kind(Statement):
        if fact.heading == PLANE and len(fact.sentences) > 1:
            yield ": ".join(fact.sentences[:-1])


def edges(known: Facts) -> Iterator[str]:
    """A value that a search took, at the end of what it tried; once where several curves show it."""
    seen = set()
    for search in known.of_kind(Search):
        yield from search.edges
        seen |= {
            (name, value) for name, value in zip(search.parameters, search.rows[search.chosen].values, strict=True)
        }
    stepped = (fact for steps in known.of_kind(Steps) for fact in steps.facts[steps.chosen] if isinstance(fact, Curve))
    for fact in (*known.of_kind(Curve), *stepped):
        tried = [x for line in fact.lines if line.form != "points" for x in line.x]
        for at, label in fact.marks:
            if (fact.x_title, at) in seen or label not in CHOSEN or not tried:
                continue
            if at in (min(tried), max(tried)) and min(tried) < max(tried):
                seen.add((fact.x_title, at))
                side = "least" if at == min(tried) else "greatest"
                yield f"{fact.title}: {fact.x_title} {at:.4g} was taken, the {side} of those tried"


def ties(known: Facts) -> Iterator[str]:
    """Sentences on choices among equals."""
    sentences = (text for fact in known for text in (*getattr(fact, "notes", ()), *getattr(fact, "sentences", ())))
    yield from dict.fromkeys(text for text in sentences if TIES.search(text))
