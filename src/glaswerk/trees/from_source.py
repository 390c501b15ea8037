"""Trees of tables beyond memory: `fit_source` of a tree and of a forest.

A table of rows that fit in `memory` is read whole and grown in memory. A larger one is walked again and again: its
upper nodes are cut by sums over bins, and the rest in memory, branch by branch.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk import passes
from glaswerk.archive import storable
from glaswerk.base import Array, Classifier, Estimator, Matrix, Target, check_weights, find_unusable
from glaswerk.learner import FitTasks, opened
from glaswerk.learner.files import about, bytes_of, walked_by
from glaswerk.passes import Block, CodedSource, Engine, Kept, Source, available_threads
from glaswerk.passes.blocks import n_blocks
from glaswerk.scoring.folds import derived_seeds
from glaswerk.stats.counts import Counts
from glaswerk.stats.labels import classes_of, codes_of, labels_of
from glaswerk.trees.ensemble import ForestModel
from glaswerk.trees.grown import Grown
from glaswerk.trees.labels import with_class_weight
from glaswerk.trees.levelwise.growth import Growth, Room, blank, rows_within
from glaswerk.trees.levelwise.plan import Task, scheme_of
from glaswerk.trees.levelwise.seen import SAMPLE, Look, Seen, see
from glaswerk.trees.levelwise.sums import observe
from glaswerk.trees.limits import Limits
from glaswerk.trees.model import TreeModel
from glaswerk.trees.pruning import collapse_alphas, pruned

NOTHING = np.zeros(0)


@storable("HeldRows")
@dataclass(frozen=True, eq=False)
class Held:
    """Rows of blocks, in their order: cells, targets, weights."""

    X: tuple[Array, ...]
    Y: tuple[Array, ...]
    weight: tuple[Array, ...]

    def __add__(self, other: "Held") -> "Held":
        return Held(self.X + other.X, self.Y + other.Y, self.weight + other.weight)


def held(block: Block) -> Held:
    return Held((np.ascontiguousarray(block.X),), (block.Y,), (block.weight,))


class Passes:
    """The passes of one fit, each told of while it is long."""

    def __init__(self, rows: Source, walker: Engine, tasks: FitTasks) -> None:
        self.rows, self.walker, self.tasks, self.number = rows, walker, tasks, 0

    def sum(self, observe: Callable[[Block], Any]) -> Any:
        self.number += 1
        with self.tasks.one_pass(self.number) as after_block:
            return passes.sum_blocks(self.rows, observe, self.walker, after_block=after_block)


class SourceFit(Estimator):
    """Interface: what a tree and a forest share when their rows come from a file."""

    target_names_: list[str]
    single_target_: bool
    never_draws: ClassVar[bool] = True  # the seed None is 0

    def fit_source(
        self, source: Any, target: str | list[str], *, weight: str | None = None, columns: list[str] | None = None,
        engine: Any = "threads", checkpoint: Any = None, memory: int | str = "1GB", refine: bool = True,
    ) -> Self:  # fmt: skip
        """Fit to a table that need not fit in memory: Parquet or CSV files (paths, patterns), any dataframe.

        Parameters
        ----------
        source, target, weight, columns : the table, and the names of its columns to use: numbers, NaN where missing.
        engine, checkpoint : who walks the rows, and a file from which the same call goes on; neither changes a bit.
        memory : bytes that rows and sums may take, such as "2GB". A table of rows that fit is grown in memory: the tree
            of `fit`. Of a larger one the upper nodes are cut by sums over at most 255 bins a column: the tree of `fit`
            still, where no column has more distinct values.
        refine : look for cuts between bins once more, between finer borders.
        """
        self.check_parameters()
        owner = type(self).__name__
        rows, names = opened(self, source, target, weight, columns), [target] if isinstance(target, str) else target
        room = bytes_of(memory, owner)
        whole = rows.n_rows <= rows_within(room, len(rows.names))
        if not whole:
            self._refuse_asked(owner)
        with ExitStack() as stack:
            rows, walker = stack.enter_context(walked_by(self, rows, engine, None, memory))
            if checkpoint is not None:
                asked = {**about(self, rows), "memory": str(room), "refine": str(refine)}
                walker = stack.enter_context(Kept(walker, checkpoint, asked))
            if whole:
                return self._fit_whole(rows, list(names), isinstance(target, str), walker)
            self.__dict__.pop("single_target_", None)
            if not isinstance(self, Classifier):
                self.single_target_ = isinstance(target, str)
            return self._fit_passing(rows, list(names), walker, room, refine)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        raise NotImplementedError

    def _fit_whole(self, rows: Source, names: list[str], single: bool, walker: Engine) -> Self:
        found: Held = passes.sum_blocks(rows, held, walker)
        X, Y, weight = (np.concatenate(part) for part in (found.X, found.Y, found.weight))
        y: Any = Target.of(_as_labels(Y, self), names[0]) if single else _as_labels(Y, self)
        self.fit(Matrix.of(X, rows.names), y, weight if weight.size else None)
        self.target_names_ = names
        return self

    def _refuse_asked(self, owner: str) -> None:
        """What only rows in memory can have."""
        asked = self.get_params()
        if asked["categorical_features"] is not None:
            raise ValueError(
                f"{owner}: categorical_features needs the rows in memory: give more memory=…, or leave it out"
            )
        if isinstance(asked["ccp_alpha"], str):
            raise ValueError(
                f"{owner}: ccp_alpha={asked['ccp_alpha']!r} needs the rows in memory: give more memory=…, or fit with "
                "ccp_alpha=0.0 and choose with prune_to(alpha=…) on rows left out"
            )
        if asked.get("oob_score"):
            raise ValueError(f"{owner}: oob_score needs the rows in memory: give more memory=…, or leave it out")

    def _fit_passing(self, rows: Source, names: list[str], walker: Engine, memory: int, refine: bool) -> Self:
        owner, threads = type(self).__name__, available_threads(self.get_params()["n_jobs"])
        self.levels_ = (None,) * self.n_features_in_
        self.target_names_, self.n_outputs_ = names, len(names)
        weighted = bool(rows.head().weight.size)
        rows, classes, factor = self._coded(rows, walker, owner)
        look = Look(owner, rows.names, tuple(names), min(1.0, SAMPLE / rows.n_rows), bool(classes))
        with FitTasks(self, rows) as tasks:
            walk = Passes(rows, walker, tasks)
            seen: Seen = walk.sum(partial(see, look=look))
            if not seen.rows:
                raise ValueError(f"{owner}: sample_weight is zero for every row: nothing is left to fit")
            task = Task(classes, self.get_params()["criterion"], factor, weighted or bool(factor.size))
            scheme = scheme_of(seen, task)
            start = np.zeros(0) if classes else seen.total / seen.rows
            limits = Limits.of(self, seen.rows, 1.0, self.n_features_in_)
            growth = Growth(
                scheme, limits, seen.weight, seen.sample, refine, Room.of(memory, scheme, n_blocks(rows.n_rows)),
                threads, blank(scheme, self.n_features_in_), *self._trees_of(seen), start,
            )  # fmt: skip
            self._take(growth.run(lambda ask: walk.sum(partial(observe, ask=ask))))
        return self

    def _coded(self, rows: Source, walker: Engine, owner: str) -> tuple[Source, int, Array]:
        """For a classifier one pass finds the classes and their weights; from then on rows carry codes."""
        if not isinstance(self, Classifier):
            return rows, 0, NOTHING
        if rows.n_targets != 1:
            raise ValueError(f"{owner}: a classifier of a file beyond memory has one target, got {rows.n_targets}")
        counted: Counts = passes.sum_blocks(rows, partial(labels_counted, owner=owner), walker)
        values = counted.values.astype(np.int64) if (counted.values % 1 == 0).all() else counted.values
        self.classes_ = classes_of(labels_of(values, len(values), owner), owner=owner)
        codes = np.arange(len(self.classes_), dtype=np.float64)[:, None]
        asked = self.get_params()["class_weight"]
        own = with_class_weight(asked, codes, [self.classes_], counted.weight, owner) / counted.weight
        factor = NOTHING if asked is None else own
        return CodedSource(rows, partial(codes_of, classes=self.classes_, owner=owner)), len(self.classes_), factor

    def _trees_of(self, seen: Seen) -> tuple[float | None, list[int]]:
        """The rate at which trees draw rows, None where they take all, and the seed of every tree."""
        raise NotImplementedError

    def _take(self, trees: list[Grown]) -> None:
        """Keep what has grown."""
        raise NotImplementedError


class SourceTree(TreeModel, SourceFit):
    """A tree that can grow from rows in memory or from a file of any length."""

    def _trees_of(self, seen: Seen) -> tuple[float | None, list[int]]:
        return None, [int(self.get_params()["random_state"] or 0)]

    def _take(self, trees: list[Grown]) -> None:
        (self.full_,) = trees
        self.__dict__.pop("_alphas", None)
        self._prune(_no_choice)


class SourceForest(ForestModel, SourceFit):
    """A forest that can grow from rows in memory or from a file of any length.

    Beyond memory each tree has every row a Poisson number of times, drawn by the row's number: a bootstrap sample in
    the limit, whatever the blocks are.
    """

    def _trees_of(self, seen: Seen) -> tuple[float | None, list[int]]:
        asked = self.get_params()
        seeds = [seed % 2**62 for seed in derived_seeds(int(asked["random_state"] or 0), asked["n_estimators"])]
        if not asked["bootstrap"]:
            return None, seeds
        size = asked["max_samples"]
        share = 1.0 if size is None else float(size) if isinstance(size, float) else min(size / seen.rows, 1.0)
        return share, seeds

    def _take(self, trees: list[Grown]) -> None:
        penalty = float(self.get_params()["ccp_alpha"])
        kept = (
            [pruned(t, collapse_alphas(t, self.criterion), penalty * t.weight[0]) for t in trees] if penalty else trees
        )
        self.trees_, self.oob_ = kept, None


def _no_choice(rule: str) -> Any:
    raise AssertionError(rule)


def labels_counted(block: Block, owner: str) -> Counts:
    """The labels of a block, each with its weight."""
    message = find_unusable(block.Y, ["y"], "the target y", block.first)
    if message:
        raise ValueError(f"{owner}: {message}")
    check_weights(block.weight, owner, block.first)
    return Counts.of(block.Y[:, 0], block.weight)


def _as_labels(Y: Array, model: Any) -> Array:
    """One target without its second dimension; whole numbers of classes as such."""
    y = Y[:, 0] if Y.shape[1] == 1 else Y
    whole = isinstance(model, Classifier) and bool((Y % 1 == 0).all())
    return y.astype(np.int64) if whole else y
