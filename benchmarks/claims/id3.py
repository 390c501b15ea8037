"""ID3 from counts against scikit-learn's binary entropy tree on the same codes, both grown to the end."""

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier as SklearnTree

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.base import Matrix
from glaswerk.learners import ID3Classifier

SENTENCE = "ID3Classifier takes a tenth of the time of scikit-learn's binary tree on the same codes"
OURS, RIVAL = "glaswerk ID3Classifier", "scikit-learn DecisionTreeClassifier, entropy"
SIZES = ((20_000, 10, 5, 0.0), (20_000, 10, 5, 0.05), (20_000, 10, 5, 0.5), (200_000, 20, 8, 0.05))


def cases(plan: Plan) -> list[Case]:
    sizes = ((2_000, 10, 5, 0.05),) if plan.quick else SIZES
    return [
        Case(f"{n} x {d}, {v} values, {noise:.0%} of labels drawn", lambda a=(n, d, v, noise): speed(*a, plan))
        for n, d, v, noise in sizes
    ]


def codes_of_classes(n: int, d: int, values: int, noise: float) -> tuple[Array, Array]:
    """Even codes; three classes by an interaction of three columns; a share of the labels drawn by chance."""
    rng = np.random.default_rng([n, d, values])
    X = rng.integers(0, values, (n, d))
    y = (X[:, 0] + X[:, 1] * X[:, 2]) % 3
    return X.astype(float), np.where(rng.random(n) < noise, rng.integers(0, 3, n), y)


def speed(n: int, d: int, values: int, noise: float, plan: Plan) -> Outcome:
    X, y = codes_of_classes(n, d, values, noise)
    table = Matrix.of(X, [f"c{j}" for j in range(d)], levels=(tuple(map(str, range(values))),) * d)
    sides = [
        Side(OURS, "ours", lambda: ID3Classifier().fit(table, y)),
        Side(RIVAL, "rival", lambda: SklearnTree(criterion="entropy", random_state=0).fit(X, y)),
    ]

    def checks(answers: dict[str, Any]) -> list[Check]:
        ours, theirs = answers[OURS].score(table, y), answers[RIVAL].score(X, y)
        return [Check("training accuracy below scikit-learn's", max(0.0, theirs - ours), 0.0)]

    outcome = compare(sides, plan, checks)
    model, rival = ID3Classifier().fit(table, y), SklearnTree(criterion="entropy", random_state=0).fit(X, y)
    return outcome.noting(f"{model.tree_.nodes:,} nodes, {rival.tree_.node_count:,} of the binary tree")
