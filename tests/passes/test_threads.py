"""How many threads: what the caller, the environment, the machine and a fork say; and BLAS put back as it was."""

import os
import subprocess
import sys
import threading

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from glaswerk.passes import available_threads, one_blas_thread


@pytest.fixture
def four_cores(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 3, 5, 6}, raising=False)


def blas_threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_without_a_word_all_cores_of_the_affinity_are_used(four_cores):
    assert available_threads() == 4


@pytest.mark.parametrize(
    ("n_jobs", "threads"), [(1, 1), (3, 3), (4, 4), (9, 9), (-1, 4), (-2, 3), (-4, 1), (-5, 1), (-99, 1)]
)
def test_n_jobs_is_taken_at_its_word_and_counts_back_where_negative(four_cores, n_jobs, threads):
    assert available_threads(n_jobs) == threads


@pytest.mark.parametrize(
    ("asked", "threads"), [("1", 1), ("3", 3), ("64", 4), ("0", 4), ("", 4), ("many", 4), ("-2", 4), ("²", 4)]
)
def test_the_environment_may_ask_for_fewer(four_cores, monkeypatch, asked, threads):
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert available_threads() == threads


def test_n_jobs_goes_before_the_environment(four_cores, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert available_threads(2) == 2


def test_where_there_is_no_affinity_the_number_of_cores_counts(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for cores, threads in ((8, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert available_threads() == threads


IN_A_CHILD = """
import os
from glaswerk.passes import available_threads, one_blas_thread
os.sched_getaffinity = lambda pid: {0, 1, 2, 3}
with one_blas_thread():
    child = os.fork()
    if child == 0:
        with one_blas_thread():
            print("child", available_threads(), available_threads(3), available_threads(-1), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
print("parent", available_threads())
"""


def test_a_forked_child_takes_one_thread_unless_told_otherwise():
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    run = subprocess.run(
        [sys.executable, "-c", IN_A_CHILD], capture_output=True, text=True, env=environment, timeout=60
    )
    assert run.stdout.splitlines() == ["child 1 3 4", "parent 4"], run.stderr


def test_blas_is_held_to_one_thread_and_put_back():
    with threadpool_limits(2, "blas"):
        before = blas_threads()
        with one_blas_thread():
            assert blas_threads() == {1}
        assert blas_threads() == before == {2}


def test_blas_is_put_back_after_an_error():
    with threadpool_limits(2, "blas"):
        with pytest.raises(KeyError), one_blas_thread():
            raise KeyError
        assert blas_threads() == {2}


def test_a_pass_within_a_pass_ends_with_the_outer_one():
    with threadpool_limits(2, "blas"):
        with one_blas_thread():
            with one_blas_thread():
                assert blas_threads() == {1}
            assert blas_threads() == {1}
        assert blas_threads() == {2}


def test_the_end_of_one_pass_does_not_widen_blas_under_another():
    """Two fits in two threads of the user: the first one's end must not change the second one's bits."""
    first_in, second_in, first_out, inside = (threading.Event() for _ in range(4))
    seen = []

    def first():
        with one_blas_thread():
            first_in.set()
            assert second_in.wait(20)
        first_out.set()

    def second():
        assert first_in.wait(20)
        with one_blas_thread():
            second_in.set()
            assert first_out.wait(20)
            seen.append(blas_threads())
            inside.set()

    with threadpool_limits(2, "blas"):
        fits = [threading.Thread(target=fit) for fit in (first, second)]
        for fit in fits:
            fit.start()
        for fit in fits:
            fit.join(60)
        assert inside.is_set()
        assert seen == [{1}]
        assert blas_threads() == {2}
