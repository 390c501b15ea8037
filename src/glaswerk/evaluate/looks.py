"""Looks at the columns and the target, before any model: what repeats, gives away, names rows, is rare.

Cost: one sort of each column.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from glaswerk.evaluate.columns import (
    Columns,
    codes_by_first_row,
    constant_columns,
    identifier_like,
    repeated_rows,
    same_columns,
    tells_class,
    tells_number,
)
from glaswerk.evaluate.findings import SHOWN, Severity, finding, named
from glaswerk.evaluate.problem import Problem, class_codes
from glaswerk.facts import Finding
from glaswerk.scoring.inputs import Ints

FEW_ROWS = 50
FEW_ROWS_PER_COLUMN = 10
MANY_REPEATED = 0.01
DOMINANT = 0.9
GIVEN_AWAY = 0.99  # of a perfect order, or of all rows in pure levels: few honest columns are so good


@dataclass(frozen=True, eq=False)
class View:
    """The columns with their codes, and the target likewise."""

    problem: Problem
    columns: Columns
    codes: Mapping[str, Ints]
    target: Ints
    folds: int

    @classmethod
    def of(cls, problem: Problem, columns: Columns, folds: int) -> "View":
        arrays = {name: np.asarray(column) for name, column in columns.items()}
        for name, column in arrays.items():
            if column.shape != (problem.n_rows,):
                raise ValueError(f"column {name!r} must have one cell per row, {problem.n_rows}; came {column.shape}")
        codes = {name: codes_by_first_row(column) for name, column in arrays.items()}
        return cls(problem, arrays, codes, codes_by_first_row(problem.truth), folds)


def rows_twice(view: View) -> list[Finding]:
    if not view.codes:
        return []
    n = view.problem.n_rows
    twice = repeated_rows({**view.codes, "": view.target})
    if not twice:
        return []
    severity: Severity = "warning" if twice > MANY_REPEATED * n else "note"
    evidence = (
        f"{twice:,} of {n:,} rows repeat an earlier row in every column and the target; in cross-validation copies lie "
        "on both sides of the folds, and the error looks smaller than it is"
    )
    return [finding("GW001", severity, evidence, "drop the copies, or give equal rows one group")]


def constants(view: View) -> list[Finding]:
    names = constant_columns(view.codes)
    evidence = f"{named(names)}: the same value in every row, so nothing can be learnt from it"
    return [finding("GW002", "note", evidence, "leave it out")] if names else []


def twins(view: View) -> list[Finding]:
    pairs = same_columns(view.columns, view.codes)
    told = "; ".join(f"{name!r} says the same as {other!r}" for name, other in pairs[:SHOWN])
    more = f"; and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
    remedy = "keep one of each; otherwise their coefficients and importances are shared out at random"
    return [finding("GW003", "warning", told + more, remedy)] if pairs else []


def identifiers(view: View) -> list[Finding]:
    names = identifier_like(view.columns, view.codes)
    evidence = f"{named(names)}: (almost) every row has a value of its own"
    remedy = "leave it out: what is learnt from it does not hold for new rows; a row number may also tell the order"
    return [finding("GW008", "warning", evidence, remedy)] if names else []


def giveaways(view: View) -> list[Finding]:
    told = []
    ids = set(identifier_like(view.columns, view.codes))
    for name, column in view.columns.items():
        if name in ids or not view.codes[name].any():
            continue
        if view.problem.task == "regression":
            share = tells_number(column, view.codes[name], view.problem.truth)
        else:
            share = tells_class(column, view.codes[name], class_codes(view.problem.truth, view.problem.classes))
        if share > GIVEN_AWAY:
            told.append(f"{name!r} alone orders or separates the target almost without error ({share:.5f} of 1)")
    remedy = "ask whether the column is known before the target is; leave it out if it is a copy or a consequence"
    return [finding("GW009", "warning", "; ".join(told[:SHOWN]), remedy)] if told and varied(view) else []


def varied(view: View) -> bool:
    """Whether no class is so frequent that purity proves nothing."""
    return view.problem.task == "regression" or np.bincount(view.target).max() < GIVEN_AWAY * view.problem.n_rows


def few_rows(view: View) -> list[Finding]:
    n, d = view.problem.n_rows, len(view.columns)
    if n < FEW_ROWS:
        evidence, severity = f"{n} rows", "warning"
    elif n < FEW_ROWS_PER_COLUMN * d:
        evidence, severity = f"{n:,} rows for {d} columns, fewer than {FEW_ROWS_PER_COLUMN} for each", "note"
    else:
        return []
    remedy = "read intervals rather than numbers; prefer simple models; repeat the cross-validation"
    return [finding("GW007", severity, f"{evidence}: errors and rankings are very uncertain", remedy)]  # type: ignore[arg-type]


def classes(view: View) -> list[Finding]:
    if view.problem.task == "regression":
        return []
    names, sizes = np.unique(view.problem.truth, return_counts=True)
    found = []
    rare = [f"{name!s} ({size})" for name, size in zip(names, sizes, strict=True) if size < view.folds]
    if rare:
        evidence = f"classes with fewer rows than the {view.folds} folds: {', '.join(rare[:SHOWN])}"
        remedy = "gather more rows of them, join them with a neighbouring class, or do not trust their probabilities"
        found.append(finding("GW006", "warning", evidence, remedy))
    largest = int(np.argmax(sizes))
    share = sizes[largest] / view.problem.n_rows
    if share >= DOMINANT and len(names) > 1:
        evidence = (
            f"{100 * share:.3g} % of the rows are {str(names[largest])!r}: predicting it always is right as often"
        )
        remedy = "judge by log loss, AUC or the recognised share of each class, not by accuracy"
        found.append(finding("GW011", "note", evidence, remedy))
    return found


LOOKS: tuple[Callable[[View], list[Finding]], ...] = (
    rows_twice,
    constants,
    twins,
    identifiers,
    giveaways,
    few_rows,
    classes,
)
