"""What a fit from files needs besides the learner: who reads, what is kept of it, and in how much memory."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from importlib import metadata
from typing import Any

import numpy as np

from glaswerk.base import Estimator
from glaswerk.passes import Engine, Kept, Source, fingerprint_of, open_engine

NO_TRACE = ("n_jobs", "verbose", "copy_x", "copy_X")  # parameters that leave no trace in what is fitted


@contextmanager
def walked_by(learner: Estimator, rows: Source, engine: Any, checkpoint: Any) -> Iterator[Engine]:
    """Who walks the rows of one fit: an engine that sees them all, with its checkpoint if one is asked for."""
    with ExitStack() as stack:
        found = stack.enter_context(open_engine(engine, getattr(learner, "n_jobs", None)))
        found.prepare(rows)
        if checkpoint is not None:
            found = stack.enter_context(Kept(found, checkpoint, about(learner, rows)))
        yield found


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
