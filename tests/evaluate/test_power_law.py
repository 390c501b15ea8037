"""The power law: recovered where it holds, honest range, refusals where it does not hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.evaluate.power_law import gain_of_doubling, law_of_exponent

SIZES = np.array([10.0, 20, 40, 80, 160, 320, 640])
SURE = np.full(7, 0.002)


def test_law_of_a_known_exponent_by_hand():
    law = law_of_exponent(SIZES, 2 + 3 / SIZES, SURE, 1.0)
    assert (law.a, law.b, law.misfit) == pytest.approx((2, 3, 0), abs=1e-9)
    assert law.gain_of_doubling(10.0) == pytest.approx(0.15)


@settings(deadline=None, max_examples=40)
@given(st.floats(0, 5), st.floats(0.5, 20), st.sampled_from([0.3, 0.5, 0.75, 1.0, 1.5]))
def test_a_true_law_is_recovered(a, b, c):
    found = gain_of_doubling(SIZES, a + b * SIZES**-c, 1e-3 * (a + b * SIZES**-c))
    truth = b * (640.0**-c - 1280.0**-c)
    assert found.lower <= truth <= found.upper
    assert found.gain == pytest.approx(truth, rel=0.05, abs=1e-9)


def test_the_range_holds_the_truth_under_noise():
    rng = np.random.default_rng(0)
    truth, held = 4 * (640**-0.5 - 1280**-0.5), 0
    for _ in range(200):
        found = gain_of_doubling(SIZES, 1 + 4 * SIZES**-0.5 + 0.01 * rng.normal(size=7), np.full(7, 0.01))
        held += found.gain is not None and found.lower <= truth <= found.upper
    assert held > 150


def test_units_do_not_matter():
    one = gain_of_doubling(SIZES, 1 + 4 / SIZES, SURE)
    other = gain_of_doubling(SIZES, 1000 * (1 + 4 / SIZES), 1000 * SURE)
    assert other.gain == pytest.approx(1000 * one.gain)
    assert other.upper == pytest.approx(1000 * one.upper)


def test_what_comes_before_the_peak_is_no_part_of_the_curve():
    errors = np.r_[2.0, 50.0, 1 + 4 / SIZES[2:]]
    assert gain_of_doubling(SIZES, errors, np.r_[1.0, 40.0, SURE[2:]]).gain == pytest.approx(
        4 / 640 - 4 / 1280, rel=0.1
    )


@pytest.mark.parametrize(
    ("errors", "why"),
    [
        (np.linspace(1, 2, 7), "fewer than 4 sizes lie on the falling part"),
        (np.full(7, np.nan), "fewer than 4 sizes"),
        (np.ones(7), "does not fall"),
        (np.array([2.0, 1.9, 1.8, 1.7, 1.6, 1.0, 2.0]), "no power law passes through the largest sizes"),
    ],
)
def test_it_refuses_with_a_reason(errors, why):
    found = gain_of_doubling(SIZES, errors, SURE)
    assert found.gain is None and why in found.refusal


def test_unknown_spreads_count_little():
    spreads = np.r_[np.nan, SURE[1:]]
    errors = 1 + 4 / SIZES
    errors[0] += 0.3
    assert gain_of_doubling(SIZES, errors, spreads).gain == pytest.approx(4 / 1280, rel=0.05)
