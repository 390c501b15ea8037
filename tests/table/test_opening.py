"""Whatever holds rows gives the blocks of these rows in memory: patterns, text, lazy frames, datasets; and lets go."""

import gc
import importlib
import os
import re
import tempfile

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from glaswerk import LinearRegression
from glaswerk.passes import BLOCK_ROWS
from glaswerk.table import TableError, open_source

N = BLOCK_ROWS + 4_000


def table():
    rng = np.random.default_rng(8)
    x = rng.integers(-999, 999, size=(N, 2)) / 8
    return pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "y": x.sum(axis=1) + rng.integers(0, 9, N)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The table as files of every kind, in two parts each."""
    path = tmp_path_factory.mktemp("sources")
    frame = table()
    for k, part in enumerate((frame[:30_000], frame[30_000:])):
        (path / "p").mkdir(exist_ok=True)
        part.write_parquet(path / "p" / f"{k}.parquet", row_group_size=20_000)
        part.write_csv(path / f"{k}.csv")
        part.write_csv(path / f"{k}.txt", separator=";", decimal_comma=True)
    frame.write_csv(path / "whole.csv")
    return path


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def dask_frame(folder):
    return importlib.import_module("dask.dataframe").read_parquet(str(folder / "p"))


SOURCES = {
    "pattern": lambda folder: folder / "p" / "*.parquet",
    "deep pattern": lambda folder: str(folder / "**" / "*.parquet"),
    "CSV": lambda folder: folder / "whole.csv",
    "CSV pattern": lambda folder: str(folder / "[01].csv"),
    "German CSV": lambda folder: [folder / "0.txt", folder / "1.txt"],
    "lazy Polars": lambda folder: pl.scan_parquet(folder / "p" / "*.parquet").filter(pl.lit(True)),
    "lazy CSV": lambda folder: pl.scan_csv(folder / "whole.csv"),
    "dataset": lambda folder: ds.dataset(folder / "p"),
    "CSV dataset": lambda folder: ds.dataset(folder / "whole.csv", format="csv"),
    "dataset in memory": lambda folder: ds.dataset(table().to_arrow()),
    "Dask dataframe": dask_frame,
}


@pytest.fixture(scope="module")
def wanted():
    return LinearRegression().fit_source(table(), target="y").coef_.tobytes()


@pytest.mark.parametrize("made", SOURCES.values(), ids=SOURCES.keys())
def test_a_fit_has_the_bits_of_the_same_rows_in_memory(folder, made, wanted, temporary):
    found = LinearRegression().fit_source(made(folder), target="y")
    assert found.coef_.tobytes() == wanted
    assert found.column_names() == ("a", "b")
    gc.collect()
    assert os.listdir(temporary) == []


def test_a_csv_goes_to_workers_by_way_of_parquet(folder, wanted, dask_client):
    found = LinearRegression().fit_source(folder / "whole.csv", target="y", engine=dask_client)
    assert found.coef_.tobytes() == wanted


def test_a_csv_is_the_same_source_at_every_reading(folder):
    prints = [opened(folder / "whole.csv").fingerprint() for _ in range(2)]
    assert prints[0] == prints[1]


def opened(source, **roles):
    return open_source(source, **{"target": "y", "weight": None, "columns": None} | roles)


def test_a_dataset_of_whole_files_is_walked_where_they_lie(folder, temporary):
    source = opened(ds.dataset(folder / "p"))
    assert {os.path.dirname(group.path) for group in source.groups} == {str(folder / "p")}
    assert os.listdir(temporary) == []


def test_a_filtered_dataset_keeps_its_filter(folder):
    source = opened(ds.dataset(folder / "p").filter(ds.field("a") > 0))
    assert source.n_rows == int((table()["a"] > 0).sum())


def test_a_hive_dataset_has_its_folders_as_columns(folder, tmp_path):
    arrow = table().to_arrow().append_column("part", pa.array(np.arange(N) % 2))
    hive = tmp_path / "hive"
    ds.write_dataset(arrow, hive, format="parquet", partitioning=["part"], partitioning_flavor="hive")
    source = opened(ds.dataset(hive, partitioning="hive"), columns=["a", "part"])
    X = np.concatenate([block.X for block in source.blocks(0, 2)])
    assert X[:, 1].sum() == N // 2


def refused(source, **roles):
    with pytest.raises(TableError) as error:
        source = opened(source, **roles)
        list(source.blocks(0, -(-source.n_rows // BLOCK_ROWS)))
    return str(error.value)


def test_a_pattern_that_fits_nothing_is_told(tmp_path):
    assert refused(str(tmp_path / "*.parquet")).endswith("no file has a name like this")


def test_text_and_parquet_do_not_mix(folder):
    assert "is text and" in refused([folder / "0.csv", folder / "p" / "1.parquet"])


def test_an_empty_cell_and_a_word_in_a_csv_are_named_by_file_column_and_row(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,y\n" + "1.5,2\n" * 500 + ",3\n")
    assert re.search(r"x\.csv': column 'a' is empty in row 500: drop such rows", refused(path))
    path.write_text("a,y\n" + "1.5,2\n" * 500 + "oops,3\n")
    assert re.search(r"x\.csv': column 'a' holds 'oops', not a number, in row 500", refused(path))


def test_words_in_a_csv_are_named_with_kind_and_file(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("who,y\n" + "ann,2\nbob,3\nann,4\n" * 9)
    assert re.search(r"column 'who' holds a category in .*x\.csv, and a bare learner takes numbers", refused(path))


def test_csv_files_of_other_columns_are_named(tmp_path):
    (tmp_path / "1.csv").write_text("a,y\n1,2\n3,4\n")
    (tmp_path / "2.csv").write_text("a,z\n1,2\n3,4\n")
    message = refused(str(tmp_path / "?.csv"))
    assert re.search(r"2\.csv: its columns differ from those of .*1\.csv: only one of them has 'y'", message)


def test_not_a_number_far_into_a_later_file_is_named_by_file_and_row_group(tmp_path):
    x = np.zeros(N)
    for k in range(3):
        x[-5] = np.nan if k == 2 else 0.0
        pq.write_table(pa.table({"x": x, "y": np.ones(N)}), tmp_path / f"{k}.parquet", row_group_size=50_000)
    message = rf"X contains NaN: column 'x', row {3 * N - 5} .*\(row group 1 of .*2\.parquet\)"
    for engine in ("serial", "threads"):
        with pytest.raises(ValueError, match=message):
            LinearRegression().fit_source(tmp_path / "*.parquet", target="y", engine=engine)


def test_an_empty_cell_is_named_by_file_and_row_group(tmp_path):
    pq.write_table(pa.table({"x": [1.0, None], "y": [1.0, 2.0]}), tmp_path / "x.parquet", row_group_size=1)
    assert refused(tmp_path / "x.parquet").endswith("(row group 1 of " + str(tmp_path / "x.parquet") + ")")


def test_a_broken_row_group_is_named(tmp_path):
    path = tmp_path / "x.parquet"
    rng = np.random.default_rng(1)
    pq.write_table(pa.table({"x": rng.normal(size=9_000), "y": rng.normal(size=9_000)}), path, row_group_size=3_000)
    start = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
    data = bytearray(path.read_bytes())
    data[start : start + 2_000] = bytes(2_000)
    path.write_bytes(bytes(data))
    assert re.search(r"x\.parquet cannot be read to its end: row group 1: ", refused(path))


@pytest.mark.parametrize(
    ("memory", "told"), [("9MB", "those of 2 thread"), ("5 MB", "those of 1 thread"), (10**6, "in small batches")]
)
def test_a_small_memory_costs_threads_or_whole_row_groups_and_says_so(folder, wanted, memory, told):
    with pytest.warns(UserWarning, match=told):
        found = LinearRegression(n_jobs=3).fit_source(folder / "p" / "*.parquet", target="y", memory=memory)
    assert found.coef_.tobytes() == wanted


@pytest.mark.parametrize("memory", ["much", 0, "0 GB", None, "-1GB", True])
def test_what_is_no_size_is_refused_with_examples(folder, memory):
    with pytest.raises(ValueError, match=r"memory must be a number of bytes, or a text such as '500MB'"):
        LinearRegression().fit_source(folder / "whole.csv", target="y", memory=memory)
