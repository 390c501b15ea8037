"""Speed of exact k-means from the same start over the same rounds, at an equal error."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as SklearnKMeans

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.learners import KMeans

SENTENCE = "exact k-means is 4 times as fast as scikit-learn's Lloyd with few clusters, 1.7 with many, 10 on planes"
ROUNDS = 30
SAME = 1e-12  # relative, of the error
SIZES = (
    (10_000, 2, 8), (100_000, 2, 8), (100_000, 10, 8), (100_000, 10, 64), (100_000, 10, 256), (100_000, 2, 64),
    (100_000, 2, 256),
)  # fmt: skip


def cases(plan: Plan) -> list[Case]:
    sizes = SIZES[:1] if plan.quick else SIZES
    found = [Case(f"{n} x {d}, k={k}, Lloyd", rounds(n, d, k, "lloyd", plan)) for n, d, k in sizes]
    if plan.quick:
        return found
    found.append(Case("100000 x 10, k=64, Elkan", rounds(100_000, 10, 64, "elkan", plan)))
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
                Check("error, relative", float(error), 1e-4 if single else SAME),
                Check("rounds that differ", abs(ours.n_iter_ - rival.n_iter_), 0),
                Check("labels that differ", float((ours.labels_ != rival.labels_).sum()), n // 100 if single else 0),
            ]

        return compare(
            sides, plan, same, ["scikit-learn sums float32 in float32, ours in float64"] if kind is np.float32 else []
        )

    return run
