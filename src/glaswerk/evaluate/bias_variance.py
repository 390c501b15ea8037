"""Bias and variance: why a model errs, from fits to many tables.

    ⟨(y - ŷ)²⟩ = noise + bias² + variance,   bias = ⟨ŷ⟩ - f,   variance = ⟨(ŷ - ⟨ŷ⟩)²⟩

Where the function is known, targets are drawn anew; on a table, rows are drawn anew with replacement and the rows that
were not drawn are predicted: noise and bias² then come as one sum, for nobody knows f. Cost: one fit per drawn table.
When not to use it: to choose a model (a drawn table has but 63 % of the different rows, so all errors are too large).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from glaswerk.base import Array, clone
from glaswerk.evaluate.problem import Problem
from glaswerk.facts import Curve, Line, Table
from glaswerk.scoring.inputs import check_whole_number


@dataclass(frozen=True)
class Decomposition:
    """Means over the rows asked about. `bias` is squared; None where only its sum with the noise can be known."""

    error: float
    noise: float | None
    bias: float | None
    variance: float
    fits: int

    @property
    def noise_and_bias(self) -> float:
        return self.error - self.variance


def bias_variance(
    estimator: Any,
    X: Array,
    function: Callable[[Array], Array],
    *,
    noise: float,
    X_new: Array | None = None,
    repeats: int = 200,
    seed: int = 0,
) -> Decomposition:
    """Fit to `repeats` tables of the rows X whose targets are function(X) + noise, and ask about X_new (X if None)."""
    check_whole_number("repeats", repeats, at_least=2)
    rows = np.asarray(X, dtype=np.float64)
    asked = rows if X_new is None else np.asarray(X_new, dtype=np.float64)
    random, truth = np.random.default_rng(seed), np.asarray(function(rows), dtype=np.float64)
    found = np.stack(
        [
            np.asarray(clone(estimator).fit(rows, truth + noise * random.standard_normal(len(rows))).predict(asked))
            for _ in range(repeats)
        ]
    )
    variance = float(found.var(axis=0, ddof=1).mean())
    # ⟨ŷ⟩ is itself off by variance / repeats on average, which the squared bias would otherwise contain.
    away = (found.mean(axis=0) - np.asarray(function(asked), dtype=np.float64)) ** 2
    bias = float(away.mean()) - variance / repeats
    return Decomposition(noise**2 + bias + variance, noise**2, bias, variance, repeats)


def bias_variance_of_table(candidate: Any, problem: Problem, *, repeats: int = 100, seed: int = 0) -> Decomposition:
    """Fit to `repeats` tables of rows drawn with replacement, each asked about the rows that were not drawn."""
    check_whole_number("repeats", repeats, at_least=2)
    if problem.task != "regression":
        raise ValueError("bias_variance_of_table: squared errors need a regression")
    random, n = np.random.default_rng(seed), problem.n_rows
    total, squares, count = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(repeats):
        drawn = random.integers(0, n, n)
        left = np.setdiff1d(np.arange(n), drawn)
        answers = np.asarray(problem.predict(problem.fit(candidate, np.sort(drawn)), left), dtype=np.float64)
        away = answers - problem.truth[left]  # near zero: squares of differences keep their digits
        total[left] += away
        squares[left] += away**2
        count[left] += 1
    known = count >= 2
    mean = total[known] / count[known]
    variance = (squares[known] - count[known] * mean**2) / (count[known] - 1)
    weight = problem.weight[known] if problem.weight.size else np.ones(int(known.sum()))
    share = weight / weight.sum()
    spread = float(share @ variance)
    rest = float(share @ (mean**2 - variance / count[known]))
    return Decomposition(rest + spread, None, None, spread, repeats)


def decomposition_curve(found: Mapping[float, Decomposition], title: str, x_title: str, what: str = "y") -> Curve:
    """The parts over a complexity: bias falls, variance rises, and the best lies where their sum is least."""
    x = tuple(map(float, sorted(found)))
    parts = [found[at] for at in sorted(found)]
    lines = [Line("expected squared error", x, tuple(p.error for p in parts))]
    if all(p.bias is not None for p in parts):
        lines.append(Line("bias²", x, tuple(None if p.bias is None else max(p.bias, 0.0) for p in parts)))
    else:
        lines.append(Line("noise + bias²", x, tuple(p.noise_and_bias for p in parts)))
    lines.append(Line("variance", x, tuple(p.variance for p in parts)))
    if all(p.noise is not None for p in parts):
        lines.append(Line("noise", x, tuple(p.noise for p in parts)))
    best = min(range(len(x)), key=lambda k: parts[k].error)
    least = parts[best]
    says = f"The expected error is least at {x[best]:g}: {least.error:.3g}, of which variance {least.variance:.3g}."
    return Curve(
        title, x_title, f"squared error of {what}", tuple(lines), says, marks=((x[best], "least error"),),
        notes=(f"{parts[0].fits} fits each",),
    )  # fmt: skip


def decomposition_table(found: Mapping[str, Decomposition], title: str) -> Table:
    """One line per candidate."""
    rows = tuple((name, d.error, d.noise, d.bias, d.noise_and_bias, d.variance, d.fits) for name, d in found.items())
    heads = ("candidate", "expected squared error", "noise", "bias²", "noise + bias²", "variance", "fits")
    return Table(title, heads, rows)
