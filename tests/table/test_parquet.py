"""Parquet as a source: the bits of memory whatever the row groups, files and threads; and what is refused, and how."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from glaswerk import LinearRegression
from glaswerk.passes import BLOCK_ROWS
from glaswerk.table import open_source, parquet
from tests.table.mixed import N_ROWS, assert_same_blocks, bits, coefficients_in_memory, mixed

TARGETS = list(mixed().targets)

# The same bits


@pytest.fixture(scope="module")
def one_file(tmp_path_factory):
    """Row groups of 50,000: only the first border of a group is one of a block."""
    return mixed().write(tmp_path_factory.mktemp("one"), group_rows=50_000)[0]


def rows_of(paths, **roles):
    return open_source(paths, **{"target": TARGETS, "weight": "w", "columns": None} | roles)


@pytest.mark.parametrize("group_rows", [7_000, 50_000, BLOCK_ROWS, 100_000, N_ROWS])
def test_blocks_are_those_of_memory_whatever_the_row_groups(tmp_path, group_rows):
    (path,) = mixed().write(tmp_path, group_rows=group_rows)
    assert_same_blocks(rows_of(path), mixed().source())


@pytest.mark.parametrize("cuts", [(1,), (BLOCK_ROWS,), (3, 3, 70_000, 131_071), (N_ROWS - 1,)])
def test_blocks_are_those_of_memory_however_the_rows_are_cut_into_files(tmp_path, cuts):
    assert_same_blocks(rows_of(mixed().write(tmp_path, cuts, group_rows=30_000)), mixed().source())


def test_a_row_group_larger_than_the_memory_for_it_is_read_in_batches(one_file, monkeypatch):
    read_whole = []
    whole = pq.ParquetFile.read_row_group
    monkeypatch.setattr(
        pq.ParquetFile, "read_row_group", lambda self, *a, **k: read_whole.append(a) or whole(self, *a, **k)
    )
    assert_same_blocks(rows_of(one_file), mixed().source())
    assert len(read_whole) == 4
    monkeypatch.setattr(parquet, "LARGEST_GROUP", 46_000 * 8 * 8)
    assert_same_blocks(rows_of(one_file), mixed().source())
    assert len(read_whole) == 4


def test_the_size_of_a_row_group_is_that_of_its_numbers_not_of_what_the_file_needs_for_them(tmp_path, monkeypatch):
    """A constant column takes a few bytes of a file and eight for every row in memory."""
    path = tmp_path / "constant.parquet"
    pq.write_table(pa.table({"x": np.ones(100_000), "y": np.ones(100_000)}), path)
    assert path.stat().st_size < 5_000
    monkeypatch.setattr(parquet, "LARGEST_GROUP", 1_000_000)
    monkeypatch.setattr(pq.ParquetFile, "read_row_group", lambda *a, **k: pytest.fail("read whole"))
    assert len(next(open_source(path, target="y", weight=None, columns=None).blocks(0, 1))) == BLOCK_ROWS


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_jobs", [1, 2, 3, 4])
def test_a_fit_has_the_bits_of_memory_for_any_number_of_threads(one_file, n_jobs, weighted):
    columns = list(mixed().inputs)
    model = LinearRegression(n_jobs=n_jobs).fit_source(
        one_file, target=TARGETS, weight="w" if weighted else None, columns=columns
    )
    assert bits(model) == coefficients_in_memory(weighted)
    assert model.column_names() == mixed().inputs
    assert model.target_names_ == TARGETS


def test_several_files_and_threads_give_the_bits_of_one_table_in_memory(tmp_path):
    paths = mixed().write(tmp_path, (40_000, 90_000, 91_000), group_rows=20_000)
    model = LinearRegression(n_jobs=3).fit_source([str(path) for path in paths], target=TARGETS, weight="w")
    assert bits(model) == coefficients_in_memory(True)


def test_the_engine_may_be_serial(one_file):
    model = LinearRegression().fit_source(one_file, target=TARGETS, weight="w", engine="serial")
    assert bits(model) == coefficients_in_memory(True)


def test_columns_may_stand_in_another_order_in_another_file(tmp_path):
    first, second = mixed().write(tmp_path, (50_000,))
    turned = pq.read_table(second)
    pq.write_table(turned.select(turned.column_names[::-1]), second)
    assert_same_blocks(rows_of([first, second]), mixed().source())


def test_the_same_file_may_be_given_twice(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"x": [1.0, 2.0], "y": [3.0, 4.0]}), path)
    (block,) = open_source([path, path], target="y", weight=None, columns=None).blocks(0, 1)
    assert block.X.tolist() == [[1.0], [2.0], [1.0], [2.0]]


def test_any_run_of_blocks_is_that_run_of_all_blocks(one_file):
    source, whole = rows_of(one_file), list(mixed().source().blocks(0, 4))
    for first in range(4):
        for last in range(first, 5):
            part = list(source.blocks(first, last))
            assert [block.first for block in part] == [block.first for block in whole[first:last]]
            for block, wanted in zip(part, whole[first:last], strict=True):
                np.testing.assert_array_equal(block.X, wanted.X)


def test_the_head_is_the_first_block(one_file):
    head, wanted = rows_of(one_file).head(), mixed().source().head()
    assert (head.first, len(head)) == (0, BLOCK_ROWS)
    np.testing.assert_array_equal(head.X, wanted.X)
    np.testing.assert_array_equal(head.weight, wanted.weight)


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 9, 100])
@pytest.mark.parametrize("group_rows", [7_000, 50_000, BLOCK_ROWS, N_ROWS])
def test_cuts_cover_all_blocks_and_leave_no_part_empty(tmp_path, group_rows, parts):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": np.zeros(N_ROWS), "y": np.zeros(N_ROWS)}), path, row_group_size=group_rows)
    cuts = open_source(path, target="y", weight=None, columns=None).cuts(parts)
    assert (cuts[0], cuts[-1]) == (0, 4)
    assert cuts == sorted(set(cuts))
    assert len(cuts) <= parts + 1


def test_cuts_fall_where_row_groups_begin(tmp_path):
    path = tmp_path / "x.parquet"
    n = 8 * BLOCK_ROWS
    pq.write_table(pa.table({"x": np.zeros(n), "y": np.zeros(n)}), path, row_group_size=3 * BLOCK_ROWS)
    assert open_source(path, target="y", weight=None, columns=None).cuts(3) == [0, 3, 6, 8]
    assert open_source(path, target="y", weight=None, columns=None).cuts(100) == [0, 3, 6, 8]


KINDS = [
    pa.int8(),
    pa.uint8(),
    pa.int16(),
    pa.int32(),
    pa.uint32(),
    pa.int64(),
    pa.uint64(),
    pa.float32(),
    pa.float64(),
]


@pytest.mark.parametrize("kind", [*KINDS, pa.float16(), pa.decimal128(5, 2), pa.decimal256(50, 3)], ids=str)
def test_every_type_of_number_is_read(tmp_path, kind):
    path = tmp_path / "x.parquet"
    cells = pa.array([Decimal(3), Decimal(1), Decimal(2)] if pa.types.is_decimal(kind) else [3, 1, 2], kind)
    pq.write_table(pa.table({"x": cells, "y": [1.0, 2.0, 3.0]}), path)
    (block,) = open_source(path, target="y", weight=None, columns=None).blocks(0, 1)
    assert block.X.tolist() == [[3.0], [1.0], [2.0]]
