"""Forged zips: every structure that a lenient reader would accept and that Glaswerk never writes."""

import io
import os
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glaswerk.archive import ArchiveError, dumps, loads, read

GOOD = dumps({"coef_": np.arange(64.0), "intercept_": np.zeros(100)}, "model")
DIRECTORY = GOOD.index(b"PK\x01\x02")
END = len(GOOD) - 22

Fixture = Callable[..., Any]


def refuses(data: bytes, message: str, max_bytes: int = 2**31) -> None:
    with pytest.raises(ArchiveError, match=message):
        loads(data, "model", max_bytes)


def patched(data: bytes, *changes: tuple[int, str, int]) -> bytes:
    """The bytes with each (position, struct format, value) written over them."""
    changed = bytearray(data)
    for position, form, value in changes:
        struct.pack_into(form, changed, position, value)
    return bytes(changed)


def test_the_zip_by_hand_is_accepted_as_long_as_nothing_is_forged(zipped: Fixture, unzipped: Fixture) -> None:
    assert loads(zipped(unzipped(GOOD).items()), "model")["intercept_"].shape == (100,)


@pytest.mark.parametrize(
    "name", ["../evil.npy", "/etc/passwd", "arrays\\0000.npy", "C:\\evil", "arrays/", "arrays/0002.npy", "x\ny", "é"]
)
def test_members_beyond_the_listed_ones_are_refused(zipped: Fixture, unzipped: Fixture, name: str) -> None:
    members = [*unzipped(GOOD).items(), ("replaced", b"x")]
    data = zipped(members)
    encoded = name.encode("cp437")
    same_length = zipped([*members[:-1], ("r" * len(encoded), b"x")])
    refuses(same_length.replace(b"r" * len(encoded), encoded), "is not listed in the manifest|contradicts")
    refuses(data, "'replaced' is not listed in the manifest")


def test_missing_members_are_refused(zipped: Fixture, unzipped: Fixture) -> None:
    members = unzipped(GOOD)
    for missing in list(members):
        left = [(name, data) for name, data in members.items() if name != missing]
        refuses(zipped(left), f"the member '{missing}' is missing")
    refuses(zipped([]), "the member 'manifest.json' is missing")


def test_a_foreign_zip_is_refused() -> None:
    stream = io.BytesIO()
    np.savez(stream, coef_=np.zeros(3))
    refuses(stream.getvalue(), "manifest.json' is missing: this is no Glaswerk file")


def test_duplicate_members_are_refused(zipped: Fixture, unzipped: Fixture) -> None:
    members = list(unzipped(GOOD).items())
    for member in members:
        refuses(zipped([*members, member]), "the same member appears twice")


def test_links_and_other_special_entries_are_refused(zipped: Fixture, unzipped: Fixture) -> None:
    for file_type in (0o120000, 0o040000, 0o010000, 0o060000):

        def change(info: zipfile.ZipInfo, attributes: int = (file_type | 0o777) << 16) -> None:
            info.external_attr = attributes

        refuses(zipped(unzipped(GOOD).items(), change), "is a link or another special file")


def test_encrypted_entries_are_refused() -> None:
    refuses(patched(GOOD, (6, "<H", 1), (DIRECTORY + 8, "<H", 1)), "'manifest.json' is encrypted")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compression_methods_are_refused(zipped: Fixture, unzipped: Fixture, method: int) -> None:
    def change(info: zipfile.ZipInfo) -> None:
        info.compress_type = method

    refuses(zipped(unzipped(GOOD).items(), change), "in a way other than stored or deflated")


def test_sizes_behind_the_data_are_refused(zipped: Fixture, unzipped: Fixture) -> None:
    class Pipe(io.BytesIO):
        def seek(self, *place: int) -> int:
            raise OSError("a pipe cannot seek")

    refuses(zipped(unzipped(GOOD).items(), stream=Pipe()), "in a way other than stored or deflated")


def test_bytes_that_belong_to_no_member_are_refused(zipped: Fixture, unzipped: Fixture) -> None:
    refuses(b"#!/bin/sh\n" + GOOD, "the zip directory is not where")
    refuses(GOOD + b"behind", "its end is missing")
    refuses(GOOD[:DIRECTORY] + b"gap" + patched(GOOD[DIRECTORY:], (22 - 6 - 22, "<I", DIRECTORY + 3)), "bytes between")
    commented = patched(GOOD, (len(GOOD) - 2, "<H", 7)) + b"comment"
    refuses(commented, "its end is missing")

    def change(info: zipfile.ZipInfo) -> None:
        info.extra = b"UT\x01\x00x"

    refuses(zipped(unzipped(GOOD).items(), change), "unknown extra data")


def second_entry() -> int:
    return GOOD.index(b"PK\x01\x02", DIRECTORY + 4)


def test_overlapping_and_misplaced_members_are_refused() -> None:
    refuses(patched(GOOD, (second_entry() + 42, "<I", 0)), "'arrays/0000.npy' is not where it should be")
    refuses(patched(GOOD, (DIRECTORY + 20, "<I", 2**31)), "'arrays/0000.npy' is not where it should be")
    refuses(patched(GOOD, (second_entry() + 46, "<B", ord("b"))), "'brrays/0000.npy' contradicts the zip directory")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((END + 10, "<H", 9), "its end is missing"),
        ((END + 4, "<H", 1), "its end is missing"),
        ((END + 6, "<H", 1), "its end is missing"),
        ((END + 20, "<H", 1), "its end is missing"),
        ((END + 12, "<I", 2**32 - 1), "the zip directory is not where"),
        ((END + 16, "<I", 5), "the zip directory is not where"),
        ((DIRECTORY, "<I", 0), "the zip directory is garbled"),
        ((DIRECTORY + 28, "<H", 2**16 - 1), "the zip directory is garbled"),
        ((DIRECTORY + 32, "<H", 3), "the zip directory is garbled"),
        ((DIRECTORY + 34, "<H", 1), "the zip directory is garbled"),
        ((DIRECTORY + 20, "<I", 2**32 - 1), "unknown extra data"),
    ],
)
def test_a_garbled_directory_is_refused(change: tuple[int, str, int], message: str) -> None:
    refuses(patched(GOOD, change), message)


def test_a_wrong_number_of_entries_is_refused() -> None:
    for count, message in ((2, "more than its entries"), (4, "ends too early"), (65535, "ends too early")):
        refuses(patched(GOOD, (END + 8, "<H", count), (END + 10, "<H", count)), message)


def test_an_absurd_number_of_entries_is_refused_before_any_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaswerk.archive.container.MAX_MEMBERS", 2)
    refuses(GOOD, "declares 3 members, more than the 2 allowed")


def test_an_inconsistent_zip64_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 10)
    data = dumps(np.zeros(9), "model")
    record, locator = data.index(b"PK\x06\x06"), data.index(b"PK\x06\x07")
    assert loads(data, "model").shape == (9,)
    for place in (record, record + 4, record + 16, record + 20, record + 24, locator + 4, locator + 8, locator + 16):
        refuses(patched(data, (place, "<I", 7)), "the zip64 end of the file is inconsistent")
    refuses(patched(data, (record + 40, "<Q", 2**64 - 1)), "the zip directory is not where")
    extra = data.rindex(b"PK\x01\x02") + 46 + len("arrays/0000.npy")
    for place in (extra, extra + 2):
        refuses(patched(data, (place, "<H", 9)), "unknown extra data")


def test_what_unpacks_to_more_than_allowed_is_refused_before_unpacking() -> None:
    data = dumps(np.zeros(10**7), "model")
    assert len(data) < 10**6
    tracemalloc.start()
    refuses(data, "it unpacks to 800.* bytes, more than the 1000000 allowed: .* larger max_bytes", max_bytes=10**6)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()
    assert loads(data, "model").size == 10**7


def test_a_stream_longer_than_declared_is_not_unpacked(zipped: Fixture, unzipped: Fixture) -> None:
    members = [(name, data) for name, data in unzipped(GOOD).items() if name != "arrays/0001.npy"]
    data = zipped([*members, ("arrays/0001.npy", bytes(10**8))])
    entry = data.rindex(b"PK\x01\x02")
    tracemalloc.start()
    refuses(patched(data, (entry + 24, "<I", 928)), "'arrays/0001.npy' does not end where declared")
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


def test_other_lies_about_sizes_are_refused(zipped: Fixture, unzipped: Fixture) -> None:
    last = GOOD.rindex(b"PK\x01\x02")
    (declared,) = struct.unpack_from("<I", GOOD, last + 24)
    refuses(patched(GOOD, (last + 24, "<I", declared + 1)), "'arrays/0001.npy' does not unpack to its declared size")
    refuses(patched(GOOD, (last + 24, "<I", declared - 1)), "does not (unpack to its declared size|end where declared)")
    refuses(patched(GOOD, (last + 16, "<I", 0)), "'arrays/0001.npy' does not match its CRC")
    stored = zipped(unzipped(GOOD).items(), lambda info: setattr(info, "compress_type", zipfile.ZIP_STORED))
    refuses(patched(stored, (stored.rindex(b"PK\x01\x02") + 24, "<I", 7)), "does not unpack to its declared size")


def test_an_endless_manifest_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glaswerk.archive.container.MAX_MANIFEST_BYTES", 100)
    refuses(GOOD, "manifest.json is larger than the 100 bytes allowed")


def test_errors_about_a_file_begin_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "model.glaswerk"
    path.write_bytes(GOOD[:-1])
    with pytest.raises(ArchiveError, match=f"^{path}: this is not a Glaswerk file"):
        read(path)
    path.write_bytes(GOOD)
    with pytest.raises(ArchiveError, match=f"^{path}: the file has {len(GOOD)} bytes, more than the 100 allowed"):
        read(path, max_bytes=100)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "absent")


def test_folders_and_pipes_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(ArchiveError, match="this is a folder or a device"):
            read(path)
