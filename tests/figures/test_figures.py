"""Every figure of every kind of fact: it draws, stays small, says its numbers, and holds its user's text as text."""

import json
import re

import pytest

from glaswerk.facts import Goodness, Statement, Table
from glaswerk.figures import Figure, figures_of
from glaswerk.figures.render import compiled
from glaswerk.figures.theme import CONFIG
from glaswerk.figures.thinning import MOST_MARKS
from tests.figures.samples import EMPTY, FACTS, HOSTILE

FIGURES = {
    f"{kind}: {figure.name}": figure for kind, fact in FACTS.items() for figure in figures_of(fact)[:9]
}  # a card has a figure for each of its columns: nine tell enough
each_figure = pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)


def walked(node):
    """Every dictionary inside a specification."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from walked(item)


def strings(node):
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from strings(value)
    elif isinstance(node, list):
        for item in node:
            yield from strings(item)


def marks(figure):
    return sum(len(layer["data"]["values"]) for layer in figure.spec["layer"])


@each_figure
def test_it_compiles_and_needs_nothing_from_elsewhere(figure):
    vega = compiled(figure.standing_alone())
    assert vega["marks"]
    assert not [node for node in walked(vega) if isinstance(node.get("url"), str)]
    json.dumps(figure.spec, allow_nan=False).encode()


@each_figure
def test_it_never_holds_more_than_two_thousand_marks(figure):
    assert 0 < marks(figure) <= MOST_MARKS


@each_figure
def test_its_sentence_says_numbers_and_it_has_a_table_and_a_name_for_addresses(figure):
    assert re.search(r"\d", figure.alt)
    assert figure.alt.endswith(".")
    assert "\n" not in figure.alt + figure.title + figure.note
    assert len(figure.title) < 200
    assert len(figure.alt) < 800
    assert isinstance(figure.table, Table)
    assert figure.table.rows
    assert re.fullmatch(r"[a-z0-9-]+", figure.name)


@each_figure
def test_it_draws_text_and_shapes_and_nothing_that_runs(figure):
    svg = figure.svg(width=340)
    assert svg.startswith("<svg")
    assert not re.search(r"<script|<foreignObject|<a |<image|javascript:|\son\w+=", svg)


@each_figure
def test_text_can_be_read(figure):
    sizes = [node[key] for node in walked([figure.spec, CONFIG]) for key in node if key.endswith("ontSize")]
    assert min(sizes) >= 11


@each_figure
def test_fields_and_expressions_are_ours(figure):
    """The user's text never becomes a field name, an expression or a signal, as compiled by Vega-Lite neither."""
    ours = {
        "x",
        "y",
        "x2",
        "y2",
        "row",
        "group",
        "tip",
        "text",
        "label",
        "share",
        "count",
        "part",
        "fill",
        "zero",
        "z",
        "n",
    }
    fields = {node["field"] for node in walked(figure.spec) if isinstance(node.get("field"), str)}
    assert fields <= ours
    vega = compiled(figure.standing_alone())
    code = [
        node[key]
        for node in walked(vega)
        for key in ("signal", "expr", "test", "update", "init")
        if isinstance(node.get(key), str)
    ]
    for text in ("alert", "datum.x +", "location", "bell", "'c'", "'width'", "surrogate", "right to left"):
        assert not [c for c in code if text in c], text


@pytest.mark.parametrize("name", EMPTY)
def test_a_fact_without_numbers_has_no_picture(name):
    assert figures_of(EMPTY[name]) == ()


def test_a_kind_without_a_picture_has_none():
    assert figures_of(Statement("Verdict", ("Good.",))) == ()
    assert figures_of(Goodness("y", 3, 3.0, 1.0, 0.1, 1.0, 0.9, 0.3, 10.0, 1.0)) == ()


@pytest.mark.parametrize("name", FACTS)
def test_names_are_unique_within_a_fact_and_the_same_fact_gives_the_same_figures(name):
    first, again = figures_of(FACTS[name]), figures_of(FACTS[name])
    assert len({figure.name for figure in first}) == len(first) > 0
    assert [(f.spec, f.alt, f.note, f.title) for f in first] == [(f.spec, f.alt, f.note, f.title) for f in again]


def test_the_same_figure_gives_the_same_bytes():
    figure = figures_of(FACTS["comparison of cars"])[0]
    assert figure.svg() == figure.svg()
    assert figure.png() == figure.png()


def test_hostile_text_is_shown_short_and_on_one_line():
    figure = figures_of(FACTS["hostile coefficients"])[0]
    shown = {text for layer in figure.spec["layer"] for row in layer["data"]["values"] for text in [row.get("row", "")]}
    assert len(shown - {""}) == len(HOSTILE)
    assert max(map(len, shown)) <= 60
    assert "<script>alert(1)</script>" in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in figure.svg()
    assert not any("\u202e" in text or "\n" in text for text in shown)


def test_no_figure_is_wider_than_asked():
    for name in ("coefficients of cars", "ridge path", "wild comparison", "confusion of 10"):
        for width in (340, 720):
            for figure in figures_of(FACTS[name]):
                found = re.search(r'<svg[^>]* width="(\d+)"', figure.svg(width=width))
                assert int(found[1]) <= width + 1, name


def test_a_figure_in_the_other_language_is_drawn_as_such():
    table = Table("t", ("x",), ((1.0,),))
    circle = {"type": "symbol", "encode": {"enter": {"x": {"value": 50}, "y": {"value": 50}, "size": {"value": 900}}}}
    figure = Figure("dot", "A dot", "One dot.", {"width": 100, "height": 100, "marks": [circle]}, table)
    assert figure.language == "vega"
    assert "<path" in figure.svg()
    assert figure.standing_alone()["$schema"].endswith("/vega/v6.json")
