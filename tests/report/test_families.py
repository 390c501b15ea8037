"""Families take part where they make sense, and say why where they do not."""

import pytest

from glaswerk.base import clone
from glaswerk.report.families import FAMILIES, ROWS_PER_TERM, Room, candidates_for


def test_each_family_builds_a_fresh_candidate_of_its_task():
    for family in FAMILIES:
        assert family.task in ("regression", "classification")
        if not family.refuses(Room(10_000, 3)):
            first = family.build()
            assert first is not family.build()
            assert type(clone(first)) is type(first)


@pytest.mark.parametrize(
    ("rows", "numbers", "there"), [(398, 7, True), (349, 7, False), (350, 7, True), (1000, 0, False)]
)
def test_squares_need_ten_rows_for_each_term(rows, numbers, there):
    found, said = candidates_for("regression", Room(rows, numbers))
    assert ("quadratic regression" in found) == there
    assert any("quadratic regression was left out" in s for s in said) == (not there)
    assert numbers * (numbers + 3) // 2 * ROWS_PER_TERM <= rows or not there


def test_a_task_gets_its_own_families_only():
    regression, _ = candidates_for("regression", Room(100, 1))
    classification, said = candidates_for("classification", Room(100, 1))
    assert "linear regression" in regression and "linear regression" not in classification
    assert len(said) == sum(family.task == "classification" for family in FAMILIES)
