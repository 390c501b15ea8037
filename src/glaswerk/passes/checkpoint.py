"""Passes that can be taken up again: the sums of those that ended, and the open nodes of the one under way, in a file.

A learner's steps follow from its sums alone. So a fit is resumed by walking through it again with the kept sums in
the place of the passes that gave them, up to the first blocks that nobody has summed yet: the same bits, for the
tree adds the same numbers in the same order. The file holds plain numbers, never code, and is replaced in one step.
"""

import os
import time
from collections.abc import Callable, Sequence, Sized
from contextlib import closing, suppress
from typing import Any, Self, TypeVar

from glaswerk import archive
from glaswerk.archive import ArchiveError
from glaswerk.passes.blocks import Block, Source, is_here, n_blocks
from glaswerk.passes.engine import Engine, Part, parts_of, silent
from glaswerk.passes.local import Local
from glaswerk.passes.tree import Adds, AlignedTree

S = TypeVar("S", bound=Adds)
KIND = "checkpoint"
LONGEST_PART = 64  # blocks, so that little is lost: some four million rows
LEAST_SECONDS = 5.0
TIMES_THE_SAVING = 200  # so that saving takes less than a hundredth of the time


class CheckpointError(ValueError):
    """A checkpoint that cannot be used, or cannot be written."""


class Kept(Engine):
    """Another engine's passes, kept at `path`; `about` says in words what is fitted to what."""

    def __init__(self, engine: Engine, path: str | os.PathLike[str], about: dict[str, str]) -> None:
        self.engine, self.path, self.about = engine, os.fspath(path), about
        self.totals: list[Any] = []
        self.done: list[Part] = []
        self.tree: AlignedTree = AlignedTree()
        self.number = 0  # of the pass under way
        self.saved_at, self.seconds = 0.0, 0.0

    def __enter__(self) -> Self:
        if os.path.exists(self.path):
            self._take_up()
        else:
            self.save()  # now, so that a place where nothing can be written is told before the first pass
        self.saved_at = time.monotonic()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            with suppress(FileNotFoundError):
                os.unlink(self.path)

    def prepare(self, source: Source) -> None:
        self.engine.prepare(source)

    def sum(self, source: Source, observe: Callable[[Block], S], after_block: Callable[[Sized], None] = silent) -> S:
        if is_here(source):  # what fits in memory is soon walked again
            return Local.of("threads", None).sum(source, observe, after_block)
        self.number += 1
        if self.number <= len(self.totals):
            known: S = self.totals[self.number - 1]
            return known
        parts = remaining(source, self.done, self._shares(source))
        try:
            with closing(self.engine.summed(source, observe, parts, after_block, each=True)) as sums:
                for (part,), tree in sums:
                    self.tree.absorb(tree)
                    self.done = joined([*self.done, part])
                    self.save_if_due()
            total: S = self.tree.total()
        except CheckpointError:
            raise
        except BaseException:
            self.save()
            raise
        self.totals, self.done, self.tree = [*self.totals, total], [], AlignedTree()
        self.save_if_due()
        return total

    def _shares(self, source: Source) -> int:
        return max(self.engine.shares(), -(-n_blocks(source.n_rows) // LONGEST_PART))

    def save_if_due(self) -> None:
        """So often that little is lost, so seldom that it costs nothing."""
        if time.monotonic() - self.saved_at > max(LEAST_SECONDS, TIMES_THE_SAVING * self.seconds):
            self.save()

    def save(self) -> None:
        """What is known, in one step: the file before stays whole until the new one is."""
        begun = time.monotonic()
        nodes = [[level, index, statistic] for (level, index), statistic in self.tree.nodes.items()]
        state = {"about": self.about, "totals": self.totals, "done": [list(part) for part in self.done], "nodes": nodes}
        try:
            archive.write(self.path, state, kind=KIND)
        except ArchiveError as error:
            raise CheckpointError(f"checkpoint={self.path!r}: these sums cannot be kept in a file: {error}") from error
        except OSError as error:
            raise CheckpointError(
                f"checkpoint={self.path!r}: {error.strerror}. What was saved before is whole, and the fit goes on there"
            ) from error
        self.saved_at = time.monotonic()
        self.seconds = self.saved_at - begun

    def _take_up(self) -> None:
        try:
            state = archive.read(self.path, kind=KIND, max_bytes=2**36)
            self._refuse_other(state["about"])
            self.totals = state["totals"]
            self.done = [(first, last) for first, last in state["done"]]
            for level, index, statistic in state["nodes"]:
                self.tree.nodes[level, index] = statistic
        except CheckpointError:
            raise
        except (ArchiveError, OSError, KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"checkpoint={self.path!r} cannot be read: {error}") from error

    def _refuse_other(self, known: dict[str, str]) -> None:
        for what in {**known, **self.about}:
            before, now = known.get(what, "nothing"), self.about.get(what, "nothing")
            if before != now:
                raise CheckpointError(
                    f"checkpoint={self.path!r} was made by another fit: {what} was {before}, and is {now}. "
                    "Give another path, or delete the file to begin anew"
                )


def remaining(source: Source, done: Sequence[Part], shares: int) -> list[Part]:
    """The parts of a pass that lie in none of the runs of blocks done."""
    found = []
    for first, last in parts_of(source, shares):
        at = first
        for begin, end in done:
            if begin < last and end > at:
                if begin > at:
                    found.append((at, begin))
                at = end
        if at < last:
            found.append((at, last))
    return found


def joined(parts: Sequence[Part]) -> list[Part]:
    """Neighbouring runs of blocks as one."""
    found: list[Part] = []
    for first, last in sorted(parts):
        if found and found[-1][1] == first:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found
