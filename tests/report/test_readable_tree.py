"""A tree beside the best: where it stands, and where there is none."""

from dataclasses import replace

import numpy as np

from glaswerk import DecisionTreeRegressor, LinearRegression
from glaswerk.facts import Candidate, Comparison, Statement, Steps, Tree
from glaswerk.model import Model
from glaswerk.report import analyse
from glaswerk.report.readable_tree import tree_beside

X = np.arange(60.0)
TABLE = {"x": X, "y": 3 * X + np.sin(X)}
LINE, TREE = Model(LinearRegression()), Model(DecisionTreeRegressor(ccp_alpha="cv"))


def compared(*names, failed=()):
    bare = Candidate("", 1.0, None, None, None, None, None, None, "", 3, ())
    rows = tuple(replace(bare, name=name, verdict="failed" if name in failed else "") for name in names)
    return Comparison("RMSE", "lower", "10 folds", 0.95, rows, "baseline")


def test_a_tree_that_is_not_the_best_stands_in_a_section_of_its_own():
    found = analyse(TABLE, "y", candidates={"line": LINE, "tree": TREE}, folds=3, repeats=1, budget=None)
    section = found.section("tree")
    assert [type(fact) for fact in section.facts] == [Statement, Steps, Tree]
    own = next(row for row in found.section("comparison").facts[0].rows if row.name == "tree")
    assert f"RMSE {own.score:.4g} against" in section.facts[0].sentences[0]
    assert section.facts[2].samples[0] == 60


def test_the_best_tree_and_the_lack_of_one_need_no_section():
    learners = {"tree": TREE, "line": LINE, "full": Model(DecisionTreeRegressor())}
    assert tree_beside(learners, compared("line", "tree", "baseline")) == "tree"
    assert tree_beside(learners, compared("tree", "line", "baseline")) is None
    assert tree_beside(learners, compared("line", "baseline")) is None
    assert tree_beside(learners, compared("line", "full")) is None
    assert tree_beside(learners, compared("line", "tree", failed=("tree",))) is None
