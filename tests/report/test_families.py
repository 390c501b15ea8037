"""Families take part where they make sense, and say why where they do not."""

import pytest

from glaswerk import learners
from glaswerk.base import Classifier, Regressor, clone
from glaswerk.evaluate import Search
from glaswerk.facts import MethodCard
from glaswerk.report.families import (
    BY_NAME,
    FAMILIES,
    LABORATORY,
    MOST_NEAR,
    MOST_SUBSET,
    ROWS_PER_TERM,
    SEARCH_ROWS,
    Room,
    built,
    candidates_for,
    families_for,
    learner_of,
)


def test_each_family_builds_a_fresh_candidate_of_its_task():
    for family in BY_NAME:
        assert family.task in ("regression", "classification")
        first = family.build()
        assert first is not family.build()
        assert type(clone(first)) is type(first)
        assert isinstance(family.card, MethodCard)
        assert family.growth >= 1 and (family.most is None or family.most >= 1_000)


def test_what_is_searched_is_searched_on_a_sample_and_named():
    for family in FAMILIES:
        search = family.build().learner
        if isinstance(search, Search):
            assert search.sample == SEARCH_ROWS and search.cv >= 3
            assert "rows left out" in family.says


@pytest.mark.parametrize(("numbers", "terms", "there"), [(3, 3, True), (3, MOST_NEAR + 1, False), (0, 5, False)])
def test_nearness_wants_few_columns(numbers, terms, there):
    assert ("local lines" in candidates_for("regression", Room(500, numbers, terms))) == there


def test_every_learner_of_a_task_is_raced_or_has_its_place_in_one_that_is():
    raced = {type(learner_of(family.build())).__name__ for family in FAMILIES}
    instead = {
        "Ridge": "RidgeCV", "GradientDescentRegressor": "LinearRegression", "Adaline": "LinearRegression",
        "UnifiedLocalModel": "LocallyWeightedRegression", "FisherDiscriminant": "LinearDiscriminantAnalysis",
        "Perceptron": "SVC", "GaussianNB": "NaiveBayes", "CategoricalNB": "NaiveBayes",
        "ID3Classifier": "DecisionTreeClassifier",
        "FindS": None, "CandidateElimination": None, "BayesOptimalClassifier": None,  # concepts without noise
    }  # fmt: skip
    answers = {name for name in learners.__all__ if issubclass(getattr(learners, name), Regressor | Classifier)}
    assert answers == raced | set(instead)
    assert {other for other in instead.values() if other} <= raced


def test_names_are_unique_and_short():
    names = [family.name for family in BY_NAME]
    assert len(set(names)) == len(names) and max(map(len, names)) <= 30


@pytest.mark.parametrize(
    ("rows", "numbers", "there"), [(398, 7, True), (349, 7, False), (350, 7, True), (1000, 0, False)]
)
def test_squares_need_ten_rows_for_each_term(rows, numbers, there):
    found, said = families_for("regression", Room(rows, numbers, numbers))
    assert ("quadratic regression" in [family.name for family in found]) == there
    assert any("quadratic regression was left out" in s for s in said) == (not there)
    assert numbers * (numbers + 3) // 2 * ROWS_PER_TERM <= rows or not there


def test_a_task_gets_its_own_families_only():
    regression = candidates_for("regression", Room(100, 1))
    classification, said = candidates_for("classification", Room(100, 1)), families_for("classification", Room(9, 1))[1]
    assert "linear regression" in regression and "linear regression" not in classification
    assert len(said) == sum(family.task == "classification" for family in FAMILIES)


@pytest.mark.parametrize(("terms", "there"), [(1, False), (2, True), (MOST_SUBSET, True), (MOST_SUBSET + 1, False)])
def test_subsets_are_searched_where_a_moment_is_enough(terms, there):
    assert ("best subset" in candidates_for("regression", Room(1000, 1, terms))) == there


@pytest.mark.parametrize("task", ["regression", "classification"])
def test_the_laboratory_is_built_by_name_and_races_in_no_report(task):
    lab = {family.name for family in LABORATORY if family.task == task}
    assert lab and lab.isdisjoint(candidates_for(task, Room(500, 3, 3, 2)))
    assert set(built(*lab)) == lab
