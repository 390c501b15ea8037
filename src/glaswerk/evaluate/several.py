"""Several learners on several tables: no learner is best everywhere, and the table shows where each one is.

Each table is one cross-validation on its own folds. Shown is the error as a part of the baseline's, so that tables of
other units stand side by side. Cost: tables × candidates × folds × repeats fits. When not to use it: to choose for a
new table; a mean over unlike tables promises nothing for the next one.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from glaswerk.evaluate.metrics import metric_named
from glaswerk.evaluate.problem import Problem
from glaswerk.evaluate.validation import Validation, cross_validate
from glaswerk.facts import Cell, Facts, Statement, Table

NEAR = ("best", "practically equal")


def compare_on_tables(
    candidates: Mapping[str, Any], problems: Mapping[str, Problem], *, folds: int = 5, repeats: int = 1, seed: int = 0
) -> Facts:
    """Errors of all candidates on all tables as parts of the baseline's, who is best where, and the sentence to it."""
    if len(problems) < 2:
        raise ValueError(f"problems must be two or more tables by name; came {list(problems)}")
    found = {
        name: cross_validate(candidates, problem, folds=folds, repeats=repeats, seed=seed)
        for name, problem in problems.items()
    }
    parts = {name: parts_of_baseline(one) for name, one in found.items()}
    rows: list[tuple[Cell, ...]] = [
        (name, *(parts[table].get(name) for table in problems), wins(name, found)) for name in candidates
    ]
    fits = sum(row.fits for one in found.values() for row in one.comparison.rows)
    notes = (
        "error as a part of the baseline's: below 1 is better than looking at no column",
        *(f"{name}: {one.comparison.metric}, {one.comparison.plan}" for name, one in found.items()),
        f"{fits} fits in all",
    )
    table = Table("Several learners on several tables", ("candidate", *problems, "best or equal"), tuple(rows), notes)
    return Facts([table, Statement("No free lunch", sentences(candidates, parts, found))])


def parts_of_baseline(one: Validation) -> dict[str, float]:
    """Error of each candidate over the baseline's; a candidate that failed has none."""
    metric = metric_named(one.comparison.metric)
    errors = {row.name: metric.error(row.score) for row in one.comparison.rows if np.isfinite(row.score)}
    base = errors.get(one.comparison.baseline, np.nan)
    return {name: error / base for name, error in errors.items() if base > 0}


def wins(name: str, found: Mapping[str, Validation]) -> int:
    """Tables on which the candidate is the best, or practically equal to it."""
    return sum(row.verdict in NEAR for one in found.values() for row in one.comparison.rows if row.name == name)


def sentences(
    candidates: Mapping[str, Any], parts: Mapping[str, Mapping[str, float]], found: Mapping[str, Validation]
) -> tuple[str, ...]:
    told = []
    everywhere = [name for name in candidates if wins(name, found) == len(found)]
    if everywhere:
        told.append(f"On these tables {', '.join(everywhere)} is never beaten; other tables may tell otherwise.")
    else:
        told.append("No candidate is best, or practically equal to the best, on every table.")
    for table, known in parts.items():
        ranked = sorted((part, name) for name, part in known.items() if name in candidates)
        if ranked:
            (least, first), (most, last) = ranked[0], ranked[-1]
            shares = f"{100 * least:.0f} % of the baseline's error, {last} {100 * most:.0f} %"
            told.append(f"{table}: {first} leaves {shares}.")
    return tuple(told)
