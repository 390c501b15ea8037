"""Speed of neighbour search: tree and all rows against SciPy's, scikit-learn's and faiss's, the same neighbours."""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from sklearn.neighbors import KNeighborsClassifier as SklearnClassifier
from sklearn.neighbors import NearestNeighbors

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Absent, Side
from glaswerk.learner.nearest import Boxes, Nearest
from glaswerk.learners import KNeighborsClassifier, KNeighborsRegressor

SENTENCE = "nearest rows: 1.3 times as fast as cKDTree, 2.3 times scikit-learn's tree, 1.7 times its brute force"
K = 10
TREES = (
    (100_000, 2, 50_000),
    (100_000, 5, 20_000),
    (100_000, 10, 4_000),
    (1_000_000, 2, 50_000),
    (1_000_000, 5, 20_000),
)
BUILDS = ((100_000, 2), (100_000, 5), (1_000_000, 5))
ALL_ROWS = ((100_000, 10, 2_000), (100_000, 50, 1_000), (100_000, 100, 1_000))


def cases(plan: Plan) -> list[Case]:
    if plan.quick:
        return [Case("5000 x 3, tree", lambda: tree(5_000, 3, 500, plan, "ckdtree"))]
    found = [
        _case(f"{n} x {d}, {m} queries, tree, {rival}", tree, n, d, m, plan, rival)
        for n, d, m in TREES
        for rival in ("ckdtree", "scikit-learn")
    ]
    found += [_case(f"{n} x {d}, building the tree", build, n, d, plan) for n, d in BUILDS]
    for n, d, m in ALL_ROWS:
        name = f"{n} x {d}, {m} queries, all rows"
        found += [
            _case(name, all_rows, n, d, m, plan, np.float64),
            _case(f"{name}, float32", all_rows, n, d, m, plan, np.float32),
            _case(f"{name}, faiss", faiss_rows, n, d, m, plan),
        ]
    found.append(_case("50000 x 3, 20000 rows by the vote of 10", vote, 50_000, 3, 20_000, plan))
    found.append(_case("20000 x 3, leave-one-out for k = 1 to 100", leave_one_out, 20_000, 3, plan))
    return found


def _case(name: str, run: Callable[..., Outcome], *given: Any) -> Case:
    return Case(name, lambda: run(*given))


def clouds(n: int, d: int, m: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(n + d)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d))


def tree(n: int, d: int, m: int, plan: Plan, rival: str) -> Outcome:
    X, Q = clouds(n, d, m)
    ours = Nearest(X, 2.0, True, plan.threads)
    ours.query(Q[:1], K)
    if rival == "ckdtree":
        known = cKDTree(X)
        other = Side("SciPy cKDTree", "rival", lambda: known.query(Q, K, workers=plan.threads))
    else:
        found = NearestNeighbors(n_neighbors=K, algorithm="kd_tree", n_jobs=plan.threads).fit(X)
        other = Side("scikit-learn kd_tree", "rival", lambda: found.kneighbors(Q))
    return compare([Side("glaswerk", "ours", lambda: ours.query(Q, K)), other], plan, same)


def same(answers: dict[str, Any]) -> Sequence[Check]:
    (ours, mine), (theirs, other) = answers.values()
    return [
        Check("rows that differ", float((mine != other).sum()), 0.0),
        Check("distances, relative", float(np.abs(ours / theirs - 1).max()), 1e-12),
    ]


def build(n: int, d: int, plan: Plan) -> Outcome:
    X, _ = clouds(n, d, 1)
    sides = [
        Side("glaswerk", "ours", lambda: Boxes.of(X, plan.threads)),
        Side("SciPy cKDTree", "rival", lambda: cKDTree(X)),
    ]
    return compare(sides, plan, lambda answers: [
        Check("rows missing from the tree", float(n - (answers["glaswerk"].places >= 0).sum()), 0.0)
    ])  # fmt: skip


def all_rows(n: int, d: int, m: int, plan: Plan, kind: Any) -> Outcome:
    X, Q = (part.astype(kind) for part in clouds(n, d, m))
    model = KNeighborsRegressor(K, algorithm="brute", n_jobs=plan.threads).fit(X, X[:, 0])
    found = NearestNeighbors(n_neighbors=K, algorithm="brute", n_jobs=plan.threads).fit(X)
    sides = [
        Side("glaswerk", "ours", lambda: model.kneighbors(Q)),
        Side("scikit-learn brute", "rival", lambda: found.kneighbors(Q)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        differ = float((answers["glaswerk"][1] != answers["scikit-learn brute"][1]).mean())
        return [Check("share of rows that differ", differ, 0.0 if kind is np.float64 else 1e-4)]

    return compare(sides, plan, checks)


def faiss_rows(n: int, d: int, m: int, plan: Plan) -> Outcome:
    X, Q = (part.astype(np.float32) for part in clouds(n, d, m))
    model = KNeighborsRegressor(K, algorithm="brute", n_jobs=plan.threads).fit(X, X[:, 0])
    sides: list[Side | Absent] = [Side("glaswerk", "ours", lambda: model.kneighbors(Q))]
    try:
        faiss = importlib.import_module("faiss")
    except ModuleNotFoundError:
        sides += [Absent("faiss"), Side("glaswerk again (no rival here)", "rival", lambda: model.kneighbors(Q))]
        return compare(sides, plan, lambda _: ())
    faiss.omp_set_num_threads(plan.threads)
    flat = faiss.IndexFlatL2(d)
    flat.add(X)
    sides.append(Side("faiss IndexFlatL2, float32", "rival", lambda: flat.search(Q, K)))

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        differ = float((answers["glaswerk"][1] != answers["faiss IndexFlatL2, float32"][1]).mean())
        return [Check("share of rows that differ, its distances being rounded", differ, 1e-3)]

    return compare(sides, plan, checks)


def vote(n: int, d: int, m: int, plan: Plan) -> Outcome:
    X, Q = clouds(n, d, m)
    y = (X[:, 0] > X[:, 1]).astype(int)
    ours = KNeighborsClassifier(K, n_jobs=plan.threads).fit(X, y)
    theirs = SklearnClassifier(K, n_jobs=plan.threads).fit(X, y)
    ours.predict(Q[:1])
    sides = [
        Side("glaswerk", "ours", lambda: ours.predict(Q)),
        Side("scikit-learn", "rival", lambda: theirs.predict(Q)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        return [Check("rows given another class", float((answers["glaswerk"] != answers["scikit-learn"]).sum()), 0.0)]

    return compare(sides, plan, checks)


def leave_one_out(n: int, d: int, plan: Plan) -> Outcome:
    """The price of all hundred, in passes of queries for the hundred nearest."""
    X, _ = clouds(n, d, 1)
    model = KNeighborsRegressor(n_jobs=plan.threads).fit(X, X[:, 0])
    sides = [
        Side("scores for k = 1 to 100", "ours", lambda: model.leave_one_out_scores(100)),
        Side("one query pass for k = 100", "rival", lambda: model.kneighbors(n_neighbors=100)),
    ]

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        rows = answers["one query pass for k = 100"][1]
        expected = ((X[rows[:, :100], 0].mean(axis=1) - X[:, 0]) ** 2).mean()
        return [Check("score of k = 100, relative", abs(answers["scores for k = 1 to 100"][-1] / expected - 1), 1e-10)]

    return compare(sides, plan, checks)
