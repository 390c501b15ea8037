"""Looks at how rows hang together: in order of time, in groups. Folds that cut either promise too much."""

from collections.abc import Sequence

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.columns import correlation, is_numeric, ranks
from glaswerk.evaluate.findings import finding, joined
from glaswerk.evaluate.looks import View
from glaswerk.evaluate.problem import times_of
from glaswerk.facts import Finding
from glaswerk.scoring.inputs import Ints

ENOUGH = 50
ALIKE = 0.2  # rank correlation of neighbouring rows
SORTED = 0.999
IN_COMPANY = 0.2  # of the rows share their level with another
ROWS_PER_LEVEL = 20  # above that, a level is a category and no group
SHARED = 0.3  # of the target's variance that lies between groups


def in_time(view: View, dates: Sequence[str]) -> list[Finding]:
    """A date, or neighbours in the table that are alike: the past would be predicted from the future."""
    known = view.problem.groups is not None or times_of(view.problem) is not None
    if known or view.problem.n_rows < ENOUGH:
        return []
    told = []
    target = numbered(view)
    for name in dates:
        order = np.argsort(view.columns[name], kind="stable")
        told.append(f"{name!r} is a date; ordered by it, neighbours have a correlation of {alike(target[order]):.2f}")
    severity = "warning" if told else "note"
    if not told and view.problem.task == "regression":
        share = alike(target)
        if max(ALIKE, 5 / np.sqrt(len(target))) < share and abs(correlation(ranks(target), place(target))) < SORTED:
            told.append(f"rows next to each other are alike: their targets have a correlation of {share:.2f}")
    remedy = "if rows to come are later ones, judge on later rows: train on the past, test on what follows (time)"
    return [finding("GW015", severity, f"{joined(told)}; the folds are shuffled", remedy)] if told else []  # type: ignore[arg-type]


def numbered(view: View) -> Array:
    """The target as numbers; for classes whether a row is of the largest."""
    if view.problem.task == "regression":
        return np.asarray(view.problem.truth, dtype=np.float64)
    return (view.target == np.argmax(np.bincount(view.target))).astype(np.float64)


def place(values: Array) -> Array:
    return np.arange(len(values), dtype=np.float64)


def alike(values: Array) -> float:
    """Rank correlation of each row with the next."""
    ranked = ranks(values)
    return correlation(ranked[:-1], ranked[1:])


def in_groups(view: View, aside: View) -> list[Finding]:
    """Levels shared by a few rows each, whose targets are alike: persons, machines, places."""
    if view.problem.groups is not None or view.problem.n_rows < ENOUGH:
        return []
    told = []
    target = numbered(view)
    for part, set_aside in ((view, False), (aside, True)):
        for name, codes in part.codes.items():
            if is_numeric(part.columns[name]) or not names_groups(codes):
                continue
            share = between(codes, target)
            if share > SHARED:
                hint = ", which no model looks at" if set_aside else ""
                told.append(f"{name!r}{hint}: {100 * share:.0f} % of the target's variance lies between its levels")
    remedy = "if rows to come are of levels never seen, keep a level in one fold (groups), and expect larger errors"
    evidence = f"levels of few rows each, cut by the folds: {joined(told)}"
    return [finding("GW016", "note", evidence, remedy)] if told else []


def names_groups(codes: Ints) -> bool:
    """Whether many levels are shared by a few rows each."""
    size = np.bincount(codes)
    size = size[size > 0]
    return bool(
        len(size) >= ROWS_PER_LEVEL
        and len(codes) < ROWS_PER_LEVEL * len(size)
        and size[size > 1].sum() >= IN_COMPANY * len(codes)
    )


def between(codes: Ints, target: Array) -> float:
    """The share of variance between levels beyond chance, of rows whose level has company (intraclass correlation)."""
    size = np.bincount(codes)
    kept = size[codes] > 1
    _, level = np.unique(codes[kept], return_inverse=True)
    values = target[kept]
    n, k = len(values), int(level.max()) + 1
    if k < 2 or n <= k:
        return 0.0
    means = np.bincount(level, values) / np.bincount(level)
    within = float(((values - means[level]) ** 2).sum()) / (n - k)
    total = float(((values - values.mean()) ** 2).sum()) / (n - 1)
    return max(0.0, 1.0 - within / total) if total > 0 else 0.0
