"""Trees on other tables: heavy tails, categories, more rows; and against one tree of LightGBM."""

import importlib.util
import math
import os
from typing import Any

import numpy as np
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeRegressor as SklearnRegressor

from benchmarks.claims.trees import continuous
from benchmarks.harness import Case, Check, Line, NotRun, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side, interleaved
from glaswerk import DecisionTreeRegressor
from glaswerk.base import Matrix

SENTENCE = (
    "an exact tree minds neither tails nor categories nor rows, and is grown in half the time of a tree by LightGBM"
)
RIVAL_THREADS = 2
DEEP: dict[str, Any] = {"max_depth": 8}


def cases(plan: Plan) -> list[Case]:
    n, small, large = (5_000, 1_000, 10_000) if plan.quick else (100_000, 10_000, 1_000_000)
    return [
        Case(f"{n} x 10, heavy tails against Gaussian, depth 8", lambda: tails(n, DEEP, plan)),
        Case(f"{n} x 10, heavy tails against Gaussian, fully grown", lambda: tails(n, {}, plan)),
        Case(f"{n} x 10, depth 8, one tree of LightGBM with two threads", lambda: lightgbm(n, plan)),
        Case(f"{small} to {large} rows x 10, fully grown, exponent", lambda: exponent(small, large, plan)),
        Case(f"{n // 5} x 10, 64 levels, depth 8, one-hot", lambda: categories(n // 5, plan)),
    ]


def seconds(sides: list[Side], plan: Plan) -> tuple[list[float], tuple[Line, ...]]:
    timed = interleaved(sides, plan.rounds, plan.case_seconds)
    return [t.spread.median for t in timed], tuple(
        Line(t.side.name, t.side.kind, t.spread.median, "s", t.spread) for t in timed
    )


def tails(n: int, limits: dict[str, Any], plan: Plan) -> Outcome:
    """The same rows, every column to the ninth power: the tree stays, so only the columns' shape tells in the time."""
    X, y = continuous(n, 10)
    heavy, model = X**9, DecisionTreeRegressor(**limits, n_jobs=plan.threads)
    sides = [
        Side("heavy tails", "ours", lambda: DecisionTreeRegressor(**limits, n_jobs=plan.threads).fit(heavy, y)),
        Side("Gaussian", "peer", lambda: DecisionTreeRegressor(**limits, n_jobs=plan.threads).fit(X, y)),
    ]
    (slow, fast), lines = seconds(sides, plan)
    nodes = model.fit(X, y).tree_.nodes - model.fit(heavy, y).tree_.nodes
    return Outcome(slow / fast, "x", lines, (Check("nodes, difference", abs(nodes), 0),))


def exponent(small: int, large: int, plan: Plan) -> Outcome:
    X, y = continuous(large, 10)
    sides = [
        Side(f"{n} rows", "ours", lambda n=n: DecisionTreeRegressor(n_jobs=plan.threads).fit(X[:n], y[:n]))
        for n in (small, large)
    ]
    (few, many), lines = seconds(sides, plan)
    return Outcome(math.log(many / few) / math.log(large / small), "", lines)


def lightgbm(n: int, plan: Plan) -> Outcome:
    if importlib.util.find_spec("lightgbm") is None:
        raise NotRun("lightgbm is not installed")
    rival = importlib.import_module("lightgbm")
    asked: dict[str, Any] = {
        "n_estimators": 1, "learning_rate": 1.0, "num_leaves": 256, "max_depth": 8, "min_child_samples": 1,
        "min_child_weight": 0.0, "n_jobs": min(RIVAL_THREADS, os.cpu_count() or 1), "verbose": -1,
    }  # fmt: skip
    X, y = continuous(n, 10)
    sides = [
        Side("glaswerk", "ours", lambda: DecisionTreeRegressor(**DEEP, n_jobs=1).fit(X, y)),
        Side("LightGBM, 255 bins", "rival", lambda: rival.LGBMRegressor(**asked).fit(X, y)),
    ]

    def as_good(found: dict[str, Any]) -> list[Check]:
        errors = [float(((model.predict(X) - y) ** 2).mean()) for model in found.values()]
        return [Check("training error above LightGBM's, relative", errors[0] / errors[1] - 1, 0.01)]

    return compare(sides, plan, as_good)


def by_level(n: int, levels: int) -> tuple[Array, Array]:
    """Ten columns of codes; the target depends on effects of three columns' levels that have no order."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, levels, (n, 10)).astype(np.float64)
    effect = rng.normal(size=(3, levels))
    return X, sum(effect[j][X[:, j].astype(int)] for j in range(3)) + rng.normal(size=n)


def categories(n: int, plan: Plan) -> Outcome:
    """Neither side's coding is timed: flags there, codes here."""
    X, y = by_level(n, 64)
    flags = OneHotEncoder(sparse_output=False, dtype=np.float32).fit_transform(X)
    limits: dict[str, Any] = {**DEEP, "min_samples_leaf": 20}
    table = Matrix.of(X, [f"c{j}" for j in range(10)], levels=(tuple(map(str, range(64))),) * 10)
    own = {**limits, "n_jobs": plan.threads}
    sides = [
        Side("glaswerk, categories as they are", "ours", lambda: DecisionTreeRegressor(**own).fit(table, y)),
        Side("scikit-learn, one-hot", "rival", lambda: SklearnRegressor(**limits, random_state=0).fit(flags, y)),
    ]

    def better(found: dict[str, Any]) -> list[Check]:
        ours, rival = found.values()
        return [Check("R² below the rival's", float(rival.score(flags, y) - ours.score(table, y)), 0.0)]

    return compare(sides, plan, better)
