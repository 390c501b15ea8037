"""Moments: the shifted Gram against rational numbers, its shift, its groups, the digits that offsets must not cost."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.stats.moments import NARROW, GroupedMoments, Moments, common_shift, wide_gram
from glaswerk.stats.normal import normal_equations
from tests.stats.rational import rational, rational_covariance, rational_gram

TOLERANCE = {False: 1e-14, True: 1e-28}  # of the largest sum possible, for doubles and for pairs


def off_by(moments, wanted):
    """Largest error of the whole Gram, relative to the products of the columns' lengths."""
    lengths = np.sqrt(np.maximum(np.diagonal(wanted).astype(float), 1e-300))
    return np.abs((rational(*moments.pair) - wanted).astype(float) / np.outer(lengths, lengths)).max()


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_moments_are_the_sums_of_products_of_shifted_columns(rows, weighted, exact):
    X, Y, weight, shift = rows
    weight = weight if weighted else np.zeros(0)
    moments = Moments.of(X, Y, weight, shift=shift, exact=exact)
    assert off_by(moments, rational_gram(X, Y, weight, shift)) < TOLERANCE[exact]
    assert moments.count == (np.count_nonzero(weight) if weighted else 60)
    assert moments.weight == pytest.approx(weight.sum() if weighted else 60, rel=1e-14)
    moments.check()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [0, 1, 4095, 4096, 4097])
def test_many_columns_go_another_way_to_the_same_sums(n, weighted):
    rng = np.random.default_rng(n)
    X, Y = rng.normal(size=(n, NARROW)) + 5, rng.normal(size=(n, 1))
    weight, shift = rng.uniform(size=n) if weighted else np.zeros(0), np.full(NARROW + 1, 4.75)
    moments = Moments.of(X, Y, weight, shift=shift)
    assert np.array_equal(moments.gram, wide_gram(X, Y, weight, shift))
    A = np.column_stack([X - 4.75, Y - 4.75, np.ones(n)])
    lengths = np.sqrt((A**2).sum(axis=0))
    wanted = np.tril(A.T @ (A * weight[:, None] if weighted else A))
    assert (np.abs(moments.gram - wanted) <= 1e-13 * np.outer(lengths, lengths)).all()


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("d", [2, NARROW])
def test_memory_order_leaves_no_trace(order, exact, d):
    rng = np.random.default_rng(d)
    X, Y, shift = rng.normal(size=(300, d)), rng.normal(size=(300, 2)), np.zeros(d + 2)
    laid = np.asarray(X, order=order), np.repeat(Y, 2, axis=0)[::2]
    found, wanted = (Moments.of(*r, shift=shift, exact=exact) for r in (laid, (X, Y)))
    assert found.gram.tobytes() == wanted.gram.tobytes()
    assert found.gram_low.tobytes() == wanted.gram_low.tobytes()


def test_low_parts_of_the_columns_enter_an_exact_sum(rows):
    X, Y, _weight, shift = rows
    low = X * 2.0**-55
    moments = Moments.of(X, Y, shift=shift, exact=True, X_low=low)
    A = np.column_stack([rational(X, low), rational(Y)]) - rational(shift)
    assert (
        off_by(moments, np.column_stack([A, rational(np.ones(60))]).T.dot(np.column_stack([A, rational(np.ones(60))])))
        < 1e-28
    )


@pytest.mark.parametrize("exact", [False, True])
def test_another_shift_sees_the_same_rows(rows, exact):
    X, Y, weight, shift = rows
    new = np.array([3.5, 40.0, 0.0, 7.0])
    moved = Moments.of(X, Y, weight, shift=shift, exact=exact).rebased(new)
    assert off_by(moved, rational_gram(X, Y, weight, new)) < (1e-27 if exact else 1e-14)
    assert np.array_equal(moved.shift, new)
    assert moved.exact is exact


def test_sums_of_unequal_shifts_keep_the_coordinates_of_the_fuller_one(rows):
    X, Y, _weight, shift = rows
    few, many = Moments.of(X[:9], Y[:9], shift=shift + 1), Moments.of(X[9:], Y[9:], shift=shift)
    for total in (few + many, many + few):
        assert np.array_equal(total.shift, shift)
        assert off_by(total, rational_gram(X, Y, np.zeros(0), shift)) < 1e-14


def test_an_exact_sum_and_a_plain_one_add_up_to_a_plain_one(rows):
    X, Y, _weight, shift = rows
    parts = Moments.of(X[:9], Y[:9], shift=shift, exact=True), Moments.of(X[9:], Y[9:], shift=shift)
    for total in (parts[0] + parts[1], parts[1] + parts[0]):
        assert not total.exact
        assert off_by(total, rational_gram(X, Y, np.zeros(0), shift)) < 1e-14


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e6, -1e6])
def test_columns_a_million_deviations_from_zero_keep_12_digits_of_their_covariances(offset, exact):
    rng = np.random.default_rng(3)
    X = offset + rng.normal(size=(700, 3)) @ rng.normal(size=(3, 3))
    Y = offset + X @ [[1.0], [0.5], [-2.0]] + rng.normal(size=(700, 1))
    shift = common_shift(np.column_stack([X, Y])[:128])
    parts = [Moments.of(X[k : k + 100], Y[k : k + 100], shift=shift, exact=exact) for k in range(0, 700, 100)]
    normal = normal_equations(sum(parts[1:], start=parts[0]), centred=True)
    wanted = rational_covariance(X, Y, np.zeros(0)).astype(float)
    lengths = np.sqrt(np.diagonal(wanted))
    assert (np.abs(np.tril(normal.A.rounded - wanted[:3, :3])) <= 1e-12 * np.outer(lengths, lengths)[:3, :3]).all()
    assert (np.abs(normal.B.rounded - wanted[3:, :3]) <= 1e-12 * np.outer(lengths, lengths)[3:, :3]).all()
    assert np.allclose(normal.mean.rounded, X.mean(axis=0), rtol=1e-14, atol=1e-14)


def test_the_shift_lies_within_a_thirty_second_of_the_range_from_the_mean():
    rng = np.random.default_rng(5)
    sample = rng.normal(size=(64, 4)) * [1.0, 1e-8, 1e9, 3.0] + [0.0, 1.0, 5.0, 1e7]
    away = np.abs(common_shift(sample) - sample.mean(axis=0))
    assert (away <= (sample.max(axis=0) - sample.min(axis=0)) / 16).all()


def test_the_shift_of_a_constant_column_is_the_constant_and_of_whole_numbers_short():
    sample = np.column_stack([np.full(10, 0.1), np.arange(1e6, 1e6 + 10)])
    shift = common_shift(sample)
    assert shift[0] == 0.1
    assert (shift[1] * 4).is_integer()
    assert 1e6 <= shift[1] <= 1e6 + 9


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("gram", np.zeros((3, 3)), r"the Gram of 4 columns must be 5 × 5, got \(3, 3\)"),
        ("gram_low", np.zeros((2, 2)), "the Gram of 4 columns"),
        ("n_targets", 5, "no more targets than columns"),
        ("gram", np.zeros((5, 5), dtype=np.float32), "moments need float64 sums"),
    ],
)
def test_moments_that_fit_together_badly_are_refused(rows, field, value, message):
    X, Y, weight, shift = rows
    with pytest.raises(ValueError, match=message):
        replace(Moments.of(X, Y, weight, shift=shift, exact=True), **{field: value}).check()


# --- by fold and by class -------------------------------------------------------------------------------------------


@pytest.fixture(params=["folds", "classes with an empty one", "a single group"])
def grouped(request, rows):
    X, Y, weight, shift = rows
    group = {
        "folds": np.arange(60) % 5,
        "classes with an empty one": np.random.default_rng(1).choice([0, 2, 3], 60),
        "a single group": np.zeros(60, dtype=int),
    }[request.param]
    n_groups = {"folds": 5, "classes with an empty one": 4, "a single group": 1}[request.param]
    return GroupedMoments.of(X, Y, group, n_groups, weight, shift=shift), group


def test_each_group_holds_the_moments_of_its_own_rows(rows, grouped):
    X, Y, weight, shift = rows
    moments, group = grouped
    for k in range(len(moments)):
        own = group == k
        wanted = Moments.of(X[own], Y[own], weight[own], shift=shift)
        assert np.array_equal(moments.part(k).gram, wanted.gram)
        assert moments.part(k).count == wanted.count


def test_the_groups_add_up_to_the_whole(rows, grouped):
    X, Y, weight, shift = rows
    total = grouped[0].total()
    assert off_by(total, rational_gram(X, Y, weight, shift)) < 1e-14
    assert total.count == np.count_nonzero(weight)


def test_all_but_each_is_the_direct_sum_of_the_others(rows, grouped):
    X, Y, weight, shift = rows
    moments, group = grouped
    others = moments.all_but_each()
    for k in range(len(moments)):
        left = group != k
        wanted = rational_gram(X[left], Y[left], weight[left], shift) if left.any() else rational(np.zeros((5, 5)))
        assert off_by(others.part(k), wanted) < 1e-14
        assert others.count[k] == np.count_nonzero(weight[left])


def test_all_but_each_subtracts_nothing_and_so_keeps_small_groups_beside_a_huge_one():
    X, group = np.array([[1e12], [1.0], [2.0]]), np.array([0, 1, 2])
    others = GroupedMoments.of(X, X, group, 3, shift=np.zeros(2)).all_but_each()
    assert others.part(0).gram[0, 0] == 5.0


def test_a_group_number_beyond_those_announced_is_refused(rows):
    X, Y, weight, shift = rows
    for group in (np.full(60, 3), np.full(60, -1)):
        with pytest.raises(ValueError, match=r"group numbers must lie in 0 … 2, got -?\d"):
            GroupedMoments.of(X, Y, group, 3, weight, shift=shift)


def test_grouped_moments_without_a_count_for_each_group_are_refused(grouped):
    with pytest.raises(ValueError, match="one Gram and one count per group"):
        replace(grouped[0], count=grouped[0].count[:-1]).check()
