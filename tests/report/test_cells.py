"""Text from the table shows itself and does nothing else."""

import pytest
from markupsafe import Markup

from glaswerk.report.cells import cell_html, code, plain, sentence_html, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "⟨ESC⟩[31m"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("line\nbreak\ttab", "line⟨LF⟩break⟨TAB⟩tab"),
        ("\x7f\x85\u2028", "⟨DEL⟩⟨U+0085⟩⟨U+2028⟩"),
        ("Größe 漢字 \u00a0€", "Größe 漢字 \u00a0€"),
        ("\ud800", "⟨U+D800⟩"),
        ("\ufeff\u200b", "⟨U+FEFF⟩⟨U+200B⟩"),
    ],
)
def test_what_hides_is_made_visible(text, shown):
    assert visible(text) == shown


def test_markup_is_escaped_and_isolated():
    assert cell_html("<b>&\"'") == Markup("<bdi>&lt;b&gt;&amp;&#34;&#39;</bdi>")


def test_a_long_name_is_shortened_with_the_whole_in_its_tool_tip():
    found = cell_html("n" * 100)
    assert found == f'<bdi title="{"n" * 100}">{"n" * 79}…</bdi>'
    assert len(cell_html("n" * 10_000)) < 1_300
    assert "10,000 characters" in cell_html("n" * 10_000)


def test_a_shortened_name_cannot_leave_its_attribute():
    assert '" onmouseover=' not in cell_html('" onmouseover=alert(1) x="' * 10)


@pytest.mark.parametrize(
    ("cell", "shown"),
    [(None, ""), (True, "yes"), (False, "no"), (-3, "−3"), (2**60, str(2**60)), (0.0064721, "0.006472"), ("x", "x")],
)
def test_cells_in_words(cell, shown):
    assert plain(cell) == shown


def test_code_keeps_its_lines_and_sentences_their_length():
    assert code("a\n\x1bb") == "a\n⟨ESC⟩b"
    assert sentence_html("w" * 500) == f"<bdi>{'w' * 500}</bdi>"
