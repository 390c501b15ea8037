"""The sample that adds: the same rows however they are cut, fair, and good for quantiles."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaswerk.stats.bottom_k import BottomK, hashed


def test_the_hash_is_splitmix64():
    """The first numbers of the published generator from seed 1234567."""
    first = hashed(np.zeros(1, dtype=np.uint64), 0)[0]
    assert first == 0xE220A8397B1DCDAF
    assert hashed(np.arange(3, dtype=np.uint64), 0).tolist() == [
        0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F,
    ]  # fmt: skip


def sample(rows, most=7, seed=3):
    return BottomK.of(rows, 0, most=most, seed=seed)


def same(a, b):
    return all(np.array_equal(getattr(a, part), getattr(b, part)) for part in ("keys", "numbers", "rows", "weight"))


@given(st.data(), st.integers(1, 60), st.integers(1, 70), st.integers(0, 2**40), st.booleans())
def test_any_cut_and_any_order_give_the_same_rows(data, n, most, seed, weighted):
    rows = np.arange(2.0 * n).reshape(n, 2)
    weight = np.arange(n) + 0.5 if weighted else np.zeros(0)
    cuts = sorted(data.draw(st.sets(st.integers(1, n), max_size=5)) - {n})
    parts = [
        BottomK.of(rows[a:b], a, weight[a:b] if weighted else weight, most=most, seed=seed)
        for a, b in itertools.pairwise([0, *cuts, n])
    ]
    turned = data.draw(st.permutations(parts))
    whole = BottomK.of(rows, 0, weight, most=most, seed=seed)
    total = turned[0]
    for part in turned[1:]:
        total = total + part
    assert same(total, whole)
    assert len(whole) == min(n, most)
    ordered = whole.in_order()
    assert np.array_equal(ordered.rows, rows[ordered.numbers])
    assert (np.diff(ordered.numbers) > 0).all()


def test_every_row_is_drawn_as_often_as_any_other():
    """400 seeds, 10 of 50 rows: 80 times each, give or take four deviations of 8."""
    drawn = np.concatenate([sample(np.zeros((50, 1)), most=10, seed=seed).numbers for seed in range(400)])
    count = np.bincount(drawn, minlength=50)
    assert count.sum() == 4000
    assert (np.abs(count - 80) < 4 * 8).all()


def test_quantiles_of_a_sample_are_near_those_of_the_rows():
    x = np.random.default_rng(1).lognormal(size=(200_000, 1))
    edges = sample(x, most=20_000).edges(100)[0]
    shares = np.searchsorted(np.sort(x[:, 0]), edges) / len(x)
    assert np.abs(shares - np.arange(1, 100) / 100).max() < 0.015  # Dvoretzky-Kiefer-Wolfowitz: 0.0136 at 1e-3


def test_equal_cells_have_one_edge():
    assert sample(np.array([[1.0], [1.0], [1.0], [2.0]])).edges(4)[0].tolist() == [1.0]


def test_a_sample_from_a_file_must_fit_together():
    whole = sample(np.zeros((3, 1)))
    whole.check()
    with pytest.raises(ValueError, match="a key and a number for every row"):
        BottomK(1, whole.keys, whole.numbers, whole.rows, whole.weight).check()
