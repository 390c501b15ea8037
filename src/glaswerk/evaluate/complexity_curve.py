"""The complexity curve: error on training rows and on new rows over one parameter, and what the pair says in words.

    too simple: both errors high        too complex: the error on training rows falls on, that on new rows rises

Cost: values × folds × repeats fits, one per fold where a sequence serves all values. When not to use it: to state how
good the best value is (that score is too good by the luck of choosing: nest a search in `cross_validate`).
"""

from collections.abc import Sequence
from typing import Any

from glaswerk.evaluate.metrics import Judge, metric_for
from glaswerk.evaluate.plan import plan_folds
from glaswerk.evaluate.problem import Problem
from glaswerk.evaluate.searching import Bench, Tried, as_cell, in_words
from glaswerk.evaluate.spaces import Interval, Log
from glaswerk.facts import Curve, Line

MARKED_WORSE = 1.05  # times the best error: what is called too simple or too complex is at least so much worse
STEEP = 5.0


def complexity_curve(
    candidate: Any,
    problem: Problem,
    parameter: str,
    values: Sequence[Any] | Interval,
    *,
    name: str = "model",
    folds: int = 5,
    repeats: int = 1,
    seed: int = 0,
    metric: str | None = None,
) -> Curve:
    """Both errors over the values of a parameter, with the verdict. `values` are numbers, or `Log(…)`, `Linear(…)`.

    >>> import numpy as np
    >>> from glaswerk import PolynomialBasis, LinearRegression
    >>> from glaswerk.base import Pipeline
    >>> from glaswerk.evaluate import ArrayProblem
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> line = Pipeline([("basis", PolynomialBasis()), ("line", LinearRegression())])
    >>> problem = ArrayProblem(x, np.sin(4 * x[:, 0]) + 0.1 * np.cos(99 * x[:, 0]))
    >>> curve = complexity_curve(line, problem, "basis__degree", [1, 3, 5])
    >>> curve.says.split(".")[0]
    'basis__degree = 5 has the least RMSE on new rows: 0'
    """
    tried_values = values.grid(12) if isinstance(values, Interval) else list(values)
    if len(tried_values) < 2:
        raise ValueError(f"values must be two or more; came {values!r:.80}")
    plan = plan_folds(problem, folds, repeats, seed)
    bench = Bench(candidate, problem, plan, Judge.of(problem, metric_for(problem, metric)))
    bench.run([{parameter: value} for value in tried_values])
    judged = [one for one in bench.tried if bench.error(one) < float("inf")]
    known = sorted(judged, key=lambda one: float(one.setting[parameter]))
    best = bench.tried[bench.best()]
    scores = [bench.folds(one).score for one in known]
    x = tuple(float(one.setting[parameter]) for one in known)
    new = Line(
        "on new rows, ± one standard error", x, tuple(scores),
        tuple(s - bench.standard_error(one) for s, one in zip(scores, known, strict=True)),
        tuple(s + bench.standard_error(one) for s, one in zip(scores, known, strict=True)),
    )  # fmt: skip
    trained = tuple(training_score(bench, one) for one in known)
    steep = bench.judge.metric.better == "lower" and min(trained) > 0 and max(scores) > STEEP * min(scores)
    failures = tuple(f"{in_words(one.setting)}: {one.trial.failure}" for one in bench.tried if one.trial.failure)
    simplest = bench.tried[bench.simplest()]
    marks = [(float(best.setting[parameter]), "best")]
    if simplest is not best:
        marks.insert(0, (float(simplest.setting[parameter]), "simplest alike"))
    return Curve(
        title=f"Complexity curve of {name}",
        x_title=parameter,
        y_title=f"{bench.judge.metric.name} of {problem.target}",
        lines=(new, Line("on training rows", x, trained)),
        says=" ".join(verdict(bench, known, best, simplest, parameter)),
        x_scale="log" if isinstance(values, Log) else "linear",
        y_scale="log" if steep else "linear",
        marks=tuple(marks),
        notes=(plan.says, *plan.notes, f"{bench.fits} fits", *failures),
    )


def training_score(bench: Bench, one: Tried) -> float:
    weight = bench.weight / bench.weight.sum()
    return bench.judge.metric.shown(float(weight @ one.trial.train_values))


def verdict(bench: Bench, known: Sequence[Tried], best: Tried, simplest: Tried, parameter: str) -> list[str]:
    """The best value, the simplest alike, and which values are too simple or too complex."""

    def said(one: Tried) -> str:
        return f"{bench.folds(one).score:.4g} there, {training_score(bench, one):.4g} on training rows"

    def value(one: Tried) -> str:
        return f"{parameter} = {as_cell(one.setting[parameter])}"

    def trained(one: Tried) -> float:
        return bench.judge.metric.error(training_score(bench, one))

    found = [f"{value(best)} has the least {bench.judge.metric.name} on new rows: {said(best)}."]
    if simplest is not best:
        found.append(f"{value(simplest)} is simpler and within one standard error of it: {said(simplest)}.")
    worse = [one for one in known if bench.error(one) > MARKED_WORSE * bench.error(best)]
    low = [one for one in worse if trained(one) > trained(best)]
    high = [one for one in worse if trained(one) <= trained(best)]
    if low:
        one = min(low, key=trained)
        found.append(f"{value(one)} is too simple (underfitted): {said(one)}.")
    if high:
        one = min(high, key=trained)
        found.append(f"{value(one)} has learnt the noise (overfitted): {said(one)}.")
    if not worse:
        found.append("All values tried do nearly as well: none is over- or underfitted.")
    return found
