"""Speed of least squares on columns that are far from dependent."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.rivals import OURS, coefficients, least_squares_sides
from benchmarks.tables import plain

SENTENCE = "LinearRegression.fit is five times as fast as scikit-learn's fastest setting (three times at 500 columns)"
SMALL = ((100, 3), (1_000, 5))
SIZES = ((10_000, 5), (10_000, 20), (10_000, 50), (100_000, 5), (100_000, 50), (10_000, 500), (1_000_000, 5))
QUICK_SIZES = ((100, 3), (1_000, 5), (10_000, 20), (2_000, 100))
SAME = 1e-9  # relative to the largest coefficient


def cases(plan: Plan) -> list[Case]:
    sizes = QUICK_SIZES if plan.quick else SMALL + SIZES
    return [Case(f"{n} x {d}", lambda n=n, d=d: fit_speed(n, d, plan)) for n, d in sizes]


def fit_speed(n: int, d: int, plan: Plan) -> Outcome:
    X, y = plain(n, d)
    rung = []

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        rung.append(f"our rung: {answers[OURS].solution_.rung}, {answers[OURS].solution_.digits:.1f} digits claimed")
        ours = coefficients(answers[OURS])
        return [same_coefficients(name, ours, coefficients(other)) for name, other in answers.items() if name != OURS]

    outcome = compare(least_squares_sides(X, y, plan.threads), plan, checks)
    return outcome.noting(*rung)


def same_coefficients(name: str, ours: Any, theirs: Any) -> Check:
    return Check(f"coefficients as {name}", float(np.abs(ours - theirs).max() / np.abs(theirs).max()), SAME)
