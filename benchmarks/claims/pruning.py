"""Pruning and walking: the path, its choice on rows left out, prediction, against scikit-learn's trees."""

from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.tree import DecisionTreeRegressor as SklearnRegressor

from benchmarks.claims.trees import continuous
from benchmarks.harness import Case, Check, NotRun, Outcome, Plan, compare
from benchmarks.timing import Side
from glaswerk import DecisionTreeRegressor

SENTENCE = (
    "the whole pruning path, judged on rows left out, takes a hundredth of the time of a grid of twenty penalties"
)
PENALTIES = 20
NEAR = 1e-9  # relative, of the penalties of both paths


def cases(plan: Plan) -> list[Case]:
    path, choice, rows = (1_000, 500, 20_000) if plan.quick else (30_000, 10_000, 1_000_000)
    return [
        Case(f"path of {path} rows", lambda: whole_path(path, plan)),
        Case(f"choice of {choice} rows, 5 folds", lambda: whole_choice(choice, plan)),
        Case(f"prediction of {rows} rows, fully grown", lambda: prediction(rows, {}, plan)),
        Case(f"prediction of {rows} rows, depth 8", lambda: prediction(rows, {"max_depth": 8}, plan)),
        Case(f"prediction of {rows} rows, fully grown, two threads", lambda: prediction(rows, {}, plan, 2)),
        Case(f"prediction of {rows} rows, depth 8, two threads", lambda: prediction(rows, {"max_depth": 8}, plan, 2)),
    ]


def whole_path(n: int, plan: Plan) -> Outcome:
    """Growth and path together, as scikit-learn's method does it."""
    X, y = continuous(n, 10)
    ours, rival = DecisionTreeRegressor(n_jobs=plan.threads), SklearnRegressor(random_state=0)
    sides = [
        Side("glaswerk", "ours", lambda: ours.cost_complexity_pruning_path(X, y)["ccp_alphas"]),
        Side("scikit-learn", "rival", lambda: rival.cost_complexity_pruning_path(X, y).ccp_alphas),
    ]

    def same(found: dict[str, Any]) -> list[Check]:
        largest = abs(found["glaswerk"][-1] - found["scikit-learn"][-1]) / found["scikit-learn"][-1]
        return [Check("largest penalty, relative difference", float(largest), NEAR)]

    return compare(sides, plan, same)


def whole_choice(n: int, plan: Plan) -> Outcome:
    X, y = continuous(n, 10)
    grid = np.quantile(DecisionTreeRegressor().fit(X, y).pruning_path.ccp_alpha, np.linspace(0, 1, PENALTIES))
    folds = KFold(5, shuffle=True, random_state=0)

    def refits() -> GridSearchCV:
        model, choices = SklearnRegressor(random_state=0), {"ccp_alpha": grid}
        return GridSearchCV(model, choices, cv=folds, n_jobs=plan.threads).fit(X, y)

    asked = {"ccp_alpha": "cv", "folds": 5, "n_jobs": plan.threads}
    sides = [
        Side("glaswerk, every tree of the path", "ours", lambda: DecisionTreeRegressor(**asked).fit(X, y)),
        Side(f"scikit-learn, {PENALTIES} penalties", "rival", refits),
    ]

    def as_good(found: dict[str, Any]) -> list[Check]:
        Z, z = (part[n:] for part in continuous(2 * n, 10))
        ours, rival = (model.score(Z, z) for model in found.values())
        return [Check("R² on new rows below the rival's", float(rival - ours), 0.02)]

    return compare(sides, plan, as_good)


def prediction(n: int, limits: dict[str, Any], plan: Plan, threads: int = 1) -> Outcome:
    if plan.threads < threads:
        raise NotRun(f"run it with --threads {threads}")
    X, y = continuous(n, 10)
    ours = DecisionTreeRegressor(n_jobs=plan.threads, **limits).fit(X[: n // 10], y[: n // 10])
    rival = SklearnRegressor(random_state=0, **limits).fit(X[: n // 10], y[: n // 10])
    sides = [
        Side("glaswerk", "ours", lambda: ours.predict(X)),
        Side("scikit-learn", "rival", lambda: rival.predict(X)),
    ]

    def same(found: dict[str, Any]) -> list[Check]:
        """Of equally good cuts each took its own, so rows differ; the error may not."""
        error = [float(((answer - y) ** 2).mean()) for answer in found.values()]
        return [Check("mean squared error above the rival's, relative", error[0] / error[1] - 1, 0.03)]

    return compare(sides, plan, same)
