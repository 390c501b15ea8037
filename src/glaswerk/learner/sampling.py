"""Tables beyond memory for learners whose statistic does not add: a stated sample of the rows, drawn by hash."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Estimator, Matrix, Self, find_unusable
from glaswerk.learner.files import walked_by
from glaswerk.learner.predicting import PredictsSource
from glaswerk.passes import Block
from glaswerk.stats.bottom_k import BottomK
from glaswerk.table import open_source


@dataclass(frozen=True)
class Sampled:
    """What a fit saw: so many rows, of so many, drawn by the hash of this seed."""

    rows: int
    of: int
    seed: int

    def __str__(self) -> str:
        return f"{self.rows} of {self.of} rows, those of smallest hash (seed {self.seed})"


class SampleFit(PredictsSource, Estimator):
    """Interface: a learner that needs the rows themselves, all at once."""

    needs_rows: ClassVar[str] = "it needs all rows in memory at once"

    def fit_source(
        self, source: Any, target: str | list[str] | None = None, *, weight: str | None = None,
        columns: list[str] | None = None, sample: int | None = None, seed: int = 0, engine: Any = "threads",
        memory: int | str = "1GB",
    ) -> Self:  # fmt: skip
        """Fit to `sample` rows of a table that need not fit in memory; `sampled_` says of how many.

        The rows are those of smallest hash of seed and row number: the same whoever walks them. Sources and engines are
        those of every `fit_source`. A table of fewer rows is taken whole.
        """
        owner = type(self).__name__
        if sample is None:
            raise ValueError(
                f"{owner}: its statistic does not add over rows: {self.needs_rows}. fit_source(…, sample=100_000) fits "
                "to so many rows, drawn by hash from all"
            )
        if isinstance(sample, bool) or not isinstance(sample, int) or sample < 1:
            raise ValueError(f"{owner}: sample must be a number of rows, at least 1, got {sample!r}")
        rows = open_source(source, target=target, weight=weight, columns=columns)
        names, n_rows, single = rows.names, rows.n_rows, isinstance(target, str)
        every = (*names, *([target] if isinstance(target, str) else target or []))
        with walked_by(self, rows, engine, None, memory) as (rows, walker):
            found = walker.sum(rows, partial(drawn, most=sample, seed=seed, names=every, owner=owner)).in_order()
        d = len(names)
        X, Y = Matrix.of(found.rows[:, :d], names), found.rows[:, d:]
        given = [] if target is None else [labels_as_told(Y[:, 0] if single else Y)]
        weighting = {"sample_weight": found.weight} if weight is not None else {}
        self.fit(X, *given, **weighting)
        self.sampled_ = Sampled(len(found), n_rows, seed)
        return self


def drawn(block: Block, most: int, seed: int, names: tuple[str, ...], owner: str) -> BottomK:
    """The rows of a block that may belong to the sample: inputs, then targets."""
    cells = np.concatenate([block.X, block.Y], axis=1)
    found = BottomK.of(cells, block.first, block.weight, most=most, seed=seed)
    if not np.isfinite(found.rows).all():
        raise ValueError(f"{owner}: {find_unusable(cells, names, 'the table', block.first)}")
    return found


def labels_as_told(y: np.ndarray) -> np.ndarray:
    """Whole numbers as such: what a file of labels means."""
    return y.astype(np.int64) if np.isfinite(y).all() and (y % 1 == 0).all() else y
