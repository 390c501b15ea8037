"""The verdict: sentences that a statistician would sign, made from the comparison and the out-of-fold answers alone."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from glaswerk.facts import Candidate, Comparison, Confusion, OutOfFold, Statement
from glaswerk.figures.labels import short
from glaswerk.figures.theme import said

MOST_CUTS = 3  # named in the sentence on a run that was cut
NOT_FINISHED = "not finished"  # how the note of a candidate begins that time or a person stopped
GUESS = {"regression": "always answers the mean", "classification": "always answers the shares of the classes"}


def verdict(comparison: Comparison, answers: OutOfFold | Confusion, misses: NDArray[np.float64]) -> Statement:
    """What the report comes to. `misses` are the absolute out-of-fold errors of all rows of a regression."""
    sentences = [*in_general(comparison, answers.target, isinstance(answers, Confusion))]
    sentences += on_rows(answers, misses) if isinstance(answers, OutOfFold) else on_classes(answers)
    return Statement("", (*sentences, how_sure(comparison)))


def in_general(comparison: Comparison, target: str, classes: bool) -> Iterator[str]:
    """The best candidate, how sure that is, and what is as good."""
    best, base = comparison.rows[0], baseline_of(comparison)
    guess = GUESS["classification" if classes else "regression"]
    score = f"{comparison.metric} of {between(best, comparison.level)}"
    if best is base:
        yield (
            f"No candidate does better than the baseline, which {guess}: its {score} for {short(target)} is the best "
            f"there is. Used in these ways, the columns say nothing certain about {short(target)}."
        )
    elif base is None:
        yield f"{named(best.name)} predicts {short(target)} best, with a {score}."
    elif proven(best):
        alone = len(comparison.rows) == 2
        yield (
            f"{named(best.name)} predicts {short(target)}{'' if alone else ' best,'} with {a(score)}. The baseline, "
            f"which {guess}, has {said(base.score)}{gain(comparison, best, base)}."
        )
    else:
        yield (
            f"{named(best.name)} has the best score for {short(target)}, {a(score)}, but it is not shown to be better "
            f"than the baseline, which {guess} and has {said(base.score)}: do not rely on it yet."
        )
    yield from rivals(comparison)


def gain(comparison: Comparison, best: Candidate, base: Candidate) -> str:
    if comparison.better != "lower" or not base.score > 0:
        return ""
    return f": {100 * (1 - best.score / base.score):.0f} % of its error is gone"


def rivals(comparison: Comparison) -> Iterator[str]:
    """Candidates that are as good as the best, or that the rows cannot tell from it."""
    others = [row for row in comparison.rows[1:] if row.name != comparison.baseline]
    equal = [row.name for row in others if row.verdict == "practically equal"]
    unclear = [row.name for row in others if row.verdict == "cannot tell"]
    short_of_time = [row.name for row in others if "".join(row.notes[:1]).startswith(NOT_FINISHED)]
    failed = [row.name for row in others if row.verdict == "failed" and row.name not in short_of_time]
    if equal:
        yield f"Practically equal to it, so that the simplest may be taken: {enumerated(equal)}."
    if comparison.simplest and comparison.simplest != comparison.rows[0].name:
        yield f"The simplest within one standard error of it: {short(comparison.simplest)}."
    if unclear:
        yield (
            f"These rows cannot tell whether {enumerated(unclear)} {'is' if len(unclear) == 1 else 'are'} worse: "
            "the interval of the paired difference reaches beyond what matters."
        )
    if failed:
        yield f"Could not be fitted, with the reason in the comparison: {enumerated(failed)}."
    if short_of_time:
        yield f"Not finished, with the reason in the comparison: {enumerated(short_of_time)}."


def on_rows(answers: OutOfFold, misses: NDArray[np.float64]) -> Iterator[str]:
    """What the error means for one row, in the target's units."""
    if misses.size:
        half, most = np.quantile(misses, [0.5, 0.9])
        yield (
            f"For a row not seen before: half of the predictions lie within ±{said(float(half))} of the true "
            f"{short(answers.target)}, nine in ten within ±{said(float(most))}; the worst of {misses.size:,} is off by "
            f"{said(float(misses.max()))}."
        )
    for level, held in answers.coverage:
        if level == 0.9:
            yield (
                f"Its 90 % prediction intervals held {100 * held:.1f} % of the rows they had not seen: "
                f"{kept(held, answers.rows)}."
            )


def kept(held: float, rows: int) -> str:
    """What 90 % intervals are worth, given the share of rows they held and what chance alone does to it."""
    slack = max(0.02, 2.0 * math.sqrt(0.9 * 0.1 / max(rows, 1)))
    if held < 0.9 - slack:
        return "they promise too much"
    return "they are wider than they need to be" if held > 0.9 + slack else "they keep what they promise"


def on_classes(answers: Confusion) -> Iterator[str]:
    """How many rows are recognised, against always naming the largest class, and what is mistaken for what."""
    counts = np.array(answers.counts)
    total, right = counts.sum(), np.trace(counts)
    largest = int(counts.sum(axis=1).argmax())
    if not total:
        return
    yield (
        f"Of rows not seen before {100 * right / total:.1f} % are given their true {short(answers.target)}; always "
        f"naming {named(answers.classes[largest])} would be right for {100 * counts[largest].sum() / total:.1f} %."
    )
    wrong = counts - np.diag(np.diag(counts))
    if wrong.any():
        true, taken = np.unravel_index(int(wrong.argmax()), wrong.shape)
        yield (
            f"The commonest mistake: {named(answers.classes[true])} taken for {named(answers.classes[taken])}, "
            f"{said(float(wrong[true, taken]))} of {said(float(counts[true].sum()))} rows."
        )


def how_sure(comparison: Comparison) -> str:
    fits = sum(row.fits for row in comparison.rows)
    flattery = "; the best of several candidates looks a little better than it is" if len(comparison.rows) > 2 else ""
    return (
        f"Judged by {comparison.plan}, {fits:,} fits in all, each blind to the rows it was judged on. "
        f"Intervals are approximate{flattery}."
    )


def baseline_of(comparison: Comparison) -> Candidate | None:
    return next((row for row in comparison.rows if row.name == comparison.baseline), None)


def proven(candidate: Candidate) -> bool:
    """Whether the whole interval of the gain over the baseline lies above zero."""
    return candidate.gain_lower is not None and candidate.gain_lower > 0


def between(candidate: Candidate, level: float) -> str:
    """A score with its interval, in words."""
    if candidate.lower is None or candidate.upper is None:
        return said(candidate.score)
    return f"{said(candidate.score)} ({100 * level:g} % interval {said(candidate.lower)} to {said(candidate.upper)})"


def a(score: str) -> str:
    return f"{'an' if score.startswith(('RMSE', 'MAE', 'R²', 'accuracy', 'AUC')) else 'a'} {score}"


def named(name: str) -> str:
    text = short(name)
    return text[:1].upper() + text[1:] if text == name and name.islower() and " " in name else text


def enumerated(names: Sequence[str]) -> str:
    shown = [short(name) for name in names]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def cut_short(cut: list[str]) -> str:
    """The sentence of the verdict on a run that was cut; where much was cut, the whole list stands under Method."""
    more = f"; and {len(cut) - MOST_CUTS} more, all of them under Method" if len(cut) > MOST_CUTS else ""
    told = "; ".join(cut[:MOST_CUTS])
    return f"This run was cut short, so that the same command may give other results: {told}{more}."
