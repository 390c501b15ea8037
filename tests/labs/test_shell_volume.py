"""The shell: the formula, drawn rows beside it, and distances that become equal."""

import numpy as np

from glaswerk.labs.shell_volume import shell


def test_the_formula():  # [BG-SHELL]
    for depth, dimensions in ((0.1, 3), (0.01, 500), (0.5, 1)):
        np.testing.assert_allclose(shell(depth, dimensions), 1 - (1 - depth) ** dimensions, rtol=1e-12)
    assert shell(0.01, 2000) > 0.999


def test_drawn_rows_agree_and_distances_become_equal(lab):
    found = lab("shell-volume")
    lines = found.curve("Share of a ball")
    np.testing.assert_allclose(lines["ε = 0.1, of drawn rows"].y, lines["ε = 0.1"].y, atol=0.08)
    (ratio,) = found.curve("Nearest against furthest").values()
    assert ratio.y[0] < 0.05
    assert ratio.y[-1] > 0.8
