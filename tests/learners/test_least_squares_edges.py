"""Linear regression at the edges, under laws, and against bad input."""

import copy
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from glaswerk import LinearRegression
from glaswerk.facts import Coefficients


def noisy_table(n=60, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X @ np.arange(1.0, d + 1) + rng.normal(size=n)


# Laws


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 80), d=st.integers(1, 4))
def test_weight_two_is_the_row_twice(seed, n, d):
    X, y = noisy_table(n, d, seed)
    weight = np.random.default_rng(seed).integers(0, 4, n)
    weight[0] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weighted = LinearRegression().fit(X, y, sample_weight=weight)
        repeated = LinearRegression().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(weighted.sigma_, repeated.sigma_, rtol=1e-7, atol=1e-12)


@settings(deadline=None, max_examples=30)
@given(shift=st.floats(-1e6, 1e6), scale=st.sampled_from([1e-6, 1e-3, 10.0, 1e6]))
def test_units_and_origins_of_columns_do_not_matter(shift, scale):
    X, y = noisy_table()
    plain, moved = LinearRegression().fit(X, y), LinearRegression().fit((X + shift) * scale, y)
    np.testing.assert_allclose(moved.coef_ * scale, plain.coef_, rtol=1e-8)
    np.testing.assert_allclose(moved.predict((X + shift) * scale), plain.predict(X), rtol=1e-6, atol=1e-8)


@settings(deadline=None, max_examples=20)
@given(cuts=st.lists(st.integers(1, 299), max_size=5, unique=True))
def test_any_cut_into_partial_fits_gives_the_same_model(cuts):
    X, y = noisy_table(300, 4)
    whole, parts = LinearRegression().fit(X, y), LinearRegression()
    for rows in np.split(np.arange(300), sorted(cuts)):
        parts.partial_fit(X[rows], y[rows])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-14)
    np.testing.assert_allclose(parts.sigma_, whole.sigma_, rtol=1e-13)
    assert parts.degrees_of_freedom_ == whole.degrees_of_freedom_


@pytest.mark.parametrize("closeness", [1.0, 1e-7])
def test_merged_models_are_the_model_of_both_tables(closeness):
    X, y = noisy_table(20_000, 4)
    X[:, 1] = X[:, 0] + closeness * X[:, 1]
    whole = LinearRegression().fit(X, y)
    half = LinearRegression().fit(X[:9000], y[:9000]).merge(LinearRegression().fit(X[9000:], y[9000:]))
    tolerance = 10.0**-half.solution_.digits
    np.testing.assert_allclose(half.coef_, whole.coef_, rtol=max(tolerance, 1e-12))
    np.testing.assert_allclose(half.predict(X), whole.predict(X), atol=1e-6)


def test_a_triangle_and_moments_can_meet():
    X, y = noisy_table(20_000, 3)
    near = X.copy()
    near[:, 1] = near[:, 0] + 1e-8 * near[:, 1]
    merged = LinearRegression().fit(near, y).merge(LinearRegression().fit(X, y))
    both = LinearRegression().fit(np.vstack([near, X]), np.append(y, y))
    np.testing.assert_allclose(merged.coef_, both.coef_, rtol=1e-10)


def test_the_same_bits_whatever_the_memory_order_and_number_of_threads():
    X, y = noisy_table(200_000, 3)
    first = LinearRegression(n_jobs=1).fit(X, y)
    for n_jobs in (2, 3, None):
        assert np.array_equal(LinearRegression(n_jobs=n_jobs).fit(X, y).coef_, first.coef_)
    assert np.array_equal(LinearRegression().fit(np.asfortranarray(X), y).coef_, first.coef_)
    assert np.array_equal(LinearRegression().fit(X[::-1][::-1], y).coef_, first.coef_)


def test_fitting_twice_gives_the_same_bits_and_leaves_the_table_alone():
    X, y = noisy_table(5000, 12)
    kept = X.copy(), y.copy()
    one, two = LinearRegression().fit(X, y), LinearRegression().fit(X, y)
    assert np.array_equal(one.coef_, two.coef_)
    assert np.array_equal(X, kept[0])
    assert np.array_equal(y, kept[1])


# Edges


@pytest.mark.filterwarnings("ignore::glaswerk.base.Warned")
def test_one_row_predicts_itself():
    model = LinearRegression().fit([[2.0, 3.0]], [5.0])
    np.testing.assert_array_equal(model.predict([[2.0, 3.0], [9.0, 9.0]]), [5.0, 5.0])
    row = model.facts().of_kind(Coefficients)[0]
    assert row.rows[0].standard_error is None
    assert "no degree of freedom is left" in row.notes[0]
    assert np.isnan(model.predict_interval([[2.0, 3.0]])).all()


def test_two_rows_and_one_column_fit_exactly():
    model = LinearRegression().fit([[1.0], [3.0]], [1.0, 5.0])
    np.testing.assert_allclose([model.intercept_, model.coef_[0]], [-1.0, 2.0], rtol=1e-15)
    assert model.degrees_of_freedom_ == 0


def test_a_constant_target_has_zero_slopes_and_an_undefined_r2():
    X, _ = noisy_table()
    model = LinearRegression().fit(X, np.full(60, 7.0))
    np.testing.assert_allclose(model.coef_, 0.0, atol=1e-15)
    np.testing.assert_allclose(model.intercept_, 7.0, rtol=1e-15)
    assert "R²" in str(model.facts())


def test_integers_booleans_and_single_precision_are_numbers():
    X = np.array([[0, 1], [1, 1], [2, 0], [3, 1]])
    y = np.array([True, False, True, True])
    expected = LinearRegression().fit(X.astype(float), y.astype(float)).coef_
    for kind in (np.int8, np.int64, np.float32):
        np.testing.assert_array_equal(LinearRegression().fit(X.astype(kind), y).coef_, expected)


def test_no_intercept_goes_through_the_origin():
    X, y = noisy_table()
    model = LinearRegression(fit_intercept=False).fit(X + 3, y)
    assert model.intercept_ == 0.0
    np.testing.assert_allclose(model.predict(np.zeros((1, 3))), 0.0, atol=0)
    assert model.degrees_of_freedom_ == 57


# Bad input: each message names the place, what is allowed and what came


@pytest.mark.parametrize("n", [50, 20_000])
@pytest.mark.parametrize(("value", "word"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_an_unusable_cell_is_named_by_column_and_row(n, value, word):
    pandas = pytest.importorskip("pandas")
    X, y = noisy_table(n)
    X[41, 1] = value
    with pytest.raises(ValueError, match=f"X contains {word}: column 'weight', row 41"):
        LinearRegression().fit(pandas.DataFrame(X, columns=["a", "weight", "c"]), y)
    clean, _ = noisy_table(n)
    model = LinearRegression().fit(clean, y)
    with pytest.raises(ValueError, match=f"X contains {word}: column 'x1', row 41"):
        model.predict(X)
    y[7] = value
    with pytest.raises(ValueError, match=f"the target y contains {word}: column 'y', row 7"):
        LinearRegression().fit(clean, y)


def test_numbers_too_large_to_square_are_said_to_be():
    X, y = noisy_table(20_000)
    X[0] = 1e200
    with pytest.raises(ValueError, match="overflow: rescale"):
        LinearRegression().fit(X, y)


def test_text_is_named_by_column_and_row():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": [1.0, 2.0], "city": ["Bonn", "Köln"]})
    with pytest.raises(ValueError, match="column 'city' holds text \\('Bonn' in row 0\\)"):
        LinearRegression().fit(frame, [1.0, 2.0])
    with pytest.raises(ValueError, match="the target y must hold numbers"):
        LinearRegression().fit([[1.0], [2.0]], ["a", "b"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fit_intercept": "yes"}, "fit_intercept must be True or False, got 'yes'"),
        ({"tol": -1.0}, "tol must be a number >= 0 and <= 1 or None, got -1.0"),
        ({"n_jobs": 0}, "n_jobs must be an integer other than 0 or None, got 0"),
        ({"weights": "frequency"}, "weights must be 'repetitions' or 'precisions', got 'frequency'"),
        ({"positive": True}, "positive must be False .*scikit-learn's class has it"),
    ],
)
def test_a_parameter_that_is_not_allowed_says_what_is(change, message):
    with pytest.raises(ValueError, match=message):
        LinearRegression(**change).fit(*noisy_table())


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.full(60, -1.0), "sample_weight must be finite and >= 0, got -1.0 in row 0"),
        (np.r_[np.ones(59), np.nan], "got nan in row 59"),
        (np.zeros(60), "zero for every row"),
        (np.ones(59), r"sample_weight.shape == \(59,\), expected \(60,\)"),
        (np.ones((60, 1)), "1D array"),
    ],
)
def test_bad_weights_are_refused(weight, message):
    with pytest.raises(ValueError, match=message):
        LinearRegression().fit(*noisy_table(), sample_weight=weight)


def test_shapes_that_do_not_fit_are_refused():
    X, y = noisy_table()
    for bad, message in [
        ((X[:0], y[:0]), "0 sample"),
        ((X[:, :0], y), "0 feature"),
        ((X, y[:-1]), "X has 60 rows and y has 59"),
        ((X, None), "the target y is None"),
        ((X[0], y), "Reshape your data"),
        ((X, np.zeros((60, 1, 1))), "dimensions|dim 3"),
    ]:
        with pytest.raises(ValueError, match=message):
            LinearRegression().fit(*bad)
    model = LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="X has 2 features, but LinearRegression is expecting 3"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match=r"level must be a number between 0 and 1, got 90"):
        model.predict_interval(X, level=90)
    with pytest.raises(ValueError, match="of must be 'observation' or 'mean', got 'new'"):
        model.predict_interval(X, of="new")


def test_sparse_input_is_refused_with_the_alternative():
    with pytest.raises(TypeError, match=r"dense data is required.*toarray"):
        LinearRegression().fit(sparse.eye(5).tocsr(), np.ones(5))


def test_models_that_differ_are_not_merged():
    X, y = noisy_table()
    model = LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="same parameters"):
        model.merge(LinearRegression(fit_intercept=False).fit(X, y))
    with pytest.raises(ValueError, match="different columns"):
        model.merge(LinearRegression().fit(X[:, :2], y))
    with pytest.raises(ValueError, match="3 features"):
        copy.deepcopy(model).partial_fit(X[:, :2], y)
    with pytest.raises(ValueError, match=r"y has 2 target\(s\), the model has 1"):
        copy.deepcopy(model).partial_fit(X, np.column_stack([y, y]))


def test_a_refused_batch_leaves_what_was_learnt():
    X, y = noisy_table()
    model = LinearRegression().partial_fit(X, y)
    before = model.coef_
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(X * np.nan, y)
    assert np.array_equal(model.coef_, before)
    assert model.partial_fit(X, y).solution_.count == 120
