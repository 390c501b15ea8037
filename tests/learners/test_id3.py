"""ID3: the textbook's entropies and gains, the tree by recursion on counts, CART with levels, gaps, limits, files."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import load, load_play_tennis, save
from glaswerk.base import Matrix
from glaswerk.facts import Table, Tree
from glaswerk.learners import DecisionTreeClassifier, ID3Classifier

SAME = (
    "feature",
    "child_start",
    "child",
    "away",
    "level_start",
    "level_code",
    "level_part",
    "samples",
    "value",
    "ties",
)


def tennis():
    table = load_play_tennis()
    frame = pd.DataFrame({name: table[name].series.to_list() for name in table.names})
    return frame, np.where(frame.pop("play_tennis"), "yes", "no")


def test_the_textbooks_entropy_gains_and_tree():  # [BG-ENTROPY] [BG-GAIN]
    X, y = tennis()
    model = ID3Classifier().fit(X, y)
    rows = {row[0]: row for row in model.gain_table().rows}
    assert model.gain_table().columns == ("node", "rows", "entropy", *X.columns, "taken")
    assert [round(v, 4) for v in rows["all rows"][2:7]] == [0.9403, 0.2467, 0.0292, 0.1518, 0.0481]
    assert rows["all rows"][7] == "outlook"
    assert [round(v, 4) for v in rows["outlook = Sunny"][2:7]] == [0.9710, 0.0, 0.5710, 0.9710, 0.0200]
    assert rows["outlook = Rain"][7] == "wind"
    assert model.score(X, y) == 1
    assert (model.get_n_leaves(), model.get_depth()) == (5, 2)
    day = X.iloc[:1].assign(outlook="Sunny", temperature="Cool", humidity="High", wind="Strong")
    assert model.predict(day).tolist() == ["no"]
    tree = model.facts().of_kind(Tree)[0]
    assert "outlook = Overcast" in tree.text()
    assert tree.kind[0] == "levels"


def entropy(labels):
    p = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(p * np.log2(p)).sum())


def by_hand(rows, labels):
    """ID3 by recursion: nested dictionaries; of gains that are equal the lowest column."""
    if len(set(labels)) == 1:
        return labels[0]
    gains = []
    for j in range(rows.shape[1]):
        parts = [labels[rows[:, j] == v] for v in np.unique(rows[:, j])]
        inside = sum(len(p) / len(labels) * entropy(p) for p in parts)
        gains.append(entropy(labels) - inside if len(parts) > 1 else -1.0)
    if max(gains) < 0:
        return labels
    best = int(np.flatnonzero(np.array(gains) > max(gains) - 1e-9)[0])
    return best, {v: by_hand(rows[rows[:, best] == v], labels[rows[:, best] == v]) for v in np.unique(rows[:, best])}


def same(tree, model, node=0):
    grown = model.tree_
    if not isinstance(tree, tuple):
        counts = [int(np.sum(tree == c)) if isinstance(tree, np.ndarray) else -1 for c in model.classes_]
        fits = isinstance(tree, np.ndarray) and counts == grown.value[node].tolist()
        alone = not isinstance(tree, np.ndarray) and model.classes_[grown.value[node].argmax()] == tree
        return grown.feature[node] < 0 and (fits or (alone and np.count_nonzero(grown.value[node]) == 1))
    column, below = tree
    family = grown.child[grown.child_start[node] : grown.child_start[node + 1]]
    codes = grown.level_code[grown.level_start[node] : grown.level_start[node + 1]]
    names = [model.levels_[column][c] for c in codes] if grown.feature[node] == column else []
    return names == list(below) and all(same(below[n], model, c) for n, c in zip(names, family, strict=True))


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 4), st.integers(2, 4), st.integers(2, 3))
def test_the_tree_is_that_of_recursion(seed, n, d, values, classes):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d)).astype(str)
    y = rng.integers(0, classes, n)
    if len(np.unique(y)) < 2:
        return
    model = ID3Classifier().fit(X.astype(object), y)
    assert same(by_hand(X, y), model)


def coded(n=3_000, d=6, values=4, noise=0.1, seed=0, gaps=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d)).astype(float)
    y = ((X[:, 0] + X[:, 1] * X[:, 2]) % 3).astype(int)
    y = np.where(rng.random(n) < noise, rng.integers(0, 3, n), y)
    if gaps:
        X[rng.random((n, d)) < 0.1] = np.nan
    levels = (tuple(f"v{k}" for k in range(values)),) * d
    return Matrix.of(X, [f"c{j}" for j in range(d)], levels=levels), y


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("limits", [{}, {"max_depth": 3}, {"min_samples_split": 30}, {"min_impurity_decrease": 0.002}])
def test_counting_grows_the_tree_of_carts_grower(limits, gaps):
    X, y = coded(gaps=gaps)
    ours = ID3Classifier(**limits).fit(X, y).tree_
    other = DecisionTreeClassifier(criterion="entropy", categorical_splits="levels", **limits).fit(X, y).tree_
    for name in SAME:
        assert np.array_equal(getattr(ours, name), getattr(other, name)), name
    np.testing.assert_allclose(ours.gain, other.gain, atol=1e-6)


@pytest.mark.parametrize("gaps", [False, True])
def test_gains_from_counting_are_those_of_the_rows(gaps):  # [BG-GAIN]
    X, y = coded(400, gaps=gaps)
    counted = ID3Classifier().fit(X, y)
    summed = ID3Classifier().fit(X, y, sample_weight=np.ones(len(y)))
    place = {int(t): k for k, t in enumerate(counted.gains_.node)}
    assert len(summed.gains_.node) > 20
    for t, row in zip(summed.gains_.node.tolist(), summed.gains_.weighted, strict=True):
        np.testing.assert_allclose(counted.gains_.weighted[place[t]], row, atol=1e-6)
    assert np.array_equal(counted.tree_.feature, summed.tree_.feature)


def test_numbers_are_cut_and_the_best_cuts_gain_is_told():
    X, y = tennis()
    X = X.assign(degrees=[85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71])
    model = ID3Classifier().fit(X, y)
    row = model.gain_table().rows[0]
    by_cut = max(
        entropy(y) - sum(part.mean() * entropy(y[part]) for part in (X["degrees"] <= c, X["degrees"] > c))
        for c in np.arange(64.5, 85)
    )
    assert row[7] == pytest.approx(by_cut)
    asked = ID3Classifier().fit(X[["degrees"]], y)
    assert "≤" in asked.tree_fact().text()
    assert ID3Classifier(categorical_features=["degrees"]).fit(X[["degrees"]], y).tree_fact().kind[0] == "levels"


def test_weights_mean_repetitions():
    X, y = coded(300)
    weight = np.random.default_rng(1).integers(0, 4, len(y))
    one = ID3Classifier().fit(X, y, sample_weight=weight)
    rows = np.repeat(np.arange(len(y)), weight)
    again = ID3Classifier().fit(Matrix.of(np.asarray(X)[rows], X.names, levels=X.levels), y[rows])
    assert np.array_equal(one.tree_.feature, again.tree_.feature)
    there = Matrix.of(np.asarray(X)[weight > 0], X.names, levels=X.levels)
    np.testing.assert_allclose(one.predict_proba(there), again.predict_proba(there), atol=1e-12)


def test_corrupt_rows_leave_shares_and_missing_cells_are_a_value():
    X = [["a", "x"], ["a", "x"], ["a", "x"], ["b", None], ["b", "y"]]
    model = ID3Classifier().fit(X, ["yes", "yes", "no", "no", "yes"])
    np.testing.assert_allclose(model.predict_proba([["a", "x"]]), [[1 / 3, 2 / 3]])
    assert model.predict([["b", None], ["b", "y"]]).tolist() == ["no", "yes"]
    assert "missing" in model.tree_fact().text()


def test_a_value_never_seen_goes_where_most_rows_went():
    model = ID3Classifier().fit([["a"], ["a"], ["b"]], ["yes", "yes", "no"])
    assert model.predict([["c"], ["b"], [None]]).tolist() == ["yes", "no", "yes"]


def test_a_parity_is_found_though_no_column_gains_alone():
    X = [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]]
    model = ID3Classifier().fit(X, [0, 1, 1, 0])
    assert model.score(X, [0, 1, 1, 0]) == 1
    assert model.gains_.weighted[0].tolist() == [0, 0]
    assert model.gain_table().rows[0][-1] == "x0 (and 1 as good)"


def test_ten_thousand_levels_one_row_each():
    n = 10_000
    X = Matrix.of(np.arange(n, dtype=float)[:, None], ["id"], levels=(tuple(map(str, range(n))),))
    y = np.arange(n) % 2
    model = ID3Classifier().fit(X, y)
    assert model.tree_.nodes == n + 1
    assert model.score(X, y) == 1
    assert len(str(model.facts())) < 10**6


def test_limits_and_pruning():
    X, y = coded()
    full, leaf = ID3Classifier().fit(X, y), ID3Classifier(min_samples_leaf=5).fit(X, y)
    assert leaf.tree_.samples.min() >= 5
    small = full.prune_to(leaves=9)
    assert small.get_n_leaves() <= 9
    assert ID3Classifier(ccp_alpha=0.01).fit(X, y).get_n_leaves() < full.get_n_leaves()
    assert full.pruning_path.leaves[-1] == 1


def test_a_model_travels_through_a_file(tmp_path):
    X, y = tennis()
    model = ID3Classifier().fit(X, y)
    save(model, tmp_path / "i.glaswerk")
    back = load(tmp_path / "i.glaswerk")
    assert str(back.facts()) == str(model.facts())
    assert [type(fact) for fact in back.facts()][:2] == [Tree, Table]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="one target, got 2"):
        ID3Classifier().fit([["a"], ["b"]], [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="max_depth must be an integer >= 1"):
        ID3Classifier(max_depth=0).fit([["a"], ["b"]], [0, 1])
    with pytest.raises(ValueError, match="X contains infinity"):
        ID3Classifier().fit([[1.0], [np.inf]], [0, 1])
