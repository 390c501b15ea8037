"""EM over tiles: every sum against its twin in NumPy; padding, rows of no weight and missing rows leave no trace."""

import numpy as np
import pytest

from glaswerk import kernels
from glaswerk.optim.mixture import KINDS, Mixture, Natural, Whitened, observe, observe_partition
from glaswerk.optim.tiles import Tiles
from glaswerk.passes import Block

SIZES = [(1, 1, 1), (300, 2, 3), (520, 5, 8), (270, 19, 2)]


def tiles_of(X, weight=None):
    return Tiles.of(Block(0, X, np.zeros((len(X), 0)), np.zeros(0) if weight is None else weight), np.zeros(X.shape[1]))


def mixture(kind, k, d, rng):
    matrices = np.array([a @ a.T + np.eye(d) for a in rng.normal(size=(k, d, d))])
    shaped = {
        "full": matrices,
        "tied": matrices[0],
        "diag": np.diagonal(matrices, axis1=1, axis2=2).copy(),
        "spherical": matrices[:, 0, 0].copy(),
    }
    return Mixture(kind, rng.dirichlet(np.ones(k)), rng.normal(size=(k, d)), shaped[kind])


def twin(X, w, found):
    """Responsibilities times weights (n, k) and ln p (n,), written out."""
    logs = []
    for share, mean, matrix in zip(found.weights, found.means, found.matrices(), strict=True):
        away = X - mean
        inner = np.einsum("ij,ij->i", away @ np.linalg.inv(matrix), away)
        logs.append(np.log(share) - 0.5 * (inner + np.linalg.slogdet(2 * np.pi * matrix)[1]))
    logs = np.array(logs).T
    top = logs.max(axis=1)
    density = top + np.log(np.exp(logs - top[:, None]).sum(axis=1))
    return w[:, None] * np.exp(logs - density[:, None]), density


@pytest.mark.parametrize(("n", "d", "k"), SIZES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_natural_form_against_its_twin(n, d, k, kind, weighted):  # [BG-GMM] [BG-EM]
    rng = np.random.default_rng(n + d)
    X, found = rng.normal(size=(n, d)), mixture(kind, k, d, rng)
    w = rng.integers(0, 3, n).astype(float) if weighted else np.ones(n)
    form = Whitened.of(found)
    form = Natural.of(found, form.turns, form.constant)
    step = observe(tiles_of(X, w if weighted else None), form)
    shares, density = twin(X, w, found)
    assert step.total - 0.5 * (0 if form.common is None else np.einsum("ij,i,ik,jk", X, w, X, form.common)) == (
        pytest.approx((w * density).sum(), rel=1e-9, abs=1e-9)
    )
    second = np.einsum("nk,ni,nj->kij", shares, X, X)
    count, means, _ = form.solve(step.sums, np.einsum("n,ni,nj->ij", w, X, X))
    np.testing.assert_allclose(count, shares.sum(axis=0), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(means * count[:, None], shares.T @ X, rtol=1e-8, atol=1e-10)
    if kind == "full":
        a, b = np.tril_indices(d)
        np.testing.assert_allclose(step.sums[:k, : len(a)], second[:, a, b], rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize(("n", "d", "k"), SIZES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("apart", [0.3, 20.0])
def test_the_whitened_form_against_its_twin(n, d, k, weighted, apart):  # [BG-GMM] [BG-EM]
    rng = np.random.default_rng(n + d)
    found = mixture("full", k, d, rng)
    X = apart * found.means[rng.integers(0, k, n)] + rng.normal(size=(n, d))
    found = Mixture("full", found.weights, apart * found.means, found.covariances)
    w = rng.integers(0, 3, n).astype(float) if weighted else np.ones(n)
    form = Whitened.of(found)
    step = observe(tiles_of(X, w if weighted else None), form)
    shares, density = twin(X, w, found)
    assert step.total == pytest.approx((w * density).sum(), rel=1e-9)
    assert step.least == (pytest.approx(density.min(), rel=1e-9), density.argmin())
    check_moments(form, step.sums, X, shares)


def check_moments(form, sums, X, shares):
    count, means, spread = form.solve(sums)
    np.testing.assert_allclose(count, shares.sum(axis=0), rtol=1e-9, atol=1e-12)
    for k in np.flatnonzero(count > 1e-6):
        mean = np.average(X, axis=0, weights=shares[:, k])
        away = X - mean
        np.testing.assert_allclose(means[k], mean, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(spread[k], (shares[:, k] * away.T) @ away / count[k], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_that_belong_wholly_to_the_nearest_centre(weighted):
    rng = np.random.default_rng(3)
    X, centres = rng.normal(size=(700, 3)), rng.normal(size=(5, 3))
    w = rng.integers(1, 3, 700).astype(float) if weighted else np.ones(700)
    form = Whitened.of(Mixture("spherical", np.full(5, 0.2), centres, np.ones(5)))
    step = observe_partition(tiles_of(X, w if weighted else None), form, centres, direct=False)
    nearest = ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    check_moments(form, step.sums, X, np.eye(5)[nearest] * w[:, None])


def test_responsibilities_of_new_rows_far_from_all_components_are_finite():  # [BG-LOGLIKGMM]
    found = Mixture("full", np.array([0.5, 0.5]), np.array([[0.0], [1.0]]), np.full((2, 1, 1), 1e-4))
    form = Whitened.of(found)
    shares, density = np.empty((2, 2)), np.empty(2)
    turns = np.concatenate([form.turns, np.zeros((2, 3, 1))], axis=1)
    kernels.whitened_shares(
        tiles_of(np.array([[40.0], [-40.0]])).cells, 2, found.means, turns, form.constant, shares, density
    )
    np.testing.assert_allclose(shares, [[0, 1], [1, 0]])
    np.testing.assert_allclose(density, -0.5 * np.array([39.0, 40.0]) ** 2 / 1e-4, rtol=1e-3)
