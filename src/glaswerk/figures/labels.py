"""Names and cells from the user's table, made fit for a picture: short, visible, one line, told apart.

User text is only ever data or a literal title. It never becomes the name of a field and never enters an expression.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from glaswerk.figures.theme import said

LONGEST = 60
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls, direction marks, surrogates: shown as a square


def short(text: str, longest: int = LONGEST) -> str:
    """`text` on one line in at most `longest` characters, cut in the middle: names often differ at their ends.

    >>> short("a very long name of a column, the second", longest=20)
    'a very long n…second'
    """
    half = 2 * longest  # what lies between is cut anyway, and texts of any length come
    kept = text if len(text) <= 2 * half else text[:half] + text[-half:]
    line = " ".join("".join(c if c.isspace() else _visible(c) for c in kept).split())
    if len(line) <= longest:
        return line or "(empty)"
    tail = longest // 3
    return f"{line[: longest - tail - 1]}…{line[-tail:]}"


def _visible(character: str) -> str:
    return "\N{WHITE SQUARE}" if unicodedata.category(character) in UNSEEN else character


def told_apart(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """The names shortened, equal ones numbered: a picture's rows are found by them."""
    taken: Counter[str] = Counter()
    labels: list[str] = []
    for name in names:
        label = short(name, longest)
        taken[label] += 1
        while taken[label] > 1:
            label = f"{short(name, longest - 6)} ({taken[short(name, longest)]})"
            taken[label] += 1
        labels.append(label)
    return labels


def slug(text: str, longest: int = 40) -> str:
    """Lower-case letters, digits and hyphens: fit for file names and addresses within a page.

    >>> slug("Learning curve of <b>mpg</b>")
    'learning-curve-of-b-mpg-b'
    """
    plain = unicodedata.normalize("NFKD", text[: 4 * longest]).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:longest].strip("-") or "untitled"


def counted(number: float, noun: str) -> str:
    """A number and what it counts, in the plural where it is not one.

    >>> counted(1, "row"), counted(2.5, "row")
    ('1 row', '2.5 rows')
    """
    return f"{said(number)} {noun}" if number == 1 else f"{said(number)} {noun}s"


def listed(names: Sequence[str], most: int = 4) -> str:
    """Names in a sentence: the first few, then how many more."""
    shown = ", ".join(short(name, 40) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
