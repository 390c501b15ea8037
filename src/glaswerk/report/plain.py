"""The plain model beside the best: what a weighted sum of the columns says, where the best one cannot be read so.

Its coefficients have errors, intervals and inflation, and each is a sentence; its error on new rows stands beside that
of the best, so that nobody takes the readable model for the accurate one.
"""

import warnings
from collections.abc import Iterator

from glaswerk.base import Warned
from glaswerk.facts import Candidate, Coefficients, Comparison, Fact, Facts, Statement
from glaswerk.figures.theme import said
from glaswerk.model import Model, TableProblem
from glaswerk.report.families import family_of
from glaswerk.report.inside import in_words
from glaswerk.scoring.inputs import Ints

PLAIN = {"regression": "linear regression", "classification": "logistic regression"}


def plain_facts(problem: TableProblem, comparison: Comparison, known: Facts, rows: Ints) -> Iterator[Fact]:
    """The plain family's coefficients from these rows; nothing where the best tells its own, or it was not judged."""
    name = PLAIN[problem.task]
    row = next((one for one in comparison.rows if one.name == name), None)
    if row is None or row.verdict == "failed" or row is comparison.rows[0]:
        return
    if any(one.standard_error is not None for fact in known.of_kind(Coefficients) for one in fact.rows):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        model: Model = problem.fit(family_of(name).build(), rows)
    yield Statement("The plain model beside it", (beside(row, comparison),))
    for fact in model.facts().of_kind(Coefficients):
        yield from in_words(fact, model)
        yield fact


def beside(row: Candidate, comparison: Comparison) -> str:
    """What the plain model is worth beside the best."""
    best = comparison.rows[0]
    return (
        f"What a weighted sum of the columns says ({row.name}, fitted to the same rows): its {comparison.metric} on "
        f"new rows is {said(row.score)}, that of {best.name} is {said(best.score)}. Read it for the direction and "
        "the size of differences; predict with the other."
    )
