"""The errors of ridge regression for every penalty at once: on held-out folds, on each row left out, by GCV.

    w(λ) = (A + λI)⁻¹ B   with   A = V E Vᵀ:   w(λ) = V (E + λI)⁻¹ VᵀB                               [TRE-PLS]

A and B come from the moments of the other folds, the error from those of the fold itself: nothing is refitted.
"""

from dataclasses import dataclass, replace

import numpy as np

from glaswerk.stats.moments import NOTHING, GroupedMoments, Moments
from glaswerk.stats.pairs import Array
from glaswerk.stats.spectrum import Spectrum, spectrum

SAFE_RATIO = 1e6  # of eigenvalues, up to which an eigendecomposition of the unscaled Gram keeps ten digits
SCRATCH_ROWS = 256  # what stays close to the processor between its many uses
DECIDED = 1.0 - 1e-12  # leverage from which on a row's own error says nothing


def fold_errors(folds: GroupedMoments, penalties: Array, centred: bool = True) -> Array:
    """Mean squared error of each held-out fold: (folds, penalties, targets). The intercept is not penalised.

    Cost: folds · d³ for the eigenvectors, folds · penalties · d² for the errors; the rows are not needed.
    When not to use it: R² above 1 - 1e-10, where squares from a Gram have no digits left.
    """
    penalties = np.asarray(penalties, dtype=np.float64)
    others = folds.all_but_each()
    fast = _paths(others, penalties) if centred else None
    slow = [] if fast is not None else [path(others.part(k), penalties, centred) for k in range(len(folds))]
    weights, intercepts = fast or (np.stack([w for w, _ in slow]), np.stack([b for _, b in slow]))
    return held_out_errors(folds, weights, intercepts)


def path(moments: Moments, penalties: Array, centred: bool = True) -> tuple[Array, Array]:
    """Weights (penalties, targets, d) and intercepts (penalties, targets), in the coordinates of the shift."""
    seen = spectrum(moments, centred)
    d = moments.shift.size - moments.n_targets
    if centred:
        seen = replace(seen, mean=seen.mean - moments.shift[:d], target_mean=seen.target_mean - moments.shift[d:])
    weights = seen.weights(penalties)
    return weights, seen.intercepts(weights)


def _paths(groups: GroupedMoments, penalties: Array) -> tuple[Array, Array] | None:
    """`path` for all groups in one call of the eigensolver, or None where the columns' units forbid it."""
    q = groups.n_targets
    d = groups.shift.size - q
    gram = np.tril(groups.gram) + np.swapaxes(np.tril(groups.gram, -1), 1, 2)
    means = gram[:, -1, :-1] / gram[:, -1, -1:]
    inner = gram[:, :-1, :-1] - gram[:, -1, :-1, None] * means[:, None, :]
    values, vectors = np.linalg.eigh(inner[:, :d, :d])
    least = values[:, 0] + penalties.min()
    if not (values[:, -1] < SAFE_RATIO * least).all():
        return None
    image = inner[:, d:, :d] @ vectors
    shrunk = image[:, None] / (values[:, None, None, :] + penalties[:, None, None])
    weights = shrunk @ np.swapaxes(vectors, 1, 2)[:, None]
    return weights, means[:, None, d:] - (weights @ means[:, None, :d, None])[..., 0]


def held_out_errors(folds: GroupedMoments, weights: Array, intercepts: Array) -> Array:
    """Σ (y - b - xᵀw)² / W = θᵀ M θ / W with θ = [-w, 1 at the target, -b]: (folds, penalties, targets)."""
    gram = np.tril(folds.gram) + np.swapaxes(np.tril(folds.gram, -1), 1, 2)
    n, m, q, d = weights.shape
    theta = np.zeros((n, m, q, gram.shape[1]))
    theta[..., :d] = -weights
    theta[:, :, np.arange(q), d + np.arange(q)] = 1.0
    theta[..., -1] = -intercepts
    flat = theta.reshape(n, m * q, -1)
    squares = np.einsum("nks,nks->nk", flat @ gram, flat).reshape(n, m, q)
    return np.maximum(squares, 0.0) / gram[:, -1, -1][:, None, None]


def generalised(seen: Spectrum, penalties: Array) -> Array:
    """Generalised cross-validation, (m, q): the mean squared residual over (1 - M_eff / W)²."""
    taken = seen.shares(penalties).sum(axis=1) + seen.centred
    left = 1.0 - taken / seen.weight
    with np.errstate(divide="ignore", invalid="ignore"):
        found = seen.residuals(penalties) / seen.weight / np.where(left > 0, left, np.nan)[:, None] ** 2
    return np.where(np.isfinite(found), found, np.inf)


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """Sums over the rows of e², e⁴, and of what each penalty gains on the first one, (m, q) each.

    e = r / (1 - h): the error of a row that the fit has not seen, exactly, from its residual r and leverage h. A row
    of weight 2 is two rows of which one is left out; a row of weight below 1 is left out whole.
    Cost: n d (d + 2 m). When not to use it: fits that a single row decides (h near 1); `exact_fit` says that least
    squares would meet every row (of weight 1): then r and 1 - h are sums of small parts, in place of differences.
    """

    weight: float
    errors: Array
    squares: Array
    gains: Array
    gain_squares: Array

    @classmethod
    def of(
        cls, X: Array, Y: Array, weight: Array, seen: Spectrum, penalties: Array, exact_fit: bool = False
    ) -> "LeaveOneOut":
        met = exact_fit and not weight.size
        inverse = _what_is_left(seen, penalties) if met else seen.inverses(penalties)
        m, q = len(penalties), Y.shape[1]
        coefficients = np.ascontiguousarray((seen.image * inverse[:, None, :]).reshape(m * q, -1).T)
        sums = np.zeros((4, m * q))
        for start in range(0, len(X), SCRATCH_ROWS):
            rows = slice(start, start + SCRATCH_ROWS)
            times = weight[rows] if weight.size else NOTHING
            position = (X[rows] - seen.mean) @ seen.vectors
            if met:
                left, error = position**2 @ inverse.T, position @ coefficients
            else:
                left = _leverage(position, inverse, times, 1.0 / seen.weight if seen.centred else 0.0)
                np.subtract(1.0, left, out=left)
                error = position @ coefficients
                target = Y[rows] - seen.target_mean
                np.subtract(target if q == 1 else np.tile(target, (1, m)), error, out=error)
            with np.errstate(divide="ignore", invalid="ignore"):
                error /= left if q == 1 else np.repeat(left, q, axis=1)
                sums += _sums_of(np.multiply(error, error, out=error), q, times)
        return cls(float(weight.sum()) if weight.size else float(len(X)), *sums.reshape(4, m, q))

    def __add__(self, other: "LeaveOneOut") -> "LeaveOneOut":
        return LeaveOneOut(
            self.weight + other.weight,
            self.errors + other.errors,
            self.squares + other.squares,
            self.gains + other.gains,
            self.gain_squares + other.gain_squares,
        )

    @property
    def sums(self) -> Array:
        """The numbers in which a NaN cell would show."""
        return np.array([self.weight])

    def mean(self) -> Array:
        return np.where(np.isfinite(self.errors), self.errors / self.weight, np.inf)

    def standard_error(self) -> Array:
        return _standard_error(self.errors, self.squares, self.weight)

    def gain(self) -> tuple[Array, Array]:
        """By how much each penalty's error lies below the first one's, and the standard error of that."""
        return self.gains / self.weight, _standard_error(self.gains, self.gain_squares, self.weight)


def _what_is_left(seen: Spectrum, penalties: Array) -> Array:
    """1 / (e (e + λ)), (m, k): what, times λ, the penalty leaves of rows that least squares would meet."""
    own = np.where(seen.values > 0, seen.values, np.inf)
    return 1.0 / (own * (own + np.asarray(penalties)[:, None]))


def _leverage(position: Array, inverse: Array, times: Array, level: float) -> Array:
    """h of every row and penalty, (n, m), counted once or less; 1 where a row alone decides its own fit."""
    found: Array = np.multiply(position, position) @ inverse.T
    found += level
    if times.size:
        found *= np.minimum(times, 1.0)[:, None]
    if found.max(initial=0.0) > DECIDED:
        found[found > DECIDED] = 1.0
    return found


def _sums_of(square: Array, q: int, times: Array) -> Array:
    """Σ e², Σ e⁴ and the same of what is gained on the first q columns: (4, m q)."""
    counted = square * times[:, None] if times.size else square
    gain = square[:, :q] - square if q == 1 else np.tile(square[:, :q], (1, square.shape[1] // q)) - square
    weighed = gain * times[:, None] if times.size else gain
    parts = counted.sum(axis=0), np.einsum("nk,nk->k", counted, square), weighed.sum(axis=0)
    return np.stack([*parts, np.einsum("nk,nk->k", weighed, gain)])


def _standard_error(sums: Array, squares: Array, weight: float) -> Array:
    with np.errstate(invalid="ignore"):
        variance = (squares / weight - (sums / weight) ** 2) * weight / max(weight - 1.0, 1.0)
    return np.sqrt(np.maximum(variance, 0.0) / weight)


def penalty_range(seen: Spectrum, how_many: int = 25) -> Array:
    """Penalties, evenly spaced by ratio, from where 99 % of the parameters are free to where 5 % are left."""
    values = seen.values[seen.values > 1e-12 * seen.values.max(initial=0.0)]
    if not values.size or values.max() == 0:
        return np.geomspace(1e-3, 1e3, how_many)
    ends = [_penalty_of_share(values, share) for share in (0.99, 0.05)]
    return np.geomspace(ends[0], ends[1], how_many)


def _penalty_of_share(values: Array, share: float) -> float:
    """The λ at which Σ v / (v + λ) is `share` of its number, by bisection of log λ."""
    low, high = np.log(values.min()) - 10.0, np.log(values.max()) + 10.0
    for _ in range(60):
        middle = (low + high) / 2
        if (values / (values + np.exp(middle))).mean() > share:
            low = middle
        else:
            high = middle
    return float(np.exp((low + high) / 2))
