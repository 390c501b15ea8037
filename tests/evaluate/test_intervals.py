"""Conformal estimators: known intervals, coverage, classes a fold has not met, refusals; the same around a table's
model."""

import numpy as np
import pytest

import glaswerk
from glaswerk import LinearRegression, LogisticRegression, Model, TableProblem, load_auto_mpg, load_iris
from glaswerk.evaluate import ArrayProblem, ConformalClassifier, ConformalRegressor, cross_validate
from glaswerk.evaluate.band import band_of_numbers
from glaswerk.evaluate.baseline import BaselineRegressor
from tests.evaluate.conftest import line_with_noise, two_classes


class Silent(LinearRegression):
    """Least squares without its theory."""

    predict_interval = property()


def test_jackknife_of_a_mean_is_known_by_hand():
    y = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    X = np.zeros((9, 1))
    without = (y.sum() - y) / 8
    misses = np.abs(y - without)
    found = ConformalRegressor(BaselineRegressor(), cv=None).fit(X, y).predict_interval(X[:1], 0.8)
    assert found[0, 1] == pytest.approx(np.sort(without + misses)[7])
    assert found[0, 0] == pytest.approx(np.sort(without - misses)[1])


def coverage(limits, y):
    return float(((limits[:, 0] <= y) & (y <= limits[:, 1])).mean())


@pytest.mark.parametrize("normalised", [False, True])
def test_intervals_hold_what_they_promise(normalised):
    held = []
    for seed in range(25):
        X, y = line_with_noise(200, 3, seed)
        model = ConformalRegressor(Silent(), cv=5, normalised=normalised).fit(X[:100], y[:100])
        held.append(coverage(model.predict_interval(X[100:], 0.9), y[100:]))
    assert 0.87 < np.mean(held) < 0.94


def test_normalised_intervals_are_wide_where_the_noise_is():
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 10, size=(600, 1))
    y = 3 * X[:, 0] + X[:, 0] * rng.normal(size=600)
    model = ConformalRegressor(LinearRegression(), normalised=True).fit(X, y)
    width = np.diff(model.predict_interval([[2.0], [9.0]], 0.9))[:, 0]
    assert width[1] > 2.5 * width[0]
    plain = np.diff(ConformalRegressor(LinearRegression()).fit(X, y).predict_interval([[2.0], [9.0]], 0.9))[:, 0]
    assert plain[1] == pytest.approx(plain[0], rel=0.05)


@pytest.mark.parametrize("sets", ["adaptive", "simple"])
def test_sets_hold_what_they_promise(sets):
    held, size = [], []
    for seed in range(15):
        X, y = two_classes(300, seed)
        model = ConformalClassifier(LogisticRegression(), cv=5, sets=sets).fit(X[:100], y[:100])
        found = model.predict_set(X[100:], 0.9)
        held.append(found[np.arange(200), np.searchsorted(model.classes_, y[100:])].mean())
        size.append(found.sum(axis=1).mean())
        assert set(model.predict(X)) <= {"no", "yes"}
    assert 0.87 < np.mean(held) < 0.94
    assert 1.0 < np.mean(size) < 1.8


def test_a_class_that_a_fold_has_not_met_has_probability_zero_there():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(41, 2)), np.array(["a", "b"] * 20 + ["rare"])
    found = ConformalClassifier(LogisticRegression(), cv=4).fit(X, y).predict_set(X, 0.9)
    assert found.shape == (41, 3)


def test_weights_are_repetitions_of_misses_and_rows_of_weight_zero_are_none():
    X, y = line_with_noise(60)
    weight = np.ones(60)
    weight[:10] = 0
    y_wild = y.copy()
    y_wild[:10] = 1e6
    one = ConformalRegressor(LinearRegression(), cv=None).fit(X, y_wild, weight)
    other = ConformalRegressor(LinearRegression(), cv=None).fit(X[10:], y[10:])
    assert one.predict_interval(X, 0.8) == pytest.approx(other.predict_interval(X, 0.8), rel=1e-9)


def test_groups_stay_in_one_fold():
    X, y = line_with_noise(40)
    groups = np.arange(40) // 4
    band = band_of_numbers(ArrayProblem(X, y, groups=groups), LinearRegression(), np.arange(40), folds=5, seed=0)
    assert all(len(set(band.fold[groups == g])) == 1 for g in range(10))


def test_bad_input_is_named():
    X, y = line_with_noise(30)
    with pytest.raises(ValueError, match="cv must be None or an integer >= 2, got 1"):
        ConformalRegressor(LinearRegression(), cv=1).fit(X, y)
    with pytest.raises(ValueError, match="level must be a number between 0 and 1; came 90"):
        ConformalRegressor(LinearRegression()).fit(X, y).predict_interval(X, 90)
    with pytest.raises(ValueError, match="estimator must be a classifier with predict_proba"):
        ConformalClassifier(LinearRegression()).fit(X, y > 0)


def test_a_tables_model_has_intervals_for_any_regressor_and_keeps_them_in_its_file(tmp_path):
    table = load_auto_mpg()
    plain = Model(Silent()).fit(table, target="mpg")
    with pytest.raises(TypeError, match=r"Silent gives no intervals of its own: fit Model\(…, intervals='cv\+'\)"):
        plain.predict_interval(table)
    assert not plain.gives_intervals
    model = Model(LinearRegression(), intervals="cv+").fit(table, target="mpg")
    limits = model.predict_interval(table, 0.9)
    truth = TableProblem(table, "mpg").truth
    assert 0.88 < coverage(limits, truth) < 0.95
    theory = Model(LinearRegression()).fit(table, target="mpg").predict_interval(table, 0.9)
    assert np.diff(limits).mean() == pytest.approx(np.diff(theory).mean(), rel=0.1)
    model.save(tmp_path / "m.glaswerk")
    assert np.array_equal(glaswerk.load(tmp_path / "m.glaswerk").predict_interval(table, 0.9), limits)


def test_a_tables_model_has_prediction_sets(tmp_path):
    table = load_iris()
    model = Model(LogisticRegression(), intervals="cv+").fit(table, target="species")
    sets = model.predict_set(table, 0.95)
    assert sets.shape == (150, 3)
    assert sets[np.arange(150), np.arange(150) // 50].mean() >= 0.93
    assert not model.gives_intervals
    model.save(tmp_path / "m.glaswerk")
    assert np.array_equal(glaswerk.load(tmp_path / "m.glaswerk").predict_set(table, 0.95), sets)
    with pytest.raises(TypeError, match="predict_set needs a classification"):
        Model(LogisticRegression()).fit(table, target="species").predict_set(table)
    with pytest.raises(ValueError, match=r"intervals must be None or 'cv\+' or 'normalised' or 'jackknife\+'"):
        Model(LogisticRegression(), intervals="bootstrap").fit(table, target="species")


def test_coverage_is_measured_out_of_fold_whoever_gives_the_interval():
    X, y = line_with_noise(300)
    candidates = {"theory": LinearRegression(), "cv+": ConformalRegressor(LinearRegression(), cv=5), "none": Silent()}
    found = cross_validate(candidates, ArrayProblem(X, y), folds=5, repeats=1)
    for name in candidates:
        fact = found.out_of_fold(name)
        assert [level for level, _ in fact.coverage] == [0.5, 0.8, 0.9, 0.95]
        assert all(abs(share - level) < 0.08 for level, share in fact.coverage)
        assert ("conformal" in " ".join(fact.notes)) is (name == "none")
