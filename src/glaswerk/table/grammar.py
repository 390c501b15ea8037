"""How numbers, missing cells and yes/no are written: the words and forms that reading a table knows.

A number has a decimal mark and may have its thousands grouped by the other mark, by an apostrophe or by a narrow space.
`1.234` and `1,234` are numbers under both marks, with different values: the column as a whole decides.
"""

from itertools import chain

SIGN = r"[+\-−]?"
POWER = r"(?:[eE][+\-]?[0-9]+)?"
GROUPS = r"(?:'[0-9]{3})+|(?:’[0-9]{3})+|(?: [0-9]{3})+|(?:\x{a0}[0-9]{3})+|(?:\x{202f}[0-9]{3})+"
GROUP_MARKS = r"['’ \x{a0}\x{202f}]"

UNMARKED = rf"^{SIGN}[0-9]+{POWER}$"
INTEGER = rf"^{SIGN}[0-9]+$"
LEADING_ZERO = r"^0[0-9]+$"
INFINITE = r"^[+\-−]?(?i:inf|infinity)$"
# Written with one mark and three digits after it: thousands, or a decimal number.
EITHER = {".": rf"^{SIGN}[1-9][0-9]{{0,2}}\.[0-9]{{3}}$", ",": rf"^{SIGN}[1-9][0-9]{{0,2}},[0-9]{{3}}$"}


def number_form(decimal: str) -> str:
    """The regular expression of a number with this decimal mark."""
    mark, other = (r"\.", ",") if decimal == "." else (",", r"\.")
    plain = rf"(?:[0-9]+{mark}?[0-9]*|{mark}[0-9]+){POWER}"
    grouped = rf"[1-9][0-9]{{0,2}}(?:(?:{other}[0-9]{{3}})+|{GROUPS})(?:{mark}[0-9]*)?"
    return rf"^{SIGN}(?:{plain}|{grouped})$"


NUMBER = {".": number_form("."), ",": number_form(",")}

# Missing wherever they stand.
STRONG_TOKENS = frozenset(
    {
        "",
        "na",
        "n/a",
        "#n/a",
        "#na",
        "#n/v",
        "n.a.",
        "k.a.",
        "k. a.",
        "nan",
        "-nan",
        "null",
        "<na>",
        "nat",
        "?",
        "#div/0!",
    }
)
# Missing among numbers and dates; among words they may be words.
WEAK_TOKENS = frozenset({"none", "nil", "missing", "unknown", "-", "--", "---", ".", "..", "…", "*", "#value!"})
TOKENS = STRONG_TOKENS | WEAK_TOKENS

# The word for False, then the word for True.
FLAG_PAIRS = (
    ("no", "yes"), ("n", "y"), ("false", "true"), ("f", "t"),
    ("nein", "ja"), ("n", "j"), ("falsch", "wahr"),
)  # fmt: skip
FLAG_WORDS = frozenset(chain.from_iterable(FLAG_PAIRS))
