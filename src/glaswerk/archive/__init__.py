"""The safe container under model files, statistics and checkpoints: `write` a tree of values and arrays, or `read` it.

A file is a zip with one `manifest.json` (the tree) and one `.npy` member per array. The same content gives the same
bytes. Reading never unpickles, never imports by name, never unpacks more than it was told to, and answers every file it
does not fully understand with one `ArchiveError`. `docs/model_files.md` is the page for users.

>>> loads(dumps({"coef": [0.5, 2.0], "converged": True}, kind="model"), kind="model")
{'coef': [0.5, 2.0], 'converged': True}
"""

import os
import stat

from glaswerk.archive.container import MANIFEST, Container, pack
from glaswerk.archive.errors import ArchiveError
from glaswerk.archive.manifest import FORMAT, Manifest, manifest_bytes, parse_manifest
from glaswerk.archive.npy import array_from_member, member_from_array
from glaswerk.archive.replacing import replace_file
from glaswerk.archive.storable import storable
from glaswerk.archive.tree import Tree, decode, encode

__all__ = ["FORMAT", "ArchiveError", "dumps", "loads", "read", "replace_file", "storable", "write"]

_Path = str | os.PathLike[str]


def write(path: _Path, tree: object, kind: str = "model") -> None:
    """Store `tree` at `path` in one step: whoever looks finds the whole old file or the whole new one."""
    replace_file(path, dumps(tree, kind))


def read(path: _Path, kind: str = "model", max_bytes: int = 2**31) -> Tree:
    """The tree stored at `path`; neither the file nor what it unpacks to may be larger than `max_bytes`."""
    try:
        return loads(_file_bytes(path, max_bytes), kind, max_bytes)
    except ArchiveError as error:
        raise ArchiveError(f"{os.fspath(path)}: {error}") from error


def dumps(tree: object, kind: str) -> bytes:
    """The bytes of a file that holds `tree`; the same tree gives the same bytes."""
    values, arrays = encode(tree, kind)
    members = [member_from_array(array) for array in arrays]
    manifest = manifest_bytes(kind, values, arrays, members)
    return pack(manifest, members)


def loads(data: bytes, kind: str, max_bytes: int = 2**31) -> Tree:
    """The tree in the bytes that `dumps` or `write` made."""
    container = Container(data, max_bytes)
    manifest = parse_manifest(container.read(MANIFEST), kind)
    return decode(manifest.tree, _arrays(container, manifest), kind)


def _arrays(container: Container, manifest: Manifest) -> list[Tree]:
    """Every array of the file, in the manifest's order; a member that it does not list is refused."""
    container.refuse_members_beyond([MANIFEST, *(entry.member for entry in manifest.arrays)])
    return [array_from_member(container.read(entry.member), entry) for entry in manifest.arrays]


def _file_bytes(path: _Path, max_bytes: int) -> bytes:
    """The whole file, once it is known to be a regular one of bearable size (a device or a pipe would never end)."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise ArchiveError("this is a folder or a device, not a Glaswerk file: give the path of a file")
    if status.st_size > max_bytes:
        raise ArchiveError(
            f"the file has {status.st_size} bytes, more than the {max_bytes} allowed: "
            "if you trust it, read it with a larger max_bytes"
        )
    with open(path, "rb") as stream:
        return stream.read()
