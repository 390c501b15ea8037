"""A tree of Python values as JSON values and a list of arrays, and back.

JSON knows no tuple, no NaN and no array; these become objects whose one key is a tag starting with "$". A user's own
key that starts with "$" gets a second one, so that nothing a user stores can be mistaken for a tag.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive.errors import ArchiveError, shown
from glaswerk.archive.npy import NUMERIC_DTYPES, require_storable
from glaswerk.archive.storable import Storable, storable_named, storable_of

Tree = Any  # None, bool, int, float, str, list, tuple, dict, NumPy scalar or array, or an instance of a storable class

MAX_DEPTH = 64
MAX_INTEGER_DIGITS = 1000
_INTEGER_BOUND = 10**MAX_INTEGER_DIGITS

_ARRAY, _FLOAT, _SCALAR, _TUPLE = "$array", "$float", "$scalar", "$tuple"
_KIND, _VERSION = "$kind", "$version"
_NON_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_SCALARS = {np.dtype(text).name: np.dtype(text).type for text in NUMERIC_DTYPES} | {"str": np.str_}


def encode(tree: object, root: str) -> tuple[object, list[NDArray[Any]]]:
    """The JSON values of a tree, and its arrays in the order in which the values refer to them."""
    encoder = _Encoder()
    return encoder.value(tree, root, 0), encoder.arrays


def decode(values: object, arrays: list[NDArray[Any]], root: str) -> Tree:
    """The tree that `encode` took apart; `root` is its name in error messages."""
    decoder = _Decoder(arrays)
    tree = decoder.value(values, root, 0)
    decoder.require_all_arrays_used()
    return tree


class _Encoder:
    """Collects the arrays on the way through the tree."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []

    def value(self, value: object, path: str, depth: int) -> object:
        # Exact types only: a subclass such as an enum or a masked array would come back as something else.
        _require_depth(depth, path)
        entry = storable_of(value)
        if entry is not None:
            return self._stored(value, entry, path, depth)
        if value is None or type(value) is bool:
            return value
        if type(value) is int:
            return _bounded(value, path)
        if type(value) is float:
            return value if math.isfinite(value) else {_FLOAT: str(value)}
        if type(value) is str:
            return _text(value, path)
        if isinstance(value, np.generic):
            return {_SCALAR: _encoded_scalar(value, path)}
        if type(value) is np.ndarray:
            return self._array(value, path)
        return self._collection(value, path, depth)

    def _collection(self, value: object, path: str, depth: int) -> object:
        if type(value) is list:
            return self._items(value, path, depth)
        if type(value) is tuple:
            return {_TUPLE: self._items(value, path, depth)}
        if type(value) is dict:
            return {_escaped(key, path): self.value(item, f"{path}.{key}", depth + 1) for key, item in value.items()}
        raise ArchiveError(
            f"{path} is a {type(value).__name__}, which a file cannot hold: "
            "store plain values, numpy arrays or a dataclass marked with @storable"
        )

    def _items(self, items: list[object] | tuple[object, ...], path: str, depth: int) -> list[object]:
        return [self.value(item, f"{path}[{number}]", depth + 1) for number, item in enumerate(items)]

    def _stored(self, value: object, entry: Storable, path: str, depth: int) -> dict[str, object]:
        fields = {name: self.value(getattr(value, name), f"{path}.{name}", depth + 1) for name in entry.fields}
        return {_KIND: entry.name, _VERSION: entry.version, **fields}

    def _array(self, array: NDArray[Any], path: str) -> dict[str, object]:
        require_storable(array, path)
        self.arrays.append(array)
        return {_ARRAY: len(self.arrays) - 1}


class _Decoder:
    """Hands out the arrays on the way through the values; each must be asked for once, in order."""

    def __init__(self, arrays: list[NDArray[Any]]) -> None:
        self._arrays = arrays
        self._used = 0

    def require_all_arrays_used(self) -> None:
        if self._used < len(self._arrays):
            raise ArchiveError(f"the tree does not refer to array {self._used} of the file: the file is damaged")

    def value(self, value: object, path: str, depth: int) -> Tree:
        _require_depth(depth, path)
        if isinstance(value, dict):
            return self._object(value, path, depth)
        if isinstance(value, list):
            return self._items(value, path, depth)
        return _text(value, path) if isinstance(value, str) else value

    def _items(self, items: object, path: str, depth: int) -> list[Tree]:
        if not isinstance(items, list):
            raise _damaged(path)
        return [self.value(item, f"{path}[{number}]", depth + 1) for number, item in enumerate(items)]

    def _object(self, content: dict[str, object], path: str, depth: int) -> Tree:
        tags = [key for key in content if key.startswith("$") and not key.startswith("$$")]
        if not tags:
            return {
                _text(_unescaped(key), path): self.value(item, f"{path}.{shown(key)[1:-1]}", depth + 1)
                for key, item in content.items()
            }
        if set(tags) == {_KIND, _VERSION}:
            return self._stored(content, path, depth)
        if len(content) == 1:
            return self._tagged(tags[0], content[tags[0]], path, depth)
        raise _damaged(path)

    def _stored(self, content: dict[str, object], path: str, depth: int) -> object:
        entry = storable_named(content[_KIND], content[_VERSION], path)
        fields = {name: item for name, item in content.items() if name not in (_KIND, _VERSION)}
        values = {name: self.value(item, f"{path}.{shown(name)[1:-1]}", depth + 1) for name, item in fields.items()}
        return entry.build(values, path)

    def _tagged(self, tag: str, content: object, path: str, depth: int) -> Tree:
        if tag == _TUPLE:
            return tuple(self._items(content, path, depth))
        if tag == _ARRAY:
            return self._next_array(content, path)
        if tag == _FLOAT and isinstance(content, str) and content in _NON_FINITE:
            return _NON_FINITE[content]
        if tag == _SCALAR and isinstance(content, list) and len(content) == 2:
            return _decoded_scalar(content[0], content[1], path)
        raise _damaged(path)

    def _next_array(self, number: object, path: str) -> NDArray[Any]:
        if type(number) is not int or number != self._used or number >= len(self._arrays):
            raise ArchiveError(f"{path} refers to array {shown(number)} out of turn: the file is damaged")
        self._used += 1
        return self._arrays[number]


def _require_depth(depth: int, path: str) -> None:
    if depth > MAX_DEPTH:
        raise ArchiveError(
            f"{path[:60]}... is nested more than {MAX_DEPTH} levels deep: flatten it (a large tree belongs in arrays)"
        )


def _bounded(value: int, path: str) -> int:
    if abs(value) >= _INTEGER_BOUND:
        raise ArchiveError(f"{path} is an integer of more than {MAX_INTEGER_DIGITS} digits: store it as text")
    return value


def _text(value: str, path: str) -> str:
    """Text that UTF-8 can hold; lone surrogates come from file names in an unknown encoding."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ArchiveError(f"{path} is text with a lone surrogate, {shown(value)}: replace that character") from error
    return value


def _escaped(key: object, path: str) -> str:
    if type(key) is not str:
        raise ArchiveError(f"{path} has the key {shown(key)}, but keys must be text: convert it with str()")
    return _text(f"${key}" if key.startswith("$") else key, path)


def _unescaped(key: str) -> str:
    return key.removeprefix("$") if key.startswith("$$") else key


def _encoded_scalar(scalar: np.generic, path: str) -> list[object]:
    name = "str" if scalar.dtype.kind == "U" else scalar.dtype.name
    if name not in _SCALARS:
        raise ArchiveError(f"{path} is a NumPy scalar of dtype {scalar.dtype}, which a file cannot hold: convert it")
    plain = scalar.item()
    if isinstance(plain, float) and not math.isfinite(plain):
        return [name, str(plain)]
    return [name, _text(plain, path) if isinstance(plain, str) else plain]


def _decoded_scalar(name: object, plain: object, path: str) -> np.generic:
    """The scalar, if writing it again would give the same two values."""
    kind = _SCALARS.get(name) if isinstance(name, str) else None
    if kind is None or not isinstance(plain, bool | int | float | str):
        raise _damaged(path)
    try:
        with np.errstate(over="ignore"):
            scalar: np.generic = kind(plain)
        written = _encoded_scalar(scalar, path)[1]
    except (ValueError, OverflowError) as error:
        raise _damaged(path) from error
    if type(written) is not type(plain) or written != plain:
        raise _damaged(path)
    return scalar


def _damaged(path: str) -> ArchiveError:
    return ArchiveError(f"{path} is not written as Glaswerk writes it: the file is damaged or forged, do not use it")
