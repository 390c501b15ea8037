"""Choosing how many columns: rules, criteria where they end, and facts."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.facts import as_plain
from glaswerk.stats.subset_choice import SubsetChoice, choice_statement, sizes_curve, sizes_table, take


def choice(**changes):
    sizes = 5
    errors = np.array([[9.0, 4.0, 3.1, 3.2, 3.3], [8.0, 3.0, 2.9, 2.7, 3.4], [9.5, 3.5, 3.0, 2.9, 3.0]])
    plain = SubsetChoice(
        np.array([90.0, 40.0, 30.0, 29.8, 29.7]), np.tri(sizes, 4, -1).astype(bool), np.zeros(sizes), 12, errors, 2,
        30.0, 29.7 / 25, True,
    )  # fmt: skip
    return replace(plain, **changes)


def test_rules():
    assert take(choice(), "bic") == 2
    assert take(choice(), "cv") == 3
    assert take(choice(), "1se") == 2
    assert take(choice(rss=np.array([90.0, 40.0, 30.0, np.inf, 29.7])), "cv") == 2


def test_criteria_agree_with_each_other():
    found = choice()
    np.testing.assert_array_equal(found.parameters, [1, 2, 3, 4, 5])
    np.testing.assert_allclose(found.cp()[-1], 5.0)  # by construction: with all columns Cp is their number
    np.testing.assert_allclose(found.adjusted()[0], 0.0)
    assert (found.adjusted() <= found.r2()).all()
    assert np.isnan(choice(full_variance=np.nan).cp()).all()


def test_a_fit_without_rest_has_a_bic_and_one_without_freedom_no_adjusted_r2():
    perfect = choice(rss=np.array([90.0, 40.0, 0.0, 0.0, 0.0]))
    assert take(perfect, "bic") == 2
    few = choice(weight=3.0)
    assert np.isnan(few.adjusted()[2:]).all()


def test_facts_name_what_was_taken_and_what_was_not_proved():
    names = ("a", "b", "c", "d")
    table = sizes_table(choice(), names, "y")
    assert [row[9] for row in table.rows] == ["none", "a", "a, b", "a, b, c", "a, b, c, d"]
    assert [row[10] for row in table.rows] == ["", "", "taken", "", ""]
    curve = sizes_curve(choice(), "y")
    assert curve.marks == ((2.0, "taken"),)
    assert len(curve.lines) == 2
    assert len(sizes_curve(choice(errors=np.zeros((0, 0))), "y").lines) == 1
    for fact in (table, curve):
        assert as_plain(fact)
    open_search = choice(gap=np.array([0, 0, 0.01, 0.02, 0]))
    assert "at most 2 %" in choice_statement(open_search, names, "BIC").sentences[1]
    assert [row[8] for row in sizes_table(open_search, names, "y").rows][2] == "1 %"
    lacking = choice(rss=np.array([90.0, np.inf, 30.0, 29.8, 29.7]))
    assert "sizes left out, because a smaller subset does as well: 1" in sizes_table(lacking, names, "y").notes[0]


def test_a_choice_whose_parts_do_not_fit_is_refused():
    choice().check()
    for change in ({"taken": 9}, {"gap": np.zeros(2)}, {"errors": np.zeros((3, 2))}):
        with pytest.raises(ValueError, match="do not fit together"):
            choice(**change).check()
