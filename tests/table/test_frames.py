"""Dataframes as a source: pandas, Polars, PyArrow and DuckDB give the bits of memory; and what is refused, and how."""

from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glaswerk import LinearRegression
from glaswerk.passes import BLOCK_ROWS
from glaswerk.table import TableError, load_auto_mpg, open_source
from tests.table.mixed import N_ROWS, assert_same_blocks, bits, coefficients_in_memory, mixed

TARGETS = list(mixed().targets)


def as_pandas():
    """NumPy's types, so that the decimal is a double as in the array."""
    return mixed().arrow.to_pandas().astype({"price": "float64"})


def as_duckdb():
    return duckdb.from_arrow(mixed().arrow)


FRAMES = {
    "pandas": as_pandas,
    "pandas with its own types": lambda: as_pandas().convert_dtypes(),
    "pandas on Arrow": lambda: mixed().arrow.to_pandas(types_mapper=pd.ArrowDtype),
    "Polars": lambda: pl.from_arrow(mixed().arrow),
    "lazy Polars": lambda: pl.from_arrow(mixed().arrow).lazy(),
    "PyArrow": lambda: mixed().arrow,
    "PyArrow in chunks": lambda: pa.concat_tables([mixed().arrow[:70_000], mixed().arrow[70_000:]]),
    "DuckDB": as_duckdb,
}


@pytest.fixture(scope="module", params=FRAMES.values(), ids=FRAMES.keys())
def frame(request):
    return request.param()


def rows_of(frame, **roles):
    return open_source(frame, **{"target": TARGETS, "weight": "w", "columns": None} | roles)


def test_blocks_are_those_of_memory(frame):
    assert_same_blocks(rows_of(frame), mixed().source())


@pytest.mark.parametrize(("n_jobs", "weighted"), [(1, False), (2, True), (4, True)])
def test_a_fit_has_the_bits_of_memory_for_any_number_of_threads(frame, n_jobs, weighted):
    model = LinearRegression(n_jobs=n_jobs).fit_source(
        frame, target=TARGETS, weight="w" if weighted else None, columns=list(mixed().inputs)
    )
    assert bits(model) == coefficients_in_memory(weighted)


def test_the_head_is_the_first_block(frame):
    head = rows_of(frame).head()
    assert (head.first, len(head), len(head.weight)) == (0, BLOCK_ROWS, BLOCK_ROWS)
    np.testing.assert_array_equal(head.X, mixed().X[:BLOCK_ROWS])


def test_any_run_of_blocks_is_that_run_of_all_blocks(frame):
    source = rows_of(frame)
    assert [(b.first, len(b)) for b in source.blocks(1, 3)] == [(BLOCK_ROWS, BLOCK_ROWS), (2 * BLOCK_ROWS, BLOCK_ROWS)]
    (last,) = source.blocks(3, 4)
    np.testing.assert_array_equal(last.X, mixed().X[3 * BLOCK_ROWS :])


@pytest.mark.parametrize("parts", [1, 2, 4, 9])
def test_cuts_are_even(parts):
    cuts = rows_of(mixed().arrow).cuts(parts)
    assert (cuts[0], cuts[-1], len(cuts)) == (0, 4, min(parts, 4) + 1)


def test_the_columns_asked_for_come_in_the_order_asked_for():
    source = rows_of(mixed().arrow, columns=["double", "single"], weight=None)
    assert source.names == ("double", "single")
    np.testing.assert_array_equal(source.head().X, mixed().X[:BLOCK_ROWS, [4, 0]])
    assert source.head().weight.size == 0


def test_of_a_lazy_frame_only_the_columns_asked_for_are_made():
    def fail(series):
        raise AssertionError("made")

    lazy = pl.LazyFrame({"x": [1.0, 2.0], "y": [1.0, 2.0]}).with_columns(
        dear=pl.col("x").map_batches(fail, return_dtype=pl.Float64)
    )
    assert open_source(lazy, target="y", weight=None, columns=["x"]).n_rows == 2


def test_a_query_of_duckdb_is_a_table():
    table = duckdb.sql(
        "select i::double as x, 2 * i + 1 as y, 1.5::decimal(9, 4) as d, i::hugeint as h from range(5) t(i)"
    )
    source = open_source(table, target="y", weight=None, columns=["x", "d", "h"])
    assert source.head().X.tolist() == [[float(i), 1.5, float(i)] for i in range(5)]


def test_a_typed_table_is_a_table():
    source = open_source(load_auto_mpg(), target="mpg", weight=None, columns=["weight", "cylinders"])
    assert source.n_rows == 398
    assert source.head().X[0].tolist() == [3504, 8]
    assert refused(load_auto_mpg(), target="mpg").startswith("column 'origin' holds String, and a bare learner takes n")
    assert refused(load_auto_mpg(), target="mpg", columns=["horsepower"]).startswith(
        "column 'horsepower' is empty in row 32"
    )


@pytest.mark.parametrize("library", [pl.DataFrame, pa.table, pd.DataFrame], ids=["Polars", "PyArrow", "pandas"])
def test_whole_numbers_beyond_doubles_are_rounded_as_those_of_an_array(library):
    cells = np.array([2**53 + 1, 2**62 + 1, -(2**63)])
    source = open_source(library({"x": cells, "y": [1, 2, 3]}), target="y", weight=None, columns=None)
    assert source.head().X[:, 0].tolist() == cells.astype(float).tolist()


@pytest.mark.parametrize("library", [pl.DataFrame, pa.table], ids=["Polars", "PyArrow"])
def test_a_decimal_is_the_double_nearest_to_it(library):
    """Arrow's own cast misses one cent in seven."""
    cells = [Decimal(cent).scaleb(-2) for cent in range(2_000)]
    source = open_source(library({"x": cells, "y": list(range(2_000))}), target="y", weight=None, columns=None)
    assert source.head().X[:, 0].tolist() == [float(cell) for cell in cells]


# What is refused


def refused(source, **roles):
    with pytest.raises(TableError) as error:
        open_source(source, **{"target": "y", "weight": None, "columns": None} | roles).head()
    return str(error.value)


SMALL = {"a": [1.0, 2.0, 3.0], "y": [2, 4, 7], "who": ["x", "y", "z"], "none": [0.5, None, None]}
LIBRARIES = {
    "pandas": pd.DataFrame,
    "Polars": pl.DataFrame,
    "lazy Polars": pl.LazyFrame,
    "PyArrow": pa.table,
    "DuckDB": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.fixture(params=LIBRARIES.values(), ids=LIBRARIES.keys())
def library(request):
    return request.param


def test_columns_that_do_not_fit_are_named_with_what_is_there(library):
    small = library(SMALL)
    assert refused(small, target="Y") == "target: the table has no column 'Y'; it has 'a', 'y', 'who', 'none'"
    assert refused(small, weight="w").startswith("weight: the table has no column 'w'")
    assert refused(small, columns=["a", "b"]).startswith("columns: the table has no column 'b'")
    assert refused(small, target=["y", "y"]).startswith("column 'y' is asked for twice")
    assert refused(small, columns=["y", "a"]).startswith("column 'y' is asked for twice")
    assert refused(small, target=["a", "y"], columns=["none"], weight="a").startswith("column 'a' is asked for twice")
    assert refused(small, columns=[]) == "no input column is left beside target and weight"
    assert "column 'who' holds " in refused(small)


def test_an_empty_cell_is_named_by_column_and_row(library):
    assert refused(library(SMALL), columns=["none"]).startswith("column 'none' is empty in row 1: drop such rows or")


def test_an_empty_cell_in_a_later_block_is_named_by_its_row_in_the_table(library):
    row = BLOCK_ROWS + 3
    cells = [1.0] * (BLOCK_ROWS + 5)
    cells[row] = None
    source = open_source(library({"x": cells, "y": [1.0] * len(cells)}), target="y", weight=None, columns=None)
    with pytest.raises(TableError, match=f"column 'x' is empty in row {row}"):
        list(source.blocks(0, 2))


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_not_a_number_in_the_third_block_is_named_by_its_row(n_jobs):
    row = 2 * BLOCK_ROWS + 5
    x = np.arange(N_ROWS, dtype=float)
    x[row] = np.nan
    with pytest.raises(ValueError, match=f"X contains NaN: column 'x', row {row} "):
        LinearRegression(n_jobs=n_jobs).fit_source(pl.DataFrame({"x": x, "y": np.ones(N_ROWS)}), target="y")


def test_a_table_without_rows_or_without_inputs_is_refused(library):
    empty = library({"x": pa.array([], pa.float64()).to_numpy(), "y": pa.array([], pa.float64()).to_numpy()})
    assert refused(empty).endswith("the table has no rows")
    assert refused(library({"y": [1.0]})) == "no input column is left beside target and weight"


@pytest.mark.parametrize("source", [3, None, np.ones((3, 2)), {"x": [1], "y": [2]}, [[1, 2]], [], pd.Series([1])])
def test_what_is_no_table_is_refused_with_its_type(source):
    assert refused(source).startswith("a source must be the path of a Parquet or CSV file, a pattern such as")
    assert refused(source).endswith(f"a dataframe or a PyArrow dataset, got {type(source).__name__}")


@pytest.mark.parametrize(
    "frame", [pd.DataFrame(np.ones((2, 2)), columns=["y", "y"]), pa.table([[1], [2]], names=["y", "y"])]
)
def test_two_columns_of_one_name_are_refused(frame):
    assert refused(frame).startswith("columns of the dataframe share a name: ")
    assert refused(frame).endswith("'y' 2 times")


def test_a_long_type_is_shortened():
    many = pl.Series(["level 0"], dtype=pl.Enum([f"level {k}" for k in range(1_000)]))
    assert len(refused(pl.DataFrame({"x": many, "y": [1.0]}))) < 250


def test_columns_must_be_named_by_text():
    assert refused(pd.DataFrame(np.ones((2, 2)))) == "column 0 has no name: columns must be named by text"
