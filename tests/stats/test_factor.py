"""Factor: a root of the normal matrix, what it says of the inverse, of rank, and of the columns that repeat."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import linalg

from glaswerk.stats.factor import Dependency, factor_gram, factor_pairs, factor_rows, powers_of_two
from glaswerk.stats.pairs import Pair
from tests.stats.rational import rational

TINY = 1e-10


def centred_rows(n=40, d=4):
    rows = np.random.default_rng(d).normal(size=(n, d)) @ np.diag(10.0 ** np.arange(d)) + np.arange(n)[:, None]
    return rows - rows.mean(axis=0)


ROWS = centred_rows()
GRAM = ROWS.T @ ROWS
FACTORS = {
    "pairs": lambda: factor_pairs(Pair.of(GRAM), TINY),
    "gram": lambda: factor_gram(GRAM),
    "rows": lambda: factor_rows(ROWS, ROWS[:, :1], TINY)[0],
}


@pytest.fixture(params=FACTORS.values(), ids=FACTORS.keys())
def factor(request):
    return request.param()


def test_the_factor_gives_back_the_scaled_matrix(factor):
    scaled = GRAM * np.outer(factor.scale, factor.scale)
    assert np.allclose(factor.lower @ factor.lower.T, scaled[np.ix_(factor.order, factor.order)], rtol=0, atol=1e-13)
    assert not np.triu(factor.lower, 1).any()
    assert factor.full


def test_the_root_squared_is_the_inverse(factor):
    wanted = linalg.inv(GRAM)
    lengths = np.sqrt(np.diagonal(wanted))
    assert np.allclose(
        factor.root @ factor.root.T / np.outer(lengths, lengths), wanted / np.outer(lengths, lengths), atol=1e-11
    )


def test_the_condition_is_that_of_the_scaled_columns_within_a_small_factor(factor):
    true = np.linalg.cond(ROWS * powers_of_two((ROWS**2).sum(axis=0)))
    assert true / 4 < factor.condition < 20 * true


def test_scales_are_powers_of_two_and_bring_columns_near_length_one():
    lengths = np.array([1e-150, 1e-3, 0.9, 1.0, 7.0, 1e150])
    scale = powers_of_two(lengths**2)
    assert (np.frexp(scale)[0] == 0.5).all()
    assert ((scale * lengths > 0.5) & (scale * lengths < 1.5)).all()
    assert powers_of_two(np.array([0.0])).tolist() == [1.0]


@pytest.mark.parametrize("q", [1, 3])
def test_solve_recovers_whole_numbers_to_28_digits(q):
    A = np.random.default_rng(q).integers(-9, 10, (5, 9))
    A = A @ A.T
    wanted = np.arange(1, 5 * q + 1).reshape(q, 5)
    found = factor_pairs(Pair.of(A.astype(float)), TINY).solve(Pair.of((wanted @ A).astype(float)))
    assert np.abs(rational(*found) / rational(wanted) - 1).max() < Fraction(1e-28)


def test_solve_plain_recovers_what_was_put_in_to_12_digits():
    wanted = np.arange(1.0, 9.0).reshape(2, 4)
    assert np.allclose(factor_gram(GRAM).solve_plain(wanted @ GRAM), wanted, rtol=1e-12)


def test_a_gram_that_doubles_cannot_see_as_definite_has_no_plain_factor():
    x = np.arange(20.0)
    rows = np.column_stack([x, x + 1e-9 * np.cos(x)])
    assert factor_gram(rows.T @ rows) is None


@pytest.mark.parametrize("by", ["pairs", "rows"])
def test_columns_that_repeat_are_found_with_their_factors(by):
    rows = np.random.default_rng(0).integers(-9, 10, (30, 2)).astype(float)
    rows = np.column_stack([8 * rows[:, 0], rows, 2 * rows[:, 0] - 3 * rows[:, 1], np.zeros(30)])
    found = factor_pairs(Pair.of(rows.T @ rows), TINY) if by == "pairs" else factor_rows(rows, rows[:, :1], TINY)[0]
    assert (found.rank, found.full) == (2, False)
    kept = set(found.order[:2].tolist())
    dependencies = found.dependencies()
    assert {d.column for d in dependencies} == set(range(5)) - kept
    assert Dependency(4, ()) in dependencies
    for dependency in dependencies:
        assert {j for j, _ in dependency.parts} <= kept
        combined = sum((f * rows[:, j] for j, f in dependency.parts), start=np.zeros(30))
        assert np.allclose(combined, rows[:, dependency.column], rtol=0, atol=1e-12 * np.abs(rows).max())


@pytest.mark.parametrize("by", ["pairs", "rows"])
def test_of_many_solutions_the_shortest_is_that_of_the_pseudoinverse(by):
    rows = np.random.default_rng(1).normal(size=(30, 3))
    rows = np.column_stack([rows, rows @ [1.0, -2.0, 0.5]]) * [1.0, 10.0, 0.1, 3.0]
    y = np.random.default_rng(2).normal(size=(30, 2))
    factor, image, left = factor_rows(rows, y, TINY)
    if by == "pairs":
        factor = factor_pairs(Pair.of(rows.T @ rows), 1e-7)
        right = (y.T @ rows * factor.scale)[:, factor.order[:3]]
        image = linalg.solve_triangular(factor.lower[:3, :3], right.T, lower=True).T
    wanted = linalg.pinv(rows) @ y
    assert np.allclose(factor.shortest(image), wanted.T, rtol=1e-9)
    assert np.allclose(factor.root @ factor.root.T, linalg.pinv(rows.T @ rows, rtol=1e-12), rtol=1e-8)
    assert np.allclose(left, ((y - rows @ wanted) ** 2).sum(axis=0), rtol=1e-12)


def test_rows_of_no_variation_have_rank_zero_and_explain_nothing():
    factor, image, left = factor_rows(np.zeros((5, 2)), np.ones((5, 1)), TINY)
    assert (factor.rank, image.shape, left.tolist()) == (0, (1, 0), [5.0])
    assert factor.shortest(image).tolist() == [[0.0, 0.0]]
    assert factor.dependencies() == (Dependency(0, ()), Dependency(1, ()))


def test_fewer_rows_than_columns_have_the_rank_of_the_rows():
    rows = np.random.default_rng(3).normal(size=(2, 5))
    factor, image, left = factor_rows(rows, np.ones((2, 1)), TINY)
    assert factor.rank == 2
    assert np.allclose(rows @ factor.shortest(image)[0], 1.0)
    assert np.allclose(left, 0.0)


def test_pairs_tell_columns_apart_that_differ_in_the_last_digits_of_a_double():
    """1 - cos² between the columns is 2^-80: beneath the rounding of a double, well within a pair."""
    matrix = Pair(np.ones((2, 2)), np.array([[0.0, 0.0], [0.0, 2.0**-80]]))
    assert factor_pairs(matrix, 2.0**-41).rank == 2
    assert factor_pairs(matrix, 2.0**-39).rank == 1
