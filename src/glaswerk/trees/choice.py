"""How much to prune: every tree of the sequence judged on rows left out, one growth per fold.

The penalties tried lie inside the ranges of the full tree's own sequence (Breiman et al. 8.5). A row left out walks
down its fold's full tree once; on its way back to the root it meets the prediction of every pruned tree. Cost: one
growth per fold, and the depth per row, whatever the number of trees.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.facts import Curve, Line, Table
from glaswerk.trees.grown import Grown
from glaswerk.trees.pruning import Sequence, collapse_alphas

SHOWN = 200
RULES = {"cv": "that of least error", "1se": "the smallest within one standard error of the least"}


@storable("PruningChoice")
@dataclass(frozen=True, eq=False)
class Choice:
    """The trees of a sequence, full tree first: α (a sum), leaves, training risk, error on rows left out and its error.

    error: mean squared error, or share of mistakes. best: tree of least error; chosen: tree taken by the rule.
    """

    alpha: Array
    leaves: NDArray[np.int64]
    risk: Array
    error: Array
    standard_error: Array
    weight: float
    folds: int
    rule: str
    best: int
    chosen: int
    classes: bool

    def check(self) -> None:
        if not 0 <= self.best < len(self.alpha) or not 0 <= self.chosen < len(self.alpha):
            raise ValueError("the tree chosen is not in the sequence")

    def measured(self, error: Array) -> Array:
        """Root mean squared error, or share of mistakes."""
        return error if self.classes else np.sqrt(error)

    @property
    def name(self) -> str:
        return "share of mistakes" if self.classes else "RMSE"

    def shown(self, most: int = SHOWN) -> NDArray[np.int64]:
        """Which trees a table or a curve lists: all, or some with the two that matter."""
        m = len(self.alpha)
        some = np.linspace(0, m - 1, min(m, most)).round().astype(np.int64)
        return np.unique(np.concatenate([some, [self.best, self.chosen]]))

    def curve(self, title: str, most: int = SHOWN) -> Curve:
        """Per number of leaves the error on rows left out, with a band of one standard error, and on training rows."""
        at = self.shown(most)[::-1]
        x = tuple(self.leaves[at].astype(float).tolist())
        low = self.measured(np.maximum(self.error - self.standard_error, 0.0))[at]
        high = self.measured(self.error + self.standard_error)[at]
        lines = [Line("rows left out", x, _floats(self.measured(self.error)[at]), _floats(low), _floats(high))]
        if not self.classes:
            lines.append(Line("training rows", x, _floats(np.sqrt(self.risk / self.weight)[at])))
        marks = [(float(self.leaves[self.chosen]), "chosen")]
        if self.best != self.chosen:
            marks.append((float(self.leaves[self.best]), "least"))
        kept = int(self.leaves[self.chosen])
        says = (
            f"Of {len(self.alpha)} nested trees the one with {kept} {'leaf' if kept == 1 else 'leaves'} was taken, "
            f"{RULES[self.rule]}: {self.name} {self.measured(self.error)[self.chosen]:.4g} on rows left out "
            f"({self.folds} folds)."
        )
        return Curve(title, "leaves", self.name, tuple(lines), says, "log", "linear", tuple(marks))

    def table(self) -> Table:
        at = self.shown()
        unit = "risk" if self.classes else "RSS"
        columns = ("tree", "leaves", f"α ({unit})", "ccp_alpha (per unit of weight)", unit, f"{self.name}, left out",
                   "standard error of its mean", "")  # fmt: skip
        rows = tuple(
            (int(k) + 1, int(self.leaves[k]), float(self.alpha[k]), float(self.alpha[k] / self.weight),
             float(self.risk[k]), float(self.measured(self.error)[k]), float(self.standard_error[k]), self._mark(k))
            for k in at
        )  # fmt: skip
        return Table("Pruning sequence", columns, rows)

    def _mark(self, k: np.int64) -> str:
        return "chosen" if k == self.chosen else "least error" if k == self.best else ""


def _floats(values: Array) -> tuple[float, ...]:
    return tuple(map(float, values))


def choose(
    path: Sequence, fold: NDArray[np.int64], grow_on: Callable[[NDArray[np.uint32]], Grown], cells: Array, y: Array,
    weight: Array, criterion: str, rule: str, threads: int,
) -> Choice:  # fmt: skip
    """Judge every tree of `path` on the rows left out by each fold; `grow_on(rows)` grows a full tree on some rows."""
    penalties = path.between() / path.weight
    rows = np.arange(len(fold), dtype=np.uint32)
    folds = int(fold.max()) + 1

    def one(k: int) -> Array:
        train, held = rows[fold != k], rows[fold == k]
        if weight.size:
            train, held = train[weight[train] > 0], held[weight[held] > 0]
        own = weight[held] if weight.size else weight
        return errors(grow_on(train), criterion, penalties, cells[held], y[held], own)

    if threads > 1:
        with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
            found = list(pool.map(one, range(folds)))
    else:
        found = [one(k) for k in range(folds)]
    sums = np.cumsum(sum(found), axis=0)[:-1]
    total = path.weight
    error = np.maximum(sums[:, 0] / total, 0.0)
    spread = np.maximum(sums[:, 1] / total - error**2, 0.0)
    standard = np.sqrt(spread / total)
    best = len(error) - 1 - int(np.argmin(error[::-1]))
    within = np.flatnonzero(error <= error[best] + standard[best])
    chosen = best if rule == "cv" else int(within[-1])
    classes = criterion not in ("squared_error", "rss")
    return Choice(path.alpha, path.leaves, path.risk, error, standard, total, folds, rule, best, chosen, classes)


def errors(tree: Grown, criterion: str, penalties: Array, cells: Array, y: Array, weight: Array) -> Array:
    """Σ w e and Σ w e² of these rows, as differences from penalty to penalty."""
    alpha = collapse_alphas(tree, criterion) / tree.weight[0]
    first = np.searchsorted(penalties, alpha, side="left").astype(np.int64)
    if tree.bounds.size:
        parts = np.split(tree.value, tree.bounds[1:], axis=1)
        value = np.stack([part.argmax(axis=1) for part in parts], axis=1).astype(np.float64)
    else:
        value = tree.value
    sums = np.zeros((len(penalties) + 1, 2))
    parent = np.ascontiguousarray(tree.parent, dtype=np.int64)
    value, y = np.ascontiguousarray(value), np.ascontiguousarray(y)
    kernels.path_errors(tree.leaf_of(cells), parent, first, value, y, weight, bool(tree.bounds.size), sums)
    return sums
