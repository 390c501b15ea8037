"""User text made fit for a picture."""

import string

from hypothesis import given
from hypothesis import strategies as st

from glaswerk.figures.labels import LONGEST, listed, short, slug, told_apart


@given(st.text(st.characters(), max_size=300))
def test_a_label_is_short_printable_and_on_one_line(text):
    label = short(text)
    assert 0 < len(label) <= LONGEST
    assert label.isprintable()
    label.encode()


@given(st.text(string.ascii_letters, min_size=1, max_size=LONGEST))
def test_an_ordinary_name_stays_as_it_is(text):
    assert short(text) == text


@given(st.lists(st.text(st.characters(), max_size=100), max_size=30))
def test_no_two_rows_share_a_label(names):
    labels = told_apart(names)
    assert len(set(labels)) == len(names)
    assert all(len(label) <= LONGEST for label in labels)


def test_names_that_only_differ_where_they_are_cut_are_numbered():
    long = ["x" * 100 + "y" * 100, "x" * 101 + "y" * 100]
    assert told_apart(["a", "a", "a (2)", "a"]) == ["a", "a (2)", "a (2) (2)", "a (3)"]
    first, second = told_apart(long)
    assert second.endswith("(2)")
    assert first != second


def test_both_ends_of_a_long_name_are_seen():
    assert short("begin " + "-" * 10_000 + " end").startswith("begin ")
    assert short("begin " + "-" * 10_000 + " end").endswith(" end")


def test_directions_and_controls_are_made_visible():
    assert short("\u202eabc\u0000") == "□abc□"
    assert short(" a\t\n b ") == "a b"
    assert short("") == short("\n") == "(empty)"


def test_slugs_and_lists():
    assert slug("Ärger über π²!") == "arger-uber-2"
    assert slug("§$%") == "untitled"
    assert listed(["a", "b"]) == "a, b"
    assert listed(list("abcdef")) == "a, b, c, d and 2 more"
