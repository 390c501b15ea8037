"""Gradient descent: the scripts' algorithms written out, the closed form as limit, every way to go wrong explained."""

import warnings

import numpy as np
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import SGDRegressor

from glaswerk import load, save
from glaswerk.base import Warned
from glaswerk.facts import Coefficients, Curve, Goodness, Statement, Table
from glaswerk.learners import GradientDescentRegressor, LinearRegression, Ridge


def some(n=60, d=3, seed=0, q=None):
    rng = np.random.default_rng([seed, n, d])
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    y = X @ rng.normal(size=(d, q or 1)) + 2 + 0.5 * rng.normal(size=(n, q or 1))
    return X, y if q else y[:, 0]


def quiet(model, *args, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        return model.fit(*args, **more)


# The scripts' algorithms, line by line


def test_script_a_algorithm_1_in_one_dimension():  # [BOE-GD1] [BOE-E]
    x, y, eta = np.array([-0.2, 0.2, 1.0]), np.array([0.49, 0.64, 1.39]), 0.1
    w0 = w1 = 0.0
    seen = [(w1, w0)]
    for _ in range(25):
        d0 = d1 = 0.0
        for a, b in zip(x, y, strict=True):
            d0 = d0 - b + w1 * a + w0
            d1 = d1 - a * b + w1 * a * a + w0 * a
        w0, w1 = w0 - eta * d0, w1 - eta * d1
        seen.append((w1, w0))
    model = GradientDescentRegressor("half_rss", learning_rate=eta, n_epochs=25, tol=None)
    quiet(model, x[:, None], y)
    np.testing.assert_allclose(model.solution_.trail[:, 0], seen, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose([model.coef_[0], model.intercept_], seen[-1], rtol=1e-13)


@pytest.mark.parametrize(
    ("objective", "share"), [("rss", 2.0), ("half_rss", 1.0), ("mse", 2 / 60), ("half_mse", 1 / 60)]
)
def test_script_a_algorithm_2_and_the_objectives(objective, share):  # [BOE-GD] [NAN-GD] [BG-AVG]
    X, y = some()
    A, w, eta = np.column_stack([X, np.ones(60)]), np.zeros(4), 0.003 / share
    losses, weights = [], []
    for _ in range(40):
        losses.append(share / 2 * np.sum((A @ w - y) ** 2))
        weights.append(w)
        w = w - eta * share * sum((w @ a - b) * a for a, b in zip(A, y, strict=True))
    model = GradientDescentRegressor(objective, learning_rate=eta, n_epochs=39, tol=None)
    quiet(model, X, y)
    np.testing.assert_allclose(model.solution_.objective, losses, rtol=1e-12)
    np.testing.assert_allclose(model.solution_.trail[:, 0], weights, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("size", [1, 7, 60, 500])
@pytest.mark.parametrize("objective", ["half_mse", "half_rss"])
def test_mini_batches_are_consecutive_slices(size, objective):  # [NAN-7]
    X, y = some()
    A, w = np.column_stack([X, np.ones(60)]), np.zeros(4)
    losses = []
    for _ in range(5):
        for k in range(0, 60, size):
            batch, seen = A[k : k + size], y[k : k + size]
            share = len(batch) if objective == "half_mse" else 1
            w = w - 0.002 * batch.T @ (batch @ w - seen) / share
        losses.append(np.sum((A @ w - y) ** 2) / (120 if objective == "half_mse" else 2))
    model = GradientDescentRegressor(objective, learning_rate=0.002, batch_size=size, n_epochs=5, tol=None)
    quiet(model, X, y)
    np.testing.assert_allclose([*model.coef_, model.intercept_], w, rtol=1e-11)
    np.testing.assert_allclose(model.solution_.objective[1:], losses, rtol=1e-11)


def test_stochastic_steps_are_those_of_scikit_learn():  # [NAN-SGD]
    X, y = some()
    ours = GradientDescentRegressor("half_rss", learning_rate=0.01, batch_size=1, n_epochs=4, tol=None)
    rival = SGDRegressor(penalty=None, learning_rate="constant", eta0=0.01, shuffle=False, max_iter=4, tol=None)
    quiet(ours, X, y)
    rival.fit(X, y)
    np.testing.assert_allclose(ours.coef_, rival.coef_, rtol=1e-11)
    np.testing.assert_allclose(ours.intercept_, rival.intercept_[0], rtol=1e-11)


def test_every_epoch_has_an_order_of_its_own_and_the_seed_decides_it():
    X, y = some()

    def fit(seed, **more):
        model = GradientDescentRegressor(
            "half_rss", learning_rate=0.02, batch_size=1, shuffle=True, n_epochs=3, tol=None, random_state=seed, **more
        )
        return quiet(model, X, y).coef_

    assert np.array_equal(fit(1), fit(1))
    assert not np.array_equal(fit(1), fit(2))
    assert not np.array_equal(fit(1), fit(1, decay=0.1))


# The limit is the closed form


@pytest.mark.parametrize("rate", ["lipschitz", "backtracking", "adaptive", "newton"])
def test_every_way_of_stepping_comes_to_the_closed_form(rate):
    X, y = some()
    model = GradientDescentRegressor(learning_rate=rate, n_epochs=5000, tol=1e-15).fit(X, y)
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-5)
    np.testing.assert_allclose(model.solution_.closed[0, :-1], LinearRegression().fit(X, y).coef_, rtol=1e-12)


def test_newton_is_there_after_one_step():
    X, y = some()
    model = GradientDescentRegressor(learning_rate="newton", n_epochs=1).fit(X, y)
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-12)


@pytest.mark.parametrize("pays", [False, True])
@pytest.mark.parametrize(("objective", "penalty", "share"), [
    ("rss", "sse", 1), ("half_rss", "half_sse", 1), ("mse", "sse", 60),
])  # fmt: skip
def test_ridge_by_descent_is_ridge(pays, objective, penalty, share):
    X, y = some()
    model = GradientDescentRegressor(objective, alpha=3.0 / share, penalise_intercept=pays, n_epochs=3000, tol=1e-15)
    model.fit(X, y)
    ridge = Ridge(3.0, penalty=penalty, penalise_intercept=pays).fit(X, y)
    np.testing.assert_allclose(model.coef_, ridge.coef_, rtol=1e-6)
    np.testing.assert_allclose(model.intercept_, ridge.intercept_, rtol=1e-6)


@pytest.mark.parametrize("more", [{"alpha": 0.5}, {"alpha": 0.5, "penalise_intercept": True}, {"fit_intercept": False}])
def test_batches_with_a_penalty_end_around_the_same_bottom(more):
    X, y = some(q=2)
    model = GradientDescentRegressor(
        learning_rate=0.02, decay=0.05, batch_size=5, shuffle=True, n_epochs=3000, tol=None, **more
    )
    quiet(model, X, y)
    np.testing.assert_allclose(model.solution_.weights, model.solution_.closed, atol=2e-2)


def test_descent_sees_weights_as_repetitions():
    X, y = some()
    weight = np.random.default_rng(2).integers(0, 4, 60)
    settings = {"learning_rate": 0.01, "n_epochs": 50, "tol": None}
    counted = quiet(GradientDescentRegressor(**settings), X, y, sample_weight=weight)
    repeated = quiet(GradientDescentRegressor(**settings), np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(counted.solution_.trail, repeated.solution_.trail, rtol=1e-10, atol=1e-13)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 40), st.integers(1, 5), st.integers(0, 999), st.booleans(), st.sampled_from([None, 1, 4]))
def test_the_lipschitz_rate_never_diverges(n, d, seed, standardize, batch):
    X, y = some(n, d, seed)
    model = GradientDescentRegressor(standardize=standardize, batch_size=batch, shuffle=True, n_epochs=60)
    quiet(model, X, y)
    assert not model.solution_.diverged
    if batch is None:
        assert (np.diff(model.solution_.objective) <= 1e-12 * model.solution_.objective[0]).all()


def test_standardising_needs_far_fewer_steps_for_the_same_answer():
    X, y = some()
    X = X * [1, 100, 0.01] + [0, 50, 1]
    raw = quiet(GradientDescentRegressor(n_epochs=300, tol=None), X, y)
    scaled = GradientDescentRegressor(n_epochs=300, tol=1e-14, standardize=True).fit(X, y)
    closed = LinearRegression().fit(X, y)
    assert raw.solution_.lost > 0.1
    assert scaled.n_iter_ < 100
    np.testing.assert_allclose(scaled.coef_, closed.coef_, rtol=1e-5)
    np.testing.assert_allclose(scaled.intercept_, closed.intercept_, rtol=1e-5)


# What goes wrong is said


def test_too_large_a_rate_is_stopped_with_the_bound_and_advice():
    X, y = some()
    with pytest.warns(Warned, match=r"diverged within \d+ epochs.*2/σ_max = .*lipschitz") as caught:
        model = GradientDescentRegressor(learning_rate=2.0).fit(X, y)
    assert caught[0].filename == __file__
    assert model.solution_.diverged
    assert np.isfinite(model.coef_).all()
    assert model.n_iter_ < 50
    assert "diverges" in str(model.facts())


def test_too_slow_a_descent_says_what_the_columns_ask_for():
    X, y = some()
    with pytest.warns(Warned, match=r"below the closed form's: κ = .* standardize=True or raise n_epochs"):
        GradientDescentRegressor(n_epochs=3).fit(X * [1, 1, 100], y)


def test_a_rate_just_above_the_bound_is_called_by_its_name_however_few_the_steps():
    X, y = some()
    largest = np.linalg.eigvalsh(np.column_stack([X, np.ones(60)]).T @ np.column_stack([X, np.ones(60)]))[-1]
    with pytest.warns(Warned, match="diverged within"):
        model = GradientDescentRegressor("half_rss", learning_rate=2.02 / largest, n_epochs=200).fit(X, y)
    best = int(np.argmin(model.solution_.objective))
    assert np.array_equal(model.solution_.weights, model.solution_.trail[best])


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("more", [{"batch_size": 1}, {"validation_fraction": 0.2}, {}])
@pytest.mark.parametrize("standardize", [True, False])
def test_divergence_of_every_kind_is_seen(more, standardize):
    X, y = some()
    with pytest.warns(Warned, match="diverged"):
        model = GradientDescentRegressor("half_rss", learning_rate=50.0, standardize=standardize, **more).fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert str(model.facts())


def test_an_oscillating_rate_is_explained():
    X, y = some()
    largest = np.linalg.eigvalsh(np.column_stack([X, np.ones(60)]).T @ np.column_stack([X, np.ones(60)]))[-1]
    model = GradientDescentRegressor("half_rss", learning_rate=1.9 / largest, n_epochs=3000).fit(X, y)
    assert "oscillates and still converges" in str(model.facts())
    assert not model.solution_.diverged


def test_a_flat_loss_ends_it_early():
    X, y = some()
    model = GradientDescentRegressor(n_epochs=5000, tol=1e-6, patience=3).fit(X, y)
    last = model.solution_.objective[-4:]
    assert model.n_iter_ < 1000
    assert np.ptp(last) <= 1e-6 * last[-1]
    assert model.solution_.ended == "the value is flat"


# Start, trace, rows held out


def test_start_is_zeros_random_or_given():
    X, y = some()

    def first(start, seed=0):
        model = GradientDescentRegressor(start=start, n_epochs=1, tol=None, random_state=seed)
        return quiet(model, X, y).solution_.trail[0, 0]

    np.testing.assert_allclose(first("zeros"), 0, atol=1e-14)
    assert np.abs(first("random")).max() < 0.5
    assert not np.array_equal(first("random"), first("random", 1))
    np.testing.assert_allclose(first([1, 2, 3, 4.0]), [1, 2, 3, 4], rtol=1e-13)


@pytest.mark.parametrize("batch", [None, 10])
def test_the_trace_is_as_dense_as_asked(batch):
    X, y = some()

    def fit(trace):
        model = GradientDescentRegressor(trace=trace, n_epochs=25, tol=None, batch_size=batch, learning_rate=0.01)
        return quiet(model, X, y).solution_

    whole, some_epochs, none = fit(True), fit(10), fit(False)
    assert whole.epochs.tolist() == list(range(26))
    assert some_epochs.epochs.tolist() == [0, 10, 20, 25]
    assert none.epochs.tolist() == [25]
    assert none.trail.shape == (0, 1, 4)
    assert np.array_equal(some_epochs.objective, whole.objective[[0, 10, 20, 25]])
    assert np.array_equal(none.weights, whole.weights)
    assert np.array_equal(whole.trail[-1], whole.weights)


@pytest.mark.parametrize("batch", [None, 10])
def test_rows_held_out_are_traced_and_not_learnt_from(batch):
    X, y = some()
    model = GradientDescentRegressor(
        validation_fraction=0.25, n_epochs=30, tol=None, batch_size=batch, standardize=True, random_state=3
    )
    quiet(model, X, y)
    drawn = np.random.default_rng([3, 2]).permutation(60)
    kept, held = np.sort(drawn[15:]), np.sort(drawn[:15])
    trail = model.solution_.trail[:, 0]
    for rows, losses in ((kept, model.solution_.objective), (held, model.solution_.held)):
        expected = ((X[rows] @ trail[:, :-1].T + trail[:, -1] - y[rows, None]) ** 2).mean(axis=0)
        np.testing.assert_allclose(losses, expected, rtol=1e-10)


# Sums, files, facts


def test_all_rows_at_once_need_only_their_sums():
    X, y = some()
    settings = {"learning_rate": 0.01, "n_epochs": 50, "tol": None}
    whole = quiet(GradientDescentRegressor(**settings), X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        grown = GradientDescentRegressor(**settings).partial_fit(X[:20], y[:20]).partial_fit(X[20:], y[20:])
        merged = GradientDescentRegressor(**settings).fit(X[:20], y[:20])
        merged.merge(GradientDescentRegressor(**settings).fit(X[20:], y[20:]))
    np.testing.assert_allclose(grown.coef_, whole.coef_, rtol=1e-12)
    np.testing.assert_allclose(merged.coef_, whole.coef_, rtol=1e-12)


def test_a_source_of_rows_gives_the_same_bits():
    X, y = some()
    frame = polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y})
    model = GradientDescentRegressor(n_epochs=300).fit_source(frame, target="y")
    assert np.array_equal(model.coef_, GradientDescentRegressor(n_epochs=300).fit(X, y).coef_)
    with pytest.raises(ValueError, match="they need the rows in memory"):
        GradientDescentRegressor(batch_size=3).fit_source(frame, target="y")


def test_columns_whose_first_rows_mislead_are_summed_again_from_their_mean():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 2)) + 1e4
    X[:: -(-9000 // 64)] -= 1e4  # the rows from which the shift is taken
    X[:: -(-9000 // 64)] *= 1e-3
    y = X @ [1.0, 2.0] + rng.normal(size=9000)
    model = quiet(GradientDescentRegressor(n_epochs=2), X, y)
    np.testing.assert_allclose(model.solution_.closed[0, :2], LinearRegression().fit(X, y).coef_, rtol=1e-6)


def test_a_fitted_model_survives_a_file(tmp_path):
    X, y = some(q=2)
    model = GradientDescentRegressor(n_epochs=300).fit(X, y)
    save(model, tmp_path / "descent.glaswerk")
    back = load(tmp_path / "descent.glaswerk")
    assert np.array_equal(back.predict(X), model.predict(X))
    assert str(back.facts()) == str(model.facts())


def test_the_facts_hold_weights_fit_trace_and_diagnosis():
    X, y = some(q=2)
    model = GradientDescentRegressor(n_epochs=2000, validation_fraction=0.2).fit(X, y)
    facts = model.facts()
    assert [len(facts.of_kind(kind)) for kind in (Coefficients, Goodness, Curve, Statement)] == [2, 2, 1, 1]
    assert len(facts.of_kind(Table)) == 2
    curve = facts.of_kind(Curve)[0]
    assert [line.name for line in curve.lines] == ["training rows", "rows held out", "closed form"]
    assert len(curve.lines[0].x) <= 600
    kept = np.sort(np.random.default_rng([0, 2]).permutation(60)[12:])
    found = [goodness.rss for goodness in facts.of_kind(Goodness)]
    np.testing.assert_allclose(found, ((y[kept] - model.predict(X[kept])) ** 2).sum(axis=0), rtol=1e-10)


# Edges and bad input


@pytest.mark.parametrize("more", [{}, {"standardize": True}, {"batch_size": 2}, {"learning_rate": "newton"}])
def test_odd_tables_are_taken(more):
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(4, 9))
    for X, y in (
        (wide, wide[:, 0]), (np.ones((5, 2)), np.arange(5.0)), (np.array([[2.0]]), np.array([3.0])),
        (np.zeros((4, 1)), np.zeros(4)), (np.column_stack([wide[:, 0]] * 2), wide[:, 1]),
    ):  # fmt: skip
        model = quiet(GradientDescentRegressor(n_epochs=50, **more), X, y)
        assert np.isfinite(model.predict(X)).all()
        assert str(model.facts())


def test_without_curvature_nothing_moves():
    model = GradientDescentRegressor(fit_intercept=False, n_epochs=5).fit(np.zeros((3, 1)), np.ones(3))
    assert model.coef_.tolist() == [0.0]


@pytest.mark.parametrize(("more", "message"), [
    ({"start": [1.0, 2.0]}, "start must hold 4 finite weights"),
    ({"start": [1.0, 2.0, np.nan, 1.0]}, "start must hold 4 finite weights"),
    ({"batch_size": 5, "learning_rate": "newton"}, "needs the loss of all rows"),
    ({"validation_fraction": 0.001}, "at least one row must be held out"),
    ({"learning_rate": 0}, "learning_rate must be"), ({"objective": "mae"}, "objective must be"),
    ({"validation_fraction": 1.0}, "validation_fraction must be"),
])  # fmt: skip
def test_bad_settings_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        GradientDescentRegressor(**more).fit(*some())


@pytest.mark.parametrize("more", [{"batch_size": 5}, {"validation_fraction": 0.5}])
def test_what_needs_the_rows_is_refused_where_only_sums_remain(more, tmp_path):
    X, y = some()
    with pytest.raises(ValueError, match="which no sum can stand for"):
        GradientDescentRegressor(**more).partial_fit(X, y)


def test_a_bad_cell_is_named():
    X, y = some()
    X[7, 1] = np.nan
    with pytest.raises(ValueError, match="X contains NaN: column 'x1', row 7"):
        GradientDescentRegressor().fit(X, y)
