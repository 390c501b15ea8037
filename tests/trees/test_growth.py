"""Growth: what columns may hold, against the same tree grown on ranks."""

import numpy as np
import pytest

from glaswerk.learners.cart import DecisionTreeRegressor

RNG = np.random.default_rng(0)
COLUMNS = {
    "gaussian": RNG.normal(size=5000),
    "few": RNG.integers(-3, 4, 5000).astype(float),
    "heavy": np.exp(20 * RNG.normal(size=5000)),
    "near each other": 1.0 + RNG.normal(size=5000) * 1e-12,
    "near each other, and one far": np.append(1e300, 1.0 + RNG.normal(size=4999) * 1e-14),
    "both signs, sixty powers of ten": RNG.normal(size=3000) * 10.0 ** RNG.integers(-30, 30, 3000),
    "signs of zero": np.array([0.0, -0.0, 5e-324, -5e-324, 0.0]),
    "gaps": np.where(RNG.random(500) < 0.3, np.nan, RNG.normal(size=500)),
    "nothing": np.full(4, np.nan),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_only_the_order_of_a_column_counts(name):
    x = COLUMNS[name]
    there = ~np.isnan(x)
    rank = np.full(len(x), np.nan)
    rank[there] = np.unique(x[there], return_inverse=True)[1]
    y = np.random.default_rng(1).normal(size=len(x))
    asked, ranked = (DecisionTreeRegressor().fit(column[:, None], y).tree_ for column in (x, rank))
    np.testing.assert_array_equal(asked.samples, ranked.samples)
    np.testing.assert_array_equal(asked.gain, ranked.gain)
    np.testing.assert_array_equal(asked.away, ranked.away)
    inner = (asked.feature >= 0) & np.isfinite(asked.threshold)
    np.testing.assert_array_equal(
        [(x[there] <= cut).sum() for cut in asked.threshold[inner]],
        [(rank[there] <= cut).sum() for cut in ranked.threshold[inner]],
    )
