"""Speed of the start of k-means, and of exact rounds against mini batches."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.cluster import MiniBatchKMeans, kmeans_plusplus

from benchmarks.claims.kmeans import ROUNDS, clumps
from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.timing import Side
from glaswerk.learners import KMeans

SENTENCE = "the seeds of scikit-learn's k-means++ in less time, and the error of mini batches in a third of theirs"


def cases(plan: Plan) -> list[Case]:
    sizes = ((10_000, 2, 8),) if plan.quick else ((100_000, 10, 64), (100_000, 2, 8))
    found = [Case(f"{n} x {d}, k={k}, k-means++", seeding(n, d, k)) for n, d, k in sizes]
    if not plan.quick:
        found.append(Case("1000000 x 10, k=64, mini batches' error", mini(plan)))
    return found


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
