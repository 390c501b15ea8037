"""Trees: the scripts' numbers, scikit-learn as oracle, brute force, laws, edges, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier as RivalClassifier
from sklearn.tree import DecisionTreeRegressor as RivalRegressor

from glaswerk import load_hitters, load_iris, load_play_tennis
from glaswerk.facts import MethodCard, Table, Tree
from glaswerk.learners.cart import DecisionTreeClassifier, DecisionTreeRegressor

LIMITS = [
    {}, {"max_depth": 4}, {"min_samples_leaf": 5}, {"min_samples_leaf": 0.03}, {"min_samples_split": 20},
    {"max_leaf_nodes": 17}, {"min_impurity_decrease": 0.01}, {"ccp_alpha": 0.01}, {"min_weight_fraction_leaf": 0.02},
]  # fmt: skip


def table(n=400, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] ** 2 + X[:, 1] * (X[:, 2] > 0) + 0.3 * rng.normal(size=n)


def hitters(*columns):
    rows = load_hitters()
    y = rows["Salary"].numbers()
    there = ~np.isnan(y)
    return np.column_stack([rows[name].numbers() for name in columns])[there], y[there]


def iris(*columns):
    rows = load_iris()
    return np.column_stack([rows[name].numbers() for name in columns]), np.repeat(
        ["setosa", "versicolor", "virginica"], 50
    )


# Known numbers


def test_cuts_are_the_midpoints_of_distinct_values():
    """[NAN-CUTS] {10, 12, 13, 44, 50} give {11, 12.5, 28.5, 47}."""
    X = np.array([[10.0], [12.0], [12.0], [13.0], [44.0], [50.0]])
    tree = DecisionTreeRegressor().fit(X, [1.0, 7.0, 7.0, 2.0, 9.0, 4.0]).tree_
    assert sorted(tree.threshold[tree.feature >= 0].tolist()) == [11.0, 12.5, 28.5, 47.0]


def test_hitters_root_and_rectangles_by_depth():
    """[SCH-COST] [SCH-LEAF] [NAN-RSS] Years <= 4.5 means 225.8 and 697.2; 14 leaves at depth 5, 21 without limit."""
    X, y = hitters("Years")
    stump = DecisionTreeRegressor(max_depth=1).fit(X, y)
    assert stump.tree_.threshold[0] == 4.5
    assert stump.tree_.samples.tolist() == [263, 90, 173]
    np.testing.assert_allclose(stump.tree_.value[1:, 0], [225.8, 697.2], atol=0.05)
    assert DecisionTreeRegressor(max_depth=5).fit(X, y).get_n_leaves() == 14
    full = DecisionTreeRegressor().fit(X, y)
    assert (full.get_n_leaves(), full.get_depth()) == (21, 8)
    X, y = hitters("Years", "Hits")
    found = [DecisionTreeRegressor(max_depth=depth).fit(X, y).get_n_leaves() for depth in (1, 2, 3, 4, 5, None)]
    assert found == [2, 4, 7, 13, 23, 249]


def test_the_sepal_tree_of_the_script():
    """[SCH-GINI] [SCH-GAIN] Root 5.45, gini 0.667 / 0.237 / 0.546; leaves at depth 2; sizes by depth."""
    X, y = iris("sepal_length", "sepal_width")
    stump = DecisionTreeClassifier(max_depth=1).fit(X, y)
    fact = stump.tree_fact()
    assert fact.threshold[0] == 5.45
    np.testing.assert_allclose(fact.impurity, [0.667, 0.237, 0.546], atol=5e-4)
    assert stump.tree_.value.tolist() == [[50, 50, 50], [45, 6, 1], [5, 44, 49]]
    deeper = DecisionTreeClassifier(max_depth=2).fit(X, y)
    leaf = deeper.tree_.feature < 0
    assert deeper.tree_.value[leaf].tolist() == [[1, 5, 1], [44, 1, 0], [5, 28, 10], [0, 16, 39]]
    assert deeper.predict([[6, 7], [7, 6]]).tolist() == ["versicolor", "virginica"]
    trees = [DecisionTreeClassifier(max_depth=depth).fit(X, y) for depth in (3, 5, None)]
    assert [tree.get_n_leaves() for tree in trees] == [8, 16, 47]


def test_the_petal_root_is_reported_as_a_tie():
    X, y = iris("petal_length", "petal_width")
    fact = DecisionTreeClassifier(max_depth=2).fit(X, y).tree_fact()
    assert (fact.feature[0], fact.threshold[0], fact.ties[0], fact.tied[0]) == (0, 2.45, 1, "x1 ≤ 0.8")
    assert "tie" in fact.notes[0]
    assert [fact.histogram[t] for t in range(fact.nodes) if fact.kind[t] == "leaf"] == [
        (50, 0, 0),
        (0, 49, 5),
        (0, 1, 45),
    ]


@pytest.mark.parametrize(
    ("criterion", "root"), [("entropy", 0.940286), ("misclassification", 5 / 14), ("gini", 0.459184)]
)
def test_impurities_of_play_tennis(criterion, root):
    """[SCH-ENTROPY] [SCH-MISS] 9 of 14 days."""
    y = np.repeat(["yes", "no"], [9, 5])
    fact = DecisionTreeClassifier(criterion=criterion).fit(np.arange(14.0)[:, None], y).tree_fact()
    np.testing.assert_allclose(fact.impurity[0], root, atol=1e-6)


def test_play_tennis_with_a_child_per_level_is_the_textbooks_tree():
    rows = load_play_tennis()
    names = ["outlook", "temperature", "humidity", "wind"]
    X = np.array(
        [[rows[name].distinct_levels()[code] for code in rows[name].codes()] for name in names], dtype=object
    ).T
    y = np.array(["No", "No", "Yes", "Yes", "Yes", "No", "Yes", "No", "Yes", "Yes", "Yes", "Yes", "Yes", "No"])
    tree = DecisionTreeClassifier(criterion="entropy", categorical_splits="levels").fit(X, y)
    fact = tree.tree_fact()
    assert [fact.kind[t] for t in range(fact.nodes)].count("leaf") == 5
    assert fact.branches[0] == ("= Overcast", "= Rain", "= Sunny")
    np.testing.assert_allclose(fact.gain[0] / 14, 0.2467, atol=5e-5)
    assert tree.predict([["Rain", "Hot", "High", "Weak"]]).tolist() == ["Yes"]
    assert tree.predict([["Fog", "Hot", "High", "Weak"]]).shape == (1,)  # an unseen level goes to the largest child


# Oracles


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("outputs", [1, 2])
def test_regression_is_scikit_learns_where_no_gain_is_equal(limits, outputs):
    X, y = table()
    Y = y if outputs == 1 else np.column_stack([y, X[:, 3] * y])
    ours, rival = DecisionTreeRegressor(**limits).fit(X, Y), RivalRegressor(**limits, random_state=0).fit(X, Y)
    assert (ours.get_n_leaves(), ours.get_depth()) == (rival.get_n_leaves(), rival.get_depth())
    np.testing.assert_allclose(ours.predict(X), rival.predict(X), atol=1e-12)
    np.testing.assert_allclose(ours.feature_importances_.sum(), 1.0)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "log_loss"])
@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("limits", [{"max_depth": 3}, {"max_depth": 3, "class_weight": "balanced"}], ids=str)
def test_classification_is_scikit_learns_where_no_gain_is_equal(criterion, K, limits):
    X, y = table(3000)
    y = np.digitize(y, np.quantile(y, np.arange(1, K) / K))
    ours = DecisionTreeClassifier(criterion=criterion, **limits).fit(X, y)
    rival = RivalClassifier(criterion=criterion, random_state=0, **limits).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), rival.predict_proba(X), atol=1e-12)


def test_targets_of_different_digits_share_the_finest_grid():
    """Whole numbers beside small decimals: none is rounded to the grid of the other."""
    X, y = table()
    Y = np.column_stack([0.1 * np.round(y, 3), np.rint(20 * X[:, 3])])
    for columns in (Y, Y * [1.0, 0.0]):
        ours = DecisionTreeRegressor(max_depth=5).fit(X, columns)
        rival = RivalRegressor(max_depth=5, random_state=0).fit(X, columns)
        np.testing.assert_allclose(ours.predict(X), rival.predict(X), atol=1e-12)


def test_missing_cells_go_where_scikit_learn_sends_them():
    X, y = table()
    X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    ours, rival = DecisionTreeRegressor(max_depth=5).fit(X, y), RivalRegressor(max_depth=5).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), rival.predict(X), atol=1e-12)


def best_gain(x, y, impurity):
    """The most that any cut of this column lowers the summed impurity."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    cuts = np.flatnonzero(x[1:] > x[:-1]) + 1
    return max((impurity(y) - impurity(y[:c]) - impurity(y[c:]) for c in cuts), default=-np.inf)


def rss(y):
    return ((y - y.mean()) ** 2).sum()


def gini(y):
    return len(y) * (1 - (np.bincount(y) ** 2).sum() / len(y) ** 2)


def entropy(y):
    p = np.bincount(y)[np.bincount(y) > 0] / len(y)
    return -len(y) * (p * np.log2(p)).sum()


def mistakes(y):
    return len(y) - np.bincount(y).max()


def audit(tree, X, y, impurity):
    """Every node's gain is the best that brute force finds."""
    leaf = tree.leaf_of(X)
    for t in np.flatnonzero(tree.feature >= 0):
        here = leaf.copy()
        while (climbing := (here > t)).any():
            here[climbing] = tree.parent[here[climbing]]
        rows = here == t
        best = max(best_gain(X[rows, j], y[rows], impurity) for j in range(X.shape[1]))
        np.testing.assert_allclose(tree.gain[t], best, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize(
    ("criterion", "impurity"), [("gini", gini), ("entropy", entropy), ("misclassification", mistakes)]
)
def test_every_node_of_a_classifier_is_greedily_best(criterion, impurity, K):
    X, y = table(300)
    y = np.digitize(y, np.quantile(y, np.arange(1, K) / K))
    audit(DecisionTreeClassifier(criterion=criterion).fit(X, y).tree_, X, y, impurity)


@pytest.mark.parametrize("values", [3, 1000])
def test_every_node_of_a_regression_is_greedily_best(values):
    X, y = table(400)
    X = np.rint(X * values)
    audit(DecisionTreeRegressor().fit(X, y).tree_, X, y, rss)


def test_two_sets_of_levels_are_the_best_of_all_pairs():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 6, (200, 1)).astype(float), rng.normal(size=200)
    tree = DecisionTreeRegressor(max_depth=1, categorical_features=[0]).fit(X, y)
    pairs = [np.isin(X[:, 0], [k for k in range(6) if bits >> k & 1]) for bits in range(1, 32)]
    best = max(rss(y) - rss(y[left]) - rss(y[~left]) for left in pairs)
    np.testing.assert_allclose(tree.tree_.gain[0], best, rtol=1e-10)
    classes = rng.integers(0, 3, 200)
    tree = DecisionTreeClassifier(max_depth=1, categorical_features=[0]).fit(X, classes)
    best = max(gini(classes) - gini(classes[left]) - gini(classes[~left]) for left in pairs)
    np.testing.assert_allclose(tree.tree_.gain[0], best, rtol=1e-10)


# Laws


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 40))
def test_weights_are_repetitions_and_row_order_does_not_matter(seed, n):
    rng = np.random.default_rng(seed)
    X, y, w = rng.integers(0, 5, (n, 3)).astype(float), rng.integers(0, 9, n).astype(float), rng.integers(0, 4, n)
    w[:2] = 1
    asked = {"max_depth": 4}
    weighted = DecisionTreeRegressor(**asked).fit(X, y, w).tree_
    repeated = DecisionTreeRegressor(**asked).fit(X.repeat(w, axis=0), y.repeat(w)).tree_
    shuffled = rng.permutation(n)
    again = DecisionTreeRegressor(**asked).fit(X[shuffled], y[shuffled], w[shuffled]).tree_
    for other in (repeated, again):
        np.testing.assert_array_equal(weighted.feature, other.feature)
        np.testing.assert_array_equal(weighted.threshold, other.threshold)
        np.testing.assert_allclose(weighted.value, other.value, atol=1e-12)


def test_order_preserving_changes_of_columns_change_nothing():
    X, y = table()
    plain, tiny, heavy = (DecisionTreeRegressor().fit(Z, y).tree_ for Z in (X, X * 1e-12, np.sinh(20 * X)))
    for other in (tiny, heavy):
        np.testing.assert_array_equal(plain.feature, other.feature)
        np.testing.assert_array_equal(plain.samples, other.samples)


def test_a_tree_with_limits_is_the_top_of_the_full_tree():
    X, y = table()
    full, short = DecisionTreeRegressor().fit(X, y).tree_, DecisionTreeRegressor(max_depth=3).fit(X, y).tree_
    cut = full.cut_back(full.depth >= 3)
    for name in ("feature", "threshold", "samples", "child", "child_start", "squares", "value", "histogram"):
        np.testing.assert_allclose(getattr(cut, name), getattr(short, name), rtol=1e-12)


# Edges


def test_one_row_equal_targets_and_a_column_without_a_value():
    one = DecisionTreeRegressor().fit([[1.0]], [3.0])
    assert one.predict([[9.0]]).tolist() == [3.0]
    X, y = table(50)
    assert DecisionTreeRegressor().fit(X, np.full(50, 2.5)).get_n_leaves() == 1
    X[:, 1] = np.nan
    with_gap, without = DecisionTreeRegressor().fit(X, y), DecisionTreeRegressor().fit(X[:, [0, 2, 3]], y)
    np.testing.assert_array_equal(with_gap.tree_.threshold, without.tree_.threshold)
    assert np.isnan(DecisionTreeRegressor().fit(X[:, [1]], y).tree_.threshold).all()


def test_a_chain_of_ten_thousand_cuts():
    """Every cut takes one row off: neither growth, walking, pruning nor facts may recurse."""
    n = 10_000
    link = np.arange(n, dtype=np.int32)
    y = np.where(np.arange(n) % 2, 1.0, -1.0) * 1.01 ** np.arange(n)[::-1]
    tree = DecisionTreeRegressor(max_depth=400).fit(link[:, None].astype(float), y)
    assert tree.get_depth() == 400
    assert tree.predict(link[:, None].astype(float)).shape == (n,)
    assert tree.prune_to(leaves=3).get_n_leaves() <= 3
    assert len(tree.tree_fact().text().splitlines()) > 100


def test_ten_thousand_levels():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 10_000, 20_000).astype(float)
    y = np.sin(codes) + 0.1 * rng.normal(size=20_000)
    tree = DecisionTreeRegressor(max_depth=3, categorical_features=[0]).fit(codes[:, None], y)
    assert tree.score(codes[:, None], y) > 0.9
    wide = DecisionTreeRegressor(max_depth=1, categorical_features=[0], categorical_splits="levels").fit(
        codes[:, None], y
    )
    assert wide.get_n_leaves() == len(np.unique(codes))


def test_a_missing_category_is_a_level_and_a_missing_number_nobody_knew_goes_to_the_larger_child():
    X = np.array([["a"], ["a"], [None], [None], ["b"]], dtype=object)
    tree = DecisionTreeRegressor(categorical_splits="levels").fit(X, [1.0, 1.0, 5.0, 5.0, 9.0])
    assert tree.predict(np.array([[None], ["b"], ["a"]], dtype=object)).tolist() == [5.0, 9.0, 1.0]
    tree = DecisionTreeRegressor().fit([[1.0], [2.0], [3.0]], [0.0, 0.0, 9.0])
    assert tree.predict([[np.nan]]).tolist() == [0.0]


def test_several_classes_targets():
    X, y = table()
    Y = np.column_stack([np.where(y > 0, "up", "down"), np.where(X[:, 1] > 0, "left", "right")])
    ours = DecisionTreeClassifier(max_depth=4).fit(X, Y)
    rival = RivalClassifier(max_depth=4, random_state=0).fit(X, Y)
    for mine, theirs in zip(ours.predict_proba(X), rival.predict_proba(X), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-12)
    assert ours.predict(X).shape == (400, 2)
    assert len(ours.tree_fact().classes) == 4


def test_columns_drawn_do_not_depend_on_anything_but_the_seed():
    X, y = table()
    first, again, other = (
        DecisionTreeRegressor(max_features=2, random_state=seed).fit(X, y).tree_ for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.threshold, again.threshold)
    assert not np.array_equal(first.threshold, other.threshold)


# Facts


def test_facts_speak_of_every_leaf_and_agree_with_the_tree():
    X, y = table()
    model = DecisionTreeRegressor(max_depth=3).fit(X, y)
    facts = model.facts()
    (fact,) = facts.of_kind(Tree)
    assert len(fact.table().rows) == fact.leaves == model.get_n_leaves()
    assert facts.of_kind(MethodCard) and facts.of_kind(Table)
    assert all(sum(bins) == samples for bins, samples in zip(fact.histogram, fact.samples, strict=True))
    assert fact.text().count("\n") == fact.nodes - 1
    assert model.path_of(X[0])[-1] == model.apply(X[:1])[0]


def test_a_huge_tree_is_shown_by_its_upper_nodes():
    X, y = table(3000)
    fact = DecisionTreeRegressor().fit(X, y).tree_fact()
    assert len(fact.kind) <= 1000 < fact.nodes
    assert "more" in fact.kind and "upper" in fact.notes[-1]


# Bad input


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"splitter": "random"}, "max_features"), ({"monotonic_cst": [1]}, "scikit-learn has them"),
        ({"criterion": "poisson"}, "scikit-learn has them"), ({"min_samples_split": 1}, ">= 2"),
        ({"categorical_splits": "many"}, "'sets' or 'levels'"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_refused_with_a_way_out(asked, said):
    with pytest.raises(ValueError, match="must be") as caught:
        DecisionTreeRegressor(**asked).fit([[1.0], [2.0]], [1.0, 2.0])
    assert said in str(caught.value)


def test_cells_and_targets_that_cannot_be_used_are_named():
    with pytest.raises(ValueError, match="infinity: column 'x1', row 1"):
        DecisionTreeRegressor().fit([[1.0, 2.0], [3.0, np.inf]], [1.0, 2.0])
    with pytest.raises(ValueError, match="NaN: column 'y', row 1"):
        DecisionTreeRegressor().fit([[1.0], [3.0]], [1.0, np.nan])
    with pytest.raises(ValueError, match="class_weight names 'maybe'"):
        DecisionTreeClassifier(class_weight={"maybe": 2.0}).fit([[1.0], [3.0]], ["no", "yes"])
    with pytest.raises(ValueError, match="one of alpha, leaves and significance"):
        DecisionTreeRegressor().fit([[1.0], [3.0]], [1.0, 2.0]).prune_to()
