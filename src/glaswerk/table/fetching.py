"""Fetching published data once: a download that is whole or an error, and the folder where what was checked is kept."""

import os
import time
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from glaswerk.table.errors import TableError, shown

SILENCE = 30.0  # seconds without a byte after which a server is given up
LONGEST = 600.0  # seconds for one file, however steadily it trickles
MOST_BYTES = 64 * 2**20
CHUNK = 2**16


def cache_folder() -> Path:
    """Where fetched data sets are kept: GLASWERK_CACHE_DIR, else the user's cache folder."""
    asked = os.environ.get("GLASWERK_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "glaswerk"
    return (Path(asked) if asked else user) / "datasets"


def fetch(url: str) -> bytes:
    """What stands at a web address, whole, or `TableError` with the reason."""
    if not url.startswith(("http://", "https://")):
        raise TableError(f"{shown(url)} is not a web address: it must begin with http:// or https://")
    try:
        return _download(url)
    except HTTPError as error:
        raise TableError(f"{url} cannot be fetched: the server answers {error.code} {error.reason}") from error
    except TimeoutError as error:
        raise TableError(f"{url} cannot be fetched: the server was silent for {SILENCE:g} s") from error
    except (OSError, HTTPException, ValueError) as error:
        raise TableError(f"{url} cannot be fetched: {getattr(error, 'reason', None) or error}") from error


def _download(url: str) -> bytes:
    started, chunks, size = time.monotonic(), [], 0
    with urlopen(Request(url, headers={"User-Agent": "glaswerk"}), timeout=SILENCE) as answer:
        promised = answer.headers.get("Content-Length")
        while chunk := answer.read(CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            if size > MOST_BYTES:
                raise ValueError(f"it has more than {MOST_BYTES} bytes")
            if time.monotonic() - started > LONGEST:
                raise ValueError(f"it takes more than {LONGEST:g} s")
    # Reading in chunks, a connection that broke looks like the end of the file.
    if promised is not None and size != int(promised):
        raise ValueError(f"the connection ended after {size} of {promised} bytes")
    return b"".join(chunks)
