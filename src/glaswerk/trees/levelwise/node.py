"""The nodes of trees that grow level by level, and the finished tree that they and grown branches make."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.trees.grown import Grown
from glaswerk.trees.growth import SHOWN
from glaswerk.trees.levelwise.search import Cut
from glaswerk.trees.levelwise.seen import mixed

SEARCH, ZOOM, TELL, KEEP, DONE = range(5)


@dataclass(eq=False)
class Node:
    """What is known of a node: its sums once its parent is cut, the rest once a pass has asked its rows."""

    tree: int
    depth: int
    seed: int
    state: int
    sums: Array | None
    mean: Array
    children: tuple["Node", ...] = ()
    cut: Cut | None = None
    threshold: float = np.nan
    tie_threshold: float = np.nan
    squares: float = 0.0
    histogram: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    branch: Grown | None = None
    histograms: NDArray[np.int64] | None = None

    @property
    def rows(self) -> float:
        return float("inf") if self.sums is None else float(self.sums[0])

    def seed_of(self, part: int) -> int:
        return int(mixed(np.array([part], dtype=np.uint64), self.seed)[0] >> np.uint64(2))


def in_preorder(root: Node) -> list[Node]:
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += node.children[::-1]
    return found


def so_far(nodes: list[Node], template: Grown) -> Grown:
    """The tree of these nodes, those not yet done as leaves: what rows are walked down in a pass."""
    m = len(nodes)
    return _assembled([_single(node, template) for node in nodes], nodes, template, np.zeros((m, 0), dtype=np.int64))


def finished(root: Node, template: Grown) -> Grown:
    """The whole tree, grown branches in their places; histograms of its upper nodes."""
    nodes = in_preorder(root)
    parts = [node.branch if node.branch is not None else _single(node, template) for node in nodes]
    told = [node.histogram[None] if node.branch is None else node.histograms for node in nodes]
    width = max(len(template.edges) - 1, 0)
    known = np.concatenate([part for part in told if part is not None]) if width else np.zeros((0, 0), dtype=np.int64)
    return _assembled(parts, nodes, template, known)


def _single(node: Node, template: Grown) -> Grown:
    """A tree of one node."""
    cut, value, weight, squares = node.cut, template.value, np.ones(1), np.zeros(1)
    if node.sums is not None:
        rows = np.array([round(float(node.sums[0]))])
        value, weight, squares = node.mean[None], node.sums[1:2], np.array([node.squares])
    else:
        rows = np.ones(1, dtype=np.int64)
    sizes = [float(child.sums[0]) for child in node.children if child.sums is not None]
    away = 0
    if cut is not None:
        away = (0 if cut.missing_left else 1) if cut.some_missing else int(len(sizes) == 2 and sizes[1] > sizes[0])
    tie = -1 if cut is None or cut.tie is None else cut.tie[0]
    return Grown(
        np.array([-1 if cut is None or not node.children else cut.column], dtype=np.int32), np.array([node.threshold]),
        np.zeros(2, dtype=np.int64), np.zeros(0, dtype=np.int32), np.array([away], dtype=np.int32),
        np.zeros(2, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), template.levels, rows,
        weight, squares, value, template.bounds, np.array([0.0 if cut is None else cut.gain]),
        np.array([0 if cut is None else cut.ties], dtype=np.int32), np.array([tie], dtype=np.int32),
        np.array([node.tie_threshold]), np.zeros(0, dtype=np.int64), template.histogram, template.edges,
    )  # fmt: skip


JOINED = (
    "feature", "threshold", "away", "samples", "weight", "squares", "value", "gain", "ties", "tie_feature",
    "tie_threshold",
)  # fmt: skip


def _assembled(parts: list[Grown], nodes: list[Node], template: Grown, known: NDArray[np.int64]) -> Grown:
    """One tree of many pieces that stand in preorder: single nodes and whole branches."""
    first = np.concatenate([[0], np.cumsum([part.nodes for part in parts])]).astype(np.int64)
    place = {id(node): int(start) for node, start in zip(nodes, first[:-1], strict=True)}
    links, sizes = [], []
    for part, node, start in zip(parts, nodes, first[:-1].tolist(), strict=True):
        if node.branch is not None and part is node.branch:
            links.append(part.child.astype(np.int64) + start)
            sizes.append(np.diff(part.child_start))
        else:
            links.append(np.array([place[id(child)] for child in node.children], dtype=np.int64))
            sizes.append(np.array([len(node.children)], dtype=np.int64))
    m = int(first[-1])
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in JOINED}
    child_start = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)
    grown = Grown(
        **columns, child_start=child_start, child=np.concatenate(links).astype(np.int32),
        level_start=np.zeros(m + 1, dtype=np.int64), level_code=np.zeros(0, dtype=np.int32),
        level_part=np.zeros(0, dtype=np.int32), levels=template.levels, bounds=template.bounds,
        shown=np.zeros(0, dtype=np.int64), histogram=template.histogram,
        edges=template.edges,
    )  # fmt: skip
    if not known.shape[1]:
        return grown
    shown = np.sort(np.argsort(grown.depth, kind="stable")[:SHOWN])
    return replace(grown, shown=shown, histogram=known[shown])
