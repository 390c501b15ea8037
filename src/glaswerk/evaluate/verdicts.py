"""Findings on what was fitted: what models tell of themselves, how they compare, where they were asked too much."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.evaluate.columns import is_numeric
from glaswerk.evaluate.findings import ORDER, SHOWN, Severity, finding, joined, named
from glaswerk.evaluate.looks import MANY_REPEATED, View
from glaswerk.evaluate.metrics import Metric
from glaswerk.evaluate.problem import Problem
from glaswerk.facts import Comparison, Finding
from glaswerk.scoring.inputs import Ints

Flags = NDArray[np.bool_]
TOO_GOOD = 0.003  # of the baseline's error: so little is left by a formula, not by a forecast
MUCH_WORSE = 2.0  # times the error of the other rows
SURE_IS_DEAR = "log loss"  # the metric under which a wrong certainty costs without limit
ENOUGH = 5  # rows of a kind, to compare errors


@dataclass(frozen=True, eq=False)
class Answered:
    """The fold that tested each row (-1: none), its loss on the scale that averages, and the metric of that scale."""

    fold: Ints
    losses: Array
    metric: Metric


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
    if severity == "warning" and comparison.metric == SURE_IS_DEAR:
        evidence += f" by {comparison.metric}, which one wrong answer given as certain makes as large as it likes"
        return [finding("GW005", severity, evidence, "do not trust its probabilities; its classes may still be right")]
    return [finding("GW005", severity, evidence, "do not use it; look for columns that say something of the target")]


def failures(comparison: Comparison) -> list[Finding]:
    failed = [row for row in comparison.rows if not row.fold_scores]
    if not failed:
        return []
    told = "; ".join(f"{row.name!r} {row.notes[0]}" for row in failed[:SHOWN])
    return [finding("GW012", "warning", told, "mend or leave out the candidate; the others are not affected")]


SELF_TOLD: dict[str, tuple[Severity, str]] = {
    "GW018": (
        "warning",
        "give a penalty, or drop or join what separates; the classes predicted are usable, sizes and odds are not",
    ),
    "GW020": ("note", "search further on that side; the best value may lie beyond"),
    "GW021": ("note", "do not read a meaning into the one that was taken: the other fits these rows as well"),
}


def self_told(told: Mapping[str, Sequence[str]]) -> list[Finding]:
    """What models say of themselves."""
    return [
        finding(code, severity, joined(told[code]), remedy)
        for code, (severity, remedy) in SELF_TOLD.items()
        if told.get(code)
    ]


def of_comparison(comparison: Comparison) -> list[Finding]:
    return [*no_better(comparison), *failures(comparison), *too_good(comparison)]


def too_good(comparison: Comparison) -> list[Finding]:
    """A regression whose error is next to nothing: the columns together are the target in other words."""
    base = next((row for row in comparison.rows if row.name == comparison.baseline), None)
    best = comparison.rows[0]
    if base is None or base.score <= 0 or comparison.metric != "RMSE" or best.score > TOO_GOOD * base.score:
        return []
    evidence = f"{best.name!r} leaves {100 * best.score / base.score:.2g} % of the baseline's error"
    remedy = "look for columns that are made from the target, or add up to it, and leave them out"
    return [finding("GW014", "warning", f"{evidence}: that is a formula rather than a forecast", remedy)]


def of_answers(view: View, answered: Answered) -> list[Finding]:
    return [*copies_apart(view, answered), *beyond(view, answered)]


def copies_apart(view: View, answered: Answered) -> list[Finding]:
    """Rows tested by a model that was fitted to a copy of theirs, and how much better it did on them."""
    if not view.codes:
        return []
    key = np.zeros(view.problem.n_rows, dtype=np.int64)
    for code in (*view.codes.values(), view.target):
        _, key = np.unique(key * (int(code.max()) + 1) + code, return_inverse=True)
    tested = answered.fold >= 0
    pairs = np.unique(np.stack([key[tested], answered.fold[tested]]), axis=1)
    spread = np.bincount(pairs[0], minlength=int(key.max()) + 1) > 1
    apart = spread[key] & tested
    if apart.sum() <= MANY_REPEATED * view.problem.n_rows:
        return []
    evidence = f"{int(apart.sum()):,} rows are tested by a model that was fitted to a copy of them"
    evidence += compared(apart, answered)
    return [finding("GW001", "warning", evidence, "drop the copies, or give equal rows one group")]


def beyond(view: View, answered: Answered) -> list[Finding]:
    """Rows with a number that lies outside all training rows of their fold."""
    numeric = {name: column for name, column in view.columns.items() if is_numeric(column)}
    outside = np.zeros(view.problem.n_rows, dtype=bool)
    where = []
    for name, column in numeric.items():
        far = outside_of_others(column, answered.fold)
        if far.any():
            where.append((name, int(far.sum())))
            outside |= far
    if not outside.any():
        return []
    told = ", ".join(f"{name!r} ({count})" for name, count in sorted(where, key=lambda pair: -pair[1])[:SHOWN])
    evidence = f"{int(outside.sum()):,} rows lie outside what their training rows had seen: {told}"
    worse = ratio(outside, answered) > MUCH_WORSE and outside.sum() >= ENOUGH
    remedy = "do not trust predictions outside the range of the rows; ask whether such values are real"
    return [finding("GW019", "warning" if worse else "note", evidence + compared(outside, answered), remedy)]


def outside_of_others(column: Array, fold: Ints) -> Flags:
    """Which cells are below the least or above the greatest of all other folds."""
    found = np.zeros(len(column), dtype=bool)
    for k in range(int(fold.max(initial=-1)) + 1):
        here, others = fold == k, (fold >= 0) & (fold != k) & np.isfinite(column)
        if others.any():
            found[here] = (column[here] < column[others].min()) | (column[here] > column[others].max())
    return found


def ratio(some: Flags, answered: Answered) -> float:
    """The error of some rows over that of the others, as the metric shows it."""
    known = np.isfinite(answered.losses)
    here, there = answered.losses[some & known], answered.losses[~some & known]
    if len(here) < ENOUGH or len(there) < ENOUGH or there.mean() <= 0:
        return 1.0
    return answered.metric.shown(float(here.mean())) / answered.metric.shown(float(there.mean()))


def compared(some: Flags, answered: Answered) -> str:
    """Their error beside that of the others, where there are enough."""
    known = np.isfinite(answered.losses)
    here, there = answered.losses[some & known], answered.losses[~some & known]
    if len(here) < ENOUGH or len(there) < ENOUGH:
        return ""
    shown = answered.metric.shown
    return f"; {answered.metric.name} {shown(float(here.mean())):.4g} there, {shown(float(there.mean())):.4g} elsewhere"


def merged(found: Sequence[Finding]) -> list[Finding]:
    """One finding for each code: the evidence of several put together, the gravest severity of them."""
    by_code: dict[str, list[Finding]] = {}
    for one in found:
        by_code.setdefault(one.code, []).append(one)
    return [together(same) for same in by_code.values()]


def together(same: Sequence[Finding]) -> Finding:
    gravest = min(same, key=lambda one: ORDER[one.severity])
    if len(same) == 1:
        return gravest
    remedies = dict.fromkeys(one.remedy for one in same)
    return finding(gravest.code, gravest.severity, ". ".join(one.evidence for one in same), "; ".join(remedies))
