"""Sums under bells: the compiled walk against the formula written out, what it leaves out, and where it ends."""

import numpy as np
import pytest

from glaswerk.learner.bumps import Bumps, line_columns


def table(n, d, q=2, seed=0):
    rng = np.random.default_rng([n, d, seed])
    return 6 * rng.uniform(size=(n, d)), rng.normal(size=(n, q)), rng.integers(1, 4, n).astype(float)


def bells(rows, Q):
    """K in units of the greatest of each query."""
    cells = -0.5 * ((Q[:, None] - rows) ** 2).sum(axis=2)
    return np.exp(cells - cells.max(axis=1, keepdims=True)), cells.max(axis=1)


@pytest.mark.parametrize(("n", "d"), [(1, 1), (31, 2), (33, 1), (700, 1), (700, 3), (1500, 6)])
@pytest.mark.parametrize("lines", [False, True])
def test_the_walk_sums_what_the_formula_says(n, d, lines):
    rows, sides, weight = table(n, d)
    Q = table(40, d, seed=1)[0]
    sums, top, dropped = Bumps(rows, weight, 1)._walked(Q, sides, 0.0, lines=lines)
    K, highest = bells(rows, Q)
    np.testing.assert_allclose(top, highest, rtol=1e-12, atol=1e-12)
    assert not dropped.any()
    for i in range(len(Q)):
        heavy = K[i] * weight
        each = [np.ones(n), K[i], *sides.T]
        wanted = heavy @ line_columns(rows - Q[i], sides) if lines else np.array([heavy @ side for side in each])
        size = np.abs(heavy) @ np.abs(line_columns(rows - Q[i], sides)) if lines else 50.0 * heavy.sum()
        assert (np.abs(sums[i] - wanted) <= 1e-13 * n * size).all()


@pytest.mark.parametrize("share", [1e-2, 1e-6, 1e-10])
def test_what_is_left_out_weighs_less_than_promised(share):
    rows, sides, weight = table(3000, 2)
    rows = rows * 5
    Q = np.concatenate([table(60, 2, seed=1)[0] * 5, [[1e3, 0.0], [-1e8, 5.0], [40.0, 40.0]]])
    search = Bumps(rows, weight, 1)
    sums, top, dropped = search._walked(Q, sides, share, lines=False)
    everything = search._walked(Q, sides, 0.0, lines=False)[0]
    assert (dropped <= share * sums[:, 0]).all()
    assert (dropped[:60] > 0).all()
    assert (np.abs(everything[:, 0] - sums[:, 0]) <= dropped + 1e-13 * sums[:, 0]).all()
    np.testing.assert_allclose(top, bells(rows, Q)[1], rtol=1e-12)


def test_walk_and_products_agree_and_no_query_depends_on_the_others():
    rows, sides, weight = table(600, 2)
    Q = table(50, 2, seed=1)[0]
    search = Bumps(rows, weight, 1)
    assert search.reaches_all(0.0)
    by_products = search.means(Q, sides, 0.0)
    walked = search._walked(Q, sides, 0.0, lines=False)[0]
    np.testing.assert_allclose(by_products.sides, walked[:, 2:], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(by_products.squares, walked[:, 1], rtol=1e-11)
    line = search.lines(Q, sides, 0.0)
    wide = Bumps(rows * 1e3, weight, 1)
    assert not wide.reaches_all(1e-9)
    one_by_one = np.concatenate([search._walked(Q[i : i + 1], sides, 1e-9, lines=True)[0] for i in range(len(Q))])
    assert np.array_equal(one_by_one, search._walked(Q, sides, 1e-9, lines=True)[0])
    assert line.spread.shape == (50, 2, 2)
    assert (np.linalg.eigvalsh(line.spread) > 0).all()
