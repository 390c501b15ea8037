"""The plane recovers its weights; its level lines are straight; rows lie on both sides."""

import numpy as np
import pytest

from glaswerk.facts import Statement, Surface
from glaswerk.labs import run_lab


def test_the_weights_are_those_of_the_truth_within_their_errors(lab):
    rows = lab("plane").rows("True and found")
    for true, found, difference in rows.values():
        assert difference == pytest.approx(found - true)
        assert abs(difference) < 0.5


def test_the_surface_is_a_plane_with_rows_on_both_sides():
    facts = run_lab("plane")
    surface = facts.of_kind(Surface)[0]
    cells = np.array(surface.z)
    np.testing.assert_allclose(np.diff(cells, 2, axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(np.diff(cells, 2, axis=1), 0, atol=1e-12)
    assert min(len(path.x) for path in surface.paths) > 5
    told = facts.of_kind(Statement)[0].sentences[1]
    assert float(told.rstrip(".").split()[-1]) < 1e-12
