"""The compiled error-free sums and products, against rational numbers."""

from fractions import Fraction
from math import ldexp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.kernels import arithmetic

moderate = settings(max_examples=60, deadline=None)
sums = st.floats(-8e307, 8e307)
# Products between 2^-800 and 2^800 have an error that is itself a double.
mantissas = st.floats(0.5, 1.0) | st.floats(-1.0, -0.5)
factors = st.builds(ldexp, mantissas, st.integers(-400, 400)) | st.just(0.0)
positive = st.builds(ldexp, st.floats(0.5, 1.0), st.integers(-200, 200))


@st.composite
def pairs(draw, highs=factors):
    """A normalised pair: the low part at most half a unit in the last place of the high part."""
    high = draw(highs)
    return high, high * draw(st.floats(-1.0, 1.0)) * 2.0**-54


def value(pair):
    return Fraction(pair[0]) + Fraction(pair[1])


@given(sums, sums)
@moderate
def test_two_sum_loses_nothing(a, b):
    assert value(arithmetic.two_sum(a, b)) == Fraction(a) + Fraction(b)


@given(factors, factors)
@moderate
def test_two_product_loses_nothing(a, b):
    assert value(arithmetic.two_product(a, b)) == Fraction(a) * Fraction(b)


@given(pairs(), pairs())
@moderate
def test_pair_add_keeps_30_digits_of_its_larger_part(a, b):
    found = value(arithmetic.pair_add(*a, *b))
    assert abs(found - value(a) - value(b)) <= Fraction(1e-30) * (abs(value(a)) + abs(value(b)))


@given(pairs(), pairs())
@moderate
def test_pair_multiply_keeps_30_digits(a, b):
    wanted = value(a) * value(b)
    assert abs(value(arithmetic.pair_multiply(*a, *b)) - wanted) <= Fraction(1e-30) * abs(wanted)


@given(pairs(), pairs(positive))
@moderate
def test_pair_divide_keeps_30_digits(a, b):
    wanted = value(a) / value(b)
    assert abs(value(arithmetic.pair_divide(*a, *b)) - wanted) <= Fraction(1e-30) * abs(wanted)


@given(pairs(positive))
@moderate
def test_pair_root_squared_keeps_30_digits(a):
    root = value(arithmetic.pair_root(*a))
    assert root > 0
    assert abs(root * root - value(a)) <= Fraction(1e-30) * value(a)


@pytest.mark.parametrize("name", ["two_sum", "two_product"])
def test_the_rounded_part_is_the_plain_result(name):
    plain = {"two_sum": 0.1 + 0.2, "two_product": 0.1 * 0.2}[name]
    high, low = getattr(arithmetic, name)(0.1, 0.2)
    assert high == plain
    assert low != 0.0
