"""A model of a table warns where it was never tried, and tells its coefficients in words."""

import warnings

import numpy as np
import pytest

from glaswerk import (
    LinearRegression,
    LogisticRegression,
    Model,
    PolynomialBasis,
    Ridge,
    TableDesign,
    load,
    load_auto_mpg,
)
from glaswerk.base import Warned

ROWS = {
    "size": [50.0, 60.0, 80.0, 90.0, 100.0, 70.0],
    "rooms": [2.0, 2.0, 3.0, 4.0, None, 3.0],
    "garden": ["no", "no", "yes", "no", "yes", "no"],
    "price": [1.0, 2.0, 6.0, 5.0, 8.0, 3.0],
}


def fitted(**design):
    return Model(LinearRegression(), TableDesign(**design)).fit(ROWS, target="price")


@pytest.mark.parametrize("design", [{}, {"scale": True}, {"basis": PolynomialBasis(2), "scale": True}])
def test_a_cell_beyond_its_column_is_told_in_the_tables_own_units(design):
    model = fitted(**design)
    with pytest.warns(Warned, match=r"1 of 2 rows lie outside .* row 2: 'size' is 150, seen were 50 … 100"):
        model.predict({"size": [60.0, 150.0], "rooms": [2.0, 4.0], "garden": ["no", "yes"]})


def test_a_combination_never_seen_is_told_and_training_rows_are_not():
    model = fitted()
    found = model.extrapolation({"size": [50.0, 100.0], "rooms": [4.0, None], "garden": ["no", "no"]})
    assert found.together.tolist() == [True, False]
    with warnings.catch_warnings():
        warnings.simplefilter("error", Warned)
        model.predict(ROWS)


def test_every_training_row_of_the_cars_lies_inside():
    cars = load_auto_mpg()
    model = Model(Ridge()).fit(cars, target="mpg")
    assert not model.extrapolation(cars).outside.any()


def test_the_reach_is_part_of_the_file(tmp_path):
    model = fitted()
    model.save(tmp_path / "m.glaswerk")
    again = load(tmp_path / "m.glaswerk")
    assert np.array_equal(again.reach_.root, model.reach_.root)
    with pytest.warns(Warned, match="'size' is 10, seen"):
        again.predict({"size": [10.0], "rooms": [2.0], "garden": ["no"]})


def test_without_numbers_there_is_nothing_to_lie_outside_of():
    model = Model(LinearRegression()).fit({"a": ["x", "y", "x", "y"], "t": [1.0, 2.0, 1.5, 2.5]}, target="t")
    model.predict({"a": ["x"]})
    with pytest.raises(ValueError, match="no numeric column"):
        model.extrapolation({"a": ["x"]})


def test_coefficients_in_words_know_units_and_references():
    told = str(fitted().interpretation({"size": "m²", "price": "k€"}))
    assert "one more m² of 'size' goes with" in told
    assert "rows whose 'garden' is 'yes' have, against 'no'," in told
    assert "ceteris paribus" in told
    assert "one more standard deviation of 'size'" in str(fitted(scale=True).interpretation())


def test_log_odds_are_told_too_and_a_wrong_unit_is_refused():
    rows = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "sold": ["no", "yes", "no", "yes", "no", "yes"]}
    assert "log-odds" in str(Model(LogisticRegression()).fit(rows, target="sold").interpretation())
    with pytest.raises(ValueError, match="there is no column 'weight' to have a unit"):
        fitted().interpretation({"weight": "kg"})
