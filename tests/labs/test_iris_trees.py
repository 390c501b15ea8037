"""Iris: the slides' numbers, the leaf set right, the tie, the turn."""

import pytest


def test_the_slides_numbers_agree_but_for_the_wrong_leaf(lab):
    agreement = lab("iris-trees").agreement("Iris, printed")
    wrong = [name for name, (_, verdict) in agreement.items() if verdict != "yes"]
    assert wrong == ["rows in the leaf of (length 6, width 7)"]
    assert agreement[wrong[0]][0] == 43


def test_leaves_and_accuracy_by_depth(lab):
    rows = lab("iris-trees").rows("Trees on the sepals")
    assert [row[0] for row in rows.values()] == [2, 4, 8, 16, 47]
    assert [row[1] for row in rows.values()] == pytest.approx([0.627, 0.773, 0.813, 0.847, 0.927], abs=5e-4)


def test_the_root_of_the_petals_is_a_tie_and_one_row_changes_nothing(lab):
    found = lab("iris-trees")
    trees, same_column, same_cut, tie, *_ = found.rows("How steady the tree")["without one row"]
    assert (trees, same_column) == (150, 1.0)
    assert same_cut > 0.99
    assert tie > 0.5
    resampled = found.rows("How steady the tree")["resampled"]
    assert resampled[1] < 1.0
    assert resampled[4] > 0.01
    words = found.words("What is to be seen")
    assert "petal_width ≤ 0.8 gains just as much" in words
    assert "the root is the same by the fixed rule" in words


def test_the_turn_gives_other_cuts_that_do_not_part_the_classes_wholly(lab):
    rows = lab("iris-trees").rows("A turn of the plane")
    assert rows["0°"][1:] == (3, pytest.approx(0.96))
    assert rows["20°"] == ("petal_length ≤ 2.559; petal_length ≤ 5.122", 3, pytest.approx(0.9733, abs=1e-4))
