"""What the hostile files are made with: a good file taken apart, and zips put together by hand."""

import io
import json
import warnings
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Members = Iterable[tuple[str, bytes]]
Zipped = Callable[..., bytes]


def unchanged(info: zipfile.ZipInfo) -> None:
    """Leave the directory line as it is."""


def zip_of(
    members: Members, change: Callable[[zipfile.ZipInfo], None] = unchanged, stream: io.BytesIO | None = None
) -> bytes:
    """A zip of these members with right sizes and CRCs, each directory line changed at will."""
    stream = io.BytesIO() if stream is None else stream
    with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # zipfile warns of the duplicates that we want
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            change(info)
            archive.writestr(info, data)
    return stream.getvalue()


def members_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="session")
def zipped() -> Zipped:
    return zip_of


@pytest.fixture(scope="session")
def unzipped() -> Callable[[bytes], dict[str, bytes]]:
    return members_of


@pytest.fixture(scope="session")
def with_manifest() -> Callable[[bytes, Callable[[Any], Any]], bytes]:
    """The same file with its manifest edited, as someone who knows the format would do it."""

    def edited(data: bytes, edit: Callable[[Any], Any]) -> bytes:
        members = members_of(data)
        content = json.loads(members["manifest.json"])
        replaced = edit(content)
        members["manifest.json"] = json.dumps(content if replaced is None else replaced).encode()
        return zip_of(members.items())

    return edited
