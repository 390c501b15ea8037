"""GaussianMixture: EM by hand, scikit-learn's numbers, the likelihood that never falls, edges, bad input."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.mixture import GaussianMixture as SklearnMixture

from glaswerk import GaussianMixture, KMeans, load, load_iris, save
from glaswerk.base import Warned
from glaswerk.facts import Curve, MethodCard, Prototypes
from glaswerk.optim import em, mixture
from tests.learners.test_kmeans import clumps

KINDS = ("full", "tied", "diag", "spherical")


def start_of(X, k, kind):
    d = X.shape[1]
    unit = {"full": np.tile(np.eye(d), (k, 1, 1)), "tied": np.eye(d), "diag": np.ones((k, d)), "spherical": np.ones(k)}
    rows = np.random.default_rng(0).choice(len(X), k, replace=False)
    return {"means_init": X[rows], "weights_init": np.full(k, 1 / k), "precisions_init": unit[kind]}


def log_normal(X, mean, matrix):
    away = X - mean
    square = np.einsum("ij,ij->i", away @ np.linalg.inv(matrix), away)
    return -0.5 * (square + np.linalg.slogdet(matrix)[1] + X.shape[1] * np.log(2 * np.pi))


def test_two_rounds_written_out():  # [BG-GMM] [BG-EM] [BG-LOGLIKGMM]
    X = clumps(60, 2, 2)
    given_start = start_of(X, 2, "full")
    weights, means, matrices = given_start["weights_init"], given_start["means_init"], given_start["precisions_init"]
    told = []
    for _ in range(2):
        logs = np.log(weights) + np.stack([log_normal(X, m, s) for m, s in zip(means, matrices, strict=True)], axis=1)
        total = np.log(np.exp(logs).sum(axis=1))
        told.append(total.mean())
        gamma = np.exp(logs - total[:, None])
        count = gamma.sum(axis=0)
        means = gamma.T @ X / count[:, None]
        matrices = np.array([(g * (X - m).T) @ (X - m) / g.sum() for g, m in zip(gamma.T, means, strict=True)])
        weights = count / 60
    with pytest.warns(Warned, match="did not converge in max_iter=2"):
        model = GaussianMixture(2, max_iter=2, tol=0, reg_covar=0, reg_scale="absolute", **given_start).fit(X)
    np.testing.assert_allclose(model.lower_bounds_, told, rtol=1e-12)
    np.testing.assert_allclose(model.means_, means, rtol=1e-10)
    np.testing.assert_allclose(model.covariances_, matrices, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("d", [2, 18])
@pytest.mark.parametrize("natural", [True, False])
@pytest.mark.filterwarnings("ignore")
def test_the_rounds_are_scikit_learns_in_either_form(kind, d, natural, monkeypatch):
    if not natural:
        monkeypatch.setattr(em, "LOST", -1.0)
    X = clumps(600, d, 4, apart=1.5)
    settings_ = {"covariance_type": kind, "max_iter": 12, "tol": 0, **start_of(X, 4, kind)}
    rival = SklearnMixture(4, **settings_).fit(X)
    model = GaussianMixture(4, reg_scale="absolute", **settings_).fit(X)
    assert model.solution_.trace.whitened == (not natural or (kind == "full" and d > mixture.PRODUCT_COLUMNS))
    np.testing.assert_allclose(model.lower_bounds_, rival.lower_bounds_, rtol=1e-9)
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        np.testing.assert_allclose(getattr(model, name), getattr(rival, name), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.score_samples(X), rival.score_samples(X), rtol=1e-8)
    np.testing.assert_allclose(model.predict_proba(X), rival.predict_proba(X), atol=1e-8)
    assert model.bic(X) == pytest.approx(rival.bic(X), rel=1e-9)
    assert model.aic(X) == pytest.approx(rival.aic(X), rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_started_from_k_means_it_converges_where_scikit_learn_does(kind):
    X = clumps(600, 3, 3)
    rival = SklearnMixture(3, covariance_type=kind, random_state=0).fit(X)
    model = GaussianMixture(3, covariance_type=kind, reg_scale="absolute").fit(X)
    assert model.converged_
    assert model.n_iter_ == rival.n_iter_
    assert model.lower_bound_ == pytest.approx(rival.lower_bound_, rel=1e-9)
    np.testing.assert_array_equal(model.predict(X), rival.predict(X))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.sampled_from(["kmeans", "lbg", "k-means++", "random"]))
@pytest.mark.filterwarnings("ignore")
def test_the_likelihood_never_falls_and_densities_are_densities(seed, kind, init):
    X = clumps(200, 2, 3, seed)
    model = GaussianMixture(3, covariance_type=kind, init_params=init, random_state=seed, tol=1e-6).fit(X)
    if not len(model.solution_.trace.restarted):
        assert (np.diff(model.lower_bounds_) >= -1e-6).all()
    assert model.weights_.sum() == pytest.approx(1)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, rtol=1e-12)
    assert model.icl(X) >= model.bic(X)


def test_a_weight_is_a_repetition():
    X, w = clumps(80, 2, 2), np.random.default_rng(0).integers(0, 4, 80)
    begin = start_of(X, 2, "full")
    for lost in (em.LOST, -1.0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(em, "LOST", lost)
            weighted = GaussianMixture(2, tol=1e-8, reg_scale="absolute", max_iter=500, **begin).fit(X, sample_weight=w)
            repeated = GaussianMixture(2, tol=1e-8, reg_scale="absolute", max_iter=500, **begin).fit(
                np.repeat(X, w, axis=0)
            )
        np.testing.assert_allclose(weighted.covariances_, repeated.covariances_, rtol=1e-8)
        assert weighted.score(X, sample_weight=w) == pytest.approx(repeated.score(np.repeat(X, w, axis=0)), rel=1e-9)


def test_draws_give_the_mixture_back():
    truth = GaussianMixture(2).fit(np.concatenate([clumps(300, 2, 1, 1), clumps(100, 2, 1, 2) + 9]))
    X, component = truth.sample(20_000)
    again = GaussianMixture(2, random_state=1).fit(X)
    order = np.argsort(-again.weights_), np.argsort(-truth.weights_)
    np.testing.assert_allclose(again.weights_[order[0]], truth.weights_[order[1]], atol=0.02)
    np.testing.assert_allclose(again.means_[order[0]], truth.means_[order[1]], atol=0.06)
    np.testing.assert_allclose(again.covariances_[order[0]], truth.covariances_[order[1]], atol=0.1)
    assert np.bincount(component).tolist() == np.bincount(component, minlength=2).tolist()


def test_any_number_of_threads_and_a_file_give_the_same_bits(tmp_path):
    X = clumps(140_000, 2, 3).round(6)
    kept = {"init_params": "random", "max_iter": 3, "tol": 0}
    pl.DataFrame(X, schema=["a", "b"]).write_parquet(tmp_path / "rows.parquet", row_group_size=30_000)
    with pytest.warns(Warned):
        one, two = (GaussianMixture(3, n_jobs=jobs, **kept).fit(X) for jobs in (1, 2))
        filed = GaussianMixture(3, **kept).fit_source(tmp_path / "rows.parquet")
    for other in (two, filed):
        np.testing.assert_array_equal(one.covariances_, other.covariances_)
        assert one.lower_bounds_ == other.lower_bounds_


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("offset", "scale"), [(1e8, 1.0), (0.0, 1e-6), (0.0, 1e6), (1e8, 1e6)])
def test_offsets_and_scales_change_nothing(kind, offset, scale):
    X = np.round(clumps(400, 2, 3) * 1024) / 1024
    plain = GaussianMixture(3, covariance_type=kind).fit(X)
    moved = GaussianMixture(3, covariance_type=kind).fit(X * scale + offset)
    np.testing.assert_array_equal(plain.predict(X), moved.predict(X * scale + offset))
    np.testing.assert_allclose(moved.covariances_ / scale**2, plain.covariances_, rtol=1e-5)


def test_narrow_components_far_apart_keep_their_digits():
    rng = np.random.default_rng(0)
    X = np.concatenate([1e-5 * rng.normal(size=(200, 2)) + at for at in (-1.0, 1.0)]).astype(np.float64)
    model = GaussianMixture(2, reg_covar=0, reg_scale="absolute").fit(X)
    assert model.solution_.trace.whitened
    order = np.argsort(model.means_[:, 0])
    exact = np.array([np.cov(X[:200].T, ddof=0), np.cov(X[200:].T, ddof=0)])
    np.testing.assert_allclose(model.covariances_[order], exact, rtol=1e-6)
    assert GaussianMixture(2).fit(X.astype(np.float32)).converged_


@pytest.mark.filterwarnings("ignore")
def test_a_component_that_collapses_is_begun_anew_and_told():
    X = np.concatenate([clumps(300, 2, 2), [[50.0, 50.0]]])
    begin = {
        "means_init": np.array([X[0], X[5], [50.0, 50.0]]), "weights_init": np.full(3, 1 / 3),
        "precisions_init": np.tile(np.eye(2), (3, 1, 1)),
    }  # fmt: skip
    model = GaussianMixture(3, **begin).fit(X)
    assert len(model.solution_.trace.restarted) >= 1
    assert "begun anew" in str(model.facts())
    assert np.isfinite(model.score_samples(X)).all()


@pytest.mark.filterwarnings("ignore")
def test_one_row_constant_columns_and_repeated_rows():
    assert GaussianMixture(1).fit([[3.0, 4.0]]).means_.tolist() == [[3.0, 4.0]]
    X = np.column_stack([clumps(100, 1, 2), np.full(100, 7.0)])
    for kind in KINDS:
        model = GaussianMixture(2, covariance_type=kind).fit(X)
        np.testing.assert_allclose(model.means_[:, 1], 7, rtol=1e-9)
        assert np.isfinite(model.score(X))
        repeated = GaussianMixture(3, covariance_type=kind).fit(np.repeat([[0.0, 1.0], [2.0, 3.0]], 9, axis=0))
        assert np.isfinite(repeated.lower_bound_)


def test_iris_what_it_says_and_how_it_is_kept(tmp_path):
    X = load_iris().to_polars().drop("species")
    model = GaussianMixture(3, trace=True).fit(X)
    facts = model.facts()
    (found,) = facts.of_kind(Prototypes)
    assert [round(group.share, 2) for group in found.groups] == pytest.approx([0.37, 0.33, 0.3], abs=0.03)
    assert len(found.groups[0].covariance) == 4
    assert [len(facts.of_kind(kind)) for kind in (Curve, MethodCard)] == [1, 1]
    assert "it never fell" in facts.of_kind(Curve)[0].says
    assert model.solution_.trace.means.shape == (model.n_iter_, 3, 4)
    save(model, tmp_path / "model.glw")
    np.testing.assert_array_equal(load(tmp_path / "model.glw").predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (GaussianMixture(3), "n_samples=2 should be >= n_components=3"),
        (GaussianMixture(2, means_init=[[1.0]]), r"means_init must be finite numbers of shape \(2, 1\), got \(1, 1\)"),
        (GaussianMixture(2, weights_init=[0.5, 0.2]), "weights_init must be >= 0 with sum 1"),
        (GaussianMixture(warm_start=True), "warm_start must be False"),
        (GaussianMixture(covariance_type="round"), "covariance_type must be 'full' or 'tied'"),
    ],
)
def test_bad_input_is_refused_by_name(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit([[1.0], [2.0]])


def test_the_start_is_that_of_k_means():
    X = clumps(200, 2, 3)
    model = GaussianMixture(3, trace=True, init_params="kmeans").fit(X)
    np.testing.assert_allclose(
        model.solution_.trace.means[0] + model.solution_.shift, KMeans(3).fit(X).cluster_centers_
    )


def test_a_width_that_regularising_made_is_told():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(200, 2)) + at for at in (-1e4, 1e4)]).astype(np.float32)
    with pytest.warns(Warned, match="of the variance of a component is what regularising added"):
        model = GaussianMixture(2).fit(X)
    assert "lower reg_covar" in str(model.facts())
    right = GaussianMixture(2, reg_covar=1e-12).fit(X)
    np.testing.assert_allclose(right.covariances_, np.broadcast_to(np.eye(2), (2, 2, 2)), atol=0.3)
    assert "lower reg_covar" not in str(right.facts())
