"""Coefficients in words, and the limits of a report."""

import numpy as np

from glaswerk import LinearRegression, PolynomialBasis
from glaswerk.facts import Coefficient, Coefficients, MethodCard, Statement
from glaswerk.model import Model, TableDesign
from glaswerk.report.inside import in_words, inside_facts, subject
from glaswerk.report.limits import not_checked
from glaswerk.table import read_table

X = np.arange(30.0)
TABLE = read_table({"x": X, "y": 2 * X + np.sin(9 * X), "name": [f"row number {k} of the table" for k in range(30)]})
MODEL = Model(LinearRegression()).fit(TABLE, target="y")


def test_a_coefficient_is_read_aloud_per_unit_with_its_interval():
    statement, coefficients, *_ = inside_facts(MODEL, MODEL.facts())
    row = next(row for row in coefficients.rows if row.name == "x")
    assert statement.sentences[0].startswith("One more of x, everything else equal, goes with ")
    assert f"{row.estimate:.4g} more y (95 % interval {row.lower:.4g} to {row.upper:.4g})" in statement.sentences[0]
    assert "need not be an effect" in statement.sentences[-1]


def test_levels_flags_and_gaps_are_named_for_what_they_are():
    cells = {"size": [None, *map(float, range(29))], "sold": ["no", "yes"] * 15, "colour": ["red", "red", "blue"] * 10}
    model = Model(LinearRegression()).fit({**cells, "y": X + (np.arange(30) % 3)}, target="y")
    said = {name: subject(name, model) for name in model.design_.names_}
    assert said == {
        "size": "One more of size",
        "size is missing": "A missing size",
        "sold: yes": "sold: yes instead of no",
        "colour: blue": "colour: blue instead of red",
    }


def test_squares_are_not_read_one_by_one():
    bent = Model(LinearRegression(), TableDesign(basis=PolynomialBasis(2))).fit(TABLE, target="y")
    statement, *_ = inside_facts(bent, bent.facts())
    assert "no coefficient can be read alone" in statement.sentences[0]


def test_what_may_be_zero_is_not_read_aloud():
    unsure = Coefficients("y", 0.95, (Coefficient("x", 1.0, 1.0, 1.0, 0.3, -1.0, 3.0), Coefficient("z", 1.0)))
    assert not list(in_words(unsure, MODEL))


def test_log_odds_are_read_as_factors():
    row = Coefficient("x", np.log(2.0), 0.1, 7.0, 0.0, np.log(1.5), np.log(3.0))
    (statement,) = in_words(Coefficients("t: log-odds of 'b' against 'a'", 0.95, (row,)), MODEL)
    assert "goes with odds of 'b' against 'a' times 2 (95 % interval 1.5 to 3)" in statement.sentences[0]


def test_an_odds_factor_beyond_all_numbers_is_no_error():
    row = Coefficient("x", 5e3, 1.0, 7.0, 0.0, 4e3, 6e3)
    (statement,) = in_words(Coefficients("log-odds of 'b'", 0.95, (row,)), MODEL)
    assert "times" in statement.sentences[0]


def test_method_cards_and_statements_stand_elsewhere():
    kinds = {type(fact) for fact in list(inside_facts(MODEL, MODEL.facts()))[1:]}
    assert not kinds & {MethodCard, Statement}
    assert MODEL.facts().of_kind(MethodCard)


def test_what_was_not_checked_follows_from_the_table():
    plain = not_checked("regression", TABLE, None, 2)
    assert not any("set aside" in s or "missing" in s or "choosing" in s for s in plain.sentences)
    gaps = read_table(
        {"x": [1.0, None, 3.0], "when": ["2024-01-01", "2024-01-02", "2024-01-03"]}, kinds={"when": "date"}
    )
    full = " ".join(not_checked("classification", gaps, MODEL, 3).sentences)
    for word in ("set aside", "missing", "choosing", "dates", "Causes", "independent"):
        assert word in full
