"""How far numeric predictions are from the truth: sums of squares, mean errors, R².

Conventions shared by every function here. `sample_weight` means repetitions: weight two is the row twice, weight zero
is no row. Both `y_true` and `y_pred` may hold many targets as columns; `multioutput` says how their scores are joined:
"raw_values" (one per target), "uniform_average", or one weight per target. Cost: one pass over the rows.

For classes see `glaswerk.scoring.classification`, for probabilities `glaswerk.scoring.probabilities`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glaswerk.scoring.inputs import (
    Floats,
    check_choice,
    check_same_rows,
    number_table,
    row_weights,
    target_rows,
)

# Cumulated weights that differ by less than this share of their total are the same number, rounded differently.
SAME_WEIGHT = 1e-12


class SquareSum(NamedTuple):
    """Σ w d² for each target, kept as mantissa · 4^exponent.

    Squares of 1e200 overflow and squares of 1e-200 vanish; a power of two taken out first costs no digit.
    """

    mantissa: Floats
    exponent: NDArray[np.int32]

    def divided_by(self, total_weight: float) -> Floats:
        return np.ldexp(self.mantissa / total_weight, 2 * self.exponent)

    def root_of_mean(self, total_weight: float) -> Floats:
        return np.ldexp(np.sqrt(self.mantissa / total_weight), self.exponent)

    def over(self, other: "SquareSum") -> Floats:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratio: Floats = np.ldexp(self.mantissa / other.mantissa, 2 * (self.exponent - other.exponent))
        return ratio


def square_sum(deviations: Floats, weights: Floats) -> SquareSum:
    """Weighted sum of squares along each row of `deviations`."""
    # Within ±1000 the power of two is itself a float, and what it leaves of any float can be squared.
    largest = np.maximum(deviations.max(axis=1), -deviations.min(axis=1))
    exponent = np.frexp(largest)[1].clip(-1000, 1000)
    scaled = deviations * np.ldexp(1.0, -exponent)[:, None]
    scaled *= scaled
    scaled *= weights
    return SquareSum(scaled.sum(axis=1), exponent)


def deviations_from_mean(values: Floats, weights: Floats) -> Floats:
    """y - ȳ for each target, in two passes.

    Shifting by the first value makes a constant column exactly zero (the mean of three times 0.1 is not 0.1) and keeps
    the digits of small differences between large numbers.
    """
    shifted = values - values[:, :1]
    mean: Floats = (weights * shifted).sum(axis=1, keepdims=True) / weights.sum()
    return shifted - mean


def paired(y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Floats, Floats, Floats]:
    """Truth and prediction (one row per target) and weights, without the rows of weight zero."""
    true, predicted = target_rows("y_true", y_true), target_rows("y_pred", y_pred)
    n_rows = check_same_rows(y_true=true.T, y_pred=predicted.T)
    if len(true) != len(predicted):
        raise ValueError(f"y_true and y_pred must have equally many targets; came {len(true)} and {len(predicted)}")
    weights = row_weights(sample_weight, n_rows)
    if sample_weight is None:
        return true, predicted, weights
    counted = weights > 0
    return true[:, counted], predicted[:, counted], weights[counted]


def residuals_of(y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Floats, Floats]:
    """y - f(x), one row per target, and the weights."""
    true, predicted, weights = paired(y_true, y_pred, sample_weight)
    return true - predicted, weights


def joined(per_target: Floats, multioutput: ArrayLike) -> float | Floats:
    """The scores of all targets as `multioutput` asks."""
    if isinstance(multioutput, str):
        check_choice("multioutput", multioutput, ("raw_values", "uniform_average"))
        return per_target if multioutput == "raw_values" else float(per_target.mean())
    weights = number_table("multioutput", multioutput)
    if weights.shape != per_target.shape or (weights < 0).any() or not weights.any():
        raise ValueError(
            "multioutput must be 'raw_values', 'uniform_average' or one weight per target, not negative, not all zero; "
            f"came {weights.tolist()} for {len(per_target)} target(s)"
        )
    return float(weights @ per_target / weights.sum())


def added(squares: SquareSum, multioutput: str) -> float | Floats:
    """A sum of squares adds over the targets too, unless each is asked for."""
    check_choice("multioutput", multioutput, ("sum", "raw_values"))
    per_target = squares.divided_by(1.0)
    return per_target if multioutput == "raw_values" else float(per_target.sum())


def residual_sum_of_squares(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, multioutput: str = "sum"
) -> float | Floats:
    """RSS(w) = Σ (y - f(x))², the squared error that least squares minimises [BOE-RSS].

    Grows with the number of rows: compare models on the same rows only, else use `mean_squared_error`.

    >>> residual_sum_of_squares([1, 2, 3], [1, 1, 5])
    5.0
    """
    return added(square_sum(*residuals_of(y_true, y_pred, sample_weight)), multioutput)


def half_squared_error(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, multioutput: str = "sum"
) -> float | Floats:
    """E(w) = ½ RSS(w), whose gradient carries no factor two: the objective of gradient descent [BOE-E].

    >>> half_squared_error([1, 2, 3], [1, 1, 5])
    2.5
    """
    return residual_sum_of_squares(y_true, y_pred, sample_weight=sample_weight, multioutput=multioutput) / 2


def total_sum_of_squares(
    y_true: ArrayLike, *, sample_weight: ArrayLike | None = None, multioutput: str = "sum"
) -> float | Floats:
    """TSS = Σ (y - ȳ)², the squared error of the best constant, the mean [BOE-TSS].

    >>> total_sum_of_squares([1, 2, 3])
    2.0
    """
    true, _, weights = paired(y_true, y_true, sample_weight)
    return added(square_sum(deviations_from_mean(true, weights), weights), multioutput)


def mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: ArrayLike = "uniform_average",
) -> float | Floats:
    """MSE(w) = RSS(w) / n, comparable between tables of different length [BOE-MSE] [NAN-4].

    In squared units of y, and one large error outweighs many small ones: see `mean_absolute_error`.

    >>> mean_squared_error([1, 2, 3, 4], [1, 1, 5, 4])
    1.25
    """
    residuals, weights = residuals_of(y_true, y_pred, sample_weight)
    return joined(square_sum(residuals, weights).divided_by(weights.sum()), multioutput)


def root_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: ArrayLike = "uniform_average",
) -> float | Floats:
    """RMSE = √(Σ (y - f(x))² / n) = √(2E / n), in the units of y [NAN-RMSE] [BG-RMSE].

    Many targets: the roots are averaged, not the squares. [NAN-RMSE] is printed without the square, under which errors
    of opposite sign would cancel; the square belongs there.

    >>> root_mean_squared_error([0, 0], [1, -7])
    5.0
    """
    residuals, weights = residuals_of(y_true, y_pred, sample_weight)
    return joined(square_sum(residuals, weights).root_of_mean(weights.sum()), multioutput)


def mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: ArrayLike = "uniform_average",
) -> float | Floats:
    """MAE = Σ |y - f(x)| / n, in the units of y; outliers count in proportion, not squared.

    >>> mean_absolute_error([0, 0], [1, -7])
    4.0
    """
    residuals, weights = residuals_of(y_true, y_pred, sample_weight)
    return joined((weights * np.abs(residuals)).sum(axis=1) / weights.sum(), multioutput)


def weighted_median(values: Floats, weights: Floats) -> float:
    """Median of the rows repeated `weights` times: the middle value, or the mean of the two middle ones."""
    if (weights == weights[0]).all():
        return float(np.median(values))
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    half, slack = reached[-1] / 2, reached[-1] * SAME_WEIGHT
    lower = np.searchsorted(reached, half - slack, side="left")
    upper = np.searchsorted(reached, half + slack, side="right")
    return float(values[order[lower]] / 2 + values[order[upper]] / 2)


def median_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: ArrayLike = "uniform_average",
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """median |y - f(x)|: half of the rows are predicted better than this. Blind to nearly half of the rows.

    >>> median_absolute_error([0, 0, 0], [1, -2, 100])
    2.0
    """
    residuals, weights = residuals_of(y_true, y_pred, sample_weight)
    return joined(np.array([weighted_median(row, weights) for row in np.abs(residuals)]), multioutput)


def max_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: ArrayLike = "uniform_average",
) -> float | Floats:
    """max |y - f(x)|, the worst row. A weight matters only by being zero: that row is absent.

    >>> max_error([0, 0], [1, -7])
    7.0
    """
    residuals, _ = residuals_of(y_true, y_pred, sample_weight)
    return joined(np.abs(residuals).max(axis=1), multioutput)
