"""Plans: every row tested once per repeat, classes and groups kept, fewer folds with a reason, refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.evaluate import ArrayProblem
from glaswerk.evaluate.plan import plan_folds

quick = settings(deadline=None, max_examples=60)


def problem(y, **options):
    return ArrayProblem(np.zeros((len(y), 1)), y, **options)


@quick
@given(st.integers(4, 60), st.integers(2, 12), st.integers(1, 3), st.integers(0, 99))
def test_each_repeat_tests_each_row_once_and_trains_on_the_others(n, folds, repeats, seed):
    plan = plan_folds(problem(np.arange(float(n))), folds, repeats, seed)
    rounds = plan.rounds()
    assert len(rounds) == repeats * plan.n_folds
    for repeat in range(repeats):
        tested = np.concatenate([one.test for one in rounds if one.repeat == repeat])
        assert sorted(tested.tolist()) == list(range(n))
    assert all(len(one.train) + len(one.test) == n and not set(one.train) & set(one.test) for one in rounds)


def test_more_repeats_continue_the_same_sequence():
    y = np.arange(30.0)
    few, many = plan_folds(problem(y), 5, 2, 7), plan_folds(problem(y), 5, 4, 7)
    assert (many.fold_of_row[:2] == few.fold_of_row).all()
    assert (many.fold_of_row[2] != many.fold_of_row[1]).any()


def test_classes_are_spread_evenly():
    y = np.array(["a"] * 40 + ["b"] * 20)
    plan = plan_folds(problem(y), 10, 2, 0)
    assert plan.stratified
    for one in plan.rounds():
        assert np.unique(y[one.test], return_counts=True)[1].tolist() == [4, 2]


@quick
@given(st.lists(st.integers(0, 6), min_size=8, max_size=40), st.integers(0, 9))
def test_groups_are_never_cut(groups, seed):
    if len(set(groups)) < 2:
        return
    plan = plan_folds(problem(np.arange(float(len(groups))), groups=groups), 4, 2, seed)
    for one in plan.rounds():
        assert not set(np.array(groups)[one.train]) & set(np.array(groups)[one.test])


def test_groups_go_before_classes():
    y, groups = np.array(["a", "b"] * 6), np.repeat(np.arange(6), 2)
    plan = plan_folds(problem(y, groups=groups), 3, 1, 0)
    assert not plan.stratified
    assert plan.says == "grouped 3-fold cross-validation (seed 0)"


def test_rows_of_weight_zero_are_no_rows():
    y = np.arange(20.0)
    weight = np.r_[np.zeros(5), np.ones(15)]
    plan = plan_folds(problem(y, sample_weight=weight), 5, 2, 3)
    assert (plan.fold_of_row[:, :5] == -1).all()
    assert (plan.fold_of_row[:, 5:] == plan_folds(problem(y[5:]), 5, 2, 3).fold_of_row).all()
    assert not any(set(range(5)) & {*one.train, *one.test} for one in plan.rounds())


@pytest.mark.parametrize(
    ("y", "options", "folds", "note"),
    [
        (np.arange(12.0), {}, 6, "6 folds instead of 10: each fold should test 2 of the 12 rows"),
        (["a"] * 9 + ["b"] * 5, {}, 5, "5 folds instead of 10: class 'b' has 5 row"),
        (np.arange(40.0), {"groups": np.arange(40) % 3}, 3, "3 folds instead of 10: there are 3 groups"),
    ],
)
def test_fewer_folds_have_a_reason(y, options, folds, note):
    plan = plan_folds(problem(y, **options), 10, 1, 0)
    assert plan.n_folds == folds
    assert note in plan.notes[0]


def test_rare_ones_of_many_classes_are_told_of():
    plan = plan_folds(problem(["a"] * 30 + ["b"] * 30 + ["c"] * 3), 10, 1, 0)
    assert plan.n_folds == 10
    assert plan.notes == ("classes with fewer rows than folds, not tested in every fold: c (3)",)


def test_the_plan_in_words():
    assert plan_folds(problem(np.arange(50.0)), 10, 3, 0).says == (
        "shuffled 10-fold cross-validation, repeated 3 times (seed 0)"
    )


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        (np.arange(3.0), {}, "'y' needs two folds: each fold should test 2 of the 3 rows"),
        (["a"] * 9, {}, "all 9 rows are of class 'a'"),
        (["a"] * 9 + ["b"], {}, r"class 'b' has 1 row\(s\)"),
        (np.arange(9.0), {"groups": ["same"] * 9}, "there are 1 groups"),
    ],
)
def test_what_cannot_be_validated_is_refused(y, options, message):
    with pytest.raises(ValueError, match=message):
        plan_folds(problem(y, **options), 10, 1, 0)


@pytest.mark.parametrize(("arguments", "name"), [((1, 1, 0), "folds"), ((2, 0, 0), "repeats"), ((2, 1, -1), "seed")])
def test_numbers_that_make_no_plan_are_refused(arguments, name):
    with pytest.raises(ValueError, match=f"{name} must be a whole number"):
        plan_folds(problem(np.arange(9.0)), *arguments)


def test_in_order_of_time_every_fold_is_after_what_it_was_trained_on():
    rng = np.random.default_rng(0)
    times = rng.permutation(np.repeat(np.arange(30), 3))
    problem = ArrayProblem(np.zeros((90, 1)), rng.normal(size=90), times=times)
    plan = plan_folds(problem, 5, 3, 0)
    rounds = plan.rounds()
    assert len(rounds) == 5
    for one in rounds:
        assert times[one.train].max() < times[one.test].min()
    tested = np.concatenate([one.test for one in rounds])
    assert len(np.unique(tested)) == len(tested) == 75
    assert (plan.fold_of_row[0, times < 5] == -1).all()
    assert "order of time" in plan.says
    assert "one repeat: time has one order" in plan.notes


def test_rows_of_one_moment_are_never_parted_and_rows_without_weight_are_no_rows():
    times = np.array([0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 9, 9, 9])
    weight = np.ones(16)
    weight[3] = 0
    problem = ArrayProblem(np.zeros((16, 1)), np.arange(16.0), weight, times=times)
    plan = plan_folds(problem, 3, 1, 0)
    for one in plan.rounds():
        assert not set(times[one.train]) & set(times[one.test])
        assert 3 not in one.train
    with pytest.raises(ValueError, match="order of time needs three stretches: there are 2 moments"):
        plan_folds(ArrayProblem(np.zeros((8, 1)), np.arange(8.0), times=np.arange(8) % 2), 3, 1, 0)
