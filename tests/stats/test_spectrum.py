"""The spectrum of a table: every penalty's weights, residuals and freedom, against solving each by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.stats.moments import Moments, common_shift
from glaswerk.stats.spectrum import shrinkage, spectrum
from glaswerk.stats.triangle import Triangle

PENALTIES = np.geomspace(1e-3, 1e4, 8)


def table(n=60, d=5, seed=0, units=1.0):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) + rng.normal(size=d)) * units
    return X, (X / units) @ rng.normal(size=(d, 2)) + rng.normal(size=(n, 2))


def statistics(X, Y):
    shift = common_shift(np.hstack([X, Y]))
    yield Moments.of(X, Y, shift=shift, exact=True)
    yield Moments.of(X, Y, shift=shift)
    yield Triangle.of(X, Y, shift=shift)


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize(("n", "d"), [(60, 5), (12, 20)])
def test_weights_and_residuals_are_those_of_the_normal_equations(n, d, centred):
    X, Y = table(n, d)
    mean, level = (X.mean(axis=0), Y.mean(axis=0)) if centred else (np.zeros(d), np.zeros(2))
    for statistic in statistics(X, Y):
        seen = spectrum(statistic, centred)
        weights = seen.weights(PENALTIES)
        for k, penalty in enumerate(PENALTIES):
            A = (X - mean).T @ (X - mean)
            w = np.linalg.solve(A + penalty * np.eye(d), (X - mean).T @ (Y - level)).T
            np.testing.assert_allclose(weights[k], w, rtol=1e-7, atol=1e-9)
            rest = Y - level - (X - mean) @ w.T
            np.testing.assert_allclose(seen.residuals(PENALTIES)[k], (rest**2).sum(axis=0), rtol=1e-7, atol=1e-9)
            hat = np.trace(np.linalg.solve(A + penalty * np.eye(d), A))
            np.testing.assert_allclose(seen.shares(PENALTIES)[k].sum(), hat, rtol=1e-7)
        np.testing.assert_allclose(seen.intercepts(weights), level - weights @ mean, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(seen.deviations(), np.sqrt(((X - mean) ** 2).mean(axis=0)), rtol=1e-9)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), power=st.integers(0, 6), penalty=st.sampled_from([0.0, 1e-3, 1.0, 1e5]))
def test_shrinkage_keeps_its_digits_whatever_the_units(seed, power, penalty):
    """[TRE-MEFF] With columns of scale c and penalties along, freedom and errors are those of the plain columns."""
    units = 10.0 ** np.array([power, 0, -power, 0, power])
    X, Y = table(seed=seed)
    for plain, scaled in zip(statistics(X, Y), statistics(X * 1e3, Y), strict=True):
        ours, theirs = shrinkage(plain, penalty, True), shrinkage(scaled, penalty * 1e6, True)
        np.testing.assert_allclose(ours.effective, theirs.effective, rtol=1e-9)
        covariance = ours.root @ ours.root.T
        np.testing.assert_allclose(theirs.root @ theirs.root.T * 1e6, covariance, rtol=1e-6, atol=1e-12)
    first = next(statistics(X * units, Y))
    found = shrinkage(first, penalty, True)
    centred = (X - X.mean(axis=0)) * units
    A = centred.T @ centred
    scale = np.sqrt(np.diagonal(A) + penalty)
    shrunk = A / scale[:, None] / scale + np.diag(penalty / scale**2)
    hat = np.trace(np.linalg.solve(shrunk, A / scale[:, None] / scale))
    np.testing.assert_allclose(found.effective, hat, rtol=1e-9)


def test_covariance_is_that_of_the_shrunken_weights():
    X, Y = table()
    centred = X - X.mean(axis=0)
    A = centred.T @ centred
    inverse = np.linalg.inv(A + 3 * np.eye(5))
    for statistic in statistics(X, Y):
        root = shrinkage(statistic, 3.0, True).root
        np.testing.assert_allclose(root @ root.T, inverse @ A @ inverse, rtol=1e-9, atol=1e-13)


def test_directions_that_rows_do_not_determine_get_no_weight():
    X, Y = table()
    X[:, 4] = X[:, 0]
    for statistic in statistics(X, Y):
        w = spectrum(statistic, True).weights(np.array([1.0]))[0]
        np.testing.assert_allclose(w[:, 0], w[:, 4], rtol=1e-6)
        none = shrinkage(statistic, 0.0, True)
        if isinstance(statistic, Moments):
            assert none.effective == 4.0
