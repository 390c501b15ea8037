"""Gradient: Σ w r [x, 1, r] in pairs, against rational numbers [BOE-GRAD]."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.stats.gradient import Gradient
from glaswerk.stats.pairs import Pair
from tests.stats.rational import rational

COEFFICIENTS = Pair(
    np.array([[0.3, -0.01, 1.7], [1.1, 0.2, -60.0]]), np.array([[1e-18, 0.0, 1e-17], [0.0, 1e-18, -2e-16]])
)


def rational_gradient(X, Y, weight, X_low=None):
    """Σ w r [x, 1, r] for every target."""
    A = np.column_stack([rational(X, X_low), rational(np.ones(len(X)))])
    w = rational(weight) if len(weight) else 1
    found = []
    for k, c in enumerate(rational(*COEFFICIENTS)):
        rest = rational(Y[:, k]) - A.dot(c)
        found.append(np.column_stack([A, rest]).T.dot(rest * w))
    return np.array(found)


def off_by(gradient, wanted):
    return np.abs(((rational(*gradient.pair) - wanted) / wanted).astype(float)).max()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("with_low", [False, True])
def test_the_gradient_holds_28_digits(rows, weighted, with_low):
    X, Y, weight, _ = rows
    weight, low = weight if weighted else np.zeros(0), X * 2.0**-55 if with_low else None
    found = Gradient.of(X, Y, weight, coefficients=COEFFICIENTS, X_low=low)
    assert off_by(found, rational_gradient(X, Y, weight, low)) < 1e-28
    assert found.count == (np.count_nonzero(weight) if weighted else 60)


def test_memory_order_of_rows_and_coefficients_leaves_no_trace(rows):
    X, Y, weight, _ = rows
    wanted = Gradient.of(X, Y, weight, coefficients=COEFFICIENTS)
    laid = Pair(*map(np.asfortranarray, COEFFICIENTS))
    found = Gradient.of(np.asfortranarray(X), Y[::-1][::-1], weight, coefficients=laid, X_low=None)
    assert np.array_equal(found.high, wanted.high)
    assert np.array_equal(found.low, wanted.low)


def test_gradients_of_parts_add_up_to_28_digits(rows):
    X, Y, weight, _ = rows
    parts = [
        Gradient.of(X[s], Y[s], weight[s], coefficients=COEFFICIENTS) for s in (slice(7), slice(7, 7), slice(7, 60))
    ]
    total = parts[0] + parts[1] + parts[2]
    assert off_by(total, rational_gradient(X, Y, weight)) < 1e-28
    assert total.count == np.count_nonzero(weight)


def test_at_the_least_squares_solution_the_gradient_vanishes_to_the_last_digit_stored():
    X, Y = np.arange(10.0)[:, None], 3 * np.arange(10.0)[:, None] - 7
    Y[:4, 0] += [1, -1, -1, 1]  # noise without mean or slope
    found = Gradient.of(X, Y, coefficients=Pair.of(np.array([[3.0, -7.0]])))
    assert found.high.tolist() == [[0.0, 0.0, 4.0]]
    assert not found.low.any()


def test_a_cell_that_is_no_number_shows_in_the_sums(rows):
    X, Y, _weight, _ = rows
    X[3, 0] = np.nan
    assert not np.isfinite(Gradient.of(X, Y, coefficients=COEFFICIENTS).sums).any()


def test_a_gradient_of_unequal_parts_is_refused():
    sound = Gradient.empty(3, 2)
    sound.check()
    for low in (np.zeros((2, 4)), np.zeros(5)):
        with pytest.raises(
            ValueError, match=r"a gradient is a pair of \(targets, columns \+ 2\) arrays of equal shape"
        ):
            replace(sound, low=low).check()
