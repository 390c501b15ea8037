"""What a tree makes of one column or two: its steps, its rectangles, their surface, for one depth after the other.

A tree over one column is a step function, over two a plane of rectangles [SCH-LEAF]. Rows without one of the columns,
or without the target, are left out. Cost: one tree per depth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, Matrix, Target
from glaswerk.explain.answering import few_of
from glaswerk.facts import Curve, Fact, Line, Region, Regions, Slider, Steps
from glaswerk.learners import DecisionTreeClassifier, DecisionTreeRegressor
from glaswerk.model.task import decide_task
from glaswerk.scoring import accuracy_score
from glaswerk.table import Kind, TableError, read_table
from glaswerk.trees.grown import Grown

DEPTHS: tuple[int | None, ...] = (1, 2, 3, 5, None)
MOST_POINTS = 1_000
MARGIN = 0.04  # of the range, beyond the outermost rows


@dataclass(frozen=True, eq=False)
class Seen:
    """Rows over one column or two, with their target: numbers, or names of classes."""

    X: Array
    y: NDArray[Any]
    names: tuple[str, ...]
    target: str
    classes: tuple[str, ...]
    dropped: int

    @classmethod
    def of(cls, table: Any, target: str, columns: Sequence[str]) -> "Seen":
        typed = read_table(table)
        if len(columns) not in (1, 2) or target in columns:
            raise TableError(f"columns must name one column or two beside the target, got {list(columns)}")
        for name in columns:
            if typed[name].kind not in (Kind.NUMBER, Kind.DATE):
                raise TableError(f"column {name!r} holds {typed[name].kind}: steps and rectangles need numbers")
        task = decide_task(typed[target])
        truth, missing = task.truth(typed[target])
        X = np.column_stack([typed[name].numbers() for name in columns])
        there = np.isfinite(X).all(axis=1) & ~missing
        if not there.any():
            raise TableError(f"no row has {', '.join(columns)} and {target}")
        return cls(X[there], truth[there], tuple(columns), target, task.classes, int((~there).sum()))

    def tree(self, **asked: Any) -> DecisionTreeClassifier | DecisionTreeRegressor:
        """The tree of these rows."""
        kind = DecisionTreeClassifier if self.classes else DecisionTreeRegressor
        return kind(**asked).fit(Matrix.of(self.X, self.names), Target.of(self.y, self.target))

    def turned(self, degrees: float) -> "Seen":
        """The same rows after a turn of their plane."""
        angle = np.deg2rad(degrees)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return replace(self, X=self.X @ turn)

    def score(self, model: Any) -> str:
        """How well the tree repeats its own rows, in words."""
        found = model.predict(Matrix.of(self.X, self.names))
        if self.classes:
            return f"{100 * accuracy_score(self.y, found):.3g} % of its own rows right"
        return f"RMSE {np.sqrt(np.mean((found - self.y) ** 2)):.4g} on its own rows"

    @property
    def notes(self) -> tuple[str, ...]:
        words = f"{self.dropped} rows without one of these columns or the target are left out"
        return (words,) if self.dropped else ()


def tree_shapes(
    table: Any, target: str, columns: Sequence[str], *, depths: Sequence[int | None] = DEPTHS, chosen: int = 1
) -> Steps:
    """Step functions (one column) or rectangles and surfaces (two), one place of a slider for each depth.

    depths : greatest depths, None for no limit. chosen : the place shown first.

    >>> from glaswerk import load_hitters
    >>> tree_shapes(load_hitters(), "Salary", ["Years"], depths=(1, 5)).says[1]
    'depth 5: 14 steps, RMSE 372.2 on its own rows'
    """
    rows = Seen.of(table, target, columns)
    models = [rows.tree(max_depth=depth) for depth in depths]
    one = len(columns) == 1
    what = "steps" if one else "rectangles"
    words = ["no limit" if depth is None else f"depth {depth}" for depth in depths]
    facts = [steps_of(rows, m, w) if one else planes_of(rows, m, w) for m, w in zip(models, words, strict=True)]
    says = [
        f"{word}: {model.get_n_leaves()} {what}, {rows.score(model)}" for word, model in zip(words, models, strict=True)
    ]
    title = f"A tree for {target} over {' and '.join(columns)}, deeper and deeper"
    slider = Slider("greatest depth", tuple(words))
    return Steps(title, (slider,), tuple(facts), tuple(says), min(chosen, len(words) - 1), rows.notes)


def steps_of(rows: Seen, model: Any, word: str) -> tuple[Fact, ...]:
    """The step function over one column: means, or the shares of the classes."""
    tree: Grown = model.tree_
    cuts = np.unique(tree.threshold[tree.feature >= 0])
    low, high = _ends(rows.X[:, 0])
    at = np.concatenate([[low], cuts, [high]])
    inside = np.concatenate([(at[1:] + at[:-1]) / 2, [high]])[:, None]
    title = f"{rows.target} over {rows.names[0]}, {word}"
    x = tuple(at.tolist())
    if rows.classes:
        shares = model.predict_proba(Matrix.of(inside, rows.names))
        lines = tuple(
            Line(str(name), x, tuple(shares[:, k].tolist()), form="steps") for k, name in enumerate(model.classes_)
        )
        return (Curve(title, rows.names[0], "share of the class", lines),)
    some = few_of(len(rows.y), MOST_POINTS)
    cloud = Line("rows", tuple(rows.X[some, 0].tolist()), tuple(rows.y[some].tolist()), form="points")
    answers = model.predict(Matrix.of(inside, rows.names))
    steps = Line("the tree", x, tuple(answers.tolist()), form="steps")
    return (Curve(title, rows.names[0], rows.target, (cloud, steps)),)


def planes_of(rows: Seen, model: Any, word: str) -> tuple[Fact, ...]:
    """The rectangles over two columns, and for numbers the surface of their steps."""
    flat = regions_of(rows, model, f"{rows.target} over {' and '.join(rows.names)}, {word}")
    if rows.classes:
        return (flat,)
    solid = replace(flat, solid=True, points=(), title=f"The surface of {rows.target}, {word}")
    return flat, solid


def regions_of(rows: Seen, model: Any, title: str) -> Regions:
    """The plane as the tree cuts it; what lies behind comes first, so that a surface can be painted in this order."""
    tree: Grown = model.tree_
    answer = tree.value.argmax(axis=1).astype(np.float64) if rows.classes else tree.value[:, 0]
    ends = [_ends(rows.X[:, k]) for k in (0, 1)]
    found: list[Region] = []
    waiting = [(0, (*ends[0], *ends[1]))]
    while waiting:
        node, (left, right, below, above) = waiting.pop()
        if tree.feature[node] < 0:
            found.append(Region(left, right, below, above, float(answer[node]), int(tree.samples[node])))
            continue
        cut, first = float(tree.threshold[node]), int(tree.child_start[node])
        low, high = int(tree.child[first]), int(tree.child[first + 1])
        if tree.feature[node] == 0:  # the left part is painted first, the upper part before the lower one
            waiting += [(high, (cut, right, below, above)), (low, (left, cut, below, above))]
        else:
            waiting += [(low, (left, right, below, cut)), (high, (left, right, cut, above))]
    some = few_of(len(rows.y), MOST_POINTS)
    names = [str(name) for name in model.classes_] if rows.classes else []
    group = np.searchsorted(model.classes_, rows.y[some]) if rows.classes else rows.y[some]
    points = zip(rows.X[some, 0].tolist(), rows.X[some, 1].tolist(), map(float, group), strict=True)
    says = f"{len(found)} rectangles, {rows.score(model)}."
    x, y = rows.names
    return Regions(title, x, y, rows.target, tuple(names), tuple(found), tuple(points), len(rows.y), says=says)


def _ends(x: Array) -> tuple[float, float]:
    """A little beyond the outermost values."""
    low, high = float(x.min()), float(x.max())
    pad = MARGIN * (high - low) or 0.5
    return low - pad, high + pad
