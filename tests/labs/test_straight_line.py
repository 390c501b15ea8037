"""Script A's first figures: errors by hand, algorithm 1 by hand."""

import numpy as np
import pytest

from glaswerk.facts import Surface
from glaswerk.labs.straight_line import RATE, ROWS, STEPS, rows_of


def test_least_squares_has_the_least_error_and_the_mean_an_r2_of_zero(lab):
    rows = lab("straight-line").rows("Lines and their errors")
    w0, w1, rss, half, mse, r2 = rows["least squares"]
    x, y = rows_of(0)
    slope = np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)
    assert (w0, w1) == (pytest.approx(y.mean() - slope * x.mean()), pytest.approx(slope))
    assert rss == pytest.approx(np.sum((y - w0 - w1 * x) ** 2))
    assert (half, mse) == (pytest.approx(rss / 2), pytest.approx(rss / ROWS))
    assert all(row[2] >= rss for row in rows.values())
    assert rows["the mean of y"][5] == pytest.approx(0, abs=1e-12)
    assert rows["choice 3"][5] < 0 < r2 < 1


def test_the_walk_is_algorithm_1(lab):
    x, y = rows_of(0)
    w0, w1, places = 0.0, 0.0, [(0.0, 0.0)]
    for _ in range(STEPS):
        d0 = sum(-b + w1 * a + w0 for a, b in zip(x, y, strict=True))
        d1 = sum(-a * b + w1 * a * a + w0 * a for a, b in zip(x, y, strict=True))
        w0, w1 = w0 - RATE * d0, w1 - RATE * d1
        places.append((w0, w1))
    (surface,) = [fact for fact in lab("straight-line").facts if isinstance(fact, Surface)]
    np.testing.assert_allclose(list(zip(surface.paths[0].x, surface.paths[0].y, strict=True)), places, atol=1e-10)
    assert surface.z[10][20] == pytest.approx(np.sum((y - surface.x[20] - surface.y[10] * x) ** 2) / 2)


def test_a_larger_objective_takes_longer_steps(lab):
    rows = lab("straight-line").rows("Algorithm 1 on four objectives")
    ordered = sorted(rows.values(), key=lambda row: -row[0])
    away = [row[3] for row in ordered]
    assert away == sorted(away)
    assert away[0] < 1e-3 < away[-1]


def test_the_distances_end_at_the_line(lab):
    lines = lab("straight-line").curve("What RSS sums")
    rows, (start, end) = lines["rows, with their distance"], lines["least squares"].y
    fit = np.linspace(start, end, ROWS)
    np.testing.assert_allclose(rows.lower, np.minimum(rows.y, fit), atol=1e-12)
    np.testing.assert_allclose(rows.upper, np.maximum(rows.y, fit), atol=1e-12)
    assert np.sum(np.subtract(rows.upper, rows.lower) ** 2) == pytest.approx(
        lab("straight-line").rows("Lines and their errors")["least squares"][2]
    )
