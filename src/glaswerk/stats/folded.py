"""Folded: what the rows say as a whole and fold by fold, for every repeat of a cross-validation, in one pass."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from glaswerk.stats.moments import GroupedMoments
from glaswerk.stats.pairs import Array
from glaswerk.stats.rungs import Statistic

Folds = NDArray[np.int16]  # (repeats, rows): the fold that tests each row


@dataclass(frozen=True, eq=False)
class Folded:
    """The statistic of all rows, and for every repeat one `GroupedMoments` of its folds.

    Cost: n (d + q)² / 2 multiplications for the whole and again for each repeat; the rows are shifted once.
    """

    whole: Statistic
    repeats: tuple[GroupedMoments, ...]

    @classmethod
    def of(
        cls, whole: Statistic, X: Array, Y: Array, weight: Array, *, shift: Array, folds: Folds, n_folds: int
    ) -> "Folded":
        """`folds` are the fold numbers of these rows, one line per repeat; `whole` what they say together."""
        placed = np.ones((len(X), shift.size + 1))
        np.subtract(X, shift[: X.shape[1]], out=placed[:, : X.shape[1]])
        np.subtract(Y, shift[X.shape[1] :], out=placed[:, X.shape[1] : -1])
        if weight.size:
            placed *= np.sqrt(weight)[:, None]
        counted = weight > 0 if weight.size else None
        repeats = (_by_fold(placed, fold, counted, shift, Y.shape[1], n_folds) for fold in folds)
        return cls(whole, tuple(repeats))

    def __add__(self, other: "Folded") -> "Folded":
        whole: Any = self.whole
        repeats = tuple(a + b for a, b in zip(self.repeats, other.repeats, strict=True))
        return Folded(whole + other.whole, repeats)

    @property
    def sums(self) -> Array:
        """The numbers in which a NaN or infinite cell would show."""
        return self.whole.sums


def _by_fold(
    placed: Array, fold: NDArray[np.int16], counted: NDArray[np.bool_] | None, shift: Array, q: int, n_folds: int
) -> GroupedMoments:
    order = np.argsort(fold, kind="stable")
    ends = np.searchsorted(fold[order], np.arange(n_folds + 1))
    sorted_rows = placed[order]
    gram = np.zeros((n_folds, placed.shape[1], placed.shape[1]))
    for k, (first, last) in enumerate(pairwise(ends)):
        if last > first:
            gram[k] = blas.dsyrk(1.0, sorted_rows[first:last].T, lower=1)
    count = np.bincount(fold if counted is None else fold[counted], minlength=n_folds)
    return GroupedMoments(q, count.astype(np.int64), shift, gram)
