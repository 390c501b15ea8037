"""The kernel that takes rows one at a time: its readable twin, a flat corner, rows of zeros."""

import numpy as np
import pytest

from glaswerk import kernels


def twin(rows, targets, root):
    """After every row the least-squares solution of the prior's rows and those seen, by QR from scratch."""
    means, before = [], []
    for i, row in enumerate(rows):
        seen = np.vstack([root, rows[:i]])
        image = np.append(np.zeros(len(root)), targets[:i])
        if i == 0 and root[0, 0] == 0:
            before.append((0.0, np.inf))
        else:
            Q, R = np.linalg.qr(seen)
            across = np.linalg.solve(R.T, row)
            before.append((row @ np.linalg.solve(R, Q.T @ image), across @ across))
        Q, R = np.linalg.qr(np.vstack([seen, row]))
        means.append(np.linalg.solve(R, Q.T @ np.append(image, targets[i])))
    return np.array(means), np.array(before)


def by_kernel(rows, targets, root):
    n, p = rows.shape
    means, before, root = np.empty((n, p)), np.empty((n, 2)), root.copy()
    kernels.posterior_path(rows, targets, root, np.zeros((1, p)), means, before)
    return means, before, root


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("p", [1, 2, 5, 20])
def test_the_path_equals_solving_anew_after_every_row(p, flat):
    rng = np.random.default_rng(p)
    rows, targets = rng.normal(size=(30, p)), rng.normal(size=30)
    rows[:, 0] = 1.0
    root = np.diag(np.append(0.0 if flat else 0.5, np.full(p - 1, 0.7)))
    means, before, last = by_kernel(rows, targets, root)
    expected, expected_before = twin(rows, targets, root)
    np.testing.assert_allclose(means, expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(before, expected_before, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(last.T @ last, root.T @ root + rows.T @ rows, rtol=1e-12, atol=1e-12)
    assert (np.tril(last, -1) == 0).all()


def test_a_row_of_zeros_says_nothing():
    root = np.eye(3)
    means, before, last = by_kernel(np.zeros((2, 3)), np.array([1.0, 2.0]), root)
    assert (means == 0).all()
    assert (before == 0).all()
    assert (last == root).all()


def test_a_variance_keeps_its_digits_however_little_a_row_adds():
    rows = np.array([[3.0, -2.0, 1.0]])
    for size in (1e-3, 1.0, 1e5, 1e9):
        root = np.diag([1.0, 2.0, 4.0]) * size
        np.testing.assert_allclose(by_kernel(rows, np.ones(1), root)[1][0, 1] * size**2, 9 + 1 + 1 / 16, rtol=1e-13)
