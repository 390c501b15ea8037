"""The dialect of delimited text: separator, quotes, header, told from its first records.

Only the layout is told from the beginning of a file. What the columns hold is decided from all rows, elsewhere.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from glaswerk.table.dates import LOOKS_LIKE
from glaswerk.table.errors import TableError, shown
from glaswerk.table.grammar import NUMBER, TOKENS

SAMPLE = 262_144  # characters
RECORDS = 200
CANDIDATES = ("\t", ";", "|", ",")
WHITESPACE = " "
CONSISTENT = 0.9
BLANKS_AT_ENDS = re.compile(r"(?m)^[ \t]+|[ \t]+(?=\r?$)")
BLANKS = re.compile(r"[ \t]+")
QUOTED_OR_BLANKS = re.compile(r'("[^"\n]*")|[ \t]+')
YEAR = re.compile(r"(?:1[89]|20)[0-9]{2}")
PYTHON_NUMBER = {
    mark: re.compile(form.replace(r"\x{a0}", "\xa0").replace(r"\x{202f}", "\u202f")) for mark, form in NUMBER.items()
}
DATE = re.compile(LOOKS_LIKE)


@dataclass(frozen=True)
class Dialect:
    """How cells are told apart. separator: one character, " " for runs of blanks, "" where there is one column."""

    separator: str
    header: bool
    quote: str = '"'
    row_names: bool = False
    skipped: int = 0


def split(text: str, separator: str, most: int | None = None, quote: str = '"') -> list[list[str]]:
    """Records of cells by the rules of CSV, empty lines left out."""
    if separator == "":
        return [[line] for line in text.splitlines()[:most]]
    if separator == WHITESPACE:
        text, separator = tabs_for_blanks(text), "\t"
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, quotechar=quote, skipinitialspace=separator == ","
    )
    found: list[list[str]] = []
    try:
        for record in reader:
            if record:
                found.append(record)
            if most is not None and len(found) >= most:
                break
    except csv.Error:
        pass  # a cell beyond csv's limit: what was found before it is enough
    return found


def tabs_for_blanks(text: str) -> str:
    """Runs of blanks outside of quotes as one tab, none at either end of a line."""
    text = BLANKS_AT_ENDS.sub("", text)
    if '"' not in text:
        return BLANKS.sub("\t", text)
    return QUOTED_OR_BLANKS.sub(lambda found: found.group(1) or "\t", text)


def sniff(text: str, separator: str | None = None, header: bool | None = None) -> Dialect:
    """The dialect that the beginning of a text is written in; what is given is not guessed."""
    body, skipped, announced = _preamble(text)
    chosen = separator if separator is not None else announced or _separator(body)
    if len(chosen) > 1 or chosen in {'"', "\n", "\r"}:
        raise TableError(f"separator must be one character, ' ' for runs of blanks, or '', got {shown(chosen)}")
    quote = _quote(body, chosen)
    records = split(body, chosen, RECORDS, quote)
    row_names = header is not False and _has_row_names(records)
    has_header = header if header is not None else row_names or _has_header(records)
    return Dialect(chosen, has_header, quote, row_names, skipped)


def complete_records(text: str, whole: bool) -> str:
    """A sample cut after its last whole line, unless it is the whole text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if whole or "\n" not in text else text[: text.rindex("\n") + 1]


def _preamble(text: str) -> tuple[str, int, str | None]:
    """The text after leading comments (#) and Excel's `sep=;`, the lines left out, the separator announced."""
    skipped, announced, at = 0, None, 0
    while True:
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)].strip("\r\n ")
        told = re.fullmatch(r"sep=(.)", line, re.IGNORECASE)
        if not (told or line.startswith("#")) or end < 0:
            return text[at:], skipped, announced
        announced = told.group(1) if told else announced
        skipped, at = skipped + 1, end + 1


def _quote(text: str, separator: str) -> str:
    """Single quotes only where they stand around cells and double quotes do not."""
    if '"' in text or separator == "":
        return '"'
    border = re.escape(separator) if separator.strip() else r"[ \t]"
    around = re.findall(rf"(?:^|{border})'[^'\n]*'(?={border}|\r?$)", text, re.MULTILINE)
    return "'" if len(around) >= 2 else '"'


def _separator(text: str) -> str:
    """The candidate whose records are all of one width and whose cells are clean; "" for one column."""
    scores = {candidate: _score(split(text, candidate, RECORDS), candidate) for candidate in CANDIDATES}
    best = max(CANDIDATES, key=lambda candidate: scores[candidate])
    if scores[best] >= CONSISTENT:
        return best
    if scores[best] >= 0.5 and not _is_aligned(text):
        return best
    if _is_blank_separated(text):
        return WHITESPACE
    return best if scores[best] > 0 and _everywhere(text, best) else ""


def _score(records: Sequence[Sequence[str]], candidate: str) -> float:
    """Share of records of the most frequent width, squared, × share of clean cells; halved where the first differs."""
    if not records:
        return 0.0
    width, times = Counter(map(len, records)).most_common(1)[0]
    if width < 2:
        return 0.0
    others = [other for other in CANDIDATES if other != candidate]
    cells = [cell for record in records for cell in record]
    clean = sum(_is_clean(cell, others) for cell in cells) / len(cells)
    first = 1.0 if len(records[0]) in {width, width - 1} else 0.5
    # Squared: a separator that cuts all records alike is seldom an accident, cells that hold another one often are.
    # Width only breaks ties.
    return (times / len(records)) ** 2 * clean * first + min(width, 1000) * 1e-7


def _is_clean(cell: str, others: Sequence[str]) -> bool:
    return is_number(cell) or not (any(other in cell for other in others) or "  " in cell.strip())


def _is_aligned(text: str) -> bool:
    """Whether most lines have runs of blanks, as columns of fixed width make them."""
    lines = [line.strip() for line in text.splitlines()[:RECORDS] if line.strip()]
    return 2 * sum("  " in line for line in lines) > len(lines)


def _is_blank_separated(text: str) -> bool:
    rows = split(text, WHITESPACE, RECORDS)
    body = rows[1:] or rows
    widths = Counter(map(len, body)).most_common(1)
    if not widths or widths[0][0] < 2 or widths[0][1] < CONSISTENT * len(body):
        return False
    if len(rows[0]) not in {widths[0][0], widths[0][0] - 1}:
        return False
    cells = [cell for row in body for cell in row]
    return 2 * sum(map(is_number, cells)) >= len(cells)


def _everywhere(text: str, candidate: str) -> bool:
    records = split(text, candidate, RECORDS)
    return sum(len(record) > 1 for record in records) >= CONSISTENT * len(records)


def is_number(cell: str) -> bool:
    return any(form.match(cell.strip()) for form in PYTHON_NUMBER.values())


def _is_value(cell: str) -> bool:
    """Something that stands in a body rather than in a header: a number, a date."""
    return is_number(cell) or bool(DATE.match(cell.strip()))


def _has_row_names(records: Sequence[Sequence[str]]) -> bool:
    """As R writes them: the header is one cell shorter than every other record."""
    widths = {len(record) for record in records[1:]}
    if all(record[-1].strip() == "" for record in records[1:]):
        return False  # a separator at the end of every line
    return len(records) > 1 and widths == {len(records[0]) + 1} and not any(map(_is_value, records[0]))


def _has_header(records: Sequence[Sequence[str]]) -> bool:
    """Words above numbers are a header; a number or date above such is none; else names that do not come again."""
    if not records:
        return True
    first, body = records[0], records[1:]
    if _years(first):
        first = ["" if YEAR.fullmatch(cell.strip()) else cell for cell in first]
    if any(map(_is_value, first)):
        return False
    if not body:
        return True
    columns = [[record[k] for record in body if k < len(record)] for k in range(len(first))]
    above = [bool(name.strip()) and name.strip().lower() not in TOKENS for name in first]
    if any(named and _mostly_values(cells) for named, cells in zip(above, columns, strict=True)):
        return True
    repeated = sum(name in cells for name, cells in zip(first, columns, strict=True) if name.strip())
    return 2 * repeated < len(first) and any(above)


def _mostly_values(cells: Sequence[str]) -> bool:
    spoken = [cell for cell in cells if cell.strip().lower() not in TOKENS]
    return bool(spoken) and sum(map(_is_value, spoken)) >= CONSISTENT * len(spoken)


def _years(first: Sequence[str]) -> bool:
    """Years in a row, as names of columns."""
    found = [int(cell) for cell in first if YEAR.fullmatch(cell.strip())]
    return len(found) > 1 and all(b - a == 1 for a, b in pairwise(found)) and len(found) < len(first)


def described(dialect: Dialect, encoding: str) -> tuple[tuple[str, str], ...]:
    """How a text file was read, for the data card."""
    names = {"\t": "tab", " ": "blanks", "": "none (one column)"}
    found = [
        ("format", "delimited text"),
        ("encoding", encoding),
        ("separator", names.get(dialect.separator, dialect.separator)),
        ("header", "first line" if dialect.header else "none"),
    ]
    if dialect.quote != '"':
        found.append(("quotation mark", dialect.quote))
    if dialect.row_names:
        found.append(("row names", "the first column, which the header does not name"))
    if dialect.skipped:
        found.append(("lines left out above the header", str(dialect.skipped)))
    return tuple(found)
