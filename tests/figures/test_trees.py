"""The picture of a tree: its nodes, its answers, what is left out of a large one."""

import numpy as np

from glaswerk.figures import figures_of
from glaswerk.learners import DecisionTreeRegressor, ID3Classifier


def rows(figure, mark):
    return [r for layer in figure.spec["layer"] if layer["mark"]["type"] == mark for r in layer["data"]["values"]]


def labels(figure):
    return [row["label"] for row in rows(figure, "text")]


def test_a_small_tree_is_drawn_whole():
    sky = [["sunny", "high"], ["sunny", "normal"], ["rain", "high"], ["rain", "normal"]]
    (figure,) = figures_of(ID3Classifier().fit(sky, ["no", "yes", "yes", "yes"]).tree_fact())
    assert {"x0?", "x1?", "no (100 %)", "yes (100 %)", "= sunny", "= rain", "4 rows, 0.811"} <= set(labels(figure))
    assert len(rows(figure, "rect")) == 2 * 5  # five nodes, each with its bar of rows
    assert figure.note == ""
    assert "the root asks for x0 (0.8113 entropy (bits), 4 rows)" in figure.alt
    assert figure.svg().startswith("<svg")


def test_a_large_tree_shows_its_upper_nodes_and_says_so():
    X = np.random.default_rng(0).normal(size=(300, 3))
    fact = DecisionTreeRegressor(min_samples_leaf=5).fit(X, X[:, 0] * X[:, 1] + X[:, 2]).tree_fact()
    (figure,) = figures_of(fact)
    drawn = len(rows(figure, "rect")) // 2
    assert figure.note.startswith(f"The upper {drawn} of {fact.nodes} nodes are drawn")
    assert any(label.endswith(" …") for label in labels(figure))
    assert f"≤ {fact.threshold[0]:.4g}".replace("-", "−") in labels(figure)
    assert sum(len(layer["data"]["values"]) for layer in figure.spec["layer"]) < 2_000


def test_a_tree_that_asks_nothing_has_no_picture():
    assert figures_of(DecisionTreeRegressor().fit([[1.0], [1.0]], [1.0, 2.0]).tree_fact()) == ()
