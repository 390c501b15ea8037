"""Find-S: the textbook's steps, the least hypothesis by enumeration, order and repetition, edges, bad input."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import load, load_enjoy_sport, save
from glaswerk.facts import Hypotheses
from glaswerk.learners import FindS

DOMAINS = {
    "sky": ["Sunny", "Cloudy", "Rainy"], "air_temp": ["Warm", "Cold"], "humidity": ["Normal", "High"],
    "wind": ["Strong", "Weak"], "water": ["Warm", "Cool"], "forecast": ["Same", "Change"],
}  # fmt: skip


def sport():
    """The four days of the textbook as words."""
    table = load_enjoy_sport()
    frame = pd.DataFrame({name: table[name].series.to_list() for name in (*DOMAINS, "enjoy_sport")})
    flag = frame.pop("enjoy_sport")
    return frame.astype(str), np.where(flag.isin([True, "Yes", "yes"]), "yes", "no")


def test_the_textbooks_steps():  # [BG-FINDS]
    X, y = sport()
    model = FindS(domains=DOMAINS).fit(X, y)
    assert model.hypothesis == ("Sunny", "Warm", "?", "Strong", "?", "?")
    steps = model.facts().of_kind(Hypotheses)[0]
    assert [row.name for row in steps.rows] == ["at first", "after row 1", "after row 2", "after row 4"]
    assert steps.rows[0].conditions == ("∅",) * 6
    assert steps.rows[2].conditions == ("Sunny", "Warm", "?", "Strong", "Warm", "Same")
    assert model.predict(X).tolist() == ["yes", "yes", "no", "yes"]
    assert model.predict_proba(X)[:, 1].tolist() == [1, 1, 0, 1]


words = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("pqr")), min_size=2)


@settings(max_examples=100, deadline=None)
@given(words, st.data())
def test_no_less_general_hypothesis_accepts_all_positive_rows(rows, data):
    labels = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    if all(labels) or not any(labels):
        return
    model = FindS().fit([list(r) for r in rows], labels)
    h, positive = model.hypothesis, [r for r, label in zip(rows, labels, strict=True) if label]
    for other in itertools.product("abc?", "xy?", "pqr?"):
        if all(all(c in ("?", v) for c, v in zip(other, r, strict=True)) for r in positive):
            assert all(c in ("?", own) for c, own in zip(other, h, strict=True))
    again = FindS().fit([list(r) for r in [*rows[::-1], rows[0]]], [*labels[::-1], labels[0]])
    assert again.hypothesis == h


def test_intervals_trees_and_numbers():
    X = pd.DataFrame({"size": [3.0, 7.0, 1.0, 9.0], "shape": ["ball", "disc", "cube", "ball"]})
    y = [1, 1, 0, 0]
    model = FindS(ordered=["size"], trees={"shape": {"round": ["ball", "disc"], "cornered": ["cube"]}}).fit(X, y)
    assert model.hypothesis == ("3 … 7", "round")
    fresh = pd.DataFrame({"size": [5.0, 0.0, 8.0, 3.0], "shape": ["disc", "ball", "ball", "cone"]})
    assert model.predict(fresh).tolist() == [1, 0, 0, 0]  # 5 lies between known values, a cone nowhere
    assert FindS().fit(X, y).hypothesis == ("?", "?")


def test_negative_rows_that_it_accepts_are_named():
    model = FindS().fit([["a", "x"], ["b", "x"], ["a", "x"]], ["yes", "yes", "no"])
    assert model.solution_.accepted.tolist() == [2]
    assert "Negative rows that the hypothesis accepts: 1 (3)" in str(model.facts())


def test_the_concept_may_be_the_other_class():
    X, y = [["a"], ["b"]], ["in", "out"]
    assert FindS(positive="in").fit(X, y).predict([["a"], ["b"], ["c"]]).tolist() == ["in", "out", "out"]
    assert FindS().fit(X, y).predict([["a"], ["b"], ["c"]]).tolist() == ["in", "out", "in"]
    with pytest.raises(ValueError, match=r"positive must be one of \['in', 'out'\], got 'over'"):
        FindS(positive="over").fit(X, y)


def test_a_model_travels_through_a_file(tmp_path):
    X, y = sport()
    model = FindS(domains=DOMAINS).fit(X, y)
    save(model, tmp_path / "s.glaswerk")
    back = load(tmp_path / "s.glaswerk")
    assert back.hypothesis == model.hypothesis
    assert str(back.facts()) == str(model.facts())


@pytest.mark.parametrize(("more", "message"), [
    ({"domains": {"heaven": ["a"]}}, "domains must name columns among .*, got 'heaven'"),
    ({"domains": {"sky": ["Sunny"]}}, "column 'sky' holds 'Rainy' in row 2, which is not among its declared values"),
    ({"domains": [["a"]]}, "domains must have one list of values for each of 6 columns, got 1"),
    ({"domains": {"sky": ["Sunny", "Sunny", "Rainy"]}}, "sky needs values that differ"),
    ({"domains": {"sky": "Sunny"}}, "domains must be None or a dictionary"),
    ({"ordered": ["heaven"]}, "ordered must name columns"),
    ({"trees": {"sky": {"a": ["b"], "b": []}}}, "the tree of 'sky' has 'b' twice"),
])  # fmt: skip
def test_bad_declarations_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        FindS(**more).fit(*sport())


def test_gaps_and_third_classes_are_refused():
    with pytest.raises(ValueError, match="a concept has two classes"):
        FindS().fit([["a"], ["b"], ["c"]], [0, 1, 2])
    with pytest.raises(ValueError, match="X contains NaN: column 'x0', row 1"):
        FindS().fit([["a"], [None]], [0, 1])
    with pytest.raises(ValueError, match="declared values are"):
        FindS(domains={"x0": ["low", "high"]}).fit([[1.0], [2.0]], [0, 1])
