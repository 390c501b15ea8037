"""One pass over a source: observe every block, add along the aligned tree. Whoever does the work, the same bits."""

import importlib
from collections.abc import Callable, Sized
from typing import Any, TypeVar

from glaswerk.passes.blocks import Block, Source, is_here
from glaswerk.passes.engine import Engine, silent
from glaswerk.passes.local import Local
from glaswerk.passes.tree import Adds

S = TypeVar("S", bound=Adds)
LOCAL = ("serial", "threads")
SCHEMES = ("tcp://", "tls://", "ucx://", "ws://", "wss://", "inproc://")


def sum_blocks(
    source: Source, observe: Callable[[Block], S], engine: Any = "serial", n_jobs: int | None = None,
    after_block: Callable[[Sized], None] = silent,
) -> S:  # fmt: skip
    """Σ observe(block) over the source; `after_block` is told of every block done.

    Rows held in memory are walked here, whatever the engine. A name that opens a cluster opens it for this pass alone.
    """
    if not isinstance(engine, str) and is_here(source):
        engine = "threads"
    with open_engine(engine, n_jobs) as opened:
        return opened.sum(source, observe, after_block)


def open_engine(engine: Any, n_jobs: int | None = None) -> Engine:
    """Who is meant by a name, the address of a Dask scheduler, or a Dask `Client`; to be used as a context."""
    if isinstance(engine, Engine):
        return Borrowed(engine)
    if isinstance(engine, str) and engine in LOCAL:
        return Local.of(engine, n_jobs)
    dask = engine == "dask" or (isinstance(engine, str) and engine.startswith(SCHEMES))
    if not dask and not hasattr(engine, "submit"):
        raise ValueError(
            f"engine must be 'serial', 'threads', 'dask', the address of a Dask scheduler such as 'tcp://host:8786', "
            f"or a Dask Client, got {engine!r}"
        )
    try:
        cluster = importlib.import_module("glaswerk.passes.cluster")
    except ModuleNotFoundError as error:
        raise ValueError(f"engine={engine!r} needs {error.name}: pip install 'glaswerk[dask]'") from error
    opened: Engine = cluster.open_cluster(engine, n_jobs)
    return opened


class Borrowed(Engine):
    """Somebody else's engine: used for a pass, and left open."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def sum(self, source: Source, observe: Callable[[Block], S], after_block: Callable[[Sized], None] = silent) -> S:
        return self.engine.sum(source, observe, after_block)
