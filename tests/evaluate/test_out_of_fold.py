"""Out-of-fold facts: rows kept, normal quantiles, coverage measured, confusion by hand."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as RivalRidge
from sklearn.metrics import confusion_matrix

from glaswerk import LinearRegression
from glaswerk.evaluate import ArrayProblem, cross_validate
from glaswerk.evaluate.out_of_fold import MOST_ROWS, measured_coverage, normal_quantiles, sample
from tests.evaluate.conftest import line_with_noise, two_classes


def test_observed_and_predicted_of_every_row_of_a_small_table(numbers):
    found = cross_validate({"line": LinearRegression()}, numbers)
    fact = found.out_of_fold("line")
    assert (fact.target, fact.candidate, fact.rows) == ("y", "line", 120)
    assert fact.row == tuple(range(120))
    assert fact.observed == tuple(numbers.truth.tolist())
    assert fact.predicted == tuple(found.predictions("line").tolist())


def test_of_a_large_table_the_same_sample_is_always_shown():
    X, y = line_with_noise(MOST_ROWS + 500)
    problem = ArrayProblem(X, y)
    one, other = (cross_validate({"line": LinearRegression()}, problem, folds=3, repeats=1, seed=s) for s in (0, 1))
    fact = one.out_of_fold("line")
    assert (fact.rows, len(fact.row)) == (MOST_ROWS + 500, MOST_ROWS)
    assert fact.row == other.out_of_fold("line").row == tuple(sorted(fact.row))
    assert "2000 of 2500 rows are shown" in fact.notes[1]
    assert len(fact.quantiles) <= 200


def test_a_sample_is_spread_over_the_rows():
    shown = sample(np.arange(100_000))
    assert stats.kstest(shown / 100_000, "uniform").pvalue > 0.01


def test_quantiles_of_few_rows_by_hand():
    found = normal_quantiles(np.array([3.0, 1.0, 2.0]), np.ones(3))
    root = np.sqrt(1.5)
    expected = zip(stats.norm.ppf([1 / 6, 3 / 6, 5 / 6]), [-root, 0.0, root], strict=True)
    assert np.array(found) == pytest.approx(np.array(list(expected)), abs=1e-12)


def test_quantiles_of_normal_residuals_lie_on_the_diagonal_and_reach_the_extremes():
    residuals = np.random.default_rng(0).normal(size=50_000)
    found = np.array(normal_quantiles(residuals, np.ones(len(residuals))))
    assert len(found) <= 200
    middle = np.abs(found[:, 0]) < 2
    assert found[middle, 1] == pytest.approx(found[middle, 0], abs=0.05)
    standardised = (residuals - residuals.mean()) / residuals.std()
    assert found[[0, -1], 1] == pytest.approx([standardised.min(), standardised.max()])


def test_weight_two_is_the_row_twice_in_the_quantiles():
    residuals = np.array([0.5, -1.0, 2.0])
    weighted = np.array(normal_quantiles(residuals, np.array([2.0, 1.0, 1.0])))
    repeated = np.array(normal_quantiles(np.array([0.5, 0.5, -1.0, 2.0]), np.ones(4)))
    assert weighted[:, 1] == pytest.approx(repeated[[0, 1, 3], 1])


def test_exact_predictions_have_no_quantiles():
    assert normal_quantiles(np.zeros(5), np.ones(5)) == ()
    assert normal_quantiles(np.ones(1), np.ones(1)) == ()


def test_coverage_by_hand():
    inside = np.array([[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, np.nan], [0, 0, 0, np.nan]])
    assert measured_coverage(inside, np.ones(4)) == ((0.5, 0.25), (0.8, 0.5), (0.9, 0.75), (0.95, 1.0))
    assert measured_coverage(np.full((4, 4), np.nan), np.ones(4)) == ()


def test_intervals_of_a_true_model_hold_what_they_promise():
    found = cross_validate({"line": LinearRegression(), "rival": RivalRidge()}, ArrayProblem(*line_with_noise(2000)))
    for level, held in found.out_of_fold("line").coverage:
        assert held == pytest.approx(level, abs=4 * np.sqrt(level * (1 - level) / 2000))
    # A regressor without intervals of its own is measured with those that its out-of-fold misses give.
    for level, held in found.out_of_fold("rival").coverage:
        assert held == pytest.approx(level, abs=4 * np.sqrt(level * (1 - level) / 2000))


def test_confusion_is_scikit_learns(classes):
    found = cross_validate({"logistic": LogisticRegression()}, classes, repeats=1)
    fact = found.out_of_fold("logistic")
    expected = confusion_matrix(classes.truth, found.predictions("logistic"), labels=["no", "yes"])
    assert (fact.classes, fact.counts) == (("no", "yes"), tuple(map(tuple, expected.astype(float).tolist())))


def test_confusion_counts_weights():
    X, y = two_classes(60)
    weight = np.r_[np.zeros(10), np.full(50, 2.0)]
    found = cross_validate({"logistic": LogisticRegression()}, ArrayProblem(X, y, weight), repeats=1, folds=5)
    assert np.sum(found.out_of_fold("logistic").counts) == 100.0
    assert found.predictions("logistic")[:10].tolist() == [""] * 10
