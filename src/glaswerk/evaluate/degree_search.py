"""The degree of a polynomial, chosen on rows that the fit has not seen: algorithm 3 of script A.         [BOE-DEGREE]

    T, V = split(D);   for d in degrees: w_d = fit of degree d on T, error_d = MSE of w_d on V;   w* has the least

Cost: one pass over the rows for all degrees where their sums nest (least squares), else one fit per degree. When not to
use it: few rows, where one split judges by luck (`cross_validate` with one candidate per degree judges on many); rows
in order of time, unless `split` names the rows.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glaswerk.base import Array, Pipeline, Warned, clone
from glaswerk.design import OrthogonalPolynomialBasis
from glaswerk.evaluate.baseline import BaselineRegressor
from glaswerk.evaluate.metrics import Judge, metric_for
from glaswerk.evaluate.plan import Round
from glaswerk.evaluate.problem import ArrayProblem, path_of
from glaswerk.evaluate.trial import Trial, judged, keep_answers, run_trial
from glaswerk.facts import Curve, Facts, Line
from glaswerk.learners import LinearRegression
from glaswerk.scoring import train_test_split
from glaswerk.scoring.inputs import Ints, check_whole_number

LOG_RATIO = 5.0  # of greatest to least error, from which a logarithmic axis shows more
MARKED_WORSE = 1.05  # times the best error: what is called overfitted or underfitted is at least so much worse


@dataclass(frozen=True, eq=False)
class Tried:
    """One degree: errors on both parts, and the squared error of each validation row; NaN where the fit failed."""

    degree: int
    training: float
    validation: float
    squares: Array
    remarks: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class DegreeSearch:
    """What a search found: the best degree with its fitted model, and the errors of every degree.

    `simplest` is the lowest degree that the validation rows cannot tell from the best: its mean squared error is
    within one standard error of their paired difference.
    """

    degree: int
    simplest: int
    model: Any
    curve: Curve
    train: Ints
    validation: Ints

    @property
    def says(self) -> str:
        """The verdict in words."""
        return self.curve.says

    def facts(self) -> Facts:
        return Facts([self.curve])


def search_degree(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    degrees: Iterable[int] = range(13),
    split: float | tuple[Sequence[int], Sequence[int]] = 0.25,
    learner: Any = None,
    basis: Any = None,
    refit: bool = False,
    seed: int = 0,
) -> DegreeSearch:
    """Fit every degree on one part of the rows, and take the one with the least error on the other part.

    Parameters
    ----------
    degrees : the degrees tried, in any order; 0 is the mean of the target.
    split : part of the rows that validates (a fraction, or a number of rows), drawn with `seed`; or the numbers of the
        training rows and of the validation rows.
    learner : what is fitted to the polynomials; None: `LinearRegression()`.
    basis : a transformer with a parameter `degree`; None: `OrthogonalPolynomialBasis()`, the same polynomials as
        `PolynomialBasis()`, harmless at high degrees.
    refit : whether the model of the best degree is fitted to all rows of both parts at the end.

    >>> x = np.linspace(-1, 1, 40)[:, None]
    >>> search_degree(x, 2 * x[:, 0] ** 3 - x[:, 0] + 0.01 * np.cos(40 * x[:, 0]), degrees=range(6)).degree
    3
    """
    wanted = checked_degrees(degrees)
    problem = ArrayProblem(X, y, sample_weight, task="regression")
    one = Round(0, 0, *parts(split, problem.n_rows, seed))
    candidates = {d: candidate_of(d, learner, basis) for d in wanted}
    judge = Judge.of(problem, metric_for(problem, "rmse"))
    path = from_one_walk(candidates, problem, one)
    tried = [tried_degree(d, candidate, problem, one, judge, path.get(d)) for d, candidate in candidates.items()]
    known = [t for t in tried if np.isfinite(t.validation)]
    if not known:
        raise ValueError(f"search_degree: no degree could be fitted; {tried[0].remarks[0]}")
    best = min(known, key=lambda t: (t.validation, t.degree))
    simplest = next(t for t in known if t is best or alike(t, best, judge.weight[one.test]))
    rows = np.sort(np.concatenate([one.train, one.test])) if refit else one.train
    model = problem.fit(candidates[best.degree], rows)
    curve = curve_of(tried, best, simplest, problem.target, split_in_words(split, one, seed))
    return DegreeSearch(best.degree, simplest.degree, model, curve, one.train, one.test)


def checked_degrees(degrees: Iterable[int]) -> list[int]:
    found = list(degrees)
    for degree in found:
        check_whole_number("degrees", degree, at_least=0)
    if not found:
        raise ValueError("degrees must hold at least one whole number; came none")
    return sorted({int(degree) for degree in found})


def parts(split: Any, n_rows: int, seed: int) -> tuple[Ints, Ints]:
    """Numbers of the training rows and of the validation rows, ascending."""
    if not isinstance(split, list | tuple):
        train, validation = train_test_split(np.arange(n_rows), test_size=split, random_state=seed)
        return np.sort(train), np.sort(validation)
    if len(split) != 2:
        raise ValueError(f"split must be a part of the rows, or training rows and validation rows; came {split!r:.80}")
    train, validation = (np.unique(np.asarray(rows)) for rows in split)
    for rows in (train, validation):
        if rows.ndim != 1 or not rows.size or rows.dtype.kind not in "iu" or rows[0] < 0 or rows[-1] >= n_rows:
            raise ValueError(f"split must name rows from 0 to {n_rows - 1} in both parts; came {split!r:.80}")
    shared = np.intersect1d(train, validation)
    if shared.size:
        raise ValueError(f"split must not train and validate on the same row; both parts hold row {shared[0]}")
    return train.astype(np.int64), validation.astype(np.int64)


def candidate_of(degree: int, learner: Any, basis: Any) -> Any:
    """The polynomial of this degree with its learner, unfitted."""
    if degree == 0:
        return BaselineRegressor()
    polynomials = OrthogonalPolynomialBasis() if basis is None else clone(basis)
    if "degree" not in polynomials.get_params():
        raise ValueError(f"basis must have a parameter degree; {type(polynomials).__name__} has none")
    steps = [
        ("basis", polynomials.set_params(degree=degree)),
        ("learner", LinearRegression() if learner is None else learner),
    ]
    return Pipeline(steps)


def from_one_walk(candidates: Mapping[int, Any], problem: ArrayProblem, one: Round) -> dict[int, Any]:
    """The fitted polynomial of every degree above 0, from the sums of the highest; none where a degree has to say
    something, or fails: each then speaks for itself.
    """
    degrees = [degree for degree in candidates if degree]
    if len(degrees) < 2:
        return {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Warned)
            path = path_of(problem, candidates[degrees[-1]], one.train, "basis__degree", degrees)
    except (Warned, ValueError, TypeError):
        return {}
    return dict(zip(degrees, path or [], strict=False))


def tried_degree(
    degree: int, candidate: Any, problem: ArrayProblem, one: Round, judge: Judge, fitted: Any = None
) -> Tried:
    """Errors of one degree; a failure or warning is told, and the others go on."""
    if fitted is None:
        trial: Trial = run_trial(f"degree {degree}", candidate, problem, [one], judge, lambda: None)
    else:
        trial = Trial.empty(f"degree {degree}", problem, 1)
        keep_answers(trial, one.test, judged(trial, 0, problem, fitted, one, judge))
    told = tuple(f"degree {degree} {remark}" for remark in ([trial.failure] if trial.failure else trial.remarks()))
    squares = (problem.truth[one.test] - trial.numbers[one.test]) ** 2
    training, validation = (judge.metric.shown(float(value[0])) for value in (trial.train_values, trial.values))
    return Tried(degree, training, validation, squares, told)


def alike(tried: Tried, best: Tried, weight: Array) -> bool:
    """Whether the mean squared errors differ by at most one standard error of the rows' paired differences."""
    more = tried.squares - best.squares
    count = weight.sum()
    if count <= 1:
        return False
    mean = weight @ more / count
    deviation = np.sqrt(weight @ (more - mean) ** 2 / (count - 1))
    return bool(mean <= deviation / np.sqrt(count))


def split_in_words(split: Any, one: Round, seed: int) -> str:
    how = "named by the caller" if isinstance(split, list | tuple) else f"drawn with seed {seed}"
    return f"{len(one.train)} training rows, {len(one.test)} validation rows, {how}"


def curve_of(tried: Sequence[Tried], best: Tried, simplest: Tried, target: str, how: str) -> Curve:
    """Both errors against the degree, the choice marked."""
    known = [t for t in tried if np.isfinite(t.validation)]
    marks = [(float(best.degree), "best")]
    if simplest is not best:
        marks.insert(0, (float(simplest.degree), "simplest alike"))
    return Curve(
        title="Degree search",
        x_title="degree",
        y_title=f"RMSE of {target}",
        lines=(_line("validation", tried), _line("training", tried)),
        says=" ".join(verdict(known, best, simplest)),
        y_scale=_scale([error for t in known for error in (t.validation, t.training)]),
        marks=tuple(marks),
        notes=(how, *(remark for t in tried for remark in t.remarks)),
    )


def _line(name: str, tried: Sequence[Tried]) -> Line:
    errors = [getattr(t, name) for t in tried]
    return Line(
        name,
        tuple(float(t.degree) for t in tried),
        tuple(error if np.isfinite(error) else None for error in errors),
    )


def _scale(errors: Sequence[float]) -> Any:
    return "log" if min(errors) > 0 and max(errors) > LOG_RATIO * min(errors) else "linear"


def verdict(known: Sequence[Tried], best: Tried, simplest: Tried) -> list[str]:
    """The choice, what speaks for less, and which degrees are too low or too high."""
    said = [f"Degree {best.degree} has the least RMSE on the validation rows: {_errors(best)}."]
    if simplest is not best:
        said.append(f"Degree {simplest.degree} is within one standard error of it and simpler: {_errors(simplest)}.")
    worse = [t for t in known if t.validation > MARKED_WORSE * best.validation]
    low = [t for t in worse if t.degree < simplest.degree and t.training > simplest.training]
    high = [t for t in worse if t.degree > best.degree and t.training <= best.training]
    if low:
        said.append(f"Degree {low[-1].degree} is too simple (underfitted): {_errors(low[-1])}.")
    if high:
        said.append(f"Degree {high[-1].degree} has learnt the noise (overfitted): {_errors(high[-1])}.")
    if len(known) > 1 and best is known[-1] and simplest is best:
        said.append("It is the highest tried: a higher one may be better.")
    if best.degree == 0:
        said.append("No polynomial tried is better than the mean.")
    return said


def _errors(tried: Tried) -> str:
    return f"{tried.validation:.4g} there, {tried.training:.4g} on the training rows"
