"""Ridge with a validated penalty: against refitting, the wine of script E, choices, facts, edges and bad input."""

import csv
import warnings

import mpmath
import numpy as np
import pytest
from sklearn import linear_model
from sklearn.model_selection import GridSearchCV, RepeatedKFold, cross_val_score

from glaswerk.facts import Curve, Statement
from glaswerk.learners import Ridge, RidgeCV, ridge_cv
from glaswerk.model import load, save
from glaswerk.scoring import GroupKFold, KFold

ALPHAS = np.geomspace(0.01, 1000, 25)


def noisy_table(n=60, d=4, q=0, seed=0, noise=3.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 5
    w = rng.normal(size=(d, q) if q else d)
    return X, X @ w + noise * rng.normal(size=(n, q) if q else n)


def statement(model):
    return " ".join(model.facts().of_kind(Statement)[0].sentences)


# Known numbers


@pytest.mark.proof
def test_script_e_on_red_wine_gives_the_numbers_on_record(shared_data):
    """[NAN-ALPHA] 100 tests of 10 folds, 25 penalties: least squares 0.4252, alpha 56.2 0.4247, and no real gain."""
    with (shared_data / "wine_quality_red.csv").open() as file:
        rows = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    X, y = (rows[:, :-1] - rows[:, :-1].mean(axis=0)) / rows[:, :-1].std(axis=0), rows[:, -1]
    model = RidgeCV(np.geomspace(0.01, 1e4, 25), cv=10, repeats=100, selection="modal").fit(X, y)
    choice = model.solution_.choice
    assert abs(model.alpha_ - 56.23) < 0.01
    assert abs(choice.baseline[0] - 0.42516) < 0.0005
    assert abs(-model.best_score_ - 0.42465) < 0.0005
    assert abs(choice.gain[0, 0] - 0.0005) < 0.0001
    assert choice.runs.shape == (100, 10)
    assert 80 <= (choice.per_run == choice.chosen[0]).sum() <= 96
    assert "below the noise" in statement(model)


# Oracles


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("n", "d"), [(60, 4), (20, 50), (3000, 15)])
def test_leave_one_out_equals_scikit_learns(n, d, intercept):
    X, y = noisy_table(n, d)
    ours = RidgeCV(ALPHAS, fit_intercept=intercept).fit(X, y)
    theirs = linear_model.RidgeCV(ALPHAS, fit_intercept=intercept, store_cv_results=True).fit(X, y)
    np.testing.assert_allclose(ours.solution_.choice.mean[:, 0], theirs.cv_results_.mean(axis=0), rtol=1e-10)
    assert ours.alpha_ == theirs.alpha_
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("centred", [True, False])
def test_leave_one_out_of_rows_that_least_squares_would_meet_keeps_its_digits(centred):
    """Against mpmath: e = a / G_ii with G = P (P X Xᵀ P + λI)⁻¹ P, P centring the rows, and a = G y."""
    X, y = noisy_table(12, 30)
    ours = RidgeCV([1e-6, 0.01, 10.0], fit_intercept=centred).fit(X, y).solution_.choice.mean[:, 0]
    with mpmath.workdps(50):
        rows, t = mpmath.matrix(X.tolist()), mpmath.matrix(y.tolist())
        keep = mpmath.eye(12) - mpmath.ones(12) / 12 if centred else mpmath.eye(12)
        for found, penalty in zip(ours, (1e-6, 0.01, 10.0), strict=True):
            inner = keep * (rows * rows.T) * keep + mpmath.mpf(penalty) * mpmath.eye(12)
            G = keep * mpmath.inverse(inner) * keep
            a = G * t
            wanted = sum((a[i] / G[i, i]) ** 2 for i in range(12)) / 12
            np.testing.assert_allclose(found, float(wanted), rtol=1e-13)


@pytest.mark.parametrize("own", [True, False])
def test_leave_one_out_of_weighted_rows_is_that_of_repeated_rows(own):
    X, y = noisy_table(40, 3)
    weight = np.random.default_rng(1).integers(0, 4, 40)
    weighted = RidgeCV(ALPHAS, penalise_intercept=own).fit(X, y, weight)
    repeated = RidgeCV(ALPHAS, penalise_intercept=own).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    for name in ("mean", "deviation", "baseline", "gain"):
        ours, theirs = getattr(weighted.solution_.choice, name), getattr(repeated.solution_.choice, name)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_leave_one_out_is_what_refitting_without_each_row_gives():
    X, y = noisy_table(25, 3)
    ours = RidgeCV(ALPHAS, penalise_intercept=True).fit(X, y).solution_.choice.mean[:, 0]
    refitted = np.zeros(len(ALPHAS))
    for i in range(25):
        rest = np.arange(25) != i
        for k, alpha in enumerate(ALPHAS):
            model = Ridge(alpha, penalise_intercept=True).fit(X[rest], y[rest])
            refitted[k] += (y[i] - model.predict(X[i : i + 1])[0]) ** 2 / 25
    np.testing.assert_allclose(ours, refitted, rtol=1e-10)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("n", "d"), [(60, 4), (20, 50)])
def test_folds_in_row_order_equal_scikit_learns(n, d, intercept):
    X, y = noisy_table(n, d)
    ours = RidgeCV(ALPHAS, cv=5, random_state=None, fit_intercept=intercept).fit(X, y)
    theirs = linear_model.RidgeCV(ALPHAS, cv=5, scoring="neg_mean_squared_error", fit_intercept=intercept).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    np.testing.assert_allclose(ours.best_score_, theirs.best_score_, rtol=1e-9)


def test_repeated_folds_equal_a_grid_search_over_the_same_splits():
    X, y = noisy_table(50, 3)
    plan = RepeatedKFold(n_splits=5, n_repeats=1, random_state=0)
    splits = list(plan.split(X))
    search = GridSearchCV(linear_model.Ridge(), {"alpha": ALPHAS}, cv=splits, scoring="neg_mean_squared_error")
    ours = RidgeCV(ALPHAS, cv=splits).fit(X, y)
    np.testing.assert_allclose(
        -ours.solution_.choice.mean[:, 0], search.fit(X, y).cv_results_["mean_test_score"], rtol=1e-10
    )


def test_generalised_cross_validation_is_its_formula():
    X, y = noisy_table(40, 3)
    model = RidgeCV(ALPHAS, cv="gcv").fit(X, y)
    for k, alpha in enumerate(ALPHAS):
        plain = Ridge(alpha).fit(X, y)
        left = 1 - (plain.effective_parameters_[0] + 1) / 40
        np.testing.assert_allclose(
            model.solution_.choice.mean[k, 0], plain.solution_.residual[0] / 40 / left**2, rtol=1e-10
        )


def test_a_penalty_of_its_own_for_each_target():
    X, Y = noisy_table(60, 4, q=2)
    ours = RidgeCV(ALPHAS, alpha_per_target=True).fit(X, Y)
    theirs = linear_model.RidgeCV(ALPHAS, alpha_per_target=True).fit(X, Y)
    np.testing.assert_array_equal(ours.alpha_, theirs.alpha_)
    np.testing.assert_allclose(ours.best_score_, theirs.best_score_, rtol=1e-10)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    shared = RidgeCV(ALPHAS).fit(X, Y)
    assert shared.alpha_ == linear_model.RidgeCV(ALPHAS).fit(X, Y).alpha_
    assert str(shared.facts())


def test_columns_of_very_different_units_keep_their_digits():
    X, y = noisy_table(80, 3)
    units = np.array([1e6, 1.0, 1e-5])
    ours = RidgeCV(ALPHAS, cv=5, random_state=None).fit(X * units, y).solution_.choice.mean[:, 0]
    errors = [
        -cross_val_score(linear_model.Ridge(a, solver="svd"), X * units, y, cv=5, scoring="neg_mean_squared_error")
        for a in ALPHAS
    ]
    np.testing.assert_allclose(ours, np.mean(errors, axis=1), rtol=1e-7)


# Choices


def test_the_range_goes_from_nearly_all_parameters_free_to_nearly_none():
    X, y = noisy_table(200, 10)
    choice = RidgeCV().fit(X, y).solution_.choice
    assert len(choice.penalties) == 25
    np.testing.assert_allclose(choice.effective[[0, -1]], [9.9, 0.5], rtol=1e-6)
    assert "99 %" in statement(RidgeCV().fit(X, y))


@pytest.mark.parametrize("cv", [None, 10])
def test_one_standard_error_takes_the_strongest_penalty_within_it(cv):
    X, y = noisy_table(60, 6)
    least, cautious = (RidgeCV(ALPHAS, cv=cv, selection=rule).fit(X, y) for rule in ("min", "1se"))
    choice = cautious.solution_.choice
    best, at = int(np.argmin(choice.mean[:, 0])), choice.chosen[0]
    limit = choice.mean[best, 0] + choice.deviation[best, 0]
    assert cautious.alpha_ > least.alpha_
    assert choice.mean[at, 0] <= limit
    assert (choice.mean[at + 1 :, 0] > limit).all()


def test_the_mode_of_the_runs_is_the_penalty_most_of_them_choose():
    X, y = noisy_table(60, 6)
    model = RidgeCV(ALPHAS, cv=5, repeats=20, selection="modal").fit(X, y)
    choice = model.solution_.choice
    assert choice.chosen[0] == np.bincount(choice.per_run).argmax()
    titles = [curve.title for curve in model.facts().of_kind(Curve)]
    assert any("100 errors of 20 runs of 5 folds" in title for title in titles)
    assert "Alpha chosen in each run" in titles


def test_a_penalty_that_helps_and_one_that_does_not_are_told_apart():
    rng = np.random.default_rng(0)
    useless = rng.normal(size=(60, 40))
    assert "a real gain" in statement(RidgeCV(cv=10, repeats=10).fit(useless, rng.normal(size=60)))
    X, y = noisy_table(2000, 3)
    assert "below the noise" in statement(RidgeCV(cv=10, repeats=10).fit(X, y))
    assert "below the noise" in statement(RidgeCV().fit(X, y))
    assert "no interval" in statement(RidgeCV(cv="gcv").fit(X, y))
    assert "nothing to compare" in statement(RidgeCV().fit(useless[:20], rng.normal(size=20)))


def test_the_end_of_the_range_is_said():
    X, y = noisy_table(300, 3, noise=0.1)
    assert "the smallest value tried" in statement(RidgeCV([1.0, 10.0]).fit(X, y))


# Laws


def test_both_conventions_find_the_same_model():
    X, y = noisy_table()
    full, half = RidgeCV(ALPHAS).fit(X, y), RidgeCV(ALPHAS / 2, penalty="half_sse").fit(X, y)
    assert full.alpha_ == 2 * half.alpha_
    np.testing.assert_allclose(full.coef_, half.coef_, rtol=1e-14)


@pytest.mark.parametrize("cv", [None, 5, "gcv"])
@pytest.mark.parametrize("own", [True, False])
def test_the_solution_is_that_of_ridge_with_the_same_alpha(cv, own):
    X, y = noisy_table()
    model = RidgeCV(ALPHAS, cv=cv, penalise_intercept=own).fit(X, y)
    plain = Ridge(model.alpha_, penalise_intercept=own).fit(X, y)
    assert (model.coef_ == plain.coef_).all()
    np.testing.assert_allclose(model.predict_interval(X), plain.predict_interval(X), rtol=1e-13)
    path = model.solution_.choice.path[model.solution_.choice.chosen[0], 0]
    np.testing.assert_allclose(path[:4], plain.coef_, rtol=1e-9)


@pytest.mark.parametrize("cv", [None, 5])
def test_threads_and_files_change_no_bit(cv, tmp_path):
    polars = pytest.importorskip("polars")
    X, y = noisy_table(140_000, 2)
    one, two = (RidgeCV(ALPHAS, cv=cv, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    assert (one.solution_.choice.mean == two.solution_.choice.mean).all()
    polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y}).write_parquet(tmp_path / "rows.parquet")
    file = RidgeCV(ALPHAS, cv=cv).fit_source(tmp_path / "rows.parquet", target="y")
    assert (file.coef_ == one.coef_).all()


def test_repeats_that_memory_does_not_hold_together_take_more_passes(monkeypatch):
    X, y = noisy_table()
    whole = RidgeCV(ALPHAS, cv=5, repeats=7).fit(X, y)
    monkeypatch.setattr(ridge_cv, "MOST_NUMBERS", 400)
    parts = RidgeCV(ALPHAS, cv=5, repeats=7).fit(X, y)
    assert parts.shrunk.passes == 4
    assert (parts.solution_.choice.mean == whole.solution_.choice.mean).all()
    assert (parts.coef_ == whole.coef_).all()


def test_sums_alone_are_enough_for_gcv():
    X, y = noisy_table(100)
    whole = RidgeCV(cv="gcv").fit(X, y)
    parts = RidgeCV(cv="gcv").partial_fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    merged = RidgeCV(cv="gcv").fit(X[:30], y[:30]).merge(RidgeCV(cv="gcv").fit(X[30:], y[30:]))
    for model in (parts, merged):
        np.testing.assert_allclose(model.alpha_, whole.alpha_, rtol=1e-10)
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-10)


# Files, edges, bad input


@pytest.mark.parametrize("cv", [None, 5, "gcv"])
def test_a_saved_model_keeps_its_choice(tmp_path, cv):
    X, y = noisy_table()
    model = RidgeCV(cv=cv).fit(X, y)
    save(model, tmp_path / "ridge.glaswerk")
    again = load(tmp_path / "ridge.glaswerk")
    assert (again.predict(X) == model.predict(X)).all()
    assert str(again.facts()) == str(model.facts())


def test_groups_stay_together_by_a_splitter():
    X, y = noisy_table(30, 2)
    groups = np.repeat(np.arange(10), 3)
    splits = list(GroupKFold(5).split(X, y, groups))
    assert RidgeCV(cv=splits).fit(X, y).solution_.choice.runs.shape == (1, 5)
    assert (RidgeCV(cv=KFold(3)).fit(X, y).coef_ == RidgeCV(cv=3, random_state=None).fit(X, y).coef_).all()


def test_constant_and_repeated_columns_and_a_target_without_noise():
    X, y = noisy_table(40, 3)
    X[:, 1], X[:, 2] = 7.0, X[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for cv in (None, 5, "gcv"):
            model = RidgeCV(ALPHAS, cv=cv).fit(X, y)
            assert model.coef_[1] == 0.0
            exact = RidgeCV(cv=cv).fit(X, X[:, 0])
            np.testing.assert_allclose(exact.score(X, X[:, 0]), 1.0, atol=1e-3)
            assert str(exact.facts())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alphas": []}, "alphas must be"),
        ({"alphas": [1.0, -1.0]}, "alphas must be"),
        ({"cv": 1}, "cv must be"),
        ({"cv": "loo"}, "cv must be"),
        ({"repeats": 3}, "repeats > 1 needs cv to be a number of folds"),
        ({"selection": "modal", "cv": 5, "repeats": 3}, "needs repeats >= 10"),
        ({"selection": "1se", "cv": "gcv"}, "needs errors of rows or folds"),
        ({"scoring": "r2"}, "scoring must be"),
        ({"store_cv_results": True}, "store_cv_results must be"),
        ({"cv": 100}, "n_splits must not exceed the number of rows"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(change, message):
    X, y = noisy_table()
    with pytest.raises(ValueError, match=message):
        RidgeCV(**change).fit(X, y)


def test_rows_that_pass_once_and_folds_of_no_weight_are_refused():
    X, y = noisy_table()
    assert not hasattr(RidgeCV(), "partial_fit")
    with pytest.raises(ValueError, match="cv='gcv' alone"):
        RidgeCV().fit(X, y).merge(RidgeCV().fit(X, y))
    with pytest.raises(ValueError, match="zero for every row of fold 0"):
        RidgeCV(cv=3, random_state=None).fit(X, y, np.repeat([0.0, 1.0], [20, 40]))
    X[2, 1] = np.inf
    with pytest.raises(ValueError, match="X contains infinity: column 'x1', row 2"):
        RidgeCV(cv=5).fit(X, y)
