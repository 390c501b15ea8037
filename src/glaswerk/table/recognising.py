"""What a file is, told by its first bytes and not by its name; opened, with the compression taken off."""

import bz2
import gzip
import importlib
import io
import lzma
import os
import stat
import zlib
from pathlib import Path
from typing import IO, Any, Protocol

from glaswerk.table.errors import TableError, shown_path

HEAD = 4096
PARQUET = b"PAR1"
NOT_TABLES = (
    (b"PK\x03\x04", "a zip archive, such as an Excel (.xlsx) or OpenDocument file: save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Office file: save the sheet as CSV"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"SQLite format 3\x00", "an SQLite database: read the table with a database library and pass the dataframe"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array file: load it and pass a dictionary of columns"),
    (b"ARROW1", "an Arrow (Feather) file: read it with pyarrow and pass the table"),
    (b"FEA1", "a Feather file: read it with pyarrow and pass the table"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it"),
    (b"Rar!", "a RAR archive: unpack it"),
    (b"RDX", "an R data file: write it as CSV in R"),
    (b"\x80\x04\x95", "a Python pickle, which is never opened since it can run code"),
    (b"\x7fELF", "a program"),
)
MARKUP = (
    (b"<!doctype html", "a web page (HTML): perhaps the address led to an error or a login page"),
    (b"<html", "a web page (HTML): perhaps the address led to an error or a login page"),
    (b"<?xml", "an XML document"),
    (b"{\\rtf", "an RTF document"),
)


def open_plain(path: str | os.PathLike[str]) -> IO[bytes]:
    """A stream of the file's bytes without their compression (gzip, bzip2, xz, Zstandard)."""
    name = os.fspath(path)
    try:
        mode = os.stat(name).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise TableError(f"{shown_path(name)} is a pipe or a device: give the path of a file")
        raw = io.FileIO(name)
    except IsADirectoryError as error:
        raise TableError(f"{shown_path(name)} is a folder: give the path of one file in it") from error
    except FileNotFoundError as error:
        raise TableError(f"{shown_path(name)}: there is no such file") from error
    except PermissionError as error:
        what = "is a folder" if Path(name).is_dir() else "cannot be read: you have no permission"
        raise TableError(f"{shown_path(name)} {what}") from error
    except TableError:
        raise
    except (OSError, ValueError) as error:
        raise TableError(f"{shown_path(name)} cannot be opened: {error}") from error
    return decompressed(raw)


def decompressed(raw: io.FileIO) -> IO[bytes]:
    """The stream itself, or one that takes the compression off which its first bytes announce."""
    head = raw.read(6)
    raw.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return gzip.open(raw)  # type: ignore[return-value]
    if head.startswith(b"BZh"):
        return bz2.open(raw)
    if head.startswith(b"\xfd7zXZ"):
        return lzma.open(raw)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstandard(raw)
    return raw


def _zstandard(raw: IO[bytes]) -> IO[bytes]:
    arrow: Any = importlib.import_module("pyarrow")
    return io.BufferedReader(arrow.CompressedInputStream(arrow.PythonFile(raw, mode="r"), "zstd"))


class Readable(Protocol):
    """What gives bytes."""

    def read(self, size: int, /) -> bytes: ...


def read_some(stream: Readable, size: int, name: str) -> bytes:
    """The next bytes; a damaged or truncated compressed file is said to be one."""
    try:
        return stream.read(size)
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise TableError(f"{shown_path(name)} is a compressed file that breaks off or is damaged: {error}") from error
    except OSError as error:
        raise TableError(f"{shown_path(name)} cannot be read to its end: {error}") from error


def refuse_what_is_no_table(head: bytes, name: str) -> None:
    """One message for a file that is something else, saying what it is. `head` is its beginning, decompressed."""
    for magic, what in NOT_TABLES:
        if head.startswith(magic):
            raise TableError(f"{shown_path(name)} is not a table but {what}")
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    for opening, what in MARKUP:
        if start.startswith(opening):
            raise TableError(f"{shown_path(name)} is not a table but {what}")
    if start[:1] in {b"{", b"["} and (b'":' in start or start[1:].lstrip()[:1] in {b"{", b"[", b'"'}):
        raise TableError(
            f"{shown_path(name)} is not a table but JSON: pass a dictionary of columns or a dataframe of its records"
        )
    if head[257:262] == b"ustar":
        raise TableError(f"{shown_path(name)} is not a table but a tar archive: unpack it")
