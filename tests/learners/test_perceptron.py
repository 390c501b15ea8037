"""The perceptron: the rule written out, scikit-learn's steps, the bound on corrections, the pocket."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron as SklearnPerceptron

from glaswerk import load, save
from glaswerk.facts import Coefficients, Curve, Statement
from glaswerk.learners import Perceptron


def parted(n=60, seed=0, gap=0.2):
    """Two classes with a plane between them, no row nearer to it than `gap`."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3 * n + 20, 2))
    away = X @ [1.0, -2.0] / np.sqrt(5) - 0.3
    X, away = X[np.abs(away) > gap][:n], away[np.abs(away) > gap][:n]
    return X, away > 0


def mixed(n=100, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 2)) + y[:, None], y


def test_the_rule_written_out():  # [TRE-PERCEPTRON]
    X, y = parted()
    A, t, w, made = np.column_stack([X, np.ones(len(X))]), np.where(y, 1.0, -1.0), np.zeros(3), []
    for _ in range(1000):
        wrong = 0
        for a, b in zip(A, t, strict=True):
            if b * (w @ a) <= 0:
                w, wrong = w + b * a, wrong + 1
        made.append(wrong)
        if not wrong:
            break
    model = Perceptron(shuffle=False, pocket=False).fit(X, y)
    assert model.solution_.mistakes[:, 0].tolist() == made
    np.testing.assert_allclose([*model.coef_[0], model.intercept_[0]], w, rtol=1e-12, atol=1e-13)
    assert model.score(X, y) == 1


def test_the_steps_are_scikit_learns():
    X, y = mixed()
    with np.errstate(all="ignore"):
        rival = SklearnPerceptron(shuffle=False, max_iter=7, tol=None).fit(X, y)
    model = Perceptron(shuffle=False, max_iter=7, pocket=False).fit(X, y)
    np.testing.assert_allclose(model.coef_, rival.coef_, rtol=1e-11)
    np.testing.assert_allclose(model.intercept_, rival.intercept_, rtol=1e-11)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 0.5))
def test_classes_that_a_plane_parts_are_parted_within_the_bound(seed, gap):
    X, y = parted(40, seed, gap)
    if y.all() or not y.any():
        return
    model = Perceptron(max_iter=20_000).fit(X, y)
    found = model.solution_
    assert found.separated.all()
    assert model.score(X, y) == 1
    assert found.mistakes.sum() <= (found.radius / found.margin[0]) ** 2
    assert found.mistakes.sum() <= (found.radius / gap) ** 2 * (1 + 0.3**2)  # the true plane's margin, in [x, 1]


def test_the_margin_is_the_nearest_row():
    X, y = parted()
    model = Perceptron().fit(X, y)
    w = np.append(model.coef_[0], model.intercept_)
    sides = np.column_stack([X, np.ones(len(X))]) @ w * np.where(y, 1, -1) / np.linalg.norm(w)
    np.testing.assert_allclose(model.solution_.margin, [sides.min()], rtol=1e-12)
    assert "separated, after" in str(model.facts())


def test_where_classes_overlap_the_pocket_keeps_the_best_plane():
    X, y = mixed()
    last = Perceptron(max_iter=40, pocket=False).fit(X, y)
    best = Perceptron(max_iter=40).fit(X, y)
    assert best.n_iter_ == 40
    assert best.solution_.wrong[0] <= last.solution_.wrong[0]
    assert best.score(X, y) == 1 - best.solution_.wrong[0] / 100
    assert "no separating plane was met" in str(best.facts())
    assert "never came to rest" in str(best.facts())


def test_from_zero_the_rate_changes_only_the_length():
    X, y = parted()
    one, ten = Perceptron(eta0=0.5).fit(X, y), Perceptron(eta0=5.0).fit(X, y)
    np.testing.assert_allclose(ten.coef_, 10 * one.coef_, rtol=1e-12)
    assert np.array_equal(one.solution_.mistakes, ten.solution_.mistakes)


def test_the_seed_decides_the_order():
    X, y = parted()
    assert np.array_equal(Perceptron(random_state=1).fit(X, y).coef_, Perceptron(random_state=1).fit(X, y).coef_)
    seen = {tuple(Perceptron(random_state=k).fit(X, y).coef_[0]) for k in range(5)}
    assert len(seen) > 1


def test_several_classes_names_and_files(tmp_path):
    rng = np.random.default_rng(1)
    y = np.array(["a", "b", "c"])[rng.integers(0, 3, 120)]
    corners = {"a": (0, 0), "b": (9, 0), "c": (0, 9)}
    X = rng.normal(size=(120, 2)) + np.array([corners[label] for label in y])
    model = Perceptron().fit(X, y)
    assert model.score(X, y) > 0.95
    facts = model.facts()
    assert [len(facts.of_kind(kind)) for kind in (Coefficients, Statement, Curve)] == [3, 1, 1]
    save(model, tmp_path / "p.glaswerk")
    back = load(tmp_path / "p.glaswerk")
    assert np.array_equal(back.decision_function(X), model.decision_function(X))
    assert str(back.facts()) == str(facts)


def test_without_an_intercept_the_plane_goes_through_zero():
    X, y = parted()
    model = Perceptron(fit_intercept=False, max_iter=20).fit(X, y)
    assert model.intercept_.tolist() == [0.0]
    assert "intercept" not in {row.name for row in model.facts().of_kind(Coefficients)[0].rows}


@pytest.mark.parametrize(("more", "message"), [
    ({"penalty": "l2"}, "penalty must be None"), ({"eta0": 0.0}, "eta0 must be"), ({"max_iter": 0}, "max_iter must be"),
])  # fmt: skip
def test_bad_settings_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        Perceptron(**more).fit(*parted())
