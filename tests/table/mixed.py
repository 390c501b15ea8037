"""A table in every form in which it can reach a learner."""

from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from glaswerk import LinearRegression
from glaswerk.passes import BLOCK_ROWS, ArraySource

N_ROWS = 3 * BLOCK_ROWS + 17


class Mixed:
    """Columns of many types with two targets and a weight: as numbers, and as an Arrow table."""

    inputs = ("single", "whole", "flag", "price", "double")
    targets = ("u", "v")

    def __init__(self, n_rows: int = N_ROWS) -> None:
        rng = np.random.default_rng(20)
        cents, whole = rng.integers(-99_999, 99_999, n_rows), rng.integers(-(2**62), 2**62, n_rows)
        single, flag = rng.normal(size=n_rows).astype(np.float32), rng.random(n_rows) < 0.3
        self.X = np.column_stack([single, whole, flag, cents / 100, rng.normal(size=n_rows)]).astype(np.float64)
        self.Y = self.X[:, [0]] + rng.normal(size=(n_rows, 2))
        self.weight = rng.integers(0, 4, n_rows) * 0.5
        self.arrow = pa.table(
            {
                "u": self.Y[:, 0],
                "single": single,
                "whole": whole,
                "flag": flag,
                "price": pa.array([Decimal(c).scaleb(-2) for c in cents.tolist()], pa.decimal128(12, 2)),
                "w": self.weight,
                "double": self.X[:, 4],
                "v": self.Y[:, 1],
            }
        )

    def source(self) -> ArraySource:
        return ArraySource(self.X, self.Y, self.weight, names=self.inputs)

    def write(self, folder: Path, cuts: tuple[int, ...] = (), group_rows: int = BLOCK_ROWS) -> list[Path]:
        """Parquet files that together hold the table, cut before the rows `cuts`."""
        borders = [0, *cuts, len(self.arrow)]
        paths = [folder / f"part {k}.parquet" for k in range(len(borders) - 1)]
        for path, first, last in zip(paths, borders, borders[1:], strict=False):
            pq.write_table(self.arrow.slice(first, last - first), path, row_group_size=group_rows)
        return paths


@cache
def mixed() -> Mixed:
    """The table of most tests: three blocks and a few rows."""
    return Mixed()


@cache
def coefficients_in_memory(weighted: bool) -> bytes:
    """What every other route to these rows has to give, to the last bit."""
    known = mixed()
    return bits(LinearRegression(n_jobs=1).fit(known.X, known.Y, known.weight if weighted else None))


def bits(model: LinearRegression) -> bytes:
    """All that was fitted, as bytes."""
    return model.coef_.tobytes() + model.intercept_.tobytes() + model.sigma_.tobytes()


def assert_same_blocks(found, wanted):
    """Two sources that hand out the same bits in the same blocks."""
    assert found.names == wanted.names
    assert (found.n_rows, found.n_targets) == (wanted.n_rows, wanted.n_targets)
    last = -(-wanted.n_rows // BLOCK_ROWS)
    for ours, theirs in zip(found.blocks(0, last), wanted.blocks(0, last), strict=True):
        assert ours.first == theirs.first
        for a, b in ((ours.X, theirs.X), (ours.Y, theirs.Y), (ours.weight, theirs.weight)):
            assert a.dtype == np.float64
            np.testing.assert_array_equal(a, b)
