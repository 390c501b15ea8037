"""Complexity: known numbers of free parameters, whatever wraps the learner."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from glaswerk import LinearRegression, LogisticRegression, Model, PolynomialBasis, Ridge
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, GridSearch, cross_validate
from glaswerk.evaluate.baseline import BaselineRegressor
from glaswerk.evaluate.complexity import complexity_of
from glaswerk.evaluate.corrected import FoldValues
from glaswerk.evaluate.metrics import metric_named
from tests.evaluate.conftest import line_with_noise, two_classes


def test_known_numbers():
    X, y = line_with_noise(60, 4)
    assert complexity_of(LinearRegression().fit(X, y)) == 5
    assert complexity_of(LinearRegression(fit_intercept=False).fit(X, y)) == 4
    assert complexity_of(BaselineRegressor().fit(X, y)) == 1
    assert complexity_of(Pipeline([("b", PolynomialBasis(2)), ("l", LinearRegression())]).fit(X, y)) == 15
    assert complexity_of(DecisionTreeRegressor(max_leaf_nodes=7).fit(X, y)) == 7
    assert complexity_of(Model(LinearRegression()).fit({"x": [1, 2, 4], "y": [1.0, 2.5, 3.0]}, target="y")) == 2
    assert complexity_of(GridSearch(Ridge(), {"alpha": [1e12]}).fit(X, y)) == pytest.approx(1, abs=1e-6)
    assert np.isnan(complexity_of(object()))


def test_ridge_counts_what_the_penalty_leaves():  # [TRE-MEFF]
    X, y = line_with_noise(60, 4)
    values = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2
    for alpha in (0.0, 3.0, 100.0):
        assert complexity_of(Ridge(alpha=alpha).fit(X, y)) == pytest.approx(1 + (values / (values + alpha)).sum())


@pytest.mark.parametrize("many", [2, 3])
def test_logistic_regression_counts_the_trace_of_its_hat_matrix(many):  # [TRE-MEFF]
    X, y = two_classes()
    codes = (y == "yes").astype(int) if many == 2 else np.digitize(X[:, 0], [-0.5, 0.5])
    model = LogisticRegression(C=0.05, tol=1e-10, standard_errors=True).fit(X, codes)
    shares, A = model.predict_proba(X), np.column_stack([X, np.ones(len(X))])
    k, size = (1, 4) if many == 2 else (3, 4)
    hessian = np.zeros((k * size, k * size))
    for a in range(k):
        for b in range(k):
            p, q = (shares[:, 1], shares[:, 1]) if many == 2 else (shares[:, a], shares[:, b])
            w = p * ((a == b) - q)
            hessian[a * size : (a + 1) * size, b * size : (b + 1) * size] = (A * w[:, None]).T @ A
    paid = np.tile([20.0, 20.0, 20.0, 0.0], k)
    expected = np.trace(np.linalg.pinv(hessian + np.diag(paid), rcond=1e-10) @ hessian)
    assert model.complexity() == pytest.approx(expected, rel=1e-4)
    assert LogisticRegression(penalty=None).fit(X, y).complexity() == pytest.approx(4, rel=1e-6)


def test_the_simplest_within_one_standard_error_is_named():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 12))
    y = X[:, 0] + rng.normal(size=80)
    candidates = {"all": LinearRegression(), "ridge": Ridge(alpha=60.0), "hard": Ridge(alpha=1e5)}
    found = cross_validate(candidates, ArrayProblem(X, y), folds=8, repeats=2).comparison
    best = found.rows[0]
    folds = FoldValues(metric_named("RMSE"), np.array(best.fold_scores) ** 2, np.full(16, 10.0))
    error = np.sqrt(folds.deviations @ folds.deviations / 15 / 8)
    good = [row for row in found.rows if row.score <= best.score + error]
    assert found.simplest == min(good, key=lambda row: row.complexity).name
    assert found.simplest == "ridge"
    assert f"fewest free parameters): {found.simplest}" in " ".join(found.notes)
