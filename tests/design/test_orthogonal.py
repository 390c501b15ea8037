"""Orthogonal polynomials: orthogonality to 1e-12, the span of the powers, exact conversion, what rows do not bear."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import legendre
from sklearn.pipeline import make_pipeline

from glaswerk import LinearRegression, PolynomialBasis, load, save
from glaswerk.base import Matrix, Warned
from glaswerk.design import OrthogonalPolynomialBasis
from glaswerk.design.orthogonal import Recurrence, recurrence_of

RNG = np.random.default_rng(0)
COLUMNS = {
    "uniform": RNG.uniform(size=5000),
    "years": 2000.0 + np.arange(60) / 3,
    "far away": 1e6 + RNG.random(300),
    "skewed": RNG.lognormal(0, 1, 5000),
    "heavy tails": RNG.standard_t(3, 5000),
    "grid of 22": np.linspace(0, 1, 22),
    "huge": 1e200 * RNG.normal(size=100),
    "tiny": 1e-300 * RNG.normal(size=100),
}


def moments(P):
    """Means of all products of the constant and the columns, less the identity."""
    P = np.column_stack([np.ones(len(P)), P])
    return np.abs(P.T @ P / len(P) - np.eye(P.shape[1])).max()


@pytest.mark.parametrize("name", list(COLUMNS))
def test_degree_twenty_is_orthogonal_to_twelve_digits(name):
    x = COLUMNS[name][:, None]
    made = OrthogonalPolynomialBasis(20).fit_transform(x)
    assert made.shape == (len(x), 20)
    assert moments(np.asarray(made)) < 1e-12


def test_on_an_even_grid_they_come_to_legendres():
    x = np.linspace(-1, 1, 20_001)
    basis = OrthogonalPolynomialBasis(6).fit(x[:, None])
    at = np.array([-1.0, -0.3, 0.2, 0.9])
    for k in range(1, 7):
        expected = np.sqrt(2 * k + 1) * legendre.legval(at, [0] * k + [1])
        np.testing.assert_allclose(basis.transform(at[:, None])[:, k - 1], expected, atol=4e-3)


def test_values_equal_exact_rational_arithmetic():
    """Gram and Schmidt with fractions: the polynomial of degree k that is orthogonal to all below it."""
    x = [Fraction(k * k, 7) for k in range(9)]
    known = [[Fraction(1)] * 9]
    made = OrthogonalPolynomialBasis(7).fit_transform(np.array([[float(v)] for v in x]))
    exact_x = [Fraction(float(v)) for v in x]
    for k in range(1, 8):
        column = [v**k for v in exact_x]
        for other in known:
            share = sum(map(Fraction.__mul__, column, other)) / sum(v * v for v in other)
            column = [v - share * o for v, o in zip(column, other, strict=True)]
        known.append(column)
        length = np.sqrt(float(sum(v * v for v in column)) / 9)
        np.testing.assert_allclose(made[:, k - 1], [float(v) / length for v in column], rtol=1e-13)


@settings(deadline=None, max_examples=25)
@given(shift=st.floats(-1e3, 1e3), scale=st.floats(1e-3, 1e3), flip=st.booleans(), cut=st.integers(1, 39))
def test_units_and_origin_do_not_matter_and_rows_are_alone(shift, scale, flip, cut):
    x = RNG.normal(size=(40, 1))
    basis = OrthogonalPolynomialBasis(8).fit(x)
    whole = np.asarray(basis.transform(x))
    np.testing.assert_array_equal(np.concatenate([basis.transform(x[:cut]), basis.transform(x[cut:])]), whole)
    sign = np.where(np.arange(1, 9) % 2, -1.0, 1.0) if flip else np.ones(8)
    moved = OrthogonalPolynomialBasis(8).fit_transform(x * (-scale if flip else scale) + shift)
    np.testing.assert_allclose(moved * sign, whole, rtol=1e-7, atol=1e-7)


def test_powers_of_two_change_no_bit():
    x = RNG.normal(size=(40, 1))
    a, b = (OrthogonalPolynomialBasis(9).fit_transform(v) for v in (x, x * 2.0**40))
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("products", [True, False])
def test_least_squares_finds_the_same_as_with_powers(products):
    X = RNG.uniform(-1, 2, size=(80, 2 if products else 1))
    y = np.sin(X.sum(axis=1)) + 0.1 * RNG.normal(size=80)
    basis, learner = OrthogonalPolynomialBasis(3, products=products), LinearRegression()
    ours = make_pipeline(basis, learner).fit(X, y)
    powers = make_pipeline(PolynomialBasis(3), LinearRegression()).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), powers.predict(X), rtol=1e-11)
    found = basis.to_powers(learner.coef_, learner.intercept_)
    assert list(found) == ["1", *powers[0].get_feature_names_out()]
    np.testing.assert_allclose(list(found.values()), [powers[1].intercept_, *powers[1].coef_], rtol=1e-9)


def test_where_powers_fail_weights_are_the_means_of_products():
    x = np.linspace(2000, 2020, 400)
    y = np.cos(x)
    basis, learner = OrthogonalPolynomialBasis(20), LinearRegression()
    model = make_pipeline(basis, learner).fit(x[:, None], y)
    np.testing.assert_allclose(learner.coef_, basis.transform(x[:, None]).T @ y / 400, rtol=1e-10, atol=1e-14)
    best = legendre.Legendre.fit(x, y, 20)
    np.testing.assert_allclose(model.predict(x[:, None]), best(x), atol=1e-10)


def test_conversion_to_powers_is_exact():
    x = np.array([0.0, 1.0, 2.0, 3.0])[:, None]
    basis = OrthogonalPolynomialBasis(2).fit(x)
    found = basis.to_powers([2.0, -1.0], 5.0)
    np.testing.assert_allclose(
        found["1"] + found["x0"] * x[:, 0] + found["x0^2"] * x[:, 0] ** 2,
        5 + basis.transform(x) @ [2.0, -1.0],
        rtol=1e-14,
    )
    high = OrthogonalPolynomialBasis(20).fit(COLUMNS["years"][:, None])
    exact = [sum(c * Fraction(2003) ** k for k, c in enumerate(p)) for p in high.recurrences_[0].powers()]
    np.testing.assert_allclose(high.transform([[2003.0]])[0], [float(v) for v in exact], rtol=1e-13)


def test_terms_and_names(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(RNG.normal(size=(30, 2)), columns=["age", "size"])
    both = OrthogonalPolynomialBasis(2).fit_transform(frame)
    assert isinstance(both, Matrix)
    assert both.names == ("P1(age)", "P1(size)", "P2(age)", "P1(age) P1(size)", "P2(size)")
    np.testing.assert_array_equal(both[:, 3], both[:, 0] * both[:, 1])
    alone = OrthogonalPolynomialBasis(2, products=False).fit(frame)
    assert alone.transform(frame).names == ("P1(age)", "P1(size)", "P2(age)", "P2(size)")
    save(alone, tmp_path / "b")
    again = load(tmp_path / "b")
    np.testing.assert_array_equal(again.transform(frame), alone.transform(frame))
    assert again.to_powers([1.0] * 4) == alone.to_powers([1.0] * 4)


# ---- what rows do not bear


@pytest.mark.parametrize(
    ("x", "degree", "why"),
    [
        (np.arange(100.0) % 5, 4, "5 distinct values"),
        ([1 / 3, 0.1, 0.1], 1, "2 distinct values"),
        (np.r_[RNG.normal(size=1000), 1e4], 6, "values at very many scales"),
    ],
)
def test_degrees_beyond_the_rows_are_left_out_and_told(x, degree, why):
    x = np.asarray(x)[:, None]
    with pytest.warns(Warned, match=rf"'x0' bears degree {degree} \({why}\); higher ones are left out"):
        made = OrthogonalPolynomialBasis(20).fit_transform(x)
    assert made.shape == (len(x), degree)
    assert moments(np.asarray(made)) < 1e-12


def test_products_use_what_each_column_bears():
    X = np.column_stack([np.arange(8.0) % 2, np.arange(8.0)])
    with pytest.warns(Warned, match="'x0' bears degree 1"):
        basis = OrthogonalPolynomialBasis(3).fit(X)
    assert basis.get_feature_names_out().tolist() == [
        "P1(x0)", "P1(x1)", "P1(x0) P1(x1)", "P2(x1)", "P1(x0) P2(x1)", "P3(x1)",
    ]  # fmt: skip


@pytest.mark.parametrize("rows", [[[3.0]], [[0.1]] * 7, [[0.0]] * 2], ids=["one row", "constant", "zeros"])
def test_a_constant_column_is_only_centred(rows):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        basis = OrthogonalPolynomialBasis(4).fit(rows)
    np.testing.assert_array_equal(basis.transform(rows), np.zeros((len(rows), 1)))
    np.testing.assert_allclose(basis.transform([[rows[0][0] + 2.5]]), [[2.5]], rtol=1e-15)


def test_beyond_all_range_is_refused_by_name():
    basis = OrthogonalPolynomialBasis(20).fit(np.linspace(0, 1, 30)[:, None])
    with pytest.raises(ValueError, match=r"too far outside .* column 'P\d+\(x0\)', row 1"):
        basis.transform([[0.5], [1e60]])


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="degree must be an integer >= 1, got 0"):
        OrthogonalPolynomialBasis(0).fit([[1.0]])
    with pytest.raises(ValueError, match="X contains NaN: column 'x0', row 1"):
        OrthogonalPolynomialBasis().fit([[1.0], [np.nan]])
    basis = OrthogonalPolynomialBasis(2).fit([[1.0], [2.0], [4.0]])
    with pytest.raises(ValueError, match=r"coefficients must be 2 finite numbers, one per term, got shape \(3,\)"):
        basis.to_powers([1.0, 2.0, 3.0])


@pytest.mark.parametrize("change", [{"gamma": np.zeros(2)}, {"alpha": np.full((2, 2), np.nan)}, {"beta": np.ones(2)}])
def test_a_recurrence_that_is_none_is_refused(change):
    found = recurrence_of(np.array([1.0, 2.0, 4.0]), 2)
    with pytest.raises(ValueError, match=r"recurrence has|are > 0"):
        Recurrence(**{**vars(found), **change}).check()
    basis = OrthogonalPolynomialBasis(1)
    with pytest.raises(ValueError, match="does not hold the polynomials of every column"):
        basis.restore({"n_features_in_": 1, "recurrences_": [found]})
