"""Triangle: RᵀR is the Gram, R is upper and unique, and the condition number is not squared."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.stats.triangle import SCRATCH_ROWS, Triangle, triangular
from tests.stats.rational import rational, rational_gram

FIRST = [4, 0, 1, 2, 3]  # a triangle puts the column of ones first, moments last


def off_by(triangle, X, Y, weight):
    """Largest error of RᵀR against rational numbers, relative to the products of the columns' lengths."""
    wanted = rational_gram(X, Y, weight, triangle.shift)[np.ix_(FIRST, FIRST)].astype(float)
    lengths = np.sqrt(np.diagonal(wanted))
    return (np.abs(triangle.factor.T @ triangle.factor - wanted) / np.outer(lengths, lengths)).max()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [1, 2, 4, 5, 6, 60])
def test_the_triangle_squared_is_the_gram(rows, n, weighted):
    X, Y, weight, shift = rows
    X, Y, weight = X[-n:], Y[-n:], weight[-n:] + 0.5 if weighted else np.zeros(0)
    found = Triangle.of(X, Y, weight, shift=shift)
    assert off_by(found, X, Y, weight) < 1e-13
    assert found.factor.shape == (min(n, 5), 5)
    assert found.count == n
    assert found.weight == pytest.approx(weight.sum() if weighted else n, rel=1e-14)
    found.check()


@pytest.mark.parametrize("n", [SCRATCH_ROWS - 1, SCRATCH_ROWS, SCRATCH_ROWS + 1, 2 * SCRATCH_ROWS + 3])
def test_scratch_blocks_leave_no_trace_beyond_rounding(n):
    rows = np.random.default_rng(n).normal(size=(n, 3))
    found = Triangle.of(rows[:, :2], rows[:, 2:], shift=np.zeros(3)).factor
    whole = np.linalg.qr(np.column_stack([np.ones(n), rows]), mode="r")
    assert np.allclose(found, whole * np.sign(np.diagonal(whole))[:, None], rtol=0, atol=1e-12 * np.sqrt(n))


def test_the_factor_is_upper_with_a_positive_diagonal(rows):
    X, Y, weight, shift = rows
    factor = Triangle.of(X, Y, weight, shift=shift).factor
    assert not np.tril(factor, -1).any()
    assert (np.diagonal(factor) > 0).all()


def test_two_ways_of_cutting_the_rows_give_the_same_factor(rows):
    X, Y, weight, shift = rows
    whole = Triangle.of(X, Y, weight, shift=shift)
    parts = [Triangle.of(X[k : k + 3], Y[k : k + 3], weight[k : k + 3], shift=shift) for k in range(0, 60, 3)]
    total = sum(parts[1:], start=parts[0])
    assert np.abs(total.factor - whole.factor).max() < 1e-13 * np.abs(whole.factor).max()
    assert total.count == whole.count


def test_another_shift_sees_the_same_rows(rows):
    X, Y, weight, shift = rows
    found = Triangle.of(X, Y, weight, shift=shift)
    assert found.rebased(shift) is found
    moved = found.rebased(shift + [3.0, -40.0, 0.0, 1.0])
    assert off_by(moved, X, Y, weight) < 1e-13
    assert not np.tril(moved.factor, -1).any()


def test_nearly_equal_columns_keep_the_digits_that_a_gram_loses():
    """x₂ = x₁ + 1e-10 e: R keeps |e| to six digits, the Gram of doubles cannot tell the columns apart."""
    rng = np.random.default_rng(2)
    x, e = rng.normal(size=(500, 1)), rng.integers(-8, 9, (500, 1)) * 2.0**-33
    X = np.hstack([np.round(x * 2**18) / 2**18, np.round(x * 2**18) / 2**18 + e])
    parts = [Triangle.of(X[s], e[s] * 0, shift=np.zeros(3)) for s in (slice(200), slice(200, 500))]
    A = rational(np.column_stack([np.ones(500), X[:, 0], e[:, 0]]))
    first = A[:, :2].T.dot(A[:, :2])
    along = A[:, :2].T.dot(A[:, 2])
    determinant = first[0, 0] * first[1, 1] - first[0, 1] ** 2
    explained = (
        first[1, 1] * along[0] ** 2 - 2 * first[0, 1] * along[0] * along[1] + first[0, 0] * along[1] ** 2
    ) / determinant
    wanted = float(A[:, 2].dot(A[:, 2]) - explained) ** 0.5
    assert (parts[0] + parts[1]).factor[2, 2] == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (2, 3), (3, 3), (9, 3)])
def test_triangular_keeps_the_gram_of_any_shape(shape):
    stack = np.random.default_rng(4).normal(size=shape)
    factor = triangular(np.asfortranarray(stack))
    assert factor.shape == (min(shape), 3)
    assert np.allclose(factor.T @ factor, stack.T @ stack, rtol=0, atol=1e-14 * max(1, len(stack)))


@pytest.mark.parametrize("cell", [(3, 0), (40, 1)])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_cell_that_is_no_number_shows_in_the_sums(rows, cell, bad):
    X, Y, _weight, shift = rows
    X[cell] = bad
    assert not np.isfinite(Triangle.of(X, Y, shift=shift).sums).all()
    assert not np.isfinite(Triangle.of(X[:2], Y[:2], np.array([1.0, bad]), shift=shift).sums).all()


@pytest.mark.parametrize("shape", [(3, 4), (6, 5), (5,)])
def test_a_factor_of_another_shape_is_refused(shape):
    sound = Triangle.empty(np.zeros(4), 1)
    sound.check()
    with pytest.raises(ValueError, match="a triangle of 4 columns is at most 5 × 5"):
        replace(sound, factor=np.zeros(shape)).check()
