"""Auto MPG: the cuts of the example, the sizes of the full trees, a child per value where the assignment wants it."""

import pytest

from glaswerk.facts import Tree
from glaswerk.labs.auto_mpg_trees import VALUES, cars


def test_the_example_is_cut_at_its_midpoints(lab):
    """[NAN-CUTS]"""
    agreement = lab("auto-mpg-trees").agreement("Cuts of")
    assert {obtained for obtained, _ in agreement.values()} == {11.0, 12.5, 28.5, 47.0}
    assert {verdict for _, verdict in agreement.values()} == {"yes"}


def test_the_binary_tree_is_the_one_of_the_numbers_page(lab):
    """392 cars, 313 to grow on: 104 leaves, depth 12, RMSE 0.919 there; the mean foretells to 7.886."""
    rows = lab("auto-mpg-trees").rows("Trees for miles")
    leaves, depth, trees, train, *_, mean = rows["binary, origin as three columns"]
    assert (leaves, depth) == (104, 12)
    assert trees == pytest.approx(91, abs=2)
    assert train == pytest.approx(0.919, abs=5e-4)
    assert mean == pytest.approx(7.886, abs=5e-4)


def test_one_child_per_value_where_the_assignment_wants_it(lab):
    X, y, names = cars()
    assert (len(X), len(y)) == (392, 392)
    (fact,) = [fact for fact in lab("auto-mpg-trees").facts if isinstance(fact, Tree) and "one child" in fact.title]
    assert fact.kind[0] == "levels"
    asked = {fact.question(t) for t in range(len(fact.kind)) if fact.kind[t] == "levels"}
    assert asked <= set(VALUES)
    assert "cylinders" in asked
    words = {word for t in range(len(fact.kind)) if fact.question(t) in VALUES for word in fact.branches[t]}
    assert all(word.startswith("=") for word in words)
    assert not {"sets"} & set(fact.kind)
    assert len(names) == 7
