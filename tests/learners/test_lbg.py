"""LBG: a codebook by hand, k-means from its own start as oracle, laws of its growth, edges, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans as SklearnKMeans

from glaswerk import LBG, KMeans, load, save
from glaswerk.facts import Curve, Prototypes
from tests.learners.test_kmeans import clumps


def test_two_pairs_by_hand():  # [BG-LBG]
    model = LBG(4, tol=0).fit([[0.0], [1.0], [9.0], [10.0]])
    assert sorted(model.cluster_centers_.ravel().tolist()) == [0.0, 1.0, 9.0, 10.0]
    assert model.solution_.sizes.tolist() == [1, 2, 4]
    np.testing.assert_allclose(model.solution_.errors, [20.5, 0.25, 0.0], atol=1e-12)
    assert model.inertia_ == 0


@pytest.mark.parametrize("d", [2, 5, 35])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_last_stage_is_k_means_from_its_codebook(d, weighted):
    X = clumps(600, d, 6)
    w = np.random.default_rng(0).integers(0, 3, 600) if weighted else None
    model = LBG(8, tol=0, trace=True).fit(X, sample_weight=w)
    start = model.solution_.partition.rounds.trail[0]
    rival = SklearnKMeans(8, init=start, n_init=1, tol=0).fit(X, sample_weight=w)
    assert model.inertia_ == pytest.approx(rival.inertia_, rel=1e-12)
    np.testing.assert_array_equal(model.labels_, rival.labels_)
    np.testing.assert_allclose(model.cluster_centers_, rival.cluster_centers_, atol=1e-10)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 12), st.sampled_from(["all", 1, 2]))
def test_it_grows_as_asked_and_the_error_falls(seed, most, split):
    X = clumps(120, 2, 5, seed)
    model = LBG(most, split=split, random_state=seed, tol=0).fit(X)
    sizes = model.solution_.sizes
    steps = np.diff(sizes)
    assert (
        steps == np.minimum(sizes[:-1] if split == "all" else np.minimum(split, sizes[:-1]), most - sizes[:-1])
    ).all()
    assert sizes[-1] == most
    assert (np.diff(model.solution_.errors) <= 1e-9 * model.solution_.errors[0]).all()
    again = KMeans(most, init=model.cluster_centers_, tol=0).fit(X)
    assert again.inertia_ == pytest.approx(model.inertia_, rel=1e-10)


def test_it_ends_when_the_error_is_small_enough():
    X = clumps(500, 2, 4, apart=8.0)
    model = LBG(64, error_threshold=3.0).fit(X)
    assert model.solution_.reached
    assert model.solution_.errors[-1] < 3.0 <= model.solution_.errors[-2]
    assert len(model.cluster_centers_) < 64
    assert "below e_min = 3" in str(model.facts())


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_a_weight_is_a_repetition_and_the_order_of_rows_is_nothing(seed):
    X, rng = clumps(60, 2, 3, seed), np.random.default_rng(seed)
    w = rng.integers(0, 4, 60)
    weighted = LBG(4, tol=0).fit(X, sample_weight=w)
    repeated = LBG(4, tol=0).fit(rng.permutation(np.repeat(X, w, axis=0)))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, atol=1e-9)


def test_more_prototypes_than_distinct_rows_splits_no_further():
    model = LBG(8).fit(np.repeat([[0.0, 1.0], [2.0, 3.0], [7.0, 1.0]], 4, axis=0))
    assert len(model.cluster_centers_) == 3
    assert model.inertia_ == pytest.approx(0, abs=1e-25)
    assert "No prototype could be split" in str(model.facts())
    assert LBG(5).fit([[3.0, 4.0]]).cluster_centers_.tolist() == [[3.0, 4.0]]


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_scales_and_offsets_change_nothing(scale):
    X = clumps(300, 3, 4)
    plain, moved = LBG(4).fit(X), LBG(4).fit(X * scale + 64 * scale)
    np.testing.assert_array_equal(plain.labels_, moved.labels_)


def test_threads_change_nothing_and_files_hold_it(tmp_path):
    X = clumps(70_000, 2, 6)
    one, two = LBG(8, n_jobs=1, max_iter=5).fit(X), LBG(8, n_jobs=2, max_iter=5).fit(X)
    np.testing.assert_array_equal(one.cluster_centers_, two.cluster_centers_)
    save(one, tmp_path / "model.glw")
    np.testing.assert_array_equal(load(tmp_path / "model.glw").predict(X[:99]), one.labels_[:99])


def test_what_it_says():
    facts = LBG(4).fit(clumps()).facts()
    assert len(facts.of_kind(Prototypes)) == 1
    grew = facts.of_kind(Curve)[-1]
    assert grew.lines[0].x == (1.0, 2.0, 4.0)
    assert "3 stages" in grew.says


@pytest.mark.parametrize(
    ("model", "message"),
    [(LBG(0), "n_prototypes must be an integer >= 1"), (LBG(split=0), "split must be 'all' or an integer >= 1")],
)
def test_bad_parameters_are_refused_by_name(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit([[1.0]])
