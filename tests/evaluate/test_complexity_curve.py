"""The complexity curve: both errors as `cross_validate` has them, and the verdict in words."""

import numpy as np
import pytest

from glaswerk import LinearRegression, OrthogonalPolynomialBasis, Ridge
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, Log, complexity_curve, cross_validate
from glaswerk.figures import figures_of
from tests.evaluate.conftest import line_with_noise


def wave(n=80):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (n, 1))
    return ArrayProblem(X, np.sin(3 * X[:, 0]) + 0.3 * rng.normal(size=n))


def polynomial(degree=1):
    return Pipeline([("basis", OrthogonalPolynomialBasis(degree=degree)), ("line", LinearRegression())])


def test_the_errors_are_those_of_cross_validation():
    curve = complexity_curve(polynomial(), wave(), "basis__degree", [1, 3])
    found = cross_validate({str(d): polynomial(d) for d in (1, 3)}, wave(), folds=5, repeats=1).comparison
    score = {row.name: row.score for row in found.rows}
    trained = {row.name: row.train_score for row in found.rows}
    assert curve.lines[0].y == pytest.approx((score["1"], score["3"]))
    assert curve.lines[1].y == pytest.approx((trained["1"], trained["3"]))


def test_the_verdict_names_what_is_too_simple_and_what_has_learnt_the_noise():
    curve = complexity_curve(polynomial(), wave(), "basis__degree", range(1, 14), name="polynomial")
    assert curve.says.startswith("basis__degree = 3 has the least RMSE on new rows")
    assert "basis__degree = 2 is too simple (underfitted)" in curve.says
    assert "basis__degree = 13 has learnt the noise (overfitted)" in curve.says
    assert (3.0, "best") in curve.marks
    assert len(figures_of(curve)) == 1


def test_a_penalty_runs_the_other_way_and_one_walk_serves_all():
    X, y = line_with_noise(60, 20, noise=8.0)
    curve = complexity_curve(Ridge(), ArrayProblem(X, y), "alpha", Log(1e-3, 1e6))
    assert curve.x_scale == "log"
    assert "5 fits" in curve.notes
    assert "underfitted" in curve.says.split("alpha = 1000000.0")[-1] or "too simple" in curve.says


def test_alike_values_are_said_to_be_alike_and_one_value_is_refused():
    X, y = line_with_noise()
    says = complexity_curve(Ridge(), ArrayProblem(X, y), "alpha", [1e-6, 1e-5]).says
    assert "none is over- or underfitted" in says
    with pytest.raises(ValueError, match="values must be two or more"):
        complexity_curve(Ridge(), ArrayProblem(X, y), "alpha", [1.0])
