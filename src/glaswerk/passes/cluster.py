"""Walking blocks on a Dask cluster: a few long tasks for each worker, their sums added where they lie.

Only `submit` is used, and nothing is scattered: a task holds the source (paths and row groups, not rows), the question
and a range of blocks, so that a task whose worker died can be given to another. Who did what leaves no trace.
"""

import platform
import secrets
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence, Sized
from contextlib import contextmanager, suppress
from importlib import metadata
from typing import Any, TypeVar

import dask
import distributed
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from glaswerk.passes.alike import PACKAGES, difference, look, problem, versions
from glaswerk.passes.blocks import BLOCK_ROWS, Block, Done, Source, carries_rows, fingerprint_of, is_here, within
from glaswerk.passes.engine import ClusterError, Engine, Part, silent
from glaswerk.passes.local import Local, walked
from glaswerk.passes.threads import available_threads, blas_kernels, one_blas_thread
from glaswerk.passes.tree import Adds, AlignedTree

S = TypeVar("S", bound=Adds)
TASKS_PER_WORKER = 4
MOST_SHORT_TASKS = 400  # beyond, the scheduler would be busier than the workers: one task for each
FAN_IN = 8
ALLOWED_FAILURES = 10  # workers lost under one task before it counts as the task's own fault
CONNECTING = 10  # seconds
SHARED = "All workers must reach the same files by the same paths: a shared folder, or an object store"


def open_cluster(engine: Any, n_jobs: int | None) -> "Cluster":
    """A cluster of this machine's cores, closed afterwards; the scheduler at an address; or somebody's `Client`."""
    if not isinstance(engine, str):
        return Cluster(engine, ())
    if engine != "dask":
        try:
            client = distributed.Client(engine, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f"engine={engine!r}: no Dask scheduler answers there: {error}") from error
        return Cluster(client, (client,))
    with dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES}):
        cluster = distributed.LocalCluster(
            n_workers=available_threads(n_jobs), threads_per_worker=1, processes=True, dashboard_address=":0"
        )
    client = distributed.Client(cluster, set_as_default=False)
    return Cluster(client, (client, cluster))


class Cluster(Engine):
    """The workers of a Dask scheduler."""

    def __init__(self, client: Any, own: Sequence[Any]) -> None:
        self.client, self.own = client, own

    def __exit__(self, *raised: Any) -> None:
        for part in self.own:
            part.close()

    @property
    def workers(self) -> dict[str, int]:
        """Address and threads of every worker."""
        told = self.client.scheduler_info(-1)["workers"]
        if not told:
            raise ClusterError("the Dask scheduler has no workers: start some, such as dask worker ADDRESS")
        return {address: int(one["nthreads"]) for address, one in told.items()}

    def prepare(self, source: Source) -> None:
        with self._scheduler_there():
            with suppress(TimeoutError):
                self.client.wait_for_workers(1, timeout=CONNECTING)
            self._refuse_other_versions()
            self._refuse_other_rows(source)
            self.client.run_on_scheduler(_allow_failures)

    def _refuse_other_versions(self) -> None:
        """Asked by what any Python has, so that somebody without Glaswerk can answer too; the scheduler reads tasks."""
        mine = versions()
        for address, theirs in self._versions().items():  # some may have joined in between, and answered in part
            if other := difference({what: mine[what] for what in theirs}, theirs):
                raise ClusterError(f"{address} has another version of {other}. Install the same everywhere")

    def _versions(self) -> dict[str, dict[str, str]]:
        """What the scheduler and every worker have installed."""

        def everybody(ask: Callable[..., Any], *arguments: str) -> dict[str, Any]:
            said = self.client.run(ask, *arguments, on_error="return")
            try:
                at_scheduler = self.client.run_on_scheduler(ask, *arguments)
            except metadata.PackageNotFoundError as error:
                at_scheduler = error
            return {f"the worker {address}": one for address, one in said.items()} | {"the scheduler": at_scheduler}

        found = {who: {"python": str(version)} for who, version in everybody(platform.python_version).items()}
        for package in PACKAGES:
            for who, version in everybody(metadata.version, package).items():
                found.setdefault(who, {})[package] = "nothing" if isinstance(version, Exception) else version
        return found

    def _refuse_other_rows(self, source: Source) -> None:
        if is_here(source) or carries_rows(source):
            return
        mine, here = fingerprint_of(source), blas_kernels()
        for address, (kernels, theirs) in self._looks(source).items():
            if other := problem(mine, theirs):
                raise ClusterError(f"the worker {address} does not see the same rows: {other}. {SHARED}")
            if kernels != here:
                warnings.warn(
                    f"the worker {address} multiplies matrices as {kernels} does, this process as {here}: last digits "
                    "may depend on who does what; OPENBLAS_CORETYPE, set alike everywhere, makes them one",
                    RuntimeWarning,
                    stacklevel=2,
                )

    def _looks(self, source: Source) -> dict[str, tuple[str, Any]]:
        """What every worker says of the source."""
        looks = {
            address: self.client.submit(look, source, workers=[address], allow_other_workers=False, pure=False)
            for address in self.workers
        }
        return {address: found.result() for address, found in looks.items()}

    def shares(self) -> int:
        slots = sum(self.workers.values())
        return slots * max(1, min(TASKS_PER_WORKER, MOST_SHORT_TASKS // slots))

    def sum(self, source: Source, observe: Callable[[Block], S], after_block: Callable[[Sized], None] = silent) -> S:
        if is_here(source):
            return Local.of("threads", None).sum(source, observe, after_block)
        return super().sum(source, observe, after_block)

    def summed(
        self, source: Source, observe: Callable[[Block], S], parts: Sequence[Part],
        after_block: Callable[[Sized], None] = silent, each: bool = False,
    ) -> Generator[tuple[list[Part], AlignedTree[S]], None, None]:  # fmt: skip
        with self._scheduler_there():
            tasks = [
                self.client.submit(_walked, within(source, *part), observe, part, pure=False, key=_key(part))
                for part in parts
            ]
            groups = [([part], task) for part, task in zip(parts, tasks, strict=True)]
            if not each:
                groups = self._fanned_in(groups)
            try:
                for covered, task in groups:
                    yield covered, self._result(task, source, covered)
                    for part in covered:
                        _tell(source, part, after_block)
            finally:
                with suppress(Exception):  # gone schedulers need not be told
                    self.client.cancel(tasks)

    def _fanned_in(self, groups: list[tuple[list[Part], Any]]) -> list[tuple[list[Part], Any]]:
        """Neighbours added on the workers, until few enough are left to come here."""
        while len(groups) > FAN_IN:
            several = [groups[k : k + FAN_IN] for k in range(0, len(groups), FAN_IN)]
            groups = [
                (
                    [part for covered, _ in few for part in covered],
                    self.client.submit(_added, *[task for _, task in few], pure=False),
                )
                for few in several
            ]
        return groups

    def _result(self, task: Any, source: Source, covered: list[Part]) -> Any:
        try:
            return task.result()
        except KilledWorker as error:
            first, last = covered[0][0], covered[-1][1]
            rows = f"rows {first * BLOCK_ROWS} to {min(last * BLOCK_ROWS, source.n_rows) - 1}"
            raise ClusterError(
                f"{rows}: {ALLOWED_FAILURES} workers died over them, one after the other: {error}"
            ) from error

    @contextmanager
    def _scheduler_there(self) -> Iterator[None]:
        try:
            yield
        except (FutureCancelledError, CommClosedError, TimeoutError) as error:
            raise ClusterError(
                f"the Dask scheduler is gone in the middle of the work ({error}). What a checkpoint has is kept: "
                "start the scheduler again, and fit again with the same checkpoint"
            ) from error


def _walked(source: Source, observe: Callable[[Block], S], part: Part) -> AlignedTree[S]:
    with one_blas_thread():
        return walked(source, observe, part)


def _added(*trees: AlignedTree[S]) -> AlignedTree[S]:
    whole: AlignedTree[S] = AlignedTree()
    for tree in trees:
        whole.absorb(tree)
    return whole


def _key(part: Part) -> str:
    return f"glaswerk-blocks-{part[0]}-{part[1]}-{secrets.token_hex(4)}"


def _tell(source: Source, part: Part, after_block: Callable[[Sized], None]) -> None:
    """Of the blocks of a part that was done elsewhere."""
    for number in range(*part):
        after_block(Done(min(BLOCK_ROWS, source.n_rows - number * BLOCK_ROWS)))


def _allow_failures(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = max(dask_scheduler.allowed_failures, ALLOWED_FAILURES)
