"""Forests: known answers, scikit-learn as oracle of quality, laws, out-of-bag by hand, edges, bad input."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier as RivalClassifier
from sklearn.ensemble import RandomForestRegressor as RivalRegressor

from glaswerk import load, save
from glaswerk.facts import Curve, MethodCard, Table
from glaswerk.learners.cart import DecisionTreeRegressor
from glaswerk.learners.forest import RandomForestClassifier, RandomForestRegressor


def table(n=400, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] ** 2 + X[:, 1] * (X[:, 2] > 0) + 0.3 * rng.normal(size=n)


def test_a_forest_without_chance_is_its_tree():
    """[BG-FOREST] All rows, all columns: the mean of equal trees."""
    X, y = table()
    forest = RandomForestRegressor(3, bootstrap=False, max_depth=4).fit(X, y)
    tree = DecisionTreeRegressor(max_depth=4).fit(X, y)
    np.testing.assert_allclose(forest.predict(X), tree.predict(X), rtol=1e-14)
    np.testing.assert_allclose(forest.feature_importances_, tree.feature_importances_, rtol=1e-12)


def test_the_mean_over_trees_and_rows_left_out_by_hand():
    X, y = table(150)
    forest = RandomForestRegressor(30, oob_score=True, random_state=4).fit(X, y)
    each = np.array([tree.value[tree.leaf_of(X), 0] for tree in forest.trees_])
    np.testing.assert_allclose(forest.predict(X), each.mean(axis=0), rtol=1e-12)
    assert forest.oob_.prediction.shape == (150, 1)
    assert 0.3 < forest.oob_score_ < forest.score(X, y)
    known = ~np.isnan(forest.oob_.prediction[:, 0])
    error = ((forest.oob_.prediction[known, 0] - y[known]) ** 2).mean()
    np.testing.assert_allclose(error, forest.oob_.error[-1], rtol=1e-12)


def test_forests_predict_as_well_as_scikit_learns():
    X, y = table(1200)
    train, test = slice(0, 800), slice(800, None)
    ours = RandomForestRegressor(60).fit(X[train], y[train]).score(X[test], y[test])
    rival = RivalRegressor(60, random_state=0).fit(X[train], y[train]).score(X[test], y[test])
    assert ours > rival - 0.03
    label = np.digitize(y, [0.3, 1.5])
    ours = RandomForestClassifier(60).fit(X[train], label[train]).score(X[test], label[test])
    rival = RivalClassifier(60, random_state=0).fit(X[train], label[train]).score(X[test], label[test])
    assert ours > rival - 0.04


def test_threads_and_more_trees_change_nothing():
    X, y = table()
    few, many = (RandomForestRegressor(k, n_jobs=j, max_features=2).fit(X, y) for k, j in ((4, 1), (6, 2)))
    for mine, theirs in zip(few.trees_, many.trees_, strict=False):
        np.testing.assert_array_equal(mine.threshold, theirs.threshold)
        np.testing.assert_array_equal(mine.value, theirs.value)


def test_categories_gaps_classes_and_a_file(tmp_path):
    X, y = table(200)
    cells = np.column_stack([X.astype(object), np.where(y > 0.5, "much", "little")])
    cells[::7, 0] = np.nan
    label = np.where(X[:, 1] > 0, "right", "left")
    forest = RandomForestClassifier(8, oob_score=True).fit(cells, label)
    save(forest, tmp_path / "forest.glaswerk")
    again = load(tmp_path / "forest.glaswerk")
    np.testing.assert_array_equal(again.predict_proba(cells), forest.predict_proba(cells))
    assert str(again.facts()) == str(forest.facts())
    np.testing.assert_allclose(forest.predict_proba(cells).sum(axis=1), 1.0)


def test_facts_show_size_importance_and_the_error_by_trees():
    X, y = table(150)
    facts = RandomForestRegressor(12, oob_score=True).fit(X, y).facts()
    assert facts.of_kind(Table)[0].rows[0] == ("trees", 12)
    assert len(facts.of_kind(Curve)[0].lines[0].x) == 12
    assert facts.of_kind(MethodCard)


def test_bad_input_is_named():
    X, y = table(30)
    with pytest.raises(ValueError, match="needs bootstrap=True"):
        RandomForestRegressor(oob_score=True, bootstrap=False).fit(X, y)
    with pytest.raises(ValueError, match="ask for more from the start"):
        RandomForestRegressor(warm_start=True).fit(X, y)
    with pytest.raises(AttributeError, match="oob_score=True"):
        RandomForestRegressor(2).fit(X, y).oob_score_  # noqa: B018
