"""Text from a table made fit to be shown: numbers rounded for the eye, words that can do nothing but show themselves.

Jinja escapes the markup; what it leaves alone is dealt with here: control characters, direction marks, and length.
"""

import unicodedata

from markupsafe import Markup, escape

from glaswerk.facts import Cell
from glaswerk.figures.theme import said

CONTROLS = {"\0": "NUL", "\a": "BEL", "\b": "BS", "\t": "TAB", "\n": "LF", "\r": "CR", "\x1b": "ESC", "\x7f": "DEL"}
SHORT = 80
LONG = 300  # of a cell that is no name
IN_TITLE = 1_000  # characters of a shortened name that its tool tip still holds; the rest stands in the JSON twin
LONGEST_SENTENCE = 800


def visible(text: str) -> str:
    """Control characters by their name, direction marks and other hidden characters by their number.

    >>> visible("a\\x1b[31m b\\u202ec")
    'a⟨ESC⟩[31m b⟨U+202E⟩c'
    """
    return text if text.isprintable() else "".join(map(_shown_character, text))


def _shown_character(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return f"⟨{CONTROLS.get(character, f'U+{ord(character):04X}')}⟩"


def plain(cell: Cell) -> str:
    """A cell in words, as the page shows it before escaping."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return str(cell).replace("-", "−")
    return said(cell) if isinstance(cell, float) else visible(cell)


def cell_html(cell: Cell, limit: int = SHORT) -> Markup:
    """A cell as HTML: isolated from the direction of what stands around it, and no longer than `limit` characters."""
    if not isinstance(cell, str):
        return escape(plain(cell))
    text = visible(cell)
    if len(text) <= limit:
        return Markup("<bdi>{}</bdi>").format(text)
    whole = text if len(text) <= IN_TITLE else f"{text[:IN_TITLE]}… ({len(text):,} characters, all of them in the JSON)"
    return Markup('<bdi title="{}">{}…</bdi>').format(whole, text[: limit - 1])


def sentence_html(text: str) -> Markup:
    """A sentence that may hold names from the table."""
    return cell_html(text, LONGEST_SENTENCE)


def code(text: str) -> str:
    """Several lines to be copied: every one made visible, the line ends kept."""
    return "\n".join(map(visible, text.split("\n")))
