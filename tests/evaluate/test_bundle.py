"""Curves drawn from a posterior: the model's own draws along one column, and a figure that tells band from bundle."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from glaswerk import BayesianLinearRegression, GaussianBasis, LinearRegression, figures_of, posterior_bundle


def rows(n=25, d=1):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (n, d))
    return X, np.sin(np.pi * X[:, 0]) + 0.2 * rng.normal(size=n)


def test_the_bundle_is_the_models_own_draws_within_its_band():  # [BG-POST] [BG-S2]
    X, t = rows()
    model = make_pipeline(GaussianBasis(n_centres=7), BayesianLinearRegression()).fit(X, t)
    fact = posterior_bundle(model, X, t, n=200, level=0.9)
    mean, seen, *draws = fact.lines
    grid = np.array(mean.x)[:, None]
    np.testing.assert_allclose(mean.y, model.predict(grid), rtol=1e-12)
    np.testing.assert_allclose(draws[3].y, model[-1].sample_functions(model[:-1].transform(grid), 200)[3], rtol=1e-12)
    assert len(draws) == 200
    assert seen.form == "points"
    inside = [(np.array(d.y) > mean.lower) & (np.array(d.y) < mean.upper) for d in draws]
    assert np.mean(inside) > 0.9  # the band holds the noise besides


def test_other_columns_stay_at_their_means_and_draws_are_not_told_apart():
    X, t = rows(60, 3)
    fact = posterior_bundle(BayesianLinearRegression().fit(X, t), X, column=1, n=12)
    assert (fact.x_title, fact.named) == ("x1", 1)
    (figure,) = figures_of(fact)
    assert "Drawn in grey: draw 1" in figure.note
    assert figure.png()[:4] == b"\x89PNG"


def test_what_has_no_posterior_and_no_such_column_is_refused():
    X, t = rows()
    with pytest.raises(TypeError, match="LinearRegression has no posterior"):
        posterior_bundle(LinearRegression().fit(X, t), X)
    model = BayesianLinearRegression().fit(X, t)
    with pytest.raises(ValueError, match="no column 4"):
        posterior_bundle(model, X, column=4)
    with pytest.raises(ValueError, match="n must be"):
        posterior_bundle(model, X, n=0)
    with pytest.raises(ValueError, match="one target is needed"):
        posterior_bundle(BayesianLinearRegression().fit(X, np.column_stack([t, t])), X)
