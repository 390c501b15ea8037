"""What it costs to walk rows that are not held: laid out again in every round, every sum taken anew."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from benchmarks.claims.kmeans import clumps
from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.learners import GaussianMixture, KMeans
from glaswerk.optim import tiles
from glaswerk.passes import ArraySource

SENTENCE = "rounds of k-means over rows that are not held take 1.4 times those in memory, rounds of EM 1.15 times"
ROUNDS = 10


@dataclass(frozen=True, eq=False)
class Elsewhere(ArraySource):
    """Rows that nobody may hold."""

    here: ClassVar[bool] = False


def cases(plan: Plan) -> list[Case]:
    n = 70_000 if plan.quick else 500_000
    return [
        Case(f"k-means, {n} x 10, k=64", walked(n, 10, 64, plan)),
        Case(f"k-means, {n} x 10, k=8", walked(n, 10, 8, plan)),
        Case(f"mixture, full, {n} x 10, k=8", walked(n, 10, 8, plan, mixture=True)),
    ]


@contextmanager
def holding(nbytes: int) -> Iterator[None]:
    usual, tiles.HELD_BYTES = tiles.HELD_BYTES, nbytes
    try:
        yield
    finally:
        tiles.HELD_BYTES = usual


def walked(n: int, d: int, k: int, plan: Plan, mixture: bool = False) -> Callable[[], Outcome]:
    """Ours is the loop in memory, so the figure is how much longer the other takes."""

    def run() -> Outcome:
        X, start = clumps(n, d, k)
        model: Any = learner(start, k, plan, mixture)
        model.fit(X[:1000])  # names of columns
        source = Elsewhere(X, np.zeros((n, 0)), names=tuple(model.column_names()))

        def not_held() -> Array:
            with holding(0):
                return found(model._walk(source, "threads"))

        sides = [
            Side("rows held", "ours", lambda: found(model.fit(X))),
            Side("laid out in every round", "rival", not_held),
        ]

        def same(answers: dict[str, Any]) -> Sequence[Check]:
            held, other = answers.values()
            return [Check("centres, relative", float(np.abs(held / other - 1).max()), 1e-9)]

        return compare(sides, plan, same)

    return run


def learner(start: Array, k: int, plan: Plan, mixture: bool) -> Any:
    if not mixture:
        return KMeans(k, init=start, tol=0, max_iter=ROUNDS, n_jobs=plan.threads)
    unit = np.tile(np.eye(start.shape[1]), (k, 1, 1))
    given = {"means_init": start, "weights_init": np.full(k, 1 / k), "precisions_init": unit}
    return GaussianMixture(k, tol=0, max_iter=ROUNDS, n_jobs=plan.threads, **given)


def found(model: Any) -> Array:
    at: Array = model.means_ if isinstance(model, GaussianMixture) else model.cluster_centers_
    return at
