"""Speed of exact k-means from the same start over the same rounds, at an equal error."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as SklearnKMeans
from sklearn.cluster import MiniBatchKMeans, kmeans_plusplus

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.learners import KMeans

SENTENCE = "exact k-means is 4 times as fast as scikit-learn's Lloyd with few clusters, 1.7 with many, never slower"
ROUNDS = 30
SAME = 1e-12  # relative, of the error
SIZES = (
    (10_000, 2, 8), (100_000, 2, 8), (100_000, 10, 8), (100_000, 10, 64), (100_000, 10, 256), (100_000, 2, 64),
    (100_000, 2, 256), (100_000, 50, 64), (100_000, 100, 64),
)  # fmt: skip


def cases(plan: Plan) -> list[Case]:
    sizes = SIZES[:1] if plan.quick else SIZES
    found = [Case(f"{n} x {d}, k={k}, Lloyd", rounds(n, d, k, "lloyd", plan)) for n, d, k in sizes]
    if plan.quick:
        return found
    found.append(Case("100000 x 10, k=64, Elkan", rounds(100_000, 10, 64, "elkan", plan)))
    found.append(Case("100000 x 50, k=64, float32", rounds(100_000, 50, 64, "lloyd", plan, np.float32)))
    found += [
        Case(f"{n} x {d}, k={k}, k-means++", seeding(n, d, k)) for n, d, k in ((100_000, 10, 64), (100_000, 2, 8))
    ]
    found.append(Case("1000000 x 10, k=64, mini batches' error", mini(plan)))
    return found


def clumps(n: int, d: int, k: int, kind: Any = np.float64) -> tuple[Array, Array]:
    """k normal clumps that overlap a little, and k rows to start from."""
    rng = np.random.default_rng(n + d + k)
    X = 3 * rng.normal(size=(k, d))[rng.integers(0, k, n)] + rng.normal(size=(n, d))
    return X.astype(kind), X[rng.choice(n, k, replace=False)].astype(kind)


def rounds(n: int, d: int, k: int, algorithm: str, plan: Plan, kind: Any = np.float64) -> Callable[[], Outcome]:
    def run() -> Outcome:
        X, start = clumps(n, d, k, kind)
        settings: dict[str, Any] = {"init": start, "n_init": 1, "max_iter": ROUNDS, "tol": 0}
        ours = KMeans(k, n_jobs=plan.threads, **settings)
        rival = SklearnKMeans(k, algorithm=algorithm, **settings)
        sides = [
            Side("glaswerk KMeans", "ours", lambda: ours.fit(X)),
            Side(f"scikit-learn {algorithm}", "rival", lambda: rival.fit(X)),
        ]

        def same(_: dict[str, Any]) -> Sequence[Check]:
            error = abs(ours.inertia_ / rival.inertia_ - 1)
            single = kind is np.float32
            return [
                Check("error, relative", float(error), 1e-5 if single else SAME),
                Check("rounds that differ", abs(ours.n_iter_ - rival.n_iter_), 0),
                Check("labels that differ", float((ours.labels_ != rival.labels_).sum()), 100 if single else 0),
            ]

        return compare(
            sides, plan, same, ["scikit-learn sums float32 in float32, ours in float64"] if kind is np.float32 else []
        )

    return run


def seeding(n: int, d: int, k: int) -> Callable[[], Outcome]:
    """One round of ours, to have its seeds, against the seeds alone."""

    def run() -> Outcome:
        X, _ = clumps(n, d, k)
        model = KMeans(k, max_iter=1, trace=True, n_jobs=1)
        sides = [
            Side("glaswerk KMeans, seeds and one round", "ours", lambda: model.fit(X).solution_.rounds.trail[0]),
            Side("scikit-learn kmeans_plusplus", "rival", lambda: kmeans_plusplus(X, k, random_state=0)[0]),
        ]

        def same(answers: dict[str, Any]) -> Sequence[Check]:
            ours, theirs = answers.values()
            return [Check("seeds", float(np.abs(ours - theirs).max()), 1e-10)]

        return compare(sides, Plan(), same, ["ours also checks, lays out, assigns and sums all rows"])

    return run


def mini(plan: Plan) -> Callable[[], Outcome]:
    """Rounds until the error is that of MiniBatchKMeans, from the same start."""

    def run() -> Outcome:
        X, start = clumps(1_000_000, 10, 64)
        rival = MiniBatchKMeans(64, init=start, n_init=1, batch_size=8192, random_state=0)
        reached = rival.fit(X).inertia_
        for most in range(1, ROUNDS):
            ours = KMeans(64, init=start, max_iter=most, tol=0, n_jobs=plan.threads)
            if ours.fit(X).inertia_ <= reached:
                break
        sides = [
            Side(f"glaswerk KMeans, {ours.n_iter_} exact rounds", "ours", lambda: ours.fit(X)),
            Side("scikit-learn MiniBatchKMeans", "rival", lambda: rival.fit(X)),
        ]

        def good(_: dict[str, Any]) -> Sequence[Check]:
            return [Check("our error / theirs", ours.inertia_ / rival.inertia_, 1.0)]

        return compare(sides, plan, good)

    return run
