"""The pruning sequence: an independent slow implementation, scikit-learn, laws."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier as RivalClassifier
from sklearn.tree import DecisionTreeRegressor as RivalRegressor

from glaswerk import load, save
from glaswerk.learners.cart import DecisionTreeClassifier, DecisionTreeRegressor
from glaswerk.scoring.folds import even_folds, row_order
from glaswerk.trees.impurity import risks


def table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] ** 2 + 0.5 * rng.normal(size=n)


def slow_sequence(tree, risk):
    """[NAN-10] [NAN-G] Algorithm 2, a node a step, by walking the whole tree every time; equal α merged at the end."""
    inner = set(np.flatnonzero(tree.feature >= 0).tolist())

    def leaves(t):
        if t not in inner:
            return [t]
        return [leaf for c in tree.child[tree.child_start[t] : tree.child_start[t + 1]].tolist() for leaf in leaves(c)]

    def below(t):
        return {t} | {s for c in tree.child[tree.child_start[t] : tree.child_start[t + 1]].tolist() for s in below(c)}

    steps = [(0.0, len(leaves(0)), sum(risk[leaves(0)]))]
    while inner:
        links = {t: (risk[t] - sum(risk[leaves(t)])) / (len(leaves(t)) - 1) for t in inner}
        weakest = min(links, key=lambda t: (links[t], t))
        inner -= below(weakest)
        alpha = max(links[weakest], steps[-1][0])
        step = (alpha, len(leaves(0)), sum(risk[leaves(0)]))
        if alpha - steps[-1][0] <= 1e-12 * risk[0]:
            step = (steps.pop()[0], *step[1:])
        steps.append(step)
    return np.array(steps)


@pytest.mark.parametrize("values", [2, 10**6])
@pytest.mark.parametrize("categories", [None, [1]])
def test_the_sequence_is_that_of_the_slow_algorithm(values, categories):
    """Binary trees and trees with a child per level."""
    X, y = table()
    X[:, 1] = np.rint(X[:, 1] * 2)
    y = np.rint(y * values) / values
    model = DecisionTreeRegressor(categorical_features=categories, categorical_splits="levels").fit(X, y)
    slow = slow_sequence(model.full_, risks(model.full_, "squared_error"))
    path = model.pruning_path
    np.testing.assert_array_equal(path.leaves, slow[:, 1])
    np.testing.assert_allclose(path.alpha, slow[:, 0], atol=1e-9 * slow[-1, 2])
    np.testing.assert_allclose(path.risk, slow[:, 2], atol=1e-9 * slow[-1, 2])


def test_alphas_and_impurities_are_scikit_learns():
    X, y = table()
    ours, rival = DecisionTreeRegressor(), RivalRegressor(random_state=0)
    mine, theirs = ours.cost_complexity_pruning_path(X, y), rival.cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(mine["ccp_alphas"], theirs.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(mine["impurities"], theirs.impurities, atol=1e-12)


def test_classes_are_pruned_by_their_impurity():
    X, y = table()
    y = (y > 0.5).astype(int)
    model = DecisionTreeClassifier(max_depth=3, criterion="entropy").fit(X, y)
    theirs = RivalClassifier(max_depth=3, criterion="entropy", random_state=0).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(model.pruning_path.ccp_alpha[-1], theirs.ccp_alphas[-1], atol=1e-12)
    np.testing.assert_allclose(model.pruning_path.risk[-1] / 300, theirs.impurities[-1], atol=1e-12)


def test_every_tree_of_the_sequence_is_nested_and_the_best_for_its_alpha():
    X, y = table()
    model = DecisionTreeRegressor(min_samples_leaf=3).fit(X, y)
    path = model.pruning_path
    trees = [model.prune_to(alpha=a).tree_ for a in path.ccp_alpha]
    assert [int(t.leaves[0]) for t in trees] == path.leaves.tolist()
    rss = np.array([t.squares[t.feature < 0].sum() for t in trees])
    np.testing.assert_allclose(rss, path.risk, rtol=1e-12)
    for k, alpha in enumerate(path.alpha):
        cost = rss + alpha * path.leaves
        np.testing.assert_allclose(cost[k], cost.min(), rtol=1e-12)
    for larger, smaller in pairwise(trees):
        assert set(smaller.threshold[smaller.feature >= 0]) <= set(larger.threshold[larger.feature >= 0])


def test_prune_to_leaves_gives_the_largest_tree_that_fits():
    X, y = table()
    model = DecisionTreeRegressor().fit(X, y)
    leaves = model.pruning_path.leaves
    for asked in (1, 7, 50):
        assert model.prune_to(leaves=asked).get_n_leaves() == max(leaves[leaves <= asked])
    assert model.get_n_leaves() == leaves[0]
    assert DecisionTreeRegressor(ccp_alpha=0.01).fit(X, y).get_n_leaves() == model.prune_to(alpha=0.01).get_n_leaves()


# The choice on rows left out


def test_the_choice_is_that_of_pruning_every_fold_at_every_penalty():
    """One walk per row against refits: error and its standard error of every tree."""
    X, y = table(120)
    model = DecisionTreeRegressor(ccp_alpha="cv", folds=4, random_state=3, min_samples_split=6).fit(X, y)
    found = model.choice_
    fold = even_folds(row_order(120, 3), 4)
    penalties = model.pruning_path.between() / 120
    errors = np.empty((len(penalties), 120))
    for k in range(4):
        fitted = DecisionTreeRegressor(min_samples_split=6).fit(X[fold != k], y[fold != k])
        for place, penalty in enumerate(penalties):
            small = fitted.prune_to(alpha=penalty)
            errors[place, fold == k] = (small.predict(X[fold == k]) - y[fold == k]) ** 2
    np.testing.assert_allclose(found.error, errors.mean(axis=1), rtol=1e-9)
    np.testing.assert_allclose(found.standard_error, errors.std(axis=1) / np.sqrt(120), rtol=1e-9)
    assert model.get_n_leaves() == found.leaves[found.best]


def test_one_standard_error_takes_a_smaller_tree_and_classes_count_mistakes():
    X, y = table(400)
    best, small = (DecisionTreeRegressor(ccp_alpha=rule).fit(X, y) for rule in ("cv", "1se"))
    assert small.get_n_leaves() < best.get_n_leaves() < best.full_.leaves[0]
    limit = best.choice_.error[best.choice_.best] + best.choice_.standard_error[best.choice_.best]
    assert small.choice_.error[small.choice_.chosen] <= limit < small.choice_.error[small.choice_.chosen + 1 :].min()
    model = DecisionTreeClassifier(ccp_alpha="1se").fit(X, np.where(y > 0.5, "a", "b"))
    assert 0 < model.choice_.error[model.choice_.chosen] < 0.3
    curve = model.choice_.curve("Pruned trees")
    assert "nested trees" in curve.says and curve.marks[0][1] == "chosen"


def test_the_choice_is_stored_with_the_model(tmp_path):
    X, y = table(80)
    model = DecisionTreeRegressor(ccp_alpha="1se", categorical_features=[2]).fit(
        np.column_stack([X[:, :2], X[:, 2] > 0]), y
    )
    cells = np.column_stack([X[:, :2], X[:, 2] > 0])
    save(model, tmp_path / "tree.glaswerk")
    again = load(tmp_path / "tree.glaswerk")
    np.testing.assert_array_equal(again.predict(cells), model.predict(cells))
    assert str(again.facts()) == str(model.facts())
    assert again.prune_to(leaves=2).get_n_leaves() == model.prune_to(leaves=2).get_n_leaves()
