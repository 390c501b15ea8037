"""Speed of logistic regression at an equal objective: nobody may stop a hundred millionth above the best."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression as SklearnLogistic

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.learners import LogisticRegression

SENTENCE = "LogisticRegression.fit reaches an equal objective 3 times as fast as lbfgs, 1.8 times newton-cholesky"
OURS = "glaswerk LogisticRegression"
LBFGS, CHOLESKY = "scikit-learn lbfgs", "scikit-learn newton-cholesky"
SAME = 1e-8  # relative excess over the best objective
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)  # a rival takes the first that is good enough
TWO = ((1_000, 5), (1_000, 50), (10_000, 50), (100_000, 5), (100_000, 50), (1_000_000, 5))
MANY = ((10_000, 20, 3), (100_000, 20, 5), (10_000, 50, 10))


def cases(plan: Plan) -> list[Case]:
    if plan.quick:
        return [_case("1000 x 5, lbfgs", 1_000, 5, 2, LBFGS, plan)]
    found = [_case(f"{n} x {d}, {short}", n, d, 2, rival, plan) for n, d in TWO for short, rival in _rivals()]
    found.append(_case("10000 x 500, lbfgs", 10_000, 500, 2, LBFGS, plan))
    for scaled in (True, False):
        kind = "well scaled" if scaled else "badly scaled"
        found += [_case(f"{n} x {d}, {K} classes, {kind}", n, d, K, LBFGS, plan, scaled) for n, d, K in MANY]
    return found


def _rivals() -> tuple[tuple[str, str], ...]:
    return (("lbfgs", LBFGS), ("newton-cholesky", CHOLESKY))


def _case(name: str, n: int, d: int, K: int, rival: str, plan: Plan, scaled: bool = True) -> Case:
    return Case(name, lambda: fit_speed(n, d, K, rival, plan, scaled))


def rows_of_classes(n: int, d: int, K: int, scaled: bool) -> tuple[Array, Array]:
    """Normal columns that correlate by a half, classes drawn from a softmax; badly scaled: mixed, units 1e-2 to 1e2."""
    rng = np.random.default_rng(n + 7 * d + K)
    X = (rng.normal(size=(n, d)) + rng.normal(size=(n, 1))) / np.sqrt(2.0)
    Z = 2.0 * X @ rng.normal(size=(d, K)) / np.sqrt(d) + rng.gumbel(size=(n, K))
    if not scaled:
        X = X @ (np.eye(d) + 0.9 * rng.normal(size=(d, d)) / np.sqrt(d)) * 10.0 ** rng.uniform(-2, 2, d)
    return X, Z.argmax(axis=1)


def fit_speed(n: int, d: int, K: int, rival: str, plan: Plan, scaled: bool) -> Outcome:
    X, y = rows_of_classes(n, d, K, scaled)

    def ours() -> LogisticRegression:
        return LogisticRegression(n_jobs=plan.threads).fit(X, y)

    best = objective(LogisticRegression(tol=1e-8, standard_errors=True).fit(X, y), X, y)
    fit, tol = good_enough(X, y, rival, best)
    sides = [
        Side(OURS, "ours", ours),
        Side(f"{rival}, tol={tol:g}", "rival", fit),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        excess = objective(answers[OURS], X, y) / best - 1
        return [Check("our objective above the best, relative", excess, SAME)]

    default = objective(SklearnLogistic(solver=_solver(rival), max_iter=1000).fit(X, y), X, y) / best - 1
    reached = objective(fit(), X, y) / best - 1
    told = f"excess of {rival}: {default:.0e} at its default, {reached:.0e} at tol={tol:g}"
    return compare(sides, plan, checks, [told])


def good_enough(X: Array, y: Array, rival: str, best: float) -> tuple[Callable[[], Any], float]:
    """The rival at the loosest tolerance that reaches the objective; at its tightest where none does."""
    for tol in TOLERANCES:
        model = SklearnLogistic(solver=_solver(rival), tol=tol, max_iter=2000).fit(X, y)
        if objective(model, X, y) <= best * (1 + SAME) or tol == TOLERANCES[-1] or int(np.max(model.n_iter_)) >= 2000:
            break
    return lambda: SklearnLogistic(solver=_solver(rival), tol=tol, max_iter=2000).fit(X, y), tol


def objective(model: Any, X: Array, y: Array) -> float:
    scores = X @ model.coef_.T + model.intercept_
    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(X)), scores])
    top = scores.max(axis=1)
    loss = np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top - scores[np.arange(len(y)), y]
    return float(loss.sum() + 0.5 * (model.coef_**2).sum())


def _solver(rival: str) -> str:
    return rival.removeprefix("scikit-learn ")
