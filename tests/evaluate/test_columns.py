"""Looking at columns: repeats, twins, identifiers and give-aways by hand, with oracles, and clean ones."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from glaswerk.evaluate.columns import (
    area,
    codes_by_first_row,
    constant_columns,
    identifier_like,
    purity,
    ranks,
    repeated_rows,
    same_columns,
    tells_class,
    tells_number,
    variance_between,
)

RNG = np.random.default_rng(0)
NAN = np.nan


def coded(columns):
    return {name: codes_by_first_row(column) for name, column in columns.items()}


def twins(**columns):
    return same_columns(columns, coded(columns))


def identifiers(**columns):
    return identifier_like(columns, coded(columns))


@pytest.mark.parametrize(
    ("column", "codes"),
    [
        (np.array([3.0, 1.0, 3.0, NAN, NAN]), [0, 1, 0, 2, 2]),
        (np.array(["b", "a", "b"]), [0, 1, 0]),
        (np.array(["b", None, "b", None], dtype=object), [0, 1, 0, 1]),
        (np.array([True, False]), [0, 1]),
    ],
)
def test_codes_in_order_of_appearance(column, codes):
    assert codes_by_first_row(column).tolist() == codes


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from("ab")), min_size=1, max_size=60))
def test_repeated_rows_are_those_of_pandas(rows):
    columns = {str(k): np.array(column) for k, column in enumerate(zip(*rows, strict=True))}
    assert repeated_rows(coded(columns)) == pd.DataFrame(rows).duplicated().sum()


def test_many_columns_of_many_values_do_not_overflow():
    columns = {str(k): RNG.normal(size=5000) for k in range(30)}
    twice = {name: np.r_[column, column[:7]] for name, column in columns.items()}
    assert repeated_rows(coded(columns)) == 0
    assert repeated_rows(coded(twice)) == 7


def test_constant_columns():
    assert constant_columns(coded({"a": np.full(3, NAN), "b": np.ones(3), "c": np.array(["x", "x", "y"])})) == [
        "a",
        "b",
    ]


def test_levels_that_correspond_one_to_one_say_the_same():
    school = RNG.integers(0, 5, 100)
    years = np.array([8.0, 3.0, 12.0, 5.0, 1.0])[school]
    assert twins(school=np.array(list("abcde"))[school], years=years) == [("years", "school")]


def test_numbers_that_are_all_different_correspond_only_if_equal():
    a, b = RNG.normal(size=(2, 100))
    assert twins(a=a, b=b) == []
    assert twins(a=a, b=b, c=a.copy(), d=-a) == [("c", "a")]
    with_gap = np.where(np.arange(100) == 3, NAN, a)
    assert twins(a=with_gap, b=with_gap.copy()) == [("b", "a")]


def test_constant_columns_are_no_twins():
    assert twins(a=np.ones(9), b=np.zeros(9)) == []


def test_three_of_a_kind_are_two_pairs():
    a = RNG.integers(0, 3, 50).astype(float)
    assert twins(a=a, b=a + 1, c=2 * a) == [("b", "a"), ("c", "a")]


@pytest.mark.parametrize(
    ("column", "found"),
    [
        (np.arange(100.0), True),
        (RNG.permutation(100).astype(float), True),
        (np.cumsum(RNG.integers(1, 9, 100)).astype(float), True),
        (np.array([f"car {k}" for k in range(100)]), True),
        (RNG.normal(size=100), False),
        (RNG.choice(100_000, 100, replace=False).astype(float), False),
        (RNG.integers(0, 9, 100).astype(float), False),
        (np.r_[NAN, np.arange(99.0)], False),
    ],
    ids=["row number", "shuffled", "rising", "names", "measured", "salaries", "few values", "with a gap"],
)
def test_what_looks_like_an_identifier(column, found):
    assert identifiers(column=column) == (["column"] if found else [])


def test_few_rows_may_differ_by_chance():
    assert identifiers(name=np.array(list("abcdefgh"))) == []


# ---- give-aways


def test_ranks_and_area_are_scipys_and_scikit_learns():
    values = RNG.integers(0, 9, 50).astype(float)
    assert ranks(values) == pytest.approx(stats.rankdata(values))
    classes = RNG.integers(0, 2, 50)
    assert area(values[classes == 0], values[classes == 1]) == pytest.approx(roc_auc_score(classes, values))


def test_a_monotone_column_gives_a_number_away():
    x = RNG.normal(size=200)
    codes = codes_by_first_row(x)
    assert tells_number(x, codes, -np.exp(x)) == pytest.approx(1.0)
    assert tells_number(x, codes, RNG.normal(size=200)) < 0.3
    assert tells_number(np.full(200, NAN), codes, x) == 0.0
    near = x + RNG.normal(size=200)
    assert tells_number(x, codes, near) == pytest.approx(stats.spearmanr(x, near).statistic)


def test_levels_give_a_number_away_by_the_variance_between_them():
    level = RNG.integers(0, 4, 200)
    target = level + 0.5 * RNG.normal(size=200)
    groups = [target[level == k] for k in range(4)]
    between = sum(len(g) * (g.mean() - target.mean()) ** 2 for g in groups) / ((target - target.mean()) ** 2).sum()
    assert variance_between(level, target) == pytest.approx(between)
    assert variance_between(np.arange(200), target) == 0.0
    assert variance_between(level, np.ones(200)) == 0.0


def test_separated_classes_are_given_away_whatever_their_order():
    target = np.repeat([0, 1, 2], 50)
    x = np.array([5.0, 1.0, 9.0])[target] + RNG.uniform(size=150)
    codes = codes_by_first_row(x)
    assert tells_class(x, codes, target) == 1.0
    assert tells_class(x, codes, RNG.permutation(target)) < 0.7
    assert tells_class(np.r_[x[:75], np.full(75, NAN)], codes, target) == 1.0


def test_pure_levels_give_the_class_away():
    target = RNG.integers(0, 2, 100)
    assert tells_class(np.array(["no", "yes"])[target], target, target) == 1.0
    assert purity(np.zeros(100, dtype=int), np.repeat([0, 1], [70, 30])) == 0.7
    assert purity(np.arange(100), target) == 0.0
