"""Logistic regression: known numbers, oracles, laws, inference. Edges and bad input have a file of their own."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from sklearn.linear_model import LogisticRegression as Rival

from glaswerk.facts import Coefficients, Curve, MethodCard, Numerics, Statement, Table
from glaswerk.learners.logistic import LogisticRegression
from glaswerk.passes import BLOCK_ROWS


def classes(n=400, d=4, K=2, seed=0, spread=1.0):
    """Rows of classes that overlap, the columns of different size and far from zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    Z = spread * X @ rng.normal(size=(d, K)) + rng.gumbel(size=(n, K))
    return X * 10.0 ** rng.uniform(-1, 1, d) + rng.normal(size=d) * 20, Z.argmax(axis=1)


def objective(model, X, y, weight=1.0):
    loss = -np.take_along_axis(model.predict_log_proba(X), np.searchsorted(model.classes_, y)[:, None], 1)[:, 0]
    return (loss * weight).sum() + 0.5 / model.C * (model.coef_**2).sum()


def quantity(model, name):
    fit = next(fact for fact in model.facts().of_kind(Table) if fact.title.startswith("Fit"))
    return dict(fit.rows)[name]


# Known numbers


def test_one_flag_gives_the_log_odds_of_the_table():
    """[BG-SIGMA] [BG-CE] Of x = 0: 3 of 10 yes; of x = 1: 8 of 10. w₀ = ln 3/7, w = ln (8/2)/(3/7)."""
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = np.r_[np.repeat(["yes", "no"], [3, 7]), np.repeat(["yes", "no"], [8, 2])]
    model = LogisticRegression(penalty=None, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.intercept_, [np.log(3 / 7)], rtol=1e-12)
    np.testing.assert_allclose(model.coef_, [[np.log((8 / 2) / (3 / 7))]], rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]])[:, 1], [0.3, 0.8], rtol=1e-12)
    error = model.facts().of_kind(Coefficients)[0].rows[1].standard_error
    np.testing.assert_allclose(error, np.sqrt(1 / 3 + 1 / 7 + 1 / 8 + 1 / 2), rtol=1e-8)


def test_three_classes_without_columns_that_matter_have_the_shares_of_the_rows():
    """[BG-SOFTMAX] softmax of the intercepts."""
    y = np.repeat([0, 1, 2], [2, 3, 5]).repeat(4)
    X = np.tile([[-1.0], [1.0]], (20, 1))
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.2, 0.3, 0.5]], rtol=1e-12)
    np.testing.assert_allclose(model.intercept_.sum(), 0.0, atol=1e-12)


# Oracles


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_coefficients_are_scikit_learns_at_its_tightest(K, C, intercept):
    X, y = classes(K=K)
    X = X / X.std(axis=0)
    ours = LogisticRegression(C=C, fit_intercept=intercept, tol=1e-8).fit(X, y)
    rival = Rival(C=C, fit_intercept=intercept, solver="newton-cholesky", tol=1e-13, max_iter=1000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, rival.coef_, atol=1e-7 * np.abs(rival.coef_).max())
    np.testing.assert_allclose(ours.predict_proba(X), rival.predict_proba(X), atol=1e-8)
    assert objective(ours, X, y) <= objective(rival, X, y) * (1 + 1e-12)


@pytest.mark.parametrize(("n", "d", "K"), [(4000, 5, 2), (6000, 30, 2), (900, 260, 2), (4000, 6, 5), (1500, 30, 8)])
def test_every_way_ends_within_a_hundred_millionth_of_the_objective(n, d, K):
    """Newton alone, gradients then Newton from a sample, gradients alone: at the default tol."""
    X, y = classes(n, d, K, spread=0.5)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = LogisticRegression().fit(X, y)
    rival = Rival(solver="lbfgs", tol=1e-9, max_iter=20_000).fit(X, y)
    assert objective(ours, X, y) <= objective(rival, X, y) * (1 + 1e-8)
    assert ours.solution_.settled


def test_columns_of_very_different_size_and_offset_converge():
    X, y = classes(3000, 6, 3, spread=0.5)
    bad = X * 10.0 ** np.arange(-6, 6, 2) + 1e6 * 10.0 ** np.arange(-6, 6, 2)
    good = LogisticRegression(C=np.inf, tol=1e-7).fit(X, y)
    found = LogisticRegression(C=np.inf, tol=1e-7).fit(bad, y)
    np.testing.assert_allclose(found.coef_ * 10.0 ** np.arange(-6, 6, 2), good.coef_, rtol=1e-6, atol=1e-9)


def test_errors_are_those_of_maximum_likelihood():
    X, y = classes(500, 4)
    model = LogisticRegression(penalty=None, tol=1e-8).fit(X, y)
    oracle = sm.Logit(y, sm.add_constant(X)).fit(disp=0, method="newton", tol=1e-12)
    rows = model.facts().of_kind(Coefficients)[0].rows
    np.testing.assert_allclose([r.estimate for r in rows], oracle.params, rtol=1e-8)
    np.testing.assert_allclose([r.standard_error for r in rows], oracle.bse, rtol=1e-7)
    np.testing.assert_allclose([r.t for r in rows], oracle.tvalues, rtol=1e-6)
    np.testing.assert_allclose([r.p for r in rows], oracle.pvalues, rtol=1e-5, atol=1e-14)
    np.testing.assert_allclose([[r.lower, r.upper] for r in rows], oracle.conf_int(), rtol=1e-6)
    np.testing.assert_allclose(quantity(model, "log-likelihood"), oracle.llf, rtol=1e-12)
    np.testing.assert_allclose(quantity(model, "McFadden's R²"), oracle.prsquared, rtol=1e-9)
    np.testing.assert_allclose(quantity(model, "AIC"), oracle.aic, rtol=1e-12)


def test_errors_of_several_classes_are_those_against_the_first():
    X, y = classes(800, 3, 3)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = LogisticRegression(penalty=None, tol=1e-8).fit(X, y)
    oracle = sm.MNLogit(y, sm.add_constant(X)).fit(disp=0, method="newton", tol=1e-12)
    for k, fact in enumerate(model.facts().of_kind(Coefficients)):
        np.testing.assert_allclose([r.estimate for r in fact.rows], oracle.params[:, k], rtol=1e-7)
        np.testing.assert_allclose([r.standard_error for r in fact.rows], oracle.bse[:, k], rtol=1e-6)
    np.testing.assert_allclose(quantity(model, "deviance -2 ln L"), -2 * oracle.llf, rtol=1e-12)
    np.testing.assert_allclose(quantity(model, "AIC"), oracle.aic, rtol=1e-12)


# Laws


@pytest.mark.parametrize("K", [2, 3])
def test_a_weight_of_two_is_the_row_twice_and_of_zero_no_row(K):
    X, y = classes(K=K)
    weight = np.random.default_rng(1).integers(0, 3, len(y)).astype(float)
    a = LogisticRegression(tol=1e-8).fit(X, y, sample_weight=weight)
    b = LogisticRegression(tol=1e-8).fit(np.repeat(X, weight.astype(int), axis=0), np.repeat(y, weight.astype(int)))
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(quantity(a, "weight of the rows"), quantity(b, "rows"))


def test_balanced_classes_are_weights_that_make_their_totals_equal():
    X, y = classes(600, 3, 3)
    balanced = LogisticRegression(class_weight="balanced", tol=1e-8).fit(X, y)
    by_hand = {k: len(y) / (3 * (y == k).sum()) for k in range(3)}
    named = LogisticRegression(class_weight=by_hand, tol=1e-8).fit(X, y)
    weighted = LogisticRegression(tol=1e-8).fit(X, y, sample_weight=[by_hand[k] for k in y])
    np.testing.assert_allclose(balanced.coef_, named.coef_, rtol=1e-10)
    np.testing.assert_allclose(weighted.coef_, named.coef_, rtol=1e-10)
    rival = Rival(class_weight="balanced", tol=1e-12, solver="newton-cholesky").fit(X, y)
    np.testing.assert_allclose(balanced.coef_, rival.coef_, atol=1e-7 * np.abs(rival.coef_).max())


def test_renaming_classes_permutes_coefficients():
    X, y = classes(K=3)
    plain = LogisticRegression(tol=1e-8).fit(X, y)
    renamed = LogisticRegression(tol=1e-8).fit(X, np.array(["c", "a", "b"])[y])
    np.testing.assert_allclose(renamed.coef_, plain.coef_[[1, 2, 0]], rtol=1e-7, atol=1e-10)
    assert renamed.classes_.tolist() == ["a", "b", "c"]
    assert (renamed.predict(X) == np.array(["c", "a", "b"])[plain.predict(X)]).all()


def test_without_a_penalty_units_do_not_matter():
    X, y = classes()
    a, b = (LogisticRegression(C=np.inf, tol=1e-8).fit(Z, y) for Z in (X, 3.0 * X + 5.0))
    np.testing.assert_allclose(a.coef_, 3.0 * b.coef_, rtol=1e-8)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(3.0 * X + 5.0), rtol=1e-7)


def test_the_penalty_acts_in_the_users_coordinates():
    X, y = classes()
    a, b = LogisticRegression(tol=1e-8).fit(X, y), LogisticRegression(tol=1e-8).fit(X + 1e6, y)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-6)


@pytest.mark.parametrize("K", [2, 3])
def test_threads_and_memory_order_leave_no_trace_in_the_bits(K):
    X, y = classes(2 * BLOCK_ROWS + 500, 3, K)
    one = LogisticRegression(n_jobs=1).fit(X, y)
    for other in (LogisticRegression(n_jobs=3).fit(X, y), LogisticRegression(n_jobs=1).fit(np.asfortranarray(X), y)):
        np.testing.assert_array_equal(one.coef_, other.coef_)
        np.testing.assert_array_equal(one.intercept_, other.intercept_)


def test_a_file_of_rows_gives_the_same_bits_as_memory():
    pandas = pytest.importorskip("pandas")
    X, y = classes(BLOCK_ROWS + 300, 2)
    frame = pandas.DataFrame({"a": X[:, 0], "kind": y * 3 + 1, "b": X[:, 1], "w": 1.0 + np.arange(len(y)) % 2})
    found = LogisticRegression().fit_source(frame, target="kind", weight="w")
    wanted = LogisticRegression().fit(X, y * 3 + 1, sample_weight=frame["w"].to_numpy())
    np.testing.assert_array_equal(found.coef_, wanted.coef_)
    assert found.classes_.tolist() == [1, 4]
    assert found.column_names() == ("a", "b")
    assert (found.predict(frame[["a", "b"]]) == wanted.predict(X)).all()


# Truth


def test_intervals_hold_the_true_coefficient_as_often_as_they_promise():
    rng = np.random.default_rng(0)
    truth, inside = np.array([1.0, -0.5]), 0
    for _ in range(150):
        X = rng.normal(size=(300, 2))
        y = rng.uniform(size=300) < 1 / (1 + np.exp(-(X @ truth + 0.3)))
        rows = LogisticRegression(penalty=None).fit(X, y).facts(level=0.8).of_kind(Coefficients)[0].rows[1:]
        inside += sum(r.lower <= t <= r.upper for r, t in zip(rows, truth, strict=True))
    assert abs(inside / 300 - 0.8) < 0.08


def test_probabilities_are_calibrated_on_new_rows():
    X, y = classes(20_000, 3)
    model = LogisticRegression().fit(X[:10_000], y[:10_000])
    p = model.predict_proba(X[10_000:])[:, 1]
    for low in (0.1, 0.4, 0.7):
        near = (p > low) & (p < low + 0.2)
        assert abs(y[10_000:][near].mean() - p[near].mean()) < 4 * np.sqrt(0.25 / near.sum())


# Predictions and facts


@pytest.mark.parametrize("K", [2, 4])
def test_predictions_agree_with_each_other(K):
    X, y = classes(K=K)
    model = LogisticRegression().fit(X, np.array(list("dcba"))[y])
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(np.log(proba), model.predict_log_proba(X), rtol=1e-10, atol=1e-14)
    assert (model.classes_[proba.argmax(axis=1)] == model.predict(X)).all()
    assert model.decision_function(X).shape == ((len(X),) if K == 2 else (len(X), K))
    assert model.score(X, np.array(list("dcba"))[y]) == np.mean(model.predict(X) == np.array(list("dcba"))[y])


def test_facts_speak_of_odds_in_the_tables_own_names():
    pandas = pytest.importorskip("pandas")
    X, y = classes(300, 2)
    frame = pandas.DataFrame(X, columns=["age", "size"])
    model = LogisticRegression().fit(frame, pandas.Series(np.array(["no", "yes"])[y], name="buys"))
    facts = model.facts()
    assert facts.of_kind(Coefficients)[0].target == "buys: log-odds of 'yes' against 'no'"
    odds = facts.of_kind(Statement)[0]
    factor = f"{np.exp(model.coef_[0, 0]):.4g}"
    sentence = f"one unit more of 'age' multiplies the odds of 'yes' against 'no' by {factor}"
    assert any(sentence in said for said in odds.sentences)
    assert facts.of_kind(Numerics)[0].passes == model.solution_.passes
    trace = facts.of_kind(Curve)[0].lines[0]
    assert trace.y[-1] == min(trace.y)
    assert facts.of_kind(MethodCard)[0].not_for
    assert "penalised" in " ".join(facts.of_kind(Coefficients)[0].notes)
    assert "buys" in str(facts)


def test_the_effective_number_of_parameters_falls_with_the_penalty():
    X, y = classes(400, 5, 3)
    X = X / X.std(axis=0)
    counts = [quantity(LogisticRegression(C=C).fit(X, y), "effective number of parameters") for C in (1e-3, 1.0, 1e6)]
    assert counts == sorted(counts)
    np.testing.assert_allclose(counts[-1], 12.0, atol=1e-3)


def test_penalised_errors_are_those_of_the_penalised_curvature():
    X, y = classes(200, 2)
    model = LogisticRegression(C=0.5, tol=1e-9).fit(X, y)
    A = np.column_stack([np.ones(200), X])
    p = model.predict_proba(X)[:, 1]
    H = A.T @ (A * (p * (1 - p))[:, None]) + np.diag([0.0, 2.0, 2.0])
    rows = model.facts().of_kind(Coefficients)[0].rows
    np.testing.assert_allclose([r.standard_error for r in rows], np.sqrt(np.diagonal(np.linalg.inv(H))), rtol=1e-7)
    np.testing.assert_allclose(rows[1].p, 2 * stats.norm.sf(abs(rows[1].t)), rtol=1e-12)
