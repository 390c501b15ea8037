"""Roots of the posterior's covariance: for every statistic and shape, and what a file may hold."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.stats.evidence import Chosen
from glaswerk.stats.moments import Moments, common_shift
from glaswerk.stats.posterior import believe, posterior_root
from glaswerk.stats.triangle import Triangle


def statistics_of(n, d, centred):
    rng = np.random.default_rng(n + d)
    X, Y = rng.normal(size=(n, d)) + 2, rng.normal(size=(n, 1))
    shift = common_shift(np.column_stack([X, Y])) * centred
    away = X - X.mean(axis=0) * centred
    ways = [Moments.of(X, Y, shift=shift, exact=e) for e in (True, False)]
    return away.T @ away, [*ways, Triangle.of(X, Y, shift=shift)]


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize(("n", "d"), [(40, 3), (5, 9), (1, 2)])
def test_the_root_squares_to_the_inverse(n, d, centred):
    """[BG-POST]"""
    A, ways = statistics_of(n, d, centred)
    expected = np.linalg.inv(A + 0.7 * np.eye(d))
    for way in ways:
        root, basis = posterior_root(way, 0.7, centred)
        found = root @ root.T
        if root.shape[1] < d:
            found = found + (np.eye(d) - basis @ basis.T) / 0.7
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)


def test_one_root_serves_all_targets_of_one_penalty():
    _, ways = statistics_of(40, 3, True)
    same = believe(ways[0], [Chosen(1.0, 2.0, 3.0, -4.0), Chosen(2.0, 4.0, 3.0, -5.0)], True)
    assert same.roots.shape == (1, 3, 3)
    own = believe(ways[0], [Chosen(1.0, 2.0, 3.0, -4.0), Chosen(2.0, 2.0, 3.0, -5.0)], True)
    assert own.roots.shape == (2, 3, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"beta": np.array([-1.0])}, "precisions must be finite and > 0"),
        ({"alpha": np.array([1.0, 2.0])}, "needs 2 numbers of each kind"),
        ({"roots": np.zeros((3, 3))}, "roots of a belief are matrices"),
    ],
)
def test_a_damaged_belief_is_refused(change, message):
    _, ways = statistics_of(40, 3, True)
    belief = believe(ways[0], [Chosen(1.0, 2.0, 3.0, -4.0)], True)
    belief.check()
    with pytest.raises(ValueError, match=message):
        replace(belief, **change).check()
