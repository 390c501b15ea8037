"""Checkpoints: what interrupts a pass does no harm, the same call goes on to the same bits; another fit is refused."""

import errno
import itertools
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaswerk import LinearRegression, LogisticRegression
from glaswerk.passes import BLOCK_ROWS, Block, CheckpointError, Kept, checkpoint, open_engine
from glaswerk.passes.checkpoint import joined, remaining
from glaswerk.stats.moments import Moments

BLOCKS = 11


class Rows:
    """Random rows of a table that is nowhere: block k from seed k."""

    names, n_targets = ("a", "b"), 1
    n_rows = (BLOCKS - 1) * BLOCK_ROWS + 5

    def head(self):
        return next(self.blocks(0, 1))

    def blocks(self, first, last):
        for number in range(first, last):
            rows = np.random.default_rng(number).normal(size=(7, 3))
            yield Block(number * BLOCK_ROWS, rows[:, :2], rows[:, 2:], np.zeros(0))

    def cuts(self, parts):
        return list(range(BLOCKS + 1))


def observe(block):
    return Moments.of(block.X, block.Y, shift=np.zeros(3))


class Counting:
    """Observes, notes which blocks, and stops the world at one of them."""

    def __init__(self, at=None, error=KeyboardInterrupt):
        self.seen, self.at, self.error = [], at, error

    def __call__(self, block):
        number = block.first // BLOCK_ROWS
        if number == self.at:
            raise self.error(f"at {number}")
        self.seen.append(number)
        return observe(block)


@pytest.fixture
def eager(monkeypatch):
    monkeypatch.setattr(checkpoint, "LEAST_SECONDS", -1.0)
    monkeypatch.setattr(checkpoint, "TIMES_THE_SAVING", 0)
    monkeypatch.setattr(checkpoint, "LONGEST_PART", 1)


def kept(path, about=None, engine="serial"):
    return Kept(open_engine(engine, 2), path, about or {"learner": "Test"})


WANTED = open_engine("serial").sum(Rows(), observe).gram.tobytes()


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
@pytest.mark.parametrize("engine", ["serial", "threads"])
@pytest.mark.parametrize("at", [0, 1, 6, 10])
def test_an_interrupted_pass_goes_on_where_it_was_to_the_same_bits(tmp_path, eager, at, engine, error):
    path = tmp_path / "run.ckpt"
    with pytest.raises(error), kept(path, engine=engine) as walker:
        walker.sum(Rows(), Counting(at, error))
    assert path.exists()
    again = Counting()
    with kept(path, engine=engine) as walker:
        assert walker.sum(Rows(), again).gram.tobytes() == WANTED
    assert sorted(again.seen) == list(range(at, BLOCKS))
    assert not path.exists()


def test_passes_that_ended_are_not_walked_again(tmp_path, eager):
    path = tmp_path / "run.ckpt"
    with pytest.raises(KeyboardInterrupt), kept(path) as walker:
        assert walker.sum(Rows(), observe).gram.tobytes() == WANTED
        walker.sum(Rows(), Counting(4))
    first, second = Counting(), Counting()
    with kept(path) as walker:
        assert walker.sum(Rows(), first).gram.tobytes() == WANTED
        assert walker.sum(Rows(), second).gram.tobytes() == WANTED
    assert first.seen == []
    assert second.seen == list(range(4, BLOCKS))


def test_a_checkpoint_of_another_fit_is_refused_and_left_as_it_was(tmp_path):
    path = tmp_path / "run.ckpt"
    with pytest.raises(KeyboardInterrupt), kept(path, {"learner": "Ridge", "parameter alpha": "1.0"}) as walker:
        walker.sum(Rows(), Counting(3))
    before = path.read_bytes()
    message = r"was made by another fit: parameter alpha was 1\.0, and is 2\.0\. Give another path, or delete the file"
    with pytest.raises(CheckpointError, match=message), kept(path, {"learner": "Ridge", "parameter alpha": "2.0"}):
        pass
    assert path.read_bytes() == before


def test_a_damaged_checkpoint_is_refused_with_its_name(tmp_path):
    path = tmp_path / "run.ckpt"
    path.write_bytes(b"what is this")
    with pytest.raises(CheckpointError, match=r"run\.ckpt' cannot be read: "), kept(path):
        pass


def test_a_place_where_nothing_can_be_written_is_told_before_the_first_pass(tmp_path):
    with pytest.raises(CheckpointError, match="No such file or directory"), kept(tmp_path / "none" / "run.ckpt"):
        pytest.fail("a pass was begun")


def test_a_full_disk_ends_the_fit_and_leaves_what_was_saved(tmp_path, eager, monkeypatch):
    path = tmp_path / "run.ckpt"
    write = checkpoint.archive.write
    calls = []

    def full(*arguments, **options):
        calls.append(1)
        if len(calls) > 5:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint.archive, "write", full)
        message = "No space left on device. What was saved before is whole"
        with pytest.raises(CheckpointError, match=message), kept(path) as walker:
            walker.sum(Rows(), observe)
    again = Counting()
    with kept(path) as walker:
        assert walker.sum(Rows(), again).gram.tobytes() == WANTED
    assert again.seen == list(range(4, BLOCKS))


def test_saving_is_seldom_enough_to_cost_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "LONGEST_PART", 1)
    now, saved = [0.0], []
    monkeypatch.setattr(checkpoint.time, "monotonic", lambda: now[0])

    def write(*arguments, **options):
        saved.append(now[0])
        now[0] += 0.1  # a slow disk

    monkeypatch.setattr(checkpoint.archive, "write", write)

    def slow(block):
        now[0] += 6.0
        return observe(block)

    with kept(tmp_path / "run.ckpt") as walker:
        walker.sum(Rows(), slow)
    assert len(saved) == 1 + 2  # at once, then every 20 seconds of 66
    assert all(later - earlier >= 20 for earlier, later in itertools.pairwise(saved))


def test_sums_that_no_file_can_hold_are_told_so(tmp_path, eager):
    class Odd:
        def __add__(self, other):
            return self

    with pytest.raises(CheckpointError, match="these sums cannot be kept in a file"), kept(tmp_path / "c") as walker:
        walker.sum(Rows(), lambda block: Odd())


@given(st.sets(st.integers(0, BLOCKS - 1)))
def test_what_remains_and_what_is_done_are_all_blocks_once(done):
    runs = joined([(k, k + 1) for k in done])
    rest = remaining(Rows(), runs, 3)
    blocks = [k for part in [*runs, *rest] for k in range(*part)]
    assert sorted(blocks) == list(range(BLOCKS))
    assert all(a[1] < b[0] for a, b in itertools.pairwise(runs))


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(3 * BLOCK_ROWS, 2))
    table = {"a": x[:, 0], "b": x[:, 1], "y": (x.sum(axis=1) + rng.normal(size=len(x)) > 0).astype(int)}
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table(table), path, row_group_size=40_000)
    return path


@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_a_fit_of_rounds_goes_on_in_the_round_it_was_in(file, tmp_path, eager, monkeypatch, engine):
    path = tmp_path / "run.ckpt"
    wanted = LogisticRegression().fit_source(file, target="y")
    plain, walked, stop_at = LogisticRegression.observe, [], [3]

    def observe(self, block, ask):
        if block.first == 2 * BLOCK_ROWS and ask.passes in stop_at:
            raise KeyboardInterrupt
        walked.append(ask.passes)
        return plain(self, block, ask)

    monkeypatch.setattr(LogisticRegression, "observe", observe)
    with pytest.raises(KeyboardInterrupt):
        LogisticRegression().fit_source(file, target="y", engine=engine, checkpoint=path)
    stop_at.clear()
    walked.clear()
    found = LogisticRegression().fit_source(file, target="y", engine=engine, checkpoint=path)
    assert walked[0] == 3
    assert walked.count(3) < 3
    assert found.coef_.tobytes() == wanted.coef_.tobytes()
    assert not path.exists()


def test_a_checkpoint_knows_parameters_data_and_columns(file, tmp_path):
    path = tmp_path / "run.ckpt"
    bad = pq.read_table(file).to_pandas()
    bad.loc[150_000, "a"] = np.nan
    bad.to_parquet(tmp_path / "bad.parquet")
    with pytest.raises(ValueError, match="row 150000"):
        LinearRegression().fit_source(tmp_path / "bad.parquet", target="y", checkpoint=path)
    with pytest.raises(CheckpointError, match=r"file 1, bad\.parquet was"):
        LinearRegression().fit_source(file, target="y", checkpoint=path)
    with pytest.raises(CheckpointError, match="columns was a, b, y, and is a, y"):
        LinearRegression().fit_source(tmp_path / "bad.parquet", target="y", columns=["a"], checkpoint=path)
    with pytest.raises(CheckpointError, match="parameter fit_intercept was True, and is False"):
        LinearRegression(fit_intercept=False).fit_source(tmp_path / "bad.parquet", target="y", checkpoint=path)
    with pytest.raises(CheckpointError, match="learner was LinearRegression, and is LogisticRegression"):
        LogisticRegression().fit_source(tmp_path / "bad.parquet", target="y", checkpoint=path)
