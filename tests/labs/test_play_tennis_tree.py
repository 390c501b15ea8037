"""PlayTennis by ID3: the textbook's numbers, the tree, the impurities over p."""

import pytest


def test_the_textbooks_numbers_agree(lab):
    agreement = lab("play-tennis-tree").agreement("PlayTennis, printed")
    assert {verdict for _, verdict in agreement.values()} == {"yes"}
    assert len(agreement) == 5


def test_the_gains_stand_at_every_node(lab):
    rows = lab("play-tennis-tree").rows("Information gain")
    assert {name: row[-1] for name, row in rows.items()} == {
        "all rows": "outlook", "outlook = Rain": "wind", "outlook = Sunny": "humidity",
    }  # fmt: skip


def test_impurities_are_largest_at_one_half(lab):
    lines = lab("play-tennis-tree").curve("Impurity over")
    tops = {name: max(line.y) for name, line in lines.items()}
    assert list(tops.values()) == pytest.approx([1.0, 0.5, 0.5])
    assert all(line.y[0] == line.y[-1] == 0 for line in lines.values())
