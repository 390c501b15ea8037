"""Metrics of a validation: each against scikit-learn, folds joined on the right scale, names, refusals."""

import numpy as np
import pytest
from sklearn import metrics as sk

from glaswerk.evaluate import ArrayProblem
from glaswerk.evaluate.corrected import FoldValues
from glaswerk.evaluate.metrics import METRICS, Answers, Judge, metric_for, metric_named
from tests.evaluate.conftest import two_classes

RNG = np.random.default_rng(0)
TRUTH, GUESS, WEIGHT = RNG.normal(size=40), RNG.normal(size=40), RNG.uniform(size=40)
SHARES = RNG.dirichlet([1, 1], size=40)
CODES = RNG.integers(0, 2, 40)
ROWS = np.arange(40)

RIVALS = {
    "RMSE": lambda w: sk.root_mean_squared_error(TRUTH, GUESS, sample_weight=w),
    "MAE": lambda w: sk.mean_absolute_error(TRUTH, GUESS, sample_weight=w),
    "R²": lambda w: sk.r2_score(TRUTH, GUESS, sample_weight=w),
    "log loss": lambda w: sk.log_loss(CODES, SHARES, sample_weight=w),
    "accuracy": lambda w: sk.accuracy_score(CODES, SHARES.argmax(axis=1), sample_weight=w),
    "Brier score": lambda w: sk.brier_score_loss(CODES, SHARES[:, 1], sample_weight=w),
    "AUC": lambda w: sk.roc_auc_score(CODES, SHARES[:, 1], sample_weight=w),
}


def judge_of(metric, weight=None):
    y = TRUTH if metric.task == "regression" else np.array(["no", "yes"])[CODES]
    return Judge.of(ArrayProblem(np.zeros((40, 1)), y, weight), metric)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weighted"])
@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.name)
def test_scikit_learn_as_oracle(metric, weight):
    answers = Answers(GUESS, SHARES.argmax(axis=1), SHARES)
    found = metric.shown(judge_of(metric, weight)(ROWS, answers))
    assert found == pytest.approx(RIVALS[metric.name](weight), rel=1e-12)


@pytest.mark.parametrize("name", ["RMSE", "MAE", "log loss", "accuracy", "Brier score"])
def test_folds_of_unequal_size_average_to_the_metric_of_all_rows(name):
    metric = metric_named(name)
    judge, cuts = judge_of(metric), [ROWS[:3], ROWS[3:20], ROWS[20:]]
    parts = [judge(rows, Answers(GUESS[rows], SHARES[rows].argmax(axis=1), SHARES[rows])) for rows in cuts]
    found = FoldValues(metric, np.array(parts), np.array([3.0, 17.0, 20.0]))
    assert found.score == pytest.approx(RIVALS[name](None), rel=1e-12)


def test_a_fold_with_one_class_has_no_auc_and_is_left_out():
    metric = metric_named("AUC")
    judge, alike = judge_of(metric), np.flatnonzero(CODES == 1)
    assert np.isnan(judge(alike, Answers(GUESS, CODES, SHARES[alike])))
    found = FoldValues(metric, np.array([0.8, np.nan, 0.6]), np.ones(3))
    assert found.score == pytest.approx(0.7)


def test_the_slope_is_the_derivative_of_what_is_shown():
    for metric in METRICS:
        step = 1e-6
        slope = (metric.shown(2 + step) - metric.shown(2 - step)) / (2 * step)
        assert metric.slope(2.0) == pytest.approx(slope, rel=1e-6)
    assert metric_named("RMSE").slope(0.0) == 0.0


def test_directions():
    rmse, r2, accuracy = map(metric_named, ("RMSE", "R²", "accuracy"))
    assert rmse.worse_by(3.0, 2.0) == 1.0 and accuracy.worse_by(0.5, 0.75) == 0.25
    assert rmse.error(2.0) == 2.0 and r2.error(0.75) == 0.25
    assert rmse.clipped(-1.0) == 0.0 and accuracy.clipped(1.2) == 1.0 and accuracy.clipped(-0.1) == 0.0
    assert r2.clipped(-3.0) == -3.0 and r2.clipped(1.5) == 1.0


def test_names():
    numbers, classes = ArrayProblem(np.zeros((3, 1)), [1.0, 2.0, 3.0]), ArrayProblem(*two_classes(20))
    assert metric_for(numbers, None).name == "RMSE"
    assert metric_for(classes, None).name == "log loss"
    assert metric_for(classes, "auc") is metric_for(classes, "AUC")


def test_a_metric_of_another_task_is_refused():
    numbers = ArrayProblem(np.zeros((3, 1)), [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"regression.* must be one of 'rmse', 'mae', 'r2'; came 'auc'"):
        metric_for(numbers, "auc")
    three = ArrayProblem(np.zeros((3, 1)), ["a", "b", "c"])
    with pytest.raises(ValueError, match="'log_loss', 'accuracy', 'brier'; came 'auc'"):
        metric_for(three, "auc")
    with pytest.raises(ValueError, match="metric must be one of"):
        metric_named("beauty")
