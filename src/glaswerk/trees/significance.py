"""Is a cut more than chance? A test for every cut of a grown tree, and the tree without those that are not.

    classes:  X² = Σ over parts and classes of (observed − expected)² / expected,  (parts − 1)(classes − 1) degrees
    numbers:  F = [(RSS − Σ RSS of the parts) / (parts − 1)] / [Σ RSS of the parts / (W − parts)]           [SCH-CHI]

A node whose children are all leaves is removed while its cut is not significant; so a node stays if any cut below it
(its own included) is. Of all cuts the best was taken, so p is too small; `adjusted` multiplies it by how many there
may have been, columns × (rows − 1). Several targets are summed as if they were independent.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc

from glaswerk.base import Array
from glaswerk.facts import Cell, Table
from glaswerk.trees.describe import Words, way
from glaswerk.trees.grown import Grown

SHOWN = 60  # cuts of a printed table
FEW = 5.0  # expected rows below which the distribution of X² is a rough one


@dataclass(frozen=True, eq=False)
class Significance:
    """Per node the statistic, its degrees of freedom, p, and the least expected count; NaN where nothing is cut."""

    classes: bool
    statistic: Array
    freedom: Array
    p: Array
    expected: Array


def significance(grown: Grown, *, adjusted: bool = False) -> Significance:
    """The test of every cut; `adjusted` counts all cuts that may have been tried."""
    found = _chi_square(grown) if grown.bounds.size else _variance_ratio(grown)
    if not adjusted:
        return found
    tried = len(grown.levels) * np.maximum(grown.samples - 1, 1)
    p = np.minimum(found.p * tried, 1.0)
    return Significance(found.classes, found.statistic, found.freedom, p, found.expected)


def _parts(grown: Grown) -> Array:
    return np.diff(grown.child_start).astype(np.float64)


def _chi_square(grown: Grown) -> Significance:
    """[SCH-CHI] Observed counts of the classes in the parts against those of no relation."""
    owner, value, weight = grown.parent[1:], grown.value, grown.weight
    expected = weight[1:, None] * value[owner] / weight[owner, None]
    apart = np.zeros_like(expected)
    np.divide((value[1:] - expected) ** 2, expected, out=apart, where=expected > 0)
    statistic, least = np.zeros(grown.nodes), np.full(grown.nodes, np.inf)
    np.add.at(statistic, owner, apart.sum(axis=1))
    np.minimum.at(least, owner, np.where(expected > 0, expected, np.inf).min(axis=1))
    present = np.add.reduceat(value > 0, grown.bounds, axis=1, dtype=np.int64)
    freedom = (_parts(grown) - 1) * (present - 1).sum(axis=1)
    inner = grown.feature >= 0
    p = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), statistic), 1.0)
    nothing = np.where(inner, 0.0, np.nan)
    return Significance(True, statistic + nothing, freedom + nothing, p + nothing, least + nothing)


def _variance_ratio(grown: Grown) -> Significance:
    """[SCH-CHI] The variance between the parts against that within; p = 1 where no row is left to judge by."""
    within, parts = np.zeros(grown.nodes), _parts(grown)
    np.add.at(within, grown.parent[1:], grown.squares[1:])
    outputs = grown.value.shape[1]
    above, below = (parts - 1) * outputs, (grown.weight - parts) * outputs
    inner = grown.feature >= 0
    judged = inner & (below > 0)
    between = np.maximum(grown.squares - within, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (between / above) / (within / below)
    p = np.ones(grown.nodes)
    p[judged] = np.where(within[judged] > 0, fdtrc(above[judged], below[judged], ratio[judged]), 0.0)
    nothing = np.where(inner, 0.0, np.nan)
    statistic = np.where(judged, ratio, np.nan)
    return Significance(False, statistic, above + nothing, p + nothing, np.full(grown.nodes, np.nan))


def removal_levels(grown: Grown, p: Array) -> Array:
    """The level below which each node becomes a leaf: the least p of the cuts in its branch; infinite for leaves."""
    least = np.where(grown.feature >= 0, p, np.inf)
    parent = grown.parent
    for t in range(grown.nodes - 1, 0, -1):  # children come after their parents
        above = parent[t]
        least[above] = min(least[above], least[t])
    least[grown.feature < 0] = np.inf
    return least


def significant(grown: Grown, level: float, *, adjusted: bool = False) -> Grown:
    """The tree without the branches of which no cut is significant at this level."""
    least = removal_levels(grown, significance(grown, adjusted=adjusted).p)
    return grown.cut_back((grown.feature >= 0) & (least > level))


def significance_table(grown: Grown, words: Words) -> Table:
    """Cut by cut, from the top: the statistic, p, and p with all cuts counted that may have been tried."""
    found, strict = significance(grown), significance(grown, adjusted=True)
    inner = np.flatnonzero(grown.feature >= 0)
    upper = inner[np.argsort(grown.depth[inner], kind="stable")][:SHOWN]
    rows: list[tuple[Cell, ...]] = []
    for t in upper.tolist():
        told = float(found.statistic[t])
        row: tuple[Cell, ...] = (
            way(grown, words, t), words.columns[int(grown.feature[t])], int(grown.samples[t]),
            told if np.isfinite(told) else None, float(found.freedom[t]), float(found.p[t]), float(strict.p[t]),
        )  # fmt: skip
        rows.append((*row, float(found.expected[t])) if found.classes else row)
    heads = ("node", "cut by", "rows", "χ²" if found.classes else "F", "degrees of freedom", "p", "p, all cuts counted")
    kept = int((found.p[inner] <= 0.05).sum())
    notes = [
        f"{kept} of {len(inner)} cuts have p ≤ 0.05, {int((strict.p[inner] <= 0.05).sum())} with all cuts counted that "
        "may have been tried. Each was the best of many, so p is too small. prune_to(significance=0.001) removes "
        "branches without a significant cut"
    ]
    if len(upper) < len(inner):
        notes.append(f"the upper {len(upper)} of {len(inner)} cuts are listed")
    if found.classes and (found.expected[inner] < FEW).any():
        notes.append(f"where fewer than {FEW:g} rows are expected in a cell, χ² is a rough guide")
    return Table("Is each cut more than chance?", (*heads, "least expected") if found.classes else heads,
                 tuple(rows), tuple(notes))  # fmt: skip
