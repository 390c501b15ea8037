"""Auto MPG: script E's assignment on trees, one child per value where it asks for it, and binary beside.

RSS least; cuts are midpoints; stop where the error is 0 or n ≤ 5; prune by weakest links, α by cross-validation
[NAN-RSS] [NAN-CUTS] [NAN-10] [NAN-G]
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glaswerk.base import Array, Matrix, Target
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, Printed, beside
from glaswerk.learners import DecisionTreeRegressor
from glaswerk.table import load_auto_mpg

NUMBERS = ("displacement", "horsepower", "weight", "acceleration")
VALUES = ("cylinders", "model_year", "origin")  # for these the assignment wants one child per value
STOP = 6  # least rows of a node that is cut
SHARE = 0.2  # of the rows held out
EXAMPLE = (10.0, 12.0, 13.0, 44.0, 50.0)


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to grow on and rows held out."""

    X: Matrix
    y: Target
    new: Matrix
    truth: Array

    @classmethod
    def of(cls, X: Array, y: Array, names: tuple[str, ...], target: str, seed: int) -> "Split":
        """A fifth held out: with seed 0 the very rows behind the numbers page, which scikit-learn drew."""
        order = np.random.RandomState(seed).permutation(len(y))
        held, kept = np.split(order, [int(np.ceil(SHARE * len(y)))])
        return cls(Matrix.of(X[kept], names), Target.of(y[kept], target), Matrix.of(X[held], names), y[held])

    def rmse(self, model: DecisionTreeRegressor) -> tuple[float, float]:
        """On the rows grown on, and on those held out."""
        pairs = ((self.X, np.asarray(self.y)), (self.new, self.truth))
        train, test = (float(np.sqrt(np.mean((model.predict(X) - y) ** 2))) for X, y in pairs)
        return train, test

    def by_mean(self) -> float:
        return float(np.sqrt(np.mean((self.truth - float(np.mean(self.y))) ** 2)))


def cars() -> tuple[Array, Array, tuple[str, ...]]:
    """The 392 cars whose horsepower is known; origin as its number."""
    table = load_auto_mpg()
    names = (*NUMBERS, *VALUES)
    columns = []
    for name in names:
        column = table[name]
        columns.append(column.numbers() if column.kind.value == "number" else column.codes().astype(np.float64))
    X, y = np.column_stack(columns), table["mpg"].numbers()
    known = np.isfinite(X).all(axis=1) & np.isfinite(y)
    return X[known], y[known], names


def grown(split: Split, **asked: Any) -> DecisionTreeRegressor:
    """The full tree under the stop rule, its sequence, and the pruned tree of least error on rows left out."""
    return DecisionTreeRegressor(min_samples_split=STOP, ccp_alpha="cv", **asked).fit(split.X, split.y)


def line_of(name: str, model: DecisionTreeRegressor, split: Split) -> tuple[Any, ...]:
    """What the numbers page lists of a tree."""
    full, choice = model.prune_to(alpha=0.0), model.choice_
    assert choice is not None
    at = choice.chosen
    cv = float(np.sqrt(choice.error[at]))
    return (
        name, full.get_n_leaves(), full.get_depth(), len(choice.alpha), *split.rmse(full), float(choice.alpha[at]),
        model.get_n_leaves(), cv, split.rmse(model)[1], split.by_mean(),
    )  # fmt: skip


HEADS = (
    "tree", "leaves", "depth", "trees of the sequence", "RMSE, rows grown on", "RMSE, held out", "α chosen (RSS)",
    "leaves kept", "RMSE by cross-validation", "RMSE pruned, held out", "RMSE of the mean, held out",
)  # fmt: skip


def judged(title: str, found: Mapping[str, tuple[DecisionTreeRegressor, Split]], notes: tuple[str, ...]) -> Table:
    return Table(title, HEADS, tuple(line_of(name, *pair) for name, pair in found.items()), notes)


def run(seed: int) -> list[Fact]:
    """The cuts of the example, the three trees, their errors along the sequence, the tree with a child per value."""
    X, y, names = cars()
    plain = Split.of(X, y, names, "mpg", seed)
    coded = np.column_stack([X[:, :-1], X[:, -1:] == np.unique(X[:, -1])])
    one_hot = Split.of(coded, y, (*names[:-1], *(f"origin_{k}" for k in range(3))), "mpg", seed)
    found = {
        "binary, origin as three columns": (grown(one_hot), one_hot),
        "binary, origin in two sets": (grown(plain, categorical_features=["origin"]), plain),
        "one child per value": (
            grown(plain, categorical_features=list(VALUES), categorical_splits="levels"), plain,
        ),
    }  # fmt: skip
    multiway, binary = found["one child per value"][0], found["binary, origin in two sets"][0]
    notes = (
        "Stop rule: error 0 or n ≤ 5. Children without rows do not exist; a value that a node did not see goes to its "
        "largest child.",
        "The assignment cuts one node a step; nodes of equal g go at once here, so that the sequence is shorter.",
    )
    return [
        cuts(),
        judged("Trees for miles per gallon", found, notes),
        *(
            replace(curve, title=f"Pruned trees, {name}")
            for name, model in (("one child per value", multiway), ("binary", binary))
            for curve in model.facts().of_kind(Curve)
        ),
        replace(multiway.tree_fact(), title="Miles per gallon, one child per value"),
        replace(binary.prune_to(leaves=8).tree_fact(), title="Miles per gallon, binary, at most 8 leaves"),
        Statement("What is to be seen", told(found)),
    ]


def cuts() -> Table:
    """[NAN-CUTS] The example of the assignment: midpoints of consecutive distinct values."""
    tree = DecisionTreeRegressor().fit(np.array(EXAMPLE)[:, None], [1.0, 7.0, 2.0, 9.0, 4.0]).tree_
    obtained = np.sort(tree.threshold[tree.feature >= 0]).tolist()
    rows = [Printed(f"cut {k + 1}", text, cut) for k, (text, cut) in enumerate(zip(
        ("11", "12.5", "28.5", "47"), obtained, strict=True))]  # fmt: skip
    return beside("Cuts of {10, 12, 13, 44, 50}, printed and obtained", rows)


def told(found: Mapping[str, tuple[DecisionTreeRegressor, Split]]) -> tuple[str, ...]:
    lines = {name: line_of(name, *pair) for name, pair in found.items()}
    best = min(lines, key=lambda name: lines[name][-2])
    worst = max(lines, key=lambda name: lines[name][-2])
    root = {name: model.tree_fact() for name, (model, _) in found.items()}
    return (
        f"Held out, the pruned tree is best when {best} ({lines[best][-2]:.3g}), worst when {worst} "
        f"({lines[worst][-2]:.3g}); one split of 79 rows ranks nothing by such differences.",
        "The root asks for "
        + "; ".join(f"{fact.question(0)} ({name})" for name, fact in root.items())
        + ". One child per value spends rows fast: every value gains a little, and each child starts with fewer rows.",
        "All full trees repeat their rows far better than they foretell new ones: RMSE "
        + ", ".join(f"{row[4]:.3g} against {row[5]:.3g}" for row in lines.values())
        + ".",
    )


LAB = Lab(
    rows=("R158", "R98", "R99", "R100", "R111", "R112"),
    script="E, 3.2 and 3.3: regression trees",
    says="miles per gallon twice, one child per value and binary: full, pruned by weakest links, α by cross-validation",
    run=run,
)
