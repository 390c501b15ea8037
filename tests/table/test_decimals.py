"""Decimals as doubles: the nearest double to every cell, as reading its text would give."""

from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.table.decimals import decimal_numbers


@settings(deadline=None)
@given(
    st.integers(1, 38).flatmap(
        lambda digits: st.tuples(
            st.just(digits), st.integers(-3, digits), st.lists(st.integers(1 - 10**digits, 10**digits - 1), max_size=20)
        )
    )
)
def test_every_cell_is_the_double_nearest_to_its_text(table):
    precision, scale, digits = table
    cells = [Decimal(f"{cell}e{-scale}") for cell in digits]
    found = decimal_numbers(pa.array(cells, pa.decimal128(precision, scale)))
    assert found.tolist() == [float(str(cell)) for cell in cells]


def test_all_cents_are_right_where_arrows_own_cast_is_not():
    cents = np.arange(-100_000, 100_000)
    column = pl.Series(cents).cast(pl.Decimal(20, 0)).to_arrow().cast(pa.decimal128(10, 0))
    prices = pa.Array.from_buffers(pa.decimal128(10, 2), len(column), column.buffers())
    np.testing.assert_array_equal(decimal_numbers(prices), cents / 100)
    assert (prices.cast(pa.float64()).to_numpy() != cents / 100).any()


@pytest.mark.parametrize("kind", [pa.decimal32(6, 2), pa.decimal64(12, 2), pa.decimal128(18, 2), pa.decimal256(60, 2)])
def test_every_width_of_decimal_and_every_slice_and_chunk_of_one_is_read(kind):
    cells = [Decimal("1.10"), Decimal("-2.25"), Decimal("0.07"), Decimal("33.30")]
    column = pa.chunked_array([pa.array(cells, kind), pa.array([], kind), pa.array(cells, kind).slice(2)])
    wanted = [float(cell) for cell in [*cells, *cells[2:]]]
    assert decimal_numbers(column).tolist() == wanted
    assert decimal_numbers(column.slice(1, 4)).tolist() == wanted[1:5]
    assert decimal_numbers(column.slice(0, 0)).tolist() == []
