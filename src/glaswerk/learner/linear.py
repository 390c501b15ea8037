"""What regressors share whose sums are those of least squares and whose answer is a hyperplane."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.base import Array, Matrix, Regressor, check_weights, clone, find_unusable
from glaswerk.learner.learner import Again, Learner
from glaswerk.passes import Block, one_blas_thread, sum_blocks
from glaswerk.scoring import r2_score
from glaswerk.stats.ladder import first_ask
from glaswerk.stats.moments import Moments, common_shift
from glaswerk.stats.rungs import Ask
from glaswerk.stats.subset import moments_of
from glaswerk.stats.triangle import Triangle

SHIFT_ROWS = 64


class LinearModel(Regressor, Learner):
    """Interface: a regressor whose sums are those of least squares and whose answer is a hyperplane."""

    corner_of_sums: ClassVar[bool] = False  # whether the sums of some columns are a corner of the sums of more

    def fit_widths(self, X: Any, y: Any, widths: Sequence[int], sample_weight: Any = None) -> list[Self]:
        """One fitted copy on the first k columns for each k: the rows are observed once, in all columns.

        The same numbers as fits one by one; a copy that asks for another pass, or whose table is so small that it takes
        another first pass, is fitted by itself.
        """
        if not self.corner_of_sums:
            raise ValueError(f"{type(self).__name__}: its sums for some columns are no corner of those for more")
        whole = clone(self)
        source = whole._source(X, y, sample_weight, first=True)
        with one_blas_thread():
            ask = replace(whole.begin(source.head(), source.n_rows), what="moments")
            found = sum_blocks(source, partial(whole.observe, ask=ask), "threads", getattr(self, "n_jobs", None))
            return [self._first_columns(first_columns(X, k), y, sample_weight, ask, found) for k in widths]

    def _first_columns(self, X: Any, y: Any, sample_weight: Any, ask: Ask, found: Moments) -> Self:
        one = clone(self)
        source = one._source(X, y, sample_weight, first=True)
        own: Ask = one.begin(source.head(), source.n_rows)
        columns = np.arange(X.shape[1])
        corner = moments_of(found, columns)
        if (own.what, own.exact) != ("moments", ask.exact) or not np.array_equal(own.shift, corner.shift):
            return one.fit(X, y, sample_weight)
        step = one.solve(corner, own, more=True)
        if isinstance(step, Again):
            return one.fit(X, y, sample_weight)
        vars(one).update(solution_=step.solution, statistic_=step.statistic)
        return one

    def first_look(self, head: Block, n_rows: int | None, centred: bool, exact: bool = False) -> Ask:
        """The first pass, with a shift from 64 rows; `exact` where no second pass is meant to follow."""
        step = -(-len(head) // SHIFT_ROWS)
        sample = np.concatenate([head.X[::step], head.Y[::step]], axis=1)
        return first_ask(None if exact else n_rows, common_shift(sample), head.Y.shape[1], centred)

    def checked(self, block: Block, ask: Ask) -> Block:
        """The block with weights that count; refused otherwise. Later passes see the same rows and need no check."""
        if block.weight.size and ask.climb is None:
            check_weights(block.weight, type(self).__name__, block.first)
        return block

    def refuse_unusable(self, sums: Array, block: Block) -> None:
        """A NaN or infinite cell leaves its mark in every sum, so only a marked block is searched for it."""
        if np.isfinite(sums).all():
            return
        message = find_unusable(block.X, self.column_names(), "X", block.first) or find_unusable(
            block.Y, self.target_names_, "the target y", block.first
        )
        reason = message or "the squares of X or y overflow: rescale columns beyond 1e150"
        raise ValueError(f"{type(self).__name__}: {reason}")

    def refuse_nothing(self, weight: float) -> None:
        if weight == 0:
            raise ValueError(f"{type(self).__name__}: the weight is zero for every row: nothing is left to fit")

    def add(self, known: Any, found: Any) -> Any:
        """Like adds to like; a triangle that meets moments becomes moments too."""
        if type(known) is not type(found):
            known, found = (part.moments() if isinstance(part, Triangle) else part for part in (known, found))
        return known + found

    def plane(self) -> tuple[Array, Array]:
        """Coefficients (q, d) and intercepts (q,)."""
        raise NotImplementedError

    @property
    def coef_(self) -> Array:
        found = self.plane()[0]
        return found[0] if self.single_target_ else found

    @property
    def intercept_(self) -> Any:
        found = self.plane()[1]
        return float(found[0]) if self.single_target_ else found

    def usable_rows(self, X: Any) -> tuple[Array, Array]:
        """The rows as numbers, and ŷ for each."""
        self.check_fitted()
        rows = np.asarray(self.table(X, fit=False), dtype=np.float64)
        mean = rows @ self.coef_.T + self.intercept_
        low = getattr(X, "low", None)
        if low is not None and low.shape == rows.shape:
            mean += low @ self.coef_.T
        if not np.isfinite(mean).all():
            message = find_unusable(rows, self.column_names())
            if message:
                raise ValueError(f"{type(self).__name__}: {message}")
        return rows, mean

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² = 1 - RSS/TSS of these rows; negative when worse than the mean of y."""
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))


def first_columns(X: Any, k: int) -> Any:
    """The first k columns, with their names and what rounding took from their cells."""
    if not isinstance(X, Matrix):
        return np.asarray(X)[:, :k]
    low = getattr(X, "low", None)
    return Matrix.of(np.asarray(X)[:, :k], (X.names or ())[:k] or None, None if low is None else low[:, :k])
