"""The directions of a table and their evidence: digits against fifty, slopes against differences, every hill."""

import numpy as np
import pytest
from mpmath import mp

from glaswerk.stats.evidence import Evidence, directions
from glaswerk.stats.moments import Moments, common_shift
from glaswerk.stats.triangle import Triangle


def table_of(n=40, d=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 3, rng.normal(size=(n, 2))


def moments_of(X, Y, exact=True):
    return Moments.of(X, Y, shift=common_shift(np.column_stack([X, Y])), exact=exact)


def powers(n=40, degree=12):
    rng = np.random.default_rng(0)
    x = rng.uniform(12, 31, n)
    return np.column_stack([x**k for k in range(1, degree + 1)]), 37 * x[:, None] - 295 + rng.normal(size=(n, 1))


@mp.workdps(90)
def test_directions_of_twenty_decades_keep_their_digits():
    """[BG-EVID]"""
    X, Y = powers()
    found = directions(moments_of(X, Y), True)
    cells, target = mp.matrix(X.tolist()), mp.matrix(Y[:, 0].tolist())
    for j in range(12):
        mean = mp.fsum(cells[:, j]) / 40
        for i in range(40):
            cells[i, j] -= mean
    level = mp.fsum(target) / 40
    values, vectors = mp.eigsy(cells.T * cells)
    image = vectors.T * (cells.T * target)
    order = sorted(range(12), key=lambda k: -values[k])
    np.testing.assert_allclose(found.values, [float(values[k]) for k in order], rtol=1e-6)
    np.testing.assert_allclose(found.explained[0], [float(image[k] ** 2 / values[k]) for k in order], rtol=1e-5)
    rest = mp.fsum((v - level) ** 2 for v in target) - mp.fsum(image[k] ** 2 / values[k] for k in range(12))
    assert found.left[0] == pytest.approx(float(rest), rel=1e-8)
    assert not found.blurred


def test_plain_sums_say_that_they_are_blurred():
    X, Y = powers()
    assert directions(moments_of(X, Y, exact=False), True).blurred
    X, Y = table_of()
    assert not directions(moments_of(X, Y, exact=False), True).blurred
    assert directions(moments_of(X, X[:, :1], exact=False), True).blurred


@pytest.mark.parametrize("centred", [True, False])
def test_sums_triangles_and_double_doubles_see_the_same_directions(centred):
    X, Y = table_of()
    shift = common_shift(np.column_stack([X, Y])) * centred
    ways = [Moments.of(X, Y, shift=shift, exact=e) for e in (True, False)] + [Triangle.of(X, Y, shift=shift)]
    first, *others = (directions(way, centred) for way in ways)
    for other in others:
        np.testing.assert_allclose(other.values, first.values, rtol=1e-10)
        np.testing.assert_allclose(other.explained, first.explained, rtol=1e-8)
        np.testing.assert_allclose(other.left, first.left, rtol=1e-10)


def test_repeated_columns_have_no_direction_of_their_own():
    X, Y = table_of()
    doubled = directions(moments_of(np.column_stack([X, X[:, 0], np.ones(40)]), Y), True)
    assert len(doubled.values) == 4
    np.testing.assert_allclose(doubled.left, directions(moments_of(X, Y), True).left, rtol=1e-10)
    assert not len(directions(moments_of(np.ones((5, 2)), Y[:5]), True).values)


@pytest.mark.parametrize("given", [(None, None), (0.4, None), (None, 2.5)])
def test_the_slope_is_the_derivative_of_the_log_evidence(given):
    X, Y = table_of()
    evidence = directions(moments_of(X, Y), True).evidences(*given)[0]
    at = np.geomspace(1e-3, 1e4, 30)
    step = 1e-5
    difference = (evidence.log(at * np.exp(step)) - evidence.log(at * np.exp(-step))) / (2 * step)
    np.testing.assert_allclose(evidence.slope(at) / 2, difference, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("small", "low"), [(100.0, True), (60.0, False)])
def test_of_two_hills_the_higher_is_taken(small, low):
    """Five strong directions ask for a strong prior, one weak direction that explains much for a weak one."""
    values, explained = np.append(np.full(5, 1e6), 1.0), np.append(np.full(5, 3.0), small)
    evidence = Evidence(values, explained, 60.0, 60.0, 0.0, perfect=False, alpha=None, beta=1.0)
    assert evidence.hills() == 2
    chosen = evidence.best()
    assert (chosen.alpha < 1.0) == low
    assert chosen.log_evidence >= evidence.log(np.geomspace(1e-6, 1e9, 2000)).max() - 1e-9
    assert abs(evidence.slope(np.array([chosen.alpha]))[0]) < 1e-9
