"""What is refused of Parquet files, and how: one sentence that names the file, the column or the row."""

import os
import re
import shutil
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from glaswerk import LinearRegression
from glaswerk.passes import BLOCK_ROWS
from glaswerk.table import TableError, open_source, parquet
from tests.table.mixed import N_ROWS, assert_same_blocks, mixed

TARGETS = list(mixed().targets)


@pytest.fixture(scope="module")
def one_file(tmp_path_factory):
    """Row groups of 50,000: only the first border of a group is one of a block."""
    return mixed().write(tmp_path_factory.mktemp("one"), group_rows=50_000)[0]


def refused(paths, **roles):
    with pytest.raises(TableError) as error:
        source = open_source(paths, **{"target": "y", "weight": None, "columns": None} | roles)
        list(source.blocks(0, -(-source.n_rows // BLOCK_ROWS)))
    return str(error.value)


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.parquet"
    columns = {"a": [1.0, 2.0, 3.0], "y": [2, 4, 7], "who": ["x", "y", "z"], "none": [0.5, None, None]}
    pq.write_table(pa.table(columns), path)
    return path


def test_a_missing_file_a_folder_and_a_pipe_are_named(tmp_path):
    assert refused(tmp_path / "no.parquet").endswith("no.parquet: there is no such file")
    assert "is a folder: give its Parquet files as a list" in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "is a device or a pipe" in refused(tmp_path / "pipe")


@pytest.mark.parametrize("content", [b"", b'{"a": 1}' * 50, b"\x89PNG" + bytes(50), bytes(100)])
def test_what_is_neither_parquet_nor_text_is_said_not_to_be(tmp_path, content):
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    assert re.search(r"x\.parq.*' is (empty|not a table)", refused(path)), "a long path is cut"


@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" + bytes(100)])
def test_what_is_not_parquet_is_said_not_to_be(tmp_path, content):
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    assert re.search(r"x\.parquet is not a whole Parquet file", refused(path))


@pytest.mark.parametrize("kept", [0.999, 0.9, 0.5, 0.01])
def test_a_truncated_file_is_refused_before_a_row_is_read(one_file, tmp_path, kept):
    path = tmp_path / "cut.parquet"
    data = one_file.read_bytes()
    path.write_bytes(data[: int(len(data) * kept)])
    assert "is not a whole Parquet file" in refused(path, target=TARGETS)


def test_a_damaged_footer_is_refused(one_file, tmp_path):
    path = tmp_path / "damaged.parquet"
    data = bytearray(one_file.read_bytes())
    data[-200:-8] = bytes(192)
    path.write_bytes(bytes(data))
    assert "damaged.parquet" in refused(path, target=TARGETS)


def test_a_damaged_data_page_ends_in_one_sentence_that_names_the_file(tmp_path):
    """The footer is whole and promises pages that are not there any more."""
    rng = np.random.default_rng(1)
    path = tmp_path / "page.parquet"
    pq.write_table(pa.table({"x": rng.normal(size=9_000), "y": rng.normal(size=9_000)}), path, compression="zstd")
    data = bytearray(path.read_bytes())
    middle = len(data) // 4
    data[4 : 4 + middle] = bytes(middle)
    path.write_bytes(bytes(data))
    assert re.search(r"page\.parquet cannot be read to its end: .", refused(path))


def test_a_file_that_ends_within_a_page_ends_in_one_sentence(tmp_path):
    """A middle part of the file is lost, so that the last page's end lies beyond the footer."""
    rng = np.random.default_rng(1)
    path = tmp_path / "short.parquet"
    pq.write_table(pa.table({"x": rng.normal(size=9_000), "y": rng.normal(size=9_000)}), path)
    data = path.read_bytes()
    path.write_bytes(data[:20_000] + data[60_000:])
    assert "short.parquet" in refused(path)


@contextmanager
def as_somebody_else(path):
    """Without the right to read `path`, also where the tests run as root."""
    mode, user = path.stat().st_mode, os.geteuid()
    path.chmod(0)
    if user == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(user)
        path.chmod(mode)


def test_a_file_that_may_not_be_read_is_said_to_be_so(small):
    with as_somebody_else(small):
        assert refused(small).endswith("you have no permission to read it")


def test_columns_that_do_not_fit_are_named_with_what_is_there(small):
    assert refused(small, target="Y") == "target: the table has no column 'Y'; it has 'a', 'y', 'who', 'none'"
    assert refused(small, weight="w").startswith("weight: the table has no column 'w'")
    assert refused(small, columns=["a", "b"]).startswith("columns: the table has no column 'b'")
    assert refused(small, columns=["y"]).startswith("column 'y' is asked for twice")
    assert refused(small, columns=["a", "a"]).startswith("column 'a' is asked for twice")
    assert refused(small, target=["y", "y"]).startswith("column 'y' is asked for twice")
    assert refused(small, weight="y").startswith("column 'y' is asked for twice")
    assert refused(small, target=[]) == "target must name at least one column, got none"
    assert refused(small, columns=[]) == "no input column is left beside target and weight"


def test_text_is_refused_with_its_type_and_file(small):
    message = refused(small)
    assert message.startswith(f"column 'who' holds string in {small}, and a bare learner takes numbers")
    assert refused(small, target="who", columns=["a"]).startswith("column 'who' holds string")


def test_dates_and_nested_columns_are_refused_and_a_long_type_is_shortened(tmp_path):
    path = tmp_path / "x.parquet"
    wide = pa.array([{f"field {k}": k for k in range(90)}])
    pq.write_table(pa.table({"when": pa.array([0], pa.timestamp("us")), "deep": wide, "y": [1]}), path)
    assert "'when' holds timestamp[us]" in refused(path)
    assert len(refused(path, columns=["deep"]).replace(str(path), "")) < 200


def test_an_empty_cell_is_named_by_column_and_row(small, tmp_path, monkeypatch):
    assert refused(small, columns=["none"]).startswith("column 'none' is empty in row 1: drop such rows or fill")
    path = tmp_path / "later.parquet"
    cells = [None if k == 9_000 else float(k) for k in range(10_000)]
    pq.write_table(pa.table({"x": cells, "y": cells}), path, row_group_size=4_000)
    assert refused(path, columns=["x"]).startswith("column 'x' is empty in row 9000")
    monkeypatch.setattr(parquet, "LARGEST_GROUP", 1)
    assert refused(path, columns=["x"]).startswith("column 'x' is empty in row 9000")


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_not_a_number_in_the_third_block_is_named_by_its_row(tmp_path, n_jobs):
    row = 2 * BLOCK_ROWS + 5
    x, y = np.arange(N_ROWS, dtype=float), np.ones(N_ROWS)
    x[row] = np.nan
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": x, "y": y}), path, row_group_size=60_000)
    with pytest.raises(ValueError, match=f"X contains NaN: column 'x', row {row} "):
        LinearRegression(n_jobs=n_jobs).fit_source(path, target="y")
    with pytest.raises(ValueError, match=f"the target y contains NaN: column 'x', row {row} "):
        LinearRegression(n_jobs=n_jobs).fit_source(path, target="x")


def test_a_negative_weight_is_named_by_its_row(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": [1.0, 2.0], "y": [1.0, 2.0], "w": [1.0, -1.0]}), path)
    with pytest.raises(ValueError, match=r"sample_weight must be finite and >= 0, got -1.0 in row 1"):
        LinearRegression().fit_source(path, target="y", weight="w")


def test_a_table_without_rows_is_refused(tmp_path):
    path = tmp_path / "empty.parquet"
    pq.write_table(pa.table({"x": pa.array([], pa.float64()), "y": pa.array([], pa.float64())}), path)
    assert refused(path).endswith("empty.parquet: the table has no rows")
    assert refused([path, path]).endswith("the table has no rows")


def test_a_table_of_the_target_alone_has_no_input(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"y": [1.0]}), path)
    assert refused(path) == "no input column is left beside target and weight"


def test_an_empty_file_among_full_ones_changes_nothing(tmp_path):
    paths = mixed().write(tmp_path, (100, 100))
    assert_same_blocks(open_source(paths, target=TARGETS, weight="w", columns=None), mixed().source())


def test_files_with_other_columns_are_named_with_the_odd_one(tmp_path):
    first, second = tmp_path / "1.parquet", tmp_path / "2.parquet"
    pq.write_table(pa.table({"x": [1.0], "y": [1.0]}), first)
    pq.write_table(pa.table({"x": [1.0], "y": [1.0], "z": [1.0]}), second)
    wanted = "2.parquet: its columns differ from those of .*1.parquet: only one of them has 'z'"
    assert re.search(wanted, refused([first, second]))
    assert re.search("only one of them has 'z'", refused([second, first]))


def test_a_column_that_is_text_in_a_later_file_is_refused_before_a_row_is_read(tmp_path):
    first, second = tmp_path / "1.parquet", tmp_path / "2.parquet"
    pq.write_table(pa.table({"x": [1], "y": [1.0]}), first)
    pq.write_table(pa.table({"x": ["1"], "y": [1.0]}), second)
    assert refused([first, second]).startswith(f"column 'x' holds string in {second}")


def test_two_columns_of_one_name_are_refused(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table([pa.array([1.0])] * 3, names=["x", "x", "y"]), path)
    assert refused(path).endswith("2 of its columns are called 'x'")


@pytest.mark.parametrize("group_rows", [1, 3])
def test_a_file_replaced_while_it_is_read_is_noticed(tmp_path, small, group_rows):
    """Without a look at the footer the rows that are gone would be missing in silence."""
    source = open_source(small, target="y", weight=None, columns=["a"])
    other = tmp_path / "other.parquet"
    pq.write_table(pq.read_table(small).slice(1), other, row_group_size=group_rows)
    shutil.copy(other, small)
    with pytest.raises(TableError, match=r"small\.parquet was changed while it was being read"):
        source.head()


def test_a_file_removed_while_it_is_read_is_named(small):
    source = open_source(small, target="y", weight=None, columns=["a"])
    small.unlink()
    with pytest.raises(TableError, match=r"small\.parquet cannot be read to its end"):
        source.head()
