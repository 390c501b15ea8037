"""Regions: one neighbour is never wrong on its own rows, and wrong when they are left out."""

from glaswerk.facts import Surface


def test_wrong_rows_and_regions(lab):
    found = lab("nearest-regions")
    rows = found.rows("Wrong rows")
    assert rows[1][0] == 0.0
    assert rows[1][1] > 0.0
    one, seven = (fact for fact in found.facts if isinstance(fact, Surface))
    assert {v for row in one.z for v in row} == {0.0, 1.0}
    assert len({v for row in seven.z for v in row}) > 4
