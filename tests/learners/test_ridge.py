"""Ridge regression: known numbers, oracles, laws, inference, edges and bad input."""

import csv
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from scipy import sparse
from sklearn import linear_model

from glaswerk.facts import Coefficients, Numerics, Table
from glaswerk.learners import LinearRegression, Ridge
from glaswerk.model import load, save

COLLINEAR = np.array([[-0.2, -0.1996], [0.2, 0.1993], [1.0, 1.0017]])
HEIGHTS = np.array([0.49, 0.64, 1.39])
INPUTS = ["lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"]


def noisy_table(n=200, d=4, q=0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.5, 3, d) + rng.normal(size=d)
    w = rng.normal(size=(d, q) if q else d)
    return X, X @ w + rng.normal(size=(n, q) if q else n)


# Known numbers


def test_script_b_penalised_weights_with_the_intercept_paid_for():
    """[TRE-COST] [TRE-PLS] (0.58, 0.38, 0.39) is printed, λ is not; 0.02 gives these four digits."""
    model = Ridge(alpha=0.02, penalise_intercept=True).fit(COLLINEAR, HEIGHTS)
    np.testing.assert_allclose([model.intercept_, *model.coef_], [0.5789, 0.3817, 0.3895], atol=5e-5)
    ones = np.column_stack([COLLINEAR, np.ones(3)])
    direct = np.linalg.solve(ones.T @ ones + 0.02 * np.eye(3), ones.T @ HEIGHTS)
    np.testing.assert_allclose([*model.coef_, model.intercept_], direct, rtol=1e-12)


def test_script_a_halves_the_squares_and_so_doubles_the_penalty():
    """[BOE-RIDGE] ½ Σ (y - ŷ)² + α ‖w‖²: the gradient vanishes at the solution, and λ = 2 α."""
    X, y = noisy_table(60, 3)
    model = Ridge(alpha=3.0, penalty="half_sse").fit(X, y)
    gradient = -X.T @ (y - model.predict(X)) + 2 * 3.0 * model.coef_
    np.testing.assert_allclose(gradient, 0.0, atol=1e-10)
    np.testing.assert_allclose(model.coef_, Ridge(alpha=6.0).fit(X, y).coef_, rtol=1e-14)
    table = next(fact for fact in model.facts().of_kind(Table) if fact.title == "The penalty")
    assert table.rows[0][:3] == ("y", 3.0, 6.0)


def test_as_the_penalty_of_script_a_grows_the_function_goes_to_zero_only_if_the_intercept_pays():
    X, y = noisy_table()
    assert abs(Ridge(1e20, penalise_intercept=True).fit(X, y).predict(X)).max() < 1e-12
    np.testing.assert_allclose(Ridge(1e20).fit(X, y).predict(X), y.mean(), rtol=1e-12)


def test_effective_parameters_are_the_trace_of_the_hat_matrix():
    """[TRE-MEFF] Σ d² / (d² + λ)."""
    X, y = noisy_table(50, 5)
    centred = X - X.mean(axis=0)
    hat = centred @ np.linalg.solve(centred.T @ centred + 7.0 * np.eye(5), centred.T)
    np.testing.assert_allclose(Ridge(7.0).fit(X, y).effective_parameters_, np.trace(hat), rtol=1e-12)
    np.testing.assert_allclose(Ridge(0.0).fit(X, y).effective_parameters_, 5.0, rtol=1e-12)
    tiny = np.trace(centred.T @ centred) / 1e20
    np.testing.assert_allclose(Ridge(1e20).fit(X, y).effective_parameters_, tiny, rtol=1e-9)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("first_edition", "alpha", "error", "effective"), [(True, 38.40, 0.5414, 4.160), (False, 24.00, 0.4904, 5.0)]
)
def test_prostate_as_script_b_reports_it(shared_data, first_edition, alpha, error, effective):
    with (shared_data / "prostate.csv").open() as file:
        rows = list(csv.DictReader(file))
    names = ["lweight_1st_edition" if first_edition and name == "lweight" else name for name in INPUTS]
    X = np.array([[float(row[name]) for name in names] for row in rows])
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    train, y = np.array([row["train"] == "T" for row in rows]), np.array([float(row["lpsa"]) for row in rows])
    model = Ridge(alpha).fit(X[train], y[train])
    assert round(float(((y[~train] - model.predict(X[~train])) ** 2).mean()), 4) == error
    assert abs(model.effective_parameters_[0] - effective) < 0.005


# Oracles


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("n", "d"), [(30, 4), (9000, 6), (20, 50)])
@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e4])
def test_coefficients_equal_scikit_learns(n, d, alpha, intercept):
    X, y = noisy_table(n, d)
    weight = np.random.default_rng(1).uniform(0.1, 3, n)
    for w in (None, weight):
        ours = Ridge(alpha, fit_intercept=intercept).fit(X, y, w)
        theirs = linear_model.Ridge(alpha, fit_intercept=intercept, solver="svd").fit(X, y, w)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-13)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-12)
        rest = (y - ours.predict(X)) ** 2
        np.testing.assert_allclose(ours.solution_.residual[0], rest @ (np.ones(n) if w is None else w), rtol=1e-9)


@pytest.mark.parametrize("alpha", [2.0, np.array([0.1, 10.0, 1000.0])])
@pytest.mark.parametrize("n", [60, 20])
def test_many_targets_with_one_penalty_or_one_each(alpha, n):
    X, Y = noisy_table(n, 30, q=3)
    ours, theirs = Ridge(alpha).fit(X, Y), linear_model.Ridge(alpha, solver="svd").fit(X, Y)
    assert ours.coef_.shape == (3, 30)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.score(X, Y), theirs.score(X, Y), rtol=1e-12)


@pytest.mark.parametrize("n", [60, 20_000])
@mp.workdps(50)
def test_nearly_dependent_columns_keep_the_digits_that_are_claimed(n):
    """Against 50 digits: a Gram in doubles would have lost half of them."""
    X, y = noisy_table(n, 3)
    X[:, 1] = X[:, 0] + 1e-6 * X[:, 1]
    model = Ridge(1e-9 * n).fit(X, y)
    A, b = mp.matrix(4, 4), mp.matrix(4, 1)
    rows = np.column_stack([X, np.ones(n)])
    for i in range(4):
        b[i] = mp.fdot(zip(map(mp.mpf, rows[:, i]), map(mp.mpf, y), strict=True))
        for j in range(i + 1):
            A[i, j] = A[j, i] = mp.fdot(zip(map(mp.mpf, rows[:, i]), map(mp.mpf, rows[:, j]), strict=True))
    for i in range(3):
        A[i, i] += mp.mpf(1e-9 * n)
    exact = mp.lu_solve(A, b)
    found = [*model.coef_, model.intercept_]
    worst = max(abs((mp.mpf(float(w)) - e) / e) for w, e in zip(found, exact, strict=True))
    assert worst < 10 ** -min(model.solution_.digits - 1, 13)
    assert worst < 1e-12


# Laws


@settings(deadline=None, max_examples=20)
@given(shift=st.floats(-1e6, 1e6), alpha=st.sampled_from([0.01, 1.0, 100.0]))
def test_moving_the_columns_changes_nothing_but_the_intercept(shift, alpha):
    X, y = noisy_table(60, 3)
    plain, moved = Ridge(alpha).fit(X, y), Ridge(alpha).fit(X + shift, y)
    np.testing.assert_allclose(moved.coef_, plain.coef_, rtol=1e-8)
    np.testing.assert_allclose(moved.predict(X + shift), plain.predict(X), rtol=1e-6, atol=1e-8)


def test_the_shift_is_judged_before_the_penalty_hides_it():
    X, y = noisy_table(70_000, 2)
    X[64:] += 1e6  # the first 64 rows, from which the shift is taken, lie elsewhere
    X[:64] += 1e6 - 300
    found = Ridge(1e9).fit(X, y)
    centred = X - X.mean(axis=0)
    direct = np.linalg.solve(centred.T @ centred + 1e9 * np.eye(2), centred.T @ (y - y.mean()))
    np.testing.assert_allclose(found.coef_, direct, rtol=1e-9)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6), n=st.integers(3, 60))
def test_weight_two_is_the_row_twice(seed, n):
    X, y = noisy_table(n, 3, seed=seed)
    weight = np.random.default_rng(seed).integers(0, 4, n)
    weight[0] = 1
    weighted = Ridge(2.0).fit(X, y, weight)
    repeated = Ridge(2.0).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(weighted.sigma_, repeated.sigma_, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("alpha", [0.5, np.array([0.5, 50.0])])
def test_any_cut_into_partial_fits_or_merged_models_gives_the_same(alpha, own):
    X, Y = noisy_table(300, 4, q=2)
    whole, parts = (Ridge(alpha, penalise_intercept=own) for _ in range(2))
    whole.fit(X, Y)
    for rows in np.split(np.arange(300), [1, 50, 299]):
        parts.partial_fit(X[rows], Y[rows])
    halves = [Ridge(alpha, penalise_intercept=own).fit(X[rows], Y[rows]) for rows in (slice(0, 120), slice(120, None))]
    for model in (parts, halves[0].merge(halves[1])):
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-13)
        np.testing.assert_allclose(model.effective_parameters_, whole.effective_parameters_, rtol=1e-12)


def test_no_penalty_is_least_squares_to_the_last_bit():
    X, y = noisy_table(100, 3)
    none, plain = Ridge(0.0).fit(X, y), LinearRegression().fit(X, y)
    assert (none.coef_ == plain.coef_).all()
    assert none.intercept_ == plain.intercept_
    np.testing.assert_allclose(none.sigma_, plain.sigma_, rtol=1e-12)
    np.testing.assert_allclose(none.predict_interval(X), plain.predict_interval(X), rtol=1e-10)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_and_memory_order_change_no_bit(threads):
    X, y = noisy_table(140_000, 3)
    found = Ridge(1.0, n_jobs=threads).fit(np.asfortranarray(X), y)
    assert (found.coef_ == Ridge(1.0, n_jobs=1).fit(X, y).coef_).all()


def test_a_file_gives_the_bits_of_memory(tmp_path):
    polars = pytest.importorskip("polars")
    X, y = noisy_table(70_000, 3)
    frame = polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y})
    frame.write_parquet(tmp_path / "rows.parquet")
    model = Ridge(3.0).fit_source(tmp_path / "rows.parquet", target="y")
    assert (model.coef_ == Ridge(3.0).fit(X, y).coef_).all()


# Inference


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("n", [40, 10])
def test_errors_are_the_deviation_of_the_weights_over_repeated_noise(own, n):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 12)) + 1
    models = [Ridge(5.0, penalise_intercept=own).fit(X, X[:, 0] - X[:, 1] + rng.normal(size=n)) for _ in range(1500)]
    spread = np.std([[*m.coef_, m.intercept_] for m in models], axis=0)
    root = models[0].shrinkages()[0].root
    claimed = np.sqrt((root**2).sum(axis=1))
    if not own:
        claimed = np.append(claimed, np.sqrt(1 / n + ((models[0].solution_.mean @ root) ** 2).sum()))
    np.testing.assert_allclose(claimed, spread, rtol=0.1)


def test_intervals_hold_new_values_as_often_as_they_say_where_the_bias_is_small():
    rng, inside = np.random.default_rng(5), 0
    for _ in range(600):
        X, new = rng.normal(size=(25, 4)), rng.normal(size=(1, 4))
        w = 0.3 * np.array([1.0, -1.0, 0.5, 0.0])
        low, high = Ridge(5.0).fit(X, X @ w + rng.normal(size=25)).predict_interval(new, level=0.8)[0]
        inside += int(low <= (new @ w)[0] + rng.normal() <= high)
    assert abs(inside / 600 - 0.8) < 0.06


def test_return_std_is_the_deviation_behind_the_interval_for_each_target():
    X, Y = noisy_table(30, 2, q=2)
    model = Ridge(np.array([1.0, 20.0])).fit(X, Y)
    mean, deviation = model.predict(X, return_std=True)
    limits = model.predict_interval(X, level=0.5)
    assert limits.shape == (30, 2, 2)
    np.testing.assert_allclose(limits.mean(axis=1), mean)
    ratio = (limits[:, 1] - limits[:, 0]) / deviation
    np.testing.assert_allclose(ratio, np.broadcast_to(ratio[0], ratio.shape), rtol=1e-10)


def test_facts_hold_errors_without_tests_and_every_convention():
    X, y = noisy_table(30, 2)
    facts = Ridge(1.0).fit(X, y).facts()
    rows = facts.of_kind(Coefficients)[0].rows
    assert [row.name for row in rows] == ["intercept", "x0", "x1"]
    assert all(row.p is None and row.standard_error > 0 for row in rows)
    assert facts.of_kind(Numerics)[0].digits > 15
    assert "2 alpha" in str(facts)
    own = Ridge(1.0, penalise_intercept=True).fit(X, y).facts().of_kind(Coefficients)[0].rows
    assert [row.name for row in own] == ["x0", "x1", "intercept"]


# Files, edges, bad input


@pytest.mark.parametrize("alpha", [2.0, [1.0, 3.0]])
def test_a_saved_model_predicts_the_same_and_goes_on_learning(tmp_path, alpha):
    X, Y = noisy_table(80, 3, q=2)
    model = Ridge(alpha).fit(X[:50], Y[:50])
    save(model, tmp_path / "ridge.glaswerk")
    again = load(tmp_path / "ridge.glaswerk")
    assert (again.predict(X) == model.predict(X)).all()
    assert str(again.facts()) == str(model.facts())
    again.partial_fit(X[50:], Y[50:])
    np.testing.assert_allclose(again.coef_, Ridge(alpha).fit(X, Y).coef_, rtol=1e-12)


def test_one_row_a_constant_column_and_repeated_columns_need_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = Ridge(1.0).fit([[1.0, 2.0]], [3.0])
        assert one.predict([[5.0, 5.0]]) == 3.0
        X, y = noisy_table(40, 3)
        X[:, 1], X[:, 2] = 7.0, X[:, 0]
        model = Ridge(1.0).fit(X, y)
    assert model.coef_[1] == 0.0
    np.testing.assert_allclose(model.coef_[0], model.coef_[2], rtol=1e-10)


def test_where_not_one_degree_of_freedom_is_left_no_interval_is_made_up():
    X, y = noisy_table(20, 60)
    model = Ridge(1e-3).fit(X, y)
    assert model.degrees_of_freedom_[0] < 1
    assert np.isnan(model.predict_interval(X)).all()
    assert model.facts().of_kind(Coefficients)[0].rows[1].standard_error is None


def test_no_penalty_and_repeated_columns_is_said():
    X, y = noisy_table(40, 2)
    with pytest.warns(UserWarning, match="determine only 2 of 3 coefficients"):
        Ridge(0.0).fit(np.column_stack([X, X[:, 0]]), y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": -1.0}, "alpha must be"),
        ({"alpha": np.inf}, "alpha must be"),
        ({"alpha": [1.0, 2.0]}, r"alpha holds 2 numbers, y has 1 target"),
        ({"solver": "sag"}, "solver must be 'auto' or 'svd' or 'cholesky', got 'sag'"),
        ({"positive": True}, "non-negative weights are not implemented"),
        ({"penalty": "mse"}, "penalty must be 'sse' or 'half_sse'"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(change, message):
    X, y = noisy_table(20, 2)
    with pytest.raises(ValueError, match=message):
        Ridge(**change).fit(X, y)


def test_unusable_cells_weights_and_sparse_tables_are_named():
    X, y = noisy_table(20, 2)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="X contains NaN: column 'x1', row 3"):
        Ridge().fit(X, y)
    X[3, 1] = 0.0
    with pytest.raises(ValueError, match="sample_weight is zero for every row"):
        Ridge().fit(X, y, np.zeros(20))
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        Ridge().fit(sparse.csr_matrix(X), y)
    with pytest.raises(ValueError, match="level must be"):
        Ridge().fit(X, y).predict_interval(X, level=2.0)
