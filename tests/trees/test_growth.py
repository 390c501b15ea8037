"""Growth: what columns may hold; large nodes against small ones; threads."""

import dataclasses

import numpy as np
import pytest

from glaswerk.learners.cart import DecisionTreeClassifier, DecisionTreeRegressor
from glaswerk.trees import records

RNG = np.random.default_rng(0)
COLUMNS = {
    "gaussian": RNG.normal(size=5000),
    "few": RNG.integers(-3, 4, 5000).astype(float),
    "heavy": np.exp(20 * RNG.normal(size=5000)),
    "near each other": 1.0 + RNG.normal(size=5000) * 1e-12,
    "near each other, and one far": np.append(1e300, 1.0 + RNG.normal(size=4999) * 1e-14),
    "both signs, sixty powers of ten": RNG.normal(size=3000) * 10.0 ** RNG.integers(-30, 30, 3000),
    "signs of zero": np.array([0.0, -0.0, 5e-324, -5e-324, 0.0]),
    "gaps": np.where(RNG.random(500) < 0.3, np.nan, RNG.normal(size=500)),
    "nothing": np.full(4, np.nan),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_only_the_order_of_a_column_counts(name):
    x = COLUMNS[name]
    there = ~np.isnan(x)
    rank = np.full(len(x), np.nan)
    rank[there] = np.unique(x[there], return_inverse=True)[1]
    y = np.random.default_rng(1).normal(size=len(x))
    asked, ranked = (DecisionTreeRegressor().fit(column[:, None], y).tree_ for column in (x, rank))
    np.testing.assert_array_equal(asked.samples, ranked.samples)
    np.testing.assert_array_equal(asked.gain, ranked.gain)
    np.testing.assert_array_equal(asked.away, ranked.away)
    inner = (asked.feature >= 0) & np.isfinite(asked.threshold)
    np.testing.assert_array_equal(
        [(x[there] <= cut).sum() for cut in asked.threshold[inner]],
        [(rank[there] <= cut).sum() for cut in ranked.threshold[inner]],
    )


def large_tables():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(3000, 4))
    y = X[:, 0] * X[:, 1] + np.abs(X[:, 2]) + 0.5 * rng.normal(size=3000)
    gaps, codes = X.copy(), rng.integers(0, 30, X.shape).astype(float)
    gaps[rng.random(X.shape) < 0.2] = np.nan
    codes[rng.random(X.shape) < 0.05] = np.nan
    by_code = np.sin(5 * np.nan_to_num(codes[:, 0])) + y
    weight = rng.integers(0, 4, 3000).astype(float)
    return {
        "numbers": ({}, X, y, None),
        "limits": (
            {"min_samples_leaf": 7, "min_impurity_decrease": 1e-3, "min_weight_fraction_leaf": 4e-3},
            X,
            y,
            None,
        ),
        "whole targets in few cells": ({}, np.rint(4 * X), np.rint(3 * y), None),
        "mostly zeros": ({"max_depth": 9}, np.where(X > 0, X, 0.0), y, None),
        "heavy tails": ({}, np.exp(6 * X), y, None),
        "an outlier": ({}, X, np.append(1e9, y[1:]), None),
        "far from zero": ({}, X, 1e9 + y, weight),
        "gaps and weights": ({"min_samples_leaf": 9}, gaps, np.rint(2 * y), weight),
        "categories": ({"categorical_features": [0, 2]}, codes, by_code, None),
    }


@pytest.mark.parametrize("name", large_tables())
def test_large_nodes_are_cut_as_small_ones_are_and_on_any_threads(name, monkeypatch):
    """From sums over buckets, with only the rows sorted that may hold the best cut: the cut that sorting all finds."""
    asked, X, y, weight = large_tables()[name]
    sorted_columns = DecisionTreeRegressor(**asked).fit(X, y, weight).tree_
    monkeypatch.setattr(records, "LARGE_TABLE", 100)
    monkeypatch.setattr(records, "LARGE_NODE", 40)
    buckets, threads = (DecisionTreeRegressor(**asked, n_jobs=jobs).fit(X, y, weight).tree_ for jobs in (1, 2))
    for field in dataclasses.fields(buckets):
        one, two = getattr(buckets, field.name), getattr(threads, field.name)
        np.testing.assert_array_equal(one, two, field.name)
        if one.dtype.kind == "f":
            np.testing.assert_allclose(one, getattr(sorted_columns, field.name), rtol=1e-9, err_msg=field.name)
        else:
            np.testing.assert_array_equal(one, getattr(sorted_columns, field.name), field.name)


def test_two_classes_from_buckets(monkeypatch):
    _, X, y, _ = large_tables()["whole targets in few cells"]
    sorted_columns = DecisionTreeClassifier().fit(X, y > 0).tree_
    monkeypatch.setattr(records, "LARGE_TABLE", 100)
    monkeypatch.setattr(records, "LARGE_NODE", 40)
    buckets = DecisionTreeClassifier().fit(X, y > 0).tree_
    for name in ("feature", "threshold", "samples", "value", "ties", "tie_threshold"):
        np.testing.assert_array_equal(getattr(buckets, name), getattr(sorted_columns, name), name)


@pytest.mark.parametrize("rows", [1, 15, 33, 25_000])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_rows_that_walk_together_reach_the_leaves_that_they_reach_alone(rows, gaps):
    rng = np.random.default_rng(3)
    X, Z = rng.normal(size=(500, 3)), rng.normal(size=(rows, 3))
    for cells in (X, Z):
        cells[rng.random(cells.shape) < gaps] = np.nan
    tree = DecisionTreeRegressor().fit(X, rng.normal(size=500)).tree_
    alone = np.zeros(rows, dtype=np.int64)
    for _ in range(int(tree.depth.max())):
        j = np.maximum(tree.feature[alone], 0)
        x = Z[np.arange(rows), j]
        part = np.where(np.isnan(x), tree.away[alone], ~(x <= tree.threshold[alone]))
        inner = tree.feature[alone] >= 0
        alone[inner] = tree.child[(tree.child_start[alone] + part)[inner]]
    np.testing.assert_array_equal(tree.leaf_of(Z), alone)
    np.testing.assert_array_equal(tree.leaf_of(Z, 2), alone)
