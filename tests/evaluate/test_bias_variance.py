"""Bias and variance: known by theory for least squares, additive, and measured on a table."""

import numpy as np
import pytest

from glaswerk import LinearRegression, LogisticRegression, OrthogonalPolynomialBasis
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, bias_variance, bias_variance_of_table, decomposition_curve
from glaswerk.evaluate.baseline import BaselineRegressor
from glaswerk.evaluate.bias_variance import decomposition_table
from glaswerk.figures import figures_of
from tests.evaluate.conftest import line_with_noise, two_classes


def sine(X):
    return np.sin(np.pi * X[:, 0])


def polynomial(degree):
    return Pipeline([("basis", OrthogonalPolynomialBasis(degree=degree)), ("line", LinearRegression())])


def test_the_variance_of_least_squares_is_sigma_squared_d_over_n_and_a_right_model_has_no_bias():
    X, _ = line_with_noise(50, 4)
    found = bias_variance(LinearRegression(), X, lambda X: X @ [1.0, 2.0, 0.0, 1.0], noise=2.0, repeats=2000)
    assert found.variance == pytest.approx(4.0 * 5 / 50, rel=0.05)
    assert found.bias == pytest.approx(0.0, abs=0.01)
    assert found.error == found.noise + found.bias + found.variance


def test_a_constant_has_the_bias_of_the_function_and_the_variance_of_a_mean():
    X = np.linspace(-1, 1, 40)[:, None]
    found = bias_variance(BaselineRegressor(), X, sine, noise=0.5, repeats=1000)
    assert found.bias == pytest.approx(np.var(sine(X)), rel=0.02)
    assert found.variance == pytest.approx(0.25 / 40, rel=0.15)


def test_the_parts_add_up_to_the_error_measured_on_new_targets():
    X, rng = np.linspace(-1, 1, 30)[:, None], np.random.default_rng(5)
    found = bias_variance(polynomial(5), X, sine, noise=0.4, repeats=400)
    measured = [
        np.mean((sine(X) + 0.4 * rng.normal(size=30) - fit.predict(X)) ** 2)
        for fit in (polynomial(5).fit(X, sine(X) + 0.4 * rng.normal(size=30)) for _ in range(400))
    ]
    assert found.error == pytest.approx(np.mean(measured), rel=0.05)


def test_bias_falls_and_variance_rises_with_the_degree():
    X = np.linspace(-1, 1, 30)[:, None]
    found = {d: bias_variance(polynomial(d), X, sine, noise=0.4) for d in (1, 3, 9)}
    assert found[1].bias > found[3].bias > found[9].bias - 1e-3
    assert found[1].variance < found[3].variance < found[9].variance
    curve = decomposition_curve(found, "Bias and variance", "degree")
    assert [line.name for line in curve.lines] == ["expected squared error", "bias²", "variance", "noise"]
    assert curve.marks == ((3.0, "least error"),)
    assert len(figures_of(curve)) == 1
    assert decomposition_table({"cubic": found[3]}, "t").rows[0][1] == found[3].error


def test_on_a_table_noise_and_bias_come_as_one_and_a_right_model_has_about_the_noise():
    X, y = line_with_noise(300, 3)
    found = bias_variance_of_table(LinearRegression(), ArrayProblem(X, y), repeats=60)
    assert found.bias is None
    assert found.noise_and_bias == pytest.approx(1.0, rel=0.25)
    assert found.variance == pytest.approx(4 / 300, rel=0.6)
    assert found == bias_variance_of_table(LinearRegression(), ArrayProblem(X, y), repeats=60)


def test_bad_input_is_named():
    X, y = two_classes()
    with pytest.raises(ValueError, match="squared errors need a regression"):
        bias_variance_of_table(LogisticRegression(), ArrayProblem(X, y))
    with pytest.raises(ValueError, match="repeats must be a whole number of at least 2"):
        bias_variance(LinearRegression(), X, sine, noise=1.0, repeats=1)
