"""What trees sum: targets on a grid of whole numbers, so that sums do not depend on their order and a tie is a tie.

Whole numbers and decimals with up to six places are exact. Other targets are rounded to a grid as fine as exact sums
allow (2⁻⁵² of their total), which is finer than any cut they decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glaswerk.base import Array

SUMS, COUNTS, MANY = 0, 1, 2
SQUARES, ENTROPY, MISTAKES = 0, 1, 2
EXACT = 2.0**52
PLACES = 7
CRITERIA = {
    "squared_error": SQUARES, "rss": SQUARES, "gini": SQUARES, "entropy": ENTROPY, "log_loss": ENTROPY,
    "misclassification": MISTAKES,
}  # fmt: skip
TOLERANCE = 1e-13  # of W: logarithms are not exact, so gains this near count as equal


@dataclass(frozen=True, eq=False)
class Target:
    """What the growers sum, and how its gains compare to impurities: gain = `unit` x W x decrease of impurity.

    data: (n, 1) on a grid, (n, 1) class numbers, or (n, S) weighted; y (n, q) as it came; bounds: where each output's
    classes begin, (0,) for numbers.
    """

    mode: int
    criterion: int
    components: int
    data: Array
    y: Array
    bounds: np.ndarray
    groups: np.ndarray
    unit: float
    tolerance: float


def on_grid(y: Array, weight: Array) -> tuple[Array, float]:
    """y as whole numbers whose weighted sums are exact, and how many make one unit of y."""
    total = float(weight.sum()) if weight.size else float(len(y))
    for places in range(PLACES):
        scaled = y * 10.0**places
        whole = np.rint(scaled)
        if np.abs(whole).max() * max(total, 1.0) >= EXACT:
            break
        if (whole / 10.0**places == y).all():
            return whole, 10.0**places
    centre = float(np.mean(y))
    span = float(np.abs(y - centre).max())
    if span == 0.0 or not np.isfinite(span):
        return np.zeros_like(y), 1.0
    scale = 2.0 ** np.floor(np.log2(EXACT / (span * max(total, 1.0))))
    return np.rint((y - centre) * scale), float(scale)


def common_scale(scales: Sequence[float], spans: Array, total: float) -> float:
    """One grid for several targets: the finest of theirs, as far as sums of all stay exact."""
    widest = float(spans.max(initial=0.0))
    finest = 2.0 ** np.floor(np.log2(EXACT / (widest * max(total, 1.0)))) if widest > 0.0 else np.inf
    return float(min(max(scales), finest))


def numbers(y: Array, weight: Array) -> Target:
    """Targets of a regression, (n, q)."""
    none, one = np.zeros(0, dtype=np.int64), np.array([0, y.shape[1]])
    if y.shape[1] == 1:
        grid, scale = on_grid(y[:, 0], weight)
        return Target(SUMS, SQUARES, 1, grid[:, None], y, none, one, scale**2, 0.0)
    scales = [on_grid(y[:, k], weight)[1] for k in range(y.shape[1])]
    mean = y.mean(axis=0)
    scale = common_scale(scales, np.abs(y - mean).max(axis=0), float(weight.sum()) if weight.size else float(len(y)))
    data = np.rint((y - mean) * scale)
    data = data * weight[:, None] if weight.size else data
    return Target(MANY, SQUARES, y.shape[1], np.ascontiguousarray(data), y, none, one, scale**2 * y.shape[1], 0.0)


def classes(codes: Array, sizes: list[int], weight: Array, criterion: str) -> Target:
    """Class numbers (n, q), output k with `sizes[k]` classes. Gini of two classes is twice the variance of 0 and 1."""
    kind = CRITERIA[criterion]
    bounds = np.cumsum([0, *sizes]).astype(np.int64)
    unit = np.log(2.0) if kind == ENTROPY else 1.0
    tolerance = TOLERANCE * float(weight.sum() if weight.size else len(codes)) if kind != SQUARES else 0.0
    if len(sizes) > 1:
        flags = np.zeros((len(codes), bounds[-1]))
        for k in range(len(sizes)):
            flags[np.arange(len(codes)), bounds[k] + codes[:, k].astype(np.int64)] = 1.0
        flags = flags * weight[:, None] if weight.size else flags
        return Target(MANY, kind, int(bounds[-1]), flags, codes, bounds[:-1], bounds, unit * len(sizes), tolerance)
    if sizes[0] == 2 and kind == SQUARES:
        return Target(SUMS, kind, 1, codes, codes, bounds[:-1], np.array([0, 1]), 0.5, 0.0)
    return Target(COUNTS, kind, sizes[0], codes, codes, bounds[:-1], bounds, unit, tolerance)
