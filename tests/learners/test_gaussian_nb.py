"""Gaussian naive Bayes: scikit-learn's numbers, threads, files, and cells that cannot be used."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB as SklearnGaussianNB

from glaswerk import load, save
from glaswerk.learners import GaussianNB


def rows(n=400, d=5, K=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, K, n)
    return rng.normal(size=(n, d)) * rng.uniform(0.5, 2, size=(K, d))[y] + rng.normal(size=(K, d))[y], y


def test_by_hand():
    model = GaussianNB(var_smoothing=0).fit([[0.0, 1], [2.0, 3], [10.0, 1], [14.0, 3]], ["a", "a", "b", "b"])
    assert model.theta_.tolist() == [[1, 2], [12, 2]]
    assert model.var_.tolist() == [[1, 1], [4, 1]]
    assert model.class_prior_.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("more", [{}, {"var_smoothing": 0.1}, {"priors": [0.2, 0.3, 0.5]}])
@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learns_numbers(more, weighted):
    X, y = rows()
    w = np.random.default_rng(1).uniform(0, 2, len(y)) if weighted else None
    ours, rival = GaussianNB(**more).fit(X, y, sample_weight=w), SklearnGaussianNB(**more).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(ours.theta_, rival.theta_, rtol=1e-11)
    # scikit-learn adds its share of the unweighted variance
    tolerance = 1e-8 if not weighted else 0.05 if more.get("var_smoothing") else 1e-8
    np.testing.assert_allclose(ours.var_, rival.var_, rtol=tolerance)
    if not (weighted and "var_smoothing" in more):
        np.testing.assert_allclose(ours.predict_log_proba(X), rival.predict_log_proba(X), rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(
            ours.predict_joint_log_proba(X), rival.predict_joint_log_proba(X), rtol=1e-7, atol=1e-9
        )


def test_threads_memory_order_parts_and_files(tmp_path):
    polars = pytest.importorskip("polars")
    X, y = rows(150_000, 3)
    one = GaussianNB(n_jobs=1).fit(X, y)
    assert np.array_equal(GaussianNB(n_jobs=2).fit(np.asfortranarray(X), y).theta_, one.theta_)
    parts = GaussianNB().partial_fit(X[:70_000], y[:70_000]).partial_fit(X[70_000:], y[70_000:])
    np.testing.assert_allclose(parts.var_, one.var_, rtol=1e-11)
    polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y}).write_parquet(tmp_path / "t.parquet")
    filed = GaussianNB().fit_source(tmp_path / "t.parquet", target="y")
    assert np.array_equal(filed.var_, one.var_)
    save(filed, tmp_path / "m.glaswerk")
    assert np.array_equal(load(tmp_path / "m.glaswerk").theta_, one.theta_)


def test_columns_far_from_zero_keep_their_variance():
    X, y = rows()
    X = np.round(X * 1024) / 1024
    near, far = GaussianNB().fit(X, y), GaussianNB().fit(X + 2.0**30, y)
    np.testing.assert_allclose(far.var_, near.var_, rtol=1e-11)
    np.testing.assert_allclose(far.predict_log_proba(X + 2.0**30), near.predict_log_proba(X), rtol=1e-9, atol=1e-10)


def test_edges_and_bad_input():
    X, y = rows()
    one = GaussianNB().fit(np.vstack([X, X[:1] + 50]), np.append(y, 3))
    assert one.predict(X[:1] + 50) == [3]
    flat = GaussianNB().fit([[1.0], [1.0], [1.0]], [0, 1, 1])
    np.testing.assert_allclose(flat.predict_proba([[1.0]]), [[1 / 3, 2 / 3]])
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN: column 'x1', row 3"):
        GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match="NaN: column 'x1', row 3"):
        one.predict(X)
    with pytest.raises(ValueError, match="one number for each of 3 classes"):
        GaussianNB(priors=[0.5, 0.5]).fit(*rows())
    assert "was added to every variance" in str(one.facts())
