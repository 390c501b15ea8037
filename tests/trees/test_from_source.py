"""Trees of tables beyond memory: the tree of `fit`, laws, edges, bad input."""

import pickle
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    load,
    save,
)
from glaswerk.passes import Block
from glaswerk.trees import from_source
from glaswerk.trees.levelwise import growth
from glaswerk.trees.levelwise.bins import between, bins_of, quantile_edges
from glaswerk.trees.levelwise.seen import MOST, Look, see
from glaswerk.trees.levelwise.sums import poisson

FEW = "60KB"  # about 100 rows in memory: all else is cut by sums
SAME = ("feature", "child", "child_start", "samples", "away", "ties", "tie_feature", "shown", "histogram")


def table(n=3000, d=3, seed=0, values=40):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d)).astype(float)
    return X, np.round(np.sin(X[:, 0] / 9) * 5 + X[:, 1] * (X[:, 2] > values / 2) / 9 + rng.normal(size=n), 2)


def frame(X, y, **more):
    return pl.DataFrame({**{f"x{j}": X[:, j] for j in range(X.shape[1])}, "y": y, **more})


def assert_same(found, expected, values=1e-12):
    for name in SAME:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
    for name in ("threshold", "tie_threshold"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for name in ("weight", "squares", "value", "gain"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=values, atol=values)


# Known numbers


def test_cuts_are_the_midpoints_of_distinct_values(monkeypatch):
    """[NAN-CUTS] Cut by sums throughout: nothing is kept in memory."""
    monkeypatch.setattr(growth, "rows_within", lambda memory, columns: 0)
    monkeypatch.setattr(from_source, "rows_within", lambda memory, columns: 0)
    X = np.array([[10.0], [12.0], [12.0], [13.0], [44.0], [50.0]])
    model = DecisionTreeRegressor().fit_source(frame(X, [1.0, 7.0, 7.0, 2.0, 9.0, 4.0]), "y")
    tree = model.tree_
    assert sorted(tree.threshold[tree.feature >= 0].tolist()) == [11.0, 12.5, 28.5, 47.0]
    assert_same(tree, DecisionTreeRegressor().fit(frame(X, [0.0] * 6).drop("y"), [1.0, 7.0, 7.0, 2.0, 9.0, 4.0]).tree_)


# Oracle: the tree in memory


@pytest.mark.parametrize(
    "asked",
    [{}, {"max_depth": 4}, {"min_samples_leaf": 30}, {"min_samples_split": 0.1}, {"max_leaf_nodes": 9},
     {"min_impurity_decrease": 0.01}, {"min_weight_fraction_leaf": 0.05}, {"ccp_alpha": 0.02}],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_of_few_values_give_the_tree_of_fit(asked, weighted):
    X, y = table()
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    w = np.random.default_rng(2).integers(0, 3, len(y)).astype(float)
    more = {"w": w} if weighted else {}
    found = DecisionTreeRegressor(**asked).fit_source(
        frame(X, y, **more), "y", weight="w" if weighted else None, memory=FEW
    )
    expected = DecisionTreeRegressor(**asked).fit(X, y, w if weighted else None)
    assert_same(found.tree_, expected.tree_)
    np.testing.assert_allclose(found.predict(frame(X, y).drop("y")), expected.predict(X), rtol=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("class_weight", [None, {1: 3.0}])
def test_so_do_classes(criterion, K, class_weight):
    X, y = table()
    y = np.digitize(y, np.quantile(y, np.arange(1, K) / K))
    asked = {"criterion": criterion, "class_weight": class_weight, "max_depth": 6}
    found = DecisionTreeClassifier(**asked).fit_source(frame(X, y), "y", memory=FEW)
    expected = DecisionTreeClassifier(**asked).fit(X, y)
    assert found.classes_.tolist() == expected.classes_.tolist()
    assert_same(found.tree_, expected.tree_, 1e-9)


@pytest.mark.filterwarnings("ignore:.*row groups are too large")
def test_several_targets_several_blocks_and_a_fit_taken_up_again(tmp_path, monkeypatch):
    X, y = table(140_000, values=9)
    data = frame(X, y, z=np.rint(y * X[:, 1]))
    data.write_parquet(tmp_path / "rows.parquet", row_group_size=5_000)
    path = str(tmp_path / "rows.parquet")
    expected = DecisionTreeRegressor(max_depth=5).fit(X, np.column_stack([y, data["z"]]))
    found = DecisionTreeRegressor(max_depth=5).fit_source(path, ["y", "z"], memory="2MB")
    np.testing.assert_array_equal(found.tree_.feature, expected.tree_.feature)
    np.testing.assert_allclose(found.tree_.value, expected.tree_.value, rtol=1e-10)
    np.testing.assert_allclose(found.tree_.squares, expected.tree_.squares, rtol=1e-9)
    assert found.predict(data.select("x0", "x1", "x2")).shape == (140_000, 2)
    serial = DecisionTreeRegressor(max_depth=5).fit_source(path, ["y", "z"], memory="2MB", engine="serial")
    assert_same(serial.tree_, found.tree_, 0.0)
    kept = str(tmp_path / "kept")

    calls = []

    def stops(block, ask):
        calls.append(block)
        if len(calls) > 9:
            raise KeyboardInterrupt
        return observe(block, ask)

    observe = from_source.observe
    with monkeypatch.context() as patch:
        patch.setattr(from_source, "observe", stops)
        with pytest.raises(KeyboardInterrupt):
            DecisionTreeRegressor(max_depth=5).fit_source(path, ["y", "z"], memory="2MB", checkpoint=kept)
    with pytest.raises(ValueError, match="memory"):
        DecisionTreeRegressor(max_depth=5).fit_source(path, ["y", "z"], memory="3MB", checkpoint=kept)
    resumed = DecisionTreeRegressor(max_depth=5).fit_source(path, ["y", "z"], memory="2MB", checkpoint=kept)
    assert_same(resumed.tree_, found.tree_, 0.0)


def test_a_table_that_fits_is_grown_in_memory_with_all_that_goes_with_it():
    X, y = table(500)
    found = DecisionTreeRegressor(ccp_alpha="cv", categorical_features=[0]).fit_source(frame(X, y), "y")
    assert_same(found.tree_, DecisionTreeRegressor(ccp_alpha="cv", categorical_features=[0]).fit(X, y).tree_)
    assert found.target_names_ == ["y"]
    forest = RandomForestClassifier(5, oob_score=True).fit_source(frame(X, (y > 0).astype(int)), "y")
    assert forest.oob_score_ == RandomForestClassifier(5, oob_score=True).fit(X, (y > 0).astype(int)).oob_score_


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 9_999), st.integers(3, 300), st.integers(2, 12))
def test_any_table_of_few_values_gives_the_tree_of_fit(seed, n, values):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, values, (n, 2)).astype(float), rng.integers(0, 5, n).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    w = rng.integers(0, 3, n).astype(float)
    w[0] = 1
    found = DecisionTreeRegressor().fit_source(frame(X, y, w=w), "y", weight="w", memory=2000)
    expected = DecisionTreeRegressor().fit(X, y, w)
    assert_same(found.tree_, expected.tree_)


# Columns of many values


def heavy(n=30_000):
    rng = np.random.default_rng(3)
    X = np.column_stack([np.exp(3 * rng.normal(size=n)), rng.normal(size=n)])
    return X, 3.0 * (X[:, 0] > 400) + (X[:, 1] > 0.3) + 0.1 * rng.normal(size=n)


def test_zooming_finds_the_cut_between_the_bins():
    """The signal lies in the tail, among 2 % of the rows."""
    X, y = heavy()
    asked = {"max_depth": 2, "min_samples_leaf": 20}
    exact = DecisionTreeRegressor(**asked).fit(X, y)
    score = {
        refine: DecisionTreeRegressor(**asked)
        .fit_source(frame(X, y), "y", memory="300KB", refine=refine)
        .score(frame(X, y).drop("y"), y)
        for refine in (True, False)
    }
    assert abs(exact.score(X, y) - score[True]) < 0.002
    assert score[True] >= score[False]


def test_bins_are_monotone_and_a_cut_lies_between_its_bins():
    X, y = heavy(4000)
    X[::7, 1] = np.nan
    look = Look("tree", ("a", "b"), ("y",), 1.0, False)
    seen = see(Block(0, X, y[:, None], np.zeros(0)), look)
    bins = bins_of(seen)
    codes = bins.codes(X)
    assert (codes[np.isnan(X)] == 255).all()
    for j in range(2):
        known = ~np.isnan(X[:, j])
        order = np.argsort(X[known, j])
        assert (np.diff(codes[known, j][order].astype(int)) >= 0).all()
        assert np.bincount(codes[known, j]).max() < 3 * known.sum() / 255
        cut = bins.cut(j, 100, 101)
        np.testing.assert_array_equal(X[known, j] <= cut, codes[known, j] <= 100)
    assert between(bins.edges[0], 3, 255, False) == np.inf
    assert quantile_edges(np.array([np.nan, 2.0])).size == 0
    assert len(seen.few[0]) == 0 and MOST == 255


# Forests


@pytest.mark.parametrize("kind", [RandomForestRegressor, RandomForestClassifier])
def test_a_forest_of_a_file_is_as_good_as_one_of_memory(kind):
    X, y = table(3000)
    y = y if kind is RandomForestRegressor else np.digitize(y, [-2.0, 2.0])
    new, answer = table(1000, seed=5)
    answer = answer if kind is RandomForestRegressor else np.digitize(answer, [-2.0, 2.0])
    asked = {"n_estimators": 5, "max_features": 2, "min_samples_leaf": 5}
    found = kind(**asked).fit_source(frame(X, y), "y", memory="200KB")
    expected = kind(**asked).fit(X, y)
    assert len(found.trees_) == 5
    assert found.score(frame(new, answer).drop("y"), answer) == pytest.approx(expected.score(new, answer), abs=0.03)
    sizes = [tree.samples[0] for tree in found.trees_]
    assert len(set(sizes)) > 1
    assert np.mean(sizes) == pytest.approx(3000, rel=0.03)
    again = kind(**asked).fit_source(frame(X, y), "y", memory="200KB", engine="serial")
    for one, other in zip(found.trees_, again.trees_, strict=True):
        assert_same(one, other, 0.0)


def test_rows_are_drawn_a_poisson_number_of_times():
    drawn = poisson((np.arange(100_000) + 0.5) / 100_000, 1.0)
    np.testing.assert_allclose(np.bincount(drawn.astype(int))[:4] / 1e5, np.exp(-1) / np.array([1, 1, 2, 6]), atol=1e-4)
    assert poisson(np.array([0.0, 0.999]), 0.01).tolist() == [0.0, 1.0]


# What travels, what is kept


def test_what_is_observed_travels_and_the_model_is_saved(tmp_path):
    X, y = table(800)
    seen = []
    real = from_source.observe
    model = DecisionTreeRegressor(max_depth=3)
    original, from_source.observe = real, lambda block, ask: seen.append(ask) or real(block, ask)
    try:
        model.fit_source(frame(X, y), "y", memory=FEW, engine="serial")
    finally:
        from_source.observe = original
    block = Block(0, X, y[:, None], np.zeros(0))
    back = pickle.loads(pickle.dumps(partial(real, ask=seen[0])))
    np.testing.assert_array_equal(back(block).search, real(block, seen[0]).search)
    save(model, tmp_path / "tree.gw")
    np.testing.assert_array_equal(
        load(tmp_path / "tree.gw").predict(frame(X, y).drop("y")), model.predict(frame(X, y).drop("y"))
    )
    assert model.prune_to(leaves=3).get_n_leaves() <= 3
    assert str(model.facts())


# Edges


def test_one_row_equal_targets_and_a_column_without_a_value(monkeypatch):
    monkeypatch.setattr(growth, "rows_within", lambda memory, columns: 0)
    monkeypatch.setattr(from_source, "rows_within", lambda memory, columns: 0)
    one = DecisionTreeRegressor().fit_source(frame(np.array([[1.0]]), [3.0]), "y")
    assert one.predict(frame(np.array([[9.0]]), [0.0]).drop("y")).tolist() == [3.0]
    X, y = table(60)
    assert DecisionTreeRegressor().fit_source(frame(X, np.full(60, 2.5)), "y").get_n_leaves() == 1
    X[:, 1] = np.nan
    found = DecisionTreeRegressor().fit_source(frame(X, y), "y")
    assert_same(found.tree_, DecisionTreeRegressor().fit(X, y).tree_)


# Bad input


@pytest.mark.parametrize("memory", ["", "much", "-1GB", 0, True, None])
def test_memory_is_told_in_bytes(memory):
    with pytest.raises(ValueError, match="memory must be a number of bytes, or a text"):
        DecisionTreeRegressor().fit_source(frame(*table(10)), "y", memory=memory)


@pytest.mark.parametrize(
    ("kind", "asked"),
    [(DecisionTreeRegressor, {"categorical_features": [0]}), (DecisionTreeRegressor, {"ccp_alpha": "cv"}),
     (RandomForestRegressor, {"oob_score": True})],
)  # fmt: skip
def test_what_needs_rows_in_memory_says_so(kind, asked):
    with pytest.raises(ValueError, match=r"needs the rows in memory: give more memory"):
        kind(**asked).fit_source(frame(*table()), "y", memory=FEW)


def test_cells_that_cannot_be_used_are_named():
    X, y = table()
    bad = X.copy()
    bad[2001, 1] = np.inf
    with pytest.raises(ValueError, match=r"X contains infinity: column 'x1', row 2001. Missing cells"):
        DecisionTreeRegressor().fit_source(frame(bad, y), "y", memory=FEW)
    worse = y.copy()
    worse[7] = np.nan
    with pytest.raises(ValueError, match="y contains NaN: column 'y', row 7"):
        DecisionTreeRegressor().fit_source(frame(X, worse), "y", memory=FEW)
    with pytest.raises(ValueError, match=r"sample_weight must be finite and >= 0, got -1\.0 in row 5"):
        DecisionTreeRegressor().fit_source(
            frame(X, y, w=np.where(np.arange(3000) == 5, -1.0, 1.0)), "y", weight="w", memory=FEW
        )
    with pytest.raises(ValueError, match="only 1 class"):
        DecisionTreeClassifier().fit_source(frame(X, np.ones(3000, dtype=int)), "y", memory=FEW)
    with pytest.raises(ValueError, match="has one target, got 2"):
        DecisionTreeClassifier().fit_source(frame(X, y), ["y", "x0"], memory=FEW)
