"""The regions of one neighbour and of many: every row's own cell, and how votes smooth the border."""

import numpy as np

from glaswerk.facts import Fact, Surface, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import KNeighborsClassifier

ROWS, GRID, NUMBERS = 60, 36, (1, 7)


def run(seed: int) -> list[Fact]:
    """Two overlapping moons: shares of the vote over the plane for one neighbour and for seven."""
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0, np.pi, ROWS)
    y = np.arange(ROWS) % 2
    X = np.column_stack([np.cos(turn) + y, np.sin(turn) * (1 - 2 * y) + 0.35 * y]) + 0.22 * rng.normal(size=(ROWS, 2))
    low, high = X.min(axis=0) - 0.2, X.max(axis=0) + 0.2
    x1, x2 = np.linspace(low[0], high[0], GRID), np.linspace(low[1], high[1], GRID)
    grid = np.array([(a, b) for b in x2 for a in x1])
    clouds = tuple(line(f"class {k}", X[y == k, 0], X[y == k, 1], "points") for k in (0, 1))
    facts: list[Fact] = []
    rows = []
    for k in NUMBERS:
        model = KNeighborsClassifier(k).fit(X, y)
        share = model.predict_proba(grid)[:, 1].reshape(GRID, GRID)
        title = f"The vote of {k} neighbour{'s' if k > 1 else ''}"
        ends = tuple(x1.tolist()), tuple(x2.tolist())
        facts.append(Surface(title, "x₁", "x₂", "share for class 1", *ends, tuple(map(tuple, share.tolist())), clouds))
        rows.append((k, 1.0 - model.score(X, y), float(model.leave_one_out_scores(k)[k - 1])))
    heads = ("neighbours", "wrong on the rows themselves", "wrong when left out")
    return [
        Table("Wrong rows", heads, tuple(rows), ("One neighbour is never wrong on its own rows.",)),
        *facts,
    ]


LAB = Lab(
    rows=("R121", "R123"),
    script="C, 2.8, k-nächste Nachbarn",
    says="the regions that one neighbour and seven cut out of the plane",
    run=run,
)
