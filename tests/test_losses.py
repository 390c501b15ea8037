"""Losses against mpmath at every size of score, and their derivatives against each other."""

import mpmath
import numpy as np
import pytest

from glaswerk.losses import cross_entropy, sigmoid, softmax, softmax_cross_entropy

SCORES = np.array([-1e3, -745.2, -709.0, -37.0, -1.5, -1e-9, 0.0, 1e-300, 2.5, 36.8, 710.0, 1e3])


def exact(score, code):
    """-ln y_t, y - t and y (1 - y) of two classes with 500 digits [BG-CE] [BG-SIGMA]."""
    y = 1 / (1 + mpmath.exp(-mpmath.mpf(score)))
    return -mpmath.log(y if code else 1 - y), y - code, y * (1 - y)


@pytest.mark.parametrize("code", [0, 1])
@mpmath.workdps(500)
def test_two_classes_have_all_digits_at_every_score(code):
    found = cross_entropy(SCORES[None, :], np.full(len(SCORES), code))
    bend = np.abs(found.slope[0]) * found.own
    for k, score in enumerate(SCORES):
        wanted = [float(v) for v in exact(float(score), code)]
        np.testing.assert_allclose([found.value[k], found.slope[0, k], bend[k]], wanted, rtol=1e-14, atol=1e-320)
        assert found.margin[k] == (score if code else -score)


@mpmath.workdps(500)
def test_the_softmax_has_all_digits_at_every_score():
    """[BG-SOFTMAX] against mpmath, for gaps from nothing to 2000."""
    for gap in (0.0, 1e-12, 3.0, 40.0, 800.0, 2000.0):
        Z = np.array([[gap], [0.0], [-1.0]])
        powers = [mpmath.exp(mpmath.mpf(float(z))) for z in Z[:, 0]]
        share = [p / sum(powers) for p in powers]
        for t in range(3):
            found = softmax_cross_entropy(Z, np.array([t]))
            wanted = [-sum(share[k] for k in range(3) if k != t) if k == t else share[k] for k in range(3)]
            np.testing.assert_allclose(found.value, [float(-mpmath.log(share[t]))], rtol=1e-14, atol=1e-320)
            np.testing.assert_allclose(found.slope[:, 0], [float(v) for v in wanted], rtol=1e-13, atol=1e-320)
            np.testing.assert_allclose(found.own, float(share[t]), rtol=1e-13, atol=1e-320)


def test_a_sigmoid_is_a_softmax_of_two():
    z = np.linspace(-50, 50, 101)
    np.testing.assert_allclose(sigmoid(z), softmax(np.stack([0 * z, z]))[1], rtol=1e-14)
    codes = np.arange(101) % 2
    two, many = cross_entropy(z[None, :], codes), softmax_cross_entropy(np.stack([0 * z, z]), codes)
    np.testing.assert_allclose(two.value, many.value, rtol=1e-13)
    np.testing.assert_allclose(two.slope[0], many.slope[1], rtol=1e-13)
    np.testing.assert_array_equal(two.margin, many.margin)


def test_slopes_and_curvatures_are_the_derivatives():
    rng = np.random.default_rng(0)
    Z, codes, step = rng.normal(size=(4, 30)) * 3, rng.integers(0, 4, 30), 1e-5
    here, share = softmax_cross_entropy(Z, codes), softmax(Z)
    for k in range(4):
        up, down = Z.copy(), Z.copy()
        up[k] += step
        down[k] -= step
        above, below = softmax_cross_entropy(up, codes), softmax_cross_entropy(down, codes)
        np.testing.assert_allclose((above.value - below.value) / (2 * step), here.slope[k], atol=1e-9)
        for j in range(4):
            wanted = share[k] * ((j == k) - share[j])
            np.testing.assert_allclose((above.slope[j] - below.slope[j]) / (2 * step), wanted, atol=1e-9)


def test_scores_are_not_changed():
    Z = np.array([[1.0, 2.0], [0.5, -1.0], [0.0, 0.0]])
    before = Z.copy()
    softmax_cross_entropy(Z, np.array([0, 2]))
    softmax(Z)
    np.testing.assert_array_equal(Z, before)
