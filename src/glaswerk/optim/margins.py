"""The picture of a support vector machine over two columns: regions, border, margins, the rows that support it."""

from collections.abc import Callable, Sequence

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Line, MarginPlane
from glaswerk.stats.contours import contours

GRID = 61  # places along each axis
AROUND = 0.08  # of the rows' extent, drawn beyond them
MOST_POINTS = 400


def margin_plane(
    values: Callable[[Array], Array],
    rows: Array,
    codes: np.ndarray,
    supporting: np.ndarray,
    classes: Sequence[str],
    names: Sequence[str],
    title: str,
    says: str,
) -> MarginPlane:
    """`values` gives f (n,) for two classes, above 0 the second; for more a column for each, the highest wins."""
    x, y = (_places(column) for column in rows.T)
    asked = np.column_stack([np.tile(x, GRID), np.repeat(y, GRID)])
    found = np.asarray(values(asked))
    borders: tuple[Line, ...] = ()
    margins: tuple[Line, ...] = ()
    if found.ndim == 1:
        z = found.reshape(GRID, GRID)
        regions = (z > 0).astype(int)
        borders = _lines("f = 0", x, y, z, 0.0)
        margins = (*_lines("f = 1", x, y, z, 1.0), *_lines("f = −1", x, y, z, -1.0))
    else:
        regions = found.argmax(axis=1).reshape(GRID, GRID)
    shown = _shown(supporting)
    points = tuple(
        (float(rows[k, 0]), float(rows[k, 1]), int(codes[k]), bool(supporting[k])) for k in shown.tolist()
    )  # fmt: skip
    return MarginPlane(
        title, names[0], names[1], tuple(classes), points, len(rows), tuple(x.tolist()), tuple(y.tolist()),
        tuple(map(tuple, regions.tolist())), borders, margins, says,
    )  # fmt: skip


def _places(column: Array) -> Array:
    low, high = float(column.min()), float(column.max())
    room = AROUND * (high - low) or 0.5 * abs(low) or 1.0
    return np.linspace(low - room, high + room, GRID)


def _lines(name: str, x: Array, y: Array, z: Array, level: float) -> tuple[Line, ...]:
    return tuple(
        Line(name, tuple(line[:, 0].tolist()), tuple(line[:, 1].tolist())) for line in contours(x, y, z, level)
    )


def _shown(supporting: np.ndarray) -> np.ndarray:
    """Rows to draw, evenly spread; as many of those that support as of the others at least."""
    held, free = np.flatnonzero(supporting), np.flatnonzero(~supporting)
    half = MOST_POINTS // 2
    few = max(half, MOST_POINTS - len(free)), max(half, MOST_POINTS - len(held))
    kept = [part[:: max(1, -(-len(part) // most))] for part, most in zip((held, free), few, strict=True)]
    return np.sort(np.concatenate(kept))
