"""Separation: certificates against a linear program, sentences against the cells."""

import numpy as np
import pytest
from scipy.optimize import linprog

from glaswerk.stats.separation import Sides, Verdict, leads, moves_little


def sides(X, codes, direction=None, weight=None, K=2):
    X, codes = np.asarray(X, dtype=float), np.asarray(codes, dtype=float)
    direction = np.zeros((1 if K == 2 else K, X.shape[1] + 1)) if direction is None else np.asarray(direction)
    weight = np.zeros(0) if weight is None else np.asarray(weight, dtype=float)
    return Sides.of(X, codes, weight, direction=direction, shift=np.zeros(X.shape[1]), n_classes=K)


def test_columns_that_separate_alone_are_named_with_their_borders():
    X = [[1, 5], [2, 7], [3, 5], [4, 8]]
    found = sides(X, [0, 0, 1, 1]).telling(("age", "size"), ["no", "yes"], True)
    assert found == ("column 'age' alone: every row of 'yes' has >= 3, every row of 'no' <= 2",)


def test_a_shared_border_counts_and_a_constant_column_does_not():
    X = [[0, 1], [0, 1], [0, 1], [1, 1]]
    assert len(sides(X, [0, 0, 1, 1]).telling(("dummy", "one"), ["a", "b"], True)) == 1
    assert sides(X, [0, 1, 0, 1]).telling(("dummy", "one"), ["a", "b"], True)
    assert not sides([[0], [1], [0], [1]], [0, 0, 1, 1]).telling(("x",), ["a", "b"], True)


def test_without_an_intercept_the_border_must_be_zero():
    X, codes = [[1], [2], [3], [4]], [0, 0, 1, 1]
    assert sides(X, codes).telling(("x",), ["a", "b"], True)
    assert not sides(X, codes).telling(("x",), ["a", "b"], False)
    assert sides([[-1], [-2], [3], [0]], codes).telling(("x",), ["a", "b"], False)


def test_one_of_three_classes_may_stand_apart():
    found = sides([[1], [2], [1.5], [2], [5], [6]], [0, 0, 1, 1, 2, 2], K=3).telling(("x",), ["a", "b", "c"], True)
    assert len(found) == 1
    assert "every row of 'c' has >= 5, every row of any other class <= 2" in found[0]


def test_sides_of_parts_add_up_and_rows_of_weight_zero_are_absent():
    rng = np.random.default_rng(0)
    X, codes, weight = rng.normal(size=(50, 3)), rng.integers(0, 3, 50), rng.integers(0, 2, 50)
    direction = rng.normal(size=(3, 4))
    whole = sides(X[weight > 0], codes[weight > 0], direction, K=3)
    parts = [sides(X[s], codes[s], direction, weight[s], K=3) for s in (slice(9), slice(9, 50))]
    total = parts[0] + parts[1]
    for name in ("low", "high", "least", "most"):
        np.testing.assert_array_equal(getattr(total, name), getattr(whole, name))


def test_leads_along_a_direction_are_each_rows_own():
    found = sides([[2.0], [-3.0]], [1, 0], [[1.0, 0.5]])
    assert (found.least, found.most) == (2.5, 2.5)
    many = sides([[2.0], [-3.0]], [1, 0], [[0.0, 0.0], [1.0, 0.0], [0.0, -1.0]], K=3)
    assert (many.least, many.most) == (1.0, 2.0)
    assert many.nearly
    assert not sides([[2.0], [-3.0]], [0, 1], [[1.0, 0.5]]).nearly


def test_rounding_is_no_lead():
    reach = np.array([1e8, 1.0])
    assert leads(1e-3, np.array([[1.0, 0.0]]), reach)
    assert not leads(1e-9, np.array([[1.0, 0.0]]), reach)
    assert not leads(0.0, np.zeros((1, 2)), reach)


@pytest.mark.parametrize("seed", range(12))
def test_the_certificate_of_overlap_agrees_with_a_linear_program(seed):
    """Where the Newton step moves no score by a quarter, no plane separates: Σ λ s a = 0 with λ > 0 is rebuilt here."""
    rng = np.random.default_rng(seed)
    A = np.column_stack([rng.normal(size=(14, 2)), np.ones(14)])
    s = np.where(A[:, 0] + rng.normal(size=14) * 0.7 > 0, 1.0, -1.0)
    program = linprog(np.zeros(3), A_ub=-s[:, None] * A, b_ub=-np.ones(14), bounds=[(None, None)] * 3)
    theta = np.zeros(3)
    for _ in range(200):
        lead = np.clip(s * (A @ theta), -500, 500)
        y, others = 1 / (1 + np.exp(-lead)), 1 / (1 + np.exp(lead))
        H = A.T @ (A * (y * others)[:, None])
        g = A.T @ (-s * others)
        if np.linalg.cond(H) > 1e10:
            break
        u = np.linalg.solve(H, g)
        if moves_little(u[None, :], np.abs(A).max(axis=0)):
            weights = others * (1 + y * s * (A @ u))
            assert (weights > 0).all()
            np.testing.assert_allclose((weights * s) @ A, 0.0, atol=1e-9)
            assert program.status == 2  # infeasible: no plane
            return
        theta -= u / max(1.0, np.abs(A @ u).max())
    assert program.status == 0  # feasible: a plane was found


def test_a_verdict_says_whether_coefficients_are_finite():
    assert [v.name for v in Verdict if v.finite] == ["PENALISED", "OVERLAP"]


def test_sides_of_unequal_parts_are_refused():
    with pytest.raises(ValueError, match="lowest and a highest"):
        Sides(np.zeros((2, 3)), np.zeros((2, 2)), 0.0, 0.0).check()
