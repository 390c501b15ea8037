"""ADALINE: the script's rule written out, scikit-learn's stochastic step, least squares as limit, signs as classes."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import SGDRegressor

from glaswerk import kernels, load, save
from glaswerk.base import Warned
from glaswerk.facts import Coefficients, Curve, Statement
from glaswerk.learners import Adaline, LinearRegression
from glaswerk.optim.bowl import Objective
from glaswerk.optim.epochs import Rows, shuffler, steepest_batch


def two_classes(n=80, seed=0, apart=2.0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 2)) + apart * y[:, None], np.array(["no", "yes"])[y]


def fitted(X, y, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        return Adaline(**more).fit(X, y)


def test_the_rule_of_script_b_in_random_order():  # [TRE-ADALINE] [TRE-SIGN]
    X, y = two_classes()
    A, t = np.column_stack([np.ones(80), X]), np.where(y == "yes", 1.0, -1.0)
    w, order, state, losses = np.zeros(3), np.arange(80), shuffler(4), []
    for _ in range(6):
        kernels.shuffle_order(order, state)
        for i in order:
            guess = w @ A[i]
            for j in range(3):
                w[j] = w[j] + 0.01 * (t[i] - guess) * A[i, j]
        losses.append(0.5 * np.sum((t - A @ w) ** 2))
    model = fitted(X, y, n_epochs=6, tol=None, random_state=4)
    np.testing.assert_allclose([model.intercept_[0], *model.coef_[0]], w, rtol=1e-11)
    np.testing.assert_allclose(model.solution_.objective[1:], losses, rtol=1e-11)
    assert np.array_equal(model.predict(X), np.where(A @ w > 0, "yes", "no"))
    assert model.mistakes_.tolist() == [np.sum((A @ w) * t <= 0)]


def test_the_steps_are_scikit_learns_stochastic_ones():
    X, y = two_classes()
    rival = SGDRegressor(penalty=None, learning_rate="constant", eta0=0.02, shuffle=False, max_iter=5, tol=None)
    rival.fit(X, np.where(y == "yes", 1.0, -1.0))
    model = fitted(X, y, learning_rate=0.02, shuffle=False, n_epochs=5, tol=None)
    np.testing.assert_allclose(model.coef_[0], rival.coef_, rtol=1e-11)
    np.testing.assert_allclose(model.intercept_, rival.intercept_, rtol=1e-11)


def test_a_falling_rate_comes_to_least_squares_of_plus_and_minus_one():
    X, y = two_classes()
    model = fitted(X, y, learning_rate=0.02, decay=0.1, n_epochs=3000, tol=None)
    closed = LinearRegression().fit(X, np.where(y == "yes", 1.0, -1.0))
    np.testing.assert_allclose(model.coef_[0], closed.coef_, atol=2e-3)
    np.testing.assert_allclose(model.solution_.closed[0], [*closed.coef_, closed.intercept_], rtol=1e-12)
    assert np.array_equal(model.predict(X), np.where(closed.predict(X) > 0, "yes", "no"))


def test_several_classes_are_each_against_the_rest():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 150)
    X = rng.normal(size=(150, 2)) + 5 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    model = fitted(X, y, learning_rate=0.005)
    assert model.coef_.shape == (3, 2)
    assert model.score(X, y) > 0.9
    assert np.array_equal(model.predict(X), model.decision_function(X).argmax(axis=1))
    alone = fitted(X, y == 2, learning_rate=0.005)
    assert len(model.facts().of_kind(Coefficients)) == 3
    np.testing.assert_allclose(model.solution_.closed[2], alone.solution_.closed[0], rtol=1e-10)


def test_too_large_a_rate_is_stopped_with_the_bound_of_the_longest_row():
    X, y = two_classes()
    with pytest.warns(Warned, match=r"Adaline diverged within \d+ epochs.*longest row") as caught:
        model = Adaline(5.0).fit(X, y)
    assert caught[0].filename == __file__
    assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("rate", ["lipschitz", "adaptive"])
def test_the_rate_of_the_longest_row_never_diverges(rate):
    X, y = two_classes()
    model = fitted(X * [1, 1e4], y, learning_rate=rate, n_epochs=50)
    assert not model.solution_.diverged
    if rate == "adaptive":
        assert (np.diff(model.solution_.rates[1:]) <= 0).all()


def test_no_batch_curves_more_than_its_bound():
    X = two_classes()[0]
    weight = np.random.default_rng(0).integers(0, 3, 80) * 1.0
    for name, size in (("rss", 4), ("half_mse", 4), ("half_rss", 1)):
        objective = Objective(name, 0.1)
        for w in (np.zeros(0), weight):
            rows = Rows(X, np.ones((80, 1)), w)
            bound = steepest_batch(rows, objective, size)
            A, v = np.column_stack([X, np.ones(80)]), w if w.size else np.ones(80)
            for k in range(0, 80, size):
                batch = A[k : k + size] * np.sqrt(v[k : k + size])[:, None]
                share = max(v[k : k + size].sum(), 1e-9) if objective.averaged else 1.0
                own = 2 * objective.multiple * np.linalg.eigvalsh(batch.T @ batch)[-1] / share + 0.2
                assert own <= bound * (1 + 1e-12)


def test_the_facts_show_planes_sides_trace_and_steps(tmp_path):
    X, y = two_classes()
    model = fitted(X, y, standardize=True)
    facts = model.facts()
    assert [len(facts.of_kind(kind)) for kind in (Coefficients, Statement, Curve)] == [1, 2, 1]
    assert "y = yes (+1) against no (-1)" in str(facts)
    save(model, tmp_path / "a.glaswerk")
    back = load(tmp_path / "a.glaswerk")
    assert np.array_equal(back.predict(X), model.predict(X))
    assert str(back.facts()) == str(facts)


def test_rows_in_random_order_have_no_sums():
    for name in ("partial_fit", "merge"):
        assert not hasattr(Adaline(), name)


@pytest.mark.parametrize(("more", "message"), [
    ({"learning_rate": 0.0}, "learning_rate must be"), ({"learning_rate": "newton"}, "learning_rate must be"),
    ({"start": [1.0]}, "start must hold 3 finite weights"), ({"n_epochs": 0}, "n_epochs must be"),
])  # fmt: skip
def test_bad_settings_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        Adaline(**more).fit(*two_classes())


def test_a_bad_cell_or_a_single_class_is_named():
    X, y = two_classes()
    with pytest.raises(ValueError, match="only 1 class"):
        Adaline().fit(X, np.full(80, "yes"))
    X[3, 1] = np.inf
    with pytest.raises(ValueError, match="column 'x1', row 3"):
        Adaline().fit(X, y)
