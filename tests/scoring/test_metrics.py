"""Errors of numeric predictions: known numbers, scikit-learn as oracle, laws, edges, bad input."""

import doctest
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import glaswerk.scoring as scoring
from glaswerk.scoring import metrics
from glaswerk.scoring.metrics import weighted_median

NAMES = [
    "residual_sum_of_squares",
    "half_squared_error",
    "mean_squared_error",
    "root_mean_squared_error",
    "mean_absolute_error",
    "median_absolute_error",
    "max_error",
    "r2_score",
]
ALSO_IN_SCIKIT_LEARN = [name for name in NAMES if hasattr(sk, name)]
quick = settings(deadline=None, max_examples=60)
numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))
rows = st.lists(st.tuples(numbers, numbers, st.integers(0, 4)), min_size=2, max_size=30)


def table(seed, n_rows=40, n_targets=3):
    random = np.random.default_rng(seed)
    truth = random.normal(size=(n_rows, n_targets)) * [1, 10, 100] + [0, 1000, -5]
    return truth, truth + random.normal(size=truth.shape) * [0.1, 20, 50], random.integers(1, 5, n_rows)


def metric(name):
    return getattr(scoring, name)


# ---- known numbers, by hand


def test_sums_of_squares_by_hand():
    """[BOE-RSS] [BOE-E] [BOE-TSS]: residuals 0, 1, -2; deviations from the mean 2 are -1, 0, 1."""
    assert scoring.residual_sum_of_squares([1, 2, 3], [1, 1, 5]) == 5
    assert scoring.half_squared_error([1, 2, 3], [1, 1, 5]) == 2.5
    assert scoring.total_sum_of_squares([1, 2, 3]) == 2


def test_mean_squared_error_is_rss_over_n():
    """[BOE-MSE] [NAN-4]"""
    truth, predicted, _ = table(0, n_targets=3)
    for column in range(3):
        rss = scoring.residual_sum_of_squares(truth[:, column], predicted[:, column])
        assert scoring.mean_squared_error(truth[:, column], predicted[:, column]) == pytest.approx(rss / 40, rel=1e-15)


def test_root_mean_squared_error_squares():
    """[NAN-RMSE]: as printed, without the square, the errors +3 and -3 would cancel to zero."""
    assert scoring.root_mean_squared_error([0, 0], [3, -3]) == 3
    assert np.sqrt(abs(np.sum(np.array([0, 0]) - [3, -3])) / 2) == 0


def test_root_mean_squared_error_from_half_squared_error():
    """[BG-RMSE]: E_RMS = √(2 E(w*) / N)."""
    truth, predicted, _ = table(1, n_targets=3)
    half = scoring.half_squared_error(truth[:, 0], predicted[:, 0])
    assert scoring.root_mean_squared_error(truth[:, 0], predicted[:, 0]) == pytest.approx(
        np.sqrt(2 * half / 40), rel=1e-15
    )


def test_absolute_errors_by_hand():
    truth, predicted = [0, 0, 0, 0], [1, -2, 4, -9]
    assert scoring.mean_absolute_error(truth, predicted) == 4
    assert scoring.median_absolute_error(truth, predicted) == 3
    assert scoring.max_error(truth, predicted) == 9


def test_sums_add_over_targets_and_means_average():
    truth, predicted = [[0, 0], [0, 0]], [[1, 3], [1, -3]]
    assert scoring.residual_sum_of_squares(truth, predicted) == 20
    assert scoring.residual_sum_of_squares(truth, predicted, multioutput="raw_values").tolist() == [2, 18]
    assert scoring.half_squared_error(truth, predicted, multioutput="raw_values").tolist() == [1, 9]
    assert scoring.total_sum_of_squares(predicted, multioutput="raw_values").tolist() == [0, 18]
    assert scoring.mean_squared_error(truth, predicted) == 5
    assert scoring.root_mean_squared_error(truth, predicted) == 2
    assert scoring.root_mean_squared_error(truth, predicted, multioutput=[3, 1]) == 1.5


@pytest.mark.parametrize(
    ("values", "weights", "median"),
    [
        ([5.0], [1], 5),
        ([1.0, 2.0], [1, 1], 1.5),
        ([1.0, 2.0], [3, 1], 1),
        ([1.0, 2.0, 10.0], [1, 1, 2], 6),
        ([3.0, 1.0, 2.0], [1, 1, 1], 2),
    ],
)
def test_weighted_median_by_hand(values, weights, median):
    assert weighted_median(np.array(values), np.array(weights, dtype=float)) == median


def test_weighted_median_of_rounded_weights():
    """0.1 + 0.2 + 0.3 is more than half of 1.2 by rounding alone; the middle is still between the 3rd and the 4th."""
    assert 0.1 + 0.2 + 0.3 > 0.6
    assert weighted_median(np.arange(5.0), np.array([0.1, 0.2, 0.3, 0.2, 0.4])) == 2.5


# ---- the oracle: scikit-learn, relative tolerance 1e-12


@pytest.mark.parametrize("name", ALSO_IN_SCIKIT_LEARN)
@pytest.mark.parametrize("n_targets", [1, 3])
def test_equals_scikit_learn(name, n_targets):
    truth, predicted, _ = (part[..., :n_targets] for part in table(2))
    if name == "max_error":
        truth, predicted = truth[:, 0], predicted[:, 0]
    assert metric(name)(truth, predicted) == pytest.approx(getattr(sk, name)(truth, predicted), rel=1e-12)


@pytest.mark.parametrize("name", [name for name in ALSO_IN_SCIKIT_LEARN if name != "max_error"])
@pytest.mark.parametrize("weighting", ["none", "whole", "fractions"])
def test_equals_scikit_learn_weighted_and_many_targets(name, weighting):
    truth, predicted, whole = table(3)
    weights = {"none": None, "whole": whole, "fractions": np.random.default_rng(3).uniform(0.1, 2, len(whole))}[
        weighting
    ]
    for multioutput in ["raw_values", "uniform_average", [0.2, 0.5, 0.3]] + ["variance_weighted"] * (
        name == "r2_score"
    ):
        ours = metric(name)(truth, predicted, sample_weight=weights, multioutput=multioutput)
        theirs = getattr(sk, name)(truth, predicted, sample_weight=weights, multioutput=multioutput)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


# ---- laws


@pytest.mark.parametrize("name", NAMES)
@quick
@given(rows=rows)
def test_weight_two_is_the_row_twice(name, rows):
    truth, predicted, repetitions = (np.array(column) for column in zip(*rows, strict=True))
    if repetitions.sum() < 2:
        return
    weighted = metric(name)(truth, predicted, sample_weight=repetitions)
    repeated = metric(name)(np.repeat(truth, repetitions), np.repeat(predicted, repetitions))
    assert weighted == pytest.approx(repeated, rel=1e-9, abs=1e-9)


@quick
@given(rows=rows)
def test_total_sum_of_squares_counts_repetitions(rows):
    truth, _, repetitions = (np.array(column) for column in zip(*rows, strict=True))
    if repetitions.any():
        repeated = scoring.total_sum_of_squares(np.repeat(truth, repetitions))
        assert scoring.total_sum_of_squares(truth, sample_weight=repetitions) == pytest.approx(
            repeated, rel=1e-9, abs=1e-9
        )


@pytest.mark.parametrize("name", NAMES)
@quick
@given(rows=rows, seed=st.integers(0, 99))
def test_order_of_rows_does_not_matter(name, rows, seed):
    truth, predicted, weights = (np.array(column) for column in zip(*rows, strict=True))
    weights = weights + 1
    order = np.random.default_rng(seed).permutation(len(truth))
    here = metric(name)(truth, predicted, sample_weight=weights)
    there = metric(name)(truth[order], predicted[order], sample_weight=weights[order])
    assert here == pytest.approx(there, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_targets_are_scored_one_by_one(name):
    truth, predicted, weights = table(5)
    together = metric(name)(truth, predicted, sample_weight=weights, multioutput="raw_values")
    alone = [metric(name)(truth[:, k], predicted[:, k], sample_weight=weights) for k in range(3)]
    np.testing.assert_allclose(together, alone, rtol=1e-14)


@quick
@given(rows=rows)
def test_rss_splits_into_bias_and_spread(rows):
    """Σ (y - c)² = TSS + n (ȳ - c)² for a constant prediction c: no constant beats the mean."""
    truth = np.array([row[0] for row in rows])
    constant = rows[0][1]
    expected = scoring.total_sum_of_squares(truth) + len(truth) * (truth.mean() - constant) ** 2
    ours = scoring.residual_sum_of_squares(truth, np.full(len(truth), constant))
    assert ours == pytest.approx(expected, rel=1e-9, abs=1e-6)


# ---- numerical care


def test_constant_target_is_recognised_though_its_mean_is_rounded():
    """np.mean([0.1] * 3) is 0.10000000000000002: a naive TSS is not zero and R² is -1e30."""
    truth = np.array([0.1] * 3)
    assert np.mean(truth) != 0.1
    assert scoring.total_sum_of_squares(truth) == 0
    assert scoring.r2_score(truth, truth + 0.5) == 0


def test_small_spread_on_a_large_level_keeps_its_digits():
    """Exact by rational arithmetic: the level is removed before anything is squared."""
    truth = [10.0**12 + value for value in (0.25, 0.5, 1.75, 2.0)]
    exact = [Fraction(value) for value in truth]
    mean = sum(exact) / 4
    expected = float(sum((value - mean) ** 2 for value in exact))
    assert scoring.total_sum_of_squares(truth) == pytest.approx(expected, rel=1e-15)


def test_squares_beyond_the_floating_range():
    truth, predicted = np.array([1e200, -1e200, 3e200]), np.array([2e200, -1e200, 3e200])
    assert scoring.root_mean_squared_error(truth, predicted) == pytest.approx(1e200 / np.sqrt(3), rel=1e-15)
    assert scoring.r2_score(truth, predicted) == pytest.approx(1 - 1 / 8, rel=1e-15)
    truth, predicted = np.array([1e-200, -1e-200, 3e-200]), np.array([2e-200, -1e-200, 3e-200])
    assert scoring.r2_score(truth, predicted) == pytest.approx(1 - 1 / 8, rel=1e-15)


# ---- edges


def test_one_row():
    assert scoring.mean_squared_error([3], [1]) == 4
    assert scoring.median_absolute_error([3], [1]) == 2
    assert scoring.total_sum_of_squares([3]) == 0


def test_a_row_of_weight_zero_is_no_row():
    with pytest.warns(scoring.UndefinedMetricWarning):
        assert np.isnan(scoring.r2_score([3, 4], [1, 4], sample_weight=[1, 0]))
    assert scoring.max_error([3, 4], [1, 1e300], sample_weight=[1, 0]) == 2


def test_columns_and_lists_and_integers_are_welcome():
    assert scoring.mean_squared_error([[1], [2]], [1, 4]) == 2
    assert scoring.mean_squared_error(np.array([1, 2], dtype=np.uint8), np.array([2, 4], dtype=np.uint8)) == 2.5
    assert isinstance(scoring.r2_score([1, 2], [1, 2]), float)


# ---- bad input: the message names the parameter, what is allowed, what came


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("truth", "predicted", "weights", "message"),
    [
        ([1, 2, 3], [1, 2], None, "y_true and y_pred must have equally many rows; y_true has 3, y_pred has 2"),
        ([[1, 2]], [[1, 2, 3]], None, "equally many targets; came 2 and 3"),
        ([], [], None, "must have at least one row; came none"),
        ([1, np.nan], [1, 2], None, "y_true must hold finite numbers only; row 1 holds nan"),
        ([1, 2], [np.inf, 2], None, "y_pred must hold finite numbers only; row 0 holds inf"),
        (["a", "b"], [1, 2], None, "y_true must hold real numbers; came dtype <U1"),
        ([1, None], [1, 2], None, "y_true must hold finite numbers only; row 1 holds nan"),
        ([1, "x"], [1, 2], None, "y_true must hold real numbers; came dtype <U"),
        (np.array([1, "x"], dtype=object), [1, 2], None, "y_true must hold real numbers; could not convert .*'x'"),
        ([1j, 2], [1, 2], None, "y_true must hold real numbers; came dtype complex128"),
        (np.zeros((2, 1, 1)), [1, 2], None, "y_true must have one or two dimensions .*; came 3"),
        (3.0, 3.0, None, "y_true must have one or two dimensions .*; came 0"),
        ([1, 2], [1, 2], [1, -2], "sample_weight must not be negative; row 1 holds -2"),
        ([1, 2], [1, 2], [0, 0], "sample_weight must hold at least one positive weight; came all zeros"),
        ([1, 2], [1, 2], [1], "sample_weight must have one weight per row, 2; came 1"),
        ([1, 2], [1, 2], [1, np.nan], "sample_weight must hold finite numbers only; row 1 holds nan"),
        ([1, 2], [1, 2], [[1], [1]], "sample_weight must have one dimension; came 2"),
    ],
)
def test_bad_rows(name, truth, predicted, weights, message):
    with pytest.raises(ValueError, match=message):
        metric(name)(truth, predicted, sample_weight=weights)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("multioutput", ["median", None, [1, 2, 3], [-1, 2], [0, 0]])
def test_bad_multioutput(name, multioutput):
    with pytest.raises(ValueError, match="multioutput must "):
        metric(name)([[1, 2], [3, 5]], [[1, 2], [3, 4]], multioutput=multioutput)


def test_bad_choice_names_the_alternatives():
    with pytest.raises(ValueError, match="multioutput must be one of 'sum', 'raw_values'; came 'mean'"):
        scoring.residual_sum_of_squares([1], [1], multioutput="mean")
    with pytest.raises(ValueError, match="'raw_values', 'uniform_average', 'variance_weighted'; came 'all'"):
        scoring.r2_score([1, 2], [1, 2], multioutput="all")
    with pytest.raises(ValueError, match="force_finite must be one of True, False; came 'yes'"):
        scoring.r2_score([1, 2], [1, 2], force_finite="yes")


# ---- documentation


def test_examples_in_docstrings():
    result = doctest.testmod(metrics)
    assert result.attempted > 0 and result.failed == 0


def test_everything_is_exported():
    for name in scoring.__all__:
        assert getattr(scoring, name).__doc__
    assert scoring.__all__ == sorted(scoring.__all__)
