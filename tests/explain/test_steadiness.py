"""Steadiness: known partitions, Iris as the slides have it, laws, bad input."""

import numpy as np
import polars as pl
import pytest

from glaswerk import DecisionTreeClassifier, DecisionTreeRegressor, LinearRegression, TableProblem, load_iris
from glaswerk.explain import instability, rotation
from glaswerk.explain.steadiness import parted_otherwise
from glaswerk.facts import Curve, Steps
from glaswerk.figures import figures_of


def together(parts):
    return np.array(parts)[:, None] == np.array(parts)[None, :]


def test_partitions_differ_by_the_pairs_that_part():
    assert parted_otherwise(together([0, 0, 1, 1]), together([5, 5, 7, 7])) == 0.0
    assert parted_otherwise(together([0, 0, 0, 0]), together([0, 1, 2, 3])) == 1.0
    assert parted_otherwise(together([0, 0, 1, 1]), together([0, 0, 0, 1])) == pytest.approx(3 / 6)
    assert parted_otherwise(together([0]), together([1])) == 0.0


def test_a_tree_that_nothing_moves():
    x = np.arange(60.0)
    problem = TableProblem(pl.DataFrame({"x": x, "y": 100.0 * (x > 29), "z": x % 7}), "y", task="regression")
    changes, columns, curve = instability(DecisionTreeRegressor(max_depth=1), problem, resamples=10, left_out=20)
    for row in changes.rows:
        assert row[2] == 1.0
    assert changes.rows[0][5] < 0.05
    assert columns.rows[0][:3] == ("x", True, True)
    assert isinstance(curve, Curve) and figures_of(curve)
    again = instability(DecisionTreeRegressor(max_depth=1), problem, resamples=10, left_out=20)
    assert (
        again.to_json() == instability(DecisionTreeRegressor(max_depth=1), problem, resamples=10, left_out=20).to_json()
    )


def test_iris_has_a_tie_at_the_root_and_unsteady_leaves():
    problem = TableProblem(load_iris(), "species")
    changes, columns, _ = instability(DecisionTreeClassifier(), problem, resamples=12, left_out=12)
    assert "its root is a tie" in changes.notes[1]
    assert changes.rows[1][5] > changes.rows[0][5]
    assert {row[0] for row in columns.rows} <= {"sepal_length", "sepal_width", "petal_length", "petal_width"}


def test_the_turn_of_the_slides():
    table, steps, words = rotation(load_iris(), "species", ["petal_length", "petal_width"])
    assert table.rows[0][0] == "0°"
    assert table.rows[-1][1] == "petal_length ≤ 2.559; petal_length ≤ 5.122"
    assert table.rows[-1][3] == pytest.approx(0.9733, abs=1e-4)
    assert isinstance(steps, Steps) and len(steps.facts) == 5
    assert "other cuts" in words.sentences[0]


def test_a_turn_by_nothing_and_by_a_right_angle_keep_the_errors():
    still = rotation(load_iris(), "petal_width", ["sepal_length", "petal_length"], degrees=90.0, max_depth=1)[0].rows
    assert still[0][3] == pytest.approx(still[-1][3])
    assert (
        len({row[1] for row in rotation(load_iris(), "species", ["petal_length", "petal_width"], degrees=0.0)[0].rows})
        == 1
    )


def test_what_cannot_be_judged_is_refused():
    problem = TableProblem(load_iris(), "petal_width")
    with pytest.raises(TypeError, match="instability needs a tree, and the candidate's learner is a LinearRegression"):
        instability(LinearRegression(), problem)
    with pytest.raises(ValueError, match="resamples"):
        instability(DecisionTreeRegressor(), problem, resamples=1)
    with pytest.raises(ValueError, match="rotation needs two columns"):
        rotation(load_iris(), "species", ["petal_length"])
    with pytest.raises(ValueError, match="degrees must be finite"):
        rotation(load_iris(), "species", ["petal_length", "petal_width"], degrees=np.inf)
