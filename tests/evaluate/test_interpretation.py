"""Interpretation: what each sentence says, for numbers, levels, powers and intercepts."""

import numpy as np
import pandas as pd
import pytest

from glaswerk.design import PolynomialBasis
from glaswerk.evaluate.interpretation import derived_from, interpret
from glaswerk.facts import Coefficient, Coefficients
from glaswerk.learners import BayesianLinearRegression, LinearRegression


def told(*rows, target="price", **options):
    return interpret(Coefficients(target, 0.95, rows), **options).sentences


def test_a_slope_names_unit_direction_target_and_interval():
    row = Coefficient("weight", -2.5, 0.5, None, None, -3.5, -1.5)
    found = told(row, units={"weight": "kg", "price": "€"})
    assert found[0] == (
        "All others held fixed, one more kg of 'weight' goes with 2.5 € less price (95 %: -3.5 … -1.5 €)."
    )
    assert "ceteris paribus" in found[-1]
    assert "'weight' higher by 1 goes with 2.5 less price" in told(row)[0]


def test_an_interval_that_holds_zero_is_said():
    assert "do not settle even the direction" in told(Coefficient("x", 1.0, 1.0, None, None, -1.0, 3.0))[0]
    assert "cannot be told" in told(Coefficient("x", 1.0))[0]


def test_a_level_is_compared_with_its_reference():
    found = told(Coefficient("colour: red", 3.0, 1.0, None, None, 1.0, 5.0), references={"colour": "blue"})
    assert "rows whose 'colour' is 'red' have, against 'blue', 3 more price" in found[0]
    assert "'ratio: a' higher by 1" in told(Coefficient("ratio: a", 3.0))[0]


def test_the_intercept_is_the_expectation_at_zero_and_is_not_tested():
    row = Coefficient("intercept", 10.0, 9.0, None, None, -8.0, 28.0)
    assert told(row)[0] == "Where every column is 0, price is expected at 10 (95 %: -8 … 28)."
    assert "reference level" in told(row, references={"colour": "blue"})[0]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("x", []), ("x^2", ["x"]), ("x y", ["x", "y"]), ("x^2 y", ["x", "y"]), ("engine size", []),
        ("engine size^3", ["engine size"]), ("x engine size", ["x", "engine size"]),
    ],
)  # fmt: skip
def test_terms_of_a_basis_are_known_by_name(name, parts):
    assert derived_from(name, ["x", "y", "engine size", "x^2", "x y", "x^2 y"]) == parts


def test_a_power_cannot_change_alone():
    frame = pd.DataFrame({"age": np.arange(30.0) % 7, "size": np.arange(30.0) % 5})
    basis = PolynomialBasis(2).fit(frame)
    X = pd.DataFrame(np.asarray(basis.transform(frame)), columns=basis.get_feature_names_out())
    noise = np.random.default_rng(0).normal(size=30)
    for learner in (LinearRegression(), BayesianLinearRegression()):
        facts = learner.fit(X, pd.Series(X["age"] - X["age^2"] + noise, name="price")).facts()
        found = interpret(facts.of_kind(Coefficients)[0]).sentences
        assert len(found) == 7
        assert sum("cannot change while they stay" in text for text in found) == 3
        assert any("'age' higher by 1" in text for text in found)


def test_a_unit_for_no_column_is_refused():
    with pytest.raises(ValueError, match="there is no column 'wight' to have a unit"):
        told(Coefficient("weight", 1.0), units={"wight": "kg"})
