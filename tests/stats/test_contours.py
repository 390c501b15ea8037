"""Level lines on a grid: circles, saddles, straight lines that straight cells get exactly."""

import numpy as np

from glaswerk.stats.contours import contours

PLACES = np.linspace(-2.0, 2.0, 41)
ACROSS, UP = np.meshgrid(PLACES, PLACES)


def test_a_plane_is_cut_exactly():
    (line,) = contours(PLACES, PLACES, 2 * ACROSS - UP + 0.3, 0.0)
    np.testing.assert_allclose(2 * line[:, 0] - line[:, 1], -0.3, atol=1e-12)
    assert sorted(np.abs(line).max(axis=1)[[0, -1]].tolist()) == [2.0, 2.0]


def test_a_circle_is_closed_and_round():
    (line,) = contours(PLACES, PLACES, ACROSS**2 + UP**2, 1.0)
    assert np.array_equal(line[0], line[-1])
    np.testing.assert_allclose(np.hypot(*line.T), 1.0, atol=3e-3)


def test_a_saddle_has_two_branches_and_a_level_beyond_none():
    lines = contours(PLACES, PLACES, ACROSS * UP - 0.011, 0.0)
    assert len(lines) == 2
    for line in lines:
        assert len(set(np.sign(line[1:-1, 0]).tolist())) == 1
    assert contours(PLACES, PLACES, ACROSS, 5.0) == []


def test_every_crossing_of_a_cell_is_on_one_line_once():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(12, 15))
    crossed = int(((z[:, :-1] >= 0) != (z[:, 1:] >= 0)).sum() + ((z[:-1] >= 0) != (z[1:] >= 0)).sum())
    lines = contours(np.arange(15.0), np.arange(12.0), z, 0.0)
    assert sum(len(line) - np.array_equal(line[0], line[-1]) for line in lines) == crossed
