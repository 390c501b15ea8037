"""A chain of ten thousand cuts: walking, pruning, testing and telling it must not recurse."""

import numpy as np
import pytest

from glaswerk import DecisionTreeRegressor
from glaswerk.explain.shapes import Seen, regions_of
from glaswerk.trees.grown import Grown
from glaswerk.trees.significance import removal_levels, significance

DEPTH = 10_000


@pytest.fixture(scope="module")
def chain():
    """Cut k takes the rows below k off; node 2k is cut, 2k + 1 its leaf, 2k + 2 what is left."""
    m = 2 * DEPTH + 1
    at = np.arange(m)
    inner = (at % 2 == 0) & (at < m - 1)
    left = np.where(at % 2 == 0, DEPTH + 1 - at // 2, 1)
    child = np.stack([at[inner] + 1, at[inner] + 2], axis=1).ravel().astype(np.int32)
    ints, small = np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int32)
    none = np.zeros(0, dtype=np.int32)
    grown = Grown(
        np.where(inner, 0, -1).astype(np.int32), np.where(inner, at / 2 + 0.5, np.nan),
        np.concatenate([[0], np.cumsum(2 * inner)]), child, inner.astype(np.int32), np.zeros(m + 1, dtype=np.int64),
        none, none, np.zeros(1, dtype=np.int32), left + ints, left.astype(float), np.where(inner, left - 1.0, 0.0),
        (at % 7).astype(float)[:, None], np.zeros(0, dtype=np.int64), inner.astype(float), small, small - 1,
        np.full(m, np.nan), np.zeros(0, dtype=np.int64), np.zeros((0, 12), dtype=np.int64), np.linspace(0.0, 7.0, 13),
    )  # fmt: skip
    grown.check()
    model = DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0])
    model.full_ = model.tree_ = grown
    return model


def test_it_is_walked_pruned_and_tested(chain):
    X = np.array([[0.0], [4_999.6], [1e9]])
    assert chain.get_depth() == DEPTH
    assert chain.predict(X).tolist() == [1 % 7, (2 * 5_000 + 1) % 7, (2 * DEPTH) % 7]
    path = chain.pruning_path
    assert (path.leaves[0], path.leaves[-1]) == (DEPTH + 1, 1)
    assert chain.prune_to(leaves=100).get_n_leaves() <= 100
    assert len(chain.path_of([1e9])) == DEPTH + 1
    least = removal_levels(chain.full_, significance(chain.full_).p)
    assert (np.diff(least[::2][:-1]) >= 0).all()
    assert chain.prune_to(significance=1.0).get_n_leaves() == DEPTH + 1


def test_it_is_told_by_its_upper_nodes(chain):
    fact = chain.tree_fact()
    assert fact.nodes == 2 * DEPTH + 1
    assert len(fact.kind) <= 1000
    assert len(fact.text().splitlines()) > 100
    assert str(chain.facts())


def test_its_plane_is_cut_without_recursion(chain):
    rows = Seen(np.zeros((3, 2)), np.arange(3.0), ("a", "b"), "y", (), 0)
    model = DecisionTreeRegressor().fit(rows.X + np.arange(3.0)[:, None], rows.y)
    model.tree_ = chain.tree_
    assert len(regions_of(rows, model, "x").regions) == DEPTH + 1
