"""Fewer marks where there are too many: a figure holds at most 2,000.

Which rows are kept depends on their numbers alone, so that the same table gives the same picture.
"""

from collections.abc import Sequence

import numpy as np

MOST_MARKS = 2_000
MOST_POINTS = 1_500
FEW = 60


def by_hash(rows: Sequence[int], most: int = MOST_POINTS) -> list[int]:
    """Positions of the `most` rows whose numbers have the smallest hash, in their old order."""
    if len(rows) <= most:
        return list(range(len(rows)))
    order = np.argsort(_hash(np.asarray(rows, np.int64).astype(np.uint64)), kind="stable")
    return sorted(order[:most].tolist())


def _hash(numbers: np.ndarray) -> np.ndarray:
    """Steele, Lea and Flood's SplitMix64: neighbours among row numbers share nothing afterwards."""
    z = numbers + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def along(y: Sequence[float | None], most: int) -> list[int]:
    """Positions that keep a line's look: its ends, and from each stretch the lowest and the highest point."""
    n = len(y)
    if n <= most:
        return list(range(n))
    if most < FEW:  # pairs of extremes would leave holes between them
        return evenly(n, most)
    values = np.array([np.nan if v is None else v for v in y], dtype=np.float64)
    kept = {0, n - 1}
    for stretch in np.array_split(np.arange(1, n - 1), (most - 2) // 2):
        known = stretch[np.isfinite(values[stretch])]
        place = known if known.size else stretch
        kept |= (
            {int(place[np.argmin(values[place])]), int(place[np.argmax(values[place])])}
            if known.size
            else {int(place[0])}
        )
    return sorted(kept)


def evenly(count: int, most: int) -> list[int]:
    """Positions spread evenly over `count`, both ends among them."""
    return sorted({int(k) for k in np.linspace(0, count - 1, min(count, most)).round()}) if count else []
