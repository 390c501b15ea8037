"""Logistic regression by descent: the scripts' loop written out, rates that cannot fail, rates that do."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.base import Warned
from glaswerk.facts import Coefficients, Statement
from glaswerk.learners import LogisticRegression
from glaswerk.model import load, save
from glaswerk.optim.descent import Stop
from glaswerk.optim.gradient_rounds import Slide, slide


def table(n=200, d=3, classes=2, seed=0):
    rng = np.random.default_rng([seed, n, d, classes])
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1) + 1
    Z = X @ rng.normal(size=(d, classes)) + 2 * rng.gumbel(size=(n, classes))
    return X, Z.argmax(axis=1)


def descent(X, y, rate, steps, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        model = LogisticRegression(solver="descent", learning_rate=rate, max_iter=steps, tol=0.0, **options)
        return model.fit(X, y)


def written_out(X, y, rate, steps, penalty, weight=None):
    """The loop of script C: θ ← θ - η Σ (y - t) [x, 1], with the penalty's pull on the weights but w₀."""
    A, k = np.column_stack([X, np.ones(len(X))]), int(y.max()) + 1
    T, w = np.eye(k)[y], np.ones(len(X)) if weight is None else weight
    theta, values = np.zeros((k, A.shape[1])), []
    for step in range(steps + 1):
        Z = A @ theta.T
        if k == 2:
            Z[:, 0] = 0.0
        share = np.exp(Z - Z.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        values.append(-w @ np.log(share[np.arange(len(y)), y]) + penalty / 2 * (theta[:, :-1] ** 2).sum())
        if step == steps:
            break
        gradient = ((share - T) * w[:, None]).T @ A
        gradient[:, :-1] += penalty * theta[:, :-1]
        if k == 2:
            gradient[0] = 0.0
        theta = theta - rate * gradient
    return theta[1:] if k == 2 else theta, np.array(values)


def test_the_first_step_by_hand():
    """[BG-GD] At zero both classes are as probable: g = Σ (½ - t) [x, 1]."""
    model = descent([[0.0], [1.0], [3.0]], [0, 1, 1], 0.1, 1, C=np.inf)
    np.testing.assert_allclose([model.coef_[0, 0], model.intercept_[0]], [0.1 * 0.5 * 4, 0.1 * 0.5], rtol=1e-14)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_descent_is_the_loop_of_the_script(classes, weighted):
    """[BOE-GD]"""
    X, y = table(classes=classes)
    weight = np.random.default_rng(1).integers(0, 3, len(X)).astype(float) if weighted else None
    model = LogisticRegression(C=2.0, solver="descent", learning_rate=1e-3, max_iter=40, tol=0.0)
    with pytest.warns(Warned, match="has not converged after 40 rounds"):
        model.fit(X, y, weight)
    theta, values = written_out(X, y, 1e-3, 40, 0.5, weight)
    np.testing.assert_allclose(model.solution_.trace[:, 1], values, rtol=1e-12)
    np.testing.assert_allclose(np.column_stack([model.coef_, model.intercept_]), theta, rtol=1e-10, atol=1e-13)
    assert (model.solution_.trace[1:, 3] == 1e-3).all()


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("rate", ["lipschitz", "backtracking"])
@pytest.mark.parametrize("penalty", ["l2", None])
def test_descent_arrives_where_newton_does_with_the_same_errors(classes, rate, penalty):
    X, y = table(classes=classes)
    slow = LogisticRegression(penalty=penalty, solver="descent", learning_rate=rate, max_iter=5000, tol=1e-7).fit(X, y)
    fast = LogisticRegression(penalty=penalty, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(slow.coef_, fast.coef_, rtol=1e-4, atol=1e-4)
    errors = [
        [row.standard_error for part in m.facts().of_kind(Coefficients) for row in part.rows] for m in (slow, fast)
    ]
    np.testing.assert_allclose(*errors, rtol=1e-3)
    assert slow.solution_.verdict == fast.solution_.verdict


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 40), st.integers(1, 4), st.integers(2, 4), st.integers(0, 10_000), st.floats(1e-3, 1e3))
def test_one_over_the_bound_never_goes_up(n, d, classes, seed, C):
    X, y = table(n, d, classes, seed)
    if len(np.unique(y)) < 2:
        y[0] = 1 - y[0]
    for rate in ("lipschitz", "backtracking"):
        values = descent(X, y, rate, 60, C=C).solution_.trace[:, 1]
        accepted = values if rate == "lipschitz" else np.minimum.accumulate(values)
        assert (np.diff(accepted) <= 1e-12 * accepted[0]).all()


def test_too_large_a_rate_is_stopped_and_the_best_weights_are_kept():
    X, y = table()
    with pytest.warns(Warned, match=r"descent diverged within \d+ rounds: the learning rate 5 is too large"):
        model = LogisticRegression(solver="descent", learning_rate=5.0).fit(X, y)
    assert model.solution_.why == Stop.DIVERGED.value
    assert not model.coef_.any()
    assert "ever further away" in str(model.facts())


def test_a_rate_that_goes_up_and_down_is_told():
    X, y = table()
    safe = descent(X, y, "lipschitz", 3).solution_.trace[-1, 3]
    model = descent(X, y, 6 * safe, 300)
    assert "oscillate" in " ".join(model.facts().of_kind(Statement)[-1].sentences)


def test_separated_classes_are_seen_on_the_way():
    X = np.arange(8.0)[:, None]
    with pytest.warns(Warned, match="a plane separates the classes: verified on every row"):
        LogisticRegression(penalty=None, solver="descent", max_iter=3000).fit(X, X[:, 0] > 3)


def test_a_flat_bottom_ends_it():
    found = slide(Slide.from_zero((1, 2), 0.1), 1.0, np.zeros((1, 2)), 0.0, 5)
    assert found.why is Stop.BOTTOM
    found = slide(Slide.from_zero((1, 2), 0.1), 1.0, np.full((1, 2), 1e-9), 1e-4, 5)
    assert found.why is Stop.FLAT


def test_threads_files_and_names_change_nothing(tmp_path):
    X, y = table(70_000)
    one, two = (descent(X, y, "lipschitz", 5, n_jobs=k) for k in (1, 2))
    assert (one.coef_ == two.coef_).all()
    save(one, tmp_path / "a.glaswerk")
    assert (load(tmp_path / "a.glaswerk").predict_proba(X[:9]) == one.predict_proba(X[:9])).all()


def test_a_rate_that_is_none_is_refused():
    with pytest.raises(ValueError, match="learning_rate must be a finite number > 0 or 'lipschitz' or 'backtracking'"):
        LogisticRegression(solver="descent", learning_rate=0.0).fit([[0.0], [1.0]], [0, 1])
