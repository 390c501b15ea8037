"""Chance or not: SciPy's tests as oracle, the slides' rule by hand, laws, edges, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from glaswerk import DecisionTreeClassifier, DecisionTreeRegressor, ID3Classifier, load_iris
from glaswerk.facts import Table
from glaswerk.trees.significance import significance


def table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] ** 2 + 0.5 * rng.normal(size=n)


def families(tree):
    for t in np.flatnonzero(tree.feature >= 0).tolist():
        yield t, tree.child[tree.child_start[t] : tree.child_start[t + 1]]


def test_the_sepal_root_is_no_chance():
    """[SCH-CHI] (45, 6, 1) and (5, 44, 49) of (50, 50, 50)."""
    rows = load_iris()
    X = np.column_stack([rows[name].numbers() for name in ("sepal_length", "sepal_width")])
    model = DecisionTreeClassifier(max_depth=1).fit(X, np.repeat([0, 1, 2], 50))
    oracle = stats.chi2_contingency([[45, 6, 1], [5, 44, 49]])
    found = significance(model.tree_)
    assert found.statistic[0] == pytest.approx(oracle.statistic, rel=1e-12)
    assert found.freedom[0] == oracle.dof == 2
    assert found.p[0] == pytest.approx(oracle.pvalue, rel=1e-9)
    assert found.expected[0] == pytest.approx(oracle.expected_freq.min())
    assert np.isnan(found.p[1:]).all()


@pytest.mark.parametrize("outputs", [1, 2])
def test_every_cut_of_classes_is_tested_as_scipy_does(outputs):
    X, y = table()
    Y = np.column_stack([np.digitize(y, [0.5, 1.5]), X[:, 1] > 0]).astype(int)[:, :outputs]
    model = DecisionTreeClassifier(max_depth=4).fit(X, Y if outputs > 1 else Y[:, 0])
    tree, found = model.full_, significance(model.full_)
    for t, family in families(tree):
        parts = np.split(tree.value[family], tree.bounds[1:], axis=1)
        tests = [stats.chi2_contingency(part[:, part.any(axis=0)], correction=False) for part in parts]
        assert found.statistic[t] == pytest.approx(sum(test.statistic for test in tests), rel=1e-9, abs=1e-9)
        assert found.freedom[t] == sum(test.dof for test in tests)


def test_every_cut_of_numbers_is_a_variance_ratio():
    X, y = table()
    X[:, 1] = np.rint(X[:, 1] * 2)
    model = DecisionTreeRegressor(max_depth=3, categorical_features=[1], categorical_splits="levels").fit(X, y)
    tree, found = model.full_, significance(model.full_)
    leaf = model.apply(X)
    for t, family in families(tree):
        ends = [np.isin(leaf, np.flatnonzero(np.array([c in lineage(tree, k) for k in range(tree.nodes)])))
                for c in family.tolist()]  # fmt: skip
        oracle = stats.f_oneway(*[y[rows] for rows in ends])
        if np.isfinite(oracle.statistic):
            assert found.statistic[t] == pytest.approx(oracle.statistic, rel=1e-7)
            assert found.p[t] == pytest.approx(oracle.pvalue, rel=1e-6, abs=1e-12)


def lineage(tree, t):
    found = {t}
    while t:
        t = int(tree.parent[t])
        found.add(t)
    return found


def by_the_slide(tree, level):
    """Nodes whose children are all leaves are removed while their cut is not significant, one after the other."""
    p, children = significance(tree).p, {t: family.tolist() for t, family in families(tree)}
    while True:
        gone = [t for t, below in children.items() if not any(c in children for c in below) and p[t] > level]
        if not gone:
            return len(children)
        del children[gone[0]]


@pytest.mark.parametrize("level", [1.0, 0.2, 0.01, 1e-6, 0.0])
@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_the_tree_is_the_one_of_the_slides_rule(kind, level):
    """[SCH-CHI] Whatever the order of removal."""
    X, y = table()
    model = kind().fit(X, np.digitize(y, [0.5, 1.5]) if kind is DecisionTreeClassifier else y)
    found = model.prune_to(significance=level)
    assert (found.tree_.feature >= 0).sum() == by_the_slide(model.full_, level)
    assert found.full_ is model.full_


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 9_999), st.integers(2, 60))
def test_stricter_levels_give_nested_trees_and_weights_are_repetitions(seed, n):
    rng = np.random.default_rng(seed)
    X, y, w = rng.integers(0, 6, (n, 2)).astype(float), rng.integers(0, 3, n), rng.integers(1, 4, n)
    y[:2] = 0, 1
    model = DecisionTreeClassifier().fit(X, y, w)
    sizes = [model.prune_to(significance=level).get_n_leaves() for level in (1.0, 0.3, 0.05, 0.001, 0.0)]
    assert sizes == sorted(sizes, reverse=True)
    again = DecisionTreeClassifier().fit(X.repeat(w, axis=0), y.repeat(w))
    np.testing.assert_allclose(significance(model.full_).p, significance(again.full_).p, rtol=1e-9)


def test_a_signal_stays_and_noise_goes_once_all_cuts_are_counted():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 4))
    noise = DecisionTreeClassifier().fit(X, rng.integers(0, 2, 400))
    plain, counted = (noise.prune_to(significance=0.01, adjusted=a).get_n_leaves() for a in (False, True))
    assert counted < plain / 3  # the best of many cuts looks significant
    signal = DecisionTreeRegressor().fit(X, (X[:, 2] > 0) + 0.1 * rng.normal(size=400))
    assert signal.prune_to(significance=0.001, adjusted=True).get_n_leaves() == 2


def test_id3_is_pruned_alike_and_the_table_tells_why():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (200, 3)).astype(float)
    model = ID3Classifier(categorical_features=[0, 1, 2]).fit(X, np.where(X[:, 0] > 0, "a", "b"))
    assert model.prune_to(significance=0.01).get_n_leaves() == 3
    (told,) = [fact for fact in model.facts() if isinstance(fact, Table) and fact.title.startswith("Is each cut")]
    assert told.rows[0][0] == "all rows"
    assert told.rows[0][4] == 2
    assert "χ²" in told.columns


def test_rows_too_few_to_judge_by_and_perfect_cuts():
    two = DecisionTreeRegressor().fit([[1.0], [2.0]], [0.0, 9.0])
    assert significance(two.full_).p[0] == 1.0
    assert two.prune_to(significance=0.05).get_n_leaves() == 1
    perfect = DecisionTreeRegressor().fit([[1.0], [1.0], [2.0], [2.0]], [0.0, 0.0, 9.0, 9.0])
    assert significance(perfect.full_).p[0] == 0.0
    one = DecisionTreeRegressor().fit([[1.0]], [0.0])
    assert one.prune_to(significance=0.05).get_n_leaves() == 1
    assert not [fact for fact in one.facts() if isinstance(fact, Table) and fact.title.startswith("Is each cut")]


@pytest.mark.parametrize("level", [-0.1, 1.5, np.nan])
def test_a_level_is_a_probability(level):
    model = DecisionTreeRegressor().fit([[1.0], [2.0]], [0.0, 9.0])
    with pytest.raises(ValueError, match="significance must be a probability"):
        model.prune_to(significance=level)
    with pytest.raises(ValueError, match="one of alpha, leaves and significance"):
        model.prune_to(significance=0.5, leaves=2)
