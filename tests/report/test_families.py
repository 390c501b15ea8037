"""Families take part where they make sense, and say why where they do not."""

import pytest

from glaswerk.base import clone
from glaswerk.facts import MethodCard
from glaswerk.report.families import FAMILIES, MOST_SUBSET, ROWS_PER_TERM, Room, candidates_for, families_for


def test_each_family_builds_a_fresh_candidate_of_its_task():
    for family in FAMILIES:
        assert family.task in ("regression", "classification")
        first = family.build()
        assert first is not family.build()
        assert type(clone(first)) is type(first)
        assert isinstance(family.card, MethodCard)
        assert family.growth >= 1 and (family.most is None or family.most >= 1_000)


def test_names_are_unique_and_short():
    names = [family.name for family in FAMILIES]
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
