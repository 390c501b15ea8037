"""Facts: plain data with a table each, the same numbers wherever they are shown."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaswerk import LinearRegression
from glaswerk.facts import (
    Coefficient,
    Coefficients,
    Facts,
    Goodness,
    MethodCard,
    Numerics,
    Slider,
    Statement,
    Steps,
    Table,
    as_plain,
    shown,
)


def facts():
    return LinearRegression().fit([[-0.2], [0.2], [1.0]], [0.49, 0.64, 1.39]).facts()


def test_a_table_prints_aligned_with_words_left_and_numbers_right():
    table = Table("Title", ("name", "value"), (("a", 1.5), ("long name", None)), ("a note",))
    assert str(table).splitlines() == [
        "Title",
        "────────────────",
        "name       value",
        "a            1.5",
        "long name",
        "  a note",
    ]


@pytest.mark.parametrize(
    ("cell", "text"),
    [(None, ""), (True, "yes"), (False, "no"), (math.nan, "nan"), (1 / 3, "0.333333"), (1e-20, "1e-20"), (7, "7")],
)
def test_cells_are_shown_in_six_digits(cell, text):
    assert shown(cell) == text


def test_every_fact_has_a_table_with_as_many_cells_as_columns():
    for fact in facts():
        table = fact.table()
        assert table.title
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_printing_shows_every_fact_in_order():
    text = str(facts())
    titles = ["Coefficients for y", "Fit of y", "Numerics", "Method: linear regression"]
    assert [text.index(title) for title in titles] == sorted(text.index(title) for title in titles)
    assert "0.776786" in text


def test_json_is_standard_and_has_none_for_what_json_lacks():
    row = Coefficient("x", 1.0, math.nan, math.inf)
    dumped = json.dumps(Facts([Coefficients("y", 0.9, (row,))]).to_json(), allow_nan=False)
    (fact,) = json.loads(dumped)
    assert fact["fact"] == "Coefficients"
    assert fact["rows"][0] == {
        "name": "x", "estimate": 1.0, "standard_error": None, "t": None, "p": None, "lower": None, "upper": None,
        "inflation": None,
    }  # fmt: skip


def test_facts_are_found_by_kind():
    assert len(facts().of_kind(Coefficients)) == len(facts().of_kind(Goodness)) == 1
    assert facts().of_kind(Numerics)[0].rank == 1
    assert facts().of_kind(MethodCard)[0].equations


# Steps

COST, WIDTH = Slider("C", ("0.1", "1", "10")), Slider("gamma", ("wide", "narrow"))


def steps(chosen=3):
    facts = tuple((Statement("", (f"{k}",)),) for k in range(6))
    return Steps("Under other settings", (COST, WIDTH), facts, tuple("abcdef"), chosen)


def test_the_second_slider_runs_fastest():
    assert [steps().at(k) for k in range(3)] == [("0.1", "wide"), ("0.1", "narrow"), ("1", "wide")]
    assert steps().stands() == (1, 1)


@given(st.integers(1, 7), st.integers(1, 7), st.data())
def test_a_place_is_found_again_from_its_sliders(first, second, data):
    place = data.draw(st.integers(0, first * second - 1))
    sliders = (Slider("a", tuple(map(str, range(first)))), Slider("b", tuple(map(str, range(second)))))
    j, k = Steps("", sliders, ((),) * (first * second), ("",) * (first * second)).stands(place)
    assert j * second + k == place


def test_steps_as_a_table_have_a_row_for_every_place():
    table = steps().table()
    assert table.columns == ("C", "gamma", "what is seen", "")
    assert table.rows[3] == ("1", "narrow", "d", "shown first")
    assert [row[-1] for row in table.rows].count("shown first") == 1


def test_facts_within_steps_say_what_they_are():
    plain = as_plain(steps())
    assert plain["fact"] == "Steps"
    assert plain["facts"][2][0] == {"fact": "Statement", "heading": "", "sentences": ["2"]}
    assert plain["sliders"][0] == {"name": "C", "places": ["0.1", "1", "10"]}
