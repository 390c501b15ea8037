"""Script A on the bowl, round and drawn out: both axes go their own way."""

import numpy as np
import pytest

from glaswerk.facts import Surface
from glaswerk.figures import figures_of
from glaswerk.labs.descent_bowl import RATES, ROUND, STARTS, STEPS, VALLEY


@pytest.mark.parametrize(("bowl", "title"), [(ROUND, "Rates on x1² + x2²"), (VALLEY, "Rates on x1² + 10 x2²")])
def test_the_end_is_where_the_factors_lead(lab, bowl, title):
    rows = lab("descent-bowl").table(title).rows
    for row, (rate, _), start in zip(rows, RATES[bowl], STARTS[bowl], strict=True):
        factors = 1 - 2 * rate * np.array(bowl)
        end = factors**STEPS * np.array(start)
        np.testing.assert_allclose(row[4:6], end, rtol=1e-9, atol=1e-14)
        assert row[6] == pytest.approx(float(np.array(bowl) @ end**2), rel=1e-9)
    assert [row[7] for row in rows][1] == "slow"
    assert [row[7] for row in rows][-1] == "diverges"


def test_the_map_is_the_function_and_the_paths_walk_down_its_gradient(lab):
    surfaces = [fact for fact in lab("descent-bowl").facts if isinstance(fact, Surface)]
    for surface, bowl in zip(surfaces, (ROUND, VALLEY), strict=True):
        x, y = np.meshgrid(surface.x, surface.y)
        np.testing.assert_allclose(surface.z, bowl[0] * x**2 + bowl[1] * y**2)
        good = surface.paths[0]
        heights = bowl[0] * np.array(good.x) ** 2 + bowl[1] * np.array(good.y) ** 2
        assert (np.diff(heights) < 0).all()
        (figure,) = figures_of(surface)
        assert sum(len(layer["data"]["values"]) for layer in figure.spec["layer"]) < 2_200


def test_on_the_round_bowl_a_path_is_a_line_in_the_valley_it_is_not(lab):
    round_one, valley = (f for f in lab("descent-bowl").facts if isinstance(f, Surface))
    straight, bent = ((np.array(s.paths[1].x), np.array(s.paths[1].y)) for s in (round_one, valley))
    np.testing.assert_allclose(straight[1] / straight[0], straight[1][0] / straight[0][0])
    assert np.ptp(bent[1] / bent[0]) > 0.5
