"""Many trees on resampled rows: what regression and classification forests share."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array, Estimator, weights
from glaswerk.facts import Curve, Fact, Facts, Line, MethodCard, Table
from glaswerk.passes import available_threads
from glaswerk.scoring.folds import derived_seeds
from glaswerk.trees.cells import Cells
from glaswerk.trees.grown import Grown
from glaswerk.trees.growth import grow
from glaswerk.trees.impurity import shares
from glaswerk.trees.limits import Limits
from glaswerk.trees.model import importances, infinite_cell, target_names
from glaswerk.trees.pruning import collapse_alphas, pruned
from glaswerk.trees.target import Target


@storable("OutOfBag")
@dataclass(frozen=True, eq=False)
class OutOfBag:
    """What the trees say of rows they were not grown on: predictions (NaN where every tree had the row), error by size.

    error: after 1, 2, … trees, the mean squared error or the share of mistakes over the rows that some tree left out.
    """

    prediction: Array
    error: Array
    score: float


class ForestModel(Estimator):
    """Interface: trees on bootstrap samples, columns drawn at every node, answers averaged."""

    takes_categories: ClassVar[bool] = True
    fitted: ClassVar[dict[str, type]] = {
        **Estimator.fitted,
        "levels_": tuple,
        "target_names_": list,
        "n_outputs_": int,
        "trees_": list,
        "oob_": object,
    }
    card: ClassVar[MethodCard]
    criterion: str
    ccp_alpha: float
    n_jobs: int | None
    trees_: list[Grown]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def target_of(self, y: Any, weight: Array, n_rows: int) -> tuple[Target, Array]:
        """What the trees sum, and the weights they sum with."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees on rows in memory; columns are sorted once for all of them."""
        self.check_parameters()
        asked, owner = self.get_params(), type(self).__name__
        if asked["oob_score"] and not asked["bootstrap"]:
            raise ValueError(f"{owner}: oob_score needs bootstrap=True: without it no tree leaves a row out")
        cells = self.cells(X, fit=True)
        message = infinite_cell(cells, self.column_names())
        if message:
            raise ValueError(f"{owner}: {message}")
        weight = weights(sample_weight, len(cells), owner)
        self.target_names_ = target_names(y)
        target, weight = self.target_of(y, weight, len(cells))
        threads = available_threads(asked["n_jobs"])
        levels = [0 if names is None else len(names) for names in self.levels_]
        table = Cells.of(cells, levels)
        rows = np.flatnonzero(weight > 0).astype(np.uint32) if weight.size else np.arange(len(cells), dtype=np.uint32)
        draws = _draws(rows, asked)
        self.trees_ = list(_each(lambda draw: self._grown(table, target, weight, *draw), draws, threads))
        self.oob_ = self._left_out(np.asarray(cells, dtype=np.float64), target, draws) if asked["oob_score"] else None
        return self

    def _grown(self, cells: Cells, target: Target, weight: Array, rows: NDArray[np.uint32], seed: int) -> Grown:
        total = float(weight[rows].sum()) if weight.size else float(len(rows))
        limits = Limits.of(self, len(rows), total, len(cells.levels))
        tree = grow(cells, target, weight, rows.copy(), limits, seed)
        penalty = float(self.ccp_alpha)
        return pruned(tree, collapse_alphas(tree, self.criterion), penalty * total) if penalty else tree

    def _left_out(self, cells: Array, target: Target, draws: list[tuple[NDArray[np.uint32], int]]) -> OutOfBag:
        classes = bool(target.bounds.size)
        width = self.trees_[0].value.shape[1]
        sums, votes, error = np.zeros((len(cells), width)), np.zeros(len(cells)), []
        for tree, (rows, _) in zip(self.trees_, draws, strict=True):
            out = np.ones(len(cells), dtype=bool)
            out[rows] = False
            sums[out] += answers(tree)[tree.leaf_of(cells[out])]
            votes += out
            known = votes > 0
            mean = sums[known] / votes[known, None]
            error.append(_error(mean, target, known, classes))
        with np.errstate(invalid="ignore", divide="ignore"):
            prediction = sums / votes[:, None]
        known = votes > 0
        y = target.y[known]
        spread = float(((y - y.mean(axis=0)) ** 2).mean()) if len(y) and not classes else 1.0
        last = error[-1]
        score = 1.0 - last if classes else 1.0 - last / spread if spread > 0 else np.nan
        return OutOfBag(prediction, np.array(error), float(score))

    @property
    def oob_score_(self) -> float:
        """R² or share of right answers on rows that trees were not grown on."""
        self.check_fitted()
        if self.oob_ is None:
            raise AttributeError(f"{type(self).__name__} has an out-of-bag score after a fit with oob_score=True")
        return float(self.oob_.score)

    def mean_answer(self, X: Any) -> Array:
        """The mean over the trees of what their leaves hold: means, or shares of classes."""
        self.check_fitted()
        cells = np.asarray(self.cells(X, fit=False), dtype=np.float64)
        message = infinite_cell(cells, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        threads = available_threads(self.n_jobs)
        total = np.zeros((len(cells), self.trees_[0].value.shape[1]))
        for found in _each(lambda tree: answers(tree)[tree.leaf_of(cells)], self.trees_, threads):
            total += found
        return total / len(self.trees_)

    @property
    def feature_importances_(self) -> Array:
        """Mean over the trees of each column's share in what the cuts gained."""
        self.check_fitted()
        found = np.mean([importances(tree, self.n_features_in_) for tree in self.trees_], axis=0)
        return found / found.sum() if found.sum() > 0 else found

    def check_restored(self) -> None:
        """Trees and columns must speak of the same table."""
        if not self.trees_ or not all(isinstance(tree, Grown) for tree in self.trees_):
            raise ValueError("trees_ must hold trees")
        if any(len(tree.levels) != self.n_features_in_ for tree in self.trees_):
            raise ValueError(f"a tree does not belong to {self.n_features_in_} columns")

    def facts(self) -> Facts:
        """The forest, what its columns gained, the error on rows left out by number of trees, the method."""
        self.check_fitted()
        found: list[Fact] = [self._forest(), self._importance()]
        if self.oob_ is not None:
            found.append(self._curve())
        return Facts([*found, self.card])

    def _forest(self) -> Table:
        leaves = [int(tree.leaves[0]) for tree in self.trees_]
        depth = [int(tree.depth.max()) for tree in self.trees_]
        rows: list[tuple[str, Any]] = [
            ("trees", len(self.trees_)),
            ("leaves of a tree, mean", float(np.mean(leaves))),
            ("depth of a tree, mean", float(np.mean(depth))),
        ]
        if self.oob_ is not None:
            rows.append(("score on rows left out", self.oob_score_))
        return Table(f"Forest for {', '.join(self.target_names_)}", ("quantity", "value"), tuple(rows))

    def _importance(self) -> Table:
        each = np.array([importances(tree, self.n_features_in_) for tree in self.trees_])
        mean, spread = self.feature_importances_, each.std(axis=0)
        order, names = np.argsort(-mean, kind="stable").tolist(), self.column_names()
        rows = tuple((names[j], float(mean[j]), float(spread[j])) for j in order)
        columns = ("column", "share of the gain", "deviation between trees")
        note = "what the cuts of a column gained on the training rows; columns with many values are favoured"
        return Table("Importance of columns", columns, rows, (note,))

    def _curve(self) -> Curve:
        assert self.oob_ is not None
        classes = hasattr(self, "classes_")
        error = self.oob_.error if classes else np.sqrt(self.oob_.error)
        name = "share of mistakes" if classes else "RMSE"
        x = np.unique(np.linspace(1, len(error), min(len(error), 200)).round().astype(int))
        line = Line("rows left out", tuple(map(float, x)), tuple(map(float, error[x - 1])))
        says = f"With {len(error)} trees the {name} on rows left out is {error[-1]:.4g}."
        return Curve("Error by number of trees", "trees", name, (line,), says)


def answers(tree: Grown) -> Array:
    """What each node answers: means, or shares of classes."""
    return shares(tree) if tree.bounds.size else tree.value


def _error(mean: Array, target: Target, known: NDArray[np.bool_], classes: bool) -> float:
    y = target.y[known]
    if not len(y):
        return float("nan")
    if not classes:
        return float(((y - mean) ** 2).mean())
    parts = np.split(mean, target.bounds[1:], axis=1)
    found = np.stack([part.argmax(axis=1) for part in parts], axis=1)
    return float((found != y).mean())


def _draws(rows: NDArray[np.uint32], asked: dict[str, Any]) -> list[tuple[NDArray[np.uint32], int]]:
    """Each tree's rows, in order, and its seed; more trees leave the first ones as they were."""
    n = len(rows)
    size = n if asked["max_samples"] is None else _size(asked["max_samples"], n)
    found = []
    for seed in derived_seeds(int(asked["random_state"] or 0), asked["n_estimators"]):
        if asked["bootstrap"]:
            drawn = np.random.PCG64(seed).random_raw(size) % np.uint64(n)
            some = rows[np.sort(drawn.astype(np.int64))]
        else:
            some = rows
        found.append((some, seed % 2**62))
    return found


def _size(asked: float, n: int) -> int:
    return max(1, round(asked * n)) if isinstance(asked, float | np.floating) else min(int(asked), n)


def _each(work: Any, items: list[Any], threads: int) -> Iterator[Any]:
    """In the order of the items, on any number of threads."""
    if threads == 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
        yield from pool.map(work, items)
