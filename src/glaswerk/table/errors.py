"""The one error for everything that is wrong with a table, and how its cells and names may appear in messages."""

import os
import unicodedata

LONGEST = 80


class TableError(ValueError):
    """A table that cannot be read or used, with the reason."""


def shown(text: object, longest: int = LONGEST) -> str:
    """A cell, a name or a path from outside: quoted, on one line, short, unable to steer a terminal or a reader.

    >>> print(shown("Ada"), shown("a\\x1b[31m"), shown("x" * 200, 5))
    'Ada' 'a\\x1b[31m' 'xxxxx…'
    """
    plain = os.fspath(text) if isinstance(text, os.PathLike) else str(text)
    cut = plain[:longest]
    quoted = "".join(_harmless(character) for character in cut)
    return f"'{quoted}{'…' if len(plain) > longest else ''}'"


def shown_path(path: object) -> str:
    """A path in a message: of a long one the end, which holds the file's name.

    >>> print(shown_path("a.csv"), shown_path("x" * 100 + "/a.csv")[-7:])
    'a.csv' /a.csv'
    """
    plain = os.fspath(path) if isinstance(path, os.PathLike) else str(path)
    return shown(plain if len(plain) <= LONGEST else "…" + plain[-LONGEST + 1 :])


def _harmless(character: str) -> str:
    """Control, format (bidi), surrogate and line characters as escapes; everything that merely prints as it is."""
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        return ascii(character)[1:-1]
    return character
