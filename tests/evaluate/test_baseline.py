"""Baselines: means and shares by hand, scikit-learn's contract, its dummies as oracle, edges."""

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from glaswerk.evaluate import BaselineClassifier, BaselineRegressor, baseline_for

X = np.zeros((5, 1))


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([BaselineRegressor(), BaselineClassifier()])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_by_hand():
    regressor = BaselineRegressor().fit(X, [1.0, 2.0, 3.0, 4.0, 10.0])
    assert regressor.predict(X[:2]).tolist() == [4.0, 4.0]
    assert regressor.deviation_ == pytest.approx([np.sqrt(50 / 4)])
    classifier = BaselineClassifier().fit(X, ["b", "a", "b", "c", "b"])
    assert classifier.predict_proba(X[:1]).tolist() == [[0.2, 0.6, 0.2]]
    assert classifier.predict(X[:2]).tolist() == ["b", "b"]


def test_dummies_as_oracle():
    rng = np.random.default_rng(0)
    y, weight, names = rng.normal(size=(50, 2)), rng.uniform(size=50), rng.choice(list("abc"), 50)
    rows = np.zeros((50, 1))
    ours, theirs = (kind().fit(rows, y, sample_weight=weight) for kind in (BaselineRegressor, DummyRegressor))
    assert ours.predict(rows) == pytest.approx(theirs.predict(rows), rel=1e-14)
    ours, theirs = (
        kind.fit(rows, names, sample_weight=weight)
        for kind in (BaselineClassifier(), DummyClassifier(strategy="prior"))
    )
    assert ours.predict_proba(rows) == pytest.approx(theirs.predict_proba(rows), rel=1e-14)
    assert (ours.predict(rows) == theirs.predict(rows)).all()
    assert ours.score(rows, names) == theirs.score(rows, names)


def test_the_interval_is_that_of_one_more_normal_number():
    y = np.array([1.0, 2.0, 3.0, 4.0, 10.0])
    half = stats.t.ppf(0.95, 4) * y.std(ddof=1) * np.sqrt(1.2)
    limits = BaselineRegressor().fit(X, y).predict_interval(X[:2], 0.9)
    assert limits == pytest.approx(np.array([[4 - half, 4 + half]] * 2), rel=1e-12)
    assert BaselineRegressor().fit(X, np.column_stack([y, y])).predict_interval(X, 0.9).shape == (5, 2, 2)


def test_weight_two_is_the_row_twice():
    y, weight = np.array([1.0, 5.0, 2.0]), np.array([1, 2, 0])
    rows = np.repeat(np.arange(3), weight)
    weighted = BaselineRegressor().fit(X[:3], y, sample_weight=weight)
    repeated = BaselineRegressor().fit(X[rows], y[rows])
    assert weighted.predict_interval(X[:1]) == pytest.approx(repeated.predict_interval(X[:1]), rel=1e-14)


def test_edges():
    constant = BaselineRegressor().fit(X, [0.1] * 5)
    assert constant.predict(X[:1]).tolist() == [0.1]
    assert constant.deviation_.tolist() == [0.0]
    assert np.isnan(BaselineRegressor().fit(X[:1], [3.0]).predict_interval(X[:1])).all()
    assert BaselineClassifier().fit(X[:2], ["b", "a"]).predict(X[:1]).tolist() == ["a"]  # a tie: the first class
    assert BaselineClassifier().fit(X, ["a"] * 5).predict_proba(X[:1]).tolist() == [[1.0]]


def test_facts_name_what_is_predicted():
    assert "4" in str(BaselineRegressor().fit(X, [1.0, 2.0, 3.0, 4.0, 10.0]).facts())
    assert "0.6" in str(BaselineClassifier().fit(X, ["b", "a", "b", "c", "b"]).facts())


def test_one_for_each_task():
    assert isinstance(baseline_for("regression"), BaselineRegressor)
    assert isinstance(baseline_for("classification"), BaselineClassifier)
