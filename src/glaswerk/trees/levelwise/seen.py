"""What has to be known of a table before its first level: values of columns of few, a sample, and the target's grid."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array, check_weights
from glaswerk.passes import Block
from glaswerk.trees.target import EXACT, PLACES

MOST = 255  # distinct values of a column up to which each is a bin of its own
SAMPLE = 20_000  # rows, about
OTHER = np.uint64(0x632BE59BD9B4E019)
# The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
INCREMENT, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mixed(numbers: NDArray[np.uint64], seed: int = 0) -> NDArray[np.uint64]:
    """A well mixed number for each number; another one for another seed."""
    start = np.array([seed % 2**62], dtype=np.uint64) * OTHER  # in an array: wrapping around is what is wanted
    z = (numbers + np.uint64(1) + start) * INCREMENT
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


def shares(first: int, rows: int, seed: int) -> Array:
    """A number between 0 and 1 for each row of the table from `first` on, whatever its block."""
    high = mixed(np.arange(first, first + rows, dtype=np.uint64), seed) >> np.uint64(11)
    return high.astype(np.float64) * 2.0**-53


@dataclass(frozen=True)
class Look:
    """What the first pass observes: names for messages, the share of rows sampled, whether the target is classes."""

    owner: str
    names: tuple[str, ...]
    targets: tuple[str, ...]
    sampled: float
    classes: bool


@storable("SeenOfTree")
@dataclass(frozen=True, eq=False)
class Seen:
    """Rows and weight; per column its distinct values while they are few; sampled cells; per target its extremes and
    sum, whether all are decimals of 0, 1, … places, and the largest as such a whole number.
    """

    rows: int
    weight: float
    few: tuple[Array, ...]
    many: NDArray[np.bool_]
    sample: Array
    low: Array
    high: Array
    total: Array
    whole: NDArray[np.bool_]
    top: Array

    def __add__(self, other: "Seen") -> "Seen":
        few, many = [], self.many | other.many
        for j, (mine, theirs) in enumerate(zip(self.few, other.few, strict=True)):
            both = np.zeros(0) if many[j] else np.union1d(mine, theirs)
            many[j] |= len(both) > MOST
            few.append(both if len(both) <= MOST else np.zeros(0))
        return Seen(
            self.rows + other.rows, self.weight + other.weight, tuple(few), many,
            np.concatenate([self.sample, other.sample]), np.minimum(self.low, other.low),
            np.maximum(self.high, other.high), self.total + other.total, self.whole & other.whole,
            np.maximum(self.top, other.top),
        )  # fmt: skip

    def grid(self, output: int) -> tuple[float, float]:
        """(centre, scale): (y - centre) x scale is whole to rounding, and its weighted sums are exact."""
        most = max(self.weight, 1.0)
        for places in range(PLACES):
            if self.top[places, output] * most >= EXACT:
                break
            if self.whole[places, output]:
                return 0.0, 10.0**places
        centre = float(self.total[output] / self.rows)
        span = max(float(self.high[output]) - centre, centre - float(self.low[output]))
        if span <= 0.0:
            return centre, 1.0
        return centre, float(2.0 ** np.floor(np.log2(EXACT / (span * most))))


def see(block: Block, look: Look) -> Seen:
    """[NAN-CUTS] One block; a target or a cell that cannot be used is named."""
    check_weights(block.weight, look.owner, block.first)
    there = block.weight > 0 if block.weight.size else np.ones(len(block), dtype=bool)
    _refuse(block, look, there)
    X, Y = block.X[there], block.Y[there]
    drawn = shares(block.first, len(block), 0)[there] < look.sampled
    few, many = [], np.zeros(X.shape[1], dtype=bool)
    for j in range(X.shape[1]):
        found = np.unique(X[:1024, j]) if len(X) > 1024 else np.zeros(0)
        known = np.zeros(0) if (~np.isnan(found)).sum() > MOST else np.unique(X[:, j])
        many[j] = (~np.isnan(found)).sum() > MOST or (~np.isnan(known)).sum() > MOST
        few.append(np.zeros(0) if many[j] else known[~np.isnan(known)])
    scaled = [Y * 10.0**places for places in range(PLACES)]
    whole = np.array([(np.rint(s) / 10.0**p == Y).all(axis=0) for p, s in enumerate(scaled)])
    top = np.array([np.abs(np.rint(s)).max(axis=0, initial=0.0) for s in scaled])
    weight = float(block.weight.sum()) if block.weight.size else float(len(block))
    return Seen(
        len(X), weight, tuple(few), many, X[drawn], Y.min(axis=0, initial=np.inf), Y.max(axis=0, initial=-np.inf),
        Y.sum(axis=0), whole, top,
    )  # fmt: skip


def _refuse(block: Block, look: Look, there: NDArray[np.bool_]) -> None:
    for what, cells, names, missing in (("X", block.X, look.names, True), ("y", block.Y, look.targets, False)):
        if np.isfinite(cells.sum()):
            continue
        bad = (np.isinf(cells) if missing else ~np.isfinite(cells)) & there[:, None]
        if bad.any():
            row, column = np.argwhere(bad)[0].tolist()
            kind = "NaN" if np.isnan(cells[row, column]) else "infinity"
            after = "Missing cells (NaN) are taken; replace infinite ones" if missing else "Drop such rows first"
            raise ValueError(
                f"{look.owner}: {what} contains {kind}: column {names[column]!r}, row {block.first + row}. {after}"
            )
