"""The information gain of every column in the nodes of a tree, not only of the column that was taken.

    gain(j) = H(node) − Σ over the parts of j of (rows of the part / rows) H(part)                            [BG-GAIN]

A column of categories has one part for each of its levels; a column of numbers has two, at its best cut (C4.5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.facts import Cell, Table
from glaswerk.trees.grown import Grown

MOST = 1_024  # nodes whose gains are kept
WIDE = 12  # columns of a printed table


@storable("Gains", version=1)
@dataclass(frozen=True, eq=False)
class Gains:
    """Numbers of the nodes (t,), and the gain of every column there times the rows of the node (t, d), in bits."""

    node: NDArray[np.int64]
    weighted: Array

    def check(self) -> None:
        if self.weighted.ndim != 2 or self.node.shape != (len(self.weighted),):
            raise ValueError("gains need one row of columns for every node")


def told_depth(levels: NDArray[np.int64]) -> int:
    """The depth to which all nodes are sure to be told."""
    widest, depth, nodes = max(2, int(levels.max(initial=2))), 0, 1
    while nodes * widest + 1 <= MOST and depth < 64:
        nodes, depth = nodes * widest + 1, depth + 1
    return depth


def entropy_sum(counts: NDArray) -> Array:
    """Σ c log₂ c over the last axis."""
    found: Array = np.where(counts > 0, counts * np.log2(np.maximum(counts, 1e-300)), 0.0).sum(axis=-1)
    return found


def gains_of(
    grown: Grown, cells: Array, levels: Sequence[int], codes: NDArray[np.int64], weight: Array, classes: int
) -> Gains:
    """Gains of every column in the upper nodes of a tree, from the rows that grew it."""
    upper = np.flatnonzero((grown.feature >= 0) & (grown.depth <= told_depth(np.array(levels))))[:MOST]
    own = weight if weight.size else np.ones(len(cells))
    at, parent = grown.leaf_of(cells), grown.parent
    found = np.zeros((len(upper), cells.shape[1]))
    place = {int(t): k for k, t in enumerate(upper)}
    for depth in range(int(grown.depth.max()), -1, -1):
        here = np.flatnonzero(grown.depth[at] == depth)
        here = here[np.argsort(at[here], kind="stable")]
        for rows in np.split(here, np.flatnonzero(np.diff(at[here])) + 1):
            k = place.get(int(at[rows[0]])) if len(rows) else None
            if k is not None:
                found[k] = _in_node(cells[rows], levels, codes[rows], own[rows], classes)
        at[here] = parent[at[here]] if depth else at[here]
    return Gains(upper.astype(np.int64), found)


def _in_node(cells: Array, levels: Sequence[int], codes: NDArray[np.int64], own: Array, classes: int) -> Array:
    total = np.bincount(codes, weights=own, minlength=classes)
    base = float(entropy_sum(np.array([total.sum()])) - entropy_sum(total))
    return np.array([
        _by_level(cells[:, j], levels[j], codes, own, classes, base) if levels[j]
        else _by_cut(cells[:, j], codes, own, classes, base)
        for j in range(cells.shape[1])
    ])  # fmt: skip


def _by_level(x: Array, levels: int, codes: NDArray[np.int64], own: Array, classes: int, base: float) -> float:
    part = np.where(np.isnan(x), levels, x).astype(np.int64)
    counts = np.bincount(part * classes + codes, weights=own, minlength=(levels + 1) * classes).reshape(-1, classes)
    spread = entropy_sum(counts.sum(axis=1)) - entropy_sum(counts).sum()
    return max(float(base - spread), 0.0)


def _by_cut(x: Array, codes: NDArray[np.int64], own: Array, classes: int, base: float) -> float:
    """The best cut between two neighbouring values; rows without a value go to the side where they gain more."""
    there = ~np.isnan(x)
    missing = np.bincount(codes[~there], weights=own[~there], minlength=classes)
    order = np.argsort(x[there], kind="stable")
    values, kinds, heavy = x[there][order], codes[there][order], own[there][order]
    each = np.zeros((len(values), classes))
    each[np.arange(len(values)), kinds] = heavy
    below = np.cumsum(each, axis=0)
    total = below[-1] if len(values) else np.zeros(classes)
    left = below[:-1][values[1:] > values[:-1]]
    sides = [(left + missing, total - left), (left, total - left + missing)]
    if missing.sum() and len(values):
        sides.append((total[None], missing[None]))
    best = 0.0
    for one, other in sides:
        if len(one):
            parts = entropy_sum(one.sum(axis=1)[:, None]) + entropy_sum(other.sum(axis=1)[:, None])
            spread = parts - entropy_sum(one) - entropy_sum(other)
            best = max(best, float((base - spread).max()))
    return best


def gain_table(known: Gains, grown: Grown, columns: Sequence[str], words: Mapping[int, str]) -> Table:
    """[BG-GAIN] Rows, entropy and the gain of every column, in bits, for each of the told nodes; `words` say where."""
    shown = list(range(len(columns)))
    if len(columns) > WIDE:
        kept = np.argsort(-known.weighted.sum(axis=0), kind="stable")[:WIDE]
        shown = np.sort(kept).tolist()
    rows: list[tuple[Cell, ...]] = []
    for t, gains in zip(known.node.tolist(), known.weighted, strict=True):
        if t >= grown.nodes or grown.feature[t] < 0:
            continue
        counts = grown.value[t]
        entropy = float((entropy_sum(counts.sum(keepdims=True)) - entropy_sum(counts)) / grown.weight[t])
        each = [float(gains[j] / grown.weight[t]) for j in shown]
        tied = f" (and {grown.ties[t]} as good)" if grown.ties[t] else ""
        rows.append((words[t], int(grown.samples[t]), entropy, *each, columns[int(grown.feature[t])] + tied))
    heads = ("node", "rows", "entropy", *(columns[j] for j in shown), "taken")
    inner = int((grown.feature >= 0).sum())
    notes = [f"of {inner} nodes that ask, the upper {len(rows)} are told"] if len(rows) < inner else []
    if len(columns) > WIDE:
        notes.append(f"the {WIDE} of {len(columns)} columns that gain most are shown")
    return Table("Information gain of every column, node by node (bits)", heads, tuple(rows), tuple(notes))
