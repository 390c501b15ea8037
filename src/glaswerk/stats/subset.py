"""Best subsets: for every number of columns those that leave the least squares, proved by branch and bound.

    RSS(S) = Σ w (y - b - x_Sᵀ w_S)², least over all S of one size                                        [TRE-SUBSET]

Everything is read off the moments: the search, the errors of its answers on a held-out fold, and the sums of the
columns chosen. Nothing is refitted to rows.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from glaswerk import kernels
from glaswerk.stats.factor import EPS
from glaswerk.stats.moments import GroupedMoments, Moments
from glaswerk.stats.normal import Normal, normal_equations
from glaswerk.stats.pairs import Array
from glaswerk.stats.ridge_path import held_out_errors

REPEATED = 1e-10  # added to the scaled Gram's diagonal where columns repeat others, so that every subset has an answer


@dataclass(frozen=True, eq=False)
class Subsets:
    """By number of columns 0 … most: least squares (infinite where fewer columns do as well), the columns, the proof.

    bound: what subsets that the search did not reach could still leave, infinite where it reached all of that size.
    """

    rss: Array
    columns: NDArray[np.bool_]
    bound: Array
    nodes: int

    @property
    def proved(self) -> NDArray[np.bool_]:
        return self.bound >= self.rss

    @property
    def gap(self) -> Array:
        """By which share of itself each sum of squares could at most still fall."""
        with np.errstate(invalid="ignore", divide="ignore"):
            gap = 1.0 - np.minimum(self.bound, self.rss) / self.rss
        return np.where(np.isfinite(gap), gap, 0.0)


def best_subsets(
    moments: Moments, centred: bool, groups: NDArray[np.int64], most: int, node_limit: int = 2**62
) -> Subsets:
    """The best subsets of up to `most` columns; columns with the same number in `groups` are taken together.

    Cost: exponential in the number of groups at worst, and the more the columns resemble each other; `node_limit` ends
    it with the gap stated. When not to use it: hundreds of columns (ridge).
    """
    normal = normal_equations(moments, centred)
    names, group_of, widths = np.unique(groups, return_inverse=True, return_counts=True)
    order = np.argsort(group_of, kind="stable")
    factor, residual, unit = _factor(normal, order)
    best, bound = np.full((2, most + 1), np.inf)
    best[0] = 1.0
    chosen = np.zeros((most + 1, len(names)), dtype=np.int8)
    nodes = kernels.best_subsets(factor, residual, widths.astype(np.int64), node_limit, best, bound, chosen)
    worse = best > np.minimum.accumulate(best)
    best[worse] = np.inf
    return Subsets(best * unit, chosen.astype(bool)[:, group_of] & ~worse[:, None], bound * unit, int(nodes))


def _factor(normal: Normal, order: NDArray[np.int64]) -> tuple[Array, float, float]:
    """The triangular factor of the ordered columns and y, all of length 1; what they leave of y; the length of y."""
    A = np.tril(normal.A.rounded)
    A = (A + np.tril(A, -1).T)[np.ix_(order, order)]
    unit = float(max(normal.total.rounded[0], np.finfo(float).tiny))
    lengths = np.sqrt(np.diagonal(A))
    lengths = np.where(lengths > 0, lengths, 1.0)
    scaled = A / lengths[:, None] / lengths
    values = linalg.eigvalsh(scaled)
    if values[0] < len(A) * 32 * EPS:
        scaled = scaled + REPEATED * np.eye(len(A))
    L = linalg.cholesky(scaled, lower=True)
    image = linalg.solve_triangular(L, normal.B.rounded[0, order] / lengths / np.sqrt(unit), lower=True)
    return np.ascontiguousarray(np.column_stack([L.T, image])), max(1.0 - float(image @ image), 0.0), unit


def moments_of(moments: Moments, columns: NDArray[np.int64]) -> Moments:
    """The same rows, of these columns and the targets alone."""
    d = moments.shift.size - moments.n_targets
    kept = np.append(columns, np.arange(d, moments.shift.size))
    index = np.ix_(np.append(kept, -1), np.append(kept, -1))
    low = moments.gram_low[index] if moments.exact else moments.gram_low
    return replace(moments, shift=moments.shift[kept], gram=moments.gram[index], gram_low=low)


def subset_errors(folds: GroupedMoments, centred: bool, groups: NDArray[np.int64], most: int, node_limit: int) -> Array:
    """Mean squared error of each fold for every size, chosen and fitted on the others: (folds, sizes).

    The search is made anew for every fold; a size that it does not use there has the answer of the next smaller one.
    """
    others, errors = folds.all_but_each(), np.empty((len(folds), most + 1))
    for k in range(len(folds)):
        training = others.part(k)
        found = best_subsets(training, centred, groups, most, node_limit)
        fits = [_fit(training, centred, columns) for columns in found.columns]
        weights, levels = (np.stack(part)[None, :, None] for part in zip(*fits, strict=True))
        one = replace(folds, gram=folds.gram[k : k + 1], count=folds.count[k : k + 1])
        errors[k] = held_out_errors(one, weights, levels)[0, :, 0]
        for size in np.flatnonzero(np.isinf(found.rss)):
            errors[k, size] = errors[k, size - 1]
    return errors


def _fit(moments: Moments, centred: bool, columns: NDArray[np.bool_]) -> tuple[Array, float]:
    """Weights of all columns, 0 for those left out, and the intercept, both seen from the shift."""
    normal = normal_equations(moments, centred)
    d = len(columns)
    w, kept = np.zeros(d), np.flatnonzero(columns)
    if kept.size:
        A = np.tril(normal.A.rounded)[np.ix_(kept, kept)]
        lengths = np.sqrt(np.maximum(np.diagonal(A), np.finfo(float).tiny))
        scaled = A / lengths[:, None] / lengths
        values, vectors = linalg.eigh(scaled)
        real = values > len(kept) * EPS * values[-1]
        image = (normal.B.rounded[0, kept] / lengths) @ vectors
        w[kept] = vectors @ np.where(real, image / np.where(real, values, 1.0), 0.0) / lengths
    if not centred:
        return w, 0.0
    level = normal.target_mean.rounded[0] - moments.shift[d] - w @ (normal.mean.rounded - moments.shift[:d])
    return w, float(level)
