"""Complexity: known numbers of free parameters, whatever wraps the learner."""

import warnings

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from glaswerk import (
    SVC,
    GaussianNB,
    KernelRegression,
    LinearDiscriminantAnalysis,
    LinearRegression,
    LocallyWeightedRegression,
    LogisticRegression,
    MLPClassifier,
    Model,
    PolynomialBasis,
    QuadraticDiscriminantAnalysis,
    RandomForestClassifier,
    RBFNetwork,
    Ridge,
)
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, GridSearch, cross_validate
from glaswerk.evaluate.baseline import BaselineRegressor
from glaswerk.evaluate.complexity import complexity_of
from glaswerk.evaluate.corrected import FoldValues
from glaswerk.evaluate.metrics import metric_named
from glaswerk.report.families import FAMILIES
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


def bell(distance, width):
    return np.exp(-0.5 * (distance / width) ** 2)


def test_smoothers_count_the_trace_of_their_weights():
    x = np.linspace(0, 1, 20)
    kernel = bell(x[:, None] - x[None, :], 0.2)
    trace = np.trace(kernel / kernel.sum(axis=1, keepdims=True))
    y = np.sin(5 * x)
    assert complexity_of(KernelRegression(bandwidth=0.2).fit(x[:, None], y)) == pytest.approx(trace, rel=1e-5)
    A = np.column_stack([np.ones(20), x])
    leverage = [kernel[i, i] * A[i] @ np.linalg.solve(A.T @ (A * kernel[i][:, None]), A[i]) for i in range(20)]
    model = LocallyWeightedRegression(0.2).fit(x[:, None], y)
    assert complexity_of(model) == pytest.approx(sum(leverage), rel=1e-5)
    many = np.linspace(0, 1, 500)
    some = complexity_of(KernelRegression(bandwidth=0.2).fit(many[:, None], np.sin(5 * many)))
    assert some == pytest.approx(trace, rel=0.1)  # from 25 of 500 rows


def test_other_families_count_their_own():
    X, y = two_classes(150)
    assert complexity_of(GaussianNB().fit(X, y)) == 2 * 3 * 2 + 1
    assert complexity_of(QuadraticDiscriminantAnalysis().fit(X, y)) == 2 * (3 + 6) + 1
    assert complexity_of(LinearDiscriminantAnalysis().fit(X, y)) == 4
    svc = SVC().fit(X, y)
    assert complexity_of(svc) == svc.n_support_.sum() + 1
    assert complexity_of(MLPClassifier((5,), max_iter=2).fit(X, y)) == 3 * 5 + 5 + 5 + 1
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    assert complexity_of(forest) == sum(int(tree.leaves[0]) for tree in forest.trees_)
    assert complexity_of(RBFNetwork(7).fit(X, X[:, 0])) == 7


def test_every_family_of_a_report_says_how_complex_it_is():
    X, y = line_with_noise(90, 3)
    table = {f"x{j}": X[:, j].tolist() for j in range(3)} | {"y": y.tolist(), "c": np.where(y > 0, "a", "b").tolist()}
    for family in FAMILIES:
        inputs = {name: cells for name, cells in table.items() if name != ("c" if family.task == "regression" else "y")}
        model = family.build().fit(inputs, target="y" if family.task == "regression" else "c")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.isfinite(complexity_of(model)), family.name
