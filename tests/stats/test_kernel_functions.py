"""Kernels: the identity of script D with its features written out, scikit-learn as oracle, edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import pairwise

from glaswerk.stats.kernel_functions import (
    KINDS,
    KernelFunction,
    blocks_of_rows,
    n_polynomial_features,
    polynomial_features,
)


def rows(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def test_the_features_of_the_script():
    """[SCH-PHI] φ(x) = (x₁², √2 x₁x₂, x₂²) has φ(a)ᵀφ(b) = (aᵀb)²."""
    a = np.array([[3.0, -2.0]])
    np.testing.assert_allclose(polynomial_features(a, 2), [[9.0, -6.0 * np.sqrt(2), 4.0]])
    A, B = rows(20, 2), rows(30, 2, 1)
    written = polynomial_features(A, 2) @ polynomial_features(B, 2).T
    np.testing.assert_allclose(written, (A @ B.T) ** 2, rtol=1e-12, atol=1e-14)


@given(st.integers(1, 4), st.integers(0, 5), st.floats(0.1, 3), st.sampled_from([0.0, 0.5, 2.0]))
def test_a_polynomial_kernel_is_a_product_of_features(d, degree, gamma, coef0):
    """[SCH-KERNEL] [SCH-POLY]"""
    A, B = rows(6, d), rows(7, d, 1)
    cells = KernelFunction("poly", gamma, coef0, degree).matrix(A, B)
    written = polynomial_features(A, degree, gamma, coef0)
    assert written.shape[1] == n_polynomial_features(d, degree, coef0)
    other = polynomial_features(B, degree, gamma, coef0)
    np.testing.assert_allclose(written @ other.T, cells, rtol=1e-9, atol=1e-9 * np.abs(cells).max())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kernel_equals_scikit_learns(kind):
    A, B = rows(40, 3), rows(50, 3, 1)
    kernel = KernelFunction(kind, 0.3, 0.7, 3)
    theirs = {
        "linear": lambda: pairwise.linear_kernel(A, B),
        "poly": lambda: pairwise.polynomial_kernel(A, B, gamma=0.3, coef0=0.7, degree=3),
        "rbf": lambda: pairwise.rbf_kernel(A, B, gamma=0.3),
        "sigmoid": lambda: pairwise.sigmoid_kernel(A, B, gamma=0.3, coef0=0.7),
    }[kind]()
    np.testing.assert_allclose(kernel.matrix(A, B), theirs, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(kernel.diagonal(A), np.diag(kernel.matrix(A, A)), rtol=1e-12)
    assert "aᵀb" in kernel.formula or "|a - b|" in kernel.formula


def test_equal_rows_are_as_alike_as_can_be():
    A = np.repeat(rows(1, 5), 3, axis=0)
    np.testing.assert_array_equal(KernelFunction("rbf", 1e6).matrix(A, A), np.ones((3, 3)))


@given(st.integers(0, 3000), st.integers(0, 10**7))
def test_blocks_cover_every_row_once(n, m):
    found = [row for part in blocks_of_rows(n, m) for row in range(part.start, part.stop)]
    assert found == list(range(n))


def test_a_kernel_from_a_file_must_be_one():
    with pytest.raises(ValueError, match="known kind"):
        KernelFunction("cosine").check()
    with pytest.raises(ValueError, match="gamma > 0"):
        KernelFunction("rbf", 0.0).check()
