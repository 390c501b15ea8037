"""The cache of machine code: where it lies, what names it, and what happens where it cannot lie anywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from glaswerk import kernels
from glaswerk.kernels import compiling

# The smallest sensible use: one kernel, its value, and where it came from.
USE_ONE_KERNEL = """
import numpy as np, numba
users = numba.config.CACHE_DIR
from glaswerk import kernels
from glaswerk.kernels import compiling
gram = np.zeros((3, 3))
kernels.narrow_gram(np.ones((4, 1)), np.ones((4, 1)), np.zeros(0), np.zeros(2), gram)
assert gram.sum() == 6 * 4.0, gram
assert numba.config.CACHE_DIR == users, numba.config.CACHE_DIR
print(compiling.FOLDER, sum(kernels.narrow_gram.stats.cache_hits.values()))
"""


def python(program, **environment):
    """What a fresh interpreter prints."""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, **environment}, timeout=300
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


def test_importing_the_kernels_loads_no_compiler():
    program = "import sys, glaswerk.kernels; print(*[m for m in ('numba', 'llvmlite', 'numpy') if m in sys.modules])"
    assert python(program) == []


def test_an_unknown_kernel_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"module 'glaswerk\.kernels' has no attribute 'wide_gram'"):
        _ = kernels.wide_gram


def test_warm_compiles_every_kernel_by_name():
    assert kernels.warm() == list(kernels.HOME)
    assert all(getattr(kernels, name).nopython_signatures for name in kernels.HOME)


def test_machine_code_goes_where_the_environment_says_and_is_found_again(tmp_path):
    folder = tmp_path / f"kernels-{compiling.source_stamp()}"
    environment = {"GLASWERK_CACHE_DIR": str(tmp_path), "NUMBA_CACHE_DIR": "/users/own"}
    assert python(USE_ONE_KERNEL, **environment) == [str(folder), "0"]
    assert list(folder.rglob("*.nbc"))
    assert python(USE_ONE_KERNEL, **environment) == [str(folder), "1"]
    assert os.listdir(tmp_path) == [folder.name]


def test_where_no_cache_can_be_written_the_kernels_compute_all_the_same(tmp_path):
    a_file = tmp_path / "file"
    a_file.touch()
    assert python(USE_ONE_KERNEL, GLASWERK_CACHE_DIR=str(a_file)) == ["None", "0"]


def test_without_a_writable_home_the_temporary_folder_serves(tmp_path, monkeypatch):
    a_file = tmp_path / "file"
    a_file.touch()
    monkeypatch.delenv("GLASWERK_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(a_file))
    monkeypatch.setattr(compiling.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = compiling.cache_folder()
    assert folder is not None
    assert folder.parent.parent == tmp_path
    assert folder.stat().st_mode & 0o077 == 0


def test_a_folder_of_somebody_else_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("GLASWERK_CACHE_DIR", str(tmp_path))
    assert compiling.cache_folder() is not None
    monkeypatch.setattr(compiling.os, "getuid", lambda: os.geteuid() + 1)
    assert compiling.cache_folder() is None


@pytest.mark.parametrize("changed", ["arithmetic.py", "compiling.py", "a_new_one.py"])
def test_a_change_in_any_source_gives_the_cache_another_name(changed, tmp_path, monkeypatch):
    for source in Path(compiling.__file__).parent.glob("*.py"):
        shutil.copy(source, tmp_path)
    before = compiling.source_stamp()
    monkeypatch.setattr(compiling, "__file__", str(tmp_path / "compiling.py"))
    assert compiling.source_stamp() == before
    with open(tmp_path / changed, "a") as source:
        source.write("\n")
    assert compiling.source_stamp() != before


def test_machine_code_nobody_used_for_a_month_is_removed(tmp_path):
    now, old, young, foreign = (tmp_path / name for name in ("kernels-now", "kernels-old", "kernels-young", "notes"))
    for folder in (now, old, young, foreign):
        folder.mkdir()
    for folder in (now, old, foreign):
        os.utime(folder, (0, 0))
    compiling.forget_unused(now)
    assert sorted(os.listdir(tmp_path)) == ["kernels-now", "kernels-young", "notes"]


def test_no_loop_bears_the_name_of_a_file():
    """Importing the file would put the module in the place of the loop."""
    files = {path.stem for path in Path(kernels.__file__).parent.glob("*.py")}
    assert not files & set(kernels.HOME)
