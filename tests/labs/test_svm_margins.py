"""Hard and soft margins: certificates both ways, w and b from the supporting rows, primal and dual that meet."""

import numpy as np
import pytest

from glaswerk.facts import MarginPlane


def test_the_certificate_stands_both_ways(lab):
    words = lab("svm-margins").words("Is there a plane")
    assert "separable: a plane verified on every row" in words
    assert "weights name a point in both hulls" in words


def test_w_and_b_come_from_the_supporting_rows(lab):  # [SCH-W]
    for own, theirs in lab("svm-margins").rows("w and b").values():
        assert own == pytest.approx(theirs, abs=1e-5)


def test_primal_and_dual_meet_and_the_street_narrows(lab):
    rows = lab("svm-margins").rows("What proves every answer")
    assert all(abs(row[2]) < 1e-8 and row[3] < 1e-6 for row in rows.values())
    widths = [row[4] for row in rows.values()]
    assert widths == sorted(widths, reverse=True)


def test_no_row_stands_in_a_hard_street(lab):
    hard = next(fact for fact in lab("svm-margins").facts if isinstance(fact, MarginPlane))
    assert sum(support for *_, support in hard.points) >= 2
    (line,) = hard.borders
    slope = np.polyfit(line.y, line.x, 1)
    for x, y, group, _ in hard.points:
        assert (x > np.polyval(slope, y)) == (group == 1)
