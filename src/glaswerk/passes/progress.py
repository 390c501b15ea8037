"""A line on stderr while a pass is long and somebody watches; silence when piped."""

import sys
import time
from collections.abc import Sized
from threading import Lock

QUIET_SECONDS = 2.0
REDRAW_SECONDS = 0.2


class Progress:
    """Told of every block done, by any thread."""

    def __init__(self, what: str, n_rows: int, number: int) -> None:
        self.what, self.n_rows, self.number, self.done = what, n_rows, number, 0
        self.started = self.shown = time.monotonic()
        self.watched = sys.stderr is not None and sys.stderr.isatty()
        self.width = 0
        self.lock = Lock()

    def __call__(self, block: Sized) -> None:
        with self.lock:
            self.done += len(block)
            now = time.monotonic()
            late_enough = now - self.started > QUIET_SECONDS and now - self.shown > REDRAW_SECONDS
            if self.watched and late_enough:
                self.shown = now
                self._write(self.line(now))

    def line(self, now: float) -> str:
        left = (now - self.started) * (self.n_rows - self.done) / self.done
        share = 100 * self.done / self.n_rows
        return f"{self.what}: pass {self.number}, {share:3.0f} % of {self.n_rows} rows, {left:.0f} s left"

    def close(self) -> None:
        """Leave the line behind clean, if one was drawn."""
        if self.width:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _write(self, line: str) -> None:
        """Over the line before, which may have been longer."""
        self.width = max(self.width, len(line))
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()
