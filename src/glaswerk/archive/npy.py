"""One array as the bytes of a `.npy` file (format 1.0), and back.

NumPy's own reader evaluates the header as a Python literal. Here the manifest states dtype and shape, so the header can
only be one of two known byte strings (C or Fortran order) and reading it is a comparison: there is nothing to parse.
"""

import math
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive.errors import ArchiveError

_MAX_DIMENSIONS = 32
_LARGEST_CODE_POINT = 0x10FFFF
NUMERIC_DTYPES = ("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8")
_TEXT = re.compile(r"<U[1-9][0-9]{0,7}")


@dataclass(frozen=True)
class ArrayEntry:
    """What the manifest says about one array."""

    member: str
    dtype: str
    shape: tuple[int, ...]
    sha256: str

    @property
    def bytes_of_values(self) -> int:
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize


def is_storable_dtype(text: str) -> bool:
    """Whether the dtype, written as in a `.npy` header, is one that files may hold."""
    return text in NUMERIC_DTYPES or _TEXT.fullmatch(text) is not None


def is_storable_shape(shape: tuple[int, ...], dtype: str) -> bool:
    """Whether NumPy can make such an array: it counts the bytes as if dimensions of length zero were not there."""
    if len(shape) > _MAX_DIMENSIONS or any(length < 0 for length in shape):
        return False
    size = math.prod(length for length in shape if length) * np.dtype(dtype).itemsize
    return size <= np.iinfo(np.intp).max


def stored_dtype(array: NDArray[Any]) -> str:
    """The dtype an array has in the file: its own, in little-endian byte order."""
    return array.dtype.newbyteorder("<").str


def require_storable(array: NDArray[Any], path: str) -> None:
    """Refuse, before anything is written, an array that could not be read back."""
    if not is_storable_dtype(stored_dtype(array)):
        raise ArchiveError(
            f"{path} has the dtype {array.dtype}, which a file cannot hold: convert it to bool, an integer, "
            "float32, float64 or fixed-length text"
        )
    if not is_storable_shape(array.shape, stored_dtype(array)):
        raise ArchiveError(f"{path} has {array.ndim} dimensions; a file holds at most {_MAX_DIMENSIONS}: reshape it")


def member_from_array(array: NDArray[Any]) -> bytes:
    """The `.npy` bytes. Fortran order is kept, since the order of memory can decide the last bits of a product."""
    in_fortran_order = array.flags.f_contiguous and not array.flags.c_contiguous
    little_endian = array.astype(stored_dtype(array), copy=False)
    values = little_endian.tobytes(order="F" if in_fortran_order else "C")
    return _header(stored_dtype(array), array.shape, in_fortran_order) + values


def array_from_member(data: bytes, entry: ArrayEntry) -> NDArray[Any]:
    """The array, once checksum, header and length agree with what the manifest says about it."""
    if sha256(data).hexdigest() != entry.sha256:
        raise ArchiveError(f"{entry.member} does not match its checksum: the file is damaged, fetch it again")
    in_fortran_order = data.startswith(_header(entry.dtype, entry.shape, True))
    header = _header(entry.dtype, entry.shape, in_fortran_order)
    if not data.startswith(header) or len(data) != len(header) + entry.bytes_of_values:
        raise ArchiveError(
            f"{entry.member} is not an array of dtype {entry.dtype} and shape {entry.shape} as the manifest says: "
            "the file is damaged or forged, do not use it"
        )
    flat = np.frombuffer(data, entry.dtype, offset=len(header))
    _require_valid_values(flat, entry)
    shaped = flat.reshape(entry.shape, order="F" if in_fortran_order else "C")
    return shaped.astype(shaped.dtype.newbyteorder("="), order="K")


def _require_valid_values(flat: NDArray[Any], entry: ArrayEntry) -> None:
    """Bit patterns that are no bool or no character would be undefined behaviour or an error much later."""
    if flat.dtype.kind == "b" and flat.view(np.uint8).max(initial=0) > 1:
        raise ArchiveError(f"{entry.member} holds bytes that are neither true nor false: the file is damaged")
    if flat.dtype.kind == "U" and flat.view("<u4").max(initial=0) > _LARGEST_CODE_POINT:
        raise ArchiveError(f"{entry.member} holds numbers that are no Unicode characters: the file is damaged")


def _header(dtype: str, shape: tuple[int, ...], in_fortran_order: bool) -> bytes:
    """The header as every `.npy` reader expects it: padded so that the values start at a multiple of 64 bytes."""
    text = f"{{'descr': {dtype!r}, 'fortran_order': {in_fortran_order}, 'shape': {shape}, }}"
    start = b"\x93NUMPY\x01\x00"
    length_without_padding = len(start) + 2 + len(text) + 1
    text += " " * (-length_without_padding % 64) + "\n"
    return start + len(text).to_bytes(2, "little") + text.encode("ascii")
