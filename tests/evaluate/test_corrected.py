"""The corrected interval: by hand, its laws, and an experiment that shows that it holds what the naive one does not."""

import numpy as np
import pytest
from scipy import stats

from glaswerk.evaluate.corrected import FoldValues, corrected_interval, score_interval, worse_by
from glaswerk.evaluate.metrics import metric_named

MAE, RMSE, R2 = metric_named("MAE"), metric_named("RMSE"), metric_named("R²")
VALUES = np.array([1.0, 2.0, 4.0, 5.0])
EQUAL = np.ones(4)


def test_by_hand():
    """s² = 10/3, J = 4, n_test/n_train = 1/3."""
    half = stats.t.ppf(0.975, 3) * np.sqrt(10 / 3 * (1 / 4 + 1 / 3))
    found = corrected_interval(3.0, VALUES - 3, EQUAL, 1 / 3, 0.95)
    assert (found.lower, found.upper) == pytest.approx((3 - half, 3 + half), rel=1e-14)


def test_without_the_correction_it_is_students_interval():
    found = corrected_interval(3.0, VALUES - 3, EQUAL, 0.0, 0.9)
    assert (found.lower, found.upper) == pytest.approx(stats.t.interval(0.9, 3, 3.0, stats.sem(VALUES)), rel=1e-12)


def test_repeats_do_not_shrink_it_to_nothing():
    def width(repeats):
        found = corrected_interval(3.0, np.tile(VALUES - 3, repeats), np.ones(4 * repeats), 1 / 3, 0.95)
        return found.upper - found.lower

    assert width(1000) > 2 * 1.96 * np.sqrt(10 / 4 / 3)


def test_undefined_folds_are_left_out_and_one_fold_tells_nothing():
    some = corrected_interval(3.0, np.r_[VALUES - 3, np.nan], np.ones(5), 1 / 3, 0.95)
    assert some == corrected_interval(3.0, VALUES - 3, EQUAL, 1 / 3, 0.95)
    assert corrected_interval(3.0, np.array([0.0, np.nan]), np.ones(2), 1 / 3, 0.95).lower is None


def test_the_delta_method_for_rmse():
    """d√m = dm / (2 √m), with m = 3."""
    found = score_interval(FoldValues(RMSE, VALUES, EQUAL), 1 / 3, 0.5)
    plain = score_interval(FoldValues(MAE, VALUES, EQUAL), 1 / 3, 0.5)
    assert found.estimate == pytest.approx(np.sqrt(3))
    assert found.upper - found.estimate == pytest.approx((plain.upper - 3) / (2 * np.sqrt(3)))


def test_limits_stay_where_the_metric_can_be():
    assert score_interval(FoldValues(MAE, np.array([0.0, 5.0]), np.ones(2)), 1.0, 0.95).lower == 0.0
    assert score_interval(FoldValues(R2, np.array([0.5, 1.0]), np.ones(2)), 1.0, 0.95).upper == 1.0


def test_differences_are_paired_and_turn_with_the_direction_of_the_metric():
    one, other = FoldValues(MAE, VALUES + 0.5, EQUAL), FoldValues(MAE, VALUES, EQUAL)
    shifted = worse_by(one, other, 1 / 3, 0.95)
    assert (shifted.lower, shifted.estimate, shifted.upper) == pytest.approx((0.5, 0.5, 0.5))
    back = worse_by(other, one, 1 / 3, 0.95)
    assert back == shifted.turned()
    higher = worse_by(FoldValues(R2, VALUES + 0.5, EQUAL), FoldValues(R2, VALUES, EQUAL), 1 / 3, 0.95)
    assert higher.estimate == pytest.approx(-0.5)


# ---- truth: how often the interval holds


def fold_errors(X, y, repeats, rng):
    """Squared errors by fold of least squares, 10-fold, as plain NumPy."""
    values = []
    for _ in range(repeats):
        order = rng.permutation(len(y))
        for test in np.array_split(order, 10):
            train = np.setdiff1d(order, test)
            w = np.linalg.lstsq(X[train], y[train], rcond=None)[0]
            values.append(np.mean((y[test] - X[test] @ w) ** 2))
    return np.array(values)


@pytest.fixture(scope="module")
def experiment():
    """250 tables of 60 rows: fold errors of a linear model, and of the same model with a useless column more."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(250):
        X = rng.normal(size=(60, 5))
        y = X[:, :3] @ [1.0, 2.0, 3.0] + rng.normal(size=60)
        seed = int(rng.integers(2**31))
        found.append(
            [fold_errors(X[:, cut], y, 3, np.random.default_rng(seed)) for cut in ([0, 1, 2, 3], [0, 1, 2, 4])]
        )
    return np.array(found)


def coverage(values, truth, ratio):
    hits = 0
    for row in values:
        found = corrected_interval(float(row.mean()), row - row.mean(), np.ones(len(row)), ratio, 0.9)
        hits += found.lower <= truth <= found.upper
    return hits / len(values)


def test_the_corrected_interval_holds_the_error_where_the_naive_one_does_not(experiment):
    """Expected squared error of least squares, normal columns: σ² (1 + d / (n - d - 1)), here n = 54, d = 4."""
    truth = 1 + 4 / (54 - 4 - 1)
    naive, corrected = (coverage(experiment[:, 0], truth, ratio) for ratio in (0.0, 1 / 9))
    assert naive < 0.75
    assert 0.84 < corrected < 0.97


def test_equal_models_are_rarely_told_apart(experiment):
    """Each has one useless column: neither is better. The naive interval finds a winner far too often."""
    differences = experiment[:, 0] - experiment[:, 1]
    naive, corrected = (coverage(differences, 0.0, ratio) for ratio in (0.0, 1 / 9))
    assert corrected > naive + 0.1
    assert corrected > 0.88
