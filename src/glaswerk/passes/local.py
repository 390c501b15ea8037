"""Walking blocks in this process: one after the other, or by threads. The same bits."""

import re
from collections.abc import Callable, Generator, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import TypeVar

from glaswerk.passes.blocks import Block, Source, n_blocks, place_of
from glaswerk.passes.engine import Engine, Part, silent
from glaswerk.passes.threads import available_threads, one_blas_thread
from glaswerk.passes.tree import Adds, AlignedTree

S = TypeVar("S", bound=Adds)
TASKS_PER_THREAD = 4  # short enough that a slow core holds nobody up, long enough that starting one costs nothing


def never() -> bool:
    """Of work that nobody stops."""
    return False


@dataclass(frozen=True)
class Local(Engine):
    """So many threads of this process."""

    threads: int = 1

    @classmethod
    def of(cls, engine: str, n_jobs: int | None) -> "Local":
        return cls(available_threads(n_jobs) if engine == "threads" else 1)

    def shares(self) -> int:
        return self.threads * TASKS_PER_THREAD if self.threads > 1 else 1

    def summed(
        self, source: Source, observe: Callable[[Block], S], parts: Sequence[Part],
        after_block: Callable[[Sized], None] = silent, each: bool = False,
    ) -> Generator[tuple[list[Part], AlignedTree[S]], None, None]:  # fmt: skip
        with one_blas_thread():
            if self.threads == 1 or n_blocks(source.n_rows) < 2:
                for part in parts:
                    yield [part], walked(source, observe, part, after_block)
                return
            stop = Event()
            with ThreadPoolExecutor(self.threads, thread_name_prefix="glaswerk") as pool:
                runs = [pool.submit(walked, source, observe, part, after_block, stop.is_set) for part in parts]
                try:
                    for part, run in zip(parts, runs, strict=True):
                        yield [part], run.result()
                except BaseException:
                    stop.set()
                    pool.shutdown(cancel_futures=True)
                    raise


def walked(
    source: Source, observe: Callable[[Block], S], part: Part, after_block: Callable[[Sized], None] = silent,
    stopped: Callable[[], bool] = never,
) -> AlignedTree[S]:  # fmt: skip
    """The blocks of one part, added along the aligned tree."""
    tree: AlignedTree[S] = AlignedTree()
    first, last = part
    for number, block in enumerate(source.blocks(first, last), start=first):
        if stopped():
            break
        tree.add(number, _observed(source, observe, block))
        after_block(block)
    return tree


def _observed(source: Source, observe: Callable[[Block], S], block: Block) -> S:
    """What a block says; an error that names a row, or the block, is also told in which file that is."""
    try:
        return observe(block)
    except ValueError as error:
        named = re.search(r"\brow (\d+)", str(error))
        row = int(named[1]) if named else block.first
        known = type(error) is ValueError and block.first <= row < block.first + len(block)
        place = place_of(source, row) if known else ""
        if not place:
            raise
        raise ValueError(f"{error} ({place})") from None
