"""Choosing the penalty of ridge regression from its validation errors, and what that choice is worth.

The gain over least squares is judged by the corrected variance of repeated cross-validation: training sets overlap, so
(1 / runs + test share / training share) s² takes the place of s² / runs (Nadeau and Bengio).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glaswerk.archive import storable
from glaswerk.stats.pairs import Array
from glaswerk.stats.ridge_path import LeaveOneOut

Rule = Literal["min", "1se", "modal"]
LEVEL = 0.95
NONE = np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class Validation:
    """Errors of every penalty: mean (m, q), its standard error; `runs` (repeats, folds, m, q) where folds were drawn.

    The first line belongs to no penalty at all where `has_baseline`.
    """

    mean: Array
    deviation: Array | None
    has_baseline: bool
    runs: Array | None = None
    left_out: LeaveOneOut | None = None

    @classmethod
    def of_folds(cls, runs: Array, has_baseline: bool) -> "Validation":
        """The standard error is that of one k-fold's mean: repeats do not make the rows more."""
        folds = runs.shape[1]
        deviation = runs.std(axis=(0, 1), ddof=1) / np.sqrt(folds)
        return cls(runs.mean(axis=(0, 1)), deviation, has_baseline, runs)

    @classmethod
    def of_left_out(cls, sums: LeaveOneOut, has_baseline: bool) -> "Validation":
        return cls(sums.mean(), sums.standard_error(), has_baseline, left_out=sums)

    def over_targets(self) -> "Validation":
        """As if there were one target, whose error is the mean over all."""
        if self.mean.shape[1] == 1:
            return self
        parts = (None if a is None else a.mean(axis=-1, keepdims=True) for a in (self.deviation, self.runs))
        deviation, runs = parts
        if runs is not None:
            return Validation.of_folds(runs, self.has_baseline)
        return Validation(self.mean.mean(axis=1, keepdims=True), deviation, self.has_baseline, None, self.left_out)


@storable("PenaltyChoice", version=1)
@dataclass(frozen=True, eq=False)
class PenaltyChoice:
    """What validation said of every penalty, and the one taken. Arrays (m, q) over penalties and (shared) targets.

    runs (repeats, folds): errors at the choice; per_run (repeats): the best of each run; gain (q, 3): estimate, lower
    and upper limit, NaN where unknown.
    """

    penalties: Array
    mean: Array
    deviation: Array
    baseline: Array
    chosen: NDArray[np.int64]
    runs: Array
    per_run: NDArray[np.int64]
    gain: Array
    effective: Array
    path: Array

    def check(self) -> None:
        m, q = self.mean.shape
        fits = self.penalties.shape == (m,) and self.chosen.shape == (q,) and self.gain.shape == (q, 3)
        if not fits or not ((self.chosen >= 0) & (self.chosen < m)).all() or self.path.shape[0] != m:
            raise ValueError("the parts of a penalty's choice do not fit together")


def choose(found: Validation, penalties: Array, rule: Rule, effective: Array, path: Array) -> PenaltyChoice:
    """Take a penalty by `rule`: the least error, the strongest within one standard error, or the mode of the runs."""
    skip = int(found.has_baseline)
    mean = found.mean[skip:]
    q = mean.shape[1]
    deviation = NONE if found.deviation is None else found.deviation[skip:]
    per_run = np.zeros(0, np.int64)
    if found.runs is not None and q == 1:
        per_run = np.argmin(found.runs[:, :, skip:, 0].mean(axis=1), axis=1).astype(np.int64)
    chosen = np.array([_by_rule(rule, k, penalties, mean, deviation, per_run) for k in range(q)], dtype=np.int64)
    runs = NONE if found.runs is None or q > 1 else found.runs[:, :, skip + chosen[0], 0]
    baseline = found.mean[0] if skip else np.full(q, np.nan)
    gain = np.array([_gain(found, k, skip + chosen[k]) for k in range(q)])
    return PenaltyChoice(penalties, mean, deviation, baseline, chosen, runs, per_run, gain, effective, path)


def _by_rule(rule: Rule, k: int, penalties: Array, mean: Array, deviation: Array, per_run: NDArray[np.int64]) -> int:
    best = int(np.argmin(mean[:, k]))
    if rule == "modal":
        times = np.bincount(per_run, minlength=len(penalties))
        most = np.flatnonzero(times == times.max())
        return int(most[np.argmin(mean[most, k])])
    if rule == "1se":
        within = np.flatnonzero(mean[:, k] <= mean[best, k] + deviation[best, k])
        return int(within[np.argmax(penalties[within])])
    return best


def _gain(found: Validation, k: int, at: int) -> tuple[float, float, float]:
    """By how much the mean squared error falls against no penalty, with its interval."""
    nothing = float("nan")
    if not found.has_baseline or not np.isfinite(found.mean[0, k]):
        return nothing, nothing, nothing
    gain = float(found.mean[0, k] - found.mean[at, k])
    if found.runs is not None:
        differences = (found.runs[:, :, 0, k] - found.runs[:, :, at, k]).ravel()
        runs, folds = differences.size, found.runs.shape[1]
        spread = np.sqrt((1 / runs + 1 / (folds - 1)) * differences.var(ddof=1))
        half = special.stdtrit(runs - 1, 0.5 + LEVEL / 2) * spread
    elif found.left_out is not None and found.left_out.errors.shape[1] == found.mean.shape[1]:
        half = special.stdtrit(max(found.left_out.weight - 1, 1), 0.5 + LEVEL / 2) * found.left_out.gain()[1][at, k]
    else:
        return gain, nothing, nothing
    return gain, gain - float(half), gain + float(half)
