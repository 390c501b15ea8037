"""Counts: how often each value occurred, whatever the kind of value and the way the rows were cut."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.stats.counts import Counts

values = st.lists(st.integers(-3, 3)) | st.lists(st.sampled_from(["", "a", "ä", "abc"]), min_size=1)


def as_dict(counts):
    return dict(zip(counts.values.tolist(), counts.rows.tolist(), strict=True))


@given(values, st.integers(0, 20))
@settings(max_examples=60, deadline=None)
def test_counts_of_two_parts_are_those_of_a_counter(items, cut):
    found = Counts.of(np.array(items[:cut])) + Counts.of(np.array(items[cut:])) if items else Counts.empty()
    assert as_dict(found) == Counter(items)
    assert np.array_equal(found.rows, found.weight)
    assert found.values.tolist() == sorted(set(items))
    found.check()


def test_weight_is_summed_beside_the_rows():
    found = Counts.of(np.array([2, 1, 2]), np.array([0.5, 3.0, 1.0]))
    assert (found.values.tolist(), found.rows.tolist(), found.weight.tolist()) == ([1, 2], [1, 2], [3.0, 1.5])
    assert found.share.tolist() == [3 / 4.5, 1.5 / 4.5]


def test_a_row_of_no_weight_is_absent():
    found = Counts.of(np.array([7, 5, 7, 6]), np.array([2.0, 0.0, 0.0, 1.0]))
    assert (found.values.tolist(), found.rows.tolist(), found.weight.tolist()) == ([6, 7], [1, 1], [1.0, 2.0])


def test_flags_and_numbers_keep_their_type():
    assert Counts.of(np.array([True, False, True])).values.dtype == bool
    assert (Counts.empty() + Counts.of(np.array([0.5]))).values.dtype == np.float64
    assert (Counts.of(np.array(["x"])) + Counts.empty()).values.dtype == np.dtype("<U1")


def test_cells_that_are_no_number_are_one_value():
    found = Counts.of(np.array([np.nan, 1.0])) + Counts.of(np.array([np.nan, np.nan]))
    assert found.rows.tolist() == [1, 3]
    assert found.values[0] == 1.0
    assert np.isnan(found.values[1])


def test_counts_beyond_what_a_double_holds_are_exact():
    many = Counts(np.array([1]), np.array([2**53]), np.array([1.0]))
    assert (many + Counts.of(np.array([1]))).rows.tolist() == [2**53 + 1]


def test_counts_without_a_number_for_each_value_are_refused():
    with pytest.raises(ValueError, match="one number of rows and one weight per value"):
        replace(Counts.of(np.array([1, 2])), rows=np.array([1])).check()
