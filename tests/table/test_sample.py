"""A sample of a file as a table: the same rows whatever their form, kinds of all rows, said."""

import numpy as np
import polars as pl
import pytest

from glaswerk.stats.bottom_k import hashed
from glaswerk.table import TableError, batches, read_table, sample_file

N = 5_000


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Rows whose number is a cell, with a word in the last row of a column of numbers; many small batches."""
    monkeypatch.setattr(batches, "BATCH_BYTES", 20_000)
    monkeypatch.setattr(batches, "BATCH_ROWS", 700)
    rng = np.random.default_rng(1)
    town = rng.choice(["Aachen", "Bonn"], N)
    frame = pl.DataFrame({"n": np.arange(N) + 0.5, "town": town, "size": rng.normal(size=N).round(3)})
    frame.write_csv(tmp_path / "rows.csv")
    frame.write_parquet(tmp_path / "rows.parquet")
    return tmp_path


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
@pytest.mark.parametrize("rows", [1, 300, N - 1])
def test_the_rows_are_those_of_smallest_hash_in_the_order_of_the_file(files, name, rows):
    table = sample_file(files / name, rows, seed=7)
    wanted = np.sort(np.argsort(hashed(np.arange(N, dtype=np.uint64), 7))[:rows])
    assert (table["n"].series.to_numpy() - 0.5).tolist() == wanted.tolist()
    assert dict(table.reading)["rows"] == f"{rows} of {N}, those of smallest hash (seed 7); kinds are those of all rows"
    whole = read_table(files / name)
    assert [column.kind for column in table.columns] == [column.kind for column in whole.columns]
    assert table["town"].levels == whole["town"].levels or rows < 10


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_a_sample_of_more_rows_than_there_are_is_the_table(files, name):
    assert sample_file(files / name, 10 * N).to_polars().equals(read_table(files / name).to_polars())


def test_no_rows_are_no_sample(files):
    with pytest.raises(TableError, match="a sample must have at least 1 row, got 0"):
        sample_file(files / "rows.csv", 0)
