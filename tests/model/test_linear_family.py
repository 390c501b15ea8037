"""Every learner of the linear family, bound to the columns of a table: fit, predict, facts, figures, file."""

import warnings

import numpy as np
import pytest

from glaswerk import Model, figures_of, learners, load
from glaswerk.base import Classifier, Warned
from glaswerk.design import PolynomialBasis
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


def test_best_subset_takes_or_leaves_what_one_column_became():
    """Levels of a category and a number with its gaps stay together; [] leaves every column to itself."""
    size = [None if k % 9 == 0 else float(v) for k, v in enumerate(SIZE)]
    rows = {"size": size, "colour": list(COLOUR), "noise": list(rng.normal(size=80)), "price": list(PRICE)}
    model = Model(learners.BestSubsetRegression()).fit(rows, target="price")
    lots = [["size", "size is missing"], ["colour: blue", "colour: red"]]
    assert model.learner.groups is None and model.learner_.groups == lots
    names, subsets = model.design_.names_, model.learner_.solution_.choice.columns
    for lot in lots:
        places = [names.index(name) for name in lot]
        assert all(len(set(subset[places])) == 1 for subset in subsets)
    assert "Taken or left together: colour: blue, colour: red." in model.facts()[0].sentences
    assert "2^3 subsets" in model.facts()[0].sentences[1]
    apart = Model(learners.BestSubsetRegression(groups=[])).fit(rows, target="price")
    assert "2^5 subsets" in apart.facts()[0].sentences[1]


def test_what_a_basis_made_of_several_columns_belongs_to_none():
    rows = {"size": list(SIZE), "colour": list(COLOUR), "price": list(PRICE)}
    design = TableDesign(basis=PolynomialBasis(2))
    model = Model(learners.BestSubsetRegression(), design).fit(rows, target="price")
    assert model.design_.together_ == [["colour: blue", "colour: red"]]


def test_groups_are_kept_with_the_model(tmp_path):
    rows = {"size": list(SIZE), "colour": list(COLOUR), "price": list(PRICE)}
    model = Model(learners.BestSubsetRegression()).fit(rows, target="price")
    model.save(tmp_path / "m.glaswerk")
    assert load(tmp_path / "m.glaswerk").learner_.groups == model.learner_.groups
