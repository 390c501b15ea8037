"""The choice of a ridge penalty as facts: the path of the coefficients, the errors with their bands, the verdict."""

import numpy as np
from numpy.typing import NDArray

from glaswerk.facts import Curve, Line, Statement
from glaswerk.stats.pairs import Array
from glaswerk.stats.penalty_choice import LEVEL, PenaltyChoice

MOST_LINES = 20  # coefficients drawn: those that matter most somewhere on the path
MOST_POINTS = 2000


def errors_curve(choice: PenaltyChoice, factor: float, how: str, target: str, k: int) -> Curve:
    """Mean squared error over alpha, with a band of one standard error and the line of least squares."""
    alphas, order = _positive(choice, factor)
    mean = choice.mean[order, k]
    spread = choice.deviation[order, k] if choice.deviation.size else None
    x, y = _numbers(alphas), _known(mean)
    band = ((), ()) if spread is None else (_known(mean - spread), _known(mean + spread))
    lines = [Line(how, x, y, *band)]
    if np.isfinite(choice.baseline[k]) and len(x):
        level = float(choice.baseline[k])
        lines.append(Line("no penalty: least squares", (x[0], x[-1]), (level, level)))
    alpha = float(choice.penalties[choice.chosen[k]] / factor)
    marks = ((alpha, "chosen"),) if alpha > 0 else ()
    band_note = ("the band is one standard error of the mean",) if spread is not None else ()
    return Curve(
        f"Error of {target} over alpha", "alpha", "mean squared error", tuple(lines), verdict(choice, factor, k)[-1],
        "log", marks=marks, notes=band_note,
    )  # fmt: skip


def path_curve(
    choice: PenaltyChoice, factor: float, names: tuple[str, ...], deviations: Array, k: int, target: str
) -> Curve:
    """Every coefficient over alpha, times its column's deviation so that the lines can be compared."""
    alphas, order = _positive(choice, factor)
    path = choice.path[order, k] * deviations
    size = np.abs(path).max(axis=0, initial=0.0)
    shown = np.sort(np.argsort(-size, kind="stable")[:MOST_LINES])
    lines = tuple(Line(names[j], _numbers(alphas), _numbers(path[:, j])) for j in shown)
    left_out = len(names) - len(shown)
    notes = (f"{left_out} columns with smaller coefficients are not drawn",) if left_out else ()
    alpha = float(choice.penalties[choice.chosen[min(k, len(choice.chosen) - 1)]] / factor)
    return Curve(
        f"Coefficients for {target} over alpha", "alpha", "coefficient times its column's deviation", lines,
        "the stronger the penalty, the smaller the weights; none but the limit is zero", "log",
        marks=((alpha, "chosen"),) if alpha > 0 else (), notes=notes,
    )  # fmt: skip


def effective_curve(choice: PenaltyChoice, factor: float) -> Curve:
    """[TRE-MEFF] The effective number of parameters over alpha."""
    alphas, order = _positive(choice, factor)
    line = Line("effective parameters", _numbers(alphas), _numbers(choice.effective[order]))
    return Curve(
        "Effective number of parameters over alpha", "alpha", "Σ d² / (d² + λ)", (line,),
        "a penalty turns the number of parameters down without a step", "log",
    )  # fmt: skip


def run_curves(choice: PenaltyChoice, factor: float) -> tuple[Curve, ...]:
    """The plots of script E's problem 2: every fold's error test by test, and the alpha chosen in each run."""
    if choice.runs.shape[0] < 2:
        return ()
    repeats, folds = choice.runs.shape
    number = np.arange(1, repeats + 1, dtype=float)
    alpha = choice.penalties[choice.chosen[0]] / factor
    mean = Line("mean of the run", _numbers(number), _numbers(choice.runs.mean(axis=1)))
    each = _numbers(np.repeat(number, folds)), _numbers(choice.runs.ravel())
    lines: tuple[Line, ...] = (Line("one fold", *each, form="points"), mean)
    if choice.runs.size > MOST_POINTS:
        band = _numbers(choice.runs.min(axis=1)), _numbers(choice.runs.max(axis=1))
        lines = (Line("mean of the run, lowest and highest fold", mean.x, mean.y, *band),)
    chosen = choice.penalties[choice.per_run] / factor
    times = int((choice.per_run == choice.chosen[0]).sum())
    return (
        Curve(
            f"The {choice.runs.size} errors of {repeats} runs of {folds} folds at alpha = {alpha:.4g}", "run",
            "mean squared error of a fold", lines,
            f"mean {choice.runs.mean():.5g}; between runs it varies by {choice.runs.mean(axis=1).std(ddof=1):.2g}, "
            f"between folds by {choice.runs.std(ddof=1):.2g} (standard deviations)",
        ),
        Curve(
            "Alpha chosen in each run", "run", "alpha",
            (Line("chosen", _numbers(number), _numbers(chosen), form="points"),),
            f"alpha = {alpha:.4g} was chosen in {times} of {repeats} runs",
            y_scale="log" if chosen.min() > 0 else "linear",
        ),
    )  # fmt: skip


def choice_statement(choice: PenaltyChoice, factor: float, how: str, own_range: bool, targets: list[str]) -> Statement:
    """In words: what was tried, what was taken, whether it was worth it."""
    alphas = choice.penalties / factor
    first = f"{len(alphas)} values of alpha between {alphas.min():.4g} and {alphas.max():.4g} were judged by {how}."
    why = (
        "The range goes, evenly by ratio, from where 99 % of the parameters that the rows determine are free to where "
        f"5 % are left: effectively {choice.effective.max():.3g} to {choice.effective.min():.3g} of them."
    )
    sentences = [first, *([why] if own_range else [])]
    for k in range(len(choice.chosen)):
        whose = f"For {targets[k]}: " if len(choice.chosen) > 1 else ""
        sentences += [whose + sentence for sentence in verdict(choice, factor, k)]
    return Statement("The choice of the penalty", tuple(sentences))


def verdict(choice: PenaltyChoice, factor: float, k: int) -> list[str]:
    """What was chosen; a warning at the end of the range; last, the gain over least squares against its noise."""
    alphas, at = choice.penalties / factor, int(choice.chosen[k])
    found = [
        f"alpha = {alphas[at]:.4g} was taken, with a mean squared error of {choice.mean[at, k]:.5g} "
        f"and {choice.effective[at]:.4g} effective parameters."
    ]
    if len(alphas) > 1 and alphas[at] in (alphas.min(), alphas.max()):
        end = "smallest" if alphas[at] == alphas.min() else "largest"
        found.append(f"It is the {end} value tried: the best may lie beyond.")
    gain, low, high = choice.gain[k]
    if not np.isfinite(gain):
        return [*found, "Least squares, without a penalty, is not determined by these rows: nothing to compare."]
    change = f"{'lowers' if gain >= 0 else 'raises'} it by {abs(gain):.4g}"
    text = f"Against least squares (alpha = 0, error {choice.baseline[k]:.5g}) the penalty {change}"
    if not np.isfinite(low):
        return [*found, f"{text}; this way of judging gives no interval for it."]
    text += f" ({100 * LEVEL:g} % interval of the gain {low:.3g} to {high:.3g})"
    if low > 0:
        return [*found, f"{text}: a real gain."]
    if high < 0:
        return [*found, f"{text}: least squares is better."]
    return [*found, f"{text}: this is below the noise, so these rows do not show that a penalty helps."]


def _positive(choice: PenaltyChoice, factor: float) -> tuple[Array, NDArray[np.int64]]:
    """Alphas above zero in ascending order, and where they stand: a logarithmic axis has no zero."""
    order = np.argsort(choice.penalties, kind="stable")
    order = order[choice.penalties[order] > 0]
    return choice.penalties[order] / factor, order.astype(np.int64)


def _numbers(values: Array) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


def _known(values: Array) -> tuple[float | None, ...]:
    """Numbers, and nothing where there is none: an error that no row can tell."""
    return tuple(float(v) if np.isfinite(v) else None for v in values)
