"""Script A on x(x - 2): the factor 1 - 2η decides everything."""

import numpy as np
import pytest

from glaswerk.labs.descent_parabola import RATES, START, STEPS


def test_the_minimum_is_at_one(lab):
    assert lab("descent-parabola").agreement("The minimum") == {"x": (1.0, "yes")}


@pytest.mark.parametrize("rate", list(RATES))
def test_every_step_multiplies_the_distance_by_one_less_two_eta(lab, rate):
    factor, end, distance, verdict = lab("descent-parabola").rows("Rates and what they do")[rate]
    assert factor == 1 - 2 * rate
    assert end == pytest.approx(1 + factor**STEPS * (START - 1), abs=1e-12)
    assert distance == pytest.approx(abs(end - 1))
    expected = {0.1: "comes down", 0.005: "slow", 0.5: "at once", 0.95: "oscillates, and comes down",
                1.0: "to and fro for ever", 1.05: "diverges"}  # fmt: skip
    assert verdict == expected[rate]


def test_the_places_of_a_picture_lie_on_the_parabola(lab):
    for rate, (_, _, steps) in RATES.items():
        lines = lab("descent-parabola").curve(f"Descent on x(x - 2) with η = {rate:g} (")
        path = next(line for name, line in lines.items() if "steps from" in name)
        x, y = np.array(path.x), np.array(path.y)
        np.testing.assert_allclose(y, x * (x - 2))
        assert len(x) <= steps + 1
        np.testing.assert_allclose(np.diff(x), -rate * (2 * x[:-1] - 2), atol=1e-12)


def test_distances_fall_or_grow_geometrically(lab):
    for line in lab("descent-parabola").curve("Distance to the minimum").values():
        ratios = np.array(line.y[1:]) / np.array(line.y[:-1])
        np.testing.assert_allclose(ratios, ratios[0], rtol=1e-9)
