"""Hitters: the slides' numbers, leaves by depth, the root of the misprinted cost."""

from glaswerk.labs.hitters_trees import misread_root, players


def test_the_slides_numbers_agree(lab):
    agreement = lab("hitters-trees").agreement("Hitters, printed")
    assert {verdict for _, verdict in agreement.values()} == {"yes"}


def test_leaves_by_depth(lab):
    rows = lab("hitters-trees").rows("Trees by depth")
    assert [row[0] for row in rows.values()][-2:] == [14, 21]
    assert [row[2] for row in rows.values()] == [2, 4, 7, 13, 23, 249]


def test_the_printed_cost_read_literally_cuts_elsewhere(lab):
    X, y = players()
    assert len(y) == 263
    assert misread_root(X[:, 0], y) == 6.5
    assert "6.5" in lab("hitters-trees").words("What is to be seen")
