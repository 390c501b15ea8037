"""How many threads, and who may use them: our pool owns the blocks, BLAS inside a block uses one.

Two pools that share two cores were measured sixteen times slower than either alone.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import LibController, ThreadpoolController

_in_forked_child = False


def _after_fork() -> None:
    """A forked worker is one of many: it takes one thread, and looks at its libraries anew."""
    global _in_forked_child, _hold
    _in_forked_child = True
    _hold = _Hold()
    _libraries.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def available_threads(n_jobs: int | None = None) -> int:
    """Threads to use: `n_jobs`, negative counting back from all; None lets affinity and environment say."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs is not None:
        return max(1, cores + 1 + n_jobs) if n_jobs < 0 else n_jobs
    if _in_forked_child:
        return 1
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores, int(asked)) if asked.isdecimal() and int(asked) > 0 else cores


@cache
def _libraries() -> list[LibController]:
    """The BLAS libraries of this process: looked for once, since looking takes longer than a small fit."""
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)


def blas_kernels() -> str:
    """The kind of processor that matrix products are made for: another kind rounds in another order."""
    return ", ".join(sorted({str(library.info().get("architecture", "unknown")) for library in _libraries()}))


def _set_threads(library: LibController, threads: int) -> None:
    """For the whole process: threadpoolctl lets only one thread of a program at a time set OpenBLAS, the others do
    nothing, and a fit may end in another thread than the one that set it.
    """
    clear = getattr(library, "clear_controlling_thread", None)
    if clear is not None:
        clear(force=True)
    library.set_num_threads(threads)
    if clear is not None:
        clear(force=True)


class _Hold:
    """Who holds BLAS at one thread: passes of several fits at once, and only the last to leave lets go."""

    def __init__(self) -> None:
        self.lock, self.passes = Lock(), 0
        self.wide: list[tuple[LibController, int]] = []

    def enter(self) -> None:
        with self.lock:
            if not self.passes:
                self.wide = [(library, library.num_threads) for library in _libraries() if library.num_threads != 1]
                for library, _ in self.wide:
                    _set_threads(library, 1)
            self.passes += 1

    def leave(self) -> None:
        with self.lock:
            self.passes -= 1
            if not self.passes:
                for library, threads in self.wide:
                    _set_threads(library, threads)


_hold = _Hold()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """BLAS at one thread for the length of a pass: also what makes its bits the same on every machine size."""
    hold = _hold
    hold.enter()
    try:
        yield
    finally:
        hold.leave()
