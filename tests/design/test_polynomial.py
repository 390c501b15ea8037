"""Polynomial basis: terms, names, and the powers handed over beyond double precision."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from glaswerk import LinearRegression, PolynomialBasis, StandardScaler
from glaswerk.base import Matrix, Warned
from glaswerk.design.polynomial import power_conditions
from tests.rational import correct_digits, exact_least_squares


def test_script_a_maps_two_columns_to_five():
    """[BOE-PHI2] φ(x) = (x₁, x₂, x₁², x₁x₂, x₂²), the script's five in another order."""
    basis = PolynomialBasis(2).fit([[2.0, 3.0]])
    np.testing.assert_array_equal(basis.transform([[2.0, 3.0]]), [[2, 3, 4, 6, 9]])
    assert basis.get_feature_names_out().tolist() == ["x0", "x1", "x0^2", "x0 x1", "x1^2"]


def test_one_column_becomes_its_powers():
    """[BOE-PHI] φ(x) = (x, x²); [BG-PHI] φ_j(x) = x^j."""
    np.testing.assert_array_equal(PolynomialBasis(4).fit_transform([[3.0], [-2.0]]), [[3, 9, 27, 81], [-2, 4, -8, 16]])


@pytest.mark.parametrize("interaction_only", [False, True])
@pytest.mark.parametrize(("d", "degree"), [(1, 6), (3, 3), (4, 2)])
def test_terms_equal_scikit_learns_without_the_constant(d, degree, interaction_only):
    X = np.random.default_rng(0).normal(size=(20, d))
    theirs = PolynomialFeatures(degree, interaction_only=interaction_only, include_bias=False).fit(X)
    ours = PolynomialBasis(degree, interaction_only=interaction_only).fit(X)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-15)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


@settings(deadline=None, max_examples=50)
@given(x=st.floats(-1e3, 1e3).filter(lambda v: abs(v) > 1e-3), degree=st.integers(2, 9))
def test_powers_are_kept_to_thirty_digits(x, degree):
    made = PolynomialBasis(degree).fit_transform([[x]])
    exact = Fraction(x) ** degree
    error = Fraction(float(made[0, -1])) + Fraction(float(made.low[0, -1])) - exact
    assert abs(error) <= abs(exact) * Fraction(1, 10**29)


def test_a_slice_or_sum_of_the_powers_no_longer_carries_the_low_part():
    made = PolynomialBasis(3).fit_transform(np.array([[1.1], [2.2], [3.3]]))
    assert isinstance(made, Matrix)
    assert made.low.shape == (3, 3)
    assert made.names == ("x0", "x0^2", "x0^3")
    for derived in (made[1:], made + 1, made.copy()):
        assert derived.low is None
        assert derived.names is None


def test_degree_ten_keeps_its_digits_because_powers_are_handed_over():
    x = np.round(np.linspace(-9, -3, 82), 4)
    y = np.sin(x) + 0.01 * np.random.default_rng(0).normal(size=82)
    exact = exact_least_squares([[Fraction(v) ** k for k in range(1, 11)] for v in x], y)
    learner = LinearRegression()
    make_pipeline(PolynomialBasis(10), learner).fit(x[:, None], y)
    assert correct_digits(np.append(learner.coef_, learner.intercept_), exact) >= 15
    rounded = LinearRegression().fit(x[:, None] ** np.arange(1, 11), y)
    assert correct_digits(np.append(rounded.coef_, rounded.intercept_), exact) < 10


def test_large_tables_take_plain_powers():
    X = np.random.default_rng(0).normal(size=(700_000, 1))
    made = PolynomialBasis(3).fit_transform(X)
    assert made.low is None
    np.testing.assert_allclose(made[:, 2], X[:, 0] ** 3, rtol=1e-15)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_names_go_all_the_way_through():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [1.0, 2.0, 4.0, 7.0], "size": [3.0, 1.0, 4.0, 1.0]})
    pipe = make_pipeline(StandardScaler(), PolynomialBasis(2, interaction_only=True)).set_output(transform="pandas")
    assert pipe.fit_transform(frame).columns.tolist() == ["age", "size", "age size"]
    model = LinearRegression().fit(pipe.transform(frame), [1.0, 2.0, 3.0, 5.0])
    assert model.column_names() == ("age", "size", "age size")


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="degree must be an integer >= 1, got 0"):
        PolynomialBasis(0).fit([[1.0]])
    with pytest.raises(ValueError, match="X contains NaN: column 'x0', row 1"):
        PolynomialBasis(2).fit([[1.0], [np.nan]])
    with pytest.raises(ValueError, match="equal to number of features"):
        PolynomialBasis(2).fit([[1.0]]).get_feature_names_out(["a", "b"])


# ---- digits that a high degree costs


@pytest.mark.parametrize(("low", "high", "degree"), [(-1, 1, 9), (0, 1, 6), (10, 35, 5), (2000, 2020, 3)])
def test_the_condition_is_that_of_the_centred_powers_of_rows_in_the_range(low, high, degree):
    x = np.random.default_rng(0).uniform(low, high, 20_000)
    powers = (x / max(abs(low), abs(high)))[:, None] ** np.arange(1, degree + 1)
    powers -= powers.mean(axis=0)
    known = np.linalg.cond(powers / np.linalg.norm(powers, axis=0))
    found = power_conditions(np.array([low], float), np.array([high], float), degree)[0]
    assert found == pytest.approx(known, rel=0.2)


def test_the_unit_does_not_matter_and_a_constant_costs_nothing():
    low, high = np.array([10.0, 10e-9, 5.0, 0.0]), np.array([35.0, 35e-9, 5.0, 0.0])
    found = power_conditions(low, high, 6)
    assert found[0] == pytest.approx(found[1], rel=1e-6)
    assert found[2:].tolist() == [1.0, 1.0]
    assert power_conditions(low, high, 1).tolist() == [1.0] * 4


def test_a_degree_that_costs_the_digits_is_told_with_the_way_out():
    X = np.column_stack([np.linspace(-1, 1, 50), np.linspace(10, 35, 50)])
    with pytest.warns(Warned, match=r"range from 10 to 35 .* 'x1' up to 12 .*condition about [89]e\+10") as caught:
        PolynomialBasis(12).fit(X[:, :2])
    assert "OrthogonalPolynomialBasis(12)" in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PolynomialBasis(12).fit(X[:, :1])
        PolynomialBasis(3).fit(X)
        PolynomialBasis(2, interaction_only=True).fit(X + 1e9)
