"""Tiles: the loops over them against array twins, the sums they keep, what holds on any number of threads."""

import numpy as np
import pytest

from glaswerk import kernels
from glaswerk.optim.lloyd import assign, furthest
from glaswerk.optim.tiles import LANES, Extent, Tiles
from glaswerk.passes import Block


def tiles_of(X, weight=None, shift=None):
    weight = np.zeros(0) if weight is None else weight
    return Tiles.of(Block(0, X, np.zeros((len(X), 0)), weight), np.zeros(X.shape[1]) if shift is None else shift)


@pytest.mark.parametrize(("n", "d"), [(1, 1), (255, 3), (256, 2), (257, 9), (700, 17)])
def test_rows_are_laid_out_with_their_lengths_and_sums(n, d):
    X, shift = np.random.default_rng(n).normal(size=(n, d)), np.arange(d) / 4
    tiles = tiles_of(X, shift=shift)
    back = tiles.cells.transpose(0, 2, 1).reshape(-1, d)
    np.testing.assert_array_equal(back[:n], X - shift)
    assert not back[n:].any()
    np.testing.assert_allclose(tiles.squares.ravel()[:n], ((X - shift) ** 2).sum(axis=1), rtol=1e-13)
    np.testing.assert_allclose(tiles.sums, [(X - shift).sum(axis=0), ((X - shift) ** 2).sum(axis=0)], atol=1e-12)
    np.testing.assert_array_equal(tiles.row(n - 1), X[-1] - shift)
    np.testing.assert_allclose(Extent.of(tiles).variance, X.var(axis=0), atol=1e-12)


@pytest.mark.parametrize("d", [1, 2, 3, 8, 11, 21, 31, 32, 40])
@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_e_step_and_its_sums_against_their_twin(d, k, direct, weighted):
    rng = np.random.default_rng(d * 10 + k)
    X, centres = rng.normal(size=(600, d)), rng.normal(size=(k, d))
    w = rng.integers(0, 3, 600).astype(float) if weighted else np.ones(600)
    tiles = tiles_of(X, w if weighted else None)
    found = assign(tiles, centres, direct)
    squares = ((X[:, None] - centres) ** 2).sum(axis=2)
    np.testing.assert_array_equal(tiles.labels[:600], squares.argmin(axis=1))
    chosen = np.eye(k)[squares.argmin(axis=1)] * w[:, None]
    np.testing.assert_allclose(found.count, chosen.sum(axis=0))
    np.testing.assert_allclose(found.sums, chosen.T @ X, atol=1e-11)
    assert found.changed == 600
    assert found.error == pytest.approx((chosen * squares).sum(), rel=1e-12)
    moved = centres + rng.normal(size=(k, d)) / 4
    more, squares = assign(tiles, moved, direct), ((X[:, None] - moved) ** 2).sum(axis=2)
    after = np.eye(k)[squares.argmin(axis=1)] * w[:, None]
    np.testing.assert_allclose(found.sums + more.sums, after.T @ X, atol=1e-11)
    assert more.changed == (chosen.argmax(axis=1) != after.argmax(axis=1))[w > 0].sum() or weighted


def test_of_equally_near_centres_the_first_is_taken():
    tiles = tiles_of(np.zeros((3, 2)))
    assign(tiles, np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), False)
    assert tiles.labels[:3].tolist() == [1, 1, 1]


@pytest.mark.parametrize("weighted", [False, True])
def test_seeds_are_tried_and_taken_as_their_twin_does(weighted):
    rng = np.random.default_rng(3)
    X, seeds, w = rng.normal(size=(520, 3)), rng.normal(size=(3, 3)), rng.random(520)
    weight = w if weighted else np.zeros(0)
    w = w if weighted else np.ones(520)
    tiles, tile_sums, potential = tiles_of(X, weight), np.empty(3), np.zeros(3)
    closest = np.full(tiles.squares.shape, np.inf)
    kernels.take_seed(tiles.cells, 520, weight, closest, X[7], tile_sums)
    near = ((X - X[7]) ** 2).sum(axis=1)
    np.testing.assert_allclose(closest.ravel()[:520], near, rtol=1e-13)
    parts = [(w * near)[k : k + LANES].sum() for k in range(0, 520, LANES)]
    np.testing.assert_allclose(tile_sums, parts, rtol=1e-12)
    kernels.try_seeds(tiles.cells, 520, weight, closest, seeds, potential)
    tried = np.minimum(near, ((X - seeds[:, None]) ** 2).sum(axis=2)) @ w
    np.testing.assert_allclose(potential, tried, rtol=1e-12)


def test_the_furthest_rows_come_first_and_of_equals_the_earlier():
    X = np.array([[0.0], [3.0], [-3.0], [1.0]])
    tiles = tiles_of(X, np.array([1.0, 1.0, 2.0, 0.0]))
    assign(tiles, np.zeros((1, 1)), False)
    found = furthest(tiles, np.zeros((1, 1)), 3, False)
    assert found.number.tolist() == [1, 2, 0]
    assert found.weight.tolist() == [1.0, 2.0, 1.0]
    assert (found + found).number.tolist() == [1, 1, 2]


def test_errors_are_summed_by_centre():
    X = np.arange(6.0)[:, None]
    tiles = tiles_of(X)
    centres, errors = np.array([[1.0], [4.0]]), np.zeros(2)
    assign(tiles, centres, False)
    kernels.errors_by_centre(tiles.cells, 6, tiles.weight, centres, tiles.labels, errors)
    assert errors.tolist() == [2.0, 2.0]
