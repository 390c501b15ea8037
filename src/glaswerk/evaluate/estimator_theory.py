"""Estimator theory: the weights a fit finds are random, since the rows are: how random they must be, and are.

    bias = ⟨ŵ⟩ - w,   Var(ŵ) >= 1 / I(w),   efficiency = bound / variance                       [BG-FISHER] [BG-CRB]

`fisher_information` says how sharply rows speak of weights, `cramer_rao` holds a model's own errors against the bound,
`estimator_experiment` draws the targets again and again and measures. Cost of that: as many fits as repeats.
When not to use it: biased estimators against the bound (they may fall below it; the report says so).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from glaswerk.base import Array, clone
from glaswerk.facts import Cell, Coefficients, Curve, Facts, Line, Statement, Table
from glaswerk.stats.inference import normal_quantile
from glaswerk.stats.information import class_information, least_variances, linear_information

RISK = 0.003  # of seeing a difference in some weight where there is none: three errors of one weight
MOST_LINES = 6
NOT_DETERMINED = "the rows leave a combination of weights open: there is no bound. Drop the columns that repeat others"


@dataclass(frozen=True, eq=False)
class Information:
    """I (p, p) with the names of its weights."""

    names: tuple[str, ...]
    matrix: Array

    @cached_property
    def bound(self) -> Array:
        """[BG-CRB] The least variance that an unbiased estimator of each weight can have."""
        found = least_variances(self.matrix)
        if found is None:
            raise ValueError(f"Cramér-Rao: {NOT_DETERMINED}")
        return found

    def table(self) -> Table:
        """Each weight's information, alone and beside the others, and the least deviation."""
        alone = np.diagonal(self.matrix)
        rows = tuple(
            (name, float(a), float(1.0 / b), float(np.sqrt(b)))
            for name, a, b in zip(self.names, alone, self.bound, strict=True)
        )
        heads = ("weight", "information, others known", "information, others unknown", "least deviation")
        return Table("Fisher information", heads, rows)


def fisher_information(model: Any, X: Any) -> Information:
    """[BG-FISHER] What the rows X say of a fitted model's weights: a linear regression, or a classifier of log odds.

    For regressions at the model's own noise `sigma_`; for classifiers at its own probabilities.
    """
    rows, names = _design(model, X)
    if hasattr(model, "predict_proba"):
        classes = [str(c) for c in model.classes_]
        matrix = class_information(rows, np.asarray(model.predict_proba(X)))
        named = names if len(classes) == 2 else tuple(f"{c}: {name}" for c in classes[1:] for name in names)
        return Information(named, matrix)
    sigma = np.atleast_1d(model.sigma_)
    if len(sigma) != 1 or not sigma[0] > 0:
        raise ValueError(f"fisher_information: one target with noise above 0 is needed, got noise {sigma.tolist()}")
    return Information(names, linear_information(rows, float(sigma[0]) ** -2))


def cramer_rao(model: Any, X: Any) -> Table:
    """[BG-CRB] The bound beside the errors that a fitted linear model claims for its weights, and their efficiency."""
    information = fisher_information(model, X)
    claimed = model.facts().of_kind(Coefficients)
    if len(claimed) != 1 or len(claimed[0].rows) != len(information.names):
        raise ValueError("cramer_rao: the model must state one error for every weight of one target")
    errors = {row.name: row.standard_error for row in claimed[0].rows}
    rows: list[tuple[Cell, ...]] = []
    for name, bound in zip(information.names, np.sqrt(information.bound), strict=True):
        error = errors[name]
        rows.append((name, float(bound), error, float(bound / error) ** 2 if error else None))
    heads = ("weight", "least deviation of an unbiased estimator", "deviation claimed", "efficiency")
    note = "an efficiency above 1 is bought with bias: a penalty or a prior pulls the weights"
    return Table("Cramér-Rao bound", heads, tuple(rows), (note,))


@dataclass(frozen=True, eq=False)
class EstimatorExperiment:
    """Weights found in `estimates` (repeats, p) against the `truth` (p,) and the `bound` (p,) on their variance."""

    names: tuple[str, ...]
    truth: Array
    estimates: Array
    bound: Array
    rows: int
    noise: float

    @property
    def bias(self) -> Array:
        """⟨ŵ⟩ - w."""
        found: Array = self.estimates.mean(axis=0) - self.truth
        return found

    @property
    def bias_error(self) -> Array:
        """Monte-Carlo error of the bias."""
        return np.sqrt(self.variance / len(self.estimates))

    @property
    def variance(self) -> Array:
        """⟨(ŵ - ⟨ŵ⟩)²⟩."""
        found: Array = self.estimates.var(axis=0, ddof=1)
        return found

    @property
    def variance_error(self) -> Array:
        """Monte-Carlo error of the variance, from the fourth moment: right for estimators that are not normal too."""
        n, square = len(self.estimates), self.variance**2
        fourth = ((self.estimates - self.estimates.mean(axis=0)) ** 4).mean(axis=0)
        return np.sqrt(np.maximum(fourth - square * (n - 3) / (n - 1), 0.0) / n)

    @property
    def efficiency(self) -> Array:
        """Bound / variance."""
        return self.bound / self.variance

    @property
    def squared_error(self) -> Array:
        """⟨(ŵ - w)²⟩ = bias² + variance: what a biased estimator may win by."""
        found: Array = ((self.estimates - self.truth) ** 2).mean(axis=0)
        return found

    def facts(self) -> Facts:
        """What it means in words, every weight in numbers, the distribution as a curve."""
        return Facts([self._verdict(), self._table(), self._distribution()])

    def _table(self) -> Table:
        columns = (
            self.truth, self.estimates.mean(axis=0), self.bias, self.bias_error, self.variance, self.variance_error,
            self.bound, self.efficiency, self.squared_error,
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = [(name, *(float(c[k]) for c in columns)) for k, name in enumerate(self.names)]
        heads = (
            "weight", "true", "mean estimate", "bias", "± error", "variance", "± error", "Cramér-Rao bound",
            "efficiency", "mean squared error",
        )  # fmt: skip
        title = f"{len(self.estimates)} repetitions of {self.rows} rows, noise of deviation {self.noise:g}"
        return Table(title, heads, tuple(rows), ("± error is that of the experiment itself",))

    def _verdict(self) -> Statement:
        sentences, sure = [], normal_quantile(1.0 - RISK / len(self.names))
        for k, name in enumerate(self.names):
            biased = abs(self.bias[k]) > sure * self.bias_error[k]
            away = (self.variance[k] - self.bound[k]) / self.variance_error[k] if self.variance_error[k] else 0.0
            if biased:
                text = f"is biased by {self.bias[k]:.3g}; the bound for unbiased estimators does not bind it"
            elif away > sure:
                times = self.variance[k] / self.bound[k]
                text = f"shows no bias, and a variance {times:.2f} times the bound: it is not efficient"
            elif away < -sure:
                text = "falls below the bound, so a bias must be hidden in the error of the experiment"
            else:
                text = "shows no bias and reaches the bound: it is efficient, as far as this experiment can tell"
            sentences.append(f"The estimate of {name} {text}.")
        return Statement("The estimator against the Cramér-Rao bound", tuple(sentences))

    def _distribution(self) -> Curve:
        z = np.linspace(-4.0, 4.0, 41)
        lines = [Line("normal, at the bound", tuple(z.tolist()), tuple(special.ndtr(z).tolist()))]
        for k, name in enumerate(self.names[:MOST_LINES]):
            found = np.sort((self.estimates[:, k] - self.truth[k]) / np.sqrt(self.bound[k]))
            share = np.searchsorted(found, z, side="right") / len(found)
            lines.append(Line(name, tuple(z.tolist()), tuple(share.tolist()), form="steps"))
        says = "An efficient estimator follows the normal line; bias moves its line, excess variance flattens it."
        title = "Distribution of the estimates"
        return Curve(title, "(estimate - truth) / least deviation", "share below", tuple(lines), says)


def estimator_experiment(
    estimator: Any,
    X: Array,
    weights: Sequence[float],
    *,
    intercept: float = 0.0,
    noise: float = 1.0,
    repeats: int = 1000,
    random_state: int = 0,
    draw: Callable[[np.random.Generator, int], Array] | None = None,
) -> EstimatorExperiment:
    """Draw the targets of the rows X anew `repeats` times, fit each time, and see where the weights fall.

    `draw(random, n)` gives noise of another form, of deviation 1; the bound stays that of normal noise.
    """
    rows, truth = np.asarray(X, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if rows.ndim != 2 or truth.shape != (rows.shape[1],):
        raise ValueError(
            f"estimator_experiment: X of shape {rows.shape} needs one weight per column, got {truth.shape}"
        )
    if not (noise > 0 and repeats >= 2):
        raise ValueError(f"estimator_experiment: noise > 0 and repeats >= 2 are needed, got {noise} and {repeats}")
    random, found = np.random.default_rng(random_state), []
    clean = rows @ truth + intercept
    for _ in range(repeats):
        away = draw(random, len(rows)) if draw is not None else random.standard_normal(len(rows))
        model = clone(estimator).fit(rows, clean + noise * away)
        found.append(np.append(model.intercept_, model.coef_))
    phi, names = _design(model, rows)
    own = bool(getattr(model, "fit_intercept", True))
    keep = slice(None) if own else slice(1, None)
    information = Information(names, linear_information(phi, noise**-2))
    truths = np.append(intercept, truth)[keep]
    return EstimatorExperiment(names, truths, np.array(found)[:, keep], information.bound, len(rows), noise)


def _design(model: Any, X: Any) -> tuple[Array, tuple[str, ...]]:
    """The rows with their column of ones, where the model has an intercept, and the names of the weights."""
    rows = np.asarray(model.table(X, fit=False), dtype=np.float64)
    if not getattr(model, "fit_intercept", True):
        return rows, model.column_names()
    return np.column_stack([np.ones(len(rows)), rows]), ("intercept", *model.column_names())
