"""Nodes as growers write them: large nodes from sums over buckets, small ones from sorted columns, on any threads."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.trees.cells import MOST_LEVELS, Cells
from glaswerk.trees.limits import EXACT_LEVELS, Limits
from glaswerk.trees.target import EXACT, SUMS, Target

FEATURE, FIRST, PARTS, START, END, AWAY, DEPTH, TIES, TIE, FIELDS = range(10)
GAIN, CUT, TIE_CUT, REALS = range(4)
OPEN = -2  # in place of a leaf's column: a node that is to grow on
LARGE_TABLE = 24_576  # rows from which large nodes are cut by buckets
LARGE_NODE = 2048  # rows from which a node of such a table is large
SHARES = 8  # of a table, that threads take

Records = tuple[NDArray[np.int32], Array]


@dataclass(frozen=True, eq=False)
class Growing:
    """One tree to be grown: all that its parts share."""

    cells: Cells
    target: Target
    weight: Array
    rows: NDArray[np.uint32]
    limits: Limits
    seed: int

    @cached_property
    def total(self) -> float:
        return float(self.weight[self.rows].sum()) if self.weight.size else float(len(self.rows))

    @cached_property
    def by_buckets(self) -> bool:
        """Whether sums over buckets are exact: whole weights, one target on a grid, all columns looked at."""
        levels = self.cells.levels
        return (
            len(self.rows) >= LARGE_TABLE
            and self.target.mode == SUMS
            and self.limits.max_features >= len(levels)
            and bool(levels.max(initial=0) <= MOST_LEVELS)
            and not (self.limits.multiway and levels.any())
            and (not self.weight.size or bool((self.weight == np.rint(self.weight)).all()))
        )

    @cached_property
    def lanes(self) -> tuple[Array, Array, float]:
        """Targets around their mean times weights, their squares rounded up to whole numbers, and the squares' unit."""
        y = self.target.data[:, 0]
        s = y - np.rint(y[self.rows].mean())
        largest = max(float(np.abs(s).max()), 1.0)
        steps = np.floor(np.sqrt(EXACT / max(self.total, 1.0))) - 1.0
        q = np.ceil(np.abs(s) * (steps / largest))
        q *= q
        unit = (largest / steps) ** 2
        return (s * self.weight, q * self.weight, unit) if self.weight.size else (s, q, unit)

    def top(self, first: int, last: int, depth: int, small: int) -> Records:
        """The nodes of more than `small` rows among these; those to grow on are open."""
        s, q, unit = self.lanes
        limits, codes = self.limits, self.cells.codes
        whole = np.array([first, depth, limits.max_depth, limits.min_split, limits.min_leaf, small], dtype=np.int64)
        leaf_weight, gain, _ = limits.real(self.target.unit, self.total, 0.0)
        nodes, reals = _space(2 * ((last - first) // max(limits.min_leaf, 1)) + 1)
        used = kernels.grow_top(
            self.cells.X, codes.codes, codes.mixed, s, q, self.weight, self.rows[first:last], self.cells.levels, whole,
            np.array([leaf_weight, gain, unit]), nodes, reals,
        )  # fmt: skip
        return nodes[:used], reals[:used]

    def subtrees(self, begin: NDArray[np.int64]) -> Records:
        """Whole trees on stretches of the rows; their roots come first."""
        limits, target = self.limits, self.target
        whole = np.array(
            [target.mode, target.criterion, target.components, limits.max_depth, limits.min_split, limits.min_leaf,
             limits.max_features, limits.small, limits.multiway, EXACT_LEVELS]
        )  # fmt: skip
        nodes, reals = _space(2 * int((begin[:, 1] - begin[:, 0]).sum()))
        used = kernels.grow_subtrees(
            self.cells.X, target.data, self.weight, self.rows, begin, self.cells.levels, target.groups, whole,
            limits.real(target.unit, self.total, target.tolerance), nodes, reals,
        )  # fmt: skip
        return nodes[:used], reals[:used]


def _space(capacity: int) -> Records:
    return np.empty((capacity, FIELDS), dtype=np.int32), np.empty((capacity, REALS))


def records(growing: Growing, threads: int) -> Records:
    """The nodes of a tree, each before its children, and their numbers."""
    n = len(growing.rows)
    if not growing.by_buckets or n <= LARGE_NODE:
        return growing.subtrees(np.array([[0, n, 0, growing.seed]], dtype=np.int64))
    growing.cells.code(threads)
    found = growing.top(0, n, 0, LARGE_NODE if threads == 1 else max(LARGE_NODE, n // SHARES))
    if threads > 1:
        at, size = _open_nodes(found[0])
        at = at[size > LARGE_NODE]
        each = found[0][at][:, [START, END, DEPTH]].tolist()
        parts = _map(lambda node: growing.top(node[0], node[1], node[2], LARGE_NODE), each, threads)
        found = _joined(found, [at[k : k + 1] for k in range(len(at))], parts)
    at, size = _open_nodes(found[0])
    if not len(at):
        return found
    shares = [at[k :: threads * SHARES] for k in range(min(len(at), threads * SHARES))] if threads > 1 else [at]
    seeds = np.zeros((len(found[0]), 1), dtype=np.int64)
    begin = np.concatenate([found[0][:, [START, END, DEPTH]].astype(np.int64), seeds], axis=1)
    return _joined(found, shares, _map(lambda share: growing.subtrees(begin[share]), shares, threads))


def _open_nodes(nodes: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The nodes to grow on, those of most rows first, and their rows."""
    at = np.flatnonzero(nodes[:, FEATURE] == OPEN)
    size = nodes[at, END] - nodes[at, START]
    order = np.argsort(-size, kind="stable")
    return at[order], size[order]


def _joined(found: Records, roots: Sequence[NDArray[np.int64]], parts: Sequence[Records]) -> Records:
    """Trees put in place of the open nodes that they grew from; the roots of a part are its first records."""
    nodes, reals = found
    size, all_nodes, all_reals = len(nodes), [nodes], [reals]
    for at, (more, numbers) in zip(roots, parts, strict=True):
        more[:, FIRST] += size - len(at)
        nodes[at], reals[at] = more[: len(at)], numbers[: len(at)]
        all_nodes.append(more[len(at) :])
        all_reals.append(numbers[len(at) :])
        size += len(more) - len(at)
    return np.concatenate(all_nodes), np.concatenate(all_reals)


def _map(work: Callable[[Any], Records], items: Sequence[Any], threads: int) -> list[Records]:
    """In the order of the items, on any number of threads."""
    if threads == 1 or len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
        return list(pool.map(work, items))
