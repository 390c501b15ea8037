"""What classifiers share whose sums are moments by class: one pass, and how a marked block is searched."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Array, check_weights, find_unusable
from glaswerk.learner.joint import ClasswiseLearner
from glaswerk.passes import Block
from glaswerk.stats.moments import GroupedMoments, common_shift

SHIFT_ROWS = 64
FAR = 100.0  # variances, by which a mean may lie from the shift before the rows are summed about it anew


@dataclass(frozen=True, eq=False)
class ByClass:
    """Moments about `shift`, one for each class."""

    shift: Array
    n_classes: int
    passes: int = 1


class MomentClassifier(ClasswiseLearner):
    """Interface: a classifier of what moments by class say."""

    fitted: ClassVar[dict[str, type]] = {**ClasswiseLearner.fitted, "statistic_": GroupedMoments}

    def begin(self, head: Block, n_rows: int | None) -> ByClass:
        return ByClass(common_shift(head.X[:: -(-len(head) // SHIFT_ROWS)]), len(self.classes_))

    def observe(self, block: Block, ask: Any) -> Any:
        if block.weight.size and ask.passes == 1:
            check_weights(block.weight, type(self).__name__, block.first)
        codes, nothing = block.Y[:, 0].astype(np.int64), np.zeros((len(block), 0))
        found = GroupedMoments.of(block.X, nothing, codes, ask.n_classes, block.weight, shift=ask.shift)
        if not np.isfinite(found.gram).all():
            message = find_unusable(block.X, self.column_names(), "X", block.first)
            reason = message or "the squares of X overflow: rescale columns beyond 1e150"
            raise ValueError(f"{type(self).__name__}: {reason}")
        return found

    def farther(self, sums: GroupedMoments, ask: ByClass) -> ByClass | None:
        """The mean as shift, where it turns out ten deviations from the one looked for in the first rows."""
        if ask.passes > 1:
            return None
        whole = sums.total()
        offset = whole.gram[-1, :-1] / whole.weight
        variance = np.diagonal(whole.gram)[:-1] / whole.weight - offset**2
        far = offset**2 > FAR * np.maximum(variance, 0.0)
        return replace(ask, shift=ask.shift + offset, passes=2) if far.any() and (variance > 0).any() else None

    def ask_like(self, statistic: GroupedMoments) -> ByClass:
        return ByClass(statistic.shift, len(self.classes_))

    def rows_of(self, X: Any) -> Array:
        return np.asarray(self.table(X, fit=False), dtype=np.float64)

    def usable(self, scores: Array, rows: Array) -> Array:
        """The scores, unless a NaN or infinite cell marked them: then the cell is named."""
        if not np.isfinite(scores.reshape(len(rows), -1).max(axis=1)).all():
            message = find_unusable(rows, self.column_names())
            if message:
                raise ValueError(f"{type(self).__name__}: {message}")
        return scores

    def check_restored(self) -> None:
        """Classes, columns and sums must speak of the same things."""
        if self.classes_.ndim != 1 or len(self.classes_) < 2:
            raise ValueError("classes_ must hold at least two labels")
        sums: Any = self.statistic_
        if len(sums) != len(self.classes_) or sums.shift.size != self.n_features_in_:
            raise ValueError("statistic_ does not belong to these classes and columns")
