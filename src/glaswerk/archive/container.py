"""The zip around the members: written by `zipfile`, read by a strict reader of exactly the zips that we write.

`zipfile` is made to open whatever it can: it skips bytes in front of, between and behind the members, cuts off streams
that run longer than declared, and lets members overlap. Here the members, the directory and its end record must tile
the file without a gap, and a member must unpack to exactly its declared size.
Numbers in brackets are sections of PKWARE's APPNOTE.TXT, version 6.3.10.
"""

import stat
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from struct import Struct

from glaswerk.archive.errors import ArchiveError, shown

MANIFEST = "manifest.json"
MAX_MANIFEST_BYTES = 64 * 2**20
MAX_MEMBERS = 100_000

_LEVEL = 6
_SAMPLE_BYTES = 2**16
_WORTHWHILE = 0.9

_LOCAL_HEADER = Struct("<4s5H3I2H")  # [4.3.7]
_DIRECTORY_ENTRY = Struct("<4s6H3I5H2I")  # [4.3.12]
_END = Struct("<4s4H2IH")  # [4.3.16]
_END_64 = Struct("<4sQ2H2I4Q")  # [4.3.14]
_LOCATOR_64 = Struct("<4sIQI")  # [4.3.15]
_ENCRYPTED = 0x1
_IN_64_BIT_FIELD = 0xFFFFFFFF

_NOT_OURS = "Glaswerk never writes such a file, do not use it"
_DAMAGED = "the file is damaged or incomplete, fetch it again"


def array_member_name(number: int) -> str:
    """The member that holds the array of this number."""
    return f"arrays/{number:04d}.npy"


def pack(manifest: bytes, arrays: list[bytes]) -> bytes:
    """The file's bytes: no clock, no user and no machine has any part in them."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        _add(archive, MANIFEST, manifest)
        for number, data in enumerate(arrays):
            _add(archive, array_member_name(number), data)
    return stream.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    info.create_system = 3
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    method = zipfile.ZIP_DEFLATED if _is_worth_compressing(data) else zipfile.ZIP_STORED
    archive.writestr(info, data, compress_type=method, compresslevel=_LEVEL)


def _is_worth_compressing(data: bytes) -> bool:
    """Measured coefficients hardly shrink and would only cost time: the first bytes tell."""
    sample = data[:_SAMPLE_BYTES]
    return len(zlib.compress(sample, _LEVEL)) < _WORTHWHILE * len(sample)


@dataclass(frozen=True)
class _Member:
    """One line of the directory."""

    name: str
    flags: int
    method: int
    crc: int
    packed_bytes: int
    unpacked_bytes: int
    offset: int
    file_type: int


class Container:
    """The members of a file whose structure was found to be sound; their contents are checked when they are read."""

    def __init__(self, data: bytes, max_bytes: int) -> None:
        self._data = memoryview(data)
        start, length, count = _locate_directory(self._data)
        members = list(_directory(self._data[start : start + length], count))
        for member in members:
            _require_plain(member)
        _require_bearable(members, max_bytes)
        self._members = {member.name: member for member in members}
        if len(self._members) < len(members):
            raise ArchiveError(f"the same member appears twice: {_NOT_OURS}")
        self._starts = _require_tiling(self._data, members, start)

    def refuse_members_beyond(self, names: list[str]) -> None:
        """Refuse a file that has any other member than these."""
        extra = self._members.keys() - set(names)
        if extra:
            raise ArchiveError(f"the member {shown(min(extra))} is not listed in the manifest: {_NOT_OURS}")

    def read(self, name: str) -> bytes:
        """The unpacked bytes of one member, of exactly the declared size and checksum."""
        if name not in self._members:
            raise ArchiveError(f"the member {shown(name)} is missing: this is no Glaswerk file, or {_DAMAGED}")
        member = self._members[name]
        start = self._starts[name]
        packed = self._data[start : start + member.packed_bytes]
        data = bytes(packed) if member.method == zipfile.ZIP_STORED else _inflated(packed, member)
        if len(data) != member.unpacked_bytes:
            raise ArchiveError(f"the member {shown(name)} does not unpack to its declared size: {_DAMAGED}")
        if zlib.crc32(data) != member.crc:
            raise ArchiveError(f"the member {shown(name)} does not match its CRC: {_DAMAGED}")
        return data


def _locate_directory(data: memoryview) -> tuple[int, int, int]:
    """Start, length and number of entries of the directory, from the end record: the file's last bytes."""
    end_start = len(data) - _END.size
    if end_start < 0:
        raise ArchiveError("this is not a Glaswerk file, or its end is missing: fetch it again")
    signature, disk, first_disk, here, count, length, start, comment = _END.unpack_from(data, end_start)
    if signature != b"PK\x05\x06" or comment or disk or first_disk or here != count:
        raise ArchiveError("this is not a Glaswerk file, or its end is missing: fetch it again")
    locator_start = end_start - _LOCATOR_64.size
    if locator_start >= 0 and bytes(data[locator_start : locator_start + 4]) == b"PK\x06\x07":
        end_start, start, length, count = _locate_directory_64(data, locator_start)
    if start + length != end_start:
        raise ArchiveError(f"the zip directory is not where the end of the file says: {_DAMAGED}")
    if count > MAX_MEMBERS:
        raise ArchiveError(f"it declares {count} members, more than the {MAX_MEMBERS} allowed: {_NOT_OURS}")
    return start, length, count


def _locate_directory_64(data: memoryview, locator_start: int) -> tuple[int, int, int, int]:
    """The same from the end record of files beyond 2 GiB, and where that record starts."""
    end_start = locator_start - _END_64.size
    _, disk, position, disks = _LOCATOR_64.unpack_from(data, locator_start)
    if (disk, position, disks) != (0, end_start, 1):
        raise ArchiveError(f"the zip64 end of the file is inconsistent: {_DAMAGED}")
    signature, size, _, _, disk, first_disk, here, count, length, start = _END_64.unpack_from(data, end_start)
    if signature != b"PK\x06\x06" or size != _END_64.size - 12 or disk or first_disk or here != count:
        raise ArchiveError(f"the zip64 end of the file is inconsistent: {_DAMAGED}")
    return end_start, start, length, count


def _directory(data: memoryview, count: int) -> Iterator[_Member]:
    """Every entry of the directory, which must hold as many as declared and nothing else."""
    position = 0
    for _ in range(count):
        if position + _DIRECTORY_ENTRY.size > len(data):
            raise ArchiveError(f"the zip directory ends too early: {_DAMAGED}")
        fields = _DIRECTORY_ENTRY.unpack_from(data, position)
        signature, _, _, flags, method, _, _, crc, *sizes, name_length, extra_length, comment_length = fields[:13]
        disk, _, attributes, offset = fields[13:]
        name_start = position + _DIRECTORY_ENTRY.size
        extra_start = name_start + name_length
        position = extra_start + extra_length
        if signature != b"PK\x01\x02" or comment_length or disk or position > len(data):
            raise ArchiveError(f"the zip directory is garbled: {_DAMAGED}")
        name = bytes(data[name_start:extra_start]).decode("ascii", "backslashreplace")
        packed, unpacked, offset = _wide([*sizes, offset], bytes(data[extra_start:position]))
        yield _Member(name, flags, method, crc, packed, unpacked, offset, stat.S_IFMT(attributes >> 16))
    if position != len(data):
        raise ArchiveError(f"the zip directory holds more than its entries: {_DAMAGED}")


def _wide(values: list[int], extra: bytes) -> tuple[int, int, int]:
    """Packed size, unpacked size and offset, those beyond 32 bits taken from the zip64 field [4.5.3]."""
    order = [place for place in (1, 0, 2) if values[place] == _IN_64_BIT_FIELD]
    expected = b"\x01\x00" + (8 * len(order)).to_bytes(2, "little") if order else b""
    if not extra.startswith(expected) or len(extra) != len(expected) + 8 * len(order):
        raise ArchiveError(f"a zip directory entry carries unknown extra data: {_NOT_OURS}")
    for number, place in enumerate(order):
        values[place] = int.from_bytes(extra[4 + 8 * number : 12 + 8 * number], "little")
    return values[0], values[1], values[2]


def _require_plain(member: _Member) -> None:
    name = shown(member.name)
    if member.flags & _ENCRYPTED:
        raise ArchiveError(f"the member {name} is encrypted, which Glaswerk does not read: give an unencrypted file")
    if member.flags or member.method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveError(f"the member {name} is packed in a way other than stored or deflated: {_NOT_OURS}")
    if member.file_type not in (0, stat.S_IFREG):
        raise ArchiveError(f"the member {name} is a link or another special file: {_NOT_OURS}")


def _require_bearable(members: list[_Member], max_bytes: int) -> None:
    total = sum(member.unpacked_bytes for member in members)
    if total > max_bytes:
        raise ArchiveError(
            f"it unpacks to {total} bytes, more than the {max_bytes} allowed: "
            "if you trust the file, read it with a larger max_bytes"
        )
    if any(member.name == MANIFEST and member.unpacked_bytes > MAX_MANIFEST_BYTES for member in members):
        raise ArchiveError(f"{MANIFEST} is larger than the {MAX_MANIFEST_BYTES} bytes allowed: {_NOT_OURS}")


def _require_tiling(data: memoryview, members: list[_Member], directory_start: int) -> dict[str, int]:
    """Where each member's packed bytes start, once the members were found to follow each other without a gap."""
    starts = {}
    position = 0
    for member in members:
        if member.offset != position or position + _LOCAL_HEADER.size > directory_start:
            raise ArchiveError(f"the member {shown(member.name)} is not where it should be: {_DAMAGED}")
        signature, _, flags, method, *_, name_length, extra_length = _LOCAL_HEADER.unpack_from(data, position)
        name_start = position + _LOCAL_HEADER.size
        name = bytes(data[name_start : name_start + name_length])
        position = starts[member.name] = name_start + name_length + extra_length
        position += member.packed_bytes
        if (signature, flags, method, name) != (b"PK\x03\x04", member.flags, member.method, member.name.encode()):
            raise ArchiveError(f"the member {shown(member.name)} contradicts the zip directory: {_DAMAGED}")
    if position != directory_start:
        raise ArchiveError(f"there are bytes between the members and the zip directory: {_DAMAGED}")
    return starts


def _inflated(packed: memoryview, member: _Member) -> bytes:
    """The unpacked stream; at most one byte beyond the declared size is ever unpacked."""
    stream = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        data = stream.decompress(packed, min(member.unpacked_bytes + 1, sys.maxsize))
    except zlib.error as error:
        raise ArchiveError(f"the member {shown(member.name)} cannot be unpacked ({error}): {_DAMAGED}") from error
    if not stream.eof or stream.unused_data:
        raise ArchiveError(f"the member {shown(member.name)} does not end where declared: {_DAMAGED}")
    return data
