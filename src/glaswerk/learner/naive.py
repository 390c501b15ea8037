"""What naive classifiers share: sums of every attribute alone, scores that add up, what one attribute says.

P(a₁, …, a_d | k) = Π_j P(a_j | k)                                                                      [BG-NAIVE]
"""

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, check_weights, find_unusable
from glaswerk.facts import Facts, LikelihoodRatios, Statement
from glaswerk.learner.joint import JointClassifier
from glaswerk.learner.learner import Again, Fitted
from glaswerk.passes import Block
from glaswerk.stats.moments import common_shift
from glaswerk.stats.naive_facts import NaiveNames
from glaswerk.stats.naive_model import NaiveModel
from glaswerk.stats.naive_sums import Attributes, NaiveSums

SHIFT_ROWS = 64
FAR = 1e4  # squared deviations of the shift from the mean, beyond which the rows are summed about the mean


class NaiveClassifier(JointClassifier):
    """Interface: a classifier of attributes taken one by one."""

    fitted: ClassVar[dict[str, type]] = {
        **JointClassifier.fitted,
        "solution_": NaiveModel,
        "statistic_": NaiveSums,
    }
    skips_missing: ClassVar[bool] = True

    def sizes(self) -> tuple[int | None, ...]:
        """For every column: None for a number, the count of its levels, or 0 where that shows in the rows."""
        raise NotImplementedError

    def variance(self, sums: NaiveSums) -> Array:
        """Of each number in each class (K, m), positive."""
        raise NotImplementedError

    def smoothing_of_levels(self) -> float:
        """Rows added to the count of every level."""
        raise NotImplementedError

    def check_cells(self, block: Block) -> None:
        """Raise where a cell cannot even be counted."""
        raise NotImplementedError

    def check_sums(self, block: Block, sums: NaiveSums) -> None:
        """Raise where a cell has spoilt the sums."""
        raise NotImplementedError

    def least_levels(self, ask: Attributes) -> tuple[int, ...]:
        """How many levels each column of levels has at least."""
        raise NotImplementedError

    def class_priors(self, sums: NaiveSums) -> Array:
        """P(k) from the sums, or as asked for."""
        raise NotImplementedError

    def complexity(self) -> float:
        """Free parameters: mean and variance of every number, shares of levels less one, in each class; the shares."""
        self.check_fitted()
        known = self.solution_
        k, levels = known.prior.size, int(np.sum(known.size) - known.size.size)
        return float(k * (2 * known.numbers.size + levels) + k - 1)

    def begin(self, head: Block, n_rows: int | None) -> Attributes:
        shift = _shift(head.X[:: -(-len(head) // SHIFT_ROWS)][:, self._numbers()])
        return self._attributes(shift)

    def ask_like(self, statistic: NaiveSums) -> Attributes:
        return self._attributes(statistic.shift)

    def _numbers(self) -> np.ndarray:
        return np.array([j for j, size in enumerate(self.sizes()) if size is None], dtype=np.int64)

    def _attributes(self, shift: Array) -> Attributes:
        sizes = self.sizes()
        levels = np.array([j for j, size in enumerate(sizes) if size is not None], dtype=np.int64)
        known = tuple(size for size in sizes if size is not None)
        return Attributes(len(self.classes_), self._numbers(), shift, levels, known)

    def observe(self, block: Block, ask: Attributes) -> NaiveSums:
        if block.weight.size and ask.passes == 1:
            check_weights(block.weight, type(self).__name__, block.first)
        doubt = partial(self.check_cells, block)
        found = NaiveSums.of(block.X, block.Y[:, 0].astype(np.int64), block.weight, ask, doubt)
        self.check_sums(block, found)
        return found

    def solve(self, statistic: NaiveSums, ask: Attributes, *, more: bool) -> Fitted | Again:
        if more and ask.passes == 1 and (shift := _better_shift(statistic)) is not None:
            return Again(replace(ask, shift=shift, passes=2))
        variance = self.variance(statistic)
        size = np.array(
            [max(len(t), known) for t, known in zip(statistic.counts, self.least_levels(ask), strict=True)],
            dtype=np.int64,
        )
        tables = [
            smoothed(table, int(levels), self.smoothing_of_levels())
            for table, levels in zip(statistic.counts, size, strict=True)
        ]
        logs = np.concatenate(tables) if tables else np.zeros((0, len(self.classes_)))
        model = NaiveModel(
            self.class_priors(statistic), ask.numbers, statistic.shift, statistic.offset, variance, ask.levels,
            np.cumsum(size) - size, size, logs,
        )  # fmt: skip
        return Fitted(model, statistic)

    def predict_joint_log_proba(self, X: Any) -> Array:
        """ln P(x, k) for every class (n, K), up to what all classes of a row share."""
        self.check_fitted()
        rows = self.cells(X, fit=False)
        found: tuple[Array, bool] = self.solution_.joint(rows)
        return self._scored(rows, *found)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of every row; of equally probable ones the first."""
        self.check_fitted()
        rows = self.cells(X, fit=False)
        return self.classes_[self._scored(rows, *self.solution_.best(rows))]

    def _scored(self, rows: NDArray, found: NDArray, odd: bool) -> NDArray:
        """What was found, unless the cells that the loop wondered at cannot be used."""
        if odd:
            self._check_rows(rows)
        return found

    def _check_rows(self, cells: NDArray) -> None:
        rows = np.asarray(cells, dtype=np.float64)
        infinite = np.isinf(rows)
        if infinite.any() or (not self.skips_missing and np.isnan(rows).any()):
            message = find_unusable(np.where(infinite, rows, 0.0) if infinite.any() else rows, self.column_names())
            raise ValueError(f"{type(self).__name__}: {message}")

    def rows_of(self, X: Any) -> Array:
        rows = np.asarray(self.cells(X, fit=False), dtype=np.float64)
        self._check_rows(rows)
        return rows

    def explain(self, row: Any) -> LikelihoodRatios:
        """What every attribute of one row says for its class: the ratio of likelihoods, each by itself."""
        self.check_fitted()
        rows = self.rows_of(row)
        if len(rows) != 1:
            raise ValueError(f"{type(self).__name__}.explain takes one row, got {len(rows)}")
        return self._names().contributions(rows[0], ("each attribute by itself, as if the others told nothing of it",))

    def _names(self) -> NaiveNames:
        levels = getattr(self, "levels_", ())
        return NaiveNames(
            self.solution_, self.known_sums, self.target_names_[0], self.column_names(), self.class_names(), levels
        )

    @property
    def known_sums(self) -> NaiveSums:
        """What the rows of the fit said."""
        self.check_fitted()
        found: Any = self.statistic_
        return found

    def says_of_smoothing(self) -> tuple[str, ...]:
        """How counts and variances were smoothed, in words."""
        raise NotImplementedError

    def facts(self) -> Facts:
        """Priors, what every attribute is like in every class, how it was smoothed, the method."""
        self.check_fitted()
        told = Statement("Smoothing and missing cells", self.says_of_smoothing())
        return Facts([*self._names().tables(), told, self.card])

    def check_restored(self) -> None:
        """Classes, columns and sums must speak of the same things."""
        model: Any = self.solution_
        if self.classes_.ndim != 1 or len(self.classes_) < 2 or model.prior.size != len(self.classes_):
            raise ValueError("classes_ must hold at least two labels, as many as the model")
        columns = sorted([*model.numbers.tolist(), *model.levels.tolist()])
        if columns != list(range(self.n_features_in_)) or len(self.known_sums.counts) != model.levels.size:
            raise ValueError("solution_ does not belong to these columns")


def smoothed(table: Array, size: int, extra: float) -> Array:
    """[BG-NBCOUNT] ln P(level | k) (size, K): counts with `extra` rows more of every level."""
    counts = np.full((size, table.shape[1]), float(extra))
    counts[: len(table)] += table
    total = counts.sum(axis=0)
    with np.errstate(divide="ignore"):
        found: Array = np.log(counts / np.where(total > 0, total, 1.0))
    found[:, total == 0] = -np.log(max(size, 1))
    return found


def _shift(sample: Array) -> Array:
    """A common shift from the cells that are there."""
    there = np.isfinite(sample)
    filled = np.where(there, sample, 0.0)
    count = there.sum(axis=0)
    middle = filled.sum(axis=0) / np.maximum(count, 1)
    return common_shift(np.where(there, sample, middle)) if sample.shape[1] else np.zeros(0)


def _better_shift(sums: NaiveSums) -> Array | None:
    """The means as shift, where they turn out far from the one looked for in the first rows."""
    weight = sums.present.sum(axis=0)
    if not weight.size or not weight.any():
        return None
    away = sums.sums.sum(axis=0) / np.maximum(weight, 1e-300)
    variance = sums.overall_variance
    far = away**2 > FAR * variance
    return sums.shift + away if (far & (variance > 0)).any() else None


def own_variance(sums: NaiveSums) -> Array:
    """Variance of each number in each class; that of all rows where a class has none."""
    known = sums.present > 0
    return np.where(known, sums.scatter / np.where(known, sums.present, 1.0), sums.overall_variance)
