"""Level lines of a function known on an even grid: each cell is crossed on straight lines, and the pieces are joined.

Cost: cells of the grid. When not to use it: features finer than a cell.
"""

from collections import defaultdict

import numpy as np

from glaswerk.base import Array

Point = tuple[float, float]
Edge = tuple[int, int, int]
# For every pattern of corners above the level (bit 0 lower left, 1 lower right, 2 upper right, 3 upper left): pairs of
# sides that are joined (0 below, 1 right, 2 above, 3 left). Saddles are cut so that the low corners stay apart.
JOINED: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),), 2: ((0, 1),), 3: ((3, 1),), 4: ((1, 2),), 5: ((0, 1), (2, 3)), 6: ((0, 2),), 7: ((3, 2),),
    8: ((2, 3),), 9: ((0, 2),), 10: ((3, 0), (1, 2)), 11: ((1, 2),), 12: ((3, 1),), 13: ((0, 1),), 14: ((3, 0),),
}  # fmt: skip


def contours(x: Array, y: Array, z: Array, level: float) -> list[Array]:
    """Lines (k, 2) along which z is `level`; z[i, j] stands at x[j], y[i]. Closed lines end where they began."""
    above = (z >= level).astype(np.intp)
    pattern = above[:-1, :-1] + 2 * above[:-1, 1:] + 4 * above[1:, 1:] + 8 * above[1:, :-1]
    meets: defaultdict[Edge, list[Edge]] = defaultdict(list)
    for i, j in np.argwhere((pattern > 0) & (pattern < 15)).tolist():
        sides: tuple[Edge, ...] = ((0, i, j), (1, i, j + 1), (0, i + 1, j), (1, i, j))
        for a, b in JOINED[int(pattern[i, j])]:
            meets[sides[a]].append(sides[b])
            meets[sides[b]].append(sides[a])
    return [np.array([_crossing(x, y, z, level, edge) for edge in walk]) for walk in _walks(meets)]


def _crossing(x: Array, y: Array, z: Array, level: float, edge: Edge) -> Point:
    """Where z is `level` on a side: one that lies along x (0) or stands along y (1)."""
    upright, i, j = edge
    first, last = z[i, j], z[i + upright, j + 1 - upright]
    part = (level - first) / (last - first)
    along = x[j] if upright else x[j] + part * (x[j + 1] - x[j])
    up = y[i] + part * (y[i + 1] - y[i]) if upright else y[i]
    return float(along), float(up)


def _walks(meets: dict[Edge, list[Edge]]) -> list[list[Edge]]:
    """Open lines from their ends, then closed ones from anywhere."""
    left = {edge: list(others) for edge, others in meets.items()}
    starts = [edge for edge, others in meets.items() if len(others) == 1] + list(meets)
    found = []
    for start in starts:
        if not left[start]:
            continue
        walk = [start]
        while left[walk[-1]]:
            following = left[walk[-1]].pop()
            left[following].remove(walk[-1])
            walk.append(following)
        found.append(walk)
    return found
