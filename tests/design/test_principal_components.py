"""PCA: a known direction, scikit-learn's numbers, laws, edges, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA as SklearnPCA

from glaswerk import PCA, load, load_iris, save
from glaswerk.facts import Curve, Table


def rows(n=60, d=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 3


def test_a_line_has_one_direction():  # [BG-PCA]
    model = PCA().fit([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    np.testing.assert_allclose(model.components_[0], [0.6, 0.8])
    np.testing.assert_allclose(model.explained_variance_, [25.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(model.transform([[3.0, 4.0]]), [[0.0, 0.0]], atol=1e-12)


@pytest.mark.parametrize("k", [None, 2, 0.9, 0.5])
@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize(("n", "d"), [(60, 4), (5, 9)])
def test_the_numbers_are_scikit_learns(k, whiten, n, d):
    X = rows(n, d)
    rival, model = SklearnPCA(k, whiten=whiten).fit(X), PCA(k, whiten=whiten).fit(X)
    assert model.n_components_ == rival.n_components_
    own = model.explained_variance_ > 1e-10
    for name in ("components_", "explained_variance_", "explained_variance_ratio_", "singular_values_"):
        np.testing.assert_allclose(getattr(model, name)[own], getattr(rival, name)[own], rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.transform(X)[:, own], rival.transform(X)[:, own], atol=1e-8)
    np.testing.assert_allclose(
        model.inverse_transform(model.transform(X)), rival.inverse_transform(rival.transform(X)), atol=1e-8
    )
    assert model.noise_variance_ == pytest.approx(rival.noise_variance_, rel=1e-8, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 50))
def test_parts_add_and_a_weight_is_a_repetition(seed, cut):
    X, w = rows(60, 3, seed), np.random.default_rng(seed).integers(0, 3, 60)
    whole, parts = PCA().fit(X), PCA().fit(X[:cut] if cut >= 3 else X[:3])
    parts.partial_fit(X[max(cut, 3) :])
    np.testing.assert_allclose(whole.explained_variance_, parts.explained_variance_, rtol=1e-9)
    weighted, repeated = PCA().fit(X, sample_weight=w), PCA().fit(np.repeat(X, w, axis=0))
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-7)
    Z = whole.transform(X)
    np.testing.assert_allclose(np.cov(Z.T), np.diag(whole.explained_variance_), atol=1e-9)


@pytest.mark.parametrize(("offset", "scale"), [(1e8, 1.0), (0.0, 1e-6), (0.0, 1e6)])
def test_offsets_and_scales_change_nothing(offset, scale):
    X = np.round(rows() * 1024) / 1024
    plain, moved = PCA().fit(X), PCA().fit(X * scale + offset)
    np.testing.assert_allclose(plain.components_, moved.components_, atol=1e-9)
    np.testing.assert_allclose(moved.explained_variance_ / scale**2, plain.explained_variance_, rtol=1e-9)


def test_one_row_and_constant_columns():
    assert PCA().fit([[1.0, 2.0]]).explained_variance_.tolist() == [0.0]
    model = PCA(whiten=True).fit([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0]])
    assert model.components_[0].tolist() == [1.0, 0.0]
    assert np.isfinite(model.transform([[1.0, 7.0]])).all()


def test_what_it_says_and_how_it_is_kept(tmp_path):
    model = PCA(2).fit(load_iris().to_polars().drop("species"))
    np.testing.assert_allclose(model.explained_variance_ratio_, [0.92461872, 0.05306648], rtol=1e-7)
    facts = model.facts()
    assert facts.of_kind(Table)[0].columns[3:] == ("sepal_length", "sepal_width", "petal_length", "petal_width")
    assert facts.of_kind(Curve)[0].says == "2 of 4 components explain 97.8 % of the variance."
    save(model, tmp_path / "pca.glw")
    np.testing.assert_array_equal(load(tmp_path / "pca.glw").components_, model.components_)


def test_bad_input_is_refused_by_name():
    with pytest.raises(ValueError, match="n_components=3 must be at most 2"):
        PCA(3).fit([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="X contains NaN: column 'x1', row 0"):
        PCA().fit([[1.0, np.nan]])
    with pytest.raises(ValueError, match="svd_solver must be 'auto' or 'full' or 'covariance_eigh'"):
        PCA(svd_solver="randomized").fit([[1.0]])
    with pytest.raises(ValueError, match="overflow"):
        PCA().fit([[1e200], [0.0]])
