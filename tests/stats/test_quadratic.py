"""Quadratic: the step and the spread of a curvature, against plain linear algebra."""

import numpy as np
import pytest

from glaswerk.stats.quadratic import Quadratic


def curvature(scores, d=3, seed=0, repeat=False, offset=0.0):
    """A Hessian of softmax type at uneven shares, its columns seen from `offset`."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, d)) * 10.0 ** np.arange(d) + offset
    if repeat:
        X[:, 2] = 2 * X[:, 0] - 7
    A = np.column_stack([X, np.ones(80)])
    share = rng.dirichlet(np.ones(max(scores, 2)), 80)
    if scores == 1:
        return A.T @ (A * (share[:, 0] * share[:, 1])[:, None])
    blocks = np.einsum("nk,kl->nkl", share, np.eye(scores)) - np.einsum("nk,nl->nkl", share, share)
    return np.einsum("nkl,na,nb->kalb", blocks, A, A).reshape(scores * (d + 1), -1)


def penalised(H, scores, penalty):
    size = len(H) // scores
    return H + np.kron(np.eye(scores), np.diag(np.append(np.full(size - 1, penalty), 0.0)))


@pytest.mark.parametrize("scores", [1, 3, 4])
@pytest.mark.parametrize("penalty", [0.0, 2.5])
def test_the_step_solves_the_normal_equations(scores, penalty):
    """[NAN-NEWTON] (H + Λ) u = g, for g whose rows add up to zero where there are several."""
    H = curvature(scores)
    rng = np.random.default_rng(1)
    g = rng.normal(size=(scores, 4))
    g -= g.mean(axis=0) if scores > 1 else 0.0
    u = Quadratic.of(H, scores, penalty, True).solve(g)
    np.testing.assert_allclose(penalised(H, scores, penalty) @ u.ravel(), g.ravel(), atol=1e-9)
    if scores > 1:
        np.testing.assert_allclose(u.sum(axis=0), 0.0, atol=1e-9 * np.abs(u).max())


@pytest.mark.parametrize("scores", [1, 3])
def test_without_an_intercept_its_row_is_left_out(scores):
    H = curvature(scores).reshape(scores, 4, scores, 4)
    H[:, 3], H[..., 3] = 0.0, 0.0
    g = np.zeros((scores, 4))
    g[0, :3], g[-1, :3] = 1.0, -1.0 if scores > 1 else 1.0
    u = Quadratic.of(H.reshape(scores * 4, -1), scores, 0.0, False).solve(g)
    np.testing.assert_allclose(H.reshape(scores * 4, -1) @ u.ravel(), g.ravel(), atol=1e-9)
    assert not u[:, 3].any()


@pytest.mark.parametrize("penalty", [0.0, 2.5])
def test_the_covariance_is_the_inverse_seen_from_the_origin(penalty):
    """[BG-CE] With columns x - s, the intercept at zero is b - sᵀw: the spread is that of the untouched columns."""
    shift = np.full(3, 3.0)
    seen = Quadratic.of(curvature(1), 1, penalty, True).covariance(shift)[0, :, 0]
    plain = curvature(1, offset=3.0)
    wanted = np.linalg.inv(penalised(plain, 1, penalty))
    np.testing.assert_allclose(seen, wanted, rtol=1e-8, atol=1e-12 * np.abs(wanted).max())


def test_the_covariance_of_differences_is_that_of_a_reference_class():
    H = curvature(3)
    spread = Quadratic.of(H, 3, 0.0, True).covariance(np.zeros(3))
    seen = [spread[a, :, b] - spread[a, :, 0] - spread[0, :, b] + spread[0, :, 0] for a in (1, 2) for b in (1, 2)]
    reduced = np.linalg.inv(H[4:, 4:])  # class 0 held at zero
    wanted = [reduced[a : a + 4, b : b + 4] for a in (0, 4) for b in (0, 4)]
    np.testing.assert_allclose(seen, wanted, rtol=1e-7, atol=1e-12)


def test_repeated_columns_take_the_shortest_step_and_are_counted():
    H = curvature(1, repeat=True)
    curve = Quadratic.of(H, 1, 0.0, True)
    assert (curve.factor.rank, curve.factor.full) == (2, False)
    g = H @ np.array([1.0, -0.2, 0.5, 2.0])
    u = curve.solve(g[None, :])[0]
    np.testing.assert_allclose(H @ u, g, rtol=1e-7)
    np.testing.assert_allclose(u[0] * 1.0 + u[2] * 2.0, 1.0 + 2 * 0.5, rtol=1e-6)  # what the rows determine
    np.testing.assert_allclose(u[2], 2 * u[0], rtol=1e-6)  # orthogonal to (2, 0, -1), along which nothing changes


def test_each_row_is_solved_alone_where_the_curvature_is_shared():
    curve = Quadratic.of(curvature(1), 1, 1.0, True)
    right = np.random.default_rng(2).normal(size=(3, 4))
    found = curve.solve_each(right)
    for k in range(3):
        np.testing.assert_array_equal(found[k], curve.solve(right[k : k + 1])[0])


def test_nothing_that_curves_is_an_error():
    with pytest.raises(np.linalg.LinAlgError, match="nothing curves"):
        Quadratic.of(np.zeros((4, 4)), 1, 1.0, True)
