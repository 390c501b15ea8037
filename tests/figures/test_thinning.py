"""Fewer marks: the same rows for the same numbers, extremes kept, no pattern in what is left."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaswerk.figures.thinning import along, by_hash, evenly


def test_few_rows_are_all_kept():
    assert by_hash([5, 3, 9], 3) == [0, 1, 2]
    assert along([1.0, None, 2.0], 3) == [0, 1, 2]
    assert evenly(3, 5) == [0, 1, 2]
    assert evenly(0, 5) == []


def test_what_a_hash_keeps_belongs_to_the_row_and_not_to_its_place():
    rows = list(range(10_000))
    kept = {rows[k] for k in by_hash(rows, 500)}
    assert len(kept) == 500
    back = rows[::-1]
    assert {back[k] for k in by_hash(back, 500)} == kept


@pytest.mark.parametrize("step", [1, 2, 10, 64, 1000])
def test_a_hash_spreads_evenly_over_rows_at_any_step(step):
    kept = np.array(by_hash(range(0, 20_000 * step, step), 2_000))
    counts = np.histogram(kept, bins=10, range=(0, 20_000))[0]
    assert ((counts - 200) ** 2 / 200).sum() < 27.9  # chi-squared, 9 degrees of freedom, one in a thousand
    assert abs((kept % 2).mean() - 0.5) < 0.05


@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), min_size=1, max_size=500), st.integers(2, 200))
def test_a_thinned_line_keeps_its_ends_its_order_and_its_size(y, most):
    kept = along(y, most)
    assert kept == sorted(set(kept))
    assert len(kept) <= max(most, len(y) if len(y) <= most else 0)
    assert {kept[0], kept[-1]} == {0, len(y) - 1}


def test_a_thinned_line_keeps_its_extremes():
    y = np.sin(np.arange(5_000) / 50).tolist()
    y[1234], y[4321] = 9.0, -9.0
    assert {1234, 4321} <= set(along(y, 300))
