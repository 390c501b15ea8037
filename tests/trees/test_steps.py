"""The slider over a pruning sequence: known places, the tree and the error at each of them."""

import numpy as np
import pytest

from glaswerk.facts import Curve, Steps, Tree
from glaswerk.learners.cart import DecisionTreeClassifier, DecisionTreeRegressor
from glaswerk.report.self_told import edges
from glaswerk.trees.steps import MOST_PLACES


def fitted(rule="cv", n=300, classes=False):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = X[:, 0] ** 2 + 0.5 * rng.normal(size=n)
    model = DecisionTreeClassifier if classes else DecisionTreeRegressor
    return model(ccp_alpha=rule).fit(X, y > 1 if classes else y)


@pytest.mark.parametrize("classes", [False, True])
def test_every_place_shows_the_tree_of_its_leaves_and_its_error_on_the_curve(classes):
    model = fitted(classes=classes)
    choice, steps = model.choice_, model.pruning_steps()
    leaves = [int(words) for words in steps.sliders[0].places]
    assert leaves == sorted(set(leaves))
    assert leaves[-1] == choice.leaves[0] and len(leaves) <= MOST_PLACES + 2
    for n, (curve, tree), says in zip(leaves, steps.facts, steps.says, strict=True):
        place = int(np.flatnonzero(choice.leaves == n)[0])
        assert isinstance(curve, Curve) and isinstance(tree, Tree)
        assert tree.leaves == n == curve.lines[-1].x[0]
        assert curve.lines[-1].y[0] == choice.measured(choice.error)[place]
        assert says.startswith(f"{n} leaves: {choice.name} ")


def test_the_tree_that_was_taken_is_shown_first():
    model = fitted("1se")
    steps = model.pruning_steps()
    assert steps.facts[steps.chosen][1].leaves == model.get_n_leaves()
    assert steps.says[steps.chosen].endswith(", the tree that was taken.")
    assert any(says.endswith(", the least error.") for says in steps.says)


def test_noise_leaves_one_leaf_and_the_slider_begins_there():
    rng = np.random.default_rng(0)
    model = DecisionTreeRegressor(ccp_alpha="1se").fit(rng.normal(size=(60, 2)), rng.normal(size=60))
    steps = model.pruning_steps()
    assert steps.at(steps.chosen) == ("1",)
    assert steps.says[0].startswith("1 leaf: RMSE ")


def test_without_an_error_on_rows_left_out_there_is_no_slider():
    with pytest.raises(ValueError, match="ccp_alpha must be 'cv' or '1se'"):
        DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0]).pruning_steps()


def test_the_slider_is_among_the_facts_and_a_choice_at_its_end_is_a_finding():
    facts = fitted().facts()
    assert len(facts.of_kind(Steps)) == 1
    still = DecisionTreeRegressor(ccp_alpha="cv").fit(np.arange(40.0)[:, None], np.arange(40.0) // 10).facts()
    assert any("leaves 4 was taken, the greatest of those tried" in said for said in edges(still))
