"""Exact trees against scikit-learn's: DecisionTreeRegressor and DecisionTreeClassifier of both."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier as SklearnForestClassifier
from sklearn.ensemble import RandomForestRegressor as SklearnForest
from sklearn.tree import DecisionTreeClassifier as SklearnClassifier
from sklearn.tree import DecisionTreeRegressor as SklearnRegressor

from benchmarks.harness import Case, Check, NotRun, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, RandomForestRegressor

SENTENCE = "an exact tree takes a twentieth of the time of scikit-learn's, a fully grown one a fifteenth"
SAME_LOSS = 1e-12  # relative, of the training sum of squares
TIES = 1e-4  # of the training impurity: equal gains are resolved differently, and classes have many


def cases(plan: Plan) -> list[Case]:
    deep = {"max_depth": 8}
    small, large = (2_000, 5_000) if plan.quick else (10_000, 100_000)
    found = [
        regression(f"{small} x 10, depth 8", continuous, small, 10, deep, plan),
        regression(f"{large} x 10, depth 8", continuous, large, 10, deep, plan),
        regression(f"{large} x 10, fully grown", continuous, large, 10, {}, plan),
        regression(f"{large} x 10, fully grown, two threads", continuous, large, 10, {}, plan, threads=2),
        regression(f"{large} x 10, 64 values, depth 8", few_values, large, 10, deep, plan),
        classes(f"{large} x 10, two classes, depth 8", large, 10, deep, plan),
        classes(f"{large} x 10, two classes, fully grown", large, 10, {}, plan),
    ]
    trees = 20 if plan.quick else 100
    kinds = (
        ("numbers", RandomForestRegressor, SklearnForest),
        ("classes", RandomForestClassifier, SklearnForestClassifier),
    )
    found += [forest(f"forest of {trees} trees, {small} x 10, {kind[0]}", small, trees, kind, plan) for kind in kinds]
    if not plan.quick:
        found.append(regression("1000000 x 50, depth 8", continuous, 1_000_000, 50, deep, plan, threads=2))
    return found


def continuous(n: int, d: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(np.float64)
    signal = X[:, 0] * X[:, 1] + np.sin(3 * X[:, 2]) + X[:, 3] ** 2 + np.abs(X[:, 4]) + (X[:, 5] > 0.5)
    return X, signal + rng.normal(size=n)


def few_values(n: int, d: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.integers(0, rng.integers(2, 65, d), (n, d)).astype(np.float64)
    return X, np.sin(X[:, 0] / 7) * X[:, 1] + X[:, 2] + rng.normal(size=n)


def regression(
    name: str, make: Callable[..., Any], n: int, d: int, limits: dict[str, Any], plan: Plan, threads: int = 1
) -> Case:
    def run() -> Outcome:
        if plan.threads < threads:
            raise NotRun(f"run it with --threads {threads}")
        X, y = make(n, d)
        sides = [
            Side("glaswerk", "ours", lambda: DecisionTreeRegressor(**limits, n_jobs=plan.threads).fit(X, y)),
            Side("scikit-learn", "rival", lambda: SklearnRegressor(**limits, random_state=0).fit(X, y)),
        ]
        return compare(sides, plan, lambda found: same_regression(found["glaswerk"], found["scikit-learn"]))

    return Case(name, run)


def same_regression(ours: Any, rival: Any) -> list[Check]:
    tree = rival.tree_
    leaf = tree.children_left < 0
    theirs = float((tree.impurity * tree.weighted_n_node_samples)[leaf].sum())
    mine = float(ours.tree_.squares[ours.tree_.feature < 0].sum())
    whole = float(ours.tree_.squares[0])
    return [
        Check("nodes, difference", abs(ours.tree_.nodes - tree.node_count), 0),
        Check("training sum of squares, difference of the whole", abs(mine - theirs) / whole, SAME_LOSS),
    ]


def classes(name: str, n: int, d: int, limits: dict[str, Any], plan: Plan) -> Case:
    def run() -> Outcome:
        X, y = continuous(n, d)
        label = (y > np.median(y)).astype(np.int64)
        sides = [
            Side("glaswerk", "ours", lambda: DecisionTreeClassifier(**limits, n_jobs=plan.threads).fit(X, label)),
            Side("scikit-learn", "rival", lambda: SklearnClassifier(**limits, random_state=0).fit(X, label)),
        ]
        return compare(sides, plan, lambda found: same_classes(found["glaswerk"], found["scikit-learn"]))

    return Case(name, run)


def same_classes(ours: Any, rival: Any) -> list[Check]:
    tree = rival.tree_
    leaf = tree.children_left < 0
    theirs = float((tree.impurity * tree.weighted_n_node_samples)[leaf].sum())
    own = ours.tree_
    end = own.feature < 0
    mine = float((own.weight - (own.value**2).sum(axis=1) / own.weight)[end].sum())
    whole = float(tree.impurity[0] * tree.weighted_n_node_samples[0])
    return [Check("training impurity, difference of the whole", abs(mine - theirs) / whole, TIES)]


def forest(name: str, n: int, trees: int, kind: tuple[str, Any, Any], plan: Plan) -> Case:
    def run() -> Outcome:
        X, y = continuous(2 * n, 10)
        if kind[0] == "classes":
            y = np.digitize(y, np.median(y, keepdims=True))
        X, y, Z, z = X[:n], y[:n], X[n:], y[n:]
        asked: dict[str, Any] = {"n_jobs": plan.threads, "random_state": 0}
        sides = [
            Side("glaswerk", "ours", lambda: kind[1](trees, **asked).fit(X, y)),
            Side("scikit-learn", "rival", lambda: kind[2](trees, **asked).fit(X, y)),
        ]

        def as_good(found: dict[str, Any]) -> list[Check]:
            lost = found["scikit-learn"].score(Z, z) - found["glaswerk"].score(Z, z)
            return [Check("R², or share right, on new rows below the rival's", float(lost), 0.01)]

        return compare(sides, plan, as_good)

    return Case(name, run)
