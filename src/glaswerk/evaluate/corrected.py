"""The corrected resampled t interval: how sure a mean over folds is, given that folds share their training rows.

    mean ± t_{J-1} √( s² (1/J + n_test/n_train) ),   J = folds × repeats

The plain s²/J takes the folds for independent samples and is far too sure: repeats would shrink it to nothing although
they add no row. Nadeau and Bengio's term n_test/n_train (Machine Learning 52, 2003) does not shrink. This is an
approximation: no unbiased estimate of the variance exists (Bengio and Grandvalet, JMLR 5, 2004).
Cost: one pass over the folds. When not to use it: a single split; folds in order of time, which overlap in other ways.
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.metrics import Metric
from glaswerk.stats.inference import student_quantile


@dataclass(frozen=True)
class Interval:
    """An estimate with its limits; the limits are None where the folds do not tell."""

    estimate: float
    lower: float | None
    upper: float | None

    def turned(self) -> "Interval":
        """The interval of the opposite number."""
        lower, upper = (None if limit is None else 0.0 - limit for limit in (self.upper, self.lower))
        return Interval(0.0 - self.estimate, lower, upper)


@dataclass(frozen=True, eq=False)
class FoldValues:
    """A candidate's value in every fold, on the scale of folds, and the weight of the rows tested there."""

    metric: Metric
    values: Array
    weight: Array

    @property
    def mean(self) -> float:
        """Mean over the folds where the metric is defined, weighted by their rows."""
        known = np.isfinite(self.values)
        return float(self.values[known] @ self.weight[known] / self.weight[known].sum()) if known.any() else np.nan

    @property
    def score(self) -> float:
        """The mean, as the metric shows it."""
        return self.metric.shown(self.mean)

    @property
    def deviations(self) -> Array:
        """What each fold moves the score by, to first order: how far it lies from the mean, times the slope."""
        return self.metric.slope(self.mean) * (self.values - self.mean)

    def shown(self) -> tuple[float, ...]:
        return tuple(self.metric.shown(float(value)) for value in self.values)


def corrected_interval(estimate: float, deviations: Array, weight: Array, ratio: float, level: float) -> Interval:
    """Interval from the folds' deviations; `ratio` is n_test/n_train. Undefined folds are left out."""
    known = np.isfinite(deviations)
    J = int(known.sum())
    if J < 2:
        return Interval(estimate, None, None)
    share = weight[known] / weight[known].sum()
    variance = float(share @ deviations[known] ** 2) * J / (J - 1)
    half = student_quantile(level, J - 1) * np.sqrt(variance * (1 / J + ratio))
    return Interval(estimate, float(estimate - half), float(estimate + half))


def score_interval(found: FoldValues, ratio: float, level: float) -> Interval:
    """The score with its interval, kept where the metric can be."""
    interval = corrected_interval(found.score, found.deviations, found.weight, ratio, level)
    if interval.lower is None or interval.upper is None:
        return interval
    return Interval(found.score, found.metric.clipped(interval.lower), found.metric.clipped(interval.upper))


def worse_by(found: FoldValues, other: FoldValues, ratio: float, level: float) -> Interval:
    """How much worse one candidate is than another, paired fold by fold; negative where it is better."""
    sign = 1.0 if found.metric.better == "lower" else -1.0
    deviations = sign * (found.deviations - other.deviations)
    estimate = found.metric.worse_by(found.score, other.score)
    return corrected_interval(estimate, deviations, found.weight, ratio, level)
