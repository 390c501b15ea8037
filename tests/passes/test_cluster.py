"""Dask: workers in other processes give the bits of this one; who cannot is refused before the first pass."""

from dataclasses import replace

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from glaswerk import GaussianNB, LinearRegression, LogisticRegression, Ridge
from glaswerk.passes import BLOCK_ROWS, ClusterError, alike, open_engine, sum_blocks
from glaswerk.passes.cluster import _added, open_cluster
from glaswerk.passes.tree import AlignedTree
from glaswerk.stats.moments import Moments
from glaswerk.table import open_source

N = 9 * BLOCK_ROWS + 17


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(N, 2))
    path = tmp_path_factory.mktemp("dask") / "rows.parquet"
    y = x.sum(axis=1) + rng.normal(size=N)
    pq.write_table(
        pa.table({"a": x[:, 0], "b": x[:, 1], "y": y, "c": (y > 0).astype(int)}), path, row_group_size=30_000
    )
    return path


def rows(file):
    return open_source(file, target="y", weight=None, columns=["a", "b"])


def observe(block):
    return Moments.of(block.X, block.Y, shift=np.zeros(3))


LEARNERS = [(LinearRegression(), "y"), (Ridge(alpha=2.0), "y"), (LogisticRegression(), "c"), (GaussianNB(), "c")]


@pytest.mark.parametrize(("learner", "target"), LEARNERS, ids=lambda v: type(v).__name__)
def test_a_fit_on_workers_has_the_bits_of_a_fit_here(dask_client, file, learner, target):
    grid = pl.DataFrame(np.random.default_rng(0).normal(size=(50, 2)), schema=["a", "b"])
    found = []
    for engine in ("serial", "threads", dask_client):
        fitted = learner.fit_source(file, target=target, columns=["a", "b"], engine=engine)
        found.append(fitted.predict_proba(grid) if target == "c" else fitted.predict(grid))
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


@pytest.mark.parametrize("tasks", [1, 3, 100])
@pytest.mark.parametrize("fan_in", [2, 8])
def test_neither_the_size_of_tasks_nor_the_fan_in_leaves_a_trace(dask_client, file, monkeypatch, tasks, fan_in):
    monkeypatch.setattr("glaswerk.passes.cluster.TASKS_PER_WORKER", tasks)
    monkeypatch.setattr("glaswerk.passes.cluster.FAN_IN", fan_in)
    seen = []
    found = sum_blocks(rows(file), observe, dask_client, after_block=lambda done: seen.append(len(done)))
    assert found.gram.tobytes() == sum_blocks(rows(file), observe).gram.tobytes()
    assert sum(seen) == N


def test_a_dataframe_in_memory_travels_with_the_tasks(dask_client, file):
    frame = pl.read_parquet(file)
    wanted = LinearRegression().fit_source(frame, target="y", columns=["a", "b"], engine="serial")
    found = LinearRegression().fit_source(frame, target="y", columns=["a", "b"], engine=dask_client)
    assert found.coef_.tobytes() == wanted.coef_.tobytes()


def test_an_error_on_a_worker_is_the_error_here_and_names_the_row(dask_client, tmp_path):
    x = np.zeros(3 * BLOCK_ROWS)
    x[[2 * BLOCK_ROWS + 3, BLOCK_ROWS + 2]] = np.nan
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"x": x, "y": np.ones(len(x))}), path, row_group_size=BLOCK_ROWS)
    with pytest.raises(ValueError, match=f"LinearRegression: X contains NaN: column 'x', row {BLOCK_ROWS + 2} "):
        LinearRegression().fit_source(path, target="y", engine=dask_client)


def test_workers_of_another_version_are_refused_with_their_name(dask_client, file, monkeypatch):
    monkeypatch.setattr("glaswerk.passes.cluster.versions", lambda: alike.versions() | {"numpy": "9.9"})
    with pytest.raises(ClusterError, match=r"the worker tcp://127.* has another version of numpy: .* there, 9\.9 here"):
        LinearRegression().fit_source(file, target="y", engine=dask_client)


def test_workers_that_see_another_file_are_refused_with_both(dask_client, file, monkeypatch):
    told = rows(file).fingerprint() | {"file 1, rows.parquet": "1 bytes"}
    monkeypatch.setattr("glaswerk.passes.cluster.fingerprint_of", lambda source: told)
    message = r"the worker tcp://.* does not see the same rows: file 1, rows\.parquet: .* there, 1 bytes here"
    with pytest.raises(ClusterError, match=message):
        open_cluster(dask_client, None).prepare(rows(file))


def test_workers_that_see_no_file_are_refused_with_its_path(dask_client, file, monkeypatch):
    source = rows(file)
    elsewhere = replace(source, groups=(replace(source.groups[0], path="/nowhere/x.parquet"),))
    monkeypatch.setattr("glaswerk.passes.cluster.fingerprint_of", lambda _: source.fingerprint())
    with pytest.raises(ClusterError, match=r"the worker tcp.* /nowhere/x\.parquet: No such file.* by the same paths"):
        open_cluster(dask_client, None).prepare(elsewhere)


def test_nobody_at_an_address_is_told_soon(monkeypatch):
    monkeypatch.setattr("glaswerk.passes.cluster.CONNECTING", 1)
    with pytest.raises(ClusterError, match="no Dask scheduler answers there"):
        open_cluster("tcp://127.0.0.1:9", None)


def test_the_local_cluster_is_closed_when_its_passes_are_done(file):
    with open_engine("dask", 1) as engine:
        assert len(engine.workers) == 1
        found = engine.sum(rows(file), observe)
    assert found.gram.tobytes() == sum_blocks(rows(file), observe).gram.tobytes()
    assert engine.client.status == "closed"


def test_a_checkpoint_serves_a_cluster_too(dask_client, file, tmp_path):
    wanted = LinearRegression().fit_source(file, target="y", columns=["a", "b"], engine="serial")
    path = tmp_path / "run.ckpt"
    found = LinearRegression().fit_source(file, target="y", columns=["a", "b"], engine=dask_client, checkpoint=path)
    assert found.coef_.tobytes() == wanted.coef_.tobytes()
    assert not path.exists()


def test_trees_add_wherever_they_are():
    parts = [AlignedTree() for _ in range(3)]
    for k, tree in enumerate(parts):
        tree.add(k, k)
    assert _added(*parts).total() == 3
