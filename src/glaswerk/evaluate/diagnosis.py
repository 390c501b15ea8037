"""The diagnosis: what the errors on training rows and on new rows say together, in words with their numbers.

    far below the baseline on training rows, not on new ones: overfitted        close together: not overfitted
    far above the noise on both: underfitted

A pair of errors cannot tell noise from lack of fit by itself: that takes a richer candidate or a known noise, and the
sentences say which of them was there. Cost: nothing is fitted.
"""

from dataclasses import dataclass

import numpy as np

from glaswerk.evaluate.learning_curve import VALIDATION
from glaswerk.evaluate.metrics import Metric, metric_named
from glaswerk.evaluate.power_law import gain_of_doubling
from glaswerk.facts import Candidate, Comparison, Curve, Statement
from glaswerk.scoring.inputs import check_choice

SMALL_GAP = 0.1  # of the error on new rows
LARGE_GAP = 0.3
WIDE = 0.15  # half an interval, as a part of the error
WORTH_IT = 0.02  # of the error: what twice the rows must bring to be advised
NEAR_NOISE = 1.1


def diagnose(
    comparison: Comparison, curve: Curve | None = None, *, candidate: str | None = None, noise: float | None = None
) -> Statement:
    """Verdict on one candidate (the best by default): over- or underfitted, what would help, and how sure that is.

    `curve` is its learning curve, of the same metric. `noise` is the error that no model can go below, where known.
    """
    known = [row for row in comparison.rows if row.fold_scores and row.name != comparison.baseline]
    if candidate is not None:
        check_choice("candidate", candidate, [row.name for row in known])
    if not known:
        return Statement("Diagnosis", ("No candidate but the baseline could be judged, so there is nothing to say.",))
    row = next((r for r in known if r.name == candidate), known[0])
    if curve is not None and not curve.y_title.startswith(comparison.metric):
        raise ValueError(f"curve must show {comparison.metric}, the metric of the comparison; came {curve.y_title!r}")
    pair = Pair.of(row, comparison)
    sentences = (
        the_numbers(pair, comparison),
        *the_verdict(pair, known, noise),
        *what_rows_would_bring(pair, curve),
        *how_sure(pair, comparison.level),
    )
    return Statement("Diagnosis", sentences)


@dataclass(frozen=True)
class Pair:
    """Errors of one candidate, smaller is better whatever the metric; `half` is half its interval on new rows."""

    row: Candidate
    metric: Metric
    new: float
    known: float
    baseline: float
    half: float

    @classmethod
    def of(cls, row: Candidate, comparison: Comparison) -> "Pair":
        metric = metric_named(comparison.metric)
        baseline = next(r for r in comparison.rows if r.name == comparison.baseline)
        half = np.inf if row.lower is None or row.upper is None else max(row.upper - row.score, row.score - row.lower)
        trained = row.score if row.train_score is None else row.train_score
        return cls(
            row, metric, metric.error(row.score), metric.error(trained), metric.error(baseline.score), float(half)
        )

    @property
    def gap(self) -> float:
        """How much larger the error is on new rows, as a part of it."""
        return (self.new - self.known) / self.new if self.new > 0 else 0.0

    @property
    def gap_is_sure(self) -> bool:
        """Whether the gap is wider than half the interval."""
        return self.new - self.known > self.half

    @property
    def left(self) -> float:
        """Part of the baseline's error that is left."""
        return self.new / self.baseline if self.baseline > 0 else np.nan

    @property
    def beats_baseline(self) -> bool:
        return self.row.gain_lower is not None and self.row.gain_lower > 0


def the_numbers(pair: Pair, comparison: Comparison) -> str:
    row, metric = pair.row, pair.metric.name
    limits = "" if row.lower is None else f" ({100 * comparison.level:g} % interval {row.lower:.4g} to {row.upper:.4g})"
    trained = "" if row.train_score is None else f" and {row.train_score:.4g} on the rows it was fitted to"
    base = next(r for r in comparison.rows if r.name == comparison.baseline).score
    return f"{row.name}: {metric} {row.score:.4g} on new rows{limits}{trained}; the baseline has {base:.4g}."


def the_verdict(pair: Pair, others: list[Candidate], noise: float | None) -> tuple[str, ...]:
    if not pair.beats_baseline:
        return (no_better_than_baseline(pair, others),)
    if pair.gap > SMALL_GAP:
        return overfitted(pair) if pair.gap_is_sure else (perhaps_overfitted(pair),)
    return (not_overfitted(pair), fits_enough(pair, others, noise))


def outdone(pair: Pair, others: list[Candidate]) -> str:
    """The sentence on a best candidate that is better on training rows and on new ones, or nothing."""
    best = next((r for r in others if r.verdict == "best" and r.train_score is not None), None)
    if best is None or pair.row.verdict != "worse" or pair.metric.error(best.train_score or 0.0) >= pair.known:
        return ""
    return f"Underfitted: {best.name} has the smaller error on training rows and on new ones."


def no_better_than_baseline(pair: Pair, others: list[Candidate]) -> str:
    if pair.known < (1 - LARGE_GAP) * pair.baseline:
        return (
            f"Overfitted: on its own rows it has {percent(pair.known / pair.baseline)} of the baseline's error, on new "
            "rows it is not shown to be better than the baseline. What it learnt does not carry over: take a simpler "
            "model, fewer columns, or more rows."
        )
    if outdone(pair, others):
        return f"It is not shown to be better than the baseline. {outdone(pair, others)}"
    return (
        "It has learnt little or nothing: it is not shown to be better than the baseline. Either the columns "
        "say little about the target, or the model is too simple (underfitted), or the rows are too few; these numbers "
        "cannot tell which."
    )


def overfitted(pair: Pair) -> tuple[str, ...]:
    how = "Overfitted" if pair.gap > LARGE_GAP else "Somewhat overfitted"
    return (
        f"{how}: the error on new rows is larger than on training rows by {pair.new - pair.known:.3g}, which is "
        f"{percent(pair.gap)} of it.",
        "A simpler model, a stronger penalty or more rows would narrow this gap; whether the error on new rows falls "
        "too must be tried, for the most flexible candidate can still be the best one.",
    )


def perhaps_overfitted(pair: Pair) -> str:
    return (
        f"Perhaps overfitted: the error on new rows is larger than on training rows by {pair.new - pair.known:.3g}, "
        f"{percent(pair.gap)} of it; half its interval is wider. More rows would tell, more repeats would not."
    )


def not_overfitted(pair: Pair) -> str:
    return (
        f"No sign of overfitting: the errors on training rows and on new rows differ by {pair.new - pair.known:.3g}, "
        f"{percent(abs(pair.gap))} of the latter."
    )


def fits_enough(pair: Pair, others: list[Candidate], noise: float | None) -> str:
    """Underfitted or not, as far as a known noise or a richer candidate tells."""
    left = f"It leaves {percent(pair.left)} of the baseline's error."
    if noise is not None and noise > 0:
        if pair.known <= NEAR_NOISE * noise:
            return f"{left} That is close to the noise of {noise:.4g}: no model can do much better."
        return f"{left} Underfitted: even on training rows the error is {pair.known / noise:.2g} times the noise."
    if outdone(pair, others):
        return f"{left} {outdone(pair, others)}"
    richer = [r for r in others if r.train_score is not None and pair.metric.error(r.train_score) < pair.known]
    if richer:
        return (
            f"{left} {richer[0].name} follows the training rows more closely and is not better on new ones: what is "
            "left looks like noise, or like columns that are missing, rather than like underfitting."
        )
    return (
        f"{left} Whether the rest is noise or underfitting these numbers cannot tell: no richer candidate was tried. "
        "Try one (products or curves of columns, a tree), or better columns."
    )


def what_rows_would_bring(pair: Pair, curve: Curve | None) -> tuple[str, ...]:
    if curve is None:
        return ()
    line = next(one for one in curve.lines if one.name == VALIDATION)
    errors = np.array([np.nan if y is None else pair.metric.error(y) for y in line.y])
    # A quarter of a band is about a standard error; the best law does not depend on a common factor at all.
    limits = zip(line.lower, line.upper, strict=True)
    spreads = np.array([np.nan if lo is None or hi is None else (hi - lo) / 4 for lo, hi in limits])
    found = gain_of_doubling(np.array(line.x), errors, spreads)
    told = curve.says.partition("rows. ")[2] or curve.says
    if found.gain is None or found.upper is None:
        return (told,)
    enough = WORTH_IT * pair.new
    if found.gain > enough:
        advice = "More rows are worth having." if (found.lower or 0.0) > enough else "More rows probably help."
    else:
        unsure = found.upper > enough
        advice = "Whether more rows would help is not sure." if unsure else "More rows alone would hardly help."
    return (f"{advice} {told}",)


def how_sure(pair: Pair, level: float) -> tuple[str, ...]:
    if not np.isfinite(pair.half):
        return ("The folds do not tell how sure this is.",)
    if pair.new <= 0 or pair.half <= WIDE * pair.new:
        return ()
    return (
        f"The {100 * level:g} % interval is wide, ±{percent(pair.half / pair.new)} of the error, and approximate: "
        "with other rows the verdict could be another.",
    )


def percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:.0f} %"
