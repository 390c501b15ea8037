"""Verdicts: candidates beside each other on the same folds, as a fact.

A difference counts only where its corrected interval says so. Differences within one hundredth of the best
candidate's error are taken as no difference that matters.
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.evaluate.chosen import in_words
from glaswerk.evaluate.corrected import FoldValues, Interval, score_interval, worse_by
from glaswerk.evaluate.metrics import Metric
from glaswerk.evaluate.trial import Trial
from glaswerk.facts import Candidate

BASELINE = "baseline"
MARGIN = 0.01
ALIKE = "no interval: the folds are stratified, so the shares of the classes hardly differ between them"


@dataclass(frozen=True, eq=False)
class Field:
    """All trials of one validation with what they are judged by; `ratio` is n_test/n_train."""

    metric: Metric
    trials: tuple[Trial, ...]
    weight: np.ndarray
    ratio: float
    level: float
    stratified: bool
    folds: int = 1

    def of(self, trial: Trial) -> FoldValues:
        return FoldValues(self.metric, trial.values, self.weight)

    def on_training_rows(self, trial: Trial) -> FoldValues:
        return FoldValues(self.metric, trial.train_values, self.weight)

    @property
    def baseline(self) -> Trial:
        return next(trial for trial in self.trials if trial.name == BASELINE)

    def ranked(self) -> list[Trial]:
        """Best first, equals by name; those that failed last."""
        return sorted(self.trials, key=lambda t: (bool(t.failure), self._error(t), t.name))

    def _error(self, trial: Trial) -> float:
        return 0.0 if trial.failure else self.metric.error(self.of(trial).score)

    @property
    def margin(self) -> float:
        """The difference that does not matter."""
        return MARGIN * self.metric.error(self.of(self.ranked()[0]).score)

    def simplest(self) -> str:
        """The least complex candidate within one standard error of the best; nothing where the best tells no number.

        The standard error is that of one k-fold's mean: repeats do not make the rows more.
        """
        best = self.ranked()[0]
        if best.failure or not np.isfinite(best.complexity):
            return ""
        limit = self._error(best) + np.nan_to_num(self._standard_error(best))
        good = [
            trial
            for trial in self.ranked()
            if not trial.failure and np.isfinite(trial.complexity) and self._error(trial) <= limit
        ]
        return min(good, key=lambda trial: trial.complexity).name

    def _standard_error(self, trial: Trial) -> float:
        found = self.of(trial)
        known = np.isfinite(found.values)
        if known.sum() < 2:
            return np.nan
        share = self.weight[known] / self.weight[known].sum()
        variance = float(share @ found.deviations[known] ** 2 * known.sum() / (known.sum() - 1))
        return float(np.sqrt(variance / self.folds))

    def difference(self, trial: Trial, other: Trial) -> Interval:
        return worse_by(self.of(trial), self.of(other), self.ratio, self.level)

    def rows(self) -> tuple[Candidate, ...]:
        ranked = self.ranked()
        return tuple(self._row(trial, ranked[0]) for trial in ranked)

    def _row(self, trial: Trial, best: Trial) -> Candidate:
        if trial.failure:
            return failed_row(trial)
        found, trained = self.of(trial), self.on_training_rows(trial).score
        score = score_interval(found, self.ratio, self.level)
        to_best = Interval(0.0, None, None) if trial is best else self.difference(trial, best)
        gain = self.difference(trial, self.baseline).turned()
        notes: tuple[str, ...] = (against_baseline(gain, self.level),)
        notes += (f"chosen inside: {in_words(trial.chosen)}",) if trial.chosen else ()
        if trial is self.baseline:
            notes = (ALIKE,) if self.stratified else ()
            score = Interval(score.estimate, None, None) if self.stratified else score
        return Candidate(
            name=trial.name,
            score=score.estimate,
            lower=score.lower,
            upper=score.upper,
            train_score=trained if np.isfinite(trained) else None,
            difference=to_best.estimate,
            difference_lower=to_best.lower,
            difference_upper=to_best.upper,
            verdict="best" if trial is best else verdict(to_best, self.margin),
            fits=trial.fits,
            fold_scores=found.shown(),
            notes=(*notes, *trial.remarks()),
            gain=gain.estimate,
            gain_lower=gain.lower,
            gain_upper=gain.upper,
            complexity=trial.complexity if np.isfinite(trial.complexity) else None,
            inner_score=inner_score(trial),
        )


def inner_score(trial: Trial) -> float | None:
    """Mean of what choices inside the training rows of every fold promised; None where nothing alike was promised."""
    promised = [one.inner for one in trial.chosen if one.inner is not None]
    return float(np.mean(promised)) if promised else None


def against_baseline(gain: Interval, level: float) -> str:
    """Whether a candidate is better than looking at no column at all."""
    by = gain.estimate
    if gain.lower is None or gain.upper is None:
        return f"{'better' if by > 0 else 'not better'} than the baseline, by {by:.4g}; how sure that is is not known"
    limits = f"{100 * level:g} % interval {gain.lower:.4g} to {gain.upper:.4g}"
    if gain.lower > 0:
        return f"better than the baseline by {by:.4g} ({limits})"
    if gain.upper < 0:
        return f"not better than the baseline: worse by {-by:.4g} (gain: {limits})"
    return f"not shown to be better than the baseline: gain {by:.4g} ({limits})"


def verdict(worse: Interval, margin: float) -> str:
    """In words: how a candidate stands to the best one."""
    if worse.lower is None or worse.upper is None:
        return "cannot tell"
    if -margin <= worse.lower and worse.upper <= margin:
        return "practically equal"
    return "worse" if worse.lower > 0 else "cannot tell"


def failed_row(trial: Trial) -> Candidate:
    nothing = (None,) * 6
    return Candidate(trial.name, float("nan"), *nothing, "failed", trial.fits, (), (trial.failure, *trial.remarks()))
