"""Unsupervised: learners without a target. They walk the rows again in every round, block by block."""

from collections.abc import Callable
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from glaswerk import passes
from glaswerk.base import Estimator, Self, find_unusable, weights, with_callbacks
from glaswerk.learner.files import walked_by
from glaswerk.learner.learner import RoundLearner
from glaswerk.learner.tasks import FitTasks
from glaswerk.passes import ArraySource, Block, Engine, Source
from glaswerk.passes.tree import Adds
from glaswerk.table import open_source

S = TypeVar("S", bound=Adds)


class Blocks(Protocol):
    """Rows in the logical blocks of a table, in whatever form a learner laid them out."""

    @property
    def n_rows(self) -> int: ...

    def blocks(self, first: int, last: int) -> Any: ...

    def cuts(self, parts: int) -> list[int]: ...


class Walk:
    """The rows of one fit, to be walked as often as it takes: `walk.sum(rows, observe)` is Σ observe(block)."""

    def __init__(self, learner: Estimator, source: Source, engine: Any, n_jobs: int | None, tasks: Any) -> None:
        self.source, self.engine, self.n_jobs = source, engine, n_jobs
        self.names, self.owner = learner.column_names(), type(learner).__name__
        self.tasks, self.passes = tasks, 0

    def __getstate__(self) -> dict[str, Any]:
        """What travels to whoever observes: the names in messages, not the rows nor who walks them."""
        return {"names": self.names, "owner": self.owner}

    @property
    def n_rows(self) -> int:
        return self.source.n_rows

    def over(self, source: Source) -> "Walk":
        """The same fit walking other rows: these whitened, or a sample of them."""
        other = type(self).__new__(type(self))
        vars(other).update(vars(self), source=source)
        return other

    def sum(self, rows: Blocks, observe: Callable[[Any], S]) -> S:
        """One pass over the blocks of `rows`, serially or by threads: the same bits."""
        self.passes += 1
        with self.tasks.one_pass(self.passes) as after_block:
            found: S = passes.sum_blocks(rows, observe, self.engine, self.n_jobs, after_block)  # type: ignore[arg-type]
        return found

    def refuse_unusable(self, block: Block) -> None:
        """The error that names the cell which made a sum infinite."""
        message = find_unusable(np.asarray(block.X), self.names, "X", block.first)
        reason = message or "the squares of X overflow: rescale columns beyond 1e150"
        raise ValueError(f"{self.owner}: {reason}")


class Unsupervised(RoundLearner):
    """Interface: a learner of rows without a target. Subclasses give `learn`, `predict` and `facts`."""

    fitted: ClassVar[dict[str, type]] = {**Estimator.fitted, "solution_": object}

    def learn(self, walk: Walk) -> None:
        """Find what there is to find in the rows, and keep it in `solution_`."""
        raise NotImplementedError

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to rows in memory; y is not used. `sample_weight` counts each row that many times."""
        self.check_parameters()
        rows = self.table(X, fit=True)
        weight = weights(sample_weight, len(rows), type(self).__name__)
        source = ArraySource(rows, np.zeros((len(rows), 0)), weight, None, self.column_names())
        return self._walk(source, "threads")

    @with_callbacks
    def fit_source(
        self, source: Any, *, weight: str | None = None, columns: list[str] | None = None, engine: Any = "threads",
        checkpoint: Any = None, memory: int | str = "1GB",
    ) -> Self:  # fmt: skip
        """Fit to a table that need not fit in memory: Parquet or CSV files (paths, patterns such as "sales/*.parquet"),
        any dataframe or lazy frame, a PyArrow dataset.

        `engine` is "serial", "threads", "dask" (the cores of this machine), the address of a Dask scheduler, or a Dask
        `Client`; the bits are the same. `checkpoint` is the path of a file from which the same call goes on if it was
        interrupted; `memory` bounds what is read at a time.
        """
        self.check_parameters()
        rows = open_source(source, target=None, weight=weight, columns=columns)
        self.feature_names_in_ = np.array(rows.names, dtype=object)
        self.n_features_in_ = len(rows.names)
        with walked_by(self, rows, engine, checkpoint, memory) as (rows, walker):
            return self._walk(rows, walker)

    def _walk(self, source: Source, engine: Engine | str) -> Self:
        with passes.one_blas_thread(), FitTasks(self, source) as tasks:
            self.learn(Walk(self, source, engine, getattr(self, "n_jobs", None), tasks))
        return self
