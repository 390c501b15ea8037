"""Nearest neighbours: tree and all rows against plain distances, ties, metrics, weights, leave-one-out for every k."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier as SklearnClassifier
from sklearn.neighbors import KNeighborsRegressor as SklearnRegressor

from glaswerk import load, save
from glaswerk.facts import Curve, Table
from glaswerk.figures import figures_of
from glaswerk.learner.nearest import Nearest, prefers_tree
from glaswerk.learners import KNeighborsClassifier, KNeighborsRegressor
from glaswerk.model import Model

BOTH = (True, False)


def rows(n=300, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] + 0.1 * rng.normal(size=n), rng.integers(0, 3, n)


def plain(X, Q, k, skip=None, metric="euclidean", **more):
    """Distances and rows by sorting all of them, ties by number."""
    D = cdist(Q, X, metric, **more)
    if skip is not None:
        D[np.arange(len(Q)), skip] = np.inf
    order = np.lexsort((np.broadcast_to(np.arange(len(X)), D.shape), D), axis=1)[:, :k]
    return np.take_along_axis(D, order, axis=1), order


# The search


@pytest.mark.parametrize("tree", BOTH)
@pytest.mark.parametrize(("n", "d", "k"), [(1, 1, 1), (2, 3, 2), (33, 2, 5), (64, 1, 7), (1000, 3, 10), (1001, 9, 4),
                                           (257, 17, 3)])  # fmt: skip
def test_both_searches_find_what_sorting_finds(n, d, k, tree):
    rng = np.random.default_rng(n + d)
    X, Q = rng.normal(size=(n, d)), rng.normal(size=(70, d))
    distances, found = Nearest(X, 2.0, tree, 1).query(Q, k)
    expected, order = plain(X, Q, k)
    assert np.array_equal(found, order)
    np.testing.assert_allclose(distances, expected, rtol=1e-14)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 130), st.integers(1, 4), st.sampled_from([1.0, 2.0, 3.0, np.inf]))
def test_equal_distances_are_told_apart_by_number(seed, n, d, power):
    rng = np.random.default_rng(seed)
    X, Q = rng.integers(0, 3, (n, d)).astype(float), rng.integers(0, 3, (20, d)).astype(float)
    k = min(n, 7)
    sums = np.abs(Q[:, None, :] - X) ** power if np.isfinite(power) else np.abs(Q[:, None, :] - X)
    total = sums.sum(axis=2) if np.isfinite(power) else sums.max(axis=2)
    order = np.argsort(total, axis=1, kind="stable")[:, :k]
    assert np.array_equal(Nearest(X, power, True, 1).query(Q, k)[1], order)
    if power == 2.0:
        assert np.array_equal(Nearest(X, power, False, 1).query(Q, k)[1], order)


def test_rows_far_from_zero_and_in_two_far_groups_keep_their_neighbours():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 4)) + np.where(rng.random(2000) < 0.5, 1e8, -1e8)[:, None]
    expected = plain(X - 1e8, X[:50] - 1e8, 5)[1]
    for tree in BOTH:
        assert np.array_equal(Nearest(X, 2.0, tree, 2).query(X[:50], 5)[1], expected)


@pytest.mark.parametrize("size", [1e-200, 1e-30, 1.0, 1e30, 1e120])
@pytest.mark.parametrize("far", [1.0, 1e10, 1e25])
def test_products_in_single_precision_leave_no_row_out(size, far):
    rng = np.random.default_rng(3)
    X, Q = size * rng.normal(size=(301, 5)), size * far * rng.normal(size=(67, 5))
    away = Q[:, None, :] - X
    order = np.argsort((away / size / far * away / size / far).sum(axis=2), axis=1, kind="stable")[:, :4]
    found = Nearest(X, 2.0, False, 1).query(Q, 4)[1]
    if far == 1.0 and size > 1e-200:  # squares of 1e-200 are zero: every row is as near
        assert np.array_equal(found, order)
    nearest = np.sqrt((away**2).sum(axis=2))
    reached = np.take_along_axis(nearest, found, axis=1)
    assert np.array_equal(reached, np.sort(nearest, axis=1)[:, :4])


def test_threads_leave_no_trace():
    X, _, _ = rows(5000, 6)
    for tree in BOTH:
        one, two = (Nearest(X, 2.0, tree, threads).query(X[:3000], 9) for threads in (1, 2))
        assert np.array_equal(one[0], two[0]) and np.array_equal(one[1], two[1])


def test_the_size_alone_decides_the_search():
    assert prefers_tree(100_000, 9) and not prefers_tree(100_000, 10) and not prefers_tree(500, 1)
    X, y, _ = rows(600, 2)
    assert KNeighborsRegressor().fit(X, y).solution_.tree
    assert not KNeighborsRegressor(algorithm="brute").fit(X, y).solution_.tree


# The learners


def test_by_hand():  # [BG-KNN] [BG-WKNN] [BG-EUCLID]
    X, y = [[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]], [1.0, 2.0, 6.0]
    assert KNeighborsRegressor(1).fit(X, y).predict([[1.0, 1.0]]).tolist() == [1.0]
    assert KNeighborsRegressor(2).fit(X, y).predict([[1.0, 1.0]]).tolist() == [1.5]
    weighted = KNeighborsRegressor(2, weights="distance").fit(X, y)
    np.testing.assert_allclose(weighted.predict([[0.6, 0.8]]), (1 / 1 * 1 + 1 / 4 * 2) / (1 + 1 / 4))
    assert weighted.predict([[3.0, 4.0]]).tolist() == [2.0]
    assert weighted.kneighbors([[0.6, 0.8]])[0].round(12).tolist() == [[1.0, 4.0]]


METRICS = [({}, {}), ({"metric": "manhattan"}, {}), ({"p": 3}, {}), ({"metric": "chebyshev"}, {}),
           ({"metric": "cosine"}, {"algorithm": "brute"}), ({"metric": "euclidean"}, {})]  # fmt: skip


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
@pytest.mark.parametrize(("more", "theirs"), METRICS)
def test_scikit_learns_answers(more, theirs, weights):
    X, y, c = rows()
    Q = rows(80, seed=1)[0]
    targets = np.column_stack([y, -2 * y])
    ours = KNeighborsRegressor(7, weights=weights, **more).fit(X, targets)
    rival = SklearnRegressor(7, weights=weights, **more, **theirs).fit(X, targets)
    np.testing.assert_allclose(ours.predict(Q), rival.predict(Q), rtol=1e-9)
    ours = KNeighborsClassifier(7, weights=weights, **more).fit(X, c)
    rival = SklearnClassifier(7, weights=weights, **more, **theirs).fit(X, c)
    np.testing.assert_allclose(ours.predict_proba(Q), rival.predict_proba(Q), rtol=1e-9, atol=1e-12)
    assert np.array_equal(ours.predict(Q), rival.predict(Q))


@pytest.mark.parametrize("handed", [False, True])
def test_mahalanobis(handed):  # [BG-MAHALA] [BG-SEARCH]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 3)) @ rng.normal(size=(3, 3))
    V = np.diag([1.0, 4.0, 9.0]) if handed else np.cov(X.T)
    model = KNeighborsRegressor(5, metric="mahalanobis", metric_params={"V": V} if handed else None).fit(X, X[:, 0])
    expected, order = plain(X, X[:60] + 0.1, 5, metric="mahalanobis", VI=np.linalg.inv(V))
    distances, found = model.kneighbors(X[:60] + 0.1)
    assert np.array_equal(found, order)
    np.testing.assert_allclose(distances, expected, rtol=1e-10)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_leave_one_out_for_every_k_in_one_pass(weights):
    X, y, c = rows(60)
    X[7] = X[3]  # two rows at one place
    regressor, classifier = (kind(weights=weights) for kind in (KNeighborsRegressor, KNeighborsClassifier))
    errors = regressor.fit(X, y).leave_one_out_scores(20)
    wrong = classifier.fit(X, c).leave_one_out_scores(20)
    for k in (1, 2, 5, 20):
        squares, missed = [], []
        for i in range(60):
            rest = np.arange(60) != i
            one = KNeighborsRegressor(k, weights=weights).fit(X[rest], y[rest]).predict(X[i : i + 1])[0]
            squares.append((one - y[i]) ** 2)
            vote = KNeighborsClassifier(k, weights=weights).fit(X[rest], c[rest]).predict(X[i : i + 1])[0]
            missed.append(vote != c[i])
        np.testing.assert_allclose(errors[k - 1], np.mean(squares), rtol=1e-11)
        np.testing.assert_allclose(wrong[k - 1], np.mean(missed), rtol=1e-12)
    curve = regressor.leave_one_out(20)
    assert curve.marks[0][0] == errors.argmin() + 1
    assert figures_of(curve)


def test_a_path_of_numbers_shares_one_fit():
    X, y, _ = rows(700)
    path = KNeighborsRegressor(weights="distance").fit_path(X, y, "n_neighbors", [1, 4, 9])
    for k, one in zip([1, 4, 9], path, strict=True):
        assert one.solution_ is path[0].solution_
        assert np.array_equal(one.predict(X[:9]), KNeighborsRegressor(k, weights="distance").fit(X, y).predict(X[:9]))


def test_rows_without_x_do_not_find_themselves():
    X, y, _ = rows(700)
    X[5] = X[9]
    for algorithm in ("kd_tree", "brute"):
        found = KNeighborsRegressor(4, algorithm=algorithm).fit(X, y).kneighbors(return_distance=False)
        assert np.array_equal(found, plain(X, X, 4, skip=np.arange(700))[1])


def test_explanation_facts_files_and_tables(tmp_path):
    X, y, c = rows(700)
    names = np.array(["a", "b", "c"])[c]
    model = KNeighborsClassifier(3, weights="distance").fit(X, names)
    told = model.explain(X[:1])
    assert told.rows[0] == (0, 0.0, 1.0, names[0])
    assert [row[0] for row in told.rows] == model.kneighbors(X[:1])[1][0].tolist()
    assert model.facts().of_kind(Table) and model.facts().of_kind(Curve)
    save(model, tmp_path / "k.glaswerk")
    back = load(tmp_path / "k.glaswerk")
    assert np.array_equal(back.predict_proba(X), model.predict_proba(X))
    assert str(back.facts()) == str(model.facts())
    table = {"u": X[:, 0].tolist(), "v": X[:, 1].tolist(), "y": y.tolist()}
    assert Model(KNeighborsRegressor()).fit(table, target="y").predict({"u": [0.0], "v": [0.0]}).shape == (1,)


def test_from_a_file(tmp_path):
    polars = pytest.importorskip("polars")
    X, y, _ = rows(700)
    polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y}).write_parquet(tmp_path / "t.parquet")
    filed = KNeighborsRegressor().fit_source(tmp_path / "t.parquet", target="y")
    assert np.array_equal(filed.solution_.rows, KNeighborsRegressor().fit(X, y).solution_.rows)


# Edges


def test_one_row_equal_rows_and_contradictions():
    assert KNeighborsRegressor(1).fit([[1.0]], [3.0]).predict([[9.0]]).tolist() == [3.0]
    same = KNeighborsClassifier(4).fit([[0.0]] * 4, ["b", "a", "b", "a"])
    assert same.predict([[0.0]]).tolist() == ["a"]  # equal votes: the first class
    assert same.kneighbors([[0.0]])[1].tolist() == [[0, 1, 2, 3]]
    near = KNeighborsRegressor(3, weights="distance").fit([[0.0], [0.0], [1.0]], [1.0, 3.0, 9.0])
    assert near.predict([[0.0]]).tolist() == [2.0]
    assert KNeighborsRegressor(3, metric="mahalanobis").fit(np.eye(4, 6), np.arange(4.0)).predict(np.eye(1, 6)).size


@pytest.mark.parametrize(("more", "message"), [
    ({"n_neighbors": 0}, "n_neighbors must be"), ({"p": 0.5}, "p must be a number >= 1"),
    ({"metric": "haversine"}, "metric must be"), ({"algorithm": "ball_tree"}, "all find the same rows"),
    ({"metric_params": {"V": np.eye(3)}}, "for 'mahalanobis', else None"),
    ({"metric": "mahalanobis", "metric_params": {"V": np.eye(2)}}, "must be symmetric, a row per column"),
])  # fmt: skip
def test_bad_settings_are_refused(more, message):
    X, y, _ = rows()
    with pytest.raises(ValueError, match=message):
        KNeighborsRegressor(**more).fit(X, y)


def test_bad_rows_are_named():
    X, y, _ = rows()
    with pytest.raises(ValueError, match="from 1 to the 300 rows kept, got 301"):
        KNeighborsRegressor(301).fit(X, y).predict(X)
    with pytest.raises(ValueError, match="one finite number >= 0"):
        KNeighborsRegressor(weights=lambda d: -d).fit(X, y).predict(X)
    with pytest.raises(ValueError, match="cosine: row 1 is zero"):
        KNeighborsRegressor(metric="cosine").fit([[1.0], [0.0]], [0, 1])
    with pytest.raises(ValueError, match="takes one row, got 300"):
        KNeighborsRegressor().fit(X, y).explain(X)
    X[4, 2] = np.nan
    with pytest.raises(ValueError, match="NaN: column 'x2', row 4"):
        KNeighborsRegressor().fit(X, y)
