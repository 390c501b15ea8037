"""Categorical naive Bayes: scikit-learn's numbers, words, unseen levels, sums that add."""

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB as SklearnCategoricalNB

from glaswerk import load, save
from glaswerk.learners import CategoricalNB


def codes(n=400, d=4, K=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, K, n)
    return (rng.integers(0, 4, (n, d)) + y[:, None] * rng.integers(0, 2, d)) % 5, y


def test_by_hand():
    model = CategoricalNB(alpha=1).fit([[0], [0], [1], [2]], ["a", "a", "a", "b"])
    np.testing.assert_allclose(np.exp(model.feature_log_prob_[0]), [[3 / 6, 2 / 6, 1 / 6], [1 / 4, 1 / 4, 2 / 4]])
    np.testing.assert_allclose(np.exp(model.class_log_prior_), [0.75, 0.25])


@pytest.mark.parametrize("more", [{}, {"alpha": 0.3}, {"fit_prior": False}, {"class_prior": [0.2, 0.3, 0.5]},
                                  {"min_categories": 9}, {"min_categories": [5, 6, 7, 8]}])  # fmt: skip
@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learns_numbers(more, weighted):
    X, y = codes()
    w = np.random.default_rng(1).uniform(0, 2, len(y)) if weighted else None
    ours = CategoricalNB(**more).fit(X, y, sample_weight=w)
    rival = SklearnCategoricalNB(**more).fit(X, y, sample_weight=w)
    assert ours.n_categories_.tolist() == rival.n_categories_.tolist()
    for mine, theirs in zip(ours.feature_log_prob_, rival.feature_log_prob_, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-11)
    for mine, theirs in zip(ours.category_count_, rival.category_count_, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-11)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), rival.predict_joint_log_proba(X), rtol=1e-11)
    assert np.array_equal(ours.predict(X), rival.predict(X))


def test_words_are_their_codes_and_gaps_are_skipped():
    X, y = codes()
    words = np.array(["a", "b", "c", "d", "e"], dtype=object)[X]
    spoken, numbered = CategoricalNB().fit(words, y), CategoricalNB().fit(X, y)
    np.testing.assert_array_equal(spoken.predict_log_proba(words), numbered.predict_log_proba(X))
    gap = X.astype(float)
    gap[::3, 1] = np.nan
    holed = CategoricalNB().fit(gap, y)
    assert holed.category_count_[1].sum() == np.isfinite(gap[:, 1]).sum()
    unseen, missing = np.array([[0, 99.0, 1, 2]]), np.array([[0, np.nan, 1, 2]])
    np.testing.assert_array_equal(numbered.predict_proba(unseen), numbered.predict_proba(missing))


def test_parts_files_threads(tmp_path):
    polars = pytest.importorskip("polars")
    X, y = codes(150_000)
    one = CategoricalNB(n_jobs=1).fit(X, y)
    assert np.array_equal(CategoricalNB(n_jobs=2).fit(X, y).feature_log_prob_[0], one.feature_log_prob_[0])
    parts = CategoricalNB().partial_fit(X[:50] // 2, y[:50], classes=[0, 1, 2]).partial_fit(X[50:], y[50:])
    whole = CategoricalNB().fit(np.vstack([X[:50] // 2, X[50:]]), y)
    assert np.array_equal(parts.predict_log_proba(X[:99]), whole.predict_log_proba(X[:99]))
    polars.DataFrame({f"c{j}": X[:, j] for j in range(4)} | {"y": y}).write_parquet(tmp_path / "t.parquet")
    filed = CategoricalNB().fit_source(tmp_path / "t.parquet", target="y")
    assert np.array_equal(filed.feature_log_prob_[3], one.feature_log_prob_[3])
    save(filed, tmp_path / "m.glaswerk")
    back = load(tmp_path / "m.glaswerk")
    assert str(back.facts()) == str(filed.facts())


def test_bad_input():
    X, y = codes()
    with pytest.raises(ValueError, match="Negative values in data passed to CategoricalNB"):
        CategoricalNB().fit(X - 1, y)
    with pytest.raises(ValueError, match=r"holds 0.5 in column 'x0', row 0; levels are words"):
        CategoricalNB().fit(X + 0.5, y)
    with pytest.raises(ValueError, match="whole numbers below 1,000,000"):
        CategoricalNB().fit(X * 10_000_000, y)
    with pytest.raises(ValueError, match="one number for each of 4 columns, got 2"):
        CategoricalNB(min_categories=[3, 3]).fit(X, y)
