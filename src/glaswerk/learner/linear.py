"""What regressors share whose sums are those of least squares and whose answer is a hyperplane."""

from typing import Any

import numpy as np

from glaswerk.base import Array, Regressor, check_weights, find_unusable
from glaswerk.learner.learner import Learner
from glaswerk.passes import Block
from glaswerk.scoring import r2_score
from glaswerk.stats.ladder import first_ask
from glaswerk.stats.moments import common_shift
from glaswerk.stats.rungs import Ask
from glaswerk.stats.triangle import Triangle

SHIFT_ROWS = 64


class LinearModel(Regressor, Learner):
    """Interface: a regressor whose sums are those of least squares and whose answer is a hyperplane."""

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
