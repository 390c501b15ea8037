"""Speed of Gaussian classes and Fisher's discriminant: moments by class, summed once, against scikit-learn's fits."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as SklearnQDA

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.learners import FisherDiscriminant, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

SENTENCE = "LinearDiscriminantAnalysis and FisherDiscriminant fit 3 times as fast as svd, twice as fast as lsqr"
SIZES = ((10_000, 20, 2), (100_000, 10, 2), (100_000, 20, 5), (100_000, 50, 3), (10_000, 200, 3))
ALLOWED = 1e-8  # relative, of the contrasts between scores


def cases(plan: Plan) -> list[Case]:
    if plan.quick:
        return [_case("1000 x 5, 2 classes, svd", 1_000, 5, 2, "svd", plan)]
    found = [
        _case(f"{n} x {d}, {K} classes, {solver}", n, d, K, solver, plan)
        for n, d, K in SIZES
        for solver in ("svd", "lsqr")
    ]
    found += [_case(f"{n} x {d}, Fisher, {solver}", n, d, 2, solver, plan, FisherDiscriminant)
              for n, d in ((100_000, 10), (100_000, 50)) for solver in ("svd", "lsqr")]  # fmt: skip
    return [*found, Case("100000 x 20, 5 classes, quadratic", lambda: quadratic(100_000, 20, 5, plan))]


def _case(name: str, n: int, d: int, K: int, solver: str, plan: Plan, kind: Any = LinearDiscriminantAnalysis) -> Case:
    return Case(name, lambda: linear(n, d, K, solver, plan, kind))


def gaussian_rows(n: int, d: int, K: int) -> tuple[Array, Array]:
    """Correlated normal rows about K means."""
    rng = np.random.default_rng(n + d + K)
    y = rng.integers(0, K, n)
    mix = np.eye(d) + rng.normal(size=(d, d)) / np.sqrt(d)
    return rng.normal(size=(n, d)) @ mix + rng.normal(size=(K, d))[y], y


def linear(n: int, d: int, K: int, solver: str, plan: Plan, kind: Any) -> Outcome:
    X, y = gaussian_rows(n, d, K)
    ours, rival = f"glaswerk {kind.__name__}", f"scikit-learn LDA, {solver}"
    sides = [
        Side(ours, "ours", lambda: kind(n_jobs=plan.threads).fit(X, y)),
        Side(rival, "rival", lambda: SklearnLDA(solver=solver).fit(X, y)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        return [Check("weights as scikit-learn's, relative", apart(answers[ours].coef_, answers[rival].coef_), ALLOWED)]

    return compare(sides, plan, checks)


def apart(ours: Array, theirs: Array) -> float:
    """Greatest difference of weights, each seen from the mean class: what all classes share means nothing."""
    if len(ours) > 1:
        ours, theirs = ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max())


def quadratic(n: int, d: int, K: int, plan: Plan) -> Outcome:
    X, y = gaussian_rows(n, d, K)
    sides = [
        Side("ours", "ours", lambda: QuadraticDiscriminantAnalysis(n_jobs=plan.threads).fit(X, y)),
        Side("scikit-learn QDA", "rival", lambda: SklearnQDA().fit(X, y)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        both = [answers[name].predict_proba(X[:5_000]) for name in ("ours", "scikit-learn QDA")]
        return [Check("probabilities as scikit-learn's", float(np.abs(both[0] - both[1]).max()), ALLOWED)]

    return compare(sides, plan, checks)
