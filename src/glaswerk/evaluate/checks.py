"""Checks: numbered findings that a person should know before using a model.

Codes are stable and can be ignored one by one; `docs/evaluate/checks.md` lists them with meaning and remedy.
Cost: one sort of each column, and least squares of the numeric ones among each other. When not to use it: as proof that
nothing is wrong; it finds only what it looks for.
"""

from collections.abc import Mapping, Sequence

from glaswerk.evaluate import dealings, looks, relations, verdicts
from glaswerk.evaluate.columns import Columns
from glaswerk.evaluate.findings import TITLES, worst_first
from glaswerk.evaluate.looks import View
from glaswerk.evaluate.problem import Problem
from glaswerk.facts import Comparison, Finding
from glaswerk.scoring.inputs import check_choice

NOTHING: Mapping[str, Sequence[str]] = {}


def check(
    problem: Problem,
    columns: Columns,
    *,
    comparison: Comparison | None = None,
    repeated: Sequence[str] = (),
    rows_without_target: int = 0,
    folds: int = 10,
    dates: Sequence[str] = (),
    aside: Columns | None = None,
    answered: verdicts.Answered | None = None,
    told: Mapping[str, Sequence[str]] = NOTHING,
    ignore: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """Findings on a problem, the gravest first.

    Parameters
    ----------
    columns : input columns by name. Float arrays are numbers (NaN: missing), everything else is levels.
    comparison : of a cross-validation, for findings on its candidates.
    repeated : sentences on dependent columns, as in `Numerics.repeated` of a fitted linear model.
    rows_without_target : how many rows were left out for that reason before this problem was made.
    folds : of the cross-validation.
    dates : which of the columns are dates.
    aside : columns that no model looks at, such as text and identifiers, whose levels may name groups of rows.
    answered : which fold tested each row, and how wrong its answer was.
    told : sentences that models tell of themselves by code: "GW018" separated classes, "GW020" edges of a search,
        "GW021" choices among equals.
    ignore : codes that are not to be looked for, such as ("GW007",).

    >>> import numpy as np
    >>> from glaswerk.evaluate import ArrayProblem
    >>> problem = ArrayProblem(np.ones((60, 1)), np.arange(60.0))
    >>> [str(one.code) for one in check(problem, {"a": np.ones(60)})]
    ['GW002']
    """
    for code in ignore:
        check_choice("ignore", code, tuple(TITLES))
    view = View.of(problem, columns, folds)
    found = [
        *(finding for look in (*looks.LOOKS, *relations.LOOKS) for finding in look(view)),
        *dealings.in_time(view, dates),
        *dealings.in_groups(view, View.of(problem, aside or {}, folds)),
        *verdicts.dependent(repeated),
        *verdicts.without_target(rows_without_target, problem),
        *verdicts.self_told(told),
        *(() if comparison is None else verdicts.of_comparison(comparison)),
        *(() if answered is None else verdicts.of_answers(view, answered)),
    ]
    return worst_first(verdicts.merged(found), ignore)
