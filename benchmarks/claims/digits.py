"""Correct digits of least squares: against certified values, and against the exact solution of the stored numbers."""

import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.linear_model import LinearRegression as SklearnRegression

from benchmarks.exact import CAP, correct_digits, solve_exactly
from benchmarks.harness import Case, Check, Line, Outcome, Plan
from benchmarks.machine import public
from benchmarks.nist import CERTIFIED_DIGITS, load_certified
from benchmarks.rivals import DEFAULT, KEEPS_ALL, NUMPY, OURS, with_intercept, with_ones
from benchmarks.tables import Array, decaying
from glaswerk import LinearRegression

SENTENCE = "LinearRegression has 12 to 13 digits on certified problems and all of them on small ill-conditioned tables"
DEGREE = {"Norris": 1, "Pontius": 2, "Longley": 1, "Wampler1": 5}
CONDITIONS = (1e2, 1e4, 1e6, 1e8, 1e10, 1e12)
UNREFINED = 1e1  # so mild that a large table's Gram is taken as it is: only the claim of digits is checked
SMALL, LARGE = (60, 6), (20_000, 6)
LARGE_BITS = 44  # fine enough that the smallest of the columns' directions is more than rounding
CLAIM_SLACK = 0.5  # digits a model may claim too many


def cases(plan: Plan) -> list[Case]:
    large = (UNREFINED, 1e2, 1e8) if plan.quick else (UNREFINED, *CONDITIONS)
    generated = [*((SMALL, c) for c in CONDITIONS), *((LARGE, c) for c in large)]
    return [
        *(Case(f"NIST {name}", lambda name=name: certified_digits(name, plan)) for name in DEGREE),
        *(
            Case(f"{n} x {d}, condition {c:.0e}", lambda n=n, d=d, c=c: generated_digits(n, d, c, plan))
            for (n, d), c in generated
        ),
    ]


def certified_digits(name: str, plan: Plan) -> Outcome:
    """The worst coefficient against the certificate. A polynomial is handed to ours as a basis, if there is one."""
    problem = load_certified(name)
    degree = DEGREE[name]
    powers = problem.x if degree == 1 else problem.x ** np.arange(1, degree + 1)
    fit_ours, how = polynomial_fit(problem.x, problem.y, degree, plan) if degree > 1 else (None, "")
    found = answers(powers, problem.y, plan, fit_ours)
    stored = solve_exactly(powers, problem.y)
    exact_here = correct_digits([float(c) for c in stored.all], problem.coefficients, CERTIFIED_DIGITS)
    rounding = f"the exact solution of the columns as rounded to doubles has {exact_here:.1f} of the certified digits"
    return digits_of(found, problem.coefficients, CERTIFIED_DIGITS, stored.all, (how, rounding))


def polynomial_fit(x: Array, y: Array, degree: int, plan: Plan) -> tuple[Callable[[], Any] | None, str]:
    """Powers kept in pairs of doubles by our basis, or None where the basis is not there."""
    basis = public("PolynomialBasis")
    if basis is None:
        return None, ""
    columns = basis(degree=degree).fit(x).transform(x)
    return lambda: LinearRegression(n_jobs=plan.threads).fit(columns, y), f"ours on PolynomialBasis(degree={degree})"


def generated_digits(n: int, d: int, condition: float, plan: Plan) -> Outcome:
    bits = None if (n, d) == SMALL else LARGE_BITS
    X, y = decaying(n, d, condition, bits=bits)
    exact = solve_exactly(X, y)
    return digits_of(answers(X, y, plan), exact.all, CAP, exact.all)


def answers(X: Array, y: Array, plan: Plan, fit_ours: Callable[[], Any] | None = None) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a rank warning is part of the answer's digits
        return {
            OURS: fit_ours() if fit_ours else LinearRegression(n_jobs=plan.threads).fit(X, y),
            DEFAULT: SklearnRegression().fit(X, y),
            KEEPS_ALL: SklearnRegression(tol=0).fit(X, y),
            NUMPY: np.linalg.lstsq(with_ones(X), y, rcond=None)[0],
        }


def digits_of(
    found: dict[str, Any],
    truth: tuple[Fraction, ...],
    cap: float,
    stored: tuple[Fraction, ...],
    notes: tuple[str, ...] = (),
) -> Outcome:
    """The digits of everybody; what our model claims is checked against the solution of the numbers it was given."""
    digits = {name: correct_digits(with_intercept(answer), truth, cap) for name, answer in found.items()}
    solution = found[OURS].solution_
    lines = [Line(name, "ours" if name == OURS else "rival", value, "digits") for name, value in digits.items()]
    reached = correct_digits(with_intercept(found[OURS]), stored)
    check = Check(f"digits claimed beyond the {reached:.1f} reached", solution.digits - reached, CLAIM_SLACK)
    told = f"our rung: {solution.rung}; claims {solution.digits:.1f} digits of the stored numbers"
    return Outcome(digits[OURS], "digits", tuple(lines), (check,), (told, *filter(None, notes)))
