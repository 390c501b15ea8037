"""Ranks: the kernel against NumPy's unique."""

import numpy as np
import pytest

from glaswerk.kernels import rank_column

RNG = np.random.default_rng(0)
COLUMNS = {
    "gaussian": RNG.normal(size=5000),
    "few": RNG.integers(-3, 4, 5000).astype(float),
    "heavy": np.exp(20 * RNG.normal(size=5000)),
    "near each other": 1.0 + RNG.normal(size=5000) * 1e-12,
    "near each other, and one far": np.append(1e300, 1.0 + RNG.normal(size=4999) * 1e-14),
    "signs of zero": np.array([0.0, -0.0, 5e-324, -5e-324, 0.0]),
    "one": np.array([7.0]),
    "gaps": np.where(RNG.random(500) < 0.3, np.nan, RNG.normal(size=500)),
    "nothing": np.full(4, np.nan),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_ranks_and_values_are_numpys(name):
    x = COLUMNS[name]
    there = ~np.isnan(x)
    expected, inverse = np.unique(x[there], return_inverse=True)
    rank, values = np.empty(len(x), dtype=np.uint32), np.empty(len(x))
    found = rank_column(x, rank, values)
    assert found == len(expected)
    np.testing.assert_array_equal(values[:found], expected)
    np.testing.assert_array_equal(rank[there], inverse)
    assert (rank[~there] == found).all()
