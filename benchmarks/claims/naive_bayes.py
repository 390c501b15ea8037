"""Speed of naive Bayes: one compiled pass for sums and for scores, against scikit-learn's classes, equal answers."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.naive_bayes import CategoricalNB as SklearnCategoricalNB
from sklearn.naive_bayes import GaussianNB as SklearnGaussianNB

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.timing import Side
from glaswerk.learners import CategoricalNB, GaussianNB, NaiveBayes

SENTENCE = "GaussianNB fits 15 and predicts 4 times as fast as scikit-learn, CategoricalNB 20 and 2 times"
GAUSSIAN = ((10_000, 10, 2), (100_000, 20, 3), (100_000, 50, 10), (1_000_000, 10, 2))
CATEGORICAL = ((10_000, 10, 2), (100_000, 20, 3), (100_000, 50, 10))
LEVELS = 8
ALLOWED = 1e-8


def cases(plan: Plan) -> list[Case]:
    if plan.quick:
        return [Case("1000 x 5, 2 classes, Gaussian fit", lambda: gaussian_fit(1_000, 5, 2, plan))]
    found = []
    for n, d, K in GAUSSIAN:
        found.append(_case(f"{n} x {d}, {K} classes, Gaussian fit", gaussian_fit, n, d, K, plan))
        found.append(_case(f"{n} x {d}, {K} classes, Gaussian predict", gaussian_predict, n, d, K, plan))
    for n, d, K in CATEGORICAL:
        found.append(_case(f"{n} x {d}, {K} classes, categorical fit", categorical_fit, n, d, K, plan))
        found.append(_case(f"{n} x {d}, {K} classes, categorical predict", categorical_predict, n, d, K, plan))
    return found


def _case(name: str, run: Callable[..., Outcome], n: int, d: int, K: int, plan: Plan) -> Case:
    return Case(name, lambda: run(n, d, K, plan))


def numbers(n: int, d: int, K: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(n + d + K)
    y = rng.integers(0, K, n)
    return rng.normal(size=(n, d)) + rng.normal(size=(K, d))[y] / 2, y


def levels(n: int, d: int, K: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(n + d + K)
    y = rng.integers(0, K, n)
    return (rng.integers(0, LEVELS, (n, d)) + y[:, None]) % LEVELS, y


def apart(ours: Any, theirs: Any) -> float:
    return float(np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max()))


def gaussian_fit(n: int, d: int, K: int, plan: Plan) -> Outcome:
    X, y = numbers(n, d, K)
    sides = [
        Side("glaswerk GaussianNB", "ours", lambda: GaussianNB(n_jobs=plan.threads).fit(X, y)),
        Side("scikit-learn GaussianNB", "rival", lambda: SklearnGaussianNB().fit(X, y)),
        Side("glaswerk NaiveBayes", "peer", lambda: NaiveBayes(n_jobs=plan.threads).fit(X, y)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        ours, theirs = answers["glaswerk GaussianNB"], answers["scikit-learn GaussianNB"]
        return [
            Check("means as scikit-learn's", apart(ours.theta_, theirs.theta_), ALLOWED),
            Check("variances as scikit-learn's", apart(ours.var_, theirs.var_), ALLOWED),
        ]

    return compare(sides, plan, checks)


def gaussian_predict(n: int, d: int, K: int, plan: Plan) -> Outcome:
    X, y = numbers(n, d, K)
    return _predict(X, GaussianNB(n_jobs=plan.threads).fit(X, y), SklearnGaussianNB().fit(X, y), plan)


def categorical_fit(n: int, d: int, K: int, plan: Plan) -> Outcome:
    X, y = levels(n, d, K)
    sides = [
        Side("glaswerk CategoricalNB", "ours", lambda: CategoricalNB(n_jobs=plan.threads).fit(X, y)),
        Side("scikit-learn CategoricalNB", "rival", lambda: SklearnCategoricalNB().fit(X, y)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        ours, theirs = (answers[f"{who} CategoricalNB"].feature_log_prob_ for who in ("glaswerk", "scikit-learn"))
        return [Check("log-probabilities as scikit-learn's", max(map(apart, ours, theirs)), ALLOWED)]

    return compare(sides, plan, checks)


def categorical_predict(n: int, d: int, K: int, plan: Plan) -> Outcome:
    X, y = levels(n, d, K)
    return _predict(X, CategoricalNB(n_jobs=plan.threads).fit(X, y), SklearnCategoricalNB().fit(X, y), plan)


def _predict(X: Any, ours: Any, theirs: Any, plan: Plan) -> Outcome:
    sides = [
        Side("glaswerk", "ours", lambda: ours.predict(X)),
        Side("scikit-learn", "rival", lambda: theirs.predict(X)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        return [Check("rows given another class", float(np.mean(answers["glaswerk"] != answers["scikit-learn"])), 0.0)]

    return compare(sides, plan, checks)
