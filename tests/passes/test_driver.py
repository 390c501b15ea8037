"""One pass over a source: serial or threads, any layout, the same bits; and what happens when a block fails."""

import itertools
import threading
import time

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from glaswerk import LinearRegression
from glaswerk.passes import BLOCK_ROWS, ArraySource, Block, local, sum_blocks
from glaswerk.stats.moments import Moments

N = 5 * BLOCK_ROWS + 17  # five whole blocks and a few rows
SHIFT = np.array([0.25, 0.0, 1.0, 0.5])


@pytest.fixture(scope="module")
def table():
    """X, Y, weight of single precision, so that every layout below can hold them exactly."""
    rng = np.random.default_rng(11)
    X = rng.normal(size=(N, 3)).astype(np.float32)
    Y = (X @ np.array([[1.0], [2.0], [-0.5]], dtype=np.float32) + rng.normal(size=(N, 1))).astype(np.float64)
    return X, Y, rng.integers(0, 4, N) * 0.5


def moments(block):
    return Moments.of(block.X, block.Y, block.weight, shift=SHIFT)


@pytest.fixture(scope="module")
def serial(table):
    X, Y, weight = table
    plain = ArraySource(X.astype(np.float64), Y), ArraySource(X.astype(np.float64), Y, weight)
    return [sum_blocks(source, moments, "serial").gram.tobytes() for source in plain]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_jobs", [1, 2, 3, 4, 5])
def test_threads_give_the_bits_of_one_after_the_other(table, serial, n_jobs, weighted):
    X, Y, weight = table
    source = ArraySource(X, Y, weight if weighted else np.zeros(0))
    found = sum_blocks(source, moments, "threads", n_jobs)
    assert found.gram.tobytes() == serial[weighted]
    assert found.count == (np.count_nonzero(weight) if weighted else N)


LAYOUTS = {
    "float32": lambda X: X,
    "Fortran": lambda X: np.asfortranarray(X, dtype=np.float64),
    "Fortran float32": np.asfortranarray,
    "every second row": lambda X: np.repeat(X.astype(np.float64), 2, axis=0)[::2],
    "every second column": lambda X: np.repeat(X.astype(np.float64), 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1].astype(np.float64)[::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_the_layout_in_memory_leaves_no_trace(table, serial, layout, n_jobs):
    X, Y, weight = table
    found = sum_blocks(ArraySource(layout(X), Y, weight), moments, "threads", n_jobs)
    assert found.gram.tobytes() == serial[True]


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_a_learner_gives_the_same_bits_for_any_layout_and_number_of_threads(table, layout):
    X, Y, weight = table
    wanted = LinearRegression(n_jobs=1).fit(X.astype(np.float64), Y[:, 0], weight)
    found = LinearRegression(n_jobs=4).fit(layout(X), Y[:, 0], weight)
    assert found.coef_.tobytes() == wanted.coef_.tobytes()
    assert found.intercept_ == wanted.intercept_


@pytest.mark.parametrize("n_rows", [1, BLOCK_ROWS, BLOCK_ROWS + 1, N])
@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_every_row_is_in_exactly_one_block_that_begins_at_a_multiple_of_its_size(table, engine, n_rows):
    X, Y, _ = table
    seen = []
    sum_blocks(ArraySource(X[:n_rows], Y[:n_rows]), len, engine, 3, lambda b: seen.append((b.first, len(b))))
    starts = range(0, n_rows, BLOCK_ROWS)
    assert sorted(seen) == [(first, min(BLOCK_ROWS, n_rows - first)) for first in starts]


@pytest.mark.parametrize("parts", [1, 2, 5, 6, 7, 100])
def test_cuts_cover_all_blocks_and_leave_no_part_empty(table, parts):
    X, Y, _ = table
    cuts = ArraySource(X, Y).cuts(parts)
    assert (cuts[0], cuts[-1]) == (0, 6)
    assert len(cuts) == min(parts, 6) + 1
    assert all(a < b for a, b in itertools.pairwise(cuts))


def test_the_head_is_the_first_block(table):
    X, Y, weight = table
    head = ArraySource(X, Y, weight, X_low=X * 1e-9).head()
    assert (head.first, len(head), len(head.Y), len(head.weight)) == (0, BLOCK_ROWS, BLOCK_ROWS, BLOCK_ROWS)
    assert np.array_equal(head.X_low, (X * 1e-9)[:BLOCK_ROWS])


def test_an_engine_that_does_not_exist_is_refused_with_those_that_do(table):
    X, Y, _ = table
    with pytest.raises(ValueError, match=r"engine must be 'serial', 'threads', 'dask', .*, got 'thread'"):
        sum_blocks(ArraySource(X, Y), moments, "thread")


@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_a_table_without_rows_is_refused(engine):
    with pytest.raises(ValueError, match="no block was summed: the table has no rows"):
        sum_blocks(ArraySource(np.zeros((0, 3)), np.zeros((0, 1))), moments, engine, 2)


@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_blas_has_one_thread_within_a_pass_and_its_own_number_after_it(table, engine):
    X, Y, _ = table

    def threads(block):
        return max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")

    with threadpool_limits(2, "blas"):
        before = threads(None)
        assert sum_blocks(ArraySource(X, Y), threads, engine, 2) == 6 * 1
        assert threads(None) == before


class Endless:
    """A source of many small blocks, which claims more rows than anybody could hold."""

    names, n_targets = ("x",), 1
    n_rows = 400 * BLOCK_ROWS

    def head(self):
        return next(self.blocks(0, 1))

    def blocks(self, first, last):
        for number in range(first, last):
            yield Block(number * BLOCK_ROWS, np.full((1, 1), float(number)), np.zeros((1, 1)), np.zeros(0))

    def cuts(self, parts):
        return list(range(0, 401, 10))


@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_an_error_in_a_block_is_raised_once_and_ends_the_work_of_the_others(n_jobs):
    failed, seen = threading.Event(), []

    def observe(block):
        seen.append(block.first)
        if block.first == 3 * BLOCK_ROWS:
            failed.set()
            raise ZeroDivisionError("block 3")
        if failed.is_set():
            time.sleep(0.01)  # long enough for the news to travel, 400 times too long for the work to end
        return 1

    with pytest.raises(ZeroDivisionError, match="block 3") as error:
        sum_blocks(Endless(), observe, "threads", n_jobs)
    assert error.value.__context__ is None
    assert len(seen) < 400
    at_the_end = len(seen)
    time.sleep(0.05)
    assert len(seen) == at_the_end


def test_of_several_errors_that_of_the_earliest_block_is_raised_whoever_comes_first():
    """So that the row named in a message is the same for every number of threads."""
    last_failed = threading.Event()

    def observe(block):
        number = block.first // BLOCK_ROWS
        if number == 19:
            last_failed.set()
            raise ValueError("block 19")
        if number == 9:
            assert last_failed.wait(20)
            raise ValueError("block 9")
        return 1

    with pytest.raises(ValueError, match="block 9"):
        sum_blocks(Endless(), observe, "threads", 2)


def test_after_an_error_the_next_pass_is_whole():
    def fails(block):
        raise ValueError("always")

    with pytest.raises(ValueError, match="always"):
        sum_blocks(Endless(), fails, "threads", 3)
    assert sum_blocks(Endless(), lambda block: 1, "threads", 3) == 400


def test_no_more_threads_than_allowed_work_at_once():
    names = set()

    def observe(block):
        names.add(threading.current_thread().name)
        return 1

    assert sum_blocks(Endless(), observe, "threads", 3) == 400
    assert 1 <= len(names) <= 3
    assert all(name.startswith("glaswerk") for name in names)


def test_a_part_of_the_work_is_longer_than_one_block_only_where_there_are_enough(table, monkeypatch):
    asked = []
    monkeypatch.setattr(Endless, "cuts", lambda self, parts: asked.append(parts) or [0, 200, 400])
    assert sum_blocks(Endless(), lambda block: 1, "threads", 2) == 400
    assert asked == [2 * local.TASKS_PER_THREAD]
