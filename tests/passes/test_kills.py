"""Whatever dies in the middle of a pass (workers, scheduler, this process): the bits of an undisturbed fit."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from glaswerk import LinearRegression
from glaswerk.passes import BLOCK_ROWS, ClusterError
from tests.passes.slow_fit import fitted

distributed = pytest.importorskip("distributed")
BLOCKS = 40
pytestmark = [pytest.mark.proof, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(BLOCKS * BLOCK_ROWS - 77, 2))
    path = tmp_path_factory.mktemp("kills") / "rows.parquet"
    pq.write_table(pa.table({"a": x[:, 0], "b": x[:, 1], "y": x.sum(axis=1) + 0.1}), path, row_group_size=50_000)
    return path


@pytest.fixture(scope="module")
def wanted(file):
    found = LinearRegression().fit_source(file, "y", engine="serial")
    return found.coef_.tobytes() + found.statistic_.gram.tobytes()


def killing(pids, pause):
    """A thread that ends these processes one after the other."""

    def run():
        for pid in pids():
            time.sleep(pause)
            os.kill(pid(), signal.SIGKILL)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_three_workers_killed_in_the_middle_of_a_pass_leave_no_trace(file, wanted):
    with (
        distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        assert fitted(file, client) == wanted
        dead = [cluster.workers[k].pid for k in (0, 1)]
        thread = killing(lambda: [lambda k=k: cluster.workers[k].pid for k in (0, 1, 0)], 0.4)
        found = fitted(file, client)
        thread.join()
        assert found == wanted
        assert not {cluster.workers[k].pid for k in (0, 1)} & set(dead)


@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_a_fit_killed_four_times_goes_on_to_the_same_bits(file, wanted, tmp_path, engine):
    kept = tmp_path / "run.ckpt"
    sizes = []
    for _ in range(4):
        process = started(file, engine, kept)
        time.sleep(0.5)
        wait_for(lambda: kept.exists())
        time.sleep(0.5)
        process.kill()
        process.wait()
        sizes.append(kept.stat().st_size)
    process = started(file, engine, kept)
    assert process.wait(timeout=60) == 0
    assert kept.with_suffix(".bits").read_bytes() == wanted
    assert not kept.exists()


def test_control_c_keeps_the_checkpoint(file, wanted, tmp_path):
    kept = tmp_path / "run.ckpt"
    process = started(file, "threads", kept)
    wait_for(lambda: kept.exists())
    time.sleep(0.6)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) != 0
    assert kept.exists()
    assert not kept.with_suffix(".bits").exists()
    begun = time.monotonic()
    assert started(file, "threads", kept).wait(timeout=60) == 0
    assert kept.with_suffix(".bits").read_bytes() == wanted
    assert time.monotonic() - begun < 30


@pytest.fixture
def cluster_by_hand():
    """A scheduler and two workers, started as anybody would; what is still alive is ended."""
    running = []

    def start(*command):
        process = subprocess.Popen([sys.executable, "-m", "distributed.cli." + command[0], *command[1:]],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        running.append(process)
        return process

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"

    def all_of_it():
        scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
        return scheduler, [
            start("dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny") for _ in "ab"
        ]

    yield address, all_of_it
    for process in running:
        process.kill()
        process.wait()


def test_a_cluster_started_by_hand_is_found_by_its_address_and_may_lose_a_worker(file, wanted, cluster_by_hand):
    address, start = cluster_by_hand
    _, workers = start()
    time.sleep(3)
    assert fitted(file, address) == wanted
    thread = killing(lambda: [lambda: workers[0].pid], 1.5)
    assert fitted(file, address) == wanted
    thread.join()


def test_a_scheduler_that_dies_is_told_and_the_fit_goes_on_with_another(file, wanted, tmp_path, cluster_by_hand):
    address, start = cluster_by_hand
    scheduler, workers = start()
    time.sleep(3)
    kept = tmp_path / "run.ckpt"
    thread = killing(lambda: [lambda: scheduler.pid], 3.0)
    with pytest.raises(ClusterError, match="the Dask scheduler is gone in the middle of the work"):
        fitted(file, address, kept)
    thread.join()
    assert kept.exists()
    for worker in workers:
        worker.kill()
        worker.wait()
    start()
    time.sleep(3)
    assert fitted(file, address, kept) == wanted
    assert not kept.exists()


def started(file, engine, kept):
    return subprocess.Popen([sys.executable, "-m", "tests.passes.slow_fit", str(file), engine, str(kept)],
                            stderr=subprocess.DEVNULL)  # fmt: skip


def wait_for(happened, seconds=30):
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)
