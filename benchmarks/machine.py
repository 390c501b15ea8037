"""What a figure was measured on: without it the figure is a rumour."""

import importlib
import importlib.metadata
import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import scipy.linalg  # noqa: F401 - its BLAS must be loaded to be seen
import threadpoolctl

import glaswerk

ROOT = Path(__file__).parent.parent
PINS = ("OPENBLAS_", "OMP_", "MKL_", "NUMBA_")  # settings that change threads or kernels
PACKAGES = ("glaswerk", "numpy", "scipy", "scikit-learn", "numba", "pyarrow", "statsmodels", "threadpoolctl")


@dataclass(frozen=True)
class Blas:
    """One BLAS of this process: its kernels' architecture decides the speed of every matrix product."""

    library: str
    version: str
    architecture: str
    threads: int
    file: str


@dataclass(frozen=True)
class Machine:
    processor: str
    cores: int
    system: str
    load: float
    python: str
    versions: dict[str, str]
    blas: tuple[Blas, ...]
    date: str
    commit: str
    environment: dict[str, str]

    def as_dict(self) -> dict:
        return asdict(self)


def describe(threads: int) -> Machine:
    """The machine as it is now, with BLAS limited to `threads` as in the run."""
    with threadpoolctl.threadpool_limits(limits=threads):
        found = [info for info in threadpoolctl.threadpool_info() if info["user_api"] == "blas"]
    return Machine(
        processor(),
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        f"{platform.system()} {platform.machine()}",
        os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan"),
        platform.python_version(),
        {name: version(name) for name in PACKAGES},
        tuple(blas(info) for info in found),
        datetime.now(UTC).isoformat(timespec="seconds"),
        commit(),
        {name: os.environ[name] for name in sorted(os.environ) if name.startswith(PINS)},
    )


def blas(info: dict) -> Blas:
    architecture = str(info.get("architecture", "not stated"))
    file = Path(info["filepath"]).name
    return Blas(info["internal_api"], str(info["version"]), architecture, info["num_threads"], file)


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def commit() -> str:
    """The commit measured, and whether the files differ from it."""
    try:
        head = git("rev-parse", "--short=12", "HEAD")
        return f"{head}, with changes" if git("status", "--porcelain") else head
    except (OSError, subprocess.CalledProcessError):
        return "none"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def peer(module: str) -> ModuleType | None:
    """A rival's module if it can be imported here, else None."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def public(name: str) -> Any:
    """A public name of glaswerk, or None while its part of the package is not there."""
    try:
        return getattr(glaswerk, name)
    except (ImportError, AttributeError):
        return None
