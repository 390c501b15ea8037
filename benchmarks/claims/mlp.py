"""Speed of the multilayer perceptron at equal steps: the same start and slices, weights equal to ten digits first."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier as SklearnClassifier
from sklearn.neural_network import MLPRegressor as SklearnRegressor

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.timing import Side
from glaswerk.base import Warned
from glaswerk.learners import MLPClassifier, MLPRegressor

SENTENCE = "MLPRegressor with Adam in single precision is 2.5 times as fast as scikit-learn's; its steps are the same"
CASES = (
    (1_000, 10, (32, 32), 32, 10),
    (10_000, 20, (100, 50), 200, 5),
    (10_000, 50, (256, 128), 200, 3),
    (100_000, 20, (64, 32), 200, 2),
)
SAME = 1e-10  # weights after these epochs, in double precision


def cases(plan: Plan) -> list[Case]:
    sizes = CASES[:1] if plan.quick else CASES
    found = [Case(f"{n} x {d}, layers {h}", regression(n, d, h, b, e, plan)) for n, d, h, b, e in sizes]
    return [*found, Case("classes, 1000 x 10, layers (32,)", classes(plan))]


def regression(n: int, d: int, hidden: tuple[int, ...], batch: int, epochs: int, plan: Plan) -> Callable[[], Outcome]:
    def run() -> Outcome:
        rng = np.random.default_rng(n + d)
        X = rng.normal(size=(n, d))
        y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=n)
        single, z = X.astype(np.float32), y.astype(np.float32)
        settings: dict[str, Any] = {
            "hidden_layer_sizes": hidden, "batch_size": batch, "max_iter": epochs, "random_state": 0, "tol": 0.0
        }  # fmt: skip
        sides = [
            Side("glaswerk, single", "ours", lambda: quiet(MLPRegressor(precision="single", **settings), X, y)),
            Side("glaswerk, double", "peer", lambda: quiet(MLPRegressor(**settings), X, y)),
            Side("scikit-learn, double (default)", "rival", lambda: quiet(SklearnRegressor(**settings), X, y)),
            Side("scikit-learn, single", "rival", lambda: quiet(SklearnRegressor(**settings), single, z)),
        ]
        return compare(sides, plan, equal_weights("glaswerk, double", "scikit-learn, double (default)"))

    return run


def classes(plan: Plan) -> Callable[[], Outcome]:
    def run() -> Outcome:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(1_000, 10))
        y = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 1)
        settings: dict[str, Any] = {
            "hidden_layer_sizes": (32,), "batch_size": 32, "max_iter": 10, "random_state": 0, "tol": 0.0
        }  # fmt: skip
        sides = [
            Side("glaswerk", "ours", lambda: quiet(MLPClassifier(**settings), X, y)),
            Side("scikit-learn", "rival", lambda: quiet(SklearnClassifier(**settings), X, y)),
        ]
        return compare(sides, plan, equal_weights("glaswerk", "scikit-learn"))

    return run


def quiet(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", Warned)
        return model.fit(X, y)


def equal_weights(ours: str, theirs: str) -> Callable[[dict[str, Any]], Sequence[Check]]:
    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        pairs = zip(answers[ours].coefs_, answers[theirs].coefs_, strict=True)
        return [Check("weights", float(max(np.abs(a - b).max() for a, b in pairs)), SAME)]

    return checks
