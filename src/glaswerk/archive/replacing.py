"""Replace a file in one step: a reader, a crash or a full disk never meets a half-written one."""

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Put `data` at `path`, whole and durable, or raise `OSError` and leave what was there as it was.

    A temporary file beside the target is written, flushed to the disk and renamed. The permissions of an existing file
    are kept, and a symbolic link is followed. A process killed in between leaves the old file whole and
    one `.glaswerk-*.tmp` beside it, which may be deleted.
    """
    target = Path(os.path.realpath(path))
    temporary = target.parent / f".glaswerk-{secrets.token_hex(8)}.tmp"
    try:
        mode = _permissions_to_keep(target)
        try:
            _write_durably(temporary, data, mode)
            os.replace(temporary, target)
        finally:
            with suppress(OSError):  # gone after the renaming; otherwise the first error is the one to report
                temporary.unlink()
    except OSError as error:
        raise _explained(error, path, "the old file, if any, is untouched") from error
    try:
        _flush_folder(target.parent)
    except OSError as error:
        raise _explained(error, path, "the new file is in place but may not survive a power failure") from error


def _permissions_to_keep(target: Path) -> int | None:
    """The mode bits of the file to be replaced, or None where there is none."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(mode):  # renaming would replace a device such as /dev/null by a file
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")
    if not os.access(target, os.W_OK):  # renaming would succeed all the same
        raise PermissionError(errno.EACCES, "it is write-protected")
    return stat.S_IMODE(mode)


def _write_durably(temporary: Path, data: bytes, mode: int | None) -> None:
    with open(temporary, "xb") as stream:
        if mode is not None:  # before the first byte: the temporary is never more open than the file it replaces
            os.chmod(temporary, mode)
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _flush_folder(folder: Path) -> None:
    """Make the renaming itself durable, where the system can do that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot flush a folder
            raise
    finally:
        os.close(descriptor)


def _explained(error: OSError, path: str | os.PathLike[str], consequence: str) -> OSError:
    name = os.fspath(path)
    return OSError(error.errno, f"cannot write {name}: {error.strerror or error}; {consequence}", name)
