"""The progress line: silence for pipes and short fits, one line for a person, and nothing left of it at the end."""

import io
import os
import pty
import re
from types import SimpleNamespace

import numpy as np
import pytest

from glaswerk import LinearRegression
from glaswerk.passes import BLOCK_ROWS, Block, Progress, progress

ROWS = Block(0, np.zeros((25, 1)), np.zeros((25, 1)), np.zeros(0))


def watched_by(monkeypatch, stream):
    """Let the line go to this stream; sys.stderr itself belongs to pytest between setup and test."""
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))


class Terminal:
    """A pseudo-terminal in the place of stderr."""

    def __init__(self, monkeypatch):
        self.master, slave = pty.openpty()
        self.stream = os.fdopen(slave, "w", encoding="utf-8")
        watched_by(monkeypatch, self.stream)

    def written(self):
        """Everything written so far."""
        self.stream.write("\x00")
        self.stream.flush()
        found = b""
        while not found.endswith(b"\x00"):
            found += os.read(self.master, 65_536)
        return found[:-1].decode()


@pytest.fixture
def terminal(monkeypatch):
    found = Terminal(monkeypatch)
    yield found
    found.stream.close()
    os.close(found.master)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "QUIET_SECONDS", -1.0)
    monkeypatch.setattr(progress, "REDRAW_SECONDS", -1.0)


def screen(text):
    """What a terminal shows of one line after all carriage returns."""
    shown = ""
    for piece in text.split("\r"):
        shown = piece + shown[len(piece) :]
    return shown.rstrip()


def test_a_terminal_is_told_the_share_done_and_left_clean(terminal, impatient):
    line = Progress("LinearRegression", 100, 2)
    line(ROWS)
    assert re.fullmatch(r"\rLinearRegression: pass 2,  25 % of 100 rows, \d+ s left", terminal.written())
    line(ROWS)
    line.close()
    written = terminal.written()
    assert " 50 % of 100 rows" in written
    assert written.endswith("\r")
    assert screen(written) == ""


def test_a_line_that_grows_shorter_leaves_nothing_of_the_longer_one(terminal, impatient, monkeypatch):
    now = iter([0.0, 1000.0, 1001.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    line = Progress("fit", 100, 1)
    line(ROWS)
    assert screen(first := terminal.written()) == "fit: pass 1,  25 % of 100 rows, 3000 s left"
    line(Block(0, np.zeros((75, 1)), np.zeros((75, 1)), np.zeros(0)))
    second = terminal.written()
    assert screen(first + second) == "fit: pass 1, 100 % of 100 rows, 0 s left"
    line.close()
    assert screen(first + second + terminal.written()) == ""


def test_a_pipe_is_told_nothing(impatient, monkeypatch):
    pipe = io.StringIO()
    watched_by(monkeypatch, pipe)
    line = Progress("fit", 100, 1)
    line(ROWS)
    line.close()
    assert pipe.getvalue() == ""


def test_a_process_without_stderr_is_no_error(impatient, monkeypatch):
    watched_by(monkeypatch, None)
    line = Progress("fit", 100, 1)
    line(ROWS)
    line.close()
    assert line.done == 25


def test_a_short_pass_says_nothing(terminal):
    line = Progress("fit", 100, 1)
    line(ROWS)
    line.close()
    assert terminal.written() == ""


def test_closing_before_the_first_block_is_no_error(terminal, impatient):
    Progress("fit", 100, 1).close()
    assert terminal.written() == ""


def long_table():
    X = np.random.default_rng(0).normal(size=(2 * BLOCK_ROWS, 2))
    return X, X.sum(axis=1) + np.random.default_rng(1).normal(size=len(X))


def test_a_long_fit_shows_its_line_and_clears_it(terminal, impatient):
    LinearRegression().fit(*long_table())
    written = terminal.written()
    assert re.search(r"LinearRegression: pass 1,  50 % of 131072 rows", written)
    assert screen(written) == ""


def test_a_fit_that_fails_leaves_no_line_behind(terminal, impatient):
    X, y = long_table()
    X[-1, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        LinearRegression(n_jobs=1).fit(X, y)
    written = terminal.written()
    assert "50 %" in written
    assert screen(written) == ""


def test_a_fit_of_one_block_says_nothing(terminal, impatient):
    X, y = long_table()
    LinearRegression().fit(X[:BLOCK_ROWS], y[:BLOCK_ROWS])
    assert terminal.written() == ""
