"""Every learner of the linear family, bound to the columns of a table: fit, predict, facts, figures, file."""

import warnings

import numpy as np
import pytest

from glaswerk import Model, figures_of, learners, load
from glaswerk.base import Classifier, Warned
from glaswerk.model import TableDesign

FAMILY = (
    "Adaline", "BayesianLinearRegression", "BestSubsetRegression", "GradientDescentRegressor", "LinearRegression",
    "LogisticRegression", "Perceptron", "Ridge", "RidgeCV",
)  # fmt: skip
rng = np.random.default_rng(0)
SIZE, COLOUR = rng.uniform(20, 200, 80), rng.choice(["red", "blue", "green"], 80)
PRICE = 3 * SIZE + 50 * (COLOUR == "red") + rng.normal(0, 20, 80)
TABLE = {"size": SIZE, "colour": COLOUR, "price": PRICE, "dear": np.where(PRICE > 380, "yes", "no")}


@pytest.mark.parametrize("name", FAMILY)
def test_a_model_of_a_table_is_fitted_told_drawn_and_kept(name, tmp_path):
    learner = getattr(learners, name)()
    target, other = ("dear", "price") if isinstance(learner, Classifier) else ("price", "dear")
    rows = {key: list(column) for key, column in TABLE.items() if key != other}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        model = Model(learner, TableDesign(scale=True)).fit(rows, target=target)
    assert model.score(rows) > 0.8
    names = str(model.facts())
    assert "size" in names
    assert "colour: " in names
    drawn = [figure for fact in model.facts() for figure in figures_of(fact)]
    assert drawn
    assert all(figure.alt and figure.table.rows for figure in drawn)
    model.save(tmp_path / "m.glaswerk")
    again = load(tmp_path / "m.glaswerk")
    assert np.array_equal(again.predict(rows), model.predict(rows))
    assert str(again.facts()) == names
