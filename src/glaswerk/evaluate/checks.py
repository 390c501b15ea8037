"""Checks: numbered findings that a person should know before using a model.

Codes are stable and can be ignored one by one; `docs/evaluate/checks.md` lists them with meaning and remedy.
Cost: one sort of each column. When not to use it: as proof that nothing is wrong; it finds only what it looks for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from glaswerk.evaluate.columns import (
    ALMOST_ALL,
    Columns,
    codes_by_first_row,
    constant_columns,
    identifier_like,
    repeated_rows,
    same_columns,
    tells_class,
    tells_number,
)
from glaswerk.evaluate.problem import Problem, class_codes
from glaswerk.facts import Comparison, Finding
from glaswerk.scoring.inputs import Ints, check_choice

Severity = Literal["error", "warning", "note"]
TITLES = {
    "GW001": "rows occur twice",
    "GW002": "constant column",
    "GW003": "columns that say the same",
    "GW004": "columns that depend on others",
    "GW005": "not better than the baseline",
    "GW006": "rare class",
    "GW007": "few rows",
    "GW008": "column looks like an identifier",
    "GW009": "one column gives the target away",
    "GW010": "rows without a target",
    "GW011": "one class is almost everything",
    "GW012": "a candidate failed",
}
ORDER = {"error": 0, "warning": 1, "note": 2}
FEW_ROWS = 50
FEW_ROWS_PER_COLUMN = 10
MANY_REPEATED = 0.01
DOMINANT = 0.9
SHOWN = 5


def check(
    problem: Problem,
    columns: Columns,
    *,
    comparison: Comparison | None = None,
    repeated: Sequence[str] = (),
    rows_without_target: int = 0,
    folds: int = 10,
    ignore: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """Findings on a problem, the gravest first.

    Parameters
    ----------
    columns : input columns by name. Float arrays are numbers (NaN: missing), everything else is levels.
    comparison : of a cross-validation, for findings on its candidates.
    repeated : sentences on dependent columns, as in `Numerics.repeated` of a fitted linear model.
    rows_without_target : how many rows were left out for that reason before this problem was made.
    ignore : codes that are not to be looked for, such as ("GW007",).

    >>> from glaswerk.evaluate import ArrayProblem
    >>> problem = ArrayProblem(np.ones((60, 1)), np.arange(60.0))
    >>> [str(one.code) for one in check(problem, {"a": np.ones(60)})]
    ['GW002']
    """
    for code in ignore:
        check_choice("ignore", code, tuple(TITLES))
    view = View.of(problem, columns, folds)
    found = [
        *(finding for look in LOOKS for finding in look(view)),
        *dependent(repeated),
        *without_target(rows_without_target, problem),
        *(() if comparison is None else (*no_better(comparison), *failures(comparison))),
    ]
    kept = (finding for finding in found if finding.code not in ignore)
    return tuple(sorted(kept, key=lambda finding: (ORDER[finding.severity], finding.code)))


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


def finding(code: str, severity: Severity, evidence: str, remedy: str) -> Finding:
    return Finding(code, severity, TITLES[code], evidence, remedy)


def named(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more


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
        if share > ALMOST_ALL:
            told.append(f"{name!r} alone orders or separates the target almost without error ({share:.5f} of 1)")
    remedy = "ask whether the column is known before the target is; leave it out if it is a copy or a consequence"
    return [finding("GW009", "warning", "; ".join(told[:SHOWN]), remedy)] if told and varied(view) else []


def varied(view: View) -> bool:
    """Whether no class is so frequent that purity proves nothing."""
    return view.problem.task == "regression" or np.bincount(view.target).max() < ALMOST_ALL * view.problem.n_rows


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


def dependent(repeated: Sequence[str]) -> list[Finding]:
    told = "; ".join(repeated[:SHOWN]) + (f"; and {len(repeated) - SHOWN} more" if len(repeated) > SHOWN else "")
    remedy = "leave out a column of each group, or use a penalty; do not read these coefficients one by one"
    return [finding("GW004", "warning", told, remedy)] if repeated else []


def without_target(rows: int, problem: Problem) -> list[Finding]:
    if not rows:
        return []
    total = rows + problem.n_rows
    evidence = f"{rows:,} of {total:,} rows have no {problem.target!r} and were left out"
    remedy = "ask why it is missing: if not by chance, the rest does not stand for the whole"
    return [finding("GW010", "warning" if rows > MANY_REPEATED * total else "note", evidence, remedy)]


def no_better(comparison: Comparison) -> list[Finding]:
    """Candidates that are not shown to be better than the baseline; an error where that is all of them."""
    judged = [row for row in comparison.rows if row.fold_scores and row.name != comparison.baseline]
    weak = [row.name for row in judged if row.gain_lower is None or row.gain_lower <= 0]
    if not weak:
        return []
    severity: Severity = "error" if len(weak) == len(judged) else "warning"
    evidence = f"{named(weak)}: on new rows not shown to be better than predicting without any column"
    return [finding("GW005", severity, evidence, "do not use it; look for columns that say something of the target")]


def failures(comparison: Comparison) -> list[Finding]:
    failed = [row for row in comparison.rows if not row.fold_scores]
    if not failed:
        return []
    told = "; ".join(f"{row.name!r} {row.notes[0]}" for row in failed[:SHOWN])
    return [finding("GW012", "warning", told, "mend or leave out the candidate; the others are not affected")]
