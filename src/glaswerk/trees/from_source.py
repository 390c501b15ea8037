"""Trees of tables beyond memory: `fit_source` of a tree and of a forest.

A table of rows that fit in `memory` is read whole and grown in memory. A larger one is walked again and again: its
upper nodes are cut by sums over bins, and the rest in memory, branch by branch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk import passes
from glaswerk.archive import storable
from glaswerk.base import Array, Classifier, Estimator, Matrix, Target, check_weights, find_unusable
from glaswerk.learner import opened
from glaswerk.passes import Block, CodedSource, Source, available_threads
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
from glaswerk.trees.levelwise.sums import Ask, LevelSums, observe
from glaswerk.trees.limits import Limits
from glaswerk.trees.model import TreeModel
from glaswerk.trees.pruning import collapse_alphas, pruned

NOTHING = np.zeros(0)
UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def bytes_of(memory: int | str, owner: str) -> int:
    """`memory` in bytes: a whole number, or words such as "500MB".

    >>> bytes_of("1.5 GB", "a tree")
    1500000000
    """
    if isinstance(memory, int) and not isinstance(memory, bool) and memory > 0:
        return memory
    text = str(memory).replace(" ", "").upper()
    number, unit = text[:-2], UNITS.get(text[-2:])
    try:
        found = int(float(number) * (unit or 0))
    except (ValueError, OverflowError):
        found = 0
    if found <= 0:
        raise ValueError(f"{owner}: memory must be a number of bytes > 0, or such as '500MB' or '2GB', got {memory!r}")
    return found


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


class SourceFit(Estimator):
    """Interface: what a tree and a forest share when their rows come from a file."""

    target_names_: list[str]
    never_draws: ClassVar[bool] = True  # the seed None is 0

    def fit_source(
        self, source: Any, target: str | list[str], *, weight: str | None = None, columns: list[str] | None = None,
        engine: Any = "threads", memory: int | str = "1GB", refine: bool = True,
    ) -> Self:  # fmt: skip
        """Fit to a table that need not fit in memory: a Parquet file (or several), or any dataframe.

        Parameters
        ----------
        source, target, weight, columns : the table, and the names of its columns to use: numbers, NaN where missing.
        engine : who walks the rows; it changes no bit.
        memory : bytes that rows and sums may take, such as "2GB". A table of rows that fit is grown in memory: the tree
            of `fit`. Of a larger one the upper nodes are cut by sums over at most 255 bins a column: the tree of `fit`
            still, where no column has more distinct values.
        refine : look for cuts between bins once more, between finer borders.
        """
        self.check_parameters()
        owner = type(self).__name__
        room = bytes_of(memory, owner)
        rows = opened(self, source, target, weight, columns)
        names = [target] if isinstance(target, str) else list(target)
        if rows.n_rows <= rows_within(room, len(rows.names)):
            return self._fit_whole(rows, names, isinstance(target, str), engine)
        self._refuse_asked(owner)
        return self._fit_passing(rows, names, isinstance(target, str), engine, room, refine)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        raise NotImplementedError

    def _fit_whole(self, rows: Source, names: list[str], single: bool, engine: Any) -> Self:
        found: Held = passes.sum_blocks(rows, held, engine, self.get_params()["n_jobs"])
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

    def _fit_passing(
        self, rows: Source, names: list[str], single: bool, engine: Any, memory: int, refine: bool
    ) -> Self:
        owner, threads = type(self).__name__, available_threads(self.get_params()["n_jobs"])
        walk = partial(passes.sum_blocks, engine=engine, n_jobs=self.get_params()["n_jobs"])
        self.levels_ = (None,) * self.n_features_in_
        self.target_names_, self.n_outputs_ = names, len(names)
        weighted = bool(rows.head().weight.size)
        rows, classes, factor = self._coded(rows, walk, owner)
        if not isinstance(self, Classifier):
            self.__dict__["single_target_"] = single
        look = Look(owner, rows.names, tuple(names), min(1.0, SAMPLE / rows.n_rows), bool(classes))
        seen: Seen = walk(rows, partial(see, look=look))
        if not seen.rows:
            raise ValueError(f"{owner}: sample_weight is zero for every row: nothing is left to fit")
        task = Task(rows.names, classes, self.get_params()["criterion"], factor, weighted or bool(factor.size))
        scheme = scheme_of(seen, task)
        start = np.zeros(0) if classes else seen.total / seen.rows
        limits = Limits.of(self, seen.rows, 1.0, self.n_features_in_)
        growth = Growth(
            scheme, limits, seen.weight, seen.sample, refine,
            Room.of(memory, scheme, n_blocks(rows.n_rows), threads), threads, blank(scheme, self.n_features_in_),
            *self._trees_of(seen), start,
        )  # fmt: skip
        self._take(growth.run(lambda ask: _walked(walk, rows, ask)))
        return self

    def _coded(self, rows: Source, walk: Callable[..., Any], owner: str) -> tuple[Source, int, Array]:
        """For a classifier one pass finds the classes and their weights; from then on rows carry codes."""
        if not isinstance(self, Classifier):
            return rows, 0, NOTHING
        if rows.n_targets != 1:
            raise ValueError(f"{owner}: a classifier of a file beyond memory has one target, got {rows.n_targets}")
        counted: Counts = walk(rows, partial(labels_counted, owner=owner))
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


def _walked(walk: Callable[..., Any], rows: Source, ask: Ask) -> LevelSums:
    found: LevelSums = walk(rows, partial(observe, ask=ask))
    return found


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
