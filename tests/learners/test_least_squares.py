"""Linear regression: known numbers, oracles, inference. Edges and bad input have files of their own."""

import mpmath
import numpy as np
import pytest
from scipy import stats
from sklearn import linear_model
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from glaswerk import LinearRegression, PolynomialBasis
from glaswerk.facts import Coefficients, Goodness, MethodCard, Numerics
from tests import nist

POINTS = np.array([[-0.2], [0.2], [1.0]])
COLLINEAR = np.array([[-0.2, -0.1996], [0.2, 0.1993], [1.0, 1.0017]])
HEIGHTS = np.array([0.49, 0.64, 1.39])


def noisy_table(n=200, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.1, 30, d) + rng.normal(size=d) * 50
    return X, X @ rng.normal(size=d) + 3 + rng.normal(size=n)


# Known numbers


def test_one_column_solves_the_two_normal_equations_of_script_a():
    """[BOE-LS] Σ y = w₁ Σ x + n w₀ and Σ xy = w₁ Σ x² + w₀ Σ x."""
    x = POINTS[:, 0]
    w0, w1 = np.linalg.solve([[3, x.sum()], [x.sum(), (x * x).sum()]], [HEIGHTS.sum(), (x * HEIGHTS).sum()])
    model = LinearRegression().fit(POINTS, HEIGHTS)
    np.testing.assert_allclose([model.intercept_, model.coef_[0]], [w0, w1], rtol=1e-15)


def test_script_b_model_1_and_the_fits_it_prints():
    """[TRE-LS] w = (0.58, 0.77) with 0.77 cut, not rounded; fits 0.4257, 0.7364, 1.3579."""
    model = LinearRegression().fit(POINTS, HEIGHTS)
    np.testing.assert_allclose([model.intercept_, *model.coef_], [0.58107, 0.77679], atol=5e-6)
    np.testing.assert_allclose(model.predict(POINTS), [0.4257, 0.7364, 1.3579], atol=5e-5)


def test_script_b_model_2_as_its_printed_table_gives_it():
    """[BG-LS] The slide's (0.67, -136, 137) cannot come from the printed inputs; these can, and fit exactly."""
    model = LinearRegression().fit(COLLINEAR, HEIGHTS)
    np.testing.assert_allclose([model.intercept_, *model.coef_], [0.57967, -97.182, 97.826], rtol=1e-5)
    np.testing.assert_allclose(model.predict(COLLINEAR), HEIGHTS, rtol=1e-12)
    assert 1e3 < model.solution_.factor.condition < 1e4


@pytest.mark.parametrize(("name", "bar"), [("Norris", 13), ("Pontius", 12), ("Longley", 13), ("Wampler1", 12)])
def test_certified_coefficients(name, bar):
    data = nist.certified(name)
    learner = LinearRegression()
    make_pipeline(PolynomialBasis(data.degree), learner).fit(data.X, data.y)
    found = np.append(learner.intercept_, learner.coef_)
    assert nist.correct_digits(found, data.estimates) >= bar


@pytest.mark.parametrize(("name", "bar"), [("Norris", 12), ("Pontius", 12), ("Longley", 12)])
def test_certified_errors_and_fit(name, bar):
    data = nist.certified(name)
    learner = LinearRegression()
    make_pipeline(PolynomialBasis(data.degree), learner).fit(data.X, data.y)
    facts = learner.facts()
    errors = np.array([row.standard_error for row in facts.of_kind(Coefficients)[0].rows])
    fit = facts.of_kind(Goodness)[0]
    assert nist.correct_digits(errors, data.standard_errors) >= bar
    assert nist.correct_digits(np.array([fit.sigma]), np.array([data.sigma])) >= bar
    assert nist.correct_digits(np.array([fit.r2]), np.array([data.r2])) >= bar


def test_the_certified_residual_of_wampler_is_zero_and_so_is_ours():
    data = nist.certified("Wampler1")
    learner = LinearRegression()
    make_pipeline(PolynomialBasis(5), learner).fit(data.X, data.y)
    assert learner.sigma_[0] <= 1e-9 * data.y.std()


def test_least_squares_on_plain_powers_beats_the_popular_default():
    """scikit-learn's default cuts real columns off Wampler1 in silence; ours keeps twelve digits of raw powers."""
    data = nist.certified("Wampler1")
    powers = data.X ** np.arange(1, 6)
    ours = LinearRegression().fit(powers, data.y)
    theirs = linear_model.LinearRegression().fit(powers, data.y)
    assert nist.correct_digits(ours.coef_, data.estimates[1:]) >= 12
    assert nist.correct_digits(theirs.coef_, data.estimates[1:]) < 1


# Oracles


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("n", [30, 300, 12_000])
@pytest.mark.parametrize("d", [1, 4, 15])
def test_coefficients_equal_scikit_learns(n, d, intercept):
    X, y = noisy_table(n, d)
    ours = LinearRegression(fit_intercept=intercept).fit(X, y)
    theirs = linear_model.LinearRegression(fit_intercept=intercept, tol=0).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(ours.score(X, y), theirs.score(X, y), rtol=1e-12)


def test_many_targets_have_scikit_learns_shapes_and_values():
    X, y = noisy_table()
    Y = np.column_stack([y, -2 * y, y**2])
    ours, theirs = LinearRegression().fit(X, Y), linear_model.LinearRegression(tol=0).fit(X, Y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-10)
    column = LinearRegression().fit(X, y[:, None])
    assert column.coef_.shape == (1, 4)
    assert column.predict(X).shape == (200, 1)


@pytest.mark.parametrize("intercept", [True, False])
def test_weights_give_scikit_learns_coefficients(intercept):
    X, y = noisy_table()
    weight = np.random.default_rng(3).uniform(0, 5, len(y))
    ours = LinearRegression(fit_intercept=intercept).fit(X, y, sample_weight=weight)
    theirs = linear_model.LinearRegression(fit_intercept=intercept, tol=0).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)


def test_it_works_inside_scikit_learn():
    X, y = noisy_table()
    scores = cross_val_score(make_pipeline(PolynomialBasis(2), LinearRegression()), X, y, cv=3)
    assert (scores > 0.9).all()
    search = GridSearchCV(LinearRegression(), {"fit_intercept": [True, False]}, cv=3).fit(X, y)
    assert search.best_params_ == {"fit_intercept": True}


# Inference, against scipy's one-column regression and against simulation


def test_errors_t_p_and_intervals_equal_scipys_for_one_column():
    """[BG-SE] Cov(ŵ) = σ² (XᵀX)⁻¹."""
    X, y = noisy_table(25, 1)
    row = LinearRegression().fit(X, y).facts(level=0.9).of_kind(Coefficients)[0].rows[1]
    reference = stats.linregress(X[:, 0], y)
    half = stats.t.ppf(0.95, 23) * reference.stderr
    np.testing.assert_allclose(row.standard_error, reference.stderr, rtol=1e-12)
    np.testing.assert_allclose(row.p, reference.pvalue, rtol=1e-9)
    np.testing.assert_allclose([row.lower, row.upper], [reference.slope - half, reference.slope + half], rtol=1e-12)


def test_noise_precision_and_likelihood_are_those_of_script_c():
    """[BG-BETA] 1/β = Σ (ŷ - t)²/N; [BG-LOGLIK] ln p = -β E + N/2 ln β - N/2 ln 2π."""
    X, y = noisy_table(40, 2)
    model = LinearRegression().fit(X, y)
    fit = model.facts().of_kind(Goodness)[0]
    rest = y - model.predict(X)
    beta = len(y) / (rest**2).sum()
    np.testing.assert_allclose(fit.noise_precision, beta, rtol=1e-10)
    likelihood = stats.norm.logpdf(y, model.predict(X), beta**-0.5).sum()
    np.testing.assert_allclose(fit.log_likelihood, likelihood, rtol=1e-10)


def test_prediction_intervals_cover_new_observations_as_often_as_they_say():
    rng = np.random.default_rng(5)
    inside = {"observation": 0, "mean": 0}
    for _ in range(600):
        X, new = rng.normal(size=(12, 2)), rng.normal(size=(1, 2))
        w = np.array([1.0, -2.0])
        model = LinearRegression().fit(X, X @ w + rng.normal(size=12))
        true = {"observation": new @ w + rng.normal(), "mean": new @ w}
        for of, value in true.items():
            low, high = model.predict_interval(new, level=0.8, of=of)[0]
            inside[of] += int(low <= value[0] <= high)
    # Three standard deviations of a share of 600 are 0.049.
    assert abs(inside["observation"] / 600 - 0.8) < 0.05
    assert abs(inside["mean"] / 600 - 0.8) < 0.05


def test_standard_errors_are_the_deviation_of_the_estimates_over_repeated_noise():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3)) @ np.diag([1, 5, 0.2]) + [3, 0, -1]
    fits = [LinearRegression().fit(X, X @ [1, 2, 3] + rng.normal(size=30)) for _ in range(800)]
    spread = np.std([model.coef_ for model in fits], axis=0)
    claimed = np.mean(
        [[row.standard_error for row in model.facts().of_kind(Coefficients)[0].rows[1:]] for model in fits], axis=0
    )
    np.testing.assert_allclose(claimed, spread, rtol=0.1)


def test_return_std_is_the_deviation_behind_the_interval():
    X, y = noisy_table(30, 2)
    model = LinearRegression().fit(X, y)
    mean, deviation = model.predict(X, return_std=True)
    half = stats.t.ppf(0.95, 27) * deviation
    np.testing.assert_allclose(model.predict_interval(X), np.column_stack([mean - half, mean + half]), rtol=1e-10)


def test_weights_as_repetitions_and_as_precisions_differ_in_what_they_count():
    """[BG-WLS] The coefficients are the same; degrees of freedom are Σ w less d, or rows less d."""
    X, y = noisy_table(20, 2)
    weight = np.full(20, 3.0)
    repeated = LinearRegression().fit(X, y, sample_weight=weight)
    precise = LinearRegression(weights="precisions").fit(X, y, sample_weight=weight)
    thrice = LinearRegression().fit(np.repeat(X, 3, axis=0), np.repeat(y, 3))
    np.testing.assert_allclose(repeated.coef_, precise.coef_, rtol=1e-14)
    np.testing.assert_allclose(repeated.sigma_, thrice.sigma_, rtol=1e-12)
    assert (repeated.degrees_of_freedom_, precise.degrees_of_freedom_) == (57.0, 17.0)
    plain = LinearRegression().fit(X, y)
    errors = [[row.standard_error for row in model.facts().of_kind(Coefficients)[0].rows] for model in (precise, plain)]
    np.testing.assert_allclose(errors[0], errors[1], rtol=1e-12)


# Rank loss


def test_the_shortest_solution_is_the_pseudoinverses_and_the_culprits_are_named():
    """[TRE-MN] Of all solutions the one of smallest Σ w²."""
    X, y = noisy_table(50, 5)
    X[:, 3] = 2 * X[:, 0] - X[:, 1]
    with pytest.warns(UserWarning, match=r"50 rows determine only 4 of 5 coefficients: column 'x\d' repeats"):
        model = LinearRegression().fit(X, y)
    reference = np.linalg.pinv(X - X.mean(0), rcond=1e-10) @ (y - y.mean())
    np.testing.assert_allclose(model.coef_, reference, rtol=1e-9)
    assert model.rank_ == 4
    sentence = model.facts().of_kind(Numerics)[0].repeated[0]
    assert all(f"'{name}'" in sentence for name in ("x0", "x1", "x3"))
    assert "'x2'" not in sentence


def test_the_shortest_solution_fits_where_units_lie_twenty_powers_of_ten_apart():
    """Twelve powers of twelve rows: in exact numbers no row is missed. Compared with sixty digits."""
    x = np.linspace(12, 31, 12)
    y = 500 + 200 * np.sin(x)
    X = np.column_stack([x**k for k in range(1, 13)])
    with pytest.warns(UserWarning, match="determine only 11 of 12"):
        model = LinearRegression().fit(X, y)
    assert np.sqrt(np.mean((model.predict(X) - y) ** 2)) < 0.05
    with mpmath.workdps(60):
        rows = mpmath.matrix((X[1:] - X[0]).tolist())
        exact = rows.T * mpmath.lu_solve(rows * rows.T, mpmath.matrix((y[1:] - y[0]).tolist()))
        length = float(mpmath.norm(exact))
    assert np.linalg.norm(model.coef_) == pytest.approx(length, rel=1e-3)


@pytest.mark.parametrize("n", [60, 9000])
def test_a_constant_column_is_named_and_gets_no_weight(n):
    X, y = noisy_table(n, 3)
    X[:, 1] = 0.1
    with pytest.warns(UserWarning, match="column 'x1' is constant"):
        model = LinearRegression().fit(X, y)
    assert model.coef_[1] == 0.0
    np.testing.assert_allclose(model.coef_[[0, 2]], LinearRegression().fit(X[:, [0, 2]], y).coef_, rtol=1e-10)


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    for n, d in [(6, 20), (30, 400)]:
        X, y = rng.normal(size=(n, d)), rng.normal(size=n)
        with pytest.warns(UserWarning, match=f"{n} rows determine only {n - 1} of {d}"):
            model = LinearRegression().fit(X, y)
        np.testing.assert_allclose(model.coef_, np.linalg.pinv(X - X.mean(0)) @ (y - y.mean()), atol=1e-10)
        np.testing.assert_allclose(model.predict(X), y, atol=1e-9)
        assert np.isnan(model.sigma_[0])


# Facts


def test_facts_speak_in_the_tables_own_names_and_hold_the_method():
    pandas = pytest.importorskip("pandas")
    X, y = noisy_table(30, 2)
    frame = pandas.DataFrame(X, columns=["age", "size"])
    facts = LinearRegression().fit(frame, pandas.Series(y, name="price")).facts()
    table = facts.of_kind(Coefficients)[0]
    assert table.target == "price"
    assert [row.name for row in table.rows] == ["intercept", "age", "size"]
    assert facts.of_kind(MethodCard)[0].preference_bias
    assert "price" in str(facts)
    assert [fact["fact"] for fact in facts.to_json()] == ["Coefficients", "Goodness", "Numerics", "MethodCard"]


def test_coefficients_tell_how_far_their_columns_move_together():
    random = np.random.default_rng(8)
    X = random.normal(size=(80, 3)) * [1.0, 50.0, 0.01]
    X[:, 2] += 0.02 * X[:, 0]
    known = LinearRegression().fit(X, X @ [1.0, 2.0, 3.0] + random.normal(size=80)).facts().of_kind(Coefficients)[0]
    for j, row in enumerate(known.rows[1:]):
        others = np.delete(X, j, axis=1)
        left = LinearRegression().fit(others, X[:, j])
        assert row.inflation == pytest.approx(1 / (1 - left.score(others, X[:, j])), rel=1e-8)
    assert known.rows[0].inflation is None and known.table().columns[-1] == "VIF"
    single = LinearRegression().fit(X[:, :1], X[:, 0]).facts().of_kind(Coefficients)[0]
    assert "VIF" not in single.table().columns
