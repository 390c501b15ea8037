"""Bayesian linear regression: the evidence's maximum, and the posterior after every single row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.linear_model import BayesianRidge

from benchmarks.harness import Case, Check, NotRun, Outcome, Plan, compare
from benchmarks.machine import peer
from benchmarks.tables import Array, plain
from benchmarks.timing import Side

SENTENCE = (
    "BayesianLinearRegression finds the evidence's maximum four times as fast as BayesianRidge, and the posterior "
    "after every row ten times as fast as solving anew"
)
OURS = "glaswerk BayesianLinearRegression"
SIZES = ((1_000, 5), (10_000, 50), (100_000, 50), (3_000, 200))
QUICK_SIZES = ((1_000, 5), (3_000, 20))
SAME, SAME_PATH = 1e-6, 1e-9  # relative: precisions and coefficients; weights after every row
ALPHA, BETA = 0.5, 4.0
NO_HYPERPRIOR = {"alpha_1": 0.0, "alpha_2": 0.0, "lambda_1": 0.0, "lambda_2": 0.0}


def cases(plan: Plan) -> list[Case]:
    sizes = QUICK_SIZES if plan.quick else SIZES
    paths = ((300, 5),) if plan.quick else ((2_000, 5), (2_000, 50))
    return [
        *(Case(f"evidence, {n} x {d}", lambda n=n, d=d: evidence_speed(n, d, plan)) for n, d in sizes),
        *(Case(f"every row, {n} x {d}", lambda n=n, d=d: path_speed(n, d, plan)) for n, d in paths),
    ]


def learner() -> Any:
    found = peer("glaswerk.learners.bayesian_least_squares")
    if found is None:
        raise NotRun("glaswerk.learners.bayesian_least_squares is not there yet")
    return found.BayesianLinearRegression


def evidence_speed(n: int, d: int, plan: Plan) -> Outcome:
    """Without an intercept: scikit-learn counts it as known, so that the two maxima differ with one."""
    X, y = plain(n, d)
    ours = learner()(fit_intercept=False, n_jobs=plan.threads)
    exact = BayesianRidge(fit_intercept=False, tol=1e-9, max_iter=10_000, **NO_HYPERPRIOR)
    sides = [
        Side(OURS, "ours", lambda: ours.fit(X, y)),
        Side("scikit-learn BayesianRidge to the same maximum", "rival", lambda: exact.fit(X, y)),
        Side("scikit-learn BayesianRidge as it comes", "peer", lambda: BayesianRidge(fit_intercept=False).fit(X, y)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        model, other = answers[OURS], answers[sides[1].name]
        precisions = max(abs(model.alpha_ / other.lambda_ - 1), abs(model.beta_ / other.alpha_ - 1))
        weights = np.abs(model.coef_ - other.coef_).max() / np.abs(other.coef_).max()
        return [Check("precisions", float(precisions), SAME), Check("coefficients", float(weights), SAME)]

    return compare(sides, plan, checks)


def path_speed(n: int, d: int, plan: Plan) -> Outcome:
    X, y = plain(n, d)
    model = learner()(ALPHA, BETA, fit_intercept=False, n_jobs=plan.threads).fit(X, y)
    sides = [
        Side(OURS, "ours", lambda: model.posterior_path(X, y).weights),
        Side("NumPy and SciPy: outer product and Cholesky solve a row", "rival", lambda: solve_anew(X, y)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        theirs = answers[sides[1].name]
        return [Check("weights after every row", float(np.abs(answers[OURS] - theirs).max()), SAME_PATH)]

    return compare(sides, plan, checks)


def solve_anew(X: Array, y: Array) -> Array:
    """What a careful user writes by hand."""
    n, d = X.shape
    precision, right, found = ALPHA * np.eye(d), np.zeros(d), np.empty((n, d))
    for i in range(n):
        precision += BETA * np.outer(X[i], X[i])
        right += BETA * y[i] * X[i]
        found[i] = linalg.cho_solve(linalg.cho_factor(precision, check_finite=False), right, check_finite=False)
    return found
