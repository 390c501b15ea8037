"""One tree beside a best model that is harder to read: its questions, and the slider over its pruning sequence."""

from collections.abc import Iterator, Mapping
from typing import Any

from glaswerk.facts import Comparison, Fact, Facts, Statement, Steps, Tree
from glaswerk.figures.theme import said
from glaswerk.trees.model import TreeModel


def tree_beside(candidates: Mapping[str, Any], comparison: Comparison) -> str | None:
    """The best single tree that chose its own size; None where there is none, or where it is the best of all."""
    for place, row in enumerate(comparison.rows):
        learner = getattr(candidates.get(row.name), "learner", None)
        if row.verdict != "failed" and isinstance(learner, TreeModel):
            return row.name if place and isinstance(learner.get_params().get("ccp_alpha"), str) else None
    return None


def tree_to_read(name: str, known: Facts, comparison: Comparison) -> Iterator[Fact]:
    """What it says, how far behind it is, and the sequence it was pruned along."""
    best = comparison.rows[0]
    own = next(row for row in comparison.rows if row.name == name)
    yield Statement(
        "",
        (
            f"The {name} is not the best here: {comparison.metric} {said(own.score)} against {said(best.score)} of "
            f"{best.name}. But every answer of it can be followed question by question.",
        ),
    )
    yield from known.of_kind(Steps)
    yield from known.of_kind(Tree)
