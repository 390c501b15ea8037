"""Iris: trees on the sepals by depth, the wrong leaf of the slides, a root that is a tie, a turn by twenty degrees.

Gini 1 - Σ p²; the cut whose parts have the least weighted mean of it                       [SCH-GINI] [SCH-GAIN]
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, Matrix, Target
from glaswerk.explain import instability, rotation, tree_nodes, tree_shapes
from glaswerk.facts import Fact, Statement, Table
from glaswerk.labs.lab import Lab, Printed, beside
from glaswerk.learners import DecisionTreeClassifier
from glaswerk.model import TableProblem
from glaswerk.table import load_iris

SEPAL, PETAL = ("sepal_length", "sepal_width"), ("petal_length", "petal_width")
DEPTHS: tuple[int | None, ...] = (1, 2, 3, 5, None)
TURN = 20.0  # degrees
REMOVED = (4.8, 1.8)  # the Versicolor that the slide takes away
RESAMPLES = 100

Labels = NDArray[Any]


def flowers(names: tuple[str, str]) -> tuple[Array, Labels]:
    """Two measures of the 150 flowers, and their species."""
    table = load_iris()
    X = np.column_stack([np.array(table[name].series.to_list(), dtype=np.float64) for name in names])
    return X, np.array(table["species"].series.to_list())


def tree(X: Array, y: Labels, names: tuple[str, str], depth: int | None) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_depth=depth).fit(Matrix.of(X, names), Target.of(y, "species"))


def run(seed: int) -> list[Fact]:
    """Sepals by depth, the leaf set right, the tie at the root of the petals, one row less, resamples, the turn."""
    X, y = flowers(SEPAL)
    petals, _ = flowers(PETAL)
    trees = [tree(X, y, SEPAL, depth) for depth in DEPTHS]
    straight, table = tree(petals, y, PETAL, 2), load_iris()
    problem = TableProblem(table.select([*PETAL, "species"]), "species")
    return [
        printed(trees),
        by_depth(trees, X, y),
        replace(trees[1].tree_fact(), title="Species by sepals, depth 2"),
        tree_nodes(trees[2], leaves=True),
        tree_shapes(table, "species", SEPAL, depths=DEPTHS),
        replace(straight.tree_fact(), title="Species by petals, depth 2"),
        *instability(DecisionTreeClassifier(max_depth=2), problem, resamples=RESAMPLES, seed=seed),
        *rotation(table, "species", PETAL, degrees=TURN),
        Statement("What is to be seen", told(straight, petals, y)),
    ]


def printed(trees: list[DecisionTreeClassifier]) -> Table:
    """The slides' numbers."""
    one, two = trees[0].tree_, trees[1]
    gini = 1 - ((one.value / one.weight[:, None]) ** 2).sum(axis=1)
    leaf = two.tree_.value[two.walked(Matrix.of(np.array([[6.0, 7.0]]), SEPAL))[0]]
    rows = (
        Printed("depth 1: cut of the length", "5.45", float(one.threshold[0])),
        Printed("depth 1: Gini of the root", "0.667", float(gini[0])),
        Printed("depth 1: Gini on the left", "0.237", float(gini[1])),
        Printed("depth 1: Gini on the right", "0.546", float(gini[2])),
        Printed("depth 2: rows of the last leaf", "55", float(two.tree_.samples[-1])),
        Printed("rows in the leaf of (length 6, width 7)", "55", float(leaf.sum()),
                "6 ≤ 6.15: it falls into the leaf before the last, 5 / 28 / 10; (7, 6) falls into the last"),
    )  # fmt: skip
    return beside("Iris, printed and obtained", rows)


def by_depth(trees: list[DecisionTreeClassifier], X: Array, y: Labels) -> Table:
    """Leaves and accuracy of the trees on the sepals."""
    names = ["no limit" if depth is None else str(depth) for depth in DEPTHS]
    rows = tuple(
        (name, m.get_n_leaves(), m.score(Matrix.of(X, SEPAL), y)) for name, m in zip(names, trees, strict=True)
    )
    return Table("Trees on the sepals by depth", ("depth", "leaves", "training accuracy"), rows)


def told(straight: DecisionTreeClassifier, X: Array, y: Labels) -> tuple[str, ...]:
    gone = np.flatnonzero((X == REMOVED).all(axis=1) & (y == "versicolor"))[:1]
    kept = np.delete(np.arange(len(y)), gone)
    less = tree(X[kept], y[kept], PETAL, 2).tree_
    same = bool(less.feature[0] == straight.tree_.feature[0] and less.threshold[0] == straight.tree_.threshold[0])
    return (
        f"The root of the petals is a tie: {straight.tree_fact().tied[0]} gains just as much. A program that draws "
        "lots among equal cuts gives now one tree, now the other; that is the slides' instability.",
        f"Without the Versicolor {REMOVED} the root is {'the same' if same else 'another'} by the fixed rule. That "
        "flower has the largest Versicolor width, not length.",
        "At depth 1 the tree on the sepals predicts Setosa and Virginica, not Setosa and Versicolor.",
    )


LAB = Lab(
    rows=("R157", "R116", "R117", "R115"),
    script="D, decision trees: Iris",
    says="trees on sepals by depth, the leaf set right, a root that is a tie, one row less, resamples, a turn by 20°",
    run=run,
)
