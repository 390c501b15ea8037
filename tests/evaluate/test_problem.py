"""A problem in memory: what the task is, what is fitted to which rows, classes by name, intervals through pipelines."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as RivalRidge

from glaswerk import LinearRegression, PolynomialBasis
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem
from glaswerk.evaluate.problem import class_codes, without_columns
from tests.evaluate.conftest import line_with_noise, two_classes

SOME = np.arange(0, 100)
REST = np.arange(100, 120)


# ---- known


@pytest.mark.parametrize(
    ("y", "task", "classes"),
    [
        ([1.5, 2.5, 3.0], "regression", ()),
        ([0, 1, 1], "regression", ()),
        (["b", "a", "b"], "classification", ("a", "b")),
        ([True, False, True], "classification", ("False", "True")),
    ],
)
def test_the_task_is_read_off_the_target(y, task, classes):
    problem = ArrayProblem(np.zeros((3, 1)), y)
    assert (problem.task, problem.classes) == (task, classes)


def test_whole_numbers_are_classes_in_order_of_size_when_asked_for():
    problem = ArrayProblem(np.zeros((4, 1)), [10.0, 9.0, 10.0, 2.0], task="classification")
    assert problem.classes == ("2", "9", "10")
    assert problem.truth.tolist() == ["10", "9", "10", "2"]
    assert class_codes(problem.truth, problem.classes).tolist() == [2, 1, 2, 0]


def test_the_target_has_its_own_name_or_the_one_given():
    assert ArrayProblem(np.zeros((2, 1)), pd.Series([1.0, 2.0], name="mpg")).target == "mpg"
    assert ArrayProblem(np.zeros((2, 1)), [1.0, 2.0], target="price").target == "price"
    assert ArrayProblem(np.zeros((2, 1)), [1.0, 2.0]).target == "y"


def test_positive_is_the_last_of_two_classes_or_the_one_asked_for():
    X = np.zeros((3, 1))
    assert ArrayProblem(X, ["no", "yes", "no"]).positive == "yes"
    assert ArrayProblem(X, ["no", "yes", "no"], positive="no").positive == "no"
    assert ArrayProblem(X, ["a", "b", "c"]).positive is None


# ---- fitting: a fresh copy, these rows, nothing else


def test_fit_is_that_of_a_fresh_copy_on_these_rows():
    X, y = line_with_noise()
    candidate = LinearRegression()
    fitted = ArrayProblem(X, y).fit(candidate, SOME)
    assert not hasattr(candidate, "coef_")
    assert (fitted.coef_ == LinearRegression().fit(X[SOME], y[SOME]).coef_).all()


@pytest.mark.parametrize(
    "kind", [np.asarray, pd.DataFrame, lambda X: pl.DataFrame(X, schema=list("abcd")), np.ndarray.tolist]
)
def test_any_table_that_rows_can_be_taken_from(kind):
    X, y = line_with_noise()
    problem = ArrayProblem(kind(X), y)
    fitted = problem.fit(LinearRegression(), SOME)
    expected = LinearRegression().fit(X[SOME], y[SOME]).predict(X[REST])
    assert problem.predict(fitted, REST) == pytest.approx(expected, rel=1e-12)


def test_weights_reach_the_last_step_of_a_pipeline():
    X, y = line_with_noise()
    weight = np.arange(len(y)) % 3.0
    problem = ArrayProblem(X, y, weight)
    fitted = problem.fit(Pipeline([("square", PolynomialBasis(2)), ("line", LinearRegression())]), SOME)
    basis = PolynomialBasis(2).fit_transform(X)
    expected = LinearRegression().fit(basis[SOME], y[SOME], sample_weight=weight[SOME])
    assert problem.predict(fitted, REST) == pytest.approx(expected.predict(basis[REST]), rel=1e-10)


def test_a_class_that_the_fit_has_not_met_has_probability_zero():
    X, _ = line_with_noise(9, 2)
    problem = ArrayProblem(X, ["b", "c", "b", "c", "b", "c", "b", "a", "a"])
    shares = problem.predict_proba(problem.fit(LogisticRegression(), np.arange(7)), np.array([7, 8]))
    assert (shares[:, 0] == 0).all()
    assert shares.sum(axis=1) == pytest.approx([1, 1])


def test_labels_come_back_as_names():
    X, y = two_classes()
    codes = (y == "yes").astype(int)
    named, numbered = ArrayProblem(X, y), ArrayProblem(X, codes, task="classification")
    rows = np.arange(100)
    one = named.predict(named.fit(LogisticRegression(), rows), rows)
    other = numbered.predict(numbered.fit(LogisticRegression(), rows), rows)
    assert other.tolist() == [{"yes": "1", "no": "0"}[name] for name in one]


def test_intervals_come_from_the_candidate_or_through_its_pipeline():
    X, y = line_with_noise()
    problem = ArrayProblem(X, y)
    alone = problem.fit(LinearRegression(), SOME)
    piped = problem.fit(Pipeline([("same", PolynomialBasis(1)), ("line", LinearRegression())]), SOME)
    expected = alone.predict_interval(X[REST], 0.8)
    assert (problem.predict_interval(alone, REST, 0.8) == expected).all()
    assert problem.predict_interval(piped, REST, 0.8) == pytest.approx(expected, rel=1e-9)
    assert problem.predict_interval(problem.fit(RivalRidge(), SOME), REST, 0.8) is None


# ---- the blind twin


@pytest.mark.parametrize("y", [np.arange(6.0), ["b", "a", "c", "a", "b", "c"]])
def test_without_columns_all_but_the_columns_is_the_same(y):
    problem = ArrayProblem(np.arange(12.0).reshape(6, 2), y, [1, 2, 3, 4, 5, 6])
    blind = without_columns(problem)
    assert not blind.X.any()
    assert (blind.truth == problem.truth).all() and (blind.weight == problem.weight).all()
    assert (blind.task, blind.target, blind.classes) == (problem.task, problem.target, problem.classes)


# ---- bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0], [2.0]], [1.0]), "X has 2, y has 1"),
        (([[1.0], [2.0]], [1.0, np.nan]), "missing labels"),
        (([[1.0], [2.0]], [1.0, np.inf]), "finite"),
        (([[1.0], [2.0]], [1.0, 2.0], [1.0, -1.0]), "sample_weight must be finite and >= 0"),
        (([[1.0], [2.0]], [1.0, 2.0], None, [1]), "groups has 1"),
    ],
)
def test_what_does_not_fit_together_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ArrayProblem(*arguments)


def test_an_unknown_task_or_class_is_refused():
    with pytest.raises(ValueError, match="task must be one of 'regression', 'classification'; came 'ranking'"):
        ArrayProblem([[1.0], [2.0]], [1.0, 2.0], task="ranking")
    with pytest.raises(ValueError, match=r"positive must be one of the classes \['a', 'b'\]; came 'c'"):
        ArrayProblem([[1.0], [2.0]], ["a", "b"], positive="c")
    with pytest.raises(ValueError, match="class labels, text or whole numbers"):
        ArrayProblem([[1.0], [2.0]], [1.5, 2.0], task="classification")


def test_a_candidate_without_probabilities_is_told_what_to_do():
    X, y = two_classes()
    problem = ArrayProblem(X, y)
    with pytest.raises(ValueError, match="gives no probabilities: choose metric='accuracy'"):
        problem.predict_proba(LinearRegression(), np.arange(3))
