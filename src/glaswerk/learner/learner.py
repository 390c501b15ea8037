"""Learner: observe blocks of rows into a statistic, add, solve.   fit = solve ∘ sum ∘ observe

One code path serves an array, a file and a sum that came from elsewhere. A learner says what to observe next (`begin`),
how a block speaks (`observe`), and what a sum means (`solve`): done, or one more pass.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from glaswerk import passes
from glaswerk.base import (
    Array,
    CallbackSupportMixin,
    Classifier,
    Estimator,
    clone,
    find_unusable,
    targets,
    weights,
    with_callbacks,
)
from glaswerk.facts import Facts
from glaswerk.learner.files import walked_by
from glaswerk.learner.predicting import PredictsSource
from glaswerk.learner.tasks import FitTasks
from glaswerk.passes import ArraySource, Block, CodedSource, Engine, Source
from glaswerk.stats.counts import Counts
from glaswerk.stats.labels import classes_of, codes_of, labels_of
from glaswerk.table import open_source


class Asks(Protocol):
    """What a pass over the rows shall observe: small, immutable, able to travel to where the rows are."""

    @property
    def passes(self) -> int: ...


@dataclass(frozen=True)
class Fitted:
    """The end of a fit: what was found, and (unless an earlier pass gave it) the sum that more rows can be added to."""

    solution: Any
    statistic: Any


@dataclass(frozen=True)
class Again:
    """One more pass over the rows is needed; `statistic` where this pass's sum is the one to keep."""

    ask: Any
    statistic: Any = None


class Learner(CallbackSupportMixin, PredictsSource, Estimator):
    """A model whose statistic adds. Subclasses give begin, observe, solve, predict and facts."""

    fitted: ClassVar[dict[str, type]] = {**Estimator.fitted, "single_target_": bool, "target_names_": list}
    path_parameters: ClassVar[tuple[str, ...]] = ()  # those that `solve` alone looks at

    def begin(self, head: Block, n_rows: int | None) -> Any:
        """What the first pass shall observe, from its first rows and size; None where the rows pass only once."""
        raise NotImplementedError

    def observe(self, block: Block, ask: Any) -> Any:
        """What these rows say: a statistic that adds."""
        raise NotImplementedError

    def solve(self, statistic: Any, ask: Any, *, more: bool) -> Fitted | Again:
        """What the sum means; without `more` passes it must be `Fitted`."""
        raise NotImplementedError

    def facts(self) -> Facts:
        """What the fitted model knows, as plain data."""
        raise NotImplementedError

    def between(self, ask: Any, source: Source) -> Any:
        """The next pass, as it shall be after work on the rows themselves where a learner does some between passes."""
        return ask

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows in memory; `sample_weight` counts each row that many times."""
        source = self._source(X, y, sample_weight, first=True)
        return self._learn(source, "threads", getattr(self, "n_jobs", None))

    def fit_path(self, X: Any, y: Any, name: str, values: Sequence[Any], sample_weight: Any = None) -> list[Self]:
        """One fitted copy per value of a parameter that only `solve` looks at: the rows are observed once.

        The same bits as fits one by one: a copy that asks for more passes is fitted by itself.
        """
        if name not in self.path_parameters:
            raise ValueError(f"{type(self).__name__} has no path of {name!r}, only of {list(self.path_parameters)}")
        copies = [clone(self).set_params(**{name: value}) for value in values]
        for one in copies:
            one.check_parameters()
        first = copies[0]
        source = first._source(X, y, sample_weight, first=True)
        with passes.one_blas_thread():
            ask = first.begin(source.head(), source.n_rows)
            found = passes.sum_blocks(source, partial(first.observe, ask=ask), "threads", getattr(self, "n_jobs", None))
            for one in copies:
                step = one.solve(found, ask, more=True)
                if isinstance(step, Again):
                    one.fit(X, y, sample_weight)
                    continue
                known = {key: value for key, value in vars(first).items() if key in self.fitted}
                vars(one).update(known, solution_=step.solution, statistic_=step.statistic)
        return copies

    @with_callbacks
    def fit_source(
        self, source: Any, target: str | list[str], *, weight: str | None = None, columns: list[str] | None = None,
        engine: Any = "threads", checkpoint: Any = None, memory: int | str = "1GB",
    ) -> Self:  # fmt: skip
        """Fit to a table that need not fit in memory: Parquet or CSV files (paths, patterns such as "sales/*.parquet"),
        any dataframe or lazy frame, a PyArrow dataset.

        The same numbers, to the last bit, as `fit` on the same rows in memory, whoever walks them: `engine` is
        "serial", "threads", "dask" (the cores of this machine), the address of a Dask scheduler, or a Dask `Client`.
        `checkpoint` is the path of a file from which the same call goes on if it was interrupted;
        `memory` bounds what is read at a time.
        """
        self.check_parameters()
        rows = open_source(source, target=target, weight=weight, columns=columns)
        self.feature_names_in_ = np.array(rows.names, dtype=object)
        self.n_features_in_ = len(rows.names)
        self.target_names_ = [target] if isinstance(target, str) else list(target)
        self.single_target_ = isinstance(target, str)
        with walked_by(self, rows, engine, checkpoint, memory) as (rows, walker):
            return self._learn(self._coded(rows, walker), walker)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add rows to what is known. They are not kept, so the sums are, in double-double."""
        known = getattr(self, "statistic_", None)
        source = self._source(X, y, sample_weight, first=known is None)
        ask = self.begin(source.head(), None) if known is None else self.ask_like(known)
        found = passes.sum_blocks(source, partial(self.observe, ask=ask))
        return self._settle(found if known is None else self.add(known, found), ask)

    def merge(self, other: Self) -> Self:
        """Add what another fitted model knows: as if both tables had been one."""
        pairs = zip(self.get_params().values(), other.get_params().values(), strict=False)
        if type(other) is not type(self) or not all(np.array_equal(mine, theirs) for mine, theirs in pairs):
            raise ValueError(f"only a {type(self).__name__} with the same parameters can be merged into this one")
        self.check_fitted()
        other.check_fitted()
        if self.column_names() != other.column_names():
            raise ValueError(f"the models know different columns: {self.column_names()} and {other.column_names()}")
        total = self.add(self.statistic_, other.statistic_)
        return self._settle(total, self.ask_like(total))

    def ask_like(self, statistic: Any) -> Any:
        """What to observe of more rows, so that it can be added to `statistic`."""
        raise NotImplementedError

    def add(self, known: Any, found: Any) -> Any:
        """Two sums as one."""
        return known + found

    def _source(self, X: Any, y: Any, sample_weight: Any, first: bool) -> ArraySource:
        self.check_parameters()
        owner = type(self).__name__
        low = getattr(X, "low", None)
        X = self.cells(X, fit=first)
        weight = weights(sample_weight, len(X), owner)
        Y, single = self._targets(y, weight, len(X), first)
        if first:
            self.single_target_ = single
            self.target_names_ = target_names(y, Y.shape[1])
        elif Y.shape[1] != len(self.target_names_):
            raise ValueError(f"{owner}: y has {Y.shape[1]} target(s), the model has {len(self.target_names_)}")
        return ArraySource(X, Y, weight, low if low is not None and low.shape == X.shape else None, self.column_names())

    def _targets(self, y: Any, weight: Array, n_rows: int, first: bool) -> tuple[Array, bool]:
        """y as float64 columns; a classifier's labels become codes, the number of each row's class in `classes_`."""
        owner = type(self).__name__
        if not isinstance(self, Classifier):
            return targets(y, n_rows, owner)
        labels = labels_of(y, n_rows, owner)
        if first:
            self.classes_ = classes_of(labels, weight, owner)
        return codes_of(labels, self.classes_, weight, owner)[:, None], True

    def _coded(self, rows: Source, engine: Engine) -> Source:
        """For a classifier one pass over the target finds the classes; from then on rows carry codes."""
        if not isinstance(self, Classifier):
            return rows
        owner = type(self).__name__
        if rows.n_targets != 1:
            raise ValueError(f"{owner}: a classifier has one target, got {rows.n_targets}")
        counted = passes.sum_blocks(rows, partial(_labels_counted, owner=owner), engine)
        values = counted.values.astype(np.int64) if (counted.values % 1 == 0).all() else counted.values
        self.classes_ = classes_of(labels_of(values, len(values), owner), owner=owner)
        return CodedSource(rows, partial(codes_of, classes=self.classes_, owner=owner))

    def _learn(self, source: Source, engine: Any, n_jobs: int | None = None) -> Self:
        ask, kept = self.begin(source.head(), source.n_rows), None
        with passes.one_blas_thread(), FitTasks(self, source) as tasks:
            while True:
                observe = partial(self.bare().observe, ask=ask)
                with tasks.one_pass(ask.passes) as after_block:
                    found = passes.sum_blocks(source, observe, engine, n_jobs, after_block)
                step = self.solve(found, ask, more=True)
                kept = kept if step.statistic is None else step.statistic
                if isinstance(step, Fitted):
                    self.solution_, self.statistic_ = step.solution, kept
                    return self
                ask = self.between(step.ask, source)

    def bare(self) -> Self:
        """This learner without what it has found: what travels to whoever observes."""
        found = copy(self)
        for name in ("solution_", "statistic_", "_skl_callbacks", "_parent_callback_ctx"):
            found.__dict__.pop(name, None)
        return found

    def _settle(self, statistic: Any, ask: Any) -> Self:
        with passes.one_blas_thread():
            step = self.solve(statistic, ask, more=False)
        if isinstance(step, Again):
            raise RuntimeError("a solve without further passes asked for one")
        self.solution_, self.statistic_ = step.solution, step.statistic
        return self


def _labels_counted(block: Block, owner: str) -> Counts:
    message = find_unusable(block.Y, ["y"], "the target y", block.first)
    if message:
        raise ValueError(f"{owner}: {message}")
    return Counts.of(block.Y[:, 0], block.weight)


class RoundLearner(Learner):
    """A learner whose statistic belongs to one round, at the weights of that round: it needs the rows to come again."""

    @property
    def partial_fit(self) -> Any:
        """Not there: what earlier rows said at earlier weights is no sum that more rows could be added to."""
        raise AttributeError(_rows_needed(self, "partial_fit"))

    @property
    def merge(self) -> Any:
        """Not there, for the same reason."""
        raise AttributeError(_rows_needed(self, "merge"))


def _rows_needed(learner: Learner, what: str) -> str:
    return (
        f"{type(learner).__name__} has no {what}: it walks the rows again in every round, and its sums hold only for "
        "that round's weights. Fit all rows at once: fit(X, y), or fit_source(file, target=…) beyond memory"
    )


def target_names(y: Any, n_targets: int) -> list[str]:
    """The target's own name where it has one, else y, or y0, y1, …"""
    columns = getattr(y, "columns", None)
    if columns is not None:
        return [str(name) for name in columns]
    name = getattr(y, "name", None)
    if n_targets == 1:
        return [str(name) if isinstance(name, str) else "y"]
    return [f"y{k}" for k in range(n_targets)]
