"""Means, lines and bumps: the printed line, the border, the bandwidth, far queries."""

import numpy as np
import pytest

from glaswerk.labs.local_models import wave


def test_the_line_of_one_centre_is_the_printed_one(lab):  # [BG-DLS] [BG-DGAUSS]
    (curve,) = [fact for fact in lab("local-models").facts if getattr(fact, "title", "").startswith("One line")]
    assert float(curve.says.rsplit(" ", 1)[1].rstrip(".")) < 1e-10


def test_lines_do_not_lag_behind_the_slope_at_the_border(lab):
    rows = lab("local-models").rows("Squared distance")
    assert rows["weighted lines"][1] < 0.5 * rows["weighted means"][1]


def test_a_narrow_bell_follows_and_a_wide_one_levels(lab):
    lines = lab("local-models").curve("Three bandwidths")
    bends = [np.abs(np.diff(line.y)).sum() for name, line in lines.items() if name.startswith("h =")]
    assert bends == sorted(bends, reverse=True)


def test_far_from_all_rows_nothing_is_nothing(lab):
    rows = lab("local-models").rows("Far from all rows")
    x, y = wave(0, 80)
    assert rows["weighted means"][2] == pytest.approx(y[x[:, 0].argmax()])
    assert rows["ten bumps"][2] == 0.0
    assert all(np.isfinite(row).all() for row in rows.values())
