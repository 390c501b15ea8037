"""Networks of radial basis functions: the printed solution, leave-one-out by refits, centres, bad input."""

import numpy as np
import pytest

from glaswerk import load, save
from glaswerk.facts import Curve
from glaswerk.learners import RBFNetwork, UnifiedLocalModel


def wave(n=120, d=1):
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n, d))
    return X, np.sin(6 * X[:, 0]) + 0.1 * rng.normal(size=n)


def bumps(X, centres, width):
    return np.exp(-((X[:, None] - centres) ** 2).sum(axis=2) / (2 * width**2))


def test_the_output_is_the_printed_solution():  # [BG-RBFNET]
    X, y = wave()
    centres = np.linspace(0, 1, 6)[:, None]
    model = RBFNetwork(centres=centres, width=0.2, alpha=0.0).fit(X, np.column_stack([y, 3 * y]))
    P = bumps(X, centres, 0.2)
    w = np.linalg.solve(P.T @ P, P.T @ y)
    np.testing.assert_allclose(model.predict(X), np.column_stack([P @ w, 3 * P @ w]), rtol=1e-7, atol=1e-9)
    unified = UnifiedLocalModel(centres=centres, bandwidth=0.2, slopes=False, normalise=False, alpha=0.0).fit(X, y)
    np.testing.assert_allclose(unified.predict(X), P @ w, rtol=1e-7, atol=1e-9)


def test_leave_one_out_is_that_of_refits():
    X, y = wave(40)
    model = RBFNetwork(centres="rows", n_centres=6, alpha=1e-2).fit(X, y)
    known = model.solution_
    for k in (0, 4, 8):
        P, gap = bumps(X, known.centres, known.tried[k]), []
        for i in range(40):
            rest = np.arange(40) != i
            w = np.linalg.solve(P[rest].T @ P[rest] + 1e-2 * np.eye(6), P[rest].T @ y[rest])
            gap.append(y[i] - P[i] @ w)
        assert np.mean(np.square(gap)) == pytest.approx(known.errors[k], rel=1e-8)
    assert known.width == known.tried[known.errors.argmin()]
    assert len(model.facts().of_kind(Curve)) == 1


@pytest.mark.parametrize("centres", ["kmeans", "lbg", "rows"])
def test_every_choice_of_centres_follows_the_wave(centres, tmp_path):
    X, y = wave()
    model = RBFNetwork(8, centres=centres).fit(X, y)
    assert model.score(X, y) > 0.95
    save(model, tmp_path / "m.glas")
    assert np.array_equal(load(tmp_path / "m.glas").predict(X), model.predict(X))


def test_edges_and_bad_input():
    X, y = wave()
    assert len(RBFNetwork(50).fit(X[:3], y[:3]).solution_.centres) == 3
    assert RBFNetwork().fit([[1.0]], [2.0]).predict([[1.0]])[0] == pytest.approx(2.0, rel=1e-5)
    with pytest.raises(ValueError, match="centres must be a table of finite numbers"):
        RBFNetwork(centres=[[1.0, 2.0]]).fit(X, y)
    with pytest.raises(ValueError, match="X contains NaN"):
        RBFNetwork().fit(np.full((3, 1), np.nan), y[:3])
