"""Fresh processes: what a user waits for, or needs in memory, before anything is warm."""

import json
import os
import subprocess
import sys
from time import perf_counter
from typing import Any

from benchmarks.machine import ROOT


def fresh_process(code: str, threads: int, **environment: str) -> tuple[float, dict[str, Any]]:
    """Seconds from start to end of `python -c code`, and the JSON object on its last line if there is one."""
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(threads))
    start = perf_counter()
    whole = {**os.environ, **limits, **environment}
    done = subprocess.run([sys.executable, "-c", code], env=whole, cwd=ROOT, capture_output=True, text=True)
    seconds = perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"a fresh process ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
    lines = done.stdout.strip().splitlines()
    return seconds, json.loads(lines[-1]) if lines else {}
