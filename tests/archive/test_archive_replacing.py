"""Replacing a file: whatever goes wrong, the old file is whole, nothing is left lying about, and the error says so."""

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from glaswerk.archive import ArchiveError, replace_file, write

OLD = b"the old file"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "model.glaswerk"
    path.write_bytes(OLD)
    return path


def failing(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*arguments: Any, **options: Any) -> NoReturn:
        raise error

    return fail


def assert_untouched(target: Path) -> None:
    assert target.read_bytes() == OLD
    assert os.listdir(target.parent) == [target.name]


def run(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_old_content_is_replaced_and_nothing_else_appears(target: Path) -> None:
    replace_file(target, b"new")
    assert target.read_bytes() == b"new"
    assert os.listdir(target.parent) == [target.name]


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    usual, ours = tmp_path / "usual", tmp_path / "ours"
    usual.touch()
    replace_file(str(ours), b"new")
    assert ours.stat().st_mode == usual.stat().st_mode


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_an_existing_file_keeps_its_permissions(target: Path, mode: int) -> None:
    target.chmod(mode)
    replace_file(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == mode


def test_links_are_followed(target: Path) -> None:
    folder = target.parent / "elsewhere"
    folder.mkdir()
    link = folder / "link"
    link.symlink_to(Path("..") / target.name)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert os.listdir(folder) == ["link"]


def test_a_link_to_nothing_creates_what_it_names_and_a_circle_is_an_error(tmp_path: Path) -> None:
    dangling, circle = tmp_path / "dangling", tmp_path / "circle"
    dangling.symlink_to("made")
    replace_file(dangling, b"new")
    assert (tmp_path / "made").read_bytes() == b"new"
    circle.symlink_to("circle")
    with pytest.raises(OSError, match="cannot write") as caught:
        replace_file(circle, b"new")
    assert caught.value.errno == errno.ELOOP


def test_folders_and_devices_are_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        replace_file(tmp_path, b"new")
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        replace_file("/", b"new")
    with pytest.raises(OSError, match="it is a device or a pipe"):
        replace_file(tmp_path / "pipe", b"new")
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "model.glaswerk"
    with pytest.raises(FileNotFoundError, match=f"cannot write {path}: No such file or directory") as caught:
        replace_file(path, b"new")
    assert caught.value.filename == str(path)


def test_a_write_protected_file_is_not_replaced(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    with pytest.raises(PermissionError, match="it is write-protected; the old file, if any, is untouched"):
        replace_file(target, b"new")
    assert_untouched(target)


@pytest.mark.parametrize("step", ["open", "chmod", "fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EFBIG, errno.EIO, errno.EDQUOT])
def test_an_error_at_any_step_leaves_the_old_file(
    target: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int
) -> None:
    place = "glaswerk.archive.replacing.open" if step == "open" else f"os.{step}"
    with monkeypatch.context() as patch:
        patch.setattr(place, failing(OSError(code, os.strerror(code))), raising=False)
        with pytest.raises(OSError, match="the old file, if any, is untouched") as caught:
            replace_file(target, b"new")
    assert caught.value.errno == code
    assert caught.value.filename == str(target)
    assert f"cannot write {target}: {os.strerror(code)}" in str(caught.value)
    assert isinstance(caught.value, PermissionError) == (code == errno.EACCES)
    assert_untouched(target)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), MemoryError(), SystemExit()])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interruption_passes_through_and_leaves_the_old_file(
    target: Path, monkeypatch: pytest.MonkeyPatch, interruption: BaseException, step: str
) -> None:
    with monkeypatch.context() as patch, pytest.raises(type(interruption)):
        patch.setattr(os, step, failing(interruption))
        replace_file(target, b"new")
    assert_untouched(target)


def test_a_failure_to_clean_up_does_not_hide_its_cause(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space left") as caught:
        patch.setattr(os, "fsync", failing(OSError(errno.ENOSPC, "No space left")))
        patch.setattr(Path, "unlink", failing(OSError(errno.EIO, "broken")))
        replace_file(target, b"new")
    assert caught.value.errno == errno.ENOSPC


def failing_on_folders(code: int) -> Callable[[int], None]:
    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(code, os.strerror(code))

    return fsync


def test_a_folder_that_cannot_be_flushed_is_told_truly(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", failing_on_folders(errno.EIO))
    with pytest.raises(OSError, match="the new file is in place but may not survive a power failure"):
        replace_file(target, b"new")
    assert target.read_bytes() == b"new"
    monkeypatch.setattr(os, "fsync", failing_on_folders(errno.EINVAL))  # some network file systems
    replace_file(target, b"newer")
    assert target.read_bytes() == b"newer"


def test_a_truly_full_disk_leaves_the_old_file(target: Path) -> None:
    program = """
import resource, sys, numpy, glaswerk.archive as archive
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    archive.write(sys.argv[1], numpy.random.default_rng(0).normal(size=1_000_000))
except OSError as error:
    print(error.errno, error.strerror)
"""
    result = run(program, target)
    message = f"cannot write {target}: File too large; the old file, if any, is untouched"
    assert result.stdout == f"{errno.EFBIG} {message}\n", result.stderr
    assert_untouched(target)


def test_a_process_killed_before_the_renaming_leaves_the_old_file(target: Path) -> None:
    program = """
import os, signal, sys, glaswerk.archive as archive
os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
archive.replace_file(sys.argv[1], b"new" * 1000)
"""
    assert run(program, target).returncode == -signal.SIGKILL
    assert target.read_bytes() == OLD
    (left,) = set(os.listdir(target.parent)) - {target.name}
    assert left.startswith(".glaswerk-")
    assert left.endswith(".tmp")


def test_a_tree_that_cannot_be_stored_does_not_touch_the_file(target: Path) -> None:
    with pytest.raises(ArchiveError, match="model is a object"):
        write(target, object())
    assert_untouched(target)
