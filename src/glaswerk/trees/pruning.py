"""Cost-complexity pruning: the nested trees T¹ ⊃ T² ⊃ … ⊃ root, all from one growth.

    C_α(T) = R(T) + α |T|,   g(t) = (R(t) - R(T_t)) / (|T_t| - 1)                                 [NAN-10] [NAN-G]

The node with the least g is the weakest link: from α = g(t) on its branch costs more than it gains. R is a sum over
rows (RSS); scikit-learn's `ccp_alpha` is α divided by the total weight. Both stand in every table here.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.base import Array
from glaswerk.facts import Table
from glaswerk.trees.grown import Grown
from glaswerk.trees.impurity import risks

SHOWN = 200
SAME = 1e-12  # of the root's risk: alphas nearer than this are one


@dataclass(frozen=True, eq=False)
class Sequence:
    """The trees of the sequence, the full one first: α from which each is the best, its leaves, its risk (a sum)."""

    alpha: Array
    leaves: NDArray[np.int64]
    risk: Array
    weight: float

    @property
    def ccp_alpha(self) -> Array:
        """The same alphas in scikit-learn's unit."""
        found: Array = self.alpha / self.weight
        return found

    def between(self) -> Array:
        """One penalty inside each tree's range: the geometric mean of its ends (Breiman et al. 8.5), as a sum."""
        following = np.append(self.alpha[1:], np.inf)
        with np.errstate(invalid="ignore"):
            return np.where(np.isinf(following), self.alpha, np.sqrt(self.alpha * following))

    def table(self, unit: str = "risk") -> Table:
        at = np.unique(np.linspace(0, len(self.alpha) - 1, min(len(self.alpha), SHOWN)).round().astype(np.int64))
        rows = zip(
            (at + 1).tolist(), self.leaves[at].tolist(), self.alpha[at].tolist(), self.ccp_alpha[at].tolist(),
            self.risk[at].tolist(), strict=True,
        )  # fmt: skip
        columns = ("tree", "leaves", f"α ({unit})", "ccp_alpha (per unit of weight)", unit)
        notes = (f"{SHOWN} of {len(self.alpha)} trees",) if len(self.alpha) > SHOWN else ()
        return Table("Pruning sequence", columns, tuple(rows), notes)


def collapse_alphas(grown: Grown, criterion: str) -> Array:
    """The α (a sum, as R) at which each node becomes a leaf; infinite for leaves."""
    alpha = np.empty(grown.nodes)
    risk = risks(grown, criterion)
    kernels.weakest_links(np.ascontiguousarray(grown.parent, dtype=np.int64), risk, alpha)
    alpha[alpha <= SAME * risk[0]] = 0.0
    return merged(alpha, SAME * max(float(risk[0]), 1e-300))


def merged(alpha: Array, nearness: float) -> Array:
    """Alphas that differ by rounding alone made equal."""
    finite = np.unique(alpha[np.isfinite(alpha)])
    if not len(finite):
        return alpha
    begins = np.concatenate([[True], np.diff(finite) > nearness])
    first = finite[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    found = alpha.copy()
    there = np.isfinite(alpha)
    found[there] = first[np.searchsorted(finite, alpha[there])]
    return found


def sequence(grown: Grown, criterion: str, alpha: Array) -> Sequence:
    """All trees of the sequence; the first is the full tree at α = 0 (without the cuts that gain nothing)."""
    risk = risks(grown, criterion)
    inner = np.isfinite(alpha)
    cut = np.flatnonzero(inner)
    parts = np.diff(grown.child_start)
    below = _own_gain(grown, risk)
    steps = np.unique(np.append(alpha[cut], 0.0))
    at = np.searchsorted(steps, alpha[cut])
    fewer = np.bincount(at, weights=parts[cut] - 1, minlength=len(steps))
    more = np.bincount(at, weights=below[cut], minlength=len(steps))
    leaves = int(grown.leaves[0]) - np.cumsum(fewer)
    lowest = float(risk[grown.feature < 0].sum())
    return Sequence(
        steps, np.rint(leaves).astype(np.int64), (lowest + np.cumsum(more)).astype(np.float64), float(grown.weight[0])
    )


def _own_gain(grown: Grown, risk: Array) -> Array:
    """R of a node less R of its children: what its own cut gains, 0 for leaves."""
    children = np.zeros(grown.nodes)
    np.add.at(children, grown.parent[1:], risk[1:])
    return np.where(grown.feature >= 0, risk - children, 0.0)


def pruned(grown: Grown, alpha: Array, at: float) -> Grown:
    """The smallest tree that minimises R + α |T|."""
    return grown.cut_back(alpha <= at)
