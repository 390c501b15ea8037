"""What a fit from files needs besides the learner: who reads, what is kept of it, and in how much memory."""

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from importlib import metadata
from typing import Any

import numpy as np

from glaswerk.base import Estimator, Warned
from glaswerk.passes import Engine, Kept, Source, available_threads, fingerprint_of, open_engine

NO_TRACE = ("n_jobs", "verbose", "copy_x", "copy_X")  # parameters that leave no trace in what is fitted


@contextmanager
def walked_by(
    learner: Estimator, rows: Source, engine: Any, checkpoint: Any, memory: Any
) -> Iterator[tuple[Source, Engine]]:
    """The rows of one fit as they are to be read, and who walks them, with a checkpoint if one is asked for."""
    n_jobs = getattr(learner, "n_jobs", None)
    rows, n_jobs = within_memory(type(learner).__name__, rows, engine, n_jobs, memory)
    with ExitStack() as stack:
        found = stack.enter_context(open_engine(engine, n_jobs))
        found.prepare(rows)
        if checkpoint is not None:
            found = stack.enter_context(Kept(found, checkpoint, about(learner, rows)))
        yield rows, found


def within_memory(owner: str, rows: Source, engine: Any, n_jobs: int | None, memory: Any) -> tuple[Source, int | None]:
    """The rows so read, by so many threads, that what is read at a time stays within `memory`."""
    limit = bytes_of(memory, owner)
    if not hasattr(rows, "bounded"):
        return rows, n_jobs
    wanted = available_threads(n_jobs) if engine == "threads" else 1
    bounded, threads = rows.bounded(limit, wanted)
    if bounded is not rows:
        told = f"row groups are too large for memory={memory!r}: they are read in small batches"
        warnings.warn(f"{owner}: {told} by {threads} of {wanted} thread(s)", Warned, stacklevel=6)
    elif threads < wanted:
        told = f"row groups are so large that memory={memory!r} holds those of {threads} thread(s), not {wanted}"
        warnings.warn(f"{owner}: {told}", Warned, stacklevel=6)
    return bounded, threads if engine == "threads" else n_jobs


def bytes_of(memory: Any, owner: str) -> int:
    """A size such as 500_000_000, "500MB" or "1.5 GiB" in bytes.

    >>> bytes_of("1.5 GB", "Ridge"), bytes_of("2MiB", "Ridge")
    (1500000000, 2097152)
    """
    if isinstance(memory, int) and not isinstance(memory, bool) and memory > 0:
        return memory
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kMGT]?)(i?)B?\s*", str(memory), re.IGNORECASE)
    if not found or float(found[1]) == 0:
        raise ValueError(
            f"{owner}: memory must be a number of bytes, or a text such as '500MB' or '2GiB', got {memory!r}"
        )
    power = " KMGT".index(found[2].upper() or " ")
    return int(float(found[1]) * (1024 if found[3] else 1000) ** power)


def about(learner: Estimator, rows: Source) -> dict[str, str]:
    """A fit in words: two fits of the same words give the same bits."""
    parameters = learner.get_params()
    if parameters.get("random_state", 0) is None and not getattr(learner, "never_draws", False):
        owner = type(learner).__name__
        raise ValueError(
            f"{owner}: checkpoint= needs a random_state: without one a fit cannot be taken up where it ended"
        )
    told = {f"parameter {name}": in_words(value) for name, value in parameters.items() if name not in NO_TRACE}
    versions = {f"version of {name}": metadata.version(name) for name in ("glaswerk", "numpy")}
    return {"learner": type(learner).__name__, **told, **versions, **fingerprint_of(rows)}


def in_words(value: Any) -> str:
    """A parameter's value as text that differs where it does."""
    if isinstance(value, np.random.RandomState):
        return f"RandomState {in_words([in_words(part) for part in value.get_state()])}"
    if isinstance(value, np.ndarray):
        digest = sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:16]
        return f"array {value.shape} {value.dtype} {digest}"
    if isinstance(value, Estimator):
        return f"{type(value).__name__} {in_words(value.get_params())}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {in_words(part)}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(in_words, value))}]"
    return str(getattr(value, "__qualname__", None) or repr(value))
