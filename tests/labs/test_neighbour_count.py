"""From one neighbour to all: the ends of the curve are what they must be."""

import numpy as np


def test_the_curve_has_its_ends(lab):
    curve = lab("neighbour-count").curve("Leave-one-out error")
    errors = np.array(curve["mean"].y)
    assert len(errors) == 79
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 2 * np.pi, 80))
    y = np.sin(x) + 0.25 * rng.normal(size=80)
    np.testing.assert_allclose(errors[-1], np.mean(((y.sum() - y) / 79 - y) ** 2), rtol=1e-12)
    assert errors.min() < 0.75 * errors[0]
    assert 2 < errors.argmin() + 1 < 40
