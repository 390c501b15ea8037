"""Diagnoses of cases whose truth is known: overfitted, underfitted, noise, nothing learnt, cannot tell."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from glaswerk import LinearRegression, PolynomialBasis
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, cross_validate, diagnose, learning_curve
from glaswerk.facts import Curve, Line
from tests.evaluate.conftest import line_with_noise


def polynomial(degree):
    return Pipeline([("powers", PolynomialBasis(degree)), ("line", LinearRegression())])


def words(X, y, candidates, name=None, *, noise=None, curve=False, **options):
    problem = ArrayProblem(X, y)
    found = cross_validate(candidates, problem, **options).comparison
    drawn = learning_curve(candidates[name or next(iter(candidates))], problem) if curve else None
    return " ".join(diagnose(found, drawn, candidate=name, noise=noise).sentences)


LINE = line_with_noise(300, 3)


def test_a_tree_to_the_last_leaf_is_overfitted():
    said = words(*LINE, {"tree": DecisionTreeRegressor(random_state=0)})
    assert "Overfitted: the error on new rows is larger than on training rows" in said
    assert "100 % of it" in said


def test_a_line_through_a_curve_is_underfitted():
    X, y = LINE
    said = words(X, y + X[:, 0] ** 2, {"line": LinearRegression(), "square": polynomial(2)}, "line")
    assert "No sign of overfitting" in said
    assert "Underfitted: square has the smaller error on training rows and on new ones" in said


def test_a_line_that_is_no_better_than_the_baseline_may_be_underfitted_too():
    X, y = LINE
    said = words(X, y + 4 * X[:, 0] ** 2, {"line": LinearRegression(), "square": polynomial(2)}, "line")
    assert "not shown to be better than the baseline. Underfitted: square has" in said


def test_a_true_model_leaves_noise():
    said = words(*LINE, {"line": LinearRegression(), "square": polynomial(2)})
    assert "square follows the training rows more closely and is not better on new ones" in said
    assert "looks like noise" in said


def test_a_known_noise_settles_it():
    X, y = LINE
    assert "close to the noise of 1" in words(X, y, {"line": LinearRegression()}, noise=1.0)
    bent = words(X, y + X[:, 0] ** 2, {"line": LinearRegression()}, noise=1.0)
    assert "Underfitted: even on training rows the error is" in bent


def test_one_candidate_alone_cannot_tell_noise_from_underfitting():
    assert "these numbers cannot tell: no richer candidate was tried" in words(*LINE, {"line": LinearRegression()})


def test_nothing_learnt_and_noise_learnt_by_heart():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 3)), rng.normal(size=100)
    assert "It has learnt little or nothing" in words(X, y, {"line": LinearRegression()})
    tree = words(X, y, {"tree": DecisionTreeRegressor(random_state=0)})
    assert "Overfitted: on its own rows it has 0 % of the baseline's error" in tree


def test_few_rows_make_a_careful_sentence():
    X, y = line_with_noise(16, 2)
    said = words(X, y, {"line": LinearRegression()})
    assert "interval is wide" in said and "the verdict could be another" in said


def test_a_gap_narrower_than_the_interval_is_only_perhaps_overfitting():
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(30, 1))
    y = np.sin(6 * x[:, 0]) + 0.1 * rng.standard_t(3, size=30)
    assert "Perhaps overfitted" in words(x, y, {"powers": polynomial(8)})


def test_the_curve_says_what_rows_would_bring():
    done = words(*line_with_noise(3000, 3), {"line": LinearRegression()}, curve=True, repeats=1)
    assert "More rows alone would hardly help. 4800 rows would lower the RMSE by about" in done
    assert "Whether more rows would help is not sure." in words(*LINE, {"line": LinearRegression()}, curve=True)
    X, y = line_with_noise(60, 12)
    assert "More rows probably help." in words(X, y, {"line": LinearRegression()}, curve=True)


def test_a_curve_that_falls_for_sure_makes_rows_worth_having():
    sizes = (30.0, 60.0, 120.0, 240.0)
    errors = np.array([1 + 20 / n for n in sizes])
    steep = Line("validation", sizes, tuple(errors), tuple(errors - 0.002), tuple(errors + 0.002))
    curve = Curve("by hand", "training rows", "RMSE of y", (steep,), says="rows. So it goes on.")
    found = cross_validate({"line": LinearRegression()}, ArrayProblem(*LINE), repeats=1).comparison
    assert "More rows are worth having. So it goes on." in diagnose(found, curve).sentences


def test_numbers_stand_in_the_first_sentence():
    found = cross_validate({"line": LinearRegression()}, ArrayProblem(*LINE)).comparison
    first = diagnose(found).sentences[0]
    for number in (found.rows[0].score, found.rows[0].lower, found.rows[0].train_score, found.rows[1].score):
        assert f"{number:.4g}" in first


def test_without_candidates_there_is_nothing_to_say():
    found = cross_validate({"no": PolynomialBasis(2)}, ArrayProblem(*LINE), repeats=1).comparison
    assert "No candidate but the baseline" in diagnose(found).sentences[0]


def test_what_does_not_belong_together_is_refused():
    problem = ArrayProblem(*LINE)
    found = cross_validate({"line": LinearRegression()}, problem, repeats=1).comparison
    with pytest.raises(ValueError, match="candidate must be one of 'line'; came 'curve'"):
        diagnose(found, candidate="curve")
    with pytest.raises(ValueError, match="curve must show RMSE"):
        diagnose(found, learning_curve(LinearRegression(), problem, metric="mae", sizes=3))
