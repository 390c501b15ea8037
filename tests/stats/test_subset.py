"""Best subsets: the kernel against every subset there is, groups, dependent columns, the limit and its gap."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import kernels
from glaswerk.stats.moments import GroupedMoments, Moments, common_shift
from glaswerk.stats.subset import best_subsets, moments_of, subset_errors


def table(n=60, d=8, seed=0, alike=0.5):
    rng = np.random.default_rng(seed)
    X = np.sqrt(alike) * rng.normal(size=(n, 1)) + np.sqrt(1 - alike) * rng.normal(size=(n, d))
    w = rng.normal(size=d) * (rng.random(d) < 0.5)
    return X, (X @ w + rng.normal(size=n))[:, None]


def moments(X, Y, exact=True):
    return Moments.of(X, Y, shift=common_shift(np.hstack([X, Y])), exact=exact)


def squares_left(X, y):
    if not X.shape[1]:
        return float(((y - y.mean()) ** 2).sum())
    X = X - X.mean(axis=0)
    y = y - y.mean()
    return float(((y - X @ np.linalg.lstsq(X, y, rcond=None)[0]) ** 2).sum())


def by_trying_all(X, y, groups):
    """The kernel's twin: every subset of groups, fitted by itself."""
    names = np.unique(groups)
    best = {0: (squares_left(X[:, :0], y), ())}
    for k in range(1, len(names) + 1):
        for chosen in combinations(names, k):
            columns = np.flatnonzero(np.isin(groups, chosen))
            rss = squares_left(X[:, columns], y)
            if rss < best.get(len(columns), (np.inf,))[0]:
                best[len(columns)] = rss, tuple(columns)
    return best


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.95])
@pytest.mark.parametrize(("n", "d"), [(30, 3), (60, 8), (60, 12)])
def test_every_size_is_the_best_of_all_subsets(n, d, alike):
    X, Y = table(n, d, alike=alike)
    found = best_subsets(moments(X, Y), True, np.arange(d), d)
    for size, (rss, columns) in by_trying_all(X, Y[:, 0], np.arange(d)).items():
        np.testing.assert_allclose(found.rss[size], rss, rtol=1e-10)
        assert tuple(np.flatnonzero(found.columns[size])) == columns
    assert found.proved.all()


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), widths=st.lists(st.integers(1, 3), min_size=2, max_size=8))
def test_groups_are_taken_whole(seed, widths):
    groups = np.repeat(np.arange(len(widths)), widths)
    groups = np.random.default_rng(seed).permutation(groups)
    X, Y = table(50, len(groups), seed=seed)
    found = best_subsets(moments(X, Y), True, groups, len(groups))
    lowest = np.inf
    for size, (rss, columns) in sorted(by_trying_all(X, Y[:, 0], groups).items()):
        if rss < lowest:  # a larger subset that does no better than a smaller one is left out
            np.testing.assert_allclose(found.rss[size], rss, rtol=1e-9)
            assert tuple(np.flatnonzero(found.columns[size])) == columns
        else:
            assert np.isinf(found.rss[size])
        lowest = min(lowest, rss)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), most=st.integers(1, 9), alike=st.floats(0, 0.99))
def test_a_limit_on_columns_changes_no_smaller_size(seed, most, alike):
    X, Y = table(50, 9, seed=seed, alike=alike)
    whole = best_subsets(moments(X, Y), True, np.arange(9), 9)
    part = best_subsets(moments(X, Y), True, np.arange(9), most)
    np.testing.assert_allclose(part.rss, whole.rss[: most + 1], rtol=1e-10)
    assert part.nodes <= whole.nodes


def test_without_an_intercept_squares_are_counted_from_zero():
    X, Y = table(40, 5)
    X += 3
    found = best_subsets(moments(X, Y), False, np.arange(5), 5)
    for size in range(1, 6):
        best = min(
            float(((Y[:, 0] - X[:, c] @ np.linalg.lstsq(X[:, c], Y[:, 0], rcond=None)[0]) ** 2).sum())
            for c in map(list, combinations(range(5), size))
        )
        np.testing.assert_allclose(found.rss[size], best, rtol=1e-10)


@pytest.mark.parametrize("exact", [True, False])
def test_dependent_and_constant_columns_keep_every_subset_in_the_race(exact):
    """x₃ = x₀ + x₁ is the best single column, though two others make it superfluous."""
    X, _ = table(60, 5, alike=0.0)
    X[:, 3], X[:, 4] = X[:, 0] + X[:, 1], 7.0
    y = X[:, 3] + 0.5 * X[:, 2] + 0.01 * np.random.default_rng(1).normal(size=60)
    found = best_subsets(moments(X, y[:, None], exact), True, np.arange(5), 5)
    assert tuple(np.flatnonzero(found.columns[1])) == (3,)
    np.testing.assert_allclose(found.rss[2], squares_left(X[:, [2, 3]], y), rtol=1e-5)
    np.testing.assert_allclose(found.rss[np.isfinite(found.rss)][-1], squares_left(X[:, [0, 1, 2]], y), rtol=1e-5)


def test_a_node_limit_gives_a_true_bound_on_what_is_missed():
    X, Y = table(200, 22, alike=0.9)
    whole = best_subsets(moments(X, Y), True, np.arange(22), 22)
    for limit in (1, 3, 10, 50):
        part = best_subsets(moments(X, Y), True, np.arange(22), 22, limit)
        assert part.nodes <= limit
        assert (part.rss >= whole.rss * (1 - 1e-10)).all()
        assert (np.minimum(part.bound, part.rss) <= whole.rss * (1 + 1e-10)).all()
        assert (part.rss[part.proved] <= whole.rss[part.proved] * (1 + 1e-10)).all()
        assert (part.gap >= 0).all()
    assert not part.proved.all() or part.nodes < 50


def test_the_kernel_changes_nothing_but_its_outputs():
    factor = np.triu(np.random.default_rng(0).normal(size=(4, 5))) + np.eye(4, 5) * 3
    before = factor.copy()
    best, bound, chosen = np.full(5, np.inf), np.full(5, np.inf), np.zeros((5, 4), np.int8)
    best[0] = float((factor[:, -1] ** 2).sum()) + 1.0
    kernels.best_subsets(factor, 1.0, np.ones(4, np.int64), 1000, best, bound, chosen)
    assert (factor == before).all()
    assert (np.diff(best) <= 0).all()
    assert (chosen.sum(axis=1) == np.arange(5)).all()
    for size in range(1, 5):
        rest = min(
            float(
                (
                    (factor[:, -1] - factor[:, c] @ np.linalg.lstsq(factor[:, c], factor[:, -1], rcond=None)[0]) ** 2
                ).sum()
            )
            for c in map(list, combinations(range(4), size))
        )
        np.testing.assert_allclose(best[size], rest + 1.0, rtol=1e-12)


def test_moments_of_some_columns_are_those_of_the_narrower_table():
    X, Y = table()
    columns = np.array([1, 4, 6])
    whole = moments(X, Y)
    narrow = Moments.of(X[:, columns], Y, shift=whole.shift[[1, 4, 6, 8]], exact=True)
    part = moments_of(whole, columns)
    np.testing.assert_allclose(part.pair.rounded, narrow.pair.rounded, rtol=1e-15)
    np.testing.assert_array_equal(part.shift, narrow.shift)


def test_errors_of_folds_are_those_of_searching_and_refitting_each():
    X, Y = table(60, 5)
    fold = np.random.default_rng(1).permutation(60) % 4
    groups = np.array([0, 0, 1, 2, 3])
    sums = GroupedMoments.of(X, Y, fold, 4, shift=common_shift(np.hstack([X, Y])))
    found = subset_errors(sums, True, groups, 5, 10**6)
    for k in range(4):
        rest, test = fold != k, fold == k
        best, last = by_trying_all(X[rest], Y[rest, 0], groups), None
        lowest = np.inf
        for size in range(6):
            if size in best and best[size][0] < lowest:
                lowest, columns = best[size][0], list(best[size][1])
                design = np.column_stack([np.ones(rest.sum()), X[rest][:, columns]])
                w = np.linalg.lstsq(design, Y[rest, 0], rcond=None)[0]
                prediction = np.column_stack([np.ones(test.sum()), X[test][:, columns]]) @ w
                last = ((Y[test, 0] - prediction) ** 2).mean()
            np.testing.assert_allclose(found[k, size], last, rtol=1e-9)
