"""A tree as nested questions: every list that opens is closed, every node is told, large trees are cut."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import DecisionTreeClassifier, DecisionTreeRegressor
from glaswerk.facts import Steps
from glaswerk.report.contents import Section
from glaswerk.report.outline import DEEPEST, HEIGHT, MOST_LINES, outline, still_open
from glaswerk.report.page import environment
from glaswerk.report.views import views_of


def grown(n=200, depth=None, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return DecisionTreeRegressor(max_depth=depth).fit(X, X[:, 0] + rng.normal(size=n)).tree_fact()


def html(fact):
    show = environment().get_template("facts.html.j2").make_module({"card_id": None, "told_by_picture": ()})
    (view,) = views_of(Section("inside", "Inside", (fact,)))
    return str(show.tree(view))


@given(st.integers(1, 9), st.integers(0, 20))
@settings(max_examples=15, deadline=None)
def test_lists_that_open_are_closed_and_every_node_has_a_line(depth, seed):
    fact = grown(40, depth, seed)
    lines = list(outline(fact))
    assert len(lines) == fact.nodes
    assert sum(line.opens for line in lines) == sum(line.closes for line in lines) + still_open(fact)
    found = html(fact)
    for tag in ("ul", "li", "details"):
        assert found.count(f"<{tag}>") + found.count(f"<{tag} ") == found.count(f"</{tag}>")
    assert found.count("<li>") == fact.nodes


def test_a_line_has_the_answer_the_rows_and_the_histogram():
    fact = DecisionTreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "no"]).tree_fact()
    root, left, *_ = outline(fact)
    assert (root.words, root.says, root.tells) == ("", "no (75 %)", "4 rows, Gini impurity 0.375")
    assert left.words == "x0 ≤ 2.5" and left.says == "no (100 %)" and not left.opens
    heights = [float(h) for h in re.findall(r"v-([\d.]+)h", root.bars)]
    assert heights == pytest.approx([HEIGHT, HEIGHT / 3], abs=0.01)


def test_a_large_tree_is_cut_and_says_how_much_is_hidden():
    fact = grown(3_000)
    lines = list(outline(fact))
    assert MOST_LINES - 2 <= len(lines) <= MOST_LINES
    listed = len(lines) + sum(line.more for line in lines)
    assert listed == len(fact.kind)


def test_a_chain_is_cut_at_its_depth():
    x = np.arange(45.0)
    fact = DecisionTreeRegressor().fit(x[:, None], 3.0**x).tree_fact()
    assert fact.depth > DEEPEST
    assert still_open(fact) <= DEEPEST
    assert len(list(outline(fact))) == 2 * DEEPEST + 1


def test_a_tree_under_a_slider_is_drawn_once():
    model = DecisionTreeRegressor(ccp_alpha="cv").fit(np.arange(40.0)[:, None], np.arange(40.0) // 10)
    facts = model.facts()
    tree, steps = model.tree_fact(), facts.of_kind(Steps)[0]
    alone, beside = views_of(Section("a", "A", (tree,))), views_of(Section("a", "A", (steps, tree)))
    assert alone[0].pictures and not beside[1].pictures
    assert [picture.places for picture in beside[0].pictures] == [len(steps.facts)] * 2
