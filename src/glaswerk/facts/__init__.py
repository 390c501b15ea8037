"""Facts: what a model knows, as plain data. Below them arrays, above them only facts.

Every fact has a `table()`: text, report, JSON and studio show the same numbers because they show the same table.
"""

import math
from dataclasses import fields, is_dataclass
from typing import Any

from glaswerk.facts.card import MethodCard
from glaswerk.facts.concepts import Hypotheses, Hypothesis, VersionSpace
from glaswerk.facts.curve import Curve, Line
from glaswerk.facts.data import ColumnCard, DataCard
from glaswerk.facts.explained import (
    Contributions,
    Dependence,
    Importance,
    Important,
    Influence,
    Part,
    Pull,
    Segment,
    Segments,
)
from glaswerk.facts.judgement import Candidate, Comparison, Confusion, Finding, OutOfFold, Statement
from glaswerk.facts.likelihoods import LikelihoodRatio, LikelihoodRatios
from glaswerk.facts.linear import Coefficient, Coefficients, Goodness, Numerics
from glaswerk.facts.margin import MarginPlane
from glaswerk.facts.nodes import TreeNodes
from glaswerk.facts.plane import GroupPlane
from glaswerk.facts.prototypes import Prototype, Prototypes
from glaswerk.facts.regions import Region, Regions
from glaswerk.facts.search import Search, Setting
from glaswerk.facts.steps import Slider, Steps
from glaswerk.facts.surface import Surface
from glaswerk.facts.table import Cell, Table, shown
from glaswerk.facts.tree import Tree

Fact = (
    Coefficients | Goodness | Numerics | MethodCard | Table | DataCard | Curve | Surface | Comparison
    | OutOfFold | Confusion | Finding | Statement | Prototypes | GroupPlane | Hypotheses | VersionSpace
    | Contributions | Dependence | Importance | Influence | Segments | Search | LikelihoodRatios | Tree | Steps
    | MarginPlane | Regions | TreeNodes
)  # fmt: skip


class Facts(tuple[Fact, ...]):
    """All facts of one model, in reading order; printing it prints their tables."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n\n".join(str(fact.table()) for fact in self)

    def of_kind(self, kind: type) -> list[Any]:
        return [fact for fact in self if isinstance(fact, kind)]

    def to_json(self) -> list[dict[str, Any]]:
        """Plain dictionaries, numbers that JSON lacks as None."""
        return [as_plain(fact) for fact in self]


def as_plain(fact: Fact) -> dict[str, Any]:
    """One fact as a dictionary of JSON's own kinds, the name of its class under "fact"."""
    return {"fact": type(fact).__name__, **_fields(fact)}


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, Fact):
        return as_plain(value)
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


__all__ = [
    "Candidate",
    "Cell",
    "Coefficient",
    "Coefficients",
    "ColumnCard",
    "Comparison",
    "Confusion",
    "Contributions",
    "Curve",
    "DataCard",
    "Dependence",
    "Fact",
    "Facts",
    "Finding",
    "Goodness",
    "GroupPlane",
    "Hypotheses",
    "Hypothesis",
    "Importance",
    "Important",
    "Influence",
    "LikelihoodRatio",
    "LikelihoodRatios",
    "Line",
    "MarginPlane",
    "MethodCard",
    "Numerics",
    "OutOfFold",
    "Part",
    "Prototype",
    "Prototypes",
    "Pull",
    "Region",
    "Regions",
    "Search",
    "Segment",
    "Segments",
    "Setting",
    "Slider",
    "Statement",
    "Steps",
    "Surface",
    "Table",
    "Tree",
    "TreeNodes",
    "VersionSpace",
    "as_plain",
    "shown",
]
