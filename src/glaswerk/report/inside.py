"""What the best model looks like inside, and how to read it."""

import math
from collections.abc import Iterator

from glaswerk.design.encoding import Graded, Levels, Numeric
from glaswerk.facts import Coefficient, Coefficients, Fact, Facts, MethodCard, Statement, Steps
from glaswerk.figures.labels import short
from glaswerk.figures.theme import said
from glaswerk.model import Model

READ_ALOUD = 3  # coefficients put into words
LOG_ODDS = "log-odds of "
MOST_EXPONENT = 700.0
ELSEWHERE = (MethodCard, Statement)  # facts of a model that stand in other sections, as its design does


def inside_facts(model: Model, known: Facts) -> Iterator[Fact]:
    """The learner's own facts among those of the model: sliders first, coefficients put into words."""
    for fact in sorted(known, key=lambda one: not isinstance(one, Steps)):
        if isinstance(fact, Coefficients):
            yield from in_words(fact, model)
        if not isinstance(fact, ELSEWHERE) and fact != model.design_.facts():
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
        sentences = tuple(aloud(row, fact, subject(row.name, model)) for row in surest)
        yield Statement(
            "How to read it", (*sentences, "Such a difference is seen in these rows; it need not be an effect.")
        )


def excludes_zero(row: Coefficient) -> bool:
    return row.lower is not None and row.upper is not None and (row.lower > 0 or row.upper < 0)


def subject(name: str, model: Model) -> str:
    """What a column of the design stands for: a unit more, a level instead of the reference, a missing cell."""
    for encoder in model.design_.encoders_:
        if name not in encoder.names:
            continue
        column = short(encoder.column)
        if isinstance(encoder, Levels) and encoder.reference is not None:
            return f"{short(name)} instead of {short(encoder.reference)}"
        if isinstance(encoder, Graded) and len(encoder.grades) == 2:
            return f"{column}: {short(encoder.grades[1])} instead of {short(encoder.grades[0])}"
        if isinstance(encoder, Numeric) and name != encoder.title:
            return f"A missing {column}"
    return f"One more of {short(name)}"


def per_unit(row: Coefficient, fact: Coefficients, what: str) -> str:
    """One coefficient as a difference of the target, the other columns held fixed."""
    change = f"{said(abs(row.estimate))} {'more' if row.estimate > 0 else 'less'} {short(fact.target)}"
    limits = f"({100 * fact.level:g} % interval {said(row.lower)} to {said(row.upper)})"
    return f"{what}, everything else equal, goes with {change} {limits}."


def per_odds(row: Coefficient, fact: Coefficients, what: str) -> str:
    """One coefficient of log-odds as a factor of the odds."""
    odds = short(fact.target.partition(LOG_ODDS)[2])
    factor, lower, upper = (said(math.exp(min(v or 0.0, MOST_EXPONENT))) for v in (row.estimate, row.lower, row.upper))
    limits = f"({100 * fact.level:g} % interval {lower} to {upper})"
    return f"{what}, everything else equal, goes with odds of {odds} times {factor} {limits}."
