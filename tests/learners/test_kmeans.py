"""KMeans: a known partition, scikit-learn's seeds and rounds, laws of the error, edges, bad input."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans as SklearnKMeans
from sklearn.cluster import kmeans_plusplus

from glaswerk import KMeans, load, load_iris, save
from glaswerk.base import Warned
from glaswerk.facts import Curve, MethodCard, Prototypes, Statement
from glaswerk.learner.learner import RoundLearner


def clumps(n=500, d=3, k=5, seed=0, apart=4.0):
    rng = np.random.default_rng(seed)
    centres = apart * rng.normal(size=(k, d))
    return centres[rng.integers(0, k, n)] + rng.normal(size=(n, d))


def iris():
    return load_iris().to_polars().drop("species").to_numpy()


def test_four_points_by_hand():  # [BG-KMEANS] [BG-VQ]
    model = KMeans(2, init=[[0.0], [1.0]], trace=True).fit([[0.0], [1.0], [9.0], [11.0]])
    rounds = model.solution_.rounds
    assert rounds.trail[:, :, 0].tolist() == [[0.0, 1.0], [0.0, 7.0], [0.5, 10.0], [0.5, 10.0]]
    assert rounds.assigned.tolist() == [164.0, 21.0, 2.5]
    np.testing.assert_allclose(rounds.averaged, [56.0, 2.5, 2.5])
    assert model.inertia_ == 2.5
    assert model.solution_.distortion == 0.625  # [BG-VQE]
    assert model.labels_.tolist() == model.predict([[0.0], [1.0], [9.0], [11.0]]).tolist() == [0, 0, 1, 1]
    assert model.transform([[1.0]]).tolist() == [[0.5, 9.0]]
    assert model.score([[1.0], [9.0]]) == -1.25


def test_iris_in_three_has_the_published_error():
    model = KMeans(3, n_init=5).fit(iris())
    assert model.inertia_ == pytest.approx(78.85144142614601, rel=1e-12)
    assert sorted(np.bincount(model.labels_).tolist()) == [38, 50, 62]


@pytest.mark.parametrize(("n", "d", "k"), [(300, 2, 4), (500, 10, 7), (2000, 3, 12), (400, 40, 5)])
@pytest.mark.parametrize("seed", [0, 1])
def test_seeds_and_rounds_are_scikit_learns(n, d, k, seed):
    X = clumps(n, d, k, seed)
    w = np.random.default_rng(seed).integers(1, 4, n).astype(float)
    theirs, _ = kmeans_plusplus(X, k, random_state=seed, sample_weight=w)
    ours = KMeans(k, random_state=seed, max_iter=1, tol=0, trace=True).fit(X, sample_weight=w)
    np.testing.assert_allclose(ours.solution_.rounds.trail[0], theirs, atol=1e-12)
    for init, tol in (("k-means++", 1e-4), ("k-means++", 0), ("random", 1e-4)):
        rival = SklearnKMeans(k, init=init, random_state=seed, tol=tol).fit(X, sample_weight=w)
        model = KMeans(k, init=init, random_state=seed, tol=tol).fit(X, sample_weight=w)
        assert model.n_iter_ == rival.n_iter_
        assert model.inertia_ == pytest.approx(rival.inertia_, rel=1e-12)
        np.testing.assert_array_equal(model.labels_, rival.labels_)
        np.testing.assert_allclose(model.cluster_centers_, rival.cluster_centers_, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(model.transform(X), rival.transform(X), rtol=1e-7, atol=1e-7)
        assert model.score(X) == pytest.approx(rival.score(X), rel=1e-12)


def test_an_empty_cluster_is_relocated_as_scikit_learn_does_and_told():
    X = clumps(200, 2, 3)
    start = np.concatenate([X[:2], [[1e3, 1e3]]])
    rival = SklearnKMeans(3, init=start, n_init=1, tol=0).fit(X)
    model = KMeans(3, init=start, tol=0).fit(X)
    np.testing.assert_array_equal(model.labels_, rival.labels_)
    assert model.inertia_ == pytest.approx(rival.inertia_, rel=1e-12)
    assert model.solution_.rounds.relocated.sum() == 1
    assert "1 time(s) a prototype without rows was moved" in str(model.facts())


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 9), st.integers(1, 4))
def test_no_step_raises_the_error_and_the_end_is_a_fixed_point(seed, k, d):
    X = clumps(80, d, 4, seed)
    model = KMeans(k, init="random", n_init=1, random_state=seed, tol=0).fit(X)
    rounds = model.solution_.rounds
    steps = np.stack([rounds.assigned, rounds.averaged], axis=1).ravel()
    assert (np.diff(steps) <= 1e-10 * steps[0]).all()
    again = KMeans(k, init=model.cluster_centers_, tol=0).fit(X)
    assert again.n_iter_ <= 2  # one to give every row its centre, one in which none changes
    assert again.inertia_ == pytest.approx(model.inertia_, rel=1e-10, abs=1e-10)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_a_weight_is_a_repetition(seed):
    X, rng = clumps(60, 2, 3, seed), np.random.default_rng(seed)
    w = rng.integers(0, 4, 60)
    start = X[np.flatnonzero(w)[:3]]
    weighted = KMeans(3, init=start, tol=0).fit(X, sample_weight=w)
    repeated = KMeans(3, init=start, tol=0).fit(np.repeat(X, w, axis=0))
    np.testing.assert_allclose(weighted.cluster_centers_, repeated.cluster_centers_, atol=1e-12)
    assert weighted.inertia_ == pytest.approx(repeated.inertia_, rel=1e-12, abs=1e-12)


def test_mahalanobis_distance_does_not_see_units_or_shear():  # [BG-MAHA]
    X = clumps(400, 3, 4)
    bent = X @ np.array([[1e3, 5.0, 0.0], [0.0, 1e-2, 3.0], [2.0, 0.0, 1.0]]) + 7
    plain, sheared = (KMeans(4, metric="mahalanobis", init=data[:4]).fit(data) for data in (X, bent))
    np.testing.assert_array_equal(plain.labels_, sheared.labels_)
    assert plain.inertia_ == pytest.approx(sheared.inertia_, rel=1e-9)
    inverse = np.linalg.inv(np.cov(X.T, ddof=0))
    away = X - plain.cluster_centers_[plain.labels_]
    assert plain.inertia_ == pytest.approx(((away @ inverse) * away).sum(), rel=1e-10)
    distances = plain.transform(X[:5])
    by_hand = [[np.sqrt((x - c) @ inverse @ (x - c)) for c in plain.cluster_centers_] for x in X[:5]]
    np.testing.assert_allclose(distances, by_hand, rtol=1e-9)
    flat = np.column_stack([X, X[:, 0] + X[:, 1], np.full(400, 3.0)])
    assert KMeans(4, metric="mahalanobis", init=flat[:4]).fit(flat).solution_.whitening.turn.shape == (3, 5)
    with pytest.raises(ValueError, match="needs a column that varies"):
        KMeans(1, metric="mahalanobis").fit(np.ones((5, 2)))


def test_any_number_of_threads_and_a_file_give_the_same_bits(tmp_path):
    X = clumps(150_000, 2, 6).round(6)
    one, two = (KMeans(6, n_jobs=jobs, max_iter=5).fit(X) for jobs in (1, 2))
    pl.DataFrame(X, schema=["a", "b"]).write_parquet(tmp_path / "rows.parquet", row_group_size=40_000)
    filed = KMeans(6, max_iter=5).fit_source(tmp_path / "rows.parquet")
    serial = KMeans(6, max_iter=5).fit_source(tmp_path / "rows.parquet", engine="serial")
    for other in (two, filed, serial):
        np.testing.assert_array_equal(one.cluster_centers_, other.cluster_centers_)
        np.testing.assert_array_equal(one.labels_, other.labels_)
        assert one.inertia_ == other.inertia_


def test_a_file_that_is_not_held_starts_from_a_sample_and_walks_the_same_rounds(tmp_path, monkeypatch):
    X = clumps(70_000, 2, 4, apart=9.0).round(6)
    pl.DataFrame(X, schema=["a", "b"]).write_parquet(tmp_path / "rows.parquet")
    held = KMeans(4, init=X[:4], tol=0).fit_source(tmp_path / "rows.parquet")
    monkeypatch.setattr("glaswerk.optim.tiles.HELD_BYTES", 1000)
    walked = KMeans(4, init=X[:4], tol=0).fit_source(tmp_path / "rows.parquet")
    np.testing.assert_array_equal(held.cluster_centers_, walked.cluster_centers_)
    np.testing.assert_array_equal(held.labels_, walked.labels_)
    assert KMeans(4).fit_source(tmp_path / "rows.parquet").inertia_ == pytest.approx(
        KMeans(4).fit(X).inertia_, rel=1e-3
    )
    weighted = pl.DataFrame({"a": X[:, 0], "w": np.ones(len(X))})
    weighted.write_parquet(tmp_path / "weighted.parquet")
    assert KMeans(2).fit_source(tmp_path / "weighted.parquet", weight="w").n_features_in_ == 1


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_offsets_and_scales_change_nothing(scale, offset):
    if scale < 1 and offset:
        return  # the doubles 1e8 + 1e-6 x no longer hold x
    X = np.round(clumps(300, 3, 4) * 64) / 64
    plain, moved = (KMeans(4, init=data[:4], tol=0).fit(data) for data in (X, X * scale + offset))
    np.testing.assert_array_equal(plain.labels_, moved.labels_)
    assert moved.inertia_ == pytest.approx(plain.inertia_ * scale**2, rel=1e-8)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_groups_far_apart_are_told_right(kind):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(200, 2)) + at for at in (-1e4, 1e4)]).astype(kind)
    start = np.concatenate([X[:2], X[-2:]]).astype(float)
    model = KMeans(4, init=start, tol=0).fit(X)
    exact = X.astype(float)
    squares = ((exact[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.labels_, squares.argmin(axis=1))
    assert model.inertia_ == pytest.approx(squares.min(axis=1).sum(), rel=1e-10)
    assert model.solution_.direct


def test_more_clusters_than_distinct_rows():
    X = np.repeat([[0.0, 1.0], [2.0, 3.0]], 5, axis=0)
    with pytest.warns(Warned, match="only 2 of 4 prototypes"):
        model = KMeans(4).fit(X)
    assert model.inertia_ == 0
    assert len(set(model.labels_)) == 2


def test_one_row_and_constant_columns():
    model = KMeans(1).fit([[3.0, 4.0]])
    assert (model.cluster_centers_.tolist(), model.inertia_) == ([[3.0, 4.0]], 0.0)
    model = KMeans(2).fit([[0.0, 5.0], [1.0, 5.0], [9.0, 5.0]])
    assert sorted(model.cluster_centers_.tolist()) == [[0.5, 5.0], [9.0, 5.0]]


def test_what_it_says():
    model = KMeans(3, n_init=5).fit(load_iris().to_polars().drop("species"))
    facts = model.facts()
    (found,) = facts.of_kind(Prototypes)
    assert found.columns == ("sepal_length", "sepal_width", "petal_length", "petal_width")
    assert [group.rows for group in found.groups] == [62.0, 50.0, 38.0]
    assert sum(group.share for group in found.groups) == pytest.approx(1)
    assert "explain 88.4 % of the spread" in found.says
    assert found.told(found.groups[1]).startswith("cluster")
    assert "petal_length low (−1.3 sd)" in found.told(found.groups[1])
    assert [len(facts.of_kind(kind)) for kind in (Statement, Curve, MethodCard)] == [1, 1, 1]
    assert model.get_feature_names_out().tolist() == ["kmeans0", "kmeans1", "kmeans2"]


def test_it_is_saved_and_loaded(tmp_path):
    X = clumps()
    model = KMeans(3, metric="mahalanobis").fit(X)
    save(model, tmp_path / "model.glw")
    again = load(tmp_path / "model.glw")
    np.testing.assert_array_equal(again.predict(X), model.labels_)
    assert str(again.facts()) == str(model.facts())


def test_it_has_no_partial_fit_for_its_sums_belong_to_one_round():
    assert issubclass(KMeans, RoundLearner)
    with pytest.raises(AttributeError, match="walks the rows again"):
        KMeans().partial_fit  # noqa: B018


@pytest.mark.parametrize(
    ("model", "X", "message"),
    [
        (KMeans(3), [[1.0], [2.0]], "n_samples=2 should be >= n_clusters=3"),
        (KMeans(2, init=[[1.0, 2.0]]), [[1.0], [2.0]], r"init must be 2 rows of 1 finite numbers, got \(1, 2\)"),
        (KMeans(1), [[1.0], [np.nan]], "X contains NaN: column 'x0', row 1"),
        (KMeans(1), [[1.0], [1e200]], "overflow"),
        (KMeans(1, algorithm="mini"), [[1.0]], "algorithm must be 'lloyd' or 'elkan'"),
    ],
)
def test_bad_input_is_refused_by_name(model, X, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X)


def test_start_functions_and_several_starts():
    X = clumps(200, 2, 4)
    model = KMeans(4, init=lambda rows, k, random_state: rows[:k], n_init=2).fit(X)
    np.testing.assert_array_equal(model.labels_, KMeans(4, init=X[:4]).fit(X).labels_)
    with pytest.warns(Warned, match="there is one start"):
        KMeans(2, init=X[:2], n_init=3).fit(X)
    best = KMeans(8, init="random", random_state=1).fit(X)
    assert best.inertia_ <= KMeans(8, init="random", n_init=1, random_state=1).fit(X).inertia_
