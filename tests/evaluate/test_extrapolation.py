"""Extrapolation: cells beyond their range, rows that combine as none did, laws and bad input."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.base import Warned
from glaswerk.evaluate.extrapolation import Extent, extrapolation
from glaswerk.learners import BayesianLinearRegression, LinearRegression, Ridge


def slanted(n=200, seed=0):
    """Two columns that move together."""
    rng = np.random.default_rng(seed)
    first = rng.uniform(0, 10, n)
    return np.column_stack([first, first + rng.uniform(-1, 1, n)])


def test_a_cell_beyond_its_range_names_column_value_and_range():
    X = slanted()
    model = LinearRegression().fit(pd.DataFrame(X, columns=["age", "years"]), X[:, 0])
    new = pd.DataFrame([[5.0, 5.0], [50.0, 5.0]], columns=["age", "years"])
    found = extrapolation(model, new, pd.DataFrame(X, columns=["age", "years"]))
    assert found.outside.tolist() == [False, True]
    assert found.cells.tolist() == [[False, False], [True, False]]
    assert "row 1: 'age' is 50, seen were" in found.sentences()[0]
    assert "1 of 2 rows" in found.table().title


def test_a_combination_that_never_occurred_is_found_though_every_cell_is_in_range():
    found = Extent.of(slanted()).judge([[1.0, 9.0], [5.0, 5.2]])
    assert found.together.tolist() == [True, False]
    assert "no training row combines them so" in found.sentences()[0]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(1, 4), st.integers(0, 20), st.floats(-1e6, 1e6))
def test_no_training_row_lies_outside_and_moving_all_rows_changes_nothing(n, d, seed, offset):
    X = np.random.default_rng(seed).normal(size=(n, d))
    assert not Extent.of(X).judge(X).outside.any()
    assert not Extent.of(X + offset).judge(X + offset).outside.any()


def test_distance_is_the_leverage_over_the_largest_of_training():
    X = slanted(50)
    centred = X - X.mean(axis=0)
    h = np.einsum("ij,jk,ik->i", centred, np.linalg.inv(centred.T @ centred), centred)
    np.testing.assert_allclose(Extent.of(X).judge(X).distance, h / h.max(), rtol=1e-10)


def test_constant_and_repeated_columns_are_judged_by_their_range():
    X = np.column_stack([np.arange(9.0), np.arange(9.0), np.full(9, 3.0)])
    found = Extent.of(X, ["a", "b", "c"]).judge([[4.0, 4.0, 3.0], [4.0, 4.0, 3.5]])
    assert found.outside.tolist() == [False, True]
    assert "'c' is 3.5, seen were 3 … 3" in found.sentences()[0]


@pytest.mark.parametrize("kind", [LinearRegression, Ridge, BayesianLinearRegression])
def test_bare_predict_is_silent_and_one_warning_tells_of_all_rows(kind):
    X = slanted()
    model = kind().fit(X, X[:, 0] + np.random.default_rng(1).normal(size=200))
    far = np.column_stack([np.arange(20.0, 30.0), np.arange(20.0, 30.0)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(far)
        extrapolation(model, X[:5], X).warn()
    with pytest.warns(Warned, match=r"10 of 10 rows lie outside.*row 9: 'x0' is 29.*and 7 more") as caught:
        extrapolation(model, far, X).warn()
    assert len(caught) == 1


def test_many_columns_and_rows_are_cut_short():
    X = np.random.default_rng(0).normal(size=(30, 6))
    found = Extent.of(X).judge(np.full((80, 6), 100.0))
    assert "and 3 more columns" in found.sentences()[0]
    assert len(found.table().rows) == 50
    assert found.table().notes == ("30 more rows lie outside",)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="at least one row"):
        Extent.of(np.zeros((0, 2)))
    with pytest.raises(ValueError, match="rows of 2 columns are needed"):
        Extent.of(slanted()).judge(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="Extent: X contains NaN: column 'b', row 0"):
        Extent.of(slanted(), ["a", "b"]).judge([[1.0, np.nan]])
