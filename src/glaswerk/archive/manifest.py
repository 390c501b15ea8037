"""`manifest.json`: what wrote the file, what kind of thing it holds, the tree, and one entry per array.

Standard JSON, read strictly: no NaN literals, no repeated keys, no endless numbers, no bottomless nesting.
"""

import json
import math
import re
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Any, NoReturn

from numpy.typing import NDArray

from glaswerk.archive.container import MANIFEST, MAX_MANIFEST_BYTES, MAX_MEMBERS, array_member_name
from glaswerk.archive.errors import ArchiveError, shown
from glaswerk.archive.npy import ArrayEntry, is_storable_dtype, is_storable_shape, stored_dtype
from glaswerk.archive.tree import MAX_INTEGER_DIGITS

FORMAT = 1

_NAME = "glaswerk"
_KEYS = ("format", "format_version", "written_by", "kind", "tree", "arrays")
_ENTRY_KEYS = ("member", "dtype", "shape", "sha256")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_VOWELS = tuple("aeiou")


@dataclass(frozen=True)
class Manifest:
    """A manifest whose own form is right; its tree is not decoded yet."""

    tree: object
    arrays: list[ArrayEntry]


def manifest_bytes(kind: str, tree: object, arrays: list[NDArray[Any]], members: list[bytes]) -> bytes:
    """The manifest of an encoded tree and its arrays."""
    if not kind.isidentifier():
        raise ArchiveError(f"the kind {shown(kind)} is not one word: choose a name such as model")
    if len(arrays) >= MAX_MEMBERS:
        raise ArchiveError(f"{kind} holds {len(arrays)} arrays, a file {MAX_MEMBERS - 1} at most: join small ones")
    entries = [_entry(number, *pair) for number, pair in enumerate(zip(arrays, members, strict=True))]
    values = (_NAME, FORMAT, version("glaswerk"), kind, tree, entries)
    content = dict(zip(_KEYS, values, strict=True))
    data = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if len(data) > MAX_MANIFEST_BYTES:
        raise ArchiveError(
            f"{kind} needs {len(data)} bytes beside its arrays; a file holds {MAX_MANIFEST_BYTES} at most: "
            "store long lists as numpy arrays"
        )
    return data


def parse_manifest(data: bytes, kind: str) -> Manifest:
    """The manifest, once it is one that this version reads and of the kind that was asked for."""
    content = _strict_json(data)
    if not isinstance(content, dict) or content.get("format") != _NAME:
        raise ArchiveError(f"{MANIFEST} does not say that this is a Glaswerk file: give a file that Glaswerk wrote")
    _require_readable_version(content.get("format_version"))
    if set(content) != set(_KEYS):
        raise ArchiveError(f"{MANIFEST} must have exactly the keys {', '.join(_KEYS)}: the file is damaged")
    if not isinstance(content["kind"], str):
        raise ArchiveError(f"{MANIFEST} must name the kind of thing it holds: the file is damaged")
    if content["kind"] != kind:
        raise ArchiveError(f"it holds {_with_article(content['kind'])}, not {_with_article(kind)}: give another file")
    if not isinstance(content["arrays"], list):
        raise ArchiveError(f"{MANIFEST} must list the arrays: the file is damaged")
    return Manifest(content["tree"], [_parse_entry(*pair) for pair in enumerate(content["arrays"])])


def _entry(number: int, array: NDArray[Any], member: bytes) -> dict[str, object]:
    values = (array_member_name(number), stored_dtype(array), list(array.shape), sha256(member).hexdigest())
    return dict(zip(_ENTRY_KEYS, values, strict=True))


def _parse_entry(number: int, content: object) -> ArrayEntry:
    place = f"{MANIFEST}, array {number}"
    if not isinstance(content, dict) or set(content) != set(_ENTRY_KEYS):
        raise ArchiveError(f"{place} must have exactly the keys {', '.join(_ENTRY_KEYS)}: the file is damaged")
    member, dtype, shape, digest = (content[key] for key in _ENTRY_KEYS)
    if member != array_member_name(number):
        raise ArchiveError(f"{place} must be {array_member_name(number)}, not {shown(member)}: the file is damaged")
    if not isinstance(dtype, str) or not is_storable_dtype(dtype):
        raise ArchiveError(f"{place} has the dtype {shown(dtype)}, which Glaswerk never writes: do not use the file")
    if not _is_list_of_integers(shape) or not is_storable_shape(tuple(shape), dtype):
        raise ArchiveError(f"{place} has an impossible shape: the file is damaged")
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise ArchiveError(f"{place} has no SHA-256 checksum: the file is damaged")
    return ArrayEntry(member, dtype, tuple(shape), digest)


def _is_list_of_integers(value: object) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)


def _require_readable_version(found: object) -> None:
    if type(found) is not int or found < 1:
        raise ArchiveError(f"{MANIFEST} has the format version {shown(found)}, not {FORMAT}: the file is damaged")
    if found > FORMAT:
        raise ArchiveError(
            f"written by a newer Glaswerk (format {shown(found)}); this one reads up to {FORMAT}: upgrade glaswerk"
        )


def _with_article(kind: str) -> str:
    name = shown(kind)[1:-1]
    return f"{'an' if name.lower().startswith(_VOWELS) else 'a'} {name}"


def _strict_json(data: bytes) -> object:
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object_without_repeated_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite_float,
            parse_int=_bounded_integer,
        )
    except ArchiveError:
        raise
    except RecursionError as error:
        raise ArchiveError(f"{MANIFEST} is nested too deeply: the file is damaged or forged, do not use it") from error
    except ValueError as error:
        raise ArchiveError(f"{MANIFEST} is not standard JSON ({error}): the file is damaged, fetch it again") from error


def _object_without_repeated_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ArchiveError(f"{MANIFEST} repeats a key within one object: the file is damaged or forged, do not use it")
    return content


def _refuse_constant(literal: str) -> NoReturn:
    raise ArchiveError(f"{MANIFEST} holds {literal}, which is not standard JSON: Glaswerk never writes such a file")


def _finite_float(literal: str) -> float:
    value = float(literal)
    if not math.isfinite(value):
        raise ArchiveError(f"{MANIFEST} holds a number beyond double precision, {shown(literal)}: the file is damaged")
    return value


def _bounded_integer(literal: str) -> int:
    if len(literal) > MAX_INTEGER_DIGITS + 1:
        raise ArchiveError(f"{MANIFEST} holds an integer of {len(literal)} digits: the file is damaged or forged")
    return int(literal)
