"""Words at the border of learners that take categories: known codes, dataframes, laws of order, gaps, refusals."""

from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaswerk.base import UNSEEN, Allowed, Estimator, Matrix, none
from glaswerk.base.mixed import level_name


class Reader(Estimator):
    """An estimator that only reads its table."""

    takes_categories = True
    parameters: ClassVar = {"categorical_features": none() | Allowed("columns", lambda v: True)}

    def __init__(self, categorical_features=None):
        self.categorical_features = categorical_features


ROWS = [["sunny", 85.0], ["rain", 70.0], ["sunny", 69.0], [None, np.nan]]


def test_words_become_codes_of_sorted_levels():
    reader = Reader()
    cells = reader.cells(ROWS, fit=True)
    assert reader.levels_ == (("rain", "sunny"), None)
    np.testing.assert_array_equal(cells, [[1, 85], [0, 70], [1, 69], [np.nan, np.nan]])
    np.testing.assert_array_equal(reader.cells([["snow", 1.0]], fit=False), [[UNSEEN, 1]])


@pytest.mark.parametrize("frame", [pd.DataFrame, lambda cells: pl.DataFrame(cells, strict=False)])
def test_dataframes_keep_their_names_and_give_the_same_codes(frame):
    table = frame({"sky": ["sunny", "rain", "sunny", None], "heat": [85.0, 70.0, 69.0, 60.0]})
    reader = Reader()
    cells = reader.cells(table, fit=True)
    assert reader.column_names() == ("sky", "heat")
    assert reader.levels_ == (("rain", "sunny"), None)
    np.testing.assert_array_equal(cells[:, 0], [1, 0, 1, np.nan])


def test_a_categorical_of_pandas_is_a_category_whatever_it_holds():
    table = pd.DataFrame({"doors": pd.Categorical([4, 2, 4]), "size": [1.0, 2.0, 3.0]})
    reader = Reader()
    np.testing.assert_array_equal(reader.cells(table, fit=True), [[1, 1], [0, 2], [1, 3]])
    assert reader.levels_ == (("2", "4"), None)


@pytest.mark.parametrize("asked", [[0], [True, False], ["x0"]])
def test_columns_of_numbers_become_categories_when_asked(asked):
    reader = Reader(categorical_features=asked)
    cells = reader.cells(np.array([[10.0, 1.0], [9.0, 2.0], [10.0, 3.0]]), fit=True)
    assert reader.levels_ == (("9", "10"), None)
    np.testing.assert_array_equal(cells[:, 0], [1, 0, 1])
    np.testing.assert_array_equal(reader.cells(np.array([[7.0, 1.0]]), fit=False)[:, 0], [UNSEEN])


def test_a_matrix_keeps_its_codes_and_is_coded_anew_where_its_levels_differ():
    reader = Reader()
    matrix = Matrix.of(np.array([[0.0, 5.0], [1.0, 6.0]]), ("sky", "heat"), levels=(("rain", "sunny"), None))
    np.testing.assert_array_equal(reader.cells(matrix, fit=True), matrix)
    other = Matrix.of(
        np.array([[0.0, 5.0], [1.0, 6.0], [np.nan, 1.0], [-1.0, 2.0]]), ("sky", "heat"), levels=(("snow", "rain"), None)
    )
    np.testing.assert_array_equal(reader.cells(other, fit=False)[:, 0], [UNSEEN, 0, np.nan, UNSEEN])


@given(st.lists(st.sampled_from(["a", "b", "ä", "B", "10", "9"]), min_size=1), st.randoms())
def test_the_order_of_rows_changes_no_level_and_no_code(words, random):
    mixed = list(words)
    random.shuffle(mixed)
    one, two = Reader(), Reader()
    codes = one.cells([[word, "x"] for word in words], fit=True)[:, 0]
    two.cells([[word, "x"] for word in mixed], fit=True)
    assert one.levels_ == two.levels_
    assert [one.levels_[0][int(code)] for code in codes] == words


def test_numbers_alone_go_the_plain_way():
    reader = Reader()
    X = np.arange(6.0).reshape(3, 2)
    assert reader.cells(X, fit=True) is X
    assert reader.levels_ == (None, None)


def test_refusals_name_the_column_and_the_cell():
    reader = Reader()
    reader.cells(ROWS, fit=True)
    with pytest.raises(ValueError, match=r"column 'x1' held numbers when fitted and holds text \('hot'\) in row 1"):
        reader.cells([["rain", 1.0], ["rain", "hot"]], fit=False)
    with pytest.raises(ValueError, match="3 features"):
        reader.cells([["rain", 1.0, 2.0]], fit=False)
    with pytest.raises(TypeError, match="a string or a number"):
        reader.cells([["rain", {}]], fit=False)
    with pytest.raises(ValueError, match="categorical_features must name columns among"):
        Reader(categorical_features=["sky"]).cells(np.ones((2, 2)), fit=True)
    with pytest.raises(ValueError, match="below 2"):
        Reader(categorical_features=[2]).cells(np.ones((2, 2)), fit=True)
    with pytest.raises(ValueError, match="one entry for each of 2"):
        Reader(categorical_features=[True]).cells(np.ones((2, 2)), fit=True)


def test_the_name_of_a_level():
    assert [level_name(v) for v in (3.0, 3.5, np.int64(2), "x", True)] == ["3", "3.5", "2", "x", "True"]
