"""Gradient descent with its whole trace: all rows at a time, and one row at a time with the exact loss of every epoch.

GradientDescentRegressor, Adaline and Perceptron share these loops.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.linear_model import SGDRegressor

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array, plain
from benchmarks.timing import Side
from glaswerk.learners import Adaline, GradientDescentRegressor, Perceptron

SENTENCE = (
    "a descent with the loss, gradient and weights of every epoch costs a ninth of the NumPy loop, SGD half of sklearn"
)
EPOCHS, STEPS = 10, 100
RATE = 0.01
SAME = 1e-11  # relative, of losses and weights of the same steps
SIZES = ((10_000, 5), (10_000, 50), (100_000, 5), (100_000, 50))


def cases(plan: Plan) -> list[Case]:
    sizes = SIZES[:1] if plan.quick else SIZES
    return [
        *(Case(f"batch, {n} x {d}, {STEPS} epochs", batch(n, d, plan)) for n, d in sizes),
        *(Case(f"stochastic, {n} x {d}, {EPOCHS} epochs", stochastic(n, d, plan)) for n, d in sizes),
        *(Case(f"Adaline, {n} x {d}, {EPOCHS} epochs", adaline(n, d, plan)) for n, d in sizes[:2]),
        *(Case(f"Perceptron, {n} x {d}, {EPOCHS} epochs", perceptron(n, d, plan)) for n, d in sizes[:2]),
    ]


def batch(n: int, d: int, plan: Plan) -> Callable[[], Outcome]:
    """All rows a step: ours reads the rows once, for every later loss and gradient comes from their sums."""

    def run() -> Outcome:
        X, y = plain(n, d)
        model = GradientDescentRegressor(learning_rate=0.1, n_epochs=STEPS, tol=None, n_jobs=plan.threads)
        A = np.column_stack([X, np.ones(n)])

        def ours() -> tuple[Array, Array]:
            found = model.fit(X, y).solution_
            return found.objective, found.trail[:, 0]

        sides = [Side("glaswerk", "ours", ours), Side("NumPy loop", "rival", lambda: loop(A, y))]
        return compare(sides, plan, same_trace, ["the column of ones is given to NumPy; ours checks its input"])

    return run


def loop(A: Array, y: Array) -> tuple[Array, Array]:
    """What a careful user writes: one residual serves loss and gradient."""
    w, losses, weights = np.zeros(A.shape[1]), np.empty(STEPS + 1), np.empty((STEPS + 1, A.shape[1]))
    for k in range(STEPS + 1):
        residual = A @ w - y
        losses[k], weights[k] = residual @ residual / len(y), w
        w = w - 0.1 * 2 / len(y) * (A.T @ residual)
    return losses, weights


def same_trace(answers: dict[str, Any]) -> Sequence[Check]:
    (losses, weights), (theirs, places) = answers["glaswerk"], answers["NumPy loop"]
    return [
        Check("losses", float(np.abs(losses / theirs - 1).max()), SAME),
        Check("weights", float(np.abs(weights - places).max()), SAME),
    ]


def stochastic(n: int, d: int, plan: Plan) -> Callable[[], Outcome]:
    """One row a step, reshuffled: the orders differ, so equality is shown on rows taken as they lie."""

    def run() -> Outcome:
        X, y = plain(n, d)
        settings: dict[str, Any] = {"learning_rate": RATE, "batch_size": 1, "n_epochs": EPOCHS, "tol": None}
        model = GradientDescentRegressor("half_rss", shuffle=True, n_jobs=plan.threads, **settings)
        ordered = GradientDescentRegressor("half_rss", n_jobs=plan.threads, **settings).fit(X, y)

        def ours() -> Array:
            found: Array = model.fit(X, y).solution_.objective[1:]
            return found

        sides = [
            Side("glaswerk", "ours", ours),
            Side("scikit-learn SGDRegressor, partial_fit + predict", "rival", lambda: traced(X, y, shuffle=True)),
        ]
        expected = traced(X, y, shuffle=False)

        def same(_: dict[str, Any]) -> Sequence[Check]:
            return [
                Check(
                    "losses in given order", float(np.abs(ordered.solution_.objective[1:] / expected - 1).max()), SAME
                )
            ]

        return compare(sides, plan, same, ["equality is shown on rows in their given order"])

    return run


def traced(X: Array, y: Array, *, shuffle: bool) -> Array:
    """½ RSS after every epoch."""
    model = SGDRegressor(penalty=None, learning_rate="constant", eta0=RATE, shuffle=shuffle, random_state=0)
    losses = np.empty(EPOCHS)
    for k in range(EPOCHS):
        model.partial_fit(X, y)
        losses[k] = 0.5 * np.sum((y - model.predict(X)) ** 2)
    return losses


def adaline(n: int, d: int, plan: Plan) -> Callable[[], Outcome]:
    """The same of targets -1 and +1."""

    def run() -> Outcome:
        X, y = plain(n, d)
        signs = np.where(y > 0, 1.0, -1.0)
        model = Adaline(RATE, n_epochs=EPOCHS, tol=None)
        ordered = Adaline(RATE, n_epochs=EPOCHS, tol=None, shuffle=False).fit(X, signs)
        sides = [
            Side("glaswerk", "ours", lambda: model.fit(X, signs).solution_.objective[1:]),
            Side(
                "scikit-learn SGDRegressor of ±1, partial_fit + predict",
                "rival",
                lambda: traced(X, signs, shuffle=True),
            ),
        ]
        expected = traced(X, signs, shuffle=False)

        def same(_: dict[str, Any]) -> Sequence[Check]:
            return [
                Check(
                    "losses in given order", float(np.abs(ordered.solution_.objective[1:] / expected - 1).max()), SAME
                )
            ]

        return compare(sides, plan, same, ["equality is shown on rows in their given order"])

    return run


def perceptron(n: int, d: int, plan: Plan) -> Callable[[], Outcome]:
    """The same number of epochs, without the pocket, in the given order."""

    def run() -> Outcome:
        X, y = plain(n, d)
        signs = np.where(y > 0, 1, -1)
        ours = Perceptron(max_iter=EPOCHS, pocket=False, shuffle=False)
        rival = SklearnPerceptron(max_iter=EPOCHS, tol=None, shuffle=False)
        sides = [
            Side("glaswerk", "ours", lambda: ours.fit(X, signs).coef_[0]),
            Side("scikit-learn Perceptron", "rival", lambda: rival.fit(X, signs).coef_[0]),
        ]
        return compare(sides, plan, same_weights, [])

    return run


def same_weights(answers: dict[str, Any]) -> Sequence[Check]:
    ours, theirs = answers.values()
    return [Check("weights", float(np.abs(ours - theirs).max() / np.abs(theirs).max()), 1e-10)]
