"""R², the share of the target's variance that a model explains, and the same in words."""

import warnings

import numpy as np
from numpy.typing import ArrayLike

from glaswerk.scoring.inputs import Floats, UndefinedMetricWarning, check_choice
from glaswerk.scoring.metrics import SquareSum, deviations_from_mean, joined, paired, square_sum

NEAR_ONE = 0.9
NEAR_ZERO = 0.05


def fewer_than_two(weights: Floats) -> bool:
    """One row alone, unless its weight says that it stands for several."""
    return len(weights) < 2 and weights.sum() < 2


def residual_and_total(true: Floats, predicted: Floats, weights: Floats) -> tuple[SquareSum, SquareSum]:
    """RSS [BOE-RSS] and TSS [BOE-TSS] of each target."""
    return square_sum(true - predicted, weights), square_sum(deviations_from_mean(true, weights), weights)


def variance_weights(total: SquareSum) -> ArrayLike:
    """Weights proportional to each target's TSS; equal ones where every target is constant."""
    relative = np.ldexp(total.mantissa, 2 * (total.exponent - total.exponent.max()))
    return relative if relative.any() else "uniform_average"


def r2_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: ArrayLike = "uniform_average",
    force_finite: bool = True,
) -> float | Floats:
    """R² = 1 - RSS / TSS, free of the units of y and of the number of rows [BOE-R2].

    1 is a perfect prediction, 0 is as good as the constant ȳ, negative is worse than that constant (`explain_r2` says
    it in words). `multioutput` may also be "variance_weighted": targets weighted by their TSS.

    A constant target has TSS = 0 and no R². Returned then is 1.0 if every prediction is exact, else 0.0, so that a
    search over models can go on; `force_finite=False` returns nan and -inf instead. Fewer than two rows: nan, with a
    warning. "Two rows" counts repetitions: one row of weight two is two rows.

    >>> r2_score([1, 2, 3], [1, 2, 3]), r2_score([1, 2, 3], [2, 2, 2]), r2_score([1, 2, 3], [3, 2, 1])
    (1.0, 0.0, -3.0)
    """
    check_choice("force_finite", force_finite, (True, False))
    true, predicted, weights = paired(y_true, y_pred, sample_weight)
    residual, total = residual_and_total(true, predicted, weights)
    if isinstance(multioutput, str) and multioutput != "raw_values":
        check_choice("multioutput", multioutput, ("raw_values", "uniform_average", "variance_weighted"))
        multioutput = variance_weights(total) if multioutput == "variance_weighted" else multioutput
    if fewer_than_two(weights):
        warnings.warn("R² needs at least two rows; returned is nan", UndefinedMetricWarning, stacklevel=2)
        return joined(np.full(len(true), np.nan), multioutput)
    scores = 1 - residual.over(total)
    if force_finite:
        when_constant = np.where(residual.mantissa == 0, 1.0, 0.0)
        scores = np.where(total.mantissa == 0, when_constant, scores)
    return joined(scores, multioutput)


def explain_r2(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> str:
    """One or two sentences on what R² says about these predictions of one target.

    >>> print(explain_r2([1, 2, 3], [3, 2, 1]))
    R² = -3, negative: worse than predicting the mean of y; the model's squared error is 4 times that of the constant ȳ.
    """
    true, predicted, weights = paired(y_true, y_pred, sample_weight)
    if len(true) != 1:
        raise ValueError(f"explain_r2 explains one target at a time; y_true came with {len(true)}")
    if fewer_than_two(weights):
        return "R² is undefined: it needs at least two rows. Returned is nan."
    residual, total = residual_and_total(true, predicted, weights)
    if total.mantissa[0] == 0:
        return words_for_constant_target(perfect=residual.mantissa[0] == 0)
    return words_for_ratio(float(residual.over(total)[0]))


def words_for_constant_target(*, perfect: bool) -> str:
    returned = "1.0, because every prediction is exact" if perfect else "0.0, because the predictions are not exact"
    return f"R² is undefined: the target is constant, so there is no variance to explain. Returned is {returned}."


def words_for_ratio(error_ratio: float) -> str:
    """`error_ratio` is RSS / TSS."""
    r2 = 1 - error_ratio
    compared = f"the model's squared error is {error_ratio:.3g} times that of the constant ȳ"
    if r2 >= NEAR_ONE:
        return f"R² = {r2:.3g}, near 1: the model explains {r2:.1%} of the variance of y; {compared}."
    if r2 > NEAR_ZERO:
        return f"R² = {r2:.3g}: the model explains {r2:.1%} of the variance of y; {compared}."
    if r2 >= -NEAR_ZERO:
        return f"R² = {r2:.3g}, near 0: about as good as predicting the mean of y; {compared}."
    return f"R² = {r2:.3g}, negative: worse than predicting the mean of y; {compared}."
