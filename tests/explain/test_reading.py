"""Reading a tree: the path of a row, the spread in its nodes, impurities."""

import numpy as np
import pytest

from glaswerk import DecisionTreeClassifier, DecisionTreeRegressor, LinearRegression, Model, load_hitters, load_iris
from glaswerk.explain import impurity_curves, tree_nodes, tree_path
from glaswerk.figures import figures_of


def test_the_path_of_a_row_ends_in_its_answer():
    table = load_iris()
    model = Model(DecisionTreeClassifier(max_depth=2)).fit(table, target="species")
    path = tree_path(model, table, 150)
    assert path.rows[0][1] == "petal_length"
    assert path.rows[0][2] == "> 2.45"
    assert path.rows[0][3] == 150
    assert path.rows[-1][1:3] == ("", "")
    assert path.rows[-1][5].startswith("virginica")
    with pytest.raises(ValueError, match="row must be between 1 and 150; came 0"):
        tree_path(model, table, 0)


def test_the_nodes_hold_the_rows_there_are():
    model = Model(DecisionTreeClassifier(max_depth=2)).fit(load_iris(), target="species")
    fact = tree_nodes(model)
    rows = fact.table().rows
    assert rows[0][0] == "all rows"
    assert rows[0][4:] == (50, 50, 50)
    leaves = tree_nodes(model, leaves=True).table().rows
    assert np.array([row[4:] for row in leaves]).sum(axis=0).tolist() == [50, 50, 50]
    (figure,) = figures_of(fact)
    assert "150 rows" in figure.alt
    years = Model(DecisionTreeRegressor(max_depth=5)).fit(load_hitters(), target="Salary")
    assert "12 largest of" in figures_of(tree_nodes(years))[0].note


def test_a_tree_of_one_node_is_not_drawn_and_others_are_no_trees():
    assert figures_of(tree_nodes(DecisionTreeRegressor().fit([[1.0]], [2.0]))) == ()
    with pytest.raises(TypeError, match="a tree is needed, and this is a LinearRegression"):
        tree_nodes(LinearRegression())


def test_impurities_are_largest_at_one_half():
    """[SCH-GINI] [SCH-ENTROPY] [SCH-MISS]"""
    found = {line.name: line.y for line in impurity_curves().lines}
    assert [max(y) for y in found.values()] == pytest.approx([1.0, 0.5, 0.5])
    assert all(y[0] == y[-1] == 0.0 and y[50] == max(y) for y in found.values())
