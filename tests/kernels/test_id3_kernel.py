"""Growth by values: the gains of a node against NumPy's counts, rows of a node side by side, room that runs out."""

import numpy as np
import pytest

from glaswerk import kernels
from glaswerk.trees.by_values import CODE, END, FEATURE, FIELDS, PARENT, START, UNIT, entropy_table


def grown(X, y, K, *, depth=99, small=0, room=64, told_depth=9):
    n, d = X.shape
    sizes = X.max(axis=0) + 1
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    whole = np.array([K, depth, 2, 0, 64, told_depth, small, sizes.max()], dtype=np.int64)
    order = np.arange(n, dtype=np.uint32)
    nodes, gains = np.empty((2 * n + 1, FIELDS), dtype=np.int32), np.empty(2 * n + 1, dtype=np.int64)
    told, at = np.zeros((room, d), dtype=np.int64), np.full(room, -1, dtype=np.int64)
    used = kernels.grow_values(
        order, X.astype(np.uint16), y.astype(np.uint16), first, whole, entropy_table(n), nodes, gains, told, at
    )
    return order, nodes[:used], gains[:used] / UNIT, told / UNIT, at


def bits(counts):
    counts = counts[counts > 0].astype(float)
    return float((counts * np.log2(counts)).sum())


def twin(X, y, K):
    """Gain times rows of every column."""
    base = bits(np.array([len(y)])) - bits(np.bincount(y, minlength=K))
    found = []
    for x in X.T:
        counts = np.zeros((x.max() + 1, K), dtype=int)
        np.add.at(counts, (x, y), 1)
        found.append(base - bits(counts.sum(axis=1)) + bits(counts.ravel()))
    return np.array(found)


@pytest.mark.parametrize(("n", "values"), [(500, 3), (40, 30)])
def test_gains_are_those_of_numpys_counts_in_every_told_node(n, values):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, values, (n, 4)), rng.integers(0, 3, n)
    order, nodes, gains, told, at = grown(X, y, 3)
    assert (at >= 0).any()
    for slot, t in enumerate(at[at >= 0]):
        rows = order[nodes[t, START] : nodes[t, END]]
        expected = twin(X[rows], y[rows], 3)
        np.testing.assert_allclose(told[slot], np.maximum(expected, 0), atol=1e-6)
        if nodes[t, FEATURE] >= 0:
            assert gains[t] == told[slot].max()


def test_every_child_holds_the_rows_of_its_value():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 4, (300, 5)), rng.integers(0, 2, 300)
    order, nodes, *_ = grown(X, y, 2)
    for t in range(1, len(nodes)):
        p = nodes[t, PARENT]
        rows = order[nodes[t, START] : nodes[t, END]]
        assert p < t
        assert (X[rows, nodes[p, FEATURE]] == nodes[t, CODE]).all()
    assert sorted(order.tolist()) == list(range(300))


def test_a_search_that_may_end_early_finds_the_same_cuts():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 3, (2_000, 6)), rng.integers(0, 2, 2_000)
    slow, fast = grown(X, y, 2, told_depth=-1), grown(X, y, 2, small=16, told_depth=-1)
    assert np.array_equal(slow[1][:, :6], fast[1][:, :6])
    assert np.array_equal(slow[2], fast[2])


def test_room_for_gains_that_runs_out_is_not_overrun():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (400, 5)), rng.integers(0, 2, 400)
    full, few = grown(X, y, 2), grown(X, y, 2, room=3)
    assert (few[4] >= 0).all()
    assert np.array_equal(full[1], few[1])
