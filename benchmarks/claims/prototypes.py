"""LBG against the doubling a user would write around scikit-learn's KMeans; VectorQuantizer against the NumPy loop."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as SklearnKMeans

from benchmarks.claims.kmeans import clumps
from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.learners import LBG, VectorQuantizer

SENTENCE = "LBG to 64 prototypes is 2 times as fast as doubling around scikit-learn's KMeans, VQ 50 times a NumPy loop"
RATE = 0.05


def cases(plan: Plan) -> list[Case]:
    n = 5_000 if plan.quick else 50_000
    return [
        Case(f"LBG, {n} x 10, L=64", lambda: doubling(n, plan)),
        Case("VectorQuantizer, 5000 x 5, K=16, 2 epochs", epochs),
    ]


def doubling(n: int, plan: Plan) -> Outcome:
    X, _ = clumps(n, 10, 64)
    model = LBG(64, tol=0, max_iter=20, n_jobs=plan.threads)

    def theirs() -> float:
        at, away = X.mean(axis=0, keepdims=True), np.random.default_rng(0)
        while len(at) < 64:
            epsilon = 0.05 * away.normal(size=at.shape)
            start = np.concatenate([at + epsilon, at - epsilon])
            at = SklearnKMeans(len(start), init=start, n_init=1, tol=0, max_iter=20).fit(X).cluster_centers_
        return float(SklearnKMeans(64, init=at, n_init=1, max_iter=1).fit(X).inertia_)

    sides = [
        Side("glaswerk LBG", "ours", lambda: model.fit(X).inertia_),
        Side("doubling around KMeans", "rival", theirs),
    ]

    def near(answers: dict[str, Any]) -> Sequence[Check]:
        ours, rival = answers.values()
        return [Check("our error / theirs", ours / rival, 1.1)]

    return compare(sides, plan, near, ["random directions differ, so the codebooks do; the errors are alike"])


def epochs() -> Outcome:
    X, _ = clumps(5_000, 5, 16)
    settings: dict[str, Any] = {"learning_rate": RATE, "max_iter": 2, "tol": 0, "shuffle": False}
    model = VectorQuantizer(16, init=X[:16], **settings)

    def loop() -> Array:
        w = X[:16].copy()
        for t in range(2 * len(X)):
            x = X[t % len(X)]
            c = ((x - w) ** 2).sum(axis=1).argmin()
            w[c] += RATE / (1 + t / len(X)) * (x - w[c])
        return w

    sides = [
        Side("glaswerk VectorQuantizer", "ours", lambda: model.fit(X).cluster_centers_),
        Side("NumPy loop", "rival", loop),
    ]

    def same(answers: dict[str, Any]) -> Sequence[Check]:
        ours, theirs = answers.values()
        return [Check("prototypes", float(np.abs(ours - theirs).max()), 1e-9)]

    return compare(sides, Plan(), same, ["ours also takes the error of all rows after every epoch"])
