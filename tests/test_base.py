"""The estimator contract: matrices that carry names and what rounding took, targets that carry their name."""

import warnings

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from glaswerk import FunctionBasis, LinearRegression, PolynomialBasis, StandardScaler
from glaswerk.base import Matrix, Target
from glaswerk.facts import Coefficients

CELLS = np.random.default_rng(0).normal(size=(30, 2))
TARGET = CELLS @ [1.0, 2.0] + CELLS[:, 0] ** 2
NAMED = Matrix.of(CELLS, ("age", "size"))


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_a_matrix_carries_names_until_it_is_sliced_or_computed_with():
    assert NAMED.names == ("age", "size")
    for derived in (NAMED[1:], NAMED[:, 0], NAMED + 1.0, NAMED.copy(), NAMED.T, np.sqrt(abs(NAMED))):
        assert derived.names is None
        assert derived.low is None
    assert type(np.asarray(NAMED)) is np.ndarray
    assert np.shares_memory(NAMED, CELLS)


def test_a_target_carries_its_name():
    target = Target.of(TARGET, "price")
    assert LinearRegression().fit(NAMED, target).target_names_ == ["price"]
    assert target[:3].name is None


def test_names_of_a_matrix_count_as_a_dataframes():
    model = LinearRegression().fit(NAMED, TARGET)
    assert model.column_names() == ("age", "size")
    with pytest.raises(
        ValueError, match=r"LinearRegression: The feature names should match .* missing: 'age'; new: 'b'"
    ):
        model.predict(Matrix.of(CELLS, ("b", "size")))
    with pytest.raises(ValueError, match="other order"):
        model.predict(Matrix.of(CELLS, ("size", "age")))
    with pytest.raises(ValueError, match="X has 1 features, but LinearRegression is expecting 2"):
        model.predict(NAMED[:, :1])


def test_a_slice_of_a_matrix_is_taken_by_place():
    model = LinearRegression().fit(NAMED, TARGET)
    np.testing.assert_array_equal(model.predict(NAMED[3:]), model.predict(NAMED)[3:])
    again = LinearRegression().fit(NAMED[:20], TARGET[:20])
    assert not hasattr(again, "feature_names_in_")
    assert again.predict(NAMED).shape == (30,)


def test_a_refit_forgets_names():
    model = LinearRegression().fit(NAMED, TARGET)
    assert not hasattr(model.fit(CELLS, TARGET), "feature_names_in_")


@pytest.mark.parametrize("start", ["array", "matrix"])
def test_names_travel_through_a_pipeline_to_the_facts(start):
    X = CELLS if start == "array" else NAMED
    a, b = ("x0", "x1") if start == "array" else NAMED.names
    model = make_pipeline(StandardScaler(), PolynomialBasis(2), LinearRegression()).fit(X, TARGET)
    told = model[-1].facts().of_kind(Coefficients)[0]
    assert [row.name for row in told.rows] == ["intercept", a, b, f"{a}^2", f"{a} {b}", f"{b}^2"]
    np.testing.assert_allclose(model.predict(X), TARGET, atol=1e-12)


def test_names_of_a_function_travel_too():
    model = make_pipeline(FunctionBasis(np.exp, names=["e^a", "e^b"]), LinearRegression()).fit(CELLS, TARGET)
    assert model[-1].column_names() == ("e^a", "e^b")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_set_output_goes_before_the_matrix(library):
    pytest.importorskip(library)
    pipe = make_pipeline(StandardScaler(), PolynomialBasis(2)).set_output(transform=library)
    made = pipe.fit_transform(CELLS)
    assert type(made).__module__.startswith(library)
    assert list(made.columns) == ["x0", "x1", "x0^2", "x0 x1", "x1^2"]
    plain = make_pipeline(StandardScaler(), PolynomialBasis(2)).fit_transform(CELLS)
    np.testing.assert_array_equal(np.asarray(made), np.asarray(plain))


def test_what_rounding_took_reaches_the_learner_with_the_names():
    x = np.round(np.linspace(-9, -3, 82), 4)[:, None]
    y = np.sin(x[:, 0])
    pairs = LinearRegression().fit(PolynomialBasis(10).fit_transform(x), y)
    rounded = LinearRegression().fit(np.asarray(PolynomialBasis(10).fit_transform(x)), y)
    assert pairs.coef_[0] != rounded.coef_[0]
    assert pairs.column_names()[:2] == ("x0", "x0^2")
