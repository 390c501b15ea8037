"""Bins of columns: every distinct value where a column has at most 255, else stretches with as many sampled rows each.

A cut lies behind a bin. Between values it is their midpoint [NAN-CUTS]; between stretches the border itself.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.trees.levelwise.seen import Seen

BINS, MISSING = 256, 255
EDGES = 255


@storable("BinsOfTree")
@dataclass(frozen=True, eq=False)
class Bins:
    """Per column its 255 edges, infinite where unused: bin k holds edge k-1 < x ≤ edge k. exact: edges are values."""

    edges: Array
    exact: NDArray[np.bool_]

    def codes(self, X: Array) -> NDArray[np.uint8]:
        codes = np.empty(X.shape, dtype=np.uint8)
        kernels.bin_cells(np.ascontiguousarray(X.T), self.edges, codes)
        return codes

    def cut(self, column: int, at: int, following: int) -> float:
        """The threshold behind bin `at`, when the node's next rows lie in bin `following`."""
        return between(self.edges[column], at, following, bool(self.exact[column]))


def between(edges: Array, at: int, following: int, exact: bool) -> float:
    if following == MISSING:
        return float("inf")
    low, high = float(edges[at]), float(edges[following if exact else following - 1])
    middle = low / 2 + high / 2
    return middle if middle < high or not exact else low


def bins_of(seen: Seen) -> Bins:
    """Edges from what was seen: all values of a column of few, else quantiles of the sample."""
    d = len(seen.few)
    edges = np.full((d, EDGES), np.inf)
    for j in range(d):
        found = seen.few[j] if not seen.many[j] else quantile_edges(seen.sample[:, j])
        edges[j, : len(found)] = found
    return Bins(edges, ~seen.many)


def quantile_edges(x: Array, most: int = EDGES - 1) -> Array:
    """At most so many borders between neighbouring sampled values, with about as many rows between any two."""
    x = np.sort(x[~np.isnan(x)])
    if len(x) < 2:
        return x[:0]
    wanted = np.unique(np.linspace(0, len(x), most + 2).round().astype(np.int64)[1:-1])
    wanted = wanted[(wanted > 0) & (wanted < len(x))]
    low, high = x[wanted - 1], x[wanted]
    found: Array = np.unique((low / 2 + high / 2)[high > low])
    return found


def zoomed_edges(bins: Bins, sample: Array, column: int, at: int, following: int) -> Array:
    """255 edges within the two bins beside a cut, the borders of these bins and the cut's own among them."""
    own = bins.edges[column]
    borders = [own[k] for k in (at - 1, at, following - 1, following) if k >= 0 and np.isfinite(own[k])]
    low = own[at - 1] if at else -np.inf
    high = own[following] if following < EDGES else np.inf
    x = np.unique(sample[:, column][~np.isnan(sample[:, column])])
    x = x[(x > low) & (x <= high)]
    room = EDGES - 1 - len(borders)
    fine = (x[1:] / 2 + x[:-1] / 2) if len(x) > 1 else np.zeros(0)
    if len(fine) > room // 2:
        fine = fine[np.linspace(0, len(fine) - 1, room // 2).round().astype(np.int64)]
    ends = (x[0], x[-1]) if len(x) > 1 else (min(borders), max(borders))
    even = np.linspace(*ends, room - len(fine) + 2)[1:-1]
    found = np.unique(np.concatenate([fine, even, borders]))[: EDGES - 1]
    return np.concatenate([found, np.full(EDGES - len(found), np.inf)])
