"""Layout: separator, header, names, blocks of whole records, words in messages."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.table import TableError
from glaswerk.table.delimited import record_blocks
from glaswerk.table.errors import shown
from glaswerk.table.naming import distinct_names, identifies, near_names
from glaswerk.table.sniff import complete_records, sniff


@pytest.mark.parametrize(
    ("text", "separator", "header"),
    [
        ("a,b\n1,2\n3,4\n", ",", True),
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";", True),
        ("1,5;2,5\n3,5;4,5\n", ";", False),
        ("a\tb c\n1\tx y\n2\tz, w\n", "\t", True),
        ("a|b\n1|2\n", "|", True),
        ("a b c\n1 2 3\n4 5 6\n", " ", True),
        ("1.5   2\n3.5  -4\n", " ", False),
        ("x\n1\n2\n", "", True),
        ("name\nAda Lovelace\nAlan Turing\n", "", True),
        ("a,b\n1,x; y\n2,z; w\n3,u; v\n", ",", True),
        ("1,2,3\n", ",", False),
        ("a,b,c\n", ",", True),
        ('a,b\n"x;y;z",1\n"u;v;w",2\n', ",", True),
        ("2020-01-02,1\n2020-01-03,2\n", ",", False),
        ("?,1,x\n2,NA,y\n3,4,z\n", ",", False),
    ],
)
def test_dialects(text, separator, header):
    found = sniff(text)
    assert (found.separator, found.header) == (separator, header)


def test_what_is_given_is_not_guessed():
    assert sniff("a;b\n1;2\n", separator=",", header=False) == sniff("a;b\n1;2\n", ",", False)
    assert sniff("a;b\n1;2\n", separator=",").separator == ","
    for wrong in ("ab", '"', "\n"):
        with pytest.raises(TableError, match="separator must be one character"):
            sniff("a\n", separator=wrong)


def test_a_sample_ends_with_a_whole_line():
    assert complete_records("a,b\r\n1,2\r\n3,", whole=False) == "a,b\n1,2\n"
    assert complete_records("a,b\n1,2", whole=True) == "a,b\n1,2"


@pytest.mark.parametrize(
    ("name", "says"),
    [("id", True), ("ID", True), ("customer_id", True), ("orderId", True), ("Row", True), ("name", True), ("nr", True),
     ("Unnamed: 0", True), ("", True), ("idea", False), ("number", False), ("paid", False),
     ("rows", False), ("x", False)],
)  # fmt: skip
def test_names_that_tell_rows_apart(name, says):
    assert identifies(name) is says


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "a ", " a", "A", "", "a (2)", "column 1", "column 2", "b"]), max_size=9))
def test_names_are_distinct_and_known_where_they_were(header):
    naming = distinct_names(header)
    assert len(set(naming.names)) == len(header) == len(naming.notes)
    for raw, name in zip(header, naming.names, strict=True):
        assert not raw.strip() or name.strip().startswith(raw.strip())


def test_names_that_nearly_repeat_are_noted():
    assert set(near_names(["a b", "A  B", "c"])) == {"a b", "A  B"}


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["1,2\n", '"x\ny",3\n', '"say ""no""\n",4\n', "5,6\r\n"]), max_size=30),
    st.integers(1, 40),
    st.booleans(),
)
def test_blocks_are_whole_records_and_lose_nothing(records, size, open_end):
    data = "".join(records).encode()
    data = data[:-1] if open_end else data
    blocks = list(record_blocks(io.BytesIO(data), size, "made", b'"'))
    assert b"".join(blocks) == data
    assert all(block.endswith(b"\n") and block.count(b'"') % 2 == 0 for block in blocks[:-1])


@settings(deadline=None)
@given(st.text(max_size=200))
def test_what_messages_show_is_one_harmless_short_line(text):
    found = shown(text)
    assert found.isprintable() or all(character.isspace() or character.isprintable() for character in found)
    assert "\n" not in found and "\x1b" not in found and "\u202e" not in found
    assert len(text) > 80 or "…" not in found or "…" in text


def test_long_and_hostile_words_are_cut():
    assert shown("x" * 1000) == "'" + "x" * 80 + "…'"
    assert shown("a\u202eb\x00") == "'a\\u202eb\\x00'" and shown("Größe <b>") == "'Größe <b>'"
