"""Evidence adds: whatever the cut of the rows, the counts are the same, and so are the decisions."""

from dataclasses import fields

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.table import distinct
from glaswerk.table.distinct import Distinct
from glaswerk.table.evidence import Evidence, observe, plain_numbers

CELLS = st.sampled_from(
    ["1", "2", "-3", "007", "1.5", "1.234", "1,234", "1.234,5", "1,234.5", "1e5", "1e400", "99999999999999999999",
     " 4 ", "", "NA", "?", "None", "inf", "1 234", "−5", "yes", "no", "word", " word", "1/2/2020", "25/3/2020",
     "3/25/2020", "2020-01-02", "1.2.20", "2020-01-02T10:00Z", "3.3.2020", None]
)  # fmt: skip


def counts(evidence):
    """All counts. Leading zeros are counted, and asked for, only where all numbers are integers."""
    plain = {part.name: getattr(evidence, part.name) for part in fields(Evidence) if part.name != "distinct"}
    if evidence.unmarked + evidence.point + evidence.comma + evidence.either + evidence.either_comma:
        plain.pop("zeros")
    return plain | {"distinct": dict(evidence.distinct.kept.rows())}


def seen(cells, **options):
    frame = pl.DataFrame({"x": pl.Series(cells, dtype=pl.String)})
    return observe(frame["x"], plain_numbers(frame).get("x"), count_distinct=True, **options)


@settings(deadline=None, max_examples=80)
@given(st.lists(CELLS, max_size=12), st.integers(0, 12))
def test_any_cut_gives_the_same_sum(cells, cut):
    assert counts(seen(cells[:cut]) + seen(cells[cut:])) == counts(seen(cells))


@settings(deadline=None, max_examples=60)
@given(st.lists(CELLS, max_size=12))
def test_casting_and_looking_at_the_text_agree(cells):
    """The fast way through casts is a route, never another answer."""
    series = pl.Series(cells, dtype=pl.String)
    assert counts(seen(cells)) == counts(observe(series, None, count_distinct=True))


def test_nothing_is_nothing():
    assert counts(Evidence() + seen(["1", "a"])) == counts(seen(["1", "a"]))
    assert counts(seen([])) == counts(Evidence())


@pytest.mark.parametrize(
    ("cell", "form"),
    [
        ("12", "integer"), ("-12", "integer"), ("+12", "integer"), ("1 234", "integer"), ("1'234", "integer"),
        ("−5", "integer"), ("1e5", "unmarked"), ("99999999999999999999", "unmarked"), ("1.5", "point"), (".5", "point"),
        ("5.", "point"), ("1,234.5", "point"), ("1,234,567", "point"), ("1.5e-3", "point"), ("1,5", "comma"),
        ("1.234,5", "comma"), ("1.234.567", "comma"), ("0,123", "comma"), ("1.234", "either"),
        ("1,234", "either_comma"),
        ("-inf", "infinite"), ("2020-01-02", "dates"), ("25/3/2020", "day"), ("3/25/2020", "month"),
        ("3/4/2020", "either_order"),
        ("3.3.2020", "dates"),
    ],
)  # fmt: skip
def test_forms(cell, form):
    assert getattr(observe(pl.Series([cell])), form) == 1


@pytest.mark.parametrize(
    "cell", ["1.2.3", "12abc", "1,23,4", "1.23.4", "0x10", "1_000", "--5", "2020-13-01", "31.2.2020", "1 23"]
)
def test_what_only_looks_like_a_number_or_a_date(cell):
    found = observe(pl.Series([cell]))
    assert found.numbers == found.moments == 0 and found.spoken == 1


def test_named_words_for_missing_are_the_only_ones():
    found = observe(pl.Series(["NA", " - ", "1", "", None]), missing=frozenset({"-"}))
    assert dict(found.tokens) == {"-": 1} and found.empty == 2 and found.spoken == 2


def test_distinct_cells_beyond_the_limit_are_a_fair_sample(monkeypatch):
    monkeypatch.setattr(distinct, "LIMIT", 500)
    words = pl.Series([f"w{k}" for k in range(20_000)] + ["w7"])
    whole = Distinct.of(words).thinned()
    parts = sum((Distinct.of(words[k : k + 999]) for k in range(0, len(words), 999)), Distinct())
    assert dict(parts.kept.rows()) == dict(whole.kept.rows()) and parts.level == whole.level > 0
    assert len(whole.kept) <= 500 and not whole.exact
    assert whole.count == pytest.approx(20_000, rel=0.25)
    assert all(count == 1 + (word == "w7") for word, count in whole.kept.rows())
