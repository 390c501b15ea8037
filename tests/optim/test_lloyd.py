"""Rounds of k-means: one block in one go against block by block, rows that are not held, centres without rows."""

import pickle
from functools import partial

import numpy as np
import polars as pl
import pytest

from glaswerk import GaussianMixture, KMeans, kernels
from glaswerk.optim import lloyd as lloyd_module
from glaswerk.optim.lloyd import assign, resummed
from glaswerk.optim.tiles import TiledRows, Tiles
from glaswerk.passes import ArraySource, Block


def clumps(n, d, k, seed=0):
    rng = np.random.default_rng(seed)
    return 3 * rng.normal(size=(k, d))[rng.integers(0, k, n)] + rng.normal(size=(n, d))


def tiles_of(X, weight=None):
    return Tiles.of(Block(0, X, np.zeros((len(X), 0)), np.zeros(0) if weight is None else weight), np.zeros(X.shape[1]))


def test_the_m_step_against_its_twin():
    rng = np.random.default_rng(1)
    centres, count, sums = rng.normal(size=(4, 3)), np.array([2.0, 0.0, 1.0, 5.0]), rng.normal(size=(4, 3))
    moved, told = np.empty((4, 3)), np.empty(4)
    kernels.move_centres(centres, count, sums, moved, told)
    twin = np.where(count[:, None] > 0, sums / np.where(count > 0, count, 1)[:, None], centres)
    np.testing.assert_allclose(moved, twin, rtol=1e-15)
    cross = 2 * (twin * sums).sum() - (count * (twin**2).sum(axis=1)).sum()
    np.testing.assert_allclose(told, [((twin - centres) ** 2).sum(), cross, (twin**2).sum(axis=1).max(), 1], rtol=1e-12)


@pytest.mark.parametrize(("d", "k"), [(1, 1), (2, 5), (9, 12)])
@pytest.mark.parametrize("weighted", [False, True])
def test_rounds_in_one_go_are_those_taken_one_by_one(d, k, weighted, monkeypatch):  # [BG-KMEANS]
    X = clumps(700, d, 6)
    w = np.random.default_rng(d).integers(1, 4, 700).astype(float) if weighted else None
    settings = {"init": X[:k], "tol": 0, "trace": True}
    at_once = KMeans(k, **settings).fit(X, sample_weight=w)
    monkeypatch.setattr(TiledRows, "alone", False)
    singly = KMeans(k, **settings).fit(X, sample_weight=w)
    np.testing.assert_array_equal(at_once.labels_, singly.labels_)
    np.testing.assert_array_equal(at_once.cluster_centers_, singly.cluster_centers_)
    ours, theirs = at_once.solution_.rounds, singly.solution_.rounds
    np.testing.assert_array_equal(ours.changed, theirs.changed)
    for part in ("assigned", "averaged", "moved", "trail"):
        np.testing.assert_allclose(getattr(ours, part), getattr(theirs, part), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("far", [False, True])
def test_a_round_left_undone_counts_the_rows_it_changed(far, monkeypatch):
    X = np.concatenate([clumps(150, 2, 2), clumps(150, 2, 2) + (1e5 if far else 40)])
    start = np.concatenate([X[[0, 1, 299]], [[1e3, -1e3]]])  # the last stands for no row at first
    at_once = KMeans(4, init=start, tol=0).fit(X)
    monkeypatch.setattr(TiledRows, "alone", False)
    singly = KMeans(4, init=start, tol=0).fit(X)
    assert at_once.solution_.rounds.relocated.sum() == 1
    assert at_once.solution_.direct == far
    for part in ("changed", "relocated"):
        ours, theirs = (getattr(model.solution_.rounds, part) for model in (at_once, singly))
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(at_once.cluster_centers_, singly.cluster_centers_)


def test_rows_that_are_not_held_keep_nothing_from_pass_to_pass():
    source = ArraySource(clumps(500, 2, 3), np.zeros((500, 0)))
    rows = TiledRows(source, np.zeros(2), None)
    observe = partial(assign, centres=source.X[:3], direct=False)
    again, asked = pickle.loads(pickle.dumps((rows, observe)))  # as it would travel to another process
    first, second = (asked(next(iter(walked.blocks(0, 1)))) for walked in (again, rows))
    np.testing.assert_array_equal(first.sums, second.sums)
    assert first.count.sum() == 500
    assert asked(next(iter(again.blocks(0, 1)))).changed == 500


def test_a_checkpoint_takes_a_fit_up_where_it_was_interrupted(tmp_path, monkeypatch):
    X = clumps(3 * 65_536, 2, 4).round(6)
    pl.DataFrame(X, schema=["a", "b"]).write_parquet(tmp_path / "rows.parquet", row_group_size=50_000)
    monkeypatch.setattr("glaswerk.optim.tiles.HELD_BYTES", 1000)
    settings = {"tol": 0, "max_iter": 6, "init": X[:4]}
    here, kept = KMeans(4, **settings), KMeans(4, **settings)
    here.fit_source(tmp_path / "rows.parquet")
    seen, real = [], lloyd_module.assign

    def breaks_off(tiles, centres, direct):
        seen.append(tiles.first)
        if len(seen) == 8:
            raise KeyboardInterrupt
        return real(tiles, centres, direct)

    monkeypatch.setattr(lloyd_module, "assign", breaks_off)
    source = {"engine": "serial", "checkpoint": tmp_path / "fit.ckpt"}
    with pytest.raises(KeyboardInterrupt):
        kept.fit_source(tmp_path / "rows.parquet", **source)
    kept.fit_source(tmp_path / "rows.parquet", **source)
    assert len(seen) < 8 + 3 * (here.n_iter_ + 1)  # what had been summed was not summed again
    np.testing.assert_array_equal(kept.labels_, here.labels_)
    np.testing.assert_allclose(kept.cluster_centers_, here.cluster_centers_, rtol=1e-12)
    assert kept.n_iter_ == here.n_iter_
    assert (kept.solution_.rounds.changed == -1).all()


def test_all_rows_are_summed_anew_at_the_end():
    X, w = clumps(300, 2, 3), np.arange(300) % 3 + 1.0
    tiles = tiles_of(X, w)

    class Once:
        def sum(self, rows, observe):
            return observe(tiles)

    found = resummed(Once(), None, X[:4], False).clustered(X[:4], True, False, None)
    squares = ((X[:, None] - X[:4]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(found.labels, squares.argmin(axis=1))
    assert found.error == pytest.approx((w * squares.min(axis=1)).sum(), rel=1e-12)


def test_a_mixture_may_start_from_fewer_centres_than_rows_had_before():
    X = np.repeat([[0.0, 1.0], [2.0, 3.0]], 9, axis=0)
    assert np.isfinite(GaussianMixture(3).fit(X).lower_bound_)
