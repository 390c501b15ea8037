"""Bytes to UTF-8: which encoding a file is in, decided by all of its bytes."""

import codecs

from glaswerk.table.errors import TableError, shown
from glaswerk.table.recognising import refuse_what_is_no_table

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
PROBE = 4096


def guess_encoding(head: bytes, name: str) -> str | None:
    """The encoding that the first bytes give away; None: UTF-8 or an 8-bit code page, which only all bytes can tell."""
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return encoding
    refuse_what_is_no_table(head, name)
    zeros = head[:PROBE].count(0)
    if zeros:
        even, odd = head[0:PROBE:2].count(0), head[1:PROBE:2].count(0)
        half = min(len(head), PROBE) // 2
        if odd >= 0.4 * half and even <= 0.01 * half:
            return "utf-16-le"
        if even >= 0.4 * half and odd <= 0.01 * half:
            return "utf-16-be"
        at = head.index(0)
        raise TableError(f"{shown(name)} is not a table of text: byte {at} is NUL, as in binary files")
    return None


def known_encoding(encoding: str) -> str:
    """The name as Python spells it."""
    try:
        return codecs.lookup(encoding).name
    except LookupError as error:
        raise TableError(
            f"encoding must be one that Python knows, such as 'utf-8' or 'cp1252', got {shown(encoding)}"
        ) from error


def to_utf8(data: bytes, name: str, encoding: str | None = None) -> tuple[bytes, str]:
    """The bytes in UTF-8 without a byte-order mark, and the encoding they were in."""
    chosen = known_encoding(encoding) if encoding else guess_encoding(data[:PROBE], name)
    if chosen == "utf-8" and data.startswith(codecs.BOM_UTF8):
        chosen = "utf-8-sig"
    if chosen in {None, "utf-8", "ascii"} and is_utf8(data):
        return data, chosen or "utf-8"
    if chosen is None:
        chosen = "cp1252" if _decodes(data, "cp1252") else "latin-1"
    if chosen == "utf-8-sig" and is_utf8(data):
        return data.removeprefix(codecs.BOM_UTF8), "utf-8 with byte-order mark"
    try:
        return data.decode(chosen).encode(), chosen
    except UnicodeDecodeError as error:
        raise TableError(
            f"{shown(name)} is not in {chosen}: byte {error.start} is 0x{data[error.start]:02x}; see encoding="
        ) from error


def is_utf8(data: bytes) -> bool:
    return data.isascii() or _decodes(data, "utf-8")


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
