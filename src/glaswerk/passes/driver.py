"""One pass over a source: observe every block, add along the aligned tree. Serial or threads, the same bits."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Event
from typing import TypeVar

from glaswerk.passes.blocks import Block, Source, n_blocks
from glaswerk.passes.threads import available_threads, one_blas_thread
from glaswerk.passes.tree import Adds, AlignedTree

S = TypeVar("S", bound=Adds)
ENGINES = ("serial", "threads")
TASKS_PER_THREAD = 4  # short enough that a slow core holds nobody up, long enough that starting one costs nothing


def silent(_: Block) -> None:
    """The report of a pass nobody watches."""


def sum_blocks(
    source: Source,
    observe: Callable[[Block], S],
    engine: str = "serial",
    n_jobs: int | None = None,
    after_block: Callable[[Block], None] = silent,
) -> S:
    """Σ observe(block) over the source; `after_block` is told of every block done."""
    if engine not in ENGINES:
        allowed = " or ".join(map(repr, ENGINES))
        raise ValueError(f"engine must be {allowed}, got {engine!r}")
    threads = available_threads(n_jobs) if engine == "threads" else 1
    with one_blas_thread():
        if threads == 1 or n_blocks(source.n_rows) < 2:
            return _run(source, observe, 0, n_blocks(source.n_rows), after_block, Event()).total()
        cuts = source.cuts(threads * TASKS_PER_THREAD)
        whole: AlignedTree[S] = AlignedTree()
        stop = Event()
        with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
            runs = [
                pool.submit(_run, source, observe, first, last, after_block, stop) for first, last in pairwise(cuts)
            ]
            try:
                for run in runs:
                    whole.absorb(run.result())
            except BaseException:
                stop.set()
                pool.shutdown(cancel_futures=True)
                raise
        return whole.total()


def _run(
    source: Source,
    observe: Callable[[Block], S],
    first: int,
    last: int,
    after_block: Callable[[Block], None],
    stop: Event,
) -> AlignedTree[S]:
    tree: AlignedTree[S] = AlignedTree()
    for number, block in enumerate(source.blocks(first, last), start=first):
        if stop.is_set():
            break
        tree.add(number, observe(block))
        after_block(block)
    return tree
