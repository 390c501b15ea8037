"""Growth level by level: each pass asks for what the open nodes need, all trees at once, as far as memory goes.

A node of many rows is cut by its sums. Where bins are stretches, the cut is looked for once more between finer borders
(`refine`). A node whose rows fit in memory is kept, and the grower in memory goes on there: exactly.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.trees.cells import Cells
from glaswerk.trees.grown import Grown
from glaswerk.trees.growth import BINS as HISTOGRAM
from glaswerk.trees.growth import best_first, grow
from glaswerk.trees.levelwise.bins import BINS, MISSING, between, zoomed_edges
from glaswerk.trees.levelwise.node import DONE, KEEP, SEARCH, TELL, ZOOM, Node, finished, in_preorder, so_far
from glaswerk.trees.levelwise.search import Cut, Rule, best_cut
from glaswerk.trees.levelwise.sums import NOBODY, Ask, Branches, LevelSums, Scheme
from glaswerk.trees.limits import Limits
from glaswerk.trees.target import COUNTS

MOST_TOLD = 4096  # nodes told of in one pass
ROW_BYTES = 48  # of a cell that is kept and grown on: itself, its rank by row and by column, its place in the order


class Room(NamedTuple):
    """How many nodes a pass may search, and how many rows it may keep."""

    searches: int
    rows: int

    @classmethod
    def of(cls, memory: int, scheme: Scheme, n_blocks: int) -> "Room":
        """Half of the memory for rows, a quarter for sums, of which a pass holds several at once.

        Whatever the threads: the passes, and so a checkpoint, do not depend on them.
        """
        d = len(scheme.bins.edges)
        alive = 8 * (int(np.log2(max(n_blocks, 2))) + 2)
        return cls(max(1, memory // 4 // (d * BINS * scheme.width * 8 * alive)), rows_within(memory // 2, d))


def rows_within(memory: int, columns: int) -> int:
    """How many rows the grower in memory may have."""
    return max(1, memory // (ROW_BYTES * columns + 64))


@dataclass(eq=False)
class Growth:
    """The trees that grow, and what their nodes need."""

    scheme: Scheme
    limits: Limits
    weight: float
    sample: Array
    refine: bool
    room: Room
    threads: int
    template: Grown
    rate: float | None  # of the Poisson numbers of a bootstrap sample; None: every row once
    seeds: list[int]
    start: Array  # about what the squares of the roots are taken
    roots: list[Node] = field(default_factory=list)

    def run(self, walk: Callable[[Ask], LevelSums]) -> list[Grown]:
        self.roots = [Node(k, 0, seed, SEARCH, None, self.start) for k, seed in enumerate(self.seeds)]
        while True:
            wanted = self._wanted()
            if not wanted:
                break
            self._settle(wanted, walk(self._ask(wanted)))
        trees = [finished(root, self.template) for root in self.roots]
        most = self.limits.max_leaves
        return trees if most is None else [best_first(tree, most) for tree in trees]

    @property
    def _classes(self) -> bool:
        return bool(self.scheme.target.bounds.size)

    def _open(self) -> list[Node]:
        return [node for root in self.roots for node in in_preorder(root) if node.state != DONE]

    def _wanted(self) -> list[Node]:
        """The open nodes that one pass has room for, the first in preorder first; at least one."""
        found: list[Node] = []
        searches, rows = 0, 0.0
        for node in self._open():
            if len(found) >= MOST_TOLD:
                break
            if node.state in (SEARCH, ZOOM):
                if searches >= self.room.searches:
                    continue
                searches += 1
            if node.state == KEEP:
                if rows and rows + node.rows > self.room.rows:
                    continue
                rows += node.rows
            found.append(node)
        return found

    def _ask(self, wanted: list[Node]) -> Ask:
        place = {id(node): k for k, node in enumerate(wanted)}
        number = {state: [n for n in wanted if n.state == state] for state in (SEARCH, ZOOM, KEEP)}
        slot = {state: {id(node): k for k, node in enumerate(some)} for state, some in number.items()}
        trees = []
        for root in self.roots:
            nodes = in_preorder(root)
            if not any(id(node) in place for node in nodes):
                continue
            told = {id(node): k for node, k in ((n, place.get(id(n), NOBODY)) for n in nodes)}
            slots = [
                np.array([own.get(id(node), NOBODY) for node in nodes], dtype=np.int32)
                for own in (slot[SEARCH], slot[ZOOM], told, slot[KEEP])
            ]
            seed = root.seed if self.rate is not None else None
            trees.append(Branches(so_far(nodes, self.template), seed, self.rate or 1.0, *slots))
        columns = np.array([node.cut.column for node in number[ZOOM] if node.cut], dtype=np.int64)
        edges = [self._zoomed(node.cut) for node in number[ZOOM] if node.cut]
        q = len(self.scheme.centre)
        means = np.zeros((len(wanted), q)) if self._classes else np.array([node.mean for node in wanted])
        return Ask(
            self.scheme, tuple(trees), len(number[SEARCH]), columns,
            np.array(edges) if edges else np.zeros((0, BINS - 1)), means,
        )  # fmt: skip

    def _zoomed(self, cut: Cut) -> Array:
        return zoomed_edges(self.scheme.bins, self.sample, cut.column, cut.at, cut.following)

    def _settle(self, wanted: list[Node], found: LevelSums) -> None:
        """What the pass said of every node: cut it, zoom into it, grow it on, or leave it."""
        searched = zoomed = 0
        for k, node in enumerate(wanted):
            about = node.mean
            if node.state == SEARCH and node.sums is None:
                self._begin(node, found.search[searched])
            node.histogram = found.histogram[k]
            if not self._classes and node.sums is not None:
                apart = found.squares[k] - node.sums[1] * (node.mean - about) ** 2
                node.squares = float(np.maximum(apart, 0.0).sum())
            pure = bool((found.low[k] == found.high[k]).all())
            if node.state == SEARCH:
                self._cut(node, found.search[searched], pure)
                searched += 1
            elif node.state == ZOOM:
                self._cut_again(node, found.zoom[zoomed])
                zoomed += 1
            elif node.state == TELL:
                node.state = DONE
        self._grow_kept([node for node in wanted if node.state == KEEP], found)

    def _begin(self, root: Node, sums: Array) -> None:
        """The root's sums, of which nobody told before its first pass."""
        root.sums = self._normal(sums[0].sum(axis=0))
        root.mean = self._mean(root.sums)

    def _rule(self, root: Node) -> Rule:
        total = float(root.sums[1]) if root.sums is not None else self.weight
        limits = replace(self.limits, min_leaf_weight=self.limits.min_leaf_weight * total)
        return Rule.of(self.scheme.target, self.scheme.weighted, limits, total)

    def _normal(self, sums: Array) -> Array:
        """[rows, weight, components]"""
        return sums if self.scheme.weighted else np.concatenate([sums[:1], sums])

    def _mean(self, sums: Array) -> Array:
        """What the node answers: means, or weights of classes."""
        scheme, parts = self.scheme, sums[2:]
        if scheme.target.mode == COUNTS:
            return parts.copy()
        if self._classes:
            ones = parts[0] + scheme.shift * sums[1]
            return np.array([sums[1] - ones, ones])
        return (parts / sums[1] + scheme.shift) / scheme.scale + scheme.centre

    def _cut(self, node: Node, sums: Array, pure: bool) -> None:
        node.state = DONE
        if pure or self._ends(node):
            return
        rule, d = self._rule(self.roots[node.tree]), len(self.scheme.bins.edges)
        columns = range(d)
        if self.limits.max_features < d:
            keys = np.random.PCG64(node.seed).random_raw(d)
            columns = np.argsort(keys, kind="stable").tolist()
        cut = best_cut(sums, rule, columns, self.limits.max_features)
        if cut is None:
            return
        node.cut = cut
        node.threshold = self.scheme.bins.cut(cut.column, cut.at, cut.following)
        if cut.tie is not None:
            node.tie_threshold = self.scheme.bins.cut(*cut.tie)
        if self.refine and not self.scheme.bins.exact[cut.column] and cut.following != MISSING:
            node.state = ZOOM
            return
        self._part(node, cut)

    def _cut_again(self, node: Node, sums: Array) -> None:
        """The best cut between the finer borders; it gains as much at least, since the old one is among them."""
        node.state = DONE
        coarse = node.cut
        assert coarse is not None
        cut = best_cut(sums, self._rule(self.roots[node.tree]), [0], 1)
        if cut is not None and cut.gain > coarse.gain:
            edges = self._zoomed(coarse)
            node.threshold = between(edges, cut.at, cut.following, False)
            node.cut = cut = cut._replace(column=coarse.column, tie=None, ties=0)
        else:
            cut = coarse
        self._part(node, cut)

    def _part(self, node: Node, cut: Cut) -> None:
        unit = self.scheme.target.unit
        node.cut = cut._replace(gain=cut.gain / unit)
        found = []
        for part, sums in enumerate((cut.left, cut.right)):
            own = self._normal(sums)
            child = Node(node.tree, node.depth + 1, node.seed_of(part), SEARCH, own, self._mean(own))
            if self._ends(child):
                child.state = TELL
            elif child.rows <= self.room.rows:
                child.state = KEEP
            found.append(child)
        node.children = (found[0], found[1])

    def _ends(self, node: Node) -> bool:
        """Whether the limits make a leaf of it, whatever its rows say."""
        limits, least = self.limits, self._rule(self.roots[node.tree]).least
        few = node.rows < limits.min_split or node.rows < 2 * limits.min_leaf
        return node.depth >= limits.max_depth or few or node.sums is None or 2.0 * least > float(node.sums[1])

    # Branches in memory

    def _grow_kept(self, nodes: list[Node], found: LevelSums) -> None:
        if not nodes:
            return
        cells, Y, sides, marks = (np.concatenate(part) for part in zip(*found.kept, strict=True))
        order = np.argsort(marks[:, 0], kind="stable")
        borders = np.searchsorted(marks[order, 0], np.arange(len(nodes) + 1))

        def one(k: int) -> None:
            rows = order[borders[k] : borders[k + 1]]
            self._branch(nodes[k], cells[rows], Y[rows], sides[rows])

        largest = np.argsort(-np.diff(borders), kind="stable").tolist()
        if self.threads > 1 and len(nodes) > 1:
            with ThreadPoolExecutor(self.threads, thread_name_prefix="glaswerk") as pool:
                list(pool.map(one, largest))
        else:
            list(map(one, largest))

    def _branch(self, node: Node, cells: Array, Y: Array, sides: Array) -> None:
        root, weighted = self.roots[node.tree], self.scheme.weighted
        assert root.sums is not None and node.sums is not None
        times = sides[:, 1].astype(np.int64)
        weight = sides[:, 0] / sides[:, 1] if weighted else np.zeros(0)
        target = self.scheme.of_rows(Y, weight)
        rows = np.repeat(np.arange(len(cells), dtype=np.uint32), times)
        limits = replace(
            self.limits, max_depth=self.limits.max_depth - node.depth, max_leaves=None,
            min_leaf_weight=self.limits.min_leaf_weight * float(root.sums[1]),
            min_decrease=self.limits.min_decrease * float(root.sums[1] / node.sums[1]),
        )  # fmt: skip
        node.branch = grow(Cells.of(cells, [0] * cells.shape[1]), target, weight, rows, limits, node.seed)
        node.state = DONE
        if len(self.scheme.edges):
            node.histograms = self._histograms(node.branch, cells, Y, times)

    def _histograms(self, branch: Grown, cells: Array, Y: Array, times: NDArray[np.int64]) -> NDArray[np.int64]:
        edges = self.scheme.edges
        width = len(edges) - 1
        bins = np.minimum(((Y[:, 0] - edges[0]) * (width / (edges[-1] - edges[0]))).astype(np.int64), width - 1)
        at = branch.leaf_of(cells) * width + bins
        found = np.bincount(at, weights=times, minlength=branch.nodes * width).astype(np.int64).reshape(-1, width)
        for t in range(branch.nodes - 1, 0, -1):  # children come after their parents
            found[branch.parent[t]] += found[t]
        return found


def blank(scheme: Scheme, columns: int) -> Grown:
    """A tree of one node that knows nothing: the shape of all others."""
    bounds = scheme.target.bounds
    size = scheme.components if not bounds.size else max(2, int(scheme.components))
    none, nothing = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    two, minus = np.zeros(2, dtype=np.int64), np.array([-1], dtype=np.int32)
    return Grown(
        minus, np.array([np.nan]), two, nothing, np.zeros(1, dtype=np.int32), two, nothing, nothing,
        np.zeros(columns, dtype=np.int32), np.ones(1, dtype=np.int64), np.ones(1), np.zeros(1), np.zeros((1, size)),
        bounds, np.zeros(1), np.zeros(1, dtype=np.int32), minus, np.array([np.nan]), none,
        np.zeros((0, HISTOGRAM), dtype=np.int64), scheme.edges,
    )  # fmt: skip
