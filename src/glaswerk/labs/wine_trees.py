"""Wine quality: script E's full and pruned regression trees on both wines, and what repeated rows make of the error.

Stop where the error is 0 or n ≤ 5; prune by weakest links, α by cross-validation                     [NAN-10] [NAN-G]
"""

import os
from dataclasses import replace
from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.auto_mpg_trees import Split, grown, judged
from glaswerk.labs.lab import Lab
from glaswerk.table import TableError, load_wine_quality

TARGET = "quality"
FILES = ("winequality-red.csv", "winequality-white.csv")
SPLITS = 5
GET = (
    "the wines cannot come along with Glaswerk. Save winequality-red.csv and winequality-white.csv of "
    "https://archive.ics.uci.edu/dataset/186/wine+quality in one folder and give it: "
    "`glaswerk lab run wine-trees --data FOLDER`, in Python run_lab('wine-trees', data=…)"
)


def wines(colour: str, folder: str | os.PathLike[str] | None) -> tuple[Array, Array, tuple[str, ...]]:
    """Eleven measures of every wine, and its quality."""
    try:
        table = load_wine_quality(colour, None if folder is None else _file(folder, colour))
    except TableError as error:
        raise TableError(f"{error}. For this lab: {GET}") from error
    names = tuple(name for name in table.names if name != TARGET)
    return np.column_stack([table[name].numbers() for name in names]), table[TARGET].numbers(), names


def _file(folder: str | os.PathLike[str], colour: str) -> str:
    """The file of a colour in the folder, by its own name or by ours."""
    known = [os.path.join(folder, name) for name in (f"winequality-{colour}.csv", f"wine_quality_{colour}.csv")]
    return next((path for path in known if os.path.exists(path)), known[0])


def run(seed: int, data: str | os.PathLike[str] | None) -> list[Fact]:
    """Both wines: the numbers of the full and the pruned tree, errors along the sequence, repeated rows."""
    tables = {colour: wines(colour, data) for colour in ("red", "white")}
    splits = {colour: Split.of(X, y, names, TARGET, seed) for colour, (X, y, names) in tables.items()}
    found = {f"{colour} wine": (grown(split), split) for colour, split in splits.items()}
    notes = ("Stop rule: error 0 or n ≤ 5. A fifth of the rows is held out; α is chosen by ten folds of the others.",)
    again = repeated(tables, seed)
    return [
        judged("Trees for the quality of wine", found, notes),
        *(
            replace(curve, title=f"Pruned trees, {name}")
            for name, (model, _) in found.items()
            for curve in model.facts().of_kind(Curve)
        ),
        replace(found["red wine"][0].tree_fact(), title="Quality of red wine, pruned"),
        again,
        Statement("What is to be seen", told(again)),
    ]


def repeated(tables: dict[str, tuple[Array, Array, tuple[str, ...]]], seed: int) -> Table:
    """Held-out errors over some splits, with all rows and with every row once."""
    rows = []
    for colour, (X, y, names) in tables.items():
        _, first = np.unique(np.column_stack([X, y]), axis=0, return_index=True)
        for what, some in (("all rows", np.arange(len(y))), ("every row once", np.sort(first))):
            full, pruned = _errors(X[some], y[some], names, seed)
            rows.append((f"{colour}, {what}", len(some), *_mean(full), *_mean(pruned)))
    heads = ("wine", "rows", "RMSE, full tree", "its deviation", "RMSE, pruned tree", "its deviation ")
    return Table(f"Rows that are there twice ({SPLITS} splits)", heads, tuple(rows))


def _errors(X: Array, y: Array, names: tuple[str, ...], seed: int) -> tuple[list[float], list[float]]:
    full, pruned = [], []
    for k in range(SPLITS):
        split = Split.of(X, y, names, TARGET, seed + k)
        model = grown(split)
        full.append(split.rmse(model.prune_to(alpha=0.0))[1])
        pruned.append(split.rmse(model)[1])
    return full, pruned


def _mean(values: list[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1))


def told(again: Table) -> tuple[str, ...]:
    found: dict[str, Any] = {str(row[0]): row[1:] for row in again.rows}
    white, once = found["white, all rows"], found["white, every row once"]
    return (
        f"Of {white[0]} white wines {white[0] - once[0]} repeat another one. Rows that lie on both sides of a split "
        f"flatter a tree that learns them by heart: without them the error of the full tree goes from {white[1]:.3g} "
        f"to {once[1]:.3g}, that of the pruned one from {white[3]:.3g} to {once[3]:.3g}.",
        "A full tree repeats its rows and loses to a pruned one with a tenth of its leaves or fewer.",
    )


LAB = Lab(
    rows=("R158", "R108", "R110", "R112"),
    script="E, 3.3: pruning of regression trees",
    says="red and white wines: full and pruned trees, errors along the sequence, rows that are there twice",
    run=run,
    data="a folder with winequality-red.csv and winequality-white.csv",
)
