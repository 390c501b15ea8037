"""Extreme learning machine: ridge on its own units, sums that add, a smooth curve, bad input."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge as SklearnRidge

from glaswerk import load, save
from glaswerk.learners import ExtremeLearningMachine


def wave(n=400, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + 0.05 * rng.normal(size=n)


def test_the_output_is_ridge_on_the_units():  # [BG-ELM]
    X, y = wave()
    model = ExtremeLearningMachine(20, alpha=0.1).fit(X, y)
    v, c = model.hidden_weights()
    units = 1 / (1 + np.exp(-(X @ v + c)))
    theirs = SklearnRidge(alpha=0.1).fit(units, y)
    np.testing.assert_allclose(model.coef_, theirs.coef_, rtol=1e-8)
    np.testing.assert_allclose(model.predict(X), theirs.predict(units), rtol=1e-9, atol=1e-12)
    assert v.shape == (2, 20) and c.shape == (20,)


def test_pieces_merged_and_added_are_the_whole():
    X, y = wave()
    whole = ExtremeLearningMachine(30, alpha=1e-2).fit(X, y)
    left, right = (ExtremeLearningMachine(30, alpha=1e-2).fit(X[k], y[k]) for k in (slice(250), slice(250, None)))
    np.testing.assert_allclose(left.merge(right).predict(X), whole.predict(X), rtol=1e-8, atol=1e-8)
    grown = ExtremeLearningMachine(30, alpha=1e-2)
    for k in range(0, 400, 100):
        grown.partial_fit(X[k : k + 100], y[k : k + 100])
    np.testing.assert_allclose(grown.predict(X), whole.predict(X), rtol=1e-8, atol=1e-8)


def test_units_do_not_depend_on_the_rows_and_more_of_them_begin_alike():
    X, y = wave()
    few, many = ExtremeLearningMachine(5).fit(X, y), ExtremeLearningMachine(9).fit(X * 3, y)
    assert np.array_equal(few.hidden_weights()[0], many.hidden_weights()[0][:, :5])


def test_it_follows_a_curve_that_a_line_cannot():
    X, y = wave()
    Q, z = wave(seed=1)
    assert ExtremeLearningMachine(60, alpha=1e-3).fit(X, y).score(Q, z) > 0.97


def test_many_targets_weights_intervals_and_files(tmp_path):
    X, y = wave()
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = ExtremeLearningMachine(10, alpha=0.1).fit(X, y, weight)
    repeated = ExtremeLearningMachine(10, alpha=0.1).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-8, atol=1e-9)
    both = ExtremeLearningMachine(10).fit(X, np.column_stack([y, -y])).predict(X)
    np.testing.assert_allclose(both[:, 0], -both[:, 1], atol=1e-9)
    limits = weighted.predict_interval(X[:5])
    assert (limits[:, 0] < weighted.predict(X[:5])).all() and (limits[:, 1] > weighted.predict(X[:5])).all()
    save(weighted, tmp_path / "m.glas")
    assert np.array_equal(load(tmp_path / "m.glas").predict(X), weighted.predict(X))


@pytest.mark.parametrize("rows", [1, 5])
def test_fewer_rows_than_units(rows):
    X, y = wave(rows)
    assert np.isfinite(ExtremeLearningMachine(50).fit(X, y).predict(X)).all()


@pytest.mark.parametrize("cell", [np.nan, np.inf])
def test_unusable_cells_are_named(cell):
    X, y = wave(20)
    X[3, 1] = cell
    with pytest.raises(ValueError, match=r"column 'x1', row 3"):
        ExtremeLearningMachine(5).fit(X, y)
