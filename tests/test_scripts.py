"""Numbers the scripts print, on data sets that must not be committed: run by `make proof` beside the shared files."""

import csv

import numpy as np
import pytest

from glaswerk import LinearRegression
from glaswerk.scoring import mean_squared_error

pytestmark = pytest.mark.proof
INPUTS = ["lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"]


def prostate(folder, first_edition):
    with (folder / "prostate.csv").open() as file:
        rows = list(csv.DictReader(file))
    columns = ["lweight_1st_edition" if first_edition and name == "lweight" else name for name in INPUTS]
    X = np.array([[float(row[name]) for name in columns] for row in rows])
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    train = np.array([row["train"] == "T" for row in rows])
    return X, np.array([float(row["lpsa"]) for row in rows]), train


@pytest.mark.parametrize(("first_edition", "printed"), [(True, 0.5863), (False, 0.5213)])
def test_the_error_that_script_b_calls_cross_validation_is_that_of_30_held_out_patients(
    shared_data, first_edition, printed
):
    X, y, train = prostate(shared_data, first_edition)
    model = LinearRegression().fit(X[train], y[train])
    error = mean_squared_error(y[~train], model.predict(X[~train]))
    assert round(float(error), 4) == printed


def test_the_constructed_ice_cream_table_gives_the_nine_printed_weights(shared_data):
    with (shared_data / "ice_cream_reconstructed12.csv").open() as file:
        x, y = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]).T
    printed = [(-296, 37.8), (237, -15.3, 1.24), (-1853, 307, -14.6, 0.247)]
    for degree, weights in enumerate(printed, start=1):
        model = LinearRegression().fit(x[:, None] ** np.arange(1, degree + 1), y)
        found = [float(f"{value:.3g}") for value in (model.intercept_, *model.coef_)]
        expected = [float(f"{value:.3g}") for value in weights]
        assert found[1:] == expected[1:]
        assert round(model.intercept_) == weights[0]
