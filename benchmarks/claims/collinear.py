"""Speed of least squares where two columns are nearly equal: the ladder has to climb, and may not cost much."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.exact import Exact, correct_digits, solve_exactly
from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.rivals import DEFAULT, OURS, coefficients, least_squares_sides, with_intercept
from benchmarks.tables import Array, nearly_equal_columns

SENTENCE = "with two nearly equal columns LinearRegression.fit keeps 0.8 of the speed of scikit-learn's fastest setting"
SIZES = ((10_000, 5), (10_000, 20), (10_000, 50), (100_000, 5), (100_000, 50), (10_000, 500))
QUICK_SIZES = ((1_000, 5), (10_000, 20), (2_000, 60))
CONDITIONS = (1e4, 1e6)
SAME_FIT = 1e-6  # relative to the deviation of y


def cases(plan: Plan) -> list[Case]:
    return [
        Case(f"{n} x {d}, condition {condition:.0e}", lambda n=n, d=d, c=condition: fit_speed(n, d, c, plan))
        for condition in CONDITIONS
        for n, d in (QUICK_SIZES if plan.quick else SIZES)
    ]


def fit_speed(n: int, d: int, condition: float, plan: Plan) -> Outcome:
    X, y = nearly_equal_columns(n, d, condition)
    exact = solve_exactly(X, y)
    notes: list[str] = []

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        notes.append(f"our rung: {answers[OURS].solution_.rung}, {answers[OURS].solution_.digits:.1f} digits claimed")
        notes.extend(accuracy(name, answer, exact, misfit_of(X, y, exact)) for name, answer in answers.items())
        misfit = misfit_of(X, y, exact)(answers[OURS])
        return [Check("fitted values as those of the exact solution, in deviations of y", misfit, SAME_FIT)]

    outcome = compare(least_squares_sides(X, y, plan.threads), plan, checks)
    return outcome.noting(*notes)


def misfit_of(X: Array, y: Array, exact: Exact) -> Callable[[Any], float]:
    """How far fitted values lie from the exact ones, seen from the mean of y."""
    centred, truth = X - X.mean(axis=0), exact.rounded()
    return lambda answer: float(np.abs(centred @ (coefficients(answer) - truth)).max() / y.std())


def accuracy(name: str, answer: Any, exact: Exact, misfit: Callable[[Any], float]) -> str:
    """Correct digits of the worst coefficient against the exact solution of the stored numbers."""
    cut = " (a column was cut)" if name == DEFAULT and answer.rank_ < len(coefficients(answer)) else ""
    digits = correct_digits(with_intercept(answer), exact.all)
    return f"{name}: {digits:.1f} correct digits, fitted values off by {misfit(answer):.0e}{cut}"
