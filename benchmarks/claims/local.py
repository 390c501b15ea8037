"""Speed of kernel regression and of local lines against statsmodels, at predictions equal to a stated tolerance."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import Ridge as SklearnRidge
from statsmodels.nonparametric.kernel_regression import KernelReg

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.learners import (
    ExtremeLearningMachine,
    KernelRegression,
    LocallyWeightedRegression,
    RBFNetwork,
    UnifiedLocalModel,
)

SENTENCE = (
    "KernelRegression is 20 times as fast as statsmodels with up to two columns, 8 times with more; error bounded"
)
MEANS = ((10_000, 1, 0.01), (10_000, 2, 0.05), (100_000, 2, 0.02), (10_000, 5, 0.15), (10_000, 10, 0.3))
LINES = ((10_000, 1, 0.01), (10_000, 2, 0.05), (10_000, 5, 0.15))
ASKED = 200
SAME = 1e-5  # of the target's range


def cases(plan: Plan) -> list[Case]:
    sizes = ((1_000, 2, 0.1),) if plan.quick else MEANS
    found = [Case(f"mean, {n} x {d}, h = {h:g}", mean(n, d, h, plan)) for n, d, h in sizes]
    lines = ((1_000, 2, 0.1),) if plan.quick else LINES
    found += [Case(f"line, {n} x {d}, h = {h:g}", line(n, d, h, plan)) for n, d, h in lines]
    n = 2_000 if plan.quick else 50_000
    return [*found, Case(f"random units, {n} x 10, 100 units", random_units(n, plan))]


def wave(n: int, d: int) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(n + d)
    X = rng.uniform(size=(n, d))
    return X, np.sin(6 * X[:, 0]) + X[:, -1] + 0.1 * rng.normal(size=n), rng.uniform(size=(ASKED, d))


def mean(n: int, d: int, h: float, plan: Plan) -> Callable[[], Outcome]:
    def run() -> Outcome:
        X, y, Q = wave(n, d)
        ours = KernelRegression(bandwidth=h, n_jobs=plan.threads).fit(X, y)
        theirs = KernelReg(y, X, "c" * d, reg_type="lc", bw=np.full(d, h))
        _, bound = ours.predict_certified(Q)
        sides = [
            Side("glaswerk", "ours", lambda: ours.predict(Q)),
            Side("statsmodels", "rival", lambda: theirs.fit(Q)[0]),
        ]

        def checks(answers: dict[str, Any]) -> Sequence[Check]:
            known = np.isfinite(answers["statsmodels"])  # where its weights do not underflow
            gap = np.abs(answers["glaswerk"] - answers["statsmodels"])[known] / np.ptp(y)
            return [
                Check("certified error, of the range", float(bound.max() / np.ptp(y)), SAME),
                Check("difference, of the range", float(gap.max()), SAME),
            ]

        return compare(sides, plan, checks)

    return run


def random_units(n: int, plan: Plan) -> Callable[[], Outcome]:
    """Against the same units made with NumPy and given to scikit-learn's ridge regression."""

    def run() -> Outcome:
        X, y, Q = wave(n, 10)
        v, c = ExtremeLearningMachine(100).fit(X[:200], y[:200]).hidden_weights()

        def units(rows: Array) -> Array:
            return np.asarray(1.0 / (1.0 + np.exp(-(rows @ v + c))))

        sides = [
            Side("glaswerk", "ours", lambda: ExtremeLearningMachine(100, alpha=1e-2, n_jobs=plan.threads).fit(X, y)),
            Side("NumPy, scikit-learn Ridge", "rival", lambda: SklearnRidge(alpha=1e-2).fit(units(X), y)),
        ]

        def checks(answers: dict[str, Any]) -> Sequence[Check]:
            gap = answers["glaswerk"].predict(Q) - answers["NumPy, scikit-learn Ridge"].predict(units(Q))
            return [Check("difference of predictions, of the range", float(np.abs(gap).max() / np.ptp(y)), 1e-8)]

        return compare(sides, plan, checks)

    return run


def line(n: int, d: int, h: float, plan: Plan) -> Callable[[], Outcome]:
    """One line per query; ten lines for the whole table beside it, which answer another question."""

    def run() -> Outcome:
        X, y, Q = wave(n, d)
        ours = LocallyWeightedRegression(h, n_jobs=plan.threads).fit(X, y)
        theirs = KernelReg(y, X, "c" * d, reg_type="ll", bw=np.full(d, h))
        ten = UnifiedLocalModel(10, bandwidth=0.2).fit(X, y)
        bumps = RBFNetwork(10).fit(X[:1000], y[:1000])
        sides = [
            Side("glaswerk", "ours", lambda: ours.predict(Q)),
            Side("RBFNetwork, ten bumps", "peer", lambda: bumps.predict(Q)),
            Side("UnifiedLocalModel, ten lines", "peer", lambda: ten.predict(Q)),
            Side("statsmodels", "rival", lambda: theirs.fit(Q)[0]),
        ]

        def checks(answers: dict[str, Any]) -> Sequence[Check]:
            gap = np.median(np.abs(answers["glaswerk"] - answers["statsmodels"])) / np.ptp(y)
            return [Check("median difference, of the range", float(gap), 1e-6)]

        return compare(sides, plan, checks)

    return run
