"""Every compiled loop against its twin of few lines: NumPy for doubles (1e-13), rational numbers for pairs (1e-28)."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from glaswerk import kernels

NONE, NO_LOW = np.zeros(0), np.zeros((0, 0))
SIZES = (0, 1, 2, 255, 256, 257, 511, 512, 513)  # the kernels work in tiles of 256 and 512 rows
exactly = np.vectorize(Fraction, otypes=[object])


def some_rows(n, d, q, weighted=False):
    """X, Y, weight, shift: columns of different size, far from zero, some weights zero."""
    rng = np.random.default_rng([n, d, q])
    X = 50 + rng.normal(size=(n, d)) * 10.0 ** np.arange(d)
    Y = rng.normal(size=(n, q))
    weight = rng.integers(0, 4, n) * 0.37 if weighted else NONE
    return X, Y, weight, np.array([50.25] * d + [0.1] * q)


def rational(high, low=None):
    """The exact value of an array of doubles, or of a pair."""
    found = exactly(high) if high.size else high.astype(object)
    return found + exactly(low) if low is not None and low.size else found


def weighted_products(left, right, weight):
    """Σ w a bᵀ of rational rows, and the sum of its terms' sizes, which rounding is measured against."""
    w = rational(weight)[:, None] if weight.size else 1
    return (left * w).T.dot(right), np.abs(left * w).T.dot(np.abs(right))


def pair_of(values):
    """The pair of doubles closest to rational numbers."""
    high = values.astype(np.float64)
    return high, (values - exactly(high)).astype(np.float64)


def rounding(high, low, wanted, size):
    """Largest error of a pair against rational numbers, relative to the size of what was added up."""
    error = np.abs(rational(high, low) - wanted)
    return float((error / np.where(size == 0, 1, size)).max(initial=0))


# --- narrow_gram --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d", "q", "weighted"), list(product(SIZES, (1, 4), (1, 3), (False, True))))
def test_narrow_gram_is_the_product_of_the_shifted_rows(n, d, q, weighted):
    X, Y, weight, shift = some_rows(n, d, q, weighted)
    gram = np.zeros((d + q + 1, d + q + 1))
    kernels.narrow_gram(X, Y, weight, shift, gram)
    A = np.column_stack([np.column_stack([X, Y]) - shift, np.ones(n)])
    w = weight[:, None] if weighted else 1.0
    size = np.abs(A).T @ np.abs(A * w)
    assert (np.abs(gram - np.tril(A.T @ (A * w))) <= 1e-13 * size).all()


@pytest.mark.parametrize(("n", "d", "q", "weighted"), list(product(SIZES, (1, 2, 5), (1, 2), (False, True))))
def test_a_table_stored_by_columns_has_the_bits_of_one_stored_by_rows(n, d, q, weighted):
    X, Y, weight, shift = some_rows(n, d, q, weighted)
    by_rows, by_columns = np.zeros((2, d + q + 1, d + q + 1))
    kernels.narrow_gram(X, Y, weight, shift, by_rows)
    columns = np.ascontiguousarray(X.T), np.ascontiguousarray(Y.T)
    kernels.narrow_gram_of_columns(*columns, weight, shift, by_columns)
    assert by_columns.tobytes() == by_rows.tobytes()


def test_narrow_gram_adds_to_what_is_there_and_leaves_the_upper_triangle_alone():
    X, Y, weight, shift = some_rows(300, 2, 1, True)
    once, twice = np.zeros((4, 4)), np.triu(np.full((4, 4), 7.0), 1)
    kernels.narrow_gram(X, Y, weight, shift, once)
    for _ in range(2):
        kernels.narrow_gram(X, Y, weight, shift, twice)
    np.testing.assert_allclose(np.tril(twice), 2 * once, rtol=1e-14)  # added part by part, each sum rounded anew
    assert np.array_equal(np.triu(twice, 1), np.triu(np.full((4, 4), 7.0), 1))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("kernel", ["narrow_gram", "exact_gram"])
def test_a_cell_that_is_no_number_marks_its_row_of_the_gram(kernel, bad):
    X, Y, weight, shift = some_rows(600, 2, 1)
    X[517, 1] = bad
    gram, low = np.zeros((4, 4)), np.zeros((4, 4))
    if kernel == "narrow_gram":
        kernels.narrow_gram(X, Y, weight, shift, gram)
    else:
        kernels.exact_gram(X, NO_LOW, Y, weight, shift, gram, low)
    assert np.array_equal(np.isfinite(gram[np.tril_indices(4)]), [1, 0, 0, 1, 0, 1, 1, 0, 1, 1])


# --- exact_gram, exact_gradient -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "weighted", "with_low"), list(product(SIZES, (False, True), (False, True))))
def test_exact_gram_holds_28_digits(n, weighted, with_low):
    X, Y, weight, shift = some_rows(n, 2, 2, weighted)
    X_low = X * 2.0**-54 * 0.7 if with_low else NO_LOW
    gram, low = np.zeros((5, 5)), np.zeros((5, 5))
    kernels.exact_gram(X, X_low, Y, weight, shift, gram, low)
    A = np.column_stack([np.column_stack([rational(X, X_low), rational(Y)]) - rational(shift), exactly(np.ones(n))])
    wanted, size = weighted_products(A, A, weight)
    below = np.tri(5, dtype=bool)
    assert rounding(gram[below], low[below], wanted[below], size[below]) < 1e-28
    assert not gram[~below].any()
    assert not low[~below].any()


@pytest.mark.parametrize(("n", "weighted", "with_low"), list(product(SIZES, (False, True), (False, True))))
def test_exact_gradient_holds_28_digits(n, weighted, with_low):
    X, Y, weight, _ = some_rows(n, 2, 2, weighted)
    X_low = X * 2.0**-54 * 0.7 if with_low else NO_LOW
    coefficients = np.array([[0.3, -0.01, 1.7], [1.1, 0.2, -60.0]])
    c_low = coefficients * 2.0**-55
    gradient, low = np.zeros((2, 4)), np.zeros((2, 4))
    kernels.exact_gradient(X, X_low, Y, weight, coefficients, c_low, gradient, low)
    A = np.column_stack([rational(X, X_low), exactly(np.ones(n))])
    for k, c in enumerate(rational(coefficients, c_low)):
        rest, reach = rational(Y[:, k]) - A.dot(c), np.abs(rational(Y[:, k])) + np.abs(A).dot(np.abs(c))
        wanted, _ = weighted_products(np.column_stack([A, rest]), rest[:, None], weight)
        _, size = weighted_products(np.column_stack([A, reach]), reach[:, None], weight)
        assert rounding(gradient[k], low[k], wanted[:, 0], size[:, 0]) < 1e-28


def test_exact_kernels_add_to_what_is_there():
    X, Y, weight, shift = some_rows(257, 2, 2, True)
    c = np.array([[0.3, -0.01, 1.7], [1.1, 0.2, -60.0]])
    once, twice = ([np.zeros((5, 5)), np.zeros((5, 5)), np.zeros((2, 4)), np.zeros((2, 4))] for _ in range(2))
    for sums in (once, twice, twice):
        kernels.exact_gram(X, NO_LOW, Y, weight, shift, *sums[:2])
        kernels.exact_gradient(X, NO_LOW, Y, weight, c, c * 0, *sums[2:])
    for high in (0, 2):
        wanted = 2 * rational(*once[high : high + 2])
        assert rounding(twice[high], twice[high + 1], wanted, np.abs(wanted)) < 1e-26


def test_exact_gradient_of_a_perfect_fit_is_zero():
    X = np.arange(600.0).reshape(300, 2)
    Y = X @ np.array([[2.0], [-3.0]]) + 5.0
    gradient, low = np.zeros((1, 4)), np.zeros((1, 4))
    kernels.exact_gradient(X, NO_LOW, Y, NONE, np.array([[2.0, -3.0, 5.0]]), np.zeros((1, 3)), gradient, low)
    assert not gradient.any()
    assert not low.any()


# --- pair_cholesky, pair_solve --------------------------------------------------------------------------------------


def whole_matrix(d, rank, seed=0):
    """B Bᵀ of small whole numbers: exactly of this rank."""
    B = np.random.default_rng([d, rank, seed]).integers(-9, 10, (d, rank))
    return B @ B.T


def hilbert(d):
    return np.array([[Fraction(1, i + j + 1) for j in range(d)] for i in range(d)], dtype=object).reshape(d, d)


def pivots(matrix):
    """The order of a pivoted elimination in rational numbers: the largest diagonal left, the first of equals."""
    left, order = exactly(matrix), []
    remaining = list(range(len(left)))
    while remaining and max(left[j, j] for j in remaining) > 0:
        k = max(remaining, key=lambda j: (left[j, j], -j))
        remaining.remove(k)
        order.append(k)
        left = left - np.outer(left[:, k], left[k]) / left[k, k]
    return order


def factored(matrix, smallest=1e-20):
    """L as a pair with void columns cleared, the pivot order and the rank."""
    lower, low = (np.ascontiguousarray(np.tril(part)) for part in pair_of(matrix))
    order = np.full(len(matrix), -1)
    rank = kernels.pair_cholesky(lower, low, smallest, order)
    lower[:, rank:] = low[:, rank:] = 0.0
    return lower, low, order, rank


CASES = {
    "nothing": whole_matrix(0, 0), "one": whole_matrix(1, 1),
    "definite": whole_matrix(6, 9), "zero": whole_matrix(3, 0),
    "rank 1 of 5": whole_matrix(5, 1), "rank 3 of 7": whole_matrix(7, 3), "hilbert": hilbert(10),
}  # fmt: skip


@pytest.mark.parametrize("matrix", CASES.values(), ids=CASES.keys())
def test_pair_cholesky_gives_back_the_matrix_to_28_digits(matrix):
    matrix = rational(matrix)
    lower, low, order, rank = factored(matrix)
    assert sorted(order) == list(range(len(matrix)))
    L = rational(lower, low)
    ordered = matrix[np.ix_(order, order)]
    size = np.full(matrix.shape, np.trace(matrix)) if matrix.size else matrix
    assert rounding(*pair_of(L.dot(L.T)), ordered, size) < 1e-28
    assert rank == len(pivots(matrix))


@pytest.mark.parametrize("matrix", CASES.values(), ids=CASES.keys())
def test_pair_cholesky_takes_the_largest_pivot_first(matrix):
    _, _, order, rank = factored(rational(matrix))
    assert list(order[:rank]) == pivots(rational(matrix))


def test_pair_cholesky_takes_the_first_of_equal_pivots_as_they_then_stand():
    _, _, order, _ = factored(rational(np.diag([2, 5, 2, 5, 2])))
    assert order.tolist() == [1, 3, 2, 0, 4]
    _, _, order, _ = factored(rational(np.eye(4)))
    assert order.tolist() == [0, 1, 2, 3]


def test_pair_cholesky_stops_at_the_smallest_pivot_allowed():
    matrix = rational(np.diag([1.0, 1e-8, 1e-12]))
    assert [factored(matrix, smallest)[3] for smallest in (1e-13, 1e-12, 1e-8, 1.0)] == [3, 2, 1, 0]


def test_pair_cholesky_refuses_a_matrix_of_nan():
    assert factored(rational(np.eye(2)))[3] == 2
    nan = np.full((2, 2), np.nan)
    assert kernels.pair_cholesky(nan, np.zeros((2, 2)), 0.0, np.zeros(2, dtype=np.int64)) == 0


def solved(matrix, right):
    """The solution through factor and two triangular solves, as rational numbers in the user's order."""
    lower, low, order, rank = factored(matrix)
    assert rank == len(matrix)
    u, u_low = (np.ascontiguousarray(part[:, order]) for part in pair_of(right))
    kernels.pair_solve(lower, low, u, u_low)
    return rational(u, u_low)[:, np.argsort(order)]


@pytest.mark.parametrize("q", [0, 1, 3])
@pytest.mark.parametrize("d", [1, 2, 7])
def test_pair_solve_recovers_whole_numbers_to_28_digits(d, q):
    matrix = rational(whole_matrix(d, d + 3) + 50 * np.eye(d, dtype=int))
    wanted = rational(np.arange(1, d * q + 1).reshape(q, d))
    found = solved(matrix, wanted.dot(matrix))
    assert found.shape == (q, d)
    assert float(np.abs(found / wanted - 1).max(initial=0)) < 1e-28


def test_pair_solve_keeps_the_digits_that_the_condition_leaves():
    """Hilbert's matrix of order 10 has the condition 1.6e13: doubles keep 3 digits, pairs 17 and more."""
    wanted = rational(np.arange(1, 11).reshape(1, 10))
    found = solved(hilbert(10), wanted.dot(hilbert(10)))
    assert float(np.abs(found / wanted - 1).max()) < 1e-17
