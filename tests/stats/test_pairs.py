"""Arithmetic on pairs: nothing is lost in sums and products of doubles, 30 digits are kept in those of pairs."""

from fractions import Fraction
from math import ldexp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.kernels import arithmetic
from glaswerk.stats.pairs import Pair, outer, two_product, two_sum
from tests.stats.rational import rational

moderate = settings(max_examples=100, deadline=None)
sums = st.floats(-8e307, 8e307).map(np.float64)
mantissas = st.floats(0.5, 1.0) | st.floats(-1.0, -0.5)
factors = (st.builds(ldexp, mantissas, st.integers(-400, 400)) | st.just(0.0)).map(np.float64)
divisors = st.builds(ldexp, mantissas, st.integers(-200, 200)).map(np.float64)


@st.composite
def pairs(draw, highs=factors):
    high = draw(highs)
    # Multiples of 2^-40: a low part far below the last digit of a pair could round when scaled.
    low = draw(st.integers(-(2**40), 2**40)) * 2.0**-40
    return Pair(high, high * np.float64(low) * 2.0**-54)


def value(pair):
    return Fraction(float(pair.high)) + Fraction(float(pair.low))


@given(sums, sums)
@moderate
def test_two_sum_loses_nothing(a, b):
    assert value(two_sum(a, b)) == Fraction(float(a)) + Fraction(float(b))


@given(factors, factors)
@moderate
def test_two_product_loses_nothing(a, b):
    assert value(two_product(a, b)) == Fraction(float(a)) * Fraction(float(b))


@given(factors, factors)
@moderate
def test_the_compiled_product_and_this_one_are_the_same_bits(a, b):
    assert two_product(a, b) == arithmetic.two_product(a, b)
    assert two_sum(a, b) == arithmetic.two_sum(a, b)


@given(pairs(), pairs())
@moderate
def test_plus_and_minus_keep_30_digits_of_the_larger_part(a, b):
    for found, wanted in ((a.plus(b), value(a) + value(b)), (a.minus(b), value(a) - value(b))):
        assert abs(value(found) - wanted) <= Fraction(1e-30) * (abs(value(a)) + abs(value(b)))


@given(pairs(), pairs())
@moderate
def test_times_keeps_30_digits(a, b):
    wanted = value(a) * value(b)
    assert abs(value(a.times(b)) - wanted) <= Fraction(1e-30) * abs(wanted)


@given(pairs(), pairs(divisors))
@moderate
def test_over_keeps_30_digits(a, b):
    wanted = value(a) / value(b)
    assert abs(value(a.over(b)) - wanted) <= Fraction(1e-30) * abs(wanted)


@given(pairs(), pairs(divisors))
@moderate
def test_what_comes_out_is_normalised(a, b):
    for found in (a.plus(b), a.times(b), a.over(b), a.normalised()):
        assert found.high + found.low == found.high


@given(pairs(), st.integers(-100, 100))
@moderate
def test_scaling_by_powers_of_two_is_exact(a, exponent):
    assert value(a.scaled(np.ldexp(1.0, exponent))) == value(a) * Fraction(2) ** exponent


def test_a_sum_over_the_last_axis_keeps_what_cancels():
    tenths = Pair.of(np.array([[1e16, 1.0, -1e16], [0.1, 0.2, -0.3]]))
    wanted = [Fraction(1), Fraction(0.1) + Fraction(0.2) - Fraction(0.3)]
    assert rational(*tenths.sum()).tolist() == wanted
    assert tenths.sum().rounded.tolist() == [float(w) for w in wanted]


def test_the_sum_of_nothing_is_zero():
    assert Pair.of(np.zeros((2, 0))).sum().rounded.tolist() == [0.0, 0.0]


def test_outer_multiplies_each_with_each():
    left, right = Pair.of(np.array([1 / 3, 0.1])), Pair(np.array([0.7, 1e8, 3.0]), np.array([1e-18, 0.0, 1e-17]))
    wanted = np.outer(rational(*left), rational(*right))
    error = np.abs(rational(*outer(left, right)) / wanted - 1)
    assert error.max() < Fraction(1e-30)


@pytest.mark.parametrize("index", [(0,), (slice(None), 1), (slice(1), slice(None))])
def test_at_takes_the_same_part_of_both(index):
    high, low = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3) / 2**60
    part = Pair(high, low).at(*index)
    assert np.array_equal(part.high, high[index])
    assert np.array_equal(part.low, low[index])
