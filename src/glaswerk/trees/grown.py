"""A grown tree as arrays: what predicts, what is pruned, what facts are made from."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array

Ints = NDArray[np.int64]
Short = NDArray[np.int32]
BLOCK_CELLS = 65_536


@storable("GrownTree")
@dataclass(frozen=True, eq=False)
class Grown:
    """Nodes in preorder, the root first.

    feature: column of the cut, -1 for a leaf; threshold: `<=` goes to the first child, NaN where categories are cut;
    the children of node t are child[child_start[t]:child_start[t + 1]]; away: the child for a missing cell or an unseen
    level; level_code and level_part between level_start[t] and level_start[t + 1]: which level goes to which child;
    value: means, or weights of classes; squares: Σ w (y - mean)²; histogram: rows per bin of the target, upper nodes.
    """

    feature: Short
    threshold: Array
    child_start: Ints
    child: Short
    away: Short
    level_start: Ints
    level_code: Short
    level_part: Short
    levels: Short
    samples: Ints
    weight: Array
    squares: Array
    value: Array
    bounds: Ints
    gain: Array
    ties: Short
    tie_feature: Short
    tie_threshold: Array
    shown: Ints
    histogram: Ints
    edges: Array

    def check(self) -> None:
        """Refuse arrays that a walk could leave, or would never end in."""
        m = len(self.feature)
        if m == 0 or len(self.child_start) != m + 1 or len(self.level_start) != m + 1 or len(self.child) != m - 1:
            raise ValueError("the arrays of a tree do not belong together")
        for start, size in ((self.child_start, len(self.child)), (self.level_start, len(self.level_code))):
            if start[0] != 0 or start[-1] != size or (np.diff(start) < 0).any():
                raise ValueError("the children of a tree are out of order")
        parts = np.diff(self.child_start)
        owner = np.repeat(np.arange(m), parts)
        if ((parts == 0) != (self.feature < 0)).any() or (self.child <= owner).any() or (self.child >= m).any():
            raise ValueError("a node of the tree is not below its parent")
        if (self.feature >= len(self.levels)).any() or (self.away >= np.maximum(parts, 1)).any():
            raise ValueError("a node of the tree asks for a column or a child that is not there")
        if len(self.level_part) and (self.level_part >= np.repeat(parts, np.diff(self.level_start))).any():
            raise ValueError("a level leads to a child that is not there")
        if min(self.away.min(), self.level_part.min(initial=0)) < 0 or len(self.value) != m:
            raise ValueError("a node of the tree leads nowhere")

    @property
    def nodes(self) -> int:
        return len(self.feature)

    @cached_property
    def _shape(self) -> tuple[Ints, Ints]:
        depth, leaves = np.zeros(self.nodes, dtype=np.int64), np.zeros(self.nodes, dtype=np.int64)
        kernels.shape(self.feature, self.child_start, self.child, depth, leaves)
        return depth, leaves

    @property
    def depth(self) -> Ints:
        """Depth of every node, 0 for the root."""
        return self._shape[0]

    @property
    def leaves(self) -> Ints:
        """Number of leaves below every node."""
        return self._shape[1]

    @cached_property
    def parent(self) -> Ints:
        found = np.full(self.nodes, -1)
        found[self.child] = np.repeat(np.arange(self.nodes), np.diff(self.child_start))
        return found

    @cached_property
    def _steps(self) -> tuple[Array, Short, Ints] | None:
        """The tree laid out for fast walks, where all its cuts are of numbers."""
        if len(self.level_code) or (np.diff(self.child_start)[self.feature >= 0] != 2).any():
            return None
        steps, place = np.empty((self.nodes, 2)), np.empty(self.nodes, dtype=np.int64)
        kernels.lay_steps(
            self.feature, self.threshold, self.child_start, self.child, self.away, steps, steps.view(np.int32), place
        )
        return steps, steps.view(np.int32), place

    def leaf_of(self, X: Array, threads: int = 1) -> Ints:
        """The leaf of every row."""
        return self.walk(X, threads)[0]

    def walk(self, X: Array, threads: int = 1) -> tuple[Ints, bool]:
        """The leaf of every row, and whether all cells are finite numbers; blocks of rows that stay in the cache."""
        X = np.ascontiguousarray(X, dtype=np.float64)
        leaf = np.empty(len(X), dtype=np.int64)
        size = max(1024, BLOCK_CELLS // max(X.shape[1], 1))
        steps = self._steps

        def block(first: int) -> bool:
            rows = slice(first, first + size)
            finite = bool(np.isfinite(X[rows].sum()))
            if steps is not None:
                kernels.walk_steps(X[rows], *steps, not finite, leaf[rows])
            else:
                kernels.walk(
                    X[rows], self.feature, self.threshold, self.child_start, self.child, self.away, self.level_start,
                    self.level_code, self.level_part, self.levels, leaf[rows],
                )  # fmt: skip
            return finite

        blocks = range(0, len(X), size)
        if threads == 1 or len(blocks) == 1:
            return leaf, all(list(map(block, blocks)))
        with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
            return leaf, all(list(pool.map(block, blocks)))

    def cut_back(self, collapse: NDArray[np.bool_]) -> "Grown":
        """The tree in which the marked nodes have become leaves."""
        gone = np.zeros(self.nodes, dtype=bool)
        below = collapse.copy()
        by_depth = np.argsort(self.depth, kind="stable")
        for level in np.split(by_depth, np.cumsum(np.bincount(self.depth)))[1:-1]:
            gone[level] = below[self.parent[level]]
            below[level] |= gone[level]
        return self._of_nodes(~gone, collapse)

    def _of_nodes(self, kept: NDArray[np.bool_], collapse: NDArray[np.bool_]) -> "Grown":
        number = np.cumsum(kept) - 1
        cut = kept & ~collapse & (self.feature >= 0)
        pairs = np.repeat(cut, np.diff(self.level_start))
        links = np.repeat(cut, np.diff(self.child_start))
        one = {name: getattr(self, name)[kept] for name in ONE_PER_NODE}
        feature = np.where(cut, self.feature, -1)[kept].astype(np.int32)
        leaf = feature < 0
        shown = kept[self.shown]
        return replace(
            self,
            **one,
            feature=feature,
            threshold=np.where(leaf, np.nan, self.threshold[kept]),
            away=np.where(leaf, 0, self.away[kept]).astype(np.int32),
            gain=np.where(leaf, 0.0, self.gain[kept]),
            ties=np.where(leaf, 0, self.ties[kept]).astype(np.int32),
            child_start=_starts(np.where(cut, np.diff(self.child_start), 0)[kept]),
            child=number[self.child[links]].astype(np.int32),
            level_start=_starts(np.where(cut, np.diff(self.level_start), 0)[kept]),
            level_code=self.level_code[pairs],
            level_part=self.level_part[pairs],
            shown=number[self.shown[shown]],
            histogram=self.histogram[shown],
        )


ONE_PER_NODE = ("samples", "weight", "squares", "value", "tie_feature", "tie_threshold")


def _starts(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
