"""Out-of-fold answers as facts: residuals that no fit has seen, how often intervals held, what is mistaken for what."""

import numpy as np
from scipy import special

from glaswerk.base import Array
from glaswerk.evaluate.prediction_sets import intervals_held
from glaswerk.evaluate.problem import Problem, class_codes
from glaswerk.evaluate.trial import LEVELS, Trial
from glaswerk.facts import Confusion, OutOfFold
from glaswerk.scoring.folds import shuffled_order
from glaswerk.scoring.inputs import Ints

ORIGIN = "predictions of the first repeat, each row from the fold that tested it"
CONFORMAL = "intervals are conformal: prediction ± what the other folds missed by"
MOST_ROWS = 2000
MOST_QUANTILES = 200


def of_numbers(trial: Trial, problem: Problem, fold: Ints | None = None) -> OutOfFold:
    """Observed and predicted numbers of at most 2,000 rows; residual quantiles and coverage of all rows.

    Where the candidate gives no intervals and `fold` says which fold tested each row, the coverage is that of conformal
    intervals: prediction ± what the other folds missed by.
    """
    tested = np.flatnonzero(np.isfinite(trial.numbers))
    weight = problem.weight[tested] if problem.weight.size else np.ones(len(tested))
    shown = sample(tested)
    notes: tuple[str, ...] = (ORIGIN,)
    if len(shown) < len(tested):
        notes += (f"{len(shown)} of {len(tested)} rows are shown, drawn by a fixed hash of the row number",)
    inside = trial.inside[tested]
    if fold is not None and len(tested) and not np.isfinite(inside).any() and len(np.unique(fold[tested])) > 1:
        inside = intervals_held(problem.truth[tested], trial.numbers[tested], fold[tested], weight)
        notes += (CONFORMAL,)
    return OutOfFold(
        target=problem.target,
        candidate=trial.name,
        rows=len(tested),
        row=tuple(shown.tolist()),
        observed=tuple(problem.truth[shown].tolist()),
        predicted=tuple(trial.numbers[shown].tolist()),
        quantiles=normal_quantiles(problem.truth[tested] - trial.numbers[tested], weight),
        coverage=measured_coverage(inside, weight),
        notes=notes,
    )


def of_classes(trial: Trial, problem: Problem) -> Confusion:
    """Weights of rows by true and predicted class."""
    tested = np.flatnonzero(trial.codes >= 0)
    k = len(problem.classes)
    cell = class_codes(problem.truth[tested], problem.classes) * k + trial.codes[tested]
    weight = problem.weight[tested] if problem.weight.size else None
    counts = np.bincount(cell, weight, minlength=k * k).reshape(k, k)
    return Confusion(
        target=problem.target,
        candidate=trial.name,
        classes=problem.classes,
        counts=tuple(map(tuple, counts.astype(np.float64).tolist())),
        notes=(ORIGIN,),
    )


def sample(rows: Ints) -> Ints:
    """At most 2,000 of the rows, always the same ones, in ascending order."""
    if len(rows) <= MOST_ROWS:
        return rows
    return np.sort(rows[shuffled_order(len(rows), 0)[:MOST_ROWS]])


def normal_quantiles(residuals: Array, weight: Array) -> tuple[tuple[float, float], ...]:
    """(normal quantile, standardised residual), evenly spaced along the normal axis, the extremes among them."""
    total = weight.sum()
    centred = residuals - residuals @ weight / total
    deviation = np.sqrt(centred**2 @ weight / total)
    if deviation == 0 or len(residuals) < 2:
        return ()
    order = np.argsort(centred, kind="stable")
    normal = special.ndtri((np.cumsum(weight[order]) - weight[order] / 2) / total)
    wanted = np.linspace(normal[0], normal[-1], MOST_QUANTILES)
    picked = np.unique(np.clip(np.searchsorted(normal, wanted), 0, len(normal) - 1))
    picked = np.arange(len(normal)) if len(normal) <= MOST_QUANTILES else picked
    return tuple(zip(normal[picked].tolist(), (centred[order][picked] / deviation).tolist(), strict=True))


def measured_coverage(inside: Array, weight: Array) -> tuple[tuple[float, float], ...]:
    """(level promised, share of the rows held), where the candidate gave an interval."""
    found = []
    for level, column in zip(LEVELS, inside.T, strict=True):
        known = np.isfinite(column)
        if known.any():
            found.append((level, float(column[known] @ weight[known] / weight[known].sum())))
    return tuple(found)
