"""The door to numba: one decorator, one cache folder, one rule for stale machine code.

Numba notices a change in the file that holds a kernel, but not in a file that kernel calls into. The cache folder is
therefore named after a stamp of every kernel source, so no process can load code compiled from an older helper.
"""

import hashlib
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numba
from numba import types
from numba.core.typing import Signature

UNUSED_DAYS = 30


def source_stamp() -> str:
    """Hash of all kernel sources, the compiler's version and the processor's kind."""
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()} {platform.machine()}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """The first writable home for machine code, or None: then every process compiles for itself."""
    asked = os.environ.get("GLASWERK_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "glaswerk"
    shared = Path(tempfile.gettempdir()) / f"glaswerk-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    for home in [Path(asked)] if asked else [user, shared]:
        try:
            folder = home / f"kernels-{source_stamp()}"
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        # In a world-writable place somebody else could have put machine code there first.
        if not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid():
            os.utime(folder)
            return folder
    return None


def forget_unused(folder: Path) -> None:
    """Remove machine code of other versions that no process has opened for a month."""
    oldest = time.time() - UNUSED_DAYS * 86_400
    for other in folder.parent.glob("kernels-*"):
        if other != folder and other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)


FOLDER = cache_folder()
if FOLDER is not None:
    forget_unused(FOLDER)


@contextmanager
def _own_cache() -> Iterator[None]:
    """Numba reads the folder when a function is decorated; the user's own setting is put back at once."""
    users = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(FOLDER or "")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = users


# The two kinds of arguments: read-only arrays are taken too, and never written to.
IN1, IN2 = (types.Array(types.float64, k, "C", readonly=True) for k in (1, 2))
OUT2 = types.Array(types.float64, 2, "C")


def kernel(signature: Signature, *, reassociate: bool = False) -> Callable:
    """Compile a loop for exactly one signature: arrays in, arrays out, no interpreter lock, no exceptions inside.

    `reassociate` lets sums use vector lanes. It must stay off wherever rounding errors are themselves computed.
    """
    options = {"nogil": True, "error_model": "numpy", "cache": FOLDER is not None}
    if reassociate:
        options["fastmath"] = {"reassoc", "contract", "nsz"}

    def compile_now(function: Callable) -> Callable:
        with _own_cache():
            return numba.njit(signature, **options)(function)

    return compile_now


# A loop that only kernels call: it needs no door to Python, and compiles in half the time without one.
inner = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)

# As `inner`, for loops that make no arrays: references are not counted, which small blocks would spend their time on.
loop = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)

# And as `loop`, for what a hot loop calls in one place: passing many arrays would cost more than the work.
piece = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True)
