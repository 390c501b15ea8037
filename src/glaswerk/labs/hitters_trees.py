"""Hitters: regression trees on one and two columns by depth, as the slides of script D show them, and the cost misread.

RSS(left) + RSS(right) least; a leaf predicts its mean                                [NAN-RSS] [SCH-COST] [SCH-LEAF]
"""

from dataclasses import replace

import numpy as np

from glaswerk.base import Array, Matrix, Target
from glaswerk.explain import tree_shapes
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, Printed, beside, line
from glaswerk.learners import DecisionTreeRegressor
from glaswerk.table import load_hitters

DEPTHS: tuple[int | None, ...] = (1, 2, 3, 4, 5, None)


def players() -> tuple[Array, Array]:
    """Years and hits of the 263 players whose salary is known, and that salary in thousand dollars."""
    table = load_hitters()
    columns = [np.array(table[name].series.to_list(), dtype=np.float64) for name in ("Years", "Hits", "Salary")]
    cells = np.column_stack(columns)
    known = cells[np.isfinite(cells).all(axis=1)]
    return known[:, :2], known[:, 2]


def run(_seed: int) -> list[Fact]:
    """One column by depth, two columns by depth, and the root that the printed cost would choose."""
    X, y = players()
    salary = Target.of(y, "Salary")
    years, both = Matrix.of(X[:, :1], ("Years",)), Matrix.of(X, ("Years", "Hits"))
    one = [DecisionTreeRegressor(max_depth=depth).fit(years, salary) for depth in DEPTHS]
    two = [DecisionTreeRegressor(max_depth=depth).fit(both, salary) for depth in DEPTHS]
    wrong = misread_root(X[:, 0], y)
    told = (
        f"Read literally, the printed cost weights sums of squares by m/m: its best cut of Years is {wrong:g}. The "
        "slides' cut 4.5 comes from the mean squared errors, which weighted by their rows are the plain RSS.",
        "The deepest tree on Years has a leaf for each of its values: it repeats the data.",
        "The slides say that every value of Years but the last has two salaries; Years = 19 has one player too.",
    )
    return [
        printed(one, two),
        by_depth(one, two),
        steps(X[:, 0], y, one),
        tree_shapes(load_hitters(), "Salary", ["Years"], depths=DEPTHS, chosen=2),
        tree_shapes(load_hitters(), "Salary", ["Years", "Hits"], depths=DEPTHS, chosen=2),
        replace(one[1].tree_fact(), title="Salary by Years, depth 2"),
        replace(two[2].tree_fact(), title="Salary by Years and Hits, depth 3"),
        Statement("What is to be seen", told),
    ]


def printed(one: list[DecisionTreeRegressor], two: list[DecisionTreeRegressor]) -> Table:
    """The slides' numbers."""
    years = one[0].tree_
    rows = (
        Printed("Years, depth 1: cut", "4.5", float(years.threshold[0])),
        Printed("Years, depth 5: steps", "14", float(one[4].get_n_leaves())),
        Printed("Years, no limit: steps", "21", float(one[5].get_n_leaves()), "one for each value of Years"),
        Printed("Years and Hits, depth 1: cut", "4.5", float(two[0].tree_.threshold[0]), "Hits is not asked for"),
    )
    return beside("Hitters, printed and obtained", rows)


def by_depth(one: list[DecisionTreeRegressor], two: list[DecisionTreeRegressor]) -> Table:
    """Leaves and error of every tree."""
    X, y = players()
    years, both = Matrix.of(X[:, :1], ("Years",)), Matrix.of(X, ("Years", "Hits"))
    rows = tuple(
        (
            "no limit" if depth is None else str(depth), a.get_n_leaves(), rmse(a, years, y), b.get_n_leaves(),
            rmse(b, both, y),
        )
        for depth, a, b in zip(DEPTHS, one, two, strict=True)
    )  # fmt: skip
    heads = (
        "depth",
        "steps over Years",
        "training RMSE",
        "rectangles over Years and Hits",
        "training RMSE, two columns",
    )
    return Table("Trees by depth", heads, rows)


def rmse(model: DecisionTreeRegressor, X: Array, y: Array) -> float:
    return float(np.sqrt(np.mean((model.predict(X) - y) ** 2)))


def steps(years: Array, y: Array, models: list[DecisionTreeRegressor]) -> Curve:
    """The players and the step functions of some depths."""
    x = np.arange(years.min(), years.max() + 1.01, 0.5)
    chosen = [(depth, m) for depth, m in zip(DEPTHS, models, strict=True) if depth in (1, 3, None)]
    named = [("no limit" if depth is None else f"depth {depth}", m) for depth, m in chosen]
    lines = (
        line("players", years, y, "points"),
        *(line(n, x, m.predict(Matrix.of(x[:, None], ("Years",))), "steps") for n, m in named),
    )
    says = "Each level of the tree may cut every step once more; without a limit the steps follow single players."
    return Curve("Salary over years: step functions (script D)", "Years", "Salary", lines, says)


def misread_root(x: Array, y: Array) -> float:
    """The cut that the printed cost, m₁/m SSE₁ + m₂/m SSE₂, would choose."""
    values = np.unique(x)
    cuts = (values[1:] + values[:-1]) / 2
    costs = [
        sum((p := y[side]).size / y.size * float(((p - p.mean()) ** 2).sum()) for side in (x <= c, x > c)) for c in cuts
    ]
    return float(cuts[int(np.argmin(costs))])


LAB = Lab(
    rows=("R156", "R115", "R97"),
    script="D, decision trees: Hitters",
    says="salaries of baseball players: step functions over one column and rectangles over two, by depth",
    run=run,
)
