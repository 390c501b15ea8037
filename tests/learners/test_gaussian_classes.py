"""Gaussian classes: the formulas written out, scikit-learn's numbers, laws of sums, and what singular tables do."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as SklearnQDA

from glaswerk import load, save
from glaswerk.facts import Coefficients, Statement, Table
from glaswerk.learners import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

BOTH = (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis)


def rows(n=300, d=3, K=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, K, n)
    turn = rng.normal(size=(K, d, d)) / 2 + np.eye(d)
    return np.einsum("ij,ijk->ik", rng.normal(size=(n, d)), turn[y]) + 2 * rng.normal(size=(K, d))[y], y


# Known numbers


def test_two_classes_by_hand():  # [BG-LDA] [BG-GAUSSML]
    X, y = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [4.0, 2.0], [6.0, 2.0], [5.0, 5.0]]), [0, 0, 0, 1, 1, 1]
    model = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    means = np.array([[1.0, 1 / 3], [5.0, 3.0]])
    s = [np.cov(X[:3].T, bias=True), np.cov(X[3:].T, bias=True)]
    pooled = (s[0] + s[1]) / 2
    w = np.linalg.solve(pooled, means[1] - means[0])
    w0 = -0.5 * means[1] @ np.linalg.solve(pooled, means[1]) + 0.5 * means[0] @ np.linalg.solve(pooled, means[0])
    np.testing.assert_allclose(model.means_, means, rtol=1e-14)
    np.testing.assert_allclose(model.covariance_, pooled, rtol=1e-13)
    np.testing.assert_allclose(model.coef_, [w], rtol=1e-12)
    np.testing.assert_allclose(model.intercept_, [w0], rtol=1e-12)
    assert model.priors_.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("kind", BOTH)
def test_the_posterior_is_bayes_rule_of_the_densities(kind):  # [BG-BAYES] [BG-GAUSS]
    X, y = rows()
    model = kind().fit(X, y)
    covariances = model.covariance_ if kind is QuadraticDiscriminantAnalysis else [model.covariance_] * 3
    parts = [
        prior * multivariate_normal(mean, covariance).pdf(X)
        for prior, mean, covariance in zip(model.priors_, model.means_, covariances, strict=True)
    ]
    expected = np.array(parts).T / np.sum(parts, axis=0)[:, None]
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), expected, rtol=1e-9, atol=1e-300)


# Oracles


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
@pytest.mark.parametrize("K", [2, 4])
def test_scikit_learns_numbers(solver, K):
    X, y = rows(K=K)
    ours, rival = LinearDiscriminantAnalysis(solver=solver).fit(X, y), SklearnLDA(solver=solver).fit(X, y)
    np.testing.assert_allclose(_contrasts(ours, X), _contrasts(rival, X), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(X), rival.predict_proba(X), rtol=1e-9, atol=1e-12)
    if solver == "svd":
        np.testing.assert_allclose(ours.explained_variance_ratio_, rival.explained_variance_ratio_, rtol=1e-9)
        np.testing.assert_allclose(np.abs(ours.transform(X)), np.abs(rival.transform(X)), rtol=1e-8, atol=1e-8)


def _contrasts(model, X):
    """Scores matter up to what all classes share."""
    scores = model.decision_function(X)
    return scores if scores.ndim == 1 else scores - scores.mean(axis=1, keepdims=True)


def test_scikit_learns_numbers_where_log_odds_are_one_dimensional():
    X, y = rows(K=2)
    ours, rival = LinearDiscriminantAnalysis().fit(X, y), SklearnLDA().fit(X, y)
    np.testing.assert_allclose(ours.coef_, rival.coef_, rtol=1e-11)
    np.testing.assert_allclose(ours.intercept_, rival.intercept_, rtol=1e-11)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_scikit_learns_shrinkage(share):
    X, y = rows(K=2)
    ours = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=share).fit(X, y)
    rival = SklearnLDA(solver="lsqr", shrinkage=share).fit(X, y)
    np.testing.assert_allclose(ours.coef_, rival.coef_, rtol=1e-10)
    np.testing.assert_allclose(ours.intercept_, rival.intercept_, rtol=1e-10)


@pytest.mark.parametrize("reg_param", [0.0, 0.2])
def test_scikit_learns_quadrics(reg_param):
    X, y = rows()
    ours = QuadraticDiscriminantAnalysis(reg_param=reg_param).fit(X, y)
    rival = SklearnQDA(reg_param=reg_param, store_covariance=True).fit(X, y)
    scores, theirs = ours.decision_function(X), rival.decision_function(X)
    np.testing.assert_allclose(scores - scores[:, :1], theirs - theirs[:, :1], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), rival.predict_proba(X), rtol=1e-9, atol=1e-12)


# Laws


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 299))
def test_any_cut_of_the_rows_gives_the_same_model(seed, cut):
    X, y = rows(seed=seed)
    for kind in BOTH:
        whole = kind().fit(X, y)
        parts = kind().partial_fit(X[:cut], y[:cut], classes=[0, 1, 2]).partial_fit(X[cut:], y[cut:])
        np.testing.assert_allclose(parts.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("kind", BOTH)
def test_merged_models_and_weights_are_repetitions(kind):
    X, y = rows()
    w = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = kind().fit(X, y, sample_weight=w)
    repeated = kind().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(weighted.predict_log_proba(X), repeated.predict_log_proba(X), rtol=1e-9, atol=1e-10)
    merged = kind().fit(X[:150], y[:150]).merge(kind().fit(X[150:], y[150:]))
    np.testing.assert_allclose(
        merged.predict_log_proba(X), kind().fit(X, y).predict_log_proba(X), rtol=1e-9, atol=1e-10
    )


@pytest.mark.parametrize("kind", BOTH)
def test_threads_memory_order_and_files_leave_no_trace(kind, tmp_path):
    polars = pytest.importorskip("polars")
    X, y = rows(n=150_000, d=2)
    one = kind(n_jobs=1).fit(X, y)
    assert np.array_equal(kind(n_jobs=2).fit(np.asfortranarray(X), y).predict_log_proba(X), one.predict_log_proba(X))
    polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y}).write_parquet(tmp_path / "t.parquet")
    filed = kind().fit_source(tmp_path / "t.parquet", target="y")
    assert np.array_equal(filed.solution_.mean, one.solution_.mean)
    assert np.array_equal(filed.predict(polars.DataFrame({"a": X[:, 0], "b": X[:, 1]})), one.predict(X))


def test_columns_far_from_zero_keep_their_digits():
    X, y = rows()
    X = np.round(X * 1024) / 1024
    near, far = LinearDiscriminantAnalysis().fit(X, y), LinearDiscriminantAnalysis().fit(X + 2.0**20, y)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-12)
    np.testing.assert_allclose(far.predict_log_proba(X + 2.0**20), near.predict_log_proba(X), rtol=1e-10, atol=1e-12)
    late = np.concatenate([X[:1], X[1:] + 2.0**20])
    again = LinearDiscriminantAnalysis().fit(late, y)
    assert again.statistic_.shift[0] > 2.0**19


# Edges


@pytest.mark.parametrize("kind", BOTH)
def test_a_class_of_one_row(kind):
    X, y = rows(K=2)
    X, y = np.vstack([X, [[30.0, 30.0, 30.0]]]), np.append(y, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind().fit(X, y)
    assert model.predict([[30.0, 30.0, 30.0]]) == [2]
    assert np.isfinite(model.predict_log_proba(X)).all()
    if kind is QuadraticDiscriminantAnalysis:
        assert model.solution_.share[2] == 4 / 5
        assert "2: its rows do not determine the covariance" in str(model.facts())


SINGULAR = {
    "a repeated column": (lambda X: np.column_stack([X, X[:, 0] + X[:, 1]]), "repeat each other"),
    "a constant column": (lambda X: np.column_stack([X, np.ones(len(X))]), "does not vary within any class"),
}


@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("kind", BOTH)
def test_a_singular_covariance_is_shrunk_and_told(kind, name):
    X, y = rows()
    change, words = SINGULAR[name]
    with pytest.warns(UserWarning, match=words if kind is LinearDiscriminantAnalysis else "do not determine"):
        model = kind().fit(change(X), y)
    plain = kind().fit(X, y)
    assert np.mean(model.predict(change(X)) == plain.predict(X)) > 0.9
    assert "shrunk by" in str(model.facts()) or "is the pooled one" in str(model.facts())


def test_a_column_that_is_constant_in_each_class_but_not_over_all_parts_them():
    X, y = np.array([[0.0, 1], [3.0, 1], [1.0, 2], [4.0, 2]]), [0, 0, 1, 1]
    with pytest.warns(UserWarning, match="column 'x1' does not vary within any class"):
        model = LinearDiscriminantAnalysis().fit(X, y)
    assert model.score(X, y) == 1


def test_more_classes_than_rows_of_each_and_fewer_rows_than_columns():
    X = np.eye(4, 6)
    with pytest.warns(UserWarning, match="singular"):
        model = LinearDiscriminantAnalysis().fit(X, list("abcd"))
    assert model.predict(X).tolist() == list("abcd")
    with pytest.warns(UserWarning, match="do not determine"):
        assert QuadraticDiscriminantAnalysis().fit(X, list("abcd")).predict(X).tolist() == list("abcd")


def test_contradictory_and_duplicated_rows_split_the_probability():
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0]], [0, 1, 1, 0, 1]
    model = LinearDiscriminantAnalysis().fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_a_row_far_from_all_classes_keeps_its_log_probabilities():
    X, y = rows(K=2)
    model = LinearDiscriminantAnalysis().fit(X, y)
    sure = model.predict_log_proba([[1e6, -1e6, 1e6]])
    assert np.isfinite(sure).all()
    assert sure.min() < -1e4


def test_facts_and_files(tmp_path):
    X, y = rows(K=2)
    for kind in BOTH:
        model = kind().fit(X, np.array(["no", "yes"])[y])
        assert len(model.facts().of_kind(Table)) >= 3
        assert model.facts().of_kind(Statement)
        save(model, tmp_path / "m.glaswerk")
        back = load(tmp_path / "m.glaswerk")
        assert np.array_equal(back.predict_log_proba(X), model.predict_log_proba(X))
        assert str(back.facts()) == str(model.facts())
        assert np.allclose(back.partial_fit(X, np.array(["no", "yes"])[y]).means_, model.means_)
    found = LinearDiscriminantAnalysis().fit(X, np.array(["no", "yes"])[y])
    plane = found.facts().of_kind(Coefficients)[0]
    assert plane.target == "log-odds of y = yes"
    assert [row.estimate for row in plane.rows] == [found.intercept_[0], *found.coef_[0]]


# Bad input


@pytest.mark.parametrize(("kind", "more", "message"), [
    (LinearDiscriminantAnalysis, {"shrinkage": "auto"}, "needs fourth moments"),
    (LinearDiscriminantAnalysis, {"priors": [0.5]}, "one number for each of 3 classes"),
    (LinearDiscriminantAnalysis, {"priors": [0.5, 0.7, -0.2]}, "non-negative"),
    (LinearDiscriminantAnalysis, {"n_components": 3}, "n_components must be at most 2"),
    (QuadraticDiscriminantAnalysis, {"solver": "eigen"}, "solver must be 'svd'"),
    (QuadraticDiscriminantAnalysis, {"reg_param": 1.5}, "reg_param must be"),
])  # fmt: skip
def test_bad_settings_are_refused(kind, more, message):
    with pytest.raises(ValueError, match=message):
        kind(**more).fit(*rows())


def test_bad_cells_and_strange_classes_are_named():
    X, y = rows()
    X[7, 1] = np.nan
    with pytest.raises(ValueError, match="column 'x1', row 7"):
        LinearDiscriminantAnalysis().fit(X, y)
    model = LinearDiscriminantAnalysis().fit(*rows())
    with pytest.raises(ValueError, match="column 'x1', row 7"):
        model.predict(X)
    with pytest.raises(ValueError, match="label 9 in row 0 is new"):
        model.partial_fit(X[:1], [9])
    with pytest.raises(ValueError, match="classes must stay"):
        model.partial_fit(X[:2], y[:2], classes=[0, 1])
    with pytest.raises(ValueError, match="different classes"):
        model.merge(LinearDiscriminantAnalysis().fit(*rows(K=2)))
