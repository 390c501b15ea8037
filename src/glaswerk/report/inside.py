"""What the best model looks like inside, and how to read it."""

import math
from collections.abc import Iterator
from typing import Any

from glaswerk.facts import Coefficient, Coefficients, Fact, Facts, MethodCard, Statement, Table
from glaswerk.figures.labels import short
from glaswerk.figures.theme import said
from glaswerk.model import Model

READ_ALOUD = 3  # coefficients put into words
LOG_ODDS = "log-odds of "
MOST_EXPONENT = 700.0
ELSEWHERE = (MethodCard, Table, Statement)  # facts of a model that stand in other sections


def inside_facts(model: Model) -> Iterator[Fact]:
    """The learner's own facts, coefficients first put into words."""
    known: Facts = model.facts()
    for fact in known:
        if isinstance(fact, Coefficients):
            yield from in_words(fact, model)
        if not isinstance(fact, ELSEWHERE):
            yield fact


def in_words(fact: Coefficients, model: Model) -> Iterator[Statement]:
    """The surest coefficients as sentences, unless squares and products share the work among several."""
    if model.design_.basis is not None:
        yield Statement(
            "How to read it",
            (
                "Squares and products share the work of a column, so that no coefficient can be read alone: "
                "see the fitted line.",
            ),
        )
        return
    rows = [row for row in fact.rows if row.t is not None and row.name != "intercept" and excludes_zero(row)]
    surest = sorted(rows, key=lambda row: -abs(row.t or 0.0))[:READ_ALOUD]
    if surest:
        aloud = per_odds if LOG_ODDS in fact.target else per_unit
        sentences = tuple(aloud(row, fact) for row in surest)
        yield Statement(
            "How to read it", (*sentences, "Such a difference is seen in these rows; it need not be an effect.")
        )


def excludes_zero(row: Coefficient) -> bool:
    return row.lower is not None and row.upper is not None and (row.lower > 0 or row.upper < 0)


def per_unit(row: Coefficient, fact: Coefficients) -> str:
    """One coefficient per unit, the other columns held fixed."""
    change = f"{said(abs(row.estimate))} {'more' if row.estimate > 0 else 'less'} {short(fact.target)}"
    limits = f"({100 * fact.level:g} % interval {said(row.lower)} to {said(row.upper)})"
    return f"One more of {short(row.name)}, everything else equal, goes with {change} {limits}."


def per_odds(row: Coefficient, fact: Coefficients) -> str:
    """One coefficient of log-odds as a factor of the odds."""
    odds = short(fact.target.partition(LOG_ODDS)[2])
    factor, lower, upper = (said(math.exp(min(v or 0.0, MOST_EXPONENT))) for v in (row.estimate, row.lower, row.upper))
    limits = f"({100 * fact.level:g} % interval {lower} to {upper})"
    return f"One more of {short(row.name)}, everything else equal, goes with odds of {odds} times {factor} {limits}."


def of_kind(model: Model, kind: type) -> list[Any]:
    """The facts of this kind that a model knows."""
    return model.facts().of_kind(kind)
