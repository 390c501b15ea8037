"""Fisher's discriminant: the criterion, the direction, its least-squares form, the plane and the pictures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import LinearRegression, load, save
from glaswerk.facts import Coefficients, Curve, Table
from glaswerk.figures import figures_of
from glaswerk.learners import FisherDiscriminant, LinearDiscriminantAnalysis
from glaswerk.learners.fisher import one_of_k


def rows(n=200, d=3, seed=0, share=0.4):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    y[:2] = 0, 1
    mix = rng.normal(size=(d, d)) + 2 * np.eye(d)
    return rng.normal(size=(n, d)) @ mix + np.outer(y, rng.normal(size=d)) * 2, y


def scatter(X, y):
    return sum((X[y == k] - X[y == k].mean(axis=0)).T @ (X[y == k] - X[y == k].mean(axis=0)) for k in (0, 1))


def J(w, X, y):  # [BG-FISHERJ]
    p, q = X[y == 0] @ w, X[y == 1] @ w
    return (p.mean() - q.mean()) ** 2 / (((p - p.mean()) ** 2).sum() + ((q - q.mean()) ** 2).sum())


def test_by_hand():
    X, y = (
        np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 3.0], [5.0, 1.0], [7.0, 1.0], [6.0, 4.0]]),
        np.array([0, 0, 0, 1, 1, 1]),
    )
    model = FisherDiscriminant().fit(X, y)
    w = np.linalg.solve(scatter(X, y), [5.0, 1.0])  # S_w = diag(4, 12)
    np.testing.assert_allclose(w, [5 / 4, 1 / 12], rtol=1e-14)
    np.testing.assert_allclose(model.direction_, w / np.linalg.norm(w), rtol=1e-13)
    np.testing.assert_allclose(model.criterion_, 25 / 4 + 1 / 12, rtol=1e-13)
    np.testing.assert_allclose(model.intercept_, -model.coef_ @ X.mean(axis=0), rtol=1e-12)


def test_the_direction_maximises_the_criterion():  # [BG-FISHERW] [BG-MEANDIR]
    X, y = rows()
    model = FisherDiscriminant().fit(X, y)
    direct = np.linalg.solve(scatter(X, y), X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
    np.testing.assert_allclose(model.direction_, direct / np.linalg.norm(direct), rtol=1e-11)
    np.testing.assert_allclose(model.criterion_, J(model.direction_, X, y), rtol=1e-11)
    means = model.solution_.mean_direction
    apart = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    np.testing.assert_allclose(means, apart / np.linalg.norm(apart), rtol=1e-11)
    np.testing.assert_allclose(model.solution_.mean_criterion, J(means, X, y), rtol=1e-11)
    others = np.random.default_rng(1).normal(size=(500, 3))
    assert max(J(w, X, y) for w in [*others, means]) <= model.criterion_ * (1 + 1e-12)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 0.9))
def test_least_squares_gives_the_same_direction(seed, share):  # [BG-FISHERLS] [BG-ONEOFK]
    X, y = rows(60, seed=seed, share=share)
    model = FisherDiscriminant().fit(X, y)
    coding = one_of_k(y, 2)
    assert np.array_equal(coding, model.coded(y))
    N, counts = len(y), coding.sum(axis=0)
    targets = coding @ [N / counts[0], -N / counts[1]]
    line = LinearRegression().fit(X, targets)
    found = -line.coef_ / np.linalg.norm(line.coef_)  # the first class has the positive targets
    np.testing.assert_allclose(found, model.direction_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.solution_.squares_direction, model.direction_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(line.intercept_, -line.coef_ @ X.mean(axis=0), rtol=1e-6, atol=1e-8)


def test_the_plane_and_its_three_thresholds():  # [BG-HYPER]
    X, y = rows()
    lda = LinearDiscriminantAnalysis().fit(X, y)
    for threshold, at in (
        ("mean", X.mean(axis=0)),
        ("midpoint", (X[y == 0].mean(axis=0) + X[y == 1].mean(axis=0)) / 2),
    ):
        model = FisherDiscriminant(threshold=threshold).fit(X, y)
        np.testing.assert_allclose(model.decision_function([at]), 0, atol=1e-10)
        assert np.array_equal(model.predict(X), (X @ model.coef_[0] + model.intercept_[0] > 0).astype(int))
    model = FisherDiscriminant(threshold="bayes").fit(X, y)
    np.testing.assert_allclose(model.coef_, lda.coef_, rtol=1e-11)
    np.testing.assert_allclose(model.intercept_, lda.intercept_, rtol=1e-10)


def test_the_projected_rows_are_counted():
    X, y = rows(2_000)
    model = FisherDiscriminant().fit(X, y)
    s, shift = model.solution_, model.solution_.shift
    for k, w in enumerate((model.direction_, s.mean_direction)):
        inner = s.edges[k].copy()
        inner[0], inner[-1] = -np.inf, np.inf
        for label in (0, 1):
            expected, _ = np.histogram((X[y == label] - shift) @ w, inner)
            assert np.array_equal(s.counts[k, label], expected)
    np.testing.assert_allclose(model.project(X), X @ model.direction_)
    curves = model.facts().of_kind(Curve)
    assert [len(curve.lines) for curve in curves] == [2, 2]
    at = curves[0].marks[0][0]
    np.testing.assert_allclose(at * np.linalg.norm(model.coef_), -model.intercept_[0], rtol=1e-9)
    assert all(figures_of(curve) for curve in curves)


def test_sums_add_threads_and_files_agree(tmp_path):
    X, y = rows(150_000, 2)
    one = FisherDiscriminant(n_jobs=1).fit(X, y)
    two = FisherDiscriminant(n_jobs=2).fit(np.asfortranarray(X), y)
    assert np.array_equal(one.coef_, two.coef_)
    assert np.array_equal(one.solution_.counts, two.solution_.counts)
    parts = FisherDiscriminant().partial_fit(X[:70_000], y[:70_000]).partial_fit(X[70_000:], y[70_000:])
    np.testing.assert_allclose(parts.coef_, one.coef_, rtol=1e-9)
    assert not parts.facts().of_kind(Curve)
    save(one, tmp_path / "f.glaswerk")
    back = load(tmp_path / "f.glaswerk")
    assert str(back.facts()) == str(one.facts())
    assert np.array_equal(back.decision_function(X[:9]), one.decision_function(X[:9]))


def test_facts_say_hyperplane_and_criteria():
    X, y = rows()
    model = FisherDiscriminant().fit(X, np.array(["ham", "spam"])[y])
    facts = model.facts()
    plane, table = facts.of_kind(Coefficients)[0], facts.of_kind(Table)[0]
    assert [row.name for row in plane.rows] == ["w₀", "x0", "x1", "x2"]
    assert plane.target == "y: spam against ham"
    assert [row[1] for row in table.rows] == [model.criterion_, model.criterion_, model.solution_.mean_criterion]
    assert abs(table.rows[1][2] - 1) < 1e-12


@pytest.mark.filterwarnings("ignore")
def test_singular_tables():
    X, y = rows(20)
    repeated = FisherDiscriminant().fit(np.column_stack([X, X[:, 0]]), y)
    assert repeated.solution_.share > 0
    assert np.isfinite(repeated.coef_).all()
    one = FisherDiscriminant().fit([[0.0, 1.0], [1.0, 2.0], [8.0, 1.0]], [0, 0, 1])
    assert one.predict([[9.0, 1.0], [0.0, 1.0]]).tolist() == [1, 0]
    same = FisherDiscriminant().fit([[1.0], [1.0], [1.0]], [0, 1, 1])
    assert same.criterion_ == 0


def test_bad_input():
    X, y = rows()
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        FisherDiscriminant().fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="threshold must be 'mean' or 'midpoint' or 'bayes', got 'best'"):
        FisherDiscriminant(threshold="best").fit(X, y)
    with pytest.raises(ValueError, match="column 'x0', row 0"):
        FisherDiscriminant().fit(np.full((3, 1), np.nan), [0, 1, 1])
